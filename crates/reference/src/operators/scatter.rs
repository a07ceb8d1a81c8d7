//! Scatter, the older name of ScatterElements without a reduction, deprecated since version 11.
//!
//! Version 9 does not say what an index is that is negative or beyond the dimension. `scattering.rs` has the rest. Source: ONNX's
//! schemas of Scatter-9 and 11.

use crate::case_table::{self, Own};
use crate::families::picking::AXIS;
use crate::families::scattering::{Scatter, Updated, along_axis};
use crate::operator::{Document, Operator, OperatorKind, Version};

/// Scatter in ONNX's default domain.
pub static SCATTER: Operator = Operator {
    documents: &[Document {
        key: "onnx-scatter",
        catalogue: include_str!("scatter/onnx-scatter.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &SCATTER, &[include_str!("scatter/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Scatter", OperatorKind::Exact, &VERSIONS, &SCATTERED)
};

const SCATTERED: Scatter = Scatter(|call| along_axis(call, 11));

const VERSIONS: [Version; 2] = [
    const { Updated::indexed(15) }.since(9, &[AXIS]),
    const { Updated::indexed(15) }.since(11, &[AXIS]),
];

#[cfg(test)]
mod tests {
    use super::super::gather::tests::{allowed_by, bits, counted, indices};
    use super::*;
    use crate::operator::AttributeValue::Int;

    fn scattered(since: i64, index: i64, axis: i64) -> Option<Vec<Option<u128>>> {
        let inputs = [&counted(&[2, 2]), &indices(&[1, 1], &[index]), &counted(&[1, 1])];
        Some(bits(&allowed_by(&SCATTER, since, &inputs, &[("axis", Int(axis))]).ok()?.1))
    }

    #[test]
    fn updates_go_where_they_lie_but_for_the_axis() {
        let some = |all: [u128; 4]| Some(all.map(Some).to_vec());
        for since in [9, 11] {
            assert_eq!(scattered(since, 1, 0), some([0, 1, 0, 3]));
            assert_eq!(scattered(since, 1, -1), some([0, 0, 2, 3]));
            assert_eq!(scattered(since, 1, 2), None);
        }
        assert_eq!(scattered(11, -1, 0), some([0, 1, 0, 3]));
    }

    #[test]
    fn indices_beyond_are_open_at_first_and_refused_then() {
        for index in [2, -3, i64::MIN] {
            assert_eq!(scattered(9, index, 0), Some(vec![None; 4]));
            assert_eq!(scattered(11, index, 0), None);
        }
        assert_eq!(scattered(9, -1, 0), Some(vec![None; 4]));
    }
}
