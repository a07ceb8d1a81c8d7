//! The suite `onnx`: what ONNX's own node data lacks of Div in its versions 1, 6, 7, 13 and 14 and of
//! Sqrt in 1, 6 and 13: every type, every form of broadcasting, and what each version refuses.

pub(super) mod broadcast;

use super::GenerateError;
use super::answer::Answer;
use super::boundaries;
use super::case::Case;
use super::elements::{Random, counting, ones, operand, tensor};
use super::floats::{radicands, specials};
use super::graph::{Node, int, ints};
use super::samples;
use crate::dtype::{DType, Kind};
use crate::suite::Suite;
use crate::tensor::Tensor;
use reference::operators::{div::DIV as DIVISION, sqrt::SQRT as ROOT};

use DType::{
    Bfloat16, Bool, Complex64, Float8E4M3Fn, Float16, Float32, Float64, Int8, Int16, Int32, Int64,
    String as Text, Uint8, Uint16, Uint32, Uint64,
};

/// A version of an operator.
struct Version {
    op_type: &'static str,
    since: i64,
    /// The element types it takes.
    types: &'static [DType],
    /// Some that it does not take.
    other_types: &'static [DType],
}

const DIV: [Version; 5] = [
    Version {
        op_type: "Div",
        since: 1,
        types: &[Float16, Float32, Float64],
        other_types: &[Bfloat16, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Bool],
    },
    Version {
        op_type: "Div",
        since: 6,
        types: &[Float16, Float32, Float64, Int32, Int64, Uint32, Uint64],
        other_types: &[Bfloat16, Int8, Int16, Uint8, Uint16, Bool],
    },
    Version {
        op_type: "Div",
        since: 7,
        types: &[Float16, Float32, Float64, Int32, Int64, Uint32, Uint64],
        other_types: &[Bfloat16, Int8, Int16, Uint8, Uint16, Bool],
    },
    Version {
        op_type: "Div",
        since: 13,
        types: &[Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64],
        other_types: &[Int8, Int16, Uint8, Uint16, Bool],
    },
    Version {
        op_type: "Div",
        since: 14,
        types: &[
            Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
            Uint64,
        ],
        other_types: &[Bool, Text, Complex64, Float8E4M3Fn],
    },
];

const SQRT: [Version; 3] = [
    Version {
        op_type: "Sqrt",
        since: 1,
        types: &[Float16, Float32, Float64],
        other_types: &[Bfloat16, Int32],
    },
    Version {
        op_type: "Sqrt",
        since: 6,
        types: &[Float16, Float32, Float64],
        other_types: &[Bfloat16, Int32],
    },
    Version {
        op_type: "Sqrt",
        since: 13,
        types: &[Bfloat16, Float16, Float32, Float64],
        other_types: &[Int32, Bool],
    },
];

const LONG_NOTE: &str =
    "more elements than a block or a vector of a kernel, and a multiple of neither";

impl Version {
    fn node(&self) -> Node {
        Node::new(self.op_type, self.since)
    }

    fn path(&self, dtype: DType, name: &str) -> String {
        format!("onnx/{}_{}/{dtype}/{name}", self.op_type.to_lowercase(), self.since)
    }

    /// The requirements of this version with these names.
    fn requirements(&self, names: &[&str]) -> Vec<String> {
        let (op_type, since) = (self.op_type.to_uppercase(), self.since);
        names.iter().map(|name| format!("P_ONNX_{op_type}{since}_{name}")).collect()
    }

    fn case(
        &self,
        node: &Node,
        name: &str,
        inputs: Vec<Tensor>,
        answer: Answer,
        requirements: &[&str],
        note: &str,
    ) -> Case {
        let dtype = inputs.first().map_or(Float32, Tensor::dtype);
        let requirements = self.requirements(requirements);
        let requirements: Vec<&str> = requirements.iter().map(String::as_str).collect();
        Case::new(self.path(dtype, name), node, inputs, answer, &requirements, note)
    }

    /// Whether no other version is newer, so that a kernel's own code is asked once for each type.
    fn is_newest(&self, versions: &[Self]) -> bool {
        versions.iter().all(|version| version.since <= self.since)
    }

    /// Whether the version takes the hint on reused memory.
    const fn has_consumed_inputs(&self) -> bool {
        self.since < 6
    }
}

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for version in &DIV {
        for &dtype in version.types {
            cases.push(div_elements(version, dtype)?);
            if version.is_newest(&DIV) {
                cases.push(div_long(version, dtype)?);
                let pairs = boundaries::operands(&DIVISION, dtype)?;
                let (name, note) = (boundaries::NAME, boundaries::NOTE);
                cases.push(div_pairs(version, dtype, name, &pairs, note)?);
            }
        }
        cases.extend(broadcast::cases(version)?);
        cases.extend(div_refused(version)?);
        if version.has_consumed_inputs() {
            let (a, b) = (counting(Float32, &[2, 3], 10)?, counting(Float32, &[2, 3], 1)?);
            let node = version.node().with(ints("consumed_inputs", &[0, 1]));
            let note = "the attribute changes no result";
            let inputs = vec![a, b];
            let answer = Answer::of(Suite::Onnx, &node, &inputs)?;
            let ids = ["CONSUMED_0010"];
            cases.push(version.case(&node, "consumed_inputs", inputs, answer, &ids, note));
        }
    }
    for version in &SQRT {
        for &dtype in version.types {
            cases.push(sqrt_elements(version, dtype)?);
            if version.is_newest(&SQRT) {
                cases.push(sqrt_long(version, dtype)?);
                let x = operand(dtype, &boundaries::operands(&ROOT, dtype)?, 0)?;
                cases.push(sqrt_values(version, boundaries::NAME, x, boundaries::NOTE)?);
            }
        }
        cases.extend(sqrt_refused(version)?);
        if version.has_consumed_inputs() {
            let x = counting(Float32, &[2, 3], 1)?;
            let node = version.node().with(ints("consumed_inputs", &[0]));
            let answer = Answer::of(Suite::Onnx, &node, std::slice::from_ref(&x))?;
            let note = "the attribute changes no result";
            let ids = ["CONSUMED_0010"];
            cases.push(version.case(&node, "consumed_inputs", vec![x], answer, &ids, note));
        }
    }
    Ok(cases)
}

