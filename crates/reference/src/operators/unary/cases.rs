//! The cases that the unary functions of floats have in common: what each version refuses, and what
//! SONNX refuses.

use values::dtype::DType::{Bfloat16, Bool, Float32, Float64, Int32};

use crate::case_spec::{CaseList, CaseSpec, LastInput};
use crate::elements::{ElementError, counting, ones};
use crate::operator::{Operator, Version};
use crate::signature::AttributeValue;

/// What every unary operator is asked in both suites.
pub(crate) fn cases(operator: &Operator) -> Result<Vec<CaseSpec>, ElementError> {
    let mut cases = restricted(operator)?;
    for version in operator.versions {
        cases.extend(of_version(operator, version)?);
    }
    Ok(cases)
}

/// Types that a version does not take, and the hint on reused memory.
fn of_version(operator: &Operator, version: &Version) -> Result<Vec<CaseSpec>, ElementError> {
    let shape = [2];
    let mut list = CaseList::onnx(operator, version);
    let taken = version.inputs.first().map_or(&[][..], |port| port.types);
    let is_newest = version.since == operator.newest().since;
    let others = [Bfloat16, Int32].into_iter().chain([Bool].into_iter().filter(|_| is_newest));
    for dtype in others.filter(|dtype| !taken.contains(dtype)) {
        let inputs = vec![ones(dtype, &shape)?];
        let note = "the version does not take this type";
        list.add(dtype, "refused_type", inputs, &["TYPES_0010"], note).refused(dtype, &shape);
    }
    if version.attributes.iter().any(|attribute| attribute.name == "consumed_inputs") {
        let inputs = vec![counting(Float32, &[2, 3], 1)?];
        let note = "the attribute changes no result";
        list.add(Float32, "consumed_inputs", inputs, &["CONSUMED_0010"], note)
            .with("consumed_inputs", AttributeValue::Ints(vec![0]));
    }
    Ok(list.into_cases())
}

/// Cases that break one constraint of SONNX each.
fn restricted(operator: &Operator) -> Result<Vec<CaseSpec>, ElementError> {
    let shape = [2, 3];
    let operator_id = operator.name.to_uppercase();
    let id = |id: &str| format!("P_{operator_id}_{id}");
    let mut list = CaseList::sonnx(operator);
    let ids = [id("FLOAT_CONSTR_X_0010"), id("FLOAT_CONSTR_Y_0010")];
    let note = "the model declares another shape for Y than X has";
    add(&mut list, "shape_output", &ids, note)?.refused(Float32, &[3, 2]);
    let ids = [id("FLOAT_CONSTR_X_0020"), id("FLOAT_CONSTR_Y_0020"), "GR3".to_owned()];
    let note = "the model declares another type for Y than X has";
    add(&mut list, "type_output_float64", &ids, note)?.refused(Float64, &shape);
    add(&mut list, "sparse", &["GR1".to_owned()], "X is a sparse tensor")?.given(LastInput::Sparse);
    let note = "the model leaves the element type of X open";
    add(&mut list, "untyped", &["GR2".to_owned()], note)?.given(LastInput::Untyped);
    add(&mut list, "attribute", &[id("ATTR_0010")], "the node carries an attribute")?
        .with("axis", AttributeValue::Int(0));
    for dtype in [Bfloat16, Int32] {
        let (inputs, ids) = (vec![ones(dtype, &shape)?], [id("FLOAT_TYPES_0010")]);
        let note = "the document does not name this type";
        list.add(dtype, "refused_type", inputs, &ids, note).refused(dtype, &shape);
    }
    Ok(list.into_cases())
}

fn add<'a>(
    list: &'a mut CaseList,
    name: &str,
    ids: &[String],
    note: &str,
) -> Result<&'a mut CaseSpec, ElementError> {
    let shape = [2, 3];
    let inputs = vec![counting(Float32, &shape, 1)?];
    let case = list.add(Float32, format!("refused_{name}"), inputs, ids, note);
    Ok(case.refused(Float32, &shape))
}
