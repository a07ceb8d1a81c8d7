//! The forms of broadcasting of each version of the binary arithmetic operators.
//!
//! A's elements are consecutive numbers and B's are powers of two, so that no two elements of B are
//! mistaken for each other; the shapes are such that another axis would fit as well.

use values::dtype::DType::{self, Float32, Int32};
use values::tensor::{Tensor, element_count};

use super::cases::{Roles, Shapes};
use crate::case_spec::{CaseList, CaseSpec};
use crate::elements::{ElementError, counting, tensor, whole};
use crate::operator::Version;
use crate::signature::AttributeValue;

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
    limited("longer_{b}", &[3], &[2, 3], None, "RESULT_0010"),
];

/// What is refused where `broadcast` is not given.
const NOT_LIMITED_REFUSED: [Limited; 3] = [
    limited("off_row", &[2, 3], &[3], None, "BCAST_0010"),
    limited("off_scalar", &[2, 3], &[], None, "BCAST_0010"),
    limited("off_axis", &[2, 3], &[2], Some(0), "BCAST_0010"),
];

/// Shapes that go together in both directions, up to rank 6.
const MULTIDIRECTIONAL: [Shapes; 16] = [
    ("scalar_{b}", &[2, 3], &[]),
    ("scalar_{a}", &[], &[2, 3]),
    ("row_{b}", &[2, 3], &[3]),
    ("row_{a}", &[3], &[2, 3]),
    ("column_{b}", &[2, 3], &[2, 1]),
    ("column_{a}", &[2, 1], &[2, 3]),
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
const MULTIDIRECTIONAL_REFUSED: [Shapes; 4] = [
    ("sizes", &[3], &[4]),
    ("transposed", &[2, 3], &[3, 2]),
    ("prefix", &[2, 3], &[2]),
    ("empty", &[0], &[2]),
];

/// Shapes that go together in both directions, by names that tell the operands by their roles.
#[must_use]
pub fn multidirectional(roles: Roles<'_>) -> [(String, &'static [usize], &'static [usize]); 16] {
    MULTIDIRECTIONAL.map(|(name, a, b)| (roles.in_name(name), a, b))
}

/// Shapes that do not go together, by name.
#[must_use]
pub const fn multidirectional_refused() -> [Shapes; 4] {
    MULTIDIRECTIONAL_REFUSED
}

/// Adds the forms that a version has, and those that it refuses.
pub(super) fn add(
    list: &mut CaseList,
    version: &Version,
    roles: Roles<'_>,
) -> Result<(), ElementError> {
    if version.since < 7 { add_limited(list, roles) } else { add_multidirectional(list, roles) }
}

/// Consecutive numbers, and powers of two.
///
/// # Errors
///
/// When the type does not hold them.
pub fn operands(dtype: DType, a: &[usize], b: &[usize]) -> Result<[Tensor; 2], ElementError> {
    let powers = (0..element_count(b)?).map(|k| whole(dtype, 1 << (k % 20)));
    let powers = powers.collect::<Result<Vec<_>, _>>()?;
    Ok([counting(dtype, a, 1000)?, tensor(dtype, b, &powers)?])
}

/// Gives a case the attributes of limited broadcasting.
fn attributes(case: &mut CaseSpec, broadcast: bool, axis: Option<usize>) -> &mut CaseSpec {
    if broadcast {
        case.with("broadcast", AttributeValue::Int(1));
    }
    if let Some(axis) = axis {
        case.with("axis", AttributeValue::Int(axis as i64));
    }
    case
}

fn add_limited(list: &mut CaseList, roles: Roles<'_>) -> Result<(), ElementError> {
    for form in &LIMITED {
        let inputs = operands(Float32, form.a, form.b)?.into();
        let name = format!("broadcast_{}", form.name);
        let ids = [form.requirement, "RESULT_0010"];
        attributes(list.add(Float32, name, inputs, &ids, "B is repeated over A"), true, form.axis);
    }
    let inputs = operands(Float32, &[2, 3], &[2, 3])?.into();
    let note = "nothing is broadcast, by the attribute's default value";
    list.add(Float32, "broadcast_off", inputs, &["BCAST_0010"], note)
        .with("broadcast", AttributeValue::Int(0));
    for (broadcast, forms) in [(true, &LIMITED_REFUSED[..]), (false, &NOT_LIMITED_REFUSED)] {
        for form in forms {
            let note = "the shapes do not go together in this version";
            let name = roles.in_name(form.name);
            let case = refused(list, &name, [form.a, form.b], form.requirement, note)?;
            attributes(case, broadcast, form.axis);
        }
    }
    Ok(())
}

fn add_multidirectional(list: &mut CaseList, roles: Roles<'_>) -> Result<(), ElementError> {
    for dtype in [Float32, Int32] {
        for (name, a, b) in multidirectional(roles) {
            let inputs = operands(dtype, a, b)?.into();
            let name = format!("broadcast_{name}");
            let ids = ["BCAST_0010", "RESULT_0010"];
            let note = "aligned at the last dimension, sizes of 1 are repeated";
            list.add(dtype, name, inputs, &ids, note);
        }
    }
    for (name, a, b) in MULTIDIRECTIONAL_REFUSED {
        refused(list, name, [a, b], "BCAST_0020", "the shapes do not go together")?;
    }
    Ok(())
}

fn refused<'a>(
    list: &'a mut CaseList,
    name: &str,
    [a, b]: [&[usize]; 2],
    requirement: &str,
    note: &str,
) -> Result<&'a mut CaseSpec, ElementError> {
    let inputs = operands(Float32, a, b)?.into();
    let name = format!("refused_broadcast_{name}");
    Ok(list.add(Float32, name, inputs, &[requirement], note).refused(Float32, a))
}
