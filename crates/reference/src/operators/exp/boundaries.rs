//! Exponents at the boundaries of e^x.

use num_traits::One;
use values::dtype::DType;
use values::element::Element;

use super::Exponential;
use crate::boundaries::search::monotone;
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, bits_of};
use crate::exact::Number;
use crate::exact::exponential::compare;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::inputs::Tuple;

/// Those of the exponential function.
pub(super) struct Powers;

const POSITIVE: &str = "e^x is positive";
const TRANSCENDENTAL: &str = "e^x is transcendental for every rational x but 0 (Lindemann 1882), and no \
                              rational number is";

/// The last number whose e^x lies below a boundary, and the first whose e^x does not, which is the next number;
/// `None` where there is no such pair.
pub(super) fn around(dtype: DType, boundary: &Rational) -> Option<[u64; 2]> {
    let [below, on, above] = Powers.closest(dtype, boundary);
    Some([below?[0], on.or(above)?[0]])
}

impl BoundaryInputs for Powers {
    fn function(&self) -> &dyn Elementwise {
        &Exponential
    }

    fn side(&self, dtype: DType, operands: &[Element], at: &Rational) -> Option<Side> {
        let [x] = bits_of(dtype, operands)?;
        Some(Side::of(compare(&value(dtype, x)?, at)))
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let Some(Number::Float(format)) = Number::of(dtype) else { return [None; 3] };
        let end = largest(format).cast_signed();
        let order = |x| compare(&value(dtype, x).unwrap_or_default(), at);
        monotone(format, (-end, end), order)
    }

    fn proof(&self, _: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        match (boundary.name, side) {
            ("zero", Side::Below | Side::On) => Some(POSITIVE),
            (_, Side::On) => (!boundary.at.is_one()).then_some(TRANSCENDENTAL),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_traits::Zero;
    use values::dtype::Kind;

    use super::*;
    use crate::exact::number::{infinity, smallest_exponent};
    use crate::exact::real::{overflow_threshold, power_of_two};
    use crate::exact::{Conforming, exponential};

    #[test]
    fn boundaries_lie_between_the_operands_around_them() {
        let dtypes = [
            DType::Float16,
            DType::Bfloat16,
            DType::Float32,
            DType::Float64,
            DType::Float8E4M3Fn,
            DType::Float8E4M3Fnuz,
            DType::Float8E5M2,
            DType::Float8E5M2Fnuz,
        ];
        for dtype in dtypes {
            let Kind::Float(format) = dtype.kind() else { panic!("{dtype} is a float type") };
            let smallest = power_of_two(smallest_exponent(format));
            let boundaries = [
                overflow_threshold(format),
                power_of_two(1 - format.bias),
                &smallest / BigInt::from(2),
                smallest,
                power_of_two(1),
                Rational::one(),
                power_of_two(-1),
            ];
            for boundary in boundaries {
                let [below, above] = around(dtype, &boundary).unwrap();
                let ordinals = [below, above].map(|bits| format.ordinal(bits).unwrap());
                assert_eq!(ordinals[0] + 1, ordinals[1]);
                let order = |bits| compare(&value(dtype, bits).unwrap(), &boundary);
                assert!(order(below).is_lt());
                assert!(!order(above).is_lt());
            }
            assert_eq!(around(dtype, &Rational::zero()), None);
            assert_eq!(around(dtype, &-Rational::one()), None);
        }
        // 1 is e^0, which is not below it; nothing below 0 is smaller than the smallest.
        assert_eq!(around(DType::Float16, &Rational::one()), Some([0x8001, 0]));
        // No e^x of the format is as large as that.
        assert_eq!(around(DType::Float8E4M3Fn, &power_of_two(700)), None);
        assert_eq!(around(DType::Float16, &power_of_two(-100_000)), None);
    }

    #[test]
    fn results_change_where_the_operands_around_a_midpoint_say() {
        let Kind::Float(format) = DType::Float32.kind() else { panic!("float32 is a float type") };
        let conforming = |bits| exponential::conforming(format, bits);
        let [below, above] = around(DType::Float32, &overflow_threshold(format)).unwrap();
        assert_eq!([below, above], [0x42b1_7217, 0x42b1_7218]);
        assert_ne!(conforming(below), infinity(format, false));
        assert_eq!(conforming(above), infinity(format, false));
        let [below, above] = around(DType::Float32, &power_of_two(-150)).unwrap();
        assert_eq!(conforming(below), Conforming::One(0));
        assert_eq!(conforming(above), Conforming::One(1));
    }
}
