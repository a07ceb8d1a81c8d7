//! How far two values of one form are apart.

use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::judge::compare::{Element, distance};
use crate::tensor::{Tensor, Value};

/// How far two values are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    /// Whether their elements have the same bits, but for those of NaN.
    pub(super) is_same: bool,
    /// The largest distance in ULP; `None` where two elements have none.
    pub(super) max_ulp: Option<u64>,
    /// The largest absolute difference of two finite numbers.
    pub(super) max_abs: Option<f64>,
}

/// How far two values are apart; of other than two tensors of one type and shape it is known only whether they are the same.
pub(super) fn between(one: &Value, other: &Value) -> Difference {
    match (one, other) {
        (Value::Tensor(one), Value::Tensor(other))
            if one.dtype() == other.dtype() && one.shape() == other.shape() =>
        {
            of_tensors(one, other)
        }
        _ => Difference { is_same: one == other, max_ulp: None, max_abs: None },
    }
}

fn of_tensors(one: &Tensor, other: &Tensor) -> Difference {
    let mut found = Difference { is_same: true, max_ulp: Some(0), max_abs: Some(0.0) };
    if one == other {
        return found;
    }
    for index in 0..one.elements() {
        let (Some(a), Some(b)) = (Element::of(one, index), Element::of(other, index)) else {
            break;
        };
        if a == b || is_nan(&a) && is_nan(&b) {
            continue;
        }
        found.is_same = false;
        let ulp = distance(&a, &b);
        found.max_ulp = found.max_ulp.zip(ulp).map(|(most, ulp)| most.max(ulp));
        if let Some((a, b)) = number(&a).zip(number(&b)) {
            found.max_abs = found.max_abs.map(|most| most.max((a - b).abs()));
        }
    }
    found
}

fn is_nan(element: &Element) -> bool {
    matches!(element, Element::Bits(dtype, bits)
        if matches!(dtype.kind(), Kind::Float(format) if format.class(*bits as u64) == Class::Nan))
}

/// A finite number in binary64, of a tensor of real numbers.
pub(super) fn number(element: &Element) -> Option<f64> {
    let Element::Bits(dtype, bits) = element else { return None };
    let number = match dtype.kind() {
        Kind::Float(format) => format.to_f64(*bits as u64),
        #[expect(clippy::cast_precision_loss, reason = "a figure for readers")]
        Kind::Int { signed, bits: width } => crate::dtype::integer(*bits, signed, width) as f64,
        Kind::Bool => f64::from(u8::from(*bits != 0)),
        Kind::Complex(_) | Kind::String => return None,
    };
    number.is_finite().then_some(number)
}

/// Which of NaN and infinity a value has.
pub(super) fn specials(value: &Value) -> (bool, bool) {
    value
        .tensors()
        .into_iter()
        .map(specials_of)
        .fold((false, false), |(nan, infinite), one| (nan || one.0, infinite || one.1))
}

fn specials_of(tensor: &Tensor) -> (bool, bool) {
    match tensor.dtype() {
        DType::Float32 => {
            let values = tensor.as_slice::<f32>().unwrap_or_default();
            (values.iter().any(|it| it.is_nan()), values.iter().any(|it| it.is_infinite()))
        }
        DType::Float64 => {
            let values = tensor.as_slice::<f64>().unwrap_or_default();
            (values.iter().any(|it| it.is_nan()), values.iter().any(|it| it.is_infinite()))
        }
        dtype => match dtype.kind() {
            Kind::Float(format) => {
                let mut found = (false, false);
                for bits in (0..tensor.elements()).filter_map(|index| tensor.element(index)) {
                    match format.class(bits as u64) {
                        Class::Nan => found.0 = true,
                        Class::Infinite => found.1 = true,
                        Class::Zero | Class::Subnormal | Class::Normal => {}
                    }
                }
                found
            }
            _ => (false, false),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Value {
        Tensor::from_vec(vec![values.len()], values.to_vec()).unwrap().into()
    }

    #[test]
    fn values_differ_by_their_bits_but_for_those_of_nan() {
        let nan = f32::from_bits(0x7fc0_0001);
        let same = between(&floats(&[1.0, nan]), &floats(&[1.0, f32::NAN]));
        assert_eq!(same, Difference { is_same: true, max_ulp: Some(0), max_abs: Some(0.0) });
        let next = between(&floats(&[1.0, 2.0]), &floats(&[1.000_000_1, 2.5]));
        assert_eq!(
            next,
            Difference { is_same: false, max_ulp: Some(0x20_0000), max_abs: Some(0.5) }
        );
        let zeros = between(&floats(&[0.0]), &floats(&[-0.0]));
        assert_eq!(zeros, Difference { is_same: false, max_ulp: Some(0), max_abs: Some(0.0) });
        let infinite = between(&floats(&[0.0]), &floats(&[f32::INFINITY]));
        assert_eq!(infinite.max_ulp, None);
        assert!(!between(&floats(&[0.0]), &floats(&[0.0, 0.0])).is_same);
    }

    #[test]
    fn specials_are_found_in_every_type_of_floats() {
        assert_eq!(specials(&floats(&[1.0, f32::NAN])), (true, false));
        assert_eq!(specials(&floats(&[f32::NEG_INFINITY])), (false, true));
        let half = Tensor::from_values(DType::Float16, vec![2], vec![0x7c00_u16, 0x7e00]).unwrap();
        assert_eq!(specials(&half.into()), (true, true));
    }
}