fn div_elements(version: &Version, dtype: DType) -> Result<Case, GenerateError> {
    let mut random = Random::for_case(&version.path(dtype, "elements"));
    let pairs = samples::pairs(dtype, &mut random)?;
    div_pairs(version, dtype, "elements", &pairs, "elements of every class")
}

fn div_pairs(
    version: &Version,
    dtype: DType,
    name: &str,
    pairs: &[[u64; 2]],
    note: &str,
) -> Result<Case, GenerateError> {
    let (a, b) = (operand(dtype, pairs, 0)?, operand(dtype, pairs, 1)?);
    let answer = Answer::of(Suite::Onnx, &version.node(), &[a.clone(), b.clone()])?;
    let mut requirements = vec!["FUNC_0010", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
    requirements.extend(matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010"));
    Ok(version.case(&version.node(), name, vec![a, b], answer, &requirements, note))
}

fn div_long(version: &Version, dtype: DType) -> Result<Case, GenerateError> {
    let [a, b] = samples::long_pairs(dtype, true)?;
    let answer = Answer::of(Suite::Onnx, &version.node(), &[a.clone(), b.clone()])?;
    let mut requirements = vec!["FUNC_0010", "TYPES_0010", "RESULT_0010"];
    requirements.extend(matches!(dtype.kind(), Kind::Int { .. }).then_some("INT_0010"));
    Ok(version.case(&version.node(), "long", vec![a, b], answer, &requirements, LONG_NOTE))
}

fn sqrt_long(version: &Version, dtype: DType) -> Result<Case, GenerateError> {
    let mut random = Random::for_case(&version.path(dtype, "long"));
    let x = samples::long_radicands(dtype, &mut random)?;
    let answer = Answer::of(Suite::Onnx, &version.node(), std::slice::from_ref(&x))?;
    let requirements = ["FUNC_0010", "FUNC_0020", "TYPES_0010", "RESULT_0010"];
    Ok(version.case(&version.node(), "long", vec![x], answer, &requirements, LONG_NOTE))
}

fn sqrt_elements(version: &Version, dtype: DType) -> Result<Case, GenerateError> {
    let mut random = Random::for_case(&version.path(dtype, "elements"));
    let mut elements: Vec<u64> = Vec::new();
    if let Kind::Float(format) = dtype.kind() {
        elements.extend(specials(format).into_iter().flat_map(|(_, values)| values));
        for class in &radicands::CLASSES {
            elements.extend((class.draw)(format, &mut random).into_iter().step_by(2));
        }
    }
    let x = tensor(dtype, &[elements.len()], &elements)?;
    sqrt_values(version, "elements", x, "elements of every class")
}

fn sqrt_values(
    version: &Version,
    name: &str,
    x: Tensor,
    note: &str,
) -> Result<Case, GenerateError> {
    let answer = Answer::of(Suite::Onnx, &version.node(), std::slice::from_ref(&x))?;
    let requirements = ["FUNC_0010", "FUNC_0020", "TYPES_0010", "RESULT_0010", "RESULT_0020"];
    Ok(version.case(&version.node(), name, vec![x], answer, &requirements, note))
}

/// Types that the version does not take, operands of different types, and attributes of other
/// versions.
fn div_refused(version: &Version) -> Result<Vec<Case>, GenerateError> {
    let shape = [2];
    let case = |node: &Node, name: &str, a: Tensor, b: Tensor, requirements: &[&str], note| {
        let answer = Answer::refusal(a.dtype(), &shape)?;
        Ok::<_, GenerateError>(version.case(node, name, vec![a, b], answer, requirements, note))
    };
    let node = version.node();
    let mut cases = Vec::new();
    for &dtype in version.other_types {
        let (a, b) = (ones(dtype, &shape)?, ones(dtype, &shape)?);
        let note = "the version does not take this type";
        cases.push(case(&node, "refused_type", a, b, &["TYPES_0010"], note)?);
    }
    let (a, b) = (ones(Float32, &shape)?, ones(Float64, &shape)?);
    let note = "A and B are of different types";
    cases.push(case(&node, "refused_types", a, b, &["TYPES_0020"], note)?);
    if version.since >= 7 {
        for (name, attribute) in [("axis", int("axis", 0)), ("broadcast", int("broadcast", 1))] {
            let (a, b) = (ones(Float32, &shape)?, ones(Float32, &shape)?);
            let node = version.node().with(attribute);
            let note = "an attribute that only the versions before 7 have";
            let name = format!("refused_attribute_{name}");
            cases.push(case(&node, &name, a, b, &["BCAST_0010"], note)?);
        }
    }
    Ok(cases)
}

fn sqrt_refused(version: &Version) -> Result<Vec<Case>, GenerateError> {
    let shape = [2];
    let mut cases = Vec::new();
    for &dtype in version.other_types {
        let answer = Answer::refusal(dtype, &shape)?;
        let x = vec![ones(dtype, &shape)?];
        let note = "the version does not take this type";
        let node = version.node();
        cases.push(version.case(&node, "refused_type", x, answer, &["TYPES_0010"], note));
    }
    Ok(cases)
}
