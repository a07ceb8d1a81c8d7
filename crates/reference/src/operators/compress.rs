//! Compress: along a dimension, or of all elements in their order, those whose condition holds.
//!
//! Conditions may be fewer than there are places; what comes after them is left out. That there may be more, no sentence says.
//! Source: ONNX's schemas of Compress-9, 11 and 28.

use values::dtype::DType::Bool;
use values::element::Element;

use crate::case_table::{self, Own};
use crate::families::picked_or_open::{Picked, PickedOrOpen};
use crate::families::reshaping::{dimension, moved};
use crate::operator::{
    Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Port, TensorType,
    Version,
};

/// Compress in ONNX's default domain.
pub static COMPRESS: Operator = Operator {
    documents: &[Document {
        key: "onnx-compress",
        catalogue: include_str!("compress/onnx-compress.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &COMPRESS, &[include_str!("compress/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Compress", OperatorKind::Exact, &VERSIONS, &PickedOrOpen(compressed))
};

const VERSIONS: [Version; 3] = [
    const { Conditioned::new(15) }.since(9),
    const { Conditioned::new(15) }.since(11),
    const { Conditioned::new(16) }.since(28),
];

/// The ports of a version that takes the first so many types.
struct Conditioned([Port; 2], [Port; 1]);

impl Conditioned {
    const fn new(types: usize) -> Self {
        let [input, output] =
            [Port::new("input", moved(types), "T"), Port::new("output", moved(types), "T")];
        Self([input, Port::new("condition", &[Bool], "T1")], [output])
    }

    const fn since(&'static self, since: i64) -> Version {
        const AXIS: Attribute = Attribute::new("axis", AttributeType::Int);
        Version { since, inputs: &self.0, outputs: &self.1, attributes: &[AXIS] }
    }
}

fn compressed(call: &Call) -> Result<Picked<'_>, Invalid> {
    let (data, condition) = (call.input(0)?, call.input(1)?);
    let sizes = data.shape();
    if sizes.is_empty() || condition.shape().len() != 1 {
        return Err(call.invalid("takes data of a dimension or more, and a list of conditions"));
    }
    let axis = call.int("axis").map(|axis| dimension(call, 11, axis, sizes.len())).transpose()?;
    // Only of a tensor without elements the product is too large.
    let after =
        |axis: usize| sizes[axis + 1..].iter().fold(1_usize, |all, n| all.saturating_mul(*n));
    let (length, step) = axis.map_or((data.elements(), 1), |axis| (sizes[axis], after(axis)));
    let is_kept = |at: &usize| condition.element(*at) != Some(0);
    let kept: Vec<usize> = (0..condition.elements()).filter(is_kept).collect();
    let mut shape = axis.map_or_else(|| vec![0], |_| sizes.to_vec());
    if condition.elements() > length {
        let any = TensorType::new(data.dtype(), vec![1; shape.len()])?;
        return Ok(Picked::Open(any, "what surplus conditions are for is not stated"));
    }
    shape[axis.unwrap_or(0)] = kept.len();
    let output = TensorType::new(data.dtype(), shape)?;
    let source = move |index: usize| {
        let (line, at) = (index / step / kept.len(), index / step % kept.len());
        Element::of(data, (line * length + kept[at]) * step + index % step)
    };
    Ok(Picked::From(output, Box::new(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType::Uint8;
    use values::tensor::Tensor;

    fn kept(
        since: i64,
        shape: &[usize],
        condition: &[bool],
        axis: Option<i64>,
    ) -> Option<(Vec<usize>, Vec<Option<u128>>)> {
        let bytes = (0..shape.iter().product::<usize>()).map(|at| at as u8).collect();
        let data = Tensor::from_values(Uint8, shape.to_vec(), bytes).ok();
        let condition: Vec<u8> = condition.iter().map(|kept| u8::from(*kept)).collect();
        let condition = Tensor::from_bits(Bool, vec![condition.len()], condition.into()).ok();
        let axis = axis.map(|axis| ("axis".to_owned(), AttributeValue::Int(axis)));
        let (version, axis) = (COMPRESS.version(since).unwrap(), Attributes::from_iter(axis));
        let inputs = vec![data, condition];
        let (call, types) =
            Call::new(&COMPRESS, version, Specification::Onnx, axis, inputs).ok()?;
        let allowed = COMPRESS.reference.allowed(&call, &types);
        let one = |index| {
            let one = allowed[0].at(index);
            one.is_decided().then(|| one.example().unwrap())
        };
        let count = types[0].shape.iter().product();
        Some((types[0].shape.clone(), (0..count).map(one).collect()))
    }

    fn some(all: &[u128]) -> Vec<Option<u128>> {
        all.iter().copied().map(Some).collect()
    }

    #[test]
    fn what_has_a_true_condition_is_kept_in_order() {
        let odd = &[false, true, false, true][..];
        assert_eq!(kept(28, &[2, 3], odd, None), Some((vec![2], some(&[1, 3]))));
        let two = &[false, true][..];
        assert_eq!(kept(28, &[2, 3], two, Some(0)), Some((vec![1, 3], some(&[3, 4, 5]))));
        assert_eq!(kept(28, &[2, 3], two, Some(-1)), Some((vec![2, 1], some(&[1, 4]))));
        assert_eq!(kept(28, &[2, 3], &[], Some(1)), Some((vec![2, 0], vec![])));
        assert_eq!(kept(28, &[usize::MAX, 0], &[true], Some(0)), Some((vec![1, 0], vec![])));
    }

    #[test]
    fn surplus_conditions_are_open_and_scalars_and_axes_beyond_refused() {
        assert_eq!(kept(28, &[2], &[true; 3], None), Some((vec![1], vec![None])));
        assert_eq!(kept(28, &[2], &[true; 3], Some(0)), Some((vec![1], vec![None])));
        assert_eq!(kept(28, &[], &[true], None), None);
        for axis in [2, -3, i64::MIN, i64::MAX] {
            assert_eq!(kept(28, &[2, 3], &[true], Some(axis)), None);
        }
        assert_eq!(kept(9, &[2, 3], &[true], Some(-1)), None);
    }
}
