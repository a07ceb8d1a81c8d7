//! The suite `openvino`: Divide-1 as OpenVINO's intermediate representation.

use super::answer::Answer;
use super::boundaries;
use super::case::Case;
use super::integers::Int;
use super::samples;
use super::{GenerateError, NUMERIC};
use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::random::Random;
use crate::suite::Suite;
use crate::tensor::{Tensor, element_count};
use reference::elements::{counting, ones, operand, tensor, whole};
use reference::operator::AttributeValue;
use reference::operator::Domain;
use reference::operators::binary::cases as broadcast;
use reference::operators::div::ROLES;
use reference::operators::divide::DIVIDE;

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

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for dtype in NUMERIC {
        for (name, attributes, requirement) in PYTHONDIV {
            let layer = Layer { name, attributes, requirement };
            cases.push(layer.elements(dtype)?);
            cases.push(layer.zero_divisors(dtype)?);
            if attributes.is_empty() {
                cases.push(layer.long(dtype)?);
                cases.push(layer.boundaries(dtype)?);
            }
            if let Kind::Int { signed: true, bits } = dtype.kind() {
                cases.push(layer.signs(dtype)?);
                cases.push(layer.minimum_by_minus_one(dtype, Int { signed: true, bits })?);
            }
        }
    }
    cases.extend(broadcasts()?);
    cases.extend(examples()?);
    cases.extend(refused()?);
    Ok(cases)
}

/// A value of `m_pythondiv`.
struct Layer {
    name: &'static str,
    attributes: &'static Attributes,
    requirement: &'static str,
}

impl Layer {
    fn case(
        &self,
        name: &str,
        [a, b]: [Tensor; 2],
        requirements: &[&str],
        note: &str,
    ) -> Result<Case, GenerateError> {
        let answer = quotients(self.attributes, &a, &b)?;
        let name = format!("{}_{name}", self.name);
        case(&name, self.attributes, [a, b], answer, requirements, note)
    }

    /// Operands of every class, but for zero divisors.
    fn elements(&self, dtype: DType) -> Result<Case, GenerateError> {
        let mut random = Random::for_case(&format!("openvino/divide_1/{dtype}/elements"));
        let mut pairs = samples::pairs(dtype, &mut random)?;
        let mut requirements =
            vec!["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020", self.requirement];
        if let Kind::Float(format) = dtype.kind() {
            pairs.retain(|&[_, b]| format.class(b) != Class::Zero);
            requirements.pop();
            requirements.push("PYTHONDIV_0040");
        }
        let operands = [operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?];
        self.case("elements", operands, &requirements, "elements of every class")
    }

    /// More elements than a block or a vector of a kernel holds.
    fn long(&self, dtype: DType) -> Result<Case, GenerateError> {
        let operands = samples::long_pairs(dtype, false)?;
        let note = "more elements than a block or a vector of a kernel, and a multiple of neither";
        self.case("long", operands, &["FUNC_0010", "TYPES_0010", "RESULT_0010"], note)
    }

    fn boundaries(&self, dtype: DType) -> Result<Case, GenerateError> {
        let pairs = boundaries::operands(&DIVIDE, dtype)?;
        let operands = [operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?];
        let ids = ["FUNC_0010", "TYPES_0010", "RESULT_0010"];
        self.case(boundaries::NAME, operands, &ids, boundaries::NOTE)
    }

    fn zero_divisors(&self, dtype: DType) -> Result<Case, GenerateError> {
        let operands = [counting(dtype, &[3], 0)?, tensor(dtype, &[3], &[0; 3])?];
        let note = "undefined for every type: a refusal or any value may come back";
        self.case("zero_divisor", operands, &["ZERO_0010"], note)
    }

    fn signs(&self, dtype: DType) -> Result<Case, GenerateError> {
        let signed = |[a, b]: [i128; 2]| [[a, b], [-a, b], [a, -b], [-a, -b]];
        let pairs = SIGNS.into_iter().flat_map(signed);
        let pairs = pairs.map(|[a, b]| Ok([whole(dtype, a)?, whole(dtype, b)?]));
        let pairs = pairs.collect::<Result<Vec<_>, GenerateError>>()?;
        let operands = [operand(dtype, &pairs, 0)?, operand(dtype, &pairs, 1)?];
        let note = "every sign pattern, with and without a remainder";
        self.case("signs", operands, &["FUNC_0010", self.requirement], note)
    }

    fn minimum_by_minus_one(&self, dtype: DType, int: Int) -> Result<Case, GenerateError> {
        let pair = [whole(dtype, int.min())?, whole(dtype, -1)?];
        let operands = [operand(dtype, &[pair], 0)?, operand(dtype, &[pair], 1)?];
        let note = "no value of the type is the quotient; a refusal conforms, and so does the \
                    quotient wrapped to the minimum";
        self.case("minimum_by_minus_one", operands, &["FUNC_0010"], note)
    }
}

