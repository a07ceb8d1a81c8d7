//! Elements of every class for each version of Div and Sqrt in the suite `onnx`, and of every operator's
//! newest version the boundaries of its results; what the operators themselves state are the forms of
//! broadcasting, and what each version refuses.

use reference::case_spec::CaseList;
use reference::elements::{operand, tensor};
use reference::operator::Operator;
use reference::operators;
use reference::operators::div::DIV;
use reference::operators::sqrt::SQRT;

use super::boundaries;
use super::case::Case;
use super::floats::{radicands, specials};
use super::{GenerateError, samples, stated};
use crate::dtype::{DType, Kind};
use crate::random::Random;
use crate::tensor::Tensor;

const LONG_NOTE: &str =
    "more elements than a block or a vector of a kernel, and a multiple of neither";

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for operator in [&DIV, &SQRT] {
        for version in operator.versions {
            let mut list = CaseList::onnx(operator, version);
            let types = version.inputs.first().map_or(&[][..], |port| port.types);
            // A kernel's own code is asked once for each type.
            let is_newest = version.since == operator.newest().since;
            for &dtype in types {
                let random = |name| Random::for_case(&format!("onnx/{}", list.path(dtype, name)));
                let (elements, long) = if *operator == DIV {
                    (pairs(dtype, random("elements"))?, samples::long_pairs(dtype, true)?.into())
                } else {
                    let long = samples::long_radicands(dtype, &mut random("long"))?;
                    (radicands(dtype, random("elements"))?, vec![long])
                };
                let mut ids = vec!["FUNC_0010"];
                ids.extend((*operator == SQRT).then_some("FUNC_0020"));
                ids.extend(["TYPES_0010", "RESULT_0010"]);
                let int = matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010");
                if is_newest {
                    let ids: Vec<_> = ids.iter().copied().chain(int).collect();
                    list.add(dtype, "long", long, &ids, LONG_NOTE);
                }
                ids.push("RESULT_0020");
                ids.extend(int);
                list.add(dtype, "elements", elements, &ids, "elements of every class");
            }
            for spec in list.into_cases() {
                cases.push(stated::case(operator, spec)?);
            }
        }
    }
    for operator in operators::onnx().filter(|operator| operator.reference.boundaries().is_some()) {
        cases.extend(at_boundaries(operator)?);
    }
    Ok(cases)
}

/// The newest version of an operator at the boundaries of its results.
fn at_boundaries(operator: &'static Operator) -> Result<Vec<Case>, GenerateError> {
    let version = operator.newest();
    let mut list = CaseList::onnx(operator, version);
    for &dtype in version.inputs.first().map_or(&[][..], |port| port.types) {
        let found = boundaries::operands(operator, dtype)?;
        let inputs = (0..operator.arity()).map(|which| operand(dtype, &found, which));
        let mut ids = vec!["FUNC_0010"];
        ids.extend((*operator == SQRT).then_some("FUNC_0020"));
        ids.extend(["TYPES_0010", "RESULT_0010", "RESULT_0020"]);
        ids.extend(matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010"));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        list.add(dtype, boundaries::NAME, inputs, &ids, boundaries::NOTE);
    }
    list.into_cases().into_iter().map(|spec| stated::case(operator, spec)).collect()
}

fn pairs(dtype: DType, mut random: Random) -> Result<Vec<Tensor>, GenerateError> {
    let pairs = samples::pairs(dtype, &mut random)?;
    Ok(vec![operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?])
}

fn radicands(dtype: DType, mut random: Random) -> Result<Vec<Tensor>, GenerateError> {
    let mut elements: Vec<u64> = Vec::new();
    if let Kind::Float(format) = dtype.kind() {
        elements.extend(specials(format).into_iter().flat_map(|(_, values)| values));
        for class in &radicands::CLASSES {
            elements.extend((class.draw)(format, &mut random).into_iter().step_by(2));
        }
    }
    Ok(vec![tensor(dtype, &[elements.len()], &elements)?])
}
