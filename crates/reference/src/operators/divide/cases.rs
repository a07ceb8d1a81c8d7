//! The cases of Divide-1.

use values::dtype::{DType, Kind};
use values::float::Class;
use values::random::Random;
use values::tensor::{Tensor, element_count};

use super::DIVIDE;
use crate::case_list::CaseList;
use crate::case_spec::{CaseSpec, Stated};
use crate::elements::{ElementError, counting, ones, operand, tensor, whole};
use crate::exact::number::Int;
use crate::operators::binary::{NUMERIC, cases as broadcast};
use crate::operators::div::{ROLES, samples};
use crate::operators::{boundary_cases, size_cases};
use crate::signature::AttributeValue;

/// Attributes of the layer, as they are written.
type Attributes = [(&'static str, &'static str)];

/// What `m_pythondiv` may be: names, attribute, and what that verifies.
const PYTHONDIV: [(&str, &Attributes, &str); 3] = [
    ("floor", &[("m_pythondiv", "true")], "PYTHONDIV_0010"),
    ("truncate", &[("m_pythondiv", "false")], "PYTHONDIV_0020"),
    ("default", &[], "PYTHONDIV_0030"),
];

/// Dividends and divisors of all signs with and without a remainder.
const SIGNS: [[i128; 2]; 7] = [[7, 2], [8, 2], [1, 3], [2, 3], [3, 3], [100, 7], [0, 5]];

pub(super) fn cases() -> Stated {
    let mut list = CaseList::openvino(&DIVIDE);
    for dtype in NUMERIC {
        for (name, attributes, requirement) in PYTHONDIV {
            let layer = Layer { name, attributes, requirement };
            layer.elements(&mut list, dtype)?;
            layer.zero_divisors(&mut list, dtype)?;
            if attributes.is_empty() {
                layer.long(&mut list, dtype)?;
                layer.boundaries(&mut list, dtype)?;
            }
            if let Kind::Int { signed: true, bits } = dtype.kind() {
                layer.signs(&mut list, dtype)?;
                layer.minimum_by_minus_one(&mut list, dtype, Int { signed: true, bits })?;
            }
        }
    }
    broadcasts(&mut list)?;
    examples(&mut list)?;
    refused(&mut list)?;
    Ok(list.into_cases())
}

/// A value of `m_pythondiv`.
struct Layer {
    name: &'static str,
    attributes: &'static Attributes,
    requirement: &'static str,
}

impl Layer {
    fn add(
        &self,
        list: &mut CaseList,
        name: &str,
        inputs: Vec<Tensor>,
        requirements: &[&str],
        note: &str,
    ) {
        let name = format!("{}_{name}", self.name);
        add(list, &name, self.attributes, inputs, requirements, note);
    }

    /// Operands of every class, but for zero divisors.
    fn elements(&self, list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
        let mut random = Random::for_case(&format!("openvino/divide_1/{dtype}/elements"));
        let mut pairs = samples::pairs(dtype, &mut random)?;
        let mut requirements =
            vec!["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020", self.requirement];
        if let Kind::Float(format) = dtype.kind() {
            pairs.retain(|&[_, b]| format.class(b) != Class::Zero);
            requirements.pop();
            requirements.push("PYTHONDIV_0040");
        }
        let operands = vec![operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?];
        self.add(list, "elements", operands, &requirements, "elements of every class");
        Ok(())
    }

    /// More elements than a block or a vector of a kernel holds.
    fn long(&self, list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
        let operands = samples::long_pairs(dtype, false)?;
        let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010"];
        self.add(list, "long", operands, &ids, size_cases::LONG_NOTE);
        Ok(())
    }

    fn boundaries(&self, list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
        let operands = boundary_cases::inputs(&DIVIDE, dtype)?;
        let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010"];
        self.add(list, boundary_cases::NAME, operands, &ids, boundary_cases::NOTE);
        Ok(())
    }

    fn zero_divisors(&self, list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
        let operands = vec![counting(dtype, &[3], 0)?, tensor(dtype, &[3], &[0; 3])?];
        let note = "undefined for every type: a refusal or any value may come back";
        self.add(list, "zero_divisor", operands, &["ZERO_0010"], note);
        Ok(())
    }

    fn signs(&self, list: &mut CaseList, dtype: DType) -> Result<(), ElementError> {
        let signed = |[a, b]: [i128; 2]| [[a, b], [-a, b], [a, -b], [-a, -b]];
        let pairs = SIGNS.into_iter().flat_map(signed);
        let pairs = pairs.map(|[a, b]| Ok([whole(dtype, a)?, whole(dtype, b)?]));
        let pairs = pairs.collect::<Result<Vec<_>, ElementError>>()?;
        let operands = vec![operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?];
        let note = "every sign pattern, with and without a remainder";
        self.add(list, "signs", operands, &["FUNC_0010", self.requirement], note);
        Ok(())
    }

    fn minimum_by_minus_one(
        &self,
        list: &mut CaseList,
        dtype: DType,
        int: Int,
    ) -> Result<(), ElementError> {
        let pair = [whole(dtype, int.min())?, whole(dtype, -1)?];
        let operands = vec![operand(dtype, &[pair], 0)?, operand(dtype, &[pair], 1)?];
        let note = "no value of the type is the quotient; a refusal conforms, and so does the \
                    quotient wrapped to the minimum";
        self.add(list, "minimum_by_minus_one", operands, &["FUNC_0010"], note);
        Ok(())
    }
}

