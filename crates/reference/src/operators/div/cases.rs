//! The cases of Div: what binary operators have in common, SONNX's and its earlier draft's, and elements
//! of every class for each version of ONNX.

mod draft;
mod float_pairs;
mod int_pairs;
pub(in crate::operators) mod samples;
mod sonnx;

use values::dtype::Kind;
use values::random::Random;

use super::{DIV, ROLES};
use crate::case_list::CaseList;
use crate::case_spec::Stated;
use crate::elements::operand;
use crate::operators::size_cases::LONG_NOTE;
use crate::operators::{binary, boundary_cases};
use crate::signature::Version;

pub(super) fn cases() -> Stated {
    let mut cases = binary::cases::cases(&DIV, ROLES)?;
    cases.extend(sonnx::cases()?);
    cases.extend(draft::cases()?);
    for version in DIV.versions {
        cases.extend(of_version(version)?);
    }
    let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
    cases.extend(boundary_cases::onnx(&DIV, &ids)?);
    Ok(cases)
}

fn of_version(version: &Version) -> Stated {
    let mut list = CaseList::onnx(&DIV, version);
    for &dtype in version.inputs.first().map_or(&[][..], |port| port.types) {
        let int = matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010");
        let ids = |own: &[&'static str]| -> Vec<&str> {
            let all = ["FUNC_0010", "TYPES_0010", "RESULT_0010"].into_iter();
            all.chain(own.iter().copied()).chain(int).collect()
        };
        // A kernel's own code is asked once for each type.
        if version.since == DIV.newest().since {
            list.add(dtype, "long", samples::long_pairs(dtype, true)?, &ids(&[]), LONG_NOTE);
        }
        let mut random = Random::for_case(&format!("onnx/{}", list.path(dtype, "elements")));
        let pairs = samples::pairs(dtype, &mut random)?;
        let inputs = vec![operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?];
        list.add(dtype, "elements", inputs, &ids(&["RESULT_0020"]), "elements of every class");
    }
    Ok(list.into_cases())
}
