//! Equations of Einsum read wrongly, and products computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::{Float32, Float64};
use onnx_conformance::kernels::Attribute;

use crate::accumulated::of;
use crate::defect::{Defect, Wrong};
use crate::request::Request;

const EINSUM: &[&str] = &["Einsum"];

/// The request with the equation, without its spaces, made another.
fn with_equation(
    request: &Request<'_>,
    right: Outcome,
    other: impl Fn(&str) -> Option<String>,
) -> Outcome {
    let Some(Attribute::Text(equation)) = request.attributes.get("equation") else { return right };
    match other(&equation.replace(' ', "")) {
        Some(other) => request.with("equation", Some(Attribute::Text(other))).computed(),
        None => right,
    }
}

/// The letters that an equation without an arrow has once, in the order in which it has them.
fn letters_once(equation: &str) -> String {
    let is_once = |letter: &char| {
        letter.is_ascii_alphabetic() && equation.chars().filter(|it| it == letter).count() == 1
    };
    equation.chars().filter(is_once).collect()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "einsum-implicit-output-as-it-appears",
        class: Indexing,
        says: "Without an arrow the output has the letters in the order in which the equation has them.",
        operators: EINSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| with_equation(request, right, |equation| {
            let is_plain = !equation.contains("->") && !equation.contains("...");
            is_plain.then(|| format!("{equation}->{}", letters_once(equation)))
        })),
    },
    Defect {
        id: "einsum-lower-case-first",
        class: Indexing,
        says: "Without an arrow letters of lower case come before those of upper case.",
        operators: EINSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| with_equation(request, right, |equation| {
            let mut letters: Vec<char> = letters_once(equation).chars().collect();
            letters.sort_unstable_by_key(|letter| (letter.is_ascii_uppercase(), *letter));
            let is_plain = !equation.contains("->") && !equation.contains("...");
            is_plain.then(|| format!("{equation}->{}", letters.iter().collect::<String>()))
        })),
    },
    Defect {
        id: "einsum-output-in-order-of-the-alphabet",
        class: Indexing,
        says: "The output has its letters in the order of the alphabet, whatever the equation says.",
        operators: EINSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| with_equation(request, right, |equation| {
            let (left, output) = equation.split_once("->").filter(|(_, it)| !it.contains('.'))?;
            let mut output: Vec<char> = output.chars().collect();
            output.sort_unstable();
            Some(format!("{left}->{}", output.iter().collect::<String>()))
        })),
    },
    Defect {
        id: "einsum-trace-of-all-elements",
        class: Arithmetic,
        says: "Where a term repeats a letter that is summed over, all elements are added.",
        operators: EINSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| with_equation(request, right, |equation| {
            (equation == "ii").then(|| "ij->".to_owned())
        })),
    },
    Defect {
        id: "einsum-inner-product-of-first-operand",
        class: Arithmetic,
        says: "In an inner product the second factor is left out.",
        operators: EINSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match &right {
            Outcome::Outputs(_) if [Float32, Float64].contains(&request.dtype()) => {
                let mut other = request.clone();
                other.operands.truncate(1);
                other.places.truncate(1);
                with_equation(&other, right, |equation| {
                    (equation == "i,i").then(|| "i->".to_owned())
                })
            }
            _ => right,
        }),
    },
];
