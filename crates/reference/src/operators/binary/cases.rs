//! The cases that the binary arithmetic operators have in common: what each version refuses, its forms
//! of broadcasting, and what SONNX refuses.

use values::dtype::DType::{self, Bool, Complex64, Float8E4M3Fn, Float32, Float64, String as Text};

use super::{NUMERIC, broadcast_cases, restricted_cases};
use crate::case_spec::{CaseList, CaseSpec};
use crate::elements::{ElementError, counting, ones};
use crate::operator::{Operator, Version};
use crate::signature::AttributeValue;

pub use broadcast_cases::{multidirectional, multidirectional_refused, operands};

/// A form of broadcasting by name, with the shapes of A and B.
pub type Shapes = (&'static str, &'static [usize], &'static [usize]);

/// What the operands are called in names of cases.
#[derive(Clone, Copy, Debug)]
pub struct Roles<'a> {
    /// The first one.
    pub a: &'a str,
    /// The second one.
    pub b: &'a str,
}

impl Roles<'_> {
    /// A name with the operands' own in place of `{a}` and `{b}`.
    #[must_use]
    pub fn in_name(&self, name: &str) -> String {
        name.replace("{a}", self.a).replace("{b}", self.b)
    }
}

/// What every binary operator is asked in both suites.
pub(crate) fn cases(operator: &Operator, roles: Roles<'_>) -> Result<Vec<CaseSpec>, ElementError> {
    let mut cases = restricted_cases::cases(operator, roles)?;
    for version in operator.versions {
        let mut list = CaseList::onnx(operator, version);
        broadcast_cases::add(&mut list, version, roles)?;
        refused_types(&mut list, operator, version)?;
        attributes(&mut list, version)?;
        cases.extend(list.into_cases());
    }
    Ok(cases)
}

/// Types that the version does not take, and operands of different types.
fn refused_types(
    list: &mut CaseList,
    operator: &Operator,
    version: &Version,
) -> Result<(), ElementError> {
    let shape = [2];
    let is_newest = version.since == operator.newest().since;
    let taken = version.inputs.first().map_or(&[][..], |port| port.types);
    let mut others: Vec<DType> =
        NUMERIC.into_iter().filter(|dtype| !taken.contains(dtype)).collect();
    others.push(Bool);
    others.extend([Text, Complex64, Float8E4M3Fn].into_iter().filter(|_| is_newest));
    for dtype in others {
        let inputs = vec![ones(dtype, &shape)?, ones(dtype, &shape)?];
        let note = "the version does not take this type";
        list.add(dtype, "refused_type", inputs, &["TYPES_0010"], note).refused(dtype, &shape);
    }
    let inputs = vec![ones(Float32, &shape)?, ones(Float64, &shape)?];
    let note = "A and B are of different types";
    list.add(Float32, "refused_types", inputs, &["TYPES_0020"], note).refused(Float32, &shape);
    Ok(())
}

/// Attributes of other versions, and the hint on reused memory.
fn attributes(list: &mut CaseList, version: &Version) -> Result<(), ElementError> {
    let has = |name| version.attributes.iter().any(|attribute| attribute.name == name);
    for (name, value) in [("axis", 0), ("broadcast", 1)] {
        if has(name) {
            continue;
        }
        let inputs = vec![ones(Float32, &[2])?, ones(Float32, &[2])?];
        let note = "an attribute that only the versions before 7 have";
        list.add(Float32, format!("refused_attribute_{name}"), inputs, &["BCAST_0010"], note)
            .with(name, AttributeValue::Int(value))
            .refused(Float32, &[2]);
    }
    if has("consumed_inputs") {
        let inputs = vec![counting(Float32, &[2, 3], 10)?, counting(Float32, &[2, 3], 1)?];
        let note = "the attribute changes no result";
        list.add(Float32, "consumed_inputs", inputs, &["CONSUMED_0010"], note)
            .with("consumed_inputs", AttributeValue::Ints(vec![0, 1]));
    }
    Ok(())
}