/// What the reference allows of the quotients.
fn quotients(attributes: &Attributes, a: &Tensor, b: &Tensor) -> Result<Answer, GenerateError> {
    let text =
        |&(name, value): &(&str, &str)| (name.to_owned(), AttributeValue::Text(value.to_owned()));
    let attributes = attributes.iter().map(text).collect();
    let inputs = [a.clone(), b.clone()];
    Answer::in_domain(Domain::OpenVino, Suite::OpenVino, ("Divide", 1), attributes, &inputs)
}

fn case(
    name: &str,
    attributes: &Attributes,
    inputs: [Tensor; 2],
    answer: Answer,
    requirements: &[&str],
    note: &str,
) -> Result<Case, GenerateError> {
    let path = format!("openvino/divide_1/{}/{name}", inputs[0].dtype());
    let requirements: Vec<String> =
        requirements.iter().map(|name| format!("P_OV_DIVIDE1_{name}")).collect();
    Case::openvino(path, attributes, inputs, answer, &requirements, note)
}

/// Every form of broadcasting, stated and by default, and none.
fn broadcasts() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
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
        let [a, b] = broadcast::operands(dtype, a, b)?;
        let answer = quotients(attributes, &a, &b)?;
        let note = "aligned at the last dimension, sizes of 1 are repeated";
        let ids = [requirement, "RESULT_0010"];
        cases.push(case(&format!("{rule}_{name}"), attributes, [a, b], answer, &ids, note)?);
    }
    for shape in [&[][..], &[3], &[2, 3], &[2, 1, 2, 1, 3, 1], &[0, 2]] {
        let [a, b] = broadcast::operands(dtype, shape, shape)?;
        let answer = quotients(none, &a, &b)?;
        let name = format!("none_rank_{}", shape.len());
        let name = if shape.contains(&0) { "none_empty".to_owned() } else { name };
        let ids = ["BCAST_NONE_0010", "RESULT_0010"];
        cases.push(case(&name, none, [a, b], answer, &ids, "shapes that are equal")?);
    }
    for (name, a, b) in broadcast::multidirectional_refused() {
        let operands = broadcast::operands(dtype, a, b)?;
        let answer = Answer::refusal(dtype, a)?;
        let name = format!("refused_numpy_{name}");
        let note = "the shapes do not go together";
        cases.push(case(&name, numpy, operands, answer, &["BCAST_NUMPY_0020"], note)?);
    }
    for (name, a, b) in forms.into_iter().take(4) {
        let operands = broadcast::operands(dtype, a, b)?;
        let answer = Answer::refusal(dtype, a)?;
        let name = format!("refused_none_{name}");
        let note = "nothing is broadcast, and the shapes are not equal";
        cases.push(case(&name, none, operands, answer, &["BCAST_NONE_0010"], note)?);
    }
    Ok(cases)
}

/// The document's examples with their attributes and shapes; it gives no values.
fn examples() -> Result<Vec<Case>, GenerateError> {
    let operands = |dtype, a: &[usize], b: &[usize]| {
        let mut random = Random::for_case(&format!("openvino/divide_1/{dtype}/example"));
        let dividends = (0..element_count(a)?).map(|_| whole(dtype, random.between(-127, 127)));
        let dividends = tensor(dtype, a, &dividends.collect::<Result<Vec<_>, _>>()?)?;
        let divisors = (0..element_count(b)?).map(|_| {
            let sign = if random.bits() & 1 == 1 { -1 } else { 1 };
            whole(dtype, sign * random.between(1, 9))
        });
        Ok::<_, GenerateError>([
            dividends,
            tensor(dtype, b, &divisors.collect::<Result<Vec<_>, _>>()?)?,
        ])
    };
    let note = "an example of the document, which gives no values";
    let first = operands(DType::Int8, &[256, 56], &[256, 56])?;
    let first_attributes: &Attributes = &[("auto_broadcast", "none"), ("m_pythondiv", "true")];
    let first_answer = quotients(first_attributes, &first[0], &first[1])?;
    let second = operands(DType::Int32, &[8, 1, 6, 1], &[7, 1, 5])?;
    let second_attributes: &Attributes = &[("auto_broadcast", "numpy"), ("m_pythondiv", "false")];
    let second_answer = quotients(second_attributes, &second[0], &second[1])?;
    Ok(vec![
        case(
            "example_1",
            first_attributes,
            first,
            first_answer,
            &["FUNC_0010", "BCAST_NONE_0010", "PYTHONDIV_0010"],
            note,
        )?,
        case(
            "example_2",
            second_attributes,
            second,
            second_answer,
            &["FUNC_0010", "BCAST_NUMPY_0010", "PYTHONDIV_0020", "RESULT_0010"],
            note,
        )?,
    ])
}

/// Operands of different types, and of one that is not numeric.
fn refused() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for (a, b, requirement, note) in [
        (DType::Float32, DType::Float64, "TYPES_0020", "the inputs are of different types"),
        (DType::Int32, DType::Int64, "TYPES_0020", "the inputs are of different types"),
        (DType::Bool, DType::Bool, "TYPES_0010", "the type is not numeric"),
    ] {
        let answer = Answer::refusal(a, &[2])?;
        let operands = [ones(a, &[2])?, ones(b, &[2])?];
        let name = format!("refused_type_{b}");
        cases.push(case(&name, &[], operands, answer, &[requirement], note)?);
    }
    Ok(cases)
}
