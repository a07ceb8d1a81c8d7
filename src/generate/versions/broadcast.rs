//! The forms of broadcasting of each version of Div.
//!
//! A's elements are consecutive numbers and B's are powers of two, so that no two divisors are
//! mistaken for each other; the shapes are such that another axis would fit as well.

use super::{Float32, Int32, Version};
use crate::dtype::DType;
use crate::generate::GenerateError;
use crate::generate::answer::Answer;
use crate::generate::case::Case;
use crate::generate::elements::{counting, tensor, whole};
use crate::generate::graph::{Node, int};
use crate::suite::Suite;
use crate::tensor::{Tensor, element_count};

/// B's shape next to A's under `broadcast=1`, with `axis` where it is given.
struct Limited {
    name: &'static str,
    a: &'static [usize],
    b: &'static [usize],
    axis: Option<usize>,
    /// What it verifies.
    requirement: &'static str,
}

/// A form, in a table.
const fn limited(
    name: &'static str,
    a: &'static [usize],
    b: &'static [usize],
    axis: Option<usize>,
    requirement: &'static str,
) -> Limited {
    Limited { name, a, b, axis, requirement }
}

/// The document's forms, then the same with shapes that fit at several axes.
const LIMITED: [Limited; 17] = [
    limited("scalar", &[2, 3, 4, 5], &[], None, "BCAST_0020"),
    limited("one_element", &[2, 3, 4, 5], &[1, 1], None, "BCAST_0020"),
    limited("one_element_axis_0", &[2, 3], &[1], Some(0), "BCAST_0020"),
    limited("suffix_1", &[2, 3, 4, 5], &[5], None, "BCAST_0030"),
    limited("suffix_2", &[2, 3, 4, 5], &[4, 5], None, "BCAST_0030"),
    limited("axis_1_of_4", &[2, 3, 4, 5], &[3, 4], Some(1), "AXIS_0010"),
    limited("axis_0_of_4", &[2, 3, 4, 5], &[2], Some(0), "AXIS_0010"),
    limited("equal", &[2, 3], &[2, 3], None, "BCAST_0030"),
    limited("equal_axis_0", &[2, 3], &[2, 3], Some(0), "AXIS_0010"),
    limited("cube_suffix", &[3, 3, 3], &[3], None, "BCAST_0030"),
    limited("cube_axis_0", &[3, 3, 3], &[3], Some(0), "AXIS_0010"),
    limited("cube_axis_1", &[3, 3, 3], &[3], Some(1), "AXIS_0010"),
    limited("cube_axis_2", &[3, 3, 3], &[3], Some(2), "AXIS_0010"),
    limited("cube_plane_suffix", &[3, 3, 3], &[3, 3], None, "BCAST_0030"),
    limited("cube_plane_axis_0", &[3, 3, 3], &[3, 3], Some(0), "AXIS_0010"),
    limited("ones_within", &[2, 1, 3], &[1, 3], None, "BCAST_0030"),
    limited("empty", &[2, 0, 3], &[0, 3], None, "BCAST_0030"),
];

/// What is refused under `broadcast=1`.
const LIMITED_REFUSED: [Limited; 6] = [
    limited("expansion", &[2, 3], &[2, 1], None, "BCAST_0040"),
    limited("expansion_inside", &[2, 3, 4], &[2, 1, 4], None, "BCAST_0040"),
    limited("no_suffix", &[2, 3, 4], &[3], None, "BCAST_0030"),
    limited("wrong_axis", &[2, 3, 4], &[3], Some(0), "AXIS_0010"),
    limited("axis_too_large", &[2, 3, 4], &[4], Some(3), "AXIS_0010"),
    limited("longer_divisor", &[3], &[2, 3], None, "RESULT_0010"),
];

/// What is refused where `broadcast` is not given.
const NOT_LIMITED_REFUSED: [Limited; 3] = [
    limited("off_row", &[2, 3], &[3], None, "BCAST_0010"),
    limited("off_scalar", &[2, 3], &[], None, "BCAST_0010"),
    limited("off_axis", &[2, 3], &[2], Some(0), "BCAST_0010"),
];

