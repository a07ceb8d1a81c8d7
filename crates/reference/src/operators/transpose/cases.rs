//! The cases of Transpose: elements of every type, the permutations, and what is none.

use values::dtype::DType::{
    self, Complex128, Float32, Int4, Int16, Int64, String as Text, Uint2, Uint8,
};

use super::{TRANSPOSE, TYPES};
use crate::case_spec::{CaseList, CaseSpec};
use crate::elements::{ElementError, counting, patterns};
use crate::operator::Version;
use crate::signature::AttributeValue;

/// A type of each width, and that without one, which are asked by more elements than a block holds.
const LONG: [DType; 8] = [Uint2, Int4, Uint8, Int16, Float32, Int64, Complex128, Text];

/// Shapes with the attribute `perm`, where it is given, and what else they verify.
const FORMS: [(&str, &[usize], Option<&[i64]>, &str); 19] = [
    ("default_rank_0", &[], None, "RANK_0010"),
    ("default_rank_1", &[5], None, "RANK_0010"),
    ("default_rank_2", &[2, 3], None, "PERM_0010"),
    ("default_rank_3", &[2, 3, 4], None, "PERM_0010"),
    ("default_rank_6", &[2, 1, 3, 1, 2, 4], None, "PERM_0010"),
    ("default_empty", &[2, 0, 3], None, "PERM_0010"),
    ("perm_rank_0", &[], Some(&[]), "RANK_0010"),
    ("perm_rank_1", &[5], Some(&[0]), "RANK_0010"),
    ("perm_012", &[2, 3, 4], Some(&[0, 1, 2]), "FUNC_0010"),
    ("perm_021", &[2, 3, 4], Some(&[0, 2, 1]), "FUNC_0010"),
    ("perm_102", &[2, 3, 4], Some(&[1, 0, 2]), "FUNC_0010"),
    ("perm_120", &[2, 3, 4], Some(&[1, 2, 0]), "FUNC_0010"),
    ("perm_201", &[2, 3, 4], Some(&[2, 0, 1]), "FUNC_0010"),
    ("perm_210", &[2, 3, 4], Some(&[2, 1, 0]), "FUNC_0010"),
    ("perm_cube", &[3, 3, 3], Some(&[1, 2, 0]), "FUNC_0010"),
    ("perm_0231", &[2, 3, 4, 5], Some(&[0, 2, 3, 1]), "FUNC_0010"),
    ("perm_rank_6", &[2, 1, 3, 2, 2, 3], Some(&[3, 5, 0, 2, 4, 1]), "FUNC_0010"),
    ("perm_ones", &[1, 5, 1], Some(&[2, 0, 1]), "FUNC_0010"),
    ("perm_empty", &[0, 3, 2], Some(&[1, 0, 2]), "FUNC_0010"),
];

/// Values of `perm` that no version takes for a shape.
const REFUSED: [(&str, &[usize], &[i64], &str); 7] = [
    ("repeated", &[2, 3], &[0, 0], "PERM_0020"),
    ("repeated_square", &[3, 3, 3], &[1, 1, 0], "PERM_0020"),
    ("too_large", &[2, 3], &[0, 2], "PERM_0020"),
    ("negative", &[2, 3], &[-1, 0], "PERM_0020"),
    ("too_short", &[2, 3, 4], &[1, 0], "PERM_0030"),
    ("too_long", &[2, 3], &[1, 0, 2], "PERM_0030"),
    ("none", &[2, 3], &[], "PERM_0030"),
];

pub(super) fn cases() -> Result<Vec<CaseSpec>, ElementError> {
    let mut cases = Vec::new();
    for version in TRANSPOSE.versions {
        cases.extend(of_version(version)?);
    }
    Ok(cases)
}

fn of_version(version: &Version) -> Result<Vec<CaseSpec>, ElementError> {
    let mut list = CaseList::onnx(&TRANSPOSE, version);
    let types = version.inputs.first().map_or(&[][..], |port| port.types);
    let is_newest = version.since == TRANSPOSE.newest().since;
    let perm = |perm: &[i64]| AttributeValue::Ints(perm.to_vec());
    for &dtype in types {
        let is_long = is_newest && LONG.contains(&dtype);
        let shape: &[usize] = if is_long { &[3, 7, 61] } else { &[3, 5, 3] };
        let ids = ["FUNC_0010", "FUNC_0020", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
        let note = "elements that are told from each other, as far as the type has so many";
        list.add(dtype, "elements", vec![patterns(dtype, shape, 0)?], &ids, note)
            .with("perm", perm(&[2, 0, 1]));
    }
    // Packed elements and strings are moved by code of their own.
    let others: Vec<DType> = [Text, Int4, Uint2]
        .into_iter()
        .filter(|dtype| is_newest && types.contains(dtype))
        .collect();
    for dtype in [Float32].into_iter().chain(others) {
        for (name, shape, given, id) in FORMS {
            let note = "the dimensions in another order, or in the same one";
            let inputs = vec![patterns(dtype, shape, 0)?];
            let case = list.add(dtype, name, inputs, &[id, "RESULT_0010"], note);
            if let Some(given) = given {
                case.with("perm", perm(given));
            }
        }
    }
    for (name, shape, given, id) in REFUSED {
        let note = "the attribute is no permutation of the dimensions";
        let inputs = vec![counting(Float32, shape, 0)?];
        list.add(Float32, format!("refused_perm_{name}"), inputs, &[id], note)
            .with("perm", perm(given))
            .refused(Float32, shape);
    }
    for dtype in TYPES.into_iter().filter(|dtype| !types.contains(dtype)) {
        let note = "the version does not take this type";
        let inputs = vec![patterns(dtype, &[2, 3], 0)?];
        list.add(dtype, "refused_type", inputs, &["TYPES_0010"], note).refused(dtype, &[3, 2]);
    }
    Ok(list.into_cases())
}