fn add<'a>(
    list: &'a mut CaseList,
    name: &str,
    attributes: &Attributes,
    inputs: impl Into<Vec<Tensor>>,
    requirements: &[&str],
    note: &str,
) -> &'a mut CaseSpec {
    let inputs = inputs.into();
    let dtype = inputs.first().map_or(DType::Float32, Tensor::dtype);
    let case = list.add(dtype, name, inputs, requirements, note);
    for &(name, value) in attributes {
        case.with(name, AttributeValue::Text(value.to_owned()));
    }
    case
}

/// Every form of broadcasting, stated and by default, and none.
fn broadcasts(list: &mut CaseList) -> Result<(), ElementError> {
    let dtype = DType::Float32;
    let numpy: &Attributes = &[("auto_broadcast", "numpy")];
    let none: &Attributes = &[("auto_broadcast", "none")];
    let forms = broadcast::multidirectional(ROLES);
    let stated = forms.clone().map(|form| ("numpy", numpy, "BCAST_NUMPY_0010", form));
    let default = forms.clone().map(|form| ("default", &[][..], "BCAST_DEFAULT_0010", form));
    // What the default is shows in a few forms.
    for (rule, attributes, requirement, (name, a, b)) in
        stated.into_iter().chain(default.into_iter().take(4))
    {
        let inputs = broadcast::operands(dtype, a, b)?;
        let note = "aligned at the last dimension, sizes of 1 are repeated";
        let ids = [requirement, "RESULT_0010"];
        add(list, &format!("{rule}_{name}"), attributes, inputs, &ids, note);
    }
    for shape in [&[][..], &[3], &[2, 3], &[2, 1, 2, 1, 3, 1], &[0, 2]] {
        let inputs = broadcast::operands(dtype, shape, shape)?;
        let name = format!("none_rank_{}", shape.len());
        let name = if shape.contains(&0) { "none_empty".to_owned() } else { name };
        let ids = ["BCAST_NONE_0010", "RESULT_0010"];
        add(list, &name, none, inputs, &ids, "shapes that are equal");
    }
    for (name, a, b) in broadcast::multidirectional_refused() {
        let inputs = broadcast::operands(dtype, a, b)?;
        let (name, note) = (format!("refused_numpy_{name}"), "the shapes do not go together");
        add(list, &name, numpy, inputs, &["BCAST_NUMPY_0020"], note).refused(dtype, a);
    }
    for (name, a, b) in forms.into_iter().take(4) {
        let inputs = broadcast::operands(dtype, a, b)?;
        let name = format!("refused_none_{name}");
        let note = "nothing is broadcast, and the shapes are not equal";
        add(list, &name, none, inputs, &["BCAST_NONE_0010"], note).refused(dtype, a);
    }
    Ok(())
}

/// The document's examples with their attributes and shapes; it gives no values.
fn examples(list: &mut CaseList) -> Result<(), ElementError> {
    let operands = |dtype, a: &[usize], b: &[usize]| {
        let mut random = Random::for_case(&format!("openvino/divide_1/{dtype}/example"));
        let dividends = (0..element_count(a)?).map(|_| whole(dtype, random.between(-127, 127)));
        let dividends = tensor(dtype, a, &dividends.collect::<Result<Vec<_>, _>>()?)?;
        let divisors = (0..element_count(b)?).map(|_| {
            let sign = if random.bits() & 1 == 1 { -1 } else { 1 };
            whole(dtype, sign * random.between(1, 9))
        });
        let divisors = tensor(dtype, b, &divisors.collect::<Result<Vec<_>, _>>()?)?;
        Ok::<_, ElementError>([dividends, divisors])
    };
    let note = "an example of the document, which gives no values";
    let inputs = operands(DType::Int8, &[256, 56], &[256, 56])?;
    let attributes: &Attributes = &[("auto_broadcast", "none"), ("m_pythondiv", "true")];
    let ids = ["FUNC_0010", "BCAST_NONE_0010", "PYTHONDIV_0010"];
    add(list, "example_1", attributes, inputs, &ids, note);
    let inputs = operands(DType::Int32, &[8, 1, 6, 1], &[7, 1, 5])?;
    let attributes: &Attributes = &[("auto_broadcast", "numpy"), ("m_pythondiv", "false")];
    let ids = ["FUNC_0010", "BCAST_NUMPY_0010", "PYTHONDIV_0020", "RESULT_0010"];
    add(list, "example_2", attributes, inputs, &ids, note);
    Ok(())
}

/// Operands of different types, and of one that is not numeric.
fn refused(list: &mut CaseList) -> Result<(), ElementError> {
    for (a, b, requirement, note) in [
        (DType::Float32, DType::Float64, "TYPES_0020", "the inputs are of different types"),
        (DType::Int32, DType::Int64, "TYPES_0020", "the inputs are of different types"),
        (DType::Bool, DType::Bool, "TYPES_0010", "the type is not numeric"),
    ] {
        let inputs = [ones(a, &[2])?, ones(b, &[2])?];
        let name = format!("refused_type_{b}");
        add(list, &name, &[], inputs, &[requirement], note).refused(a, &[2]);
    }
    Ok(())
}