/// Shapes that go together in both directions, up to rank 6.
pub(in crate::generate) const MULTIDIRECTIONAL: [(&str, &[usize], &[usize]); 16] = [
    ("scalar_divisor", &[2, 3], &[]),
    ("scalar_dividend", &[], &[2, 3]),
    ("row_divisor", &[2, 3], &[3]),
    ("row_dividend", &[3], &[2, 3]),
    ("column_divisor", &[2, 3], &[2, 1]),
    ("column_dividend", &[2, 1], &[2, 3]),
    ("row_by_column", &[1, 3], &[2, 1]),
    ("column_by_row", &[2, 1], &[3]),
    ("cube_row", &[3, 3, 3], &[3]),
    ("cube_column", &[3, 3, 3], &[3, 1]),
    ("cube_plane", &[3, 3, 3], &[3, 1, 1]),
    ("both_rank_4", &[2, 1, 4, 1], &[3, 1, 5]),
    ("both_rank_5", &[2, 1, 3, 1, 2], &[1, 2, 1, 3, 1]),
    ("both_rank_6", &[2, 1, 2, 1, 3, 1], &[1, 3, 1, 2, 1, 2]),
    ("empty_by_one", &[0, 3], &[1, 3]),
    ("empty_by_row", &[2, 0], &[1]),
];

/// Shapes that do not go together.
pub(in crate::generate) const MULTIDIRECTIONAL_REFUSED: [(&str, &[usize], &[usize]); 4] = [
    ("sizes", &[3], &[4]),
    ("transposed", &[2, 3], &[3, 2]),
    ("prefix", &[2, 3], &[2]),
    ("empty", &[0], &[2]),
];

pub(super) fn cases(version: &Version) -> Result<Vec<Case>, GenerateError> {
    if version.since < 7 { limited_cases(version) } else { multidirectional_cases(version) }
}

/// Consecutive numbers over powers of two.
pub(in crate::generate) fn operands(
    dtype: DType,
    a: &[usize],
    b: &[usize],
) -> Result<[Tensor; 2], GenerateError> {
    let powers = (0..element_count(b)?).map(|k| whole(dtype, 1 << (k % 20)));
    let powers = powers.collect::<Result<Vec<_>, _>>()?;
    Ok([counting(dtype, a, 1000)?, tensor(dtype, b, &powers)?])
}

fn limited_cases(version: &Version) -> Result<Vec<Case>, GenerateError> {
    let node = |broadcast: bool, axis: Option<usize>| {
        let node = version.node();
        let node = if broadcast { node.with(int("broadcast", 1)) } else { node };
        axis.into_iter().fold(node, |node, axis| node.with(int("axis", axis as i64)))
    };
    let mut cases = Vec::new();
    for form in &LIMITED {
        let [a, b] = operands(Float32, form.a, form.b)?;
        let node = node(true, form.axis);
        let answer = Answer::of(Suite::Onnx, &node, &[a.clone(), b.clone()])?;
        let name = format!("broadcast_{}", form.name);
        let ids = [form.requirement, "RESULT_0010"];
        let note = "B is repeated over A";
        cases.push(version.case(&node, &name, vec![a, b], answer, &ids, note));
    }
    let [a, b] = operands(Float32, &[2, 3], &[2, 3])?;
    let no_broadcast = version.node().with(int("broadcast", 0));
    let answer = Answer::of(Suite::Onnx, &no_broadcast, &[a.clone(), b.clone()])?;
    let note = "nothing is broadcast, by the attribute's default value";
    cases.push(version.case(
        &no_broadcast,
        "broadcast_off",
        vec![a, b],
        answer,
        &["BCAST_0010"],
        note,
    ));
    for (broadcast, forms) in [(true, &LIMITED_REFUSED[..]), (false, &NOT_LIMITED_REFUSED)] {
        for form in forms {
            let note = "the shapes do not go together in this version";
            let (node, shapes) = (node(broadcast, form.axis), [form.a, form.b]);
            cases.push(refused(version, &node, form.name, shapes, form.requirement, note)?);
        }
    }
    Ok(cases)
}

fn multidirectional_cases(version: &Version) -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for dtype in [Float32, Int32] {
        for (name, a, b) in MULTIDIRECTIONAL {
            let [a, b] = operands(dtype, a, b)?;
            let answer = Answer::of(Suite::Onnx, &version.node(), &[a.clone(), b.clone()])?;
            let name = format!("broadcast_{name}");
            let ids = ["BCAST_0010", "RESULT_0010"];
            let note = "aligned at the last dimension, sizes of 1 are repeated";
            cases.push(version.case(&version.node(), &name, vec![a, b], answer, &ids, note));
        }
    }
    for (name, a, b) in MULTIDIRECTIONAL_REFUSED {
        let note = "the shapes do not go together";
        cases.push(refused(version, &version.node(), name, [a, b], "BCAST_0020", note)?);
    }
    Ok(cases)
}

fn refused(
    version: &Version,
    node: &Node,
    name: &str,
    [a, b]: [&[usize]; 2],
    requirement: &str,
    note: &str,
) -> Result<Case, GenerateError> {
    let answer = Answer::refusal(Float32, a)?;
    let inputs = operands(Float32, a, b)?.into();
    let name = format!("refused_broadcast_{name}");
    Ok(version.case(node, &name, inputs, answer, &[requirement], note))
}
