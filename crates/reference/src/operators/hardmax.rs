//! Hardmax: one at the first maximum of a line, zeros elsewhere.
//!
//! A line is what lies along one dimension, before version 13 along all dimensions from one on. The two zeros are equal. What the
//! maximum is where a NaN is in the line, no sentence says. Source: ONNX's schemas of Hardmax-1, 11 and 13.

use crate::case_table::{self, Own};
use crate::elements::whole;
use crate::exact::Conforming;
use crate::exact::composed::BITS;
use crate::families::along::{Extremes, Places, order_at};
use crate::families::exponentials::{VERSIONS, lines};
use crate::families::lines::PerLine;
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Reference, TensorType,
};

/// Hardmax in ONNX's default domain.
pub static HARDMAX: Operator = Operator {
    documents: &[Document {
        key: "onnx-hardmax",
        catalogue: include_str!("hardmax/onnx-hardmax.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &HARDMAX, &[include_str!("hardmax/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Hardmax", OperatorKind::Exact, &VERSIONS, &Hardmax)
};

struct Hardmax;

impl Reference for Hardmax {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        lines(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(lines), Ok(tensor)) = (lines(call), call.input(0)) else { return Vec::new() };
        let dtype = tensor.dtype();
        let Ok(one) = whole(dtype, 1) else { return Vec::new() };
        // The place of the maximum of each line; none where a NaN is in it.
        let maxima = PerLine::new(tensor.elements() / lines.length.max(1), move |line, _| {
            let orders = lines.places(line).map(|place| order_at(tensor, place));
            let Extremes { nans, numbers } = Extremes::of(orders.enumerate(), true);
            numbers.first().copied().filter(|_| nans.is_empty())
        });
        let conforming = move |index: usize| {
            let (line, place) = lines.of(index);
            match *maxima.of(line, BITS) {
                None => Conforming::Unspecified("the maximum beside a NaN is not stated"),
                Some(maximum) => Conforming::One(if place == maximum { one } else { 0 }),
            }
        };
        let operands = move |index: usize| lines.places(lines.of(index).0).collect();
        vec![Box::new(Places { dtype, tensor, conforming, operands })]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::dtype::DType::Float32;
    use values::tensor::Tensor;

    fn hot(since: i64, shape: &[usize], all: &[f32], axis: i64) -> Option<Vec<Option<usize>>> {
        let data = Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).ok();
        let axis = Attributes::from([("axis".to_owned(), AttributeValue::Int(axis))]);
        let version = HARDMAX.version(since).unwrap();
        let made = Call::new(&HARDMAX, version, Specification::Onnx, axis, vec![data]);
        let (call, types) = made.ok()?;
        let allowed = HARDMAX.reference.allowed(&call, &types);
        let one = |at| match allowed[0].at(at) {
            Conforming::One(0) => Some(0),
            Conforming::One(0x3f80_0000) => Some(1),
            Conforming::Unspecified(_) => None,
            other => panic!("{other:?}"),
        };
        Some((0..all.len()).map(one).collect())
    }

    fn some(all: [usize; 6]) -> Option<Vec<Option<usize>>> {
        Some(all.map(Some).to_vec())
    }

    #[test]
    fn the_first_maximum_of_each_line_is_one() {
        let all = [1.0, 3.0, 3.0, -0.0, 0.0, f32::NEG_INFINITY];
        assert_eq!(hot(13, &[2, 3], &all, -1), some([0, 1, 0, 1, 0, 0]));
        assert_eq!(hot(13, &[2, 3], &all, 0), some([1, 1, 1, 0, 0, 0]));
        assert_eq!(hot(11, &[2, 3], &all, 0), some([0, 1, 0, 0, 0, 0]));
        assert_eq!(hot(1, &[1, 2, 3], &all, 1), some([0, 1, 0, 0, 0, 0]));
        assert_eq!(hot(13, &[0, usize::MAX, 3], &[], 1), Some(vec![]));
    }

    #[test]
    fn a_line_with_a_nan_is_open() {
        let all = [1.0, f32::NAN, 3.0, 1.0, 2.0, 0.0];
        let expected = vec![None, None, None, Some(0), Some(1), Some(0)];
        assert_eq!(hot(13, &[2, 3], &all, 1), Some(expected));
    }

    #[test]
    fn axes_beyond_the_rank_are_refused() {
        for (since, axis) in [(13, 2), (13, -3), (11, 2), (11, i64::MIN), (1, 2), (1, -1)] {
            assert_eq!(hot(since, &[1, 1], &[0.0], axis), None, "{since} {axis}");
        }
        assert_eq!(hot(13, &[], &[0.0], 0), None);
    }
}
