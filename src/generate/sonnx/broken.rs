//! Cases that break one constraint of SONNX each: an implementation of the profile refuses them. A
//! general runtime that takes them has not failed, but accepts more than the profile.

use super::{div_node, sqrt_node};
use crate::dtype::DType;
use crate::generate::GenerateError;
use crate::generate::answer::Answer;
use crate::generate::case::Case;
use crate::generate::elements::{counting, ones};
use crate::generate::graph::{add_attribute, forget_last_type, int, make_last_input_sparse};
use crate::tensor::Tensor;

/// Pairs of shapes that differ. In the first four one could be broadcast to the other.
const SHAPES: [(&str, &[usize], &[usize]); 7] = [
    ("scalar_divisor", &[2, 3], &[]),
    ("row_divisor", &[2, 3], &[3]),
    ("row_dividend", &[3], &[2, 3]),
    ("size_1_divisor", &[2, 3], &[2, 1]),
    ("more_elements", &[4], &[3]),
    ("transposed", &[2, 3], &[3, 2]),
    ("reshaped", &[6], &[2, 3]),
];

/// Pairs of types that differ.
const TYPES: [(DType, DType); 7] = [
    (DType::Float32, DType::Float64),
    (DType::Float64, DType::Float32),
    (DType::Float16, DType::Float32),
    (DType::Float32, DType::Int32),
    (DType::Int32, DType::Int64),
    (DType::Int64, DType::Int32),
    (DType::Int32, DType::Uint32),
];

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for dtype in [DType::Float32, DType::Int32] {
        cases.extend(shapes(dtype)?);
        cases.push(output_shape(dtype)?);
        cases.extend(general(dtype)?);
    }
    for (a, b) in TYPES {
        cases.push(types(a, b)?);
    }
    for (dtype, declared) in [(DType::Float32, DType::Float64), (DType::Int32, DType::Int64)] {
        cases.push(output_type(dtype, declared)?);
    }
    for dtype in [DType::Bfloat16, DType::Bool] {
        cases.push(other_type(dtype)?);
    }
    cases.extend(sqrt()?);
    Ok(cases)
}

/// The requirement's part that names the kind of type.
fn kind(dtype: DType) -> &'static str {
    match dtype {
        DType::Float16 | DType::Float32 | DType::Float64 => "FLOAT",
        _ => "INT",
    }
}

fn constraints(dtype: DType, tensors: &[&str], number: &str) -> Vec<String> {
    let kind = kind(dtype);
    tensors.iter().map(|tensor| format!("E_DIV_{kind}_CONSTR_{tensor}_{number}")).collect()
}

fn shapes(dtype: DType) -> Result<Vec<Case>, GenerateError> {
    let requirements = constraints(dtype, &["A", "B"], "0010");
    SHAPES
        .iter()
        .map(|&(name, a, b)| {
            // The model declares the longer shape for C, which is what broadcasting would give.
            let shape = if a.len() < b.len() { b } else { a };
            let (a, b) = (counting(dtype, a, 10)?, counting(dtype, b, 1)?);
            let answer = Answer::refusal(dtype, shape)?;
            let note = "A and B do not have the same shape";
            let path = format!("sonnx/div/{dtype}/refused_shape_{name}");
            div(path, [a, b], answer, &requirements, note)
        })
        .collect()
}

fn output_shape(dtype: DType) -> Result<Case, GenerateError> {
    let operands = [counting(dtype, &[2, 3], 10)?, counting(dtype, &[2, 3], 1)?];
    let requirements = constraints(dtype, &["C"], "0010");
    let note = "the model declares another shape for C than A and B have";
    let path = format!("sonnx/div/{dtype}/refused_shape_output");
    div(path, operands, Answer::refusal(dtype, &[3, 2])?, &requirements, note)
}

fn types(a: DType, b: DType) -> Result<Case, GenerateError> {
    let operands = [counting(a, &[2, 3], 10)?, counting(b, &[2, 3], 1)?];
    let mut requirements = constraints(a, &["A", "B"], "0020");
    requirements.push("GR3".to_owned());
    let note = "A and B are of different types, and nothing is converted implicitly";
    let path = format!("sonnx/div/{a}/refused_type_divisor_{b}");
    div(path, operands, Answer::refusal(a, &[2, 3])?, &requirements, note)
}

fn output_type(dtype: DType, declared: DType) -> Result<Case, GenerateError> {
    let operands = [counting(dtype, &[2, 3], 10)?, counting(dtype, &[2, 3], 1)?];
    let mut requirements = constraints(dtype, &["C"], "0020");
    requirements.push("GR3".to_owned());
    let note = "the model declares another type for C than A and B have";
    let path = format!("sonnx/div/{dtype}/refused_type_output_{declared}");
    div(path, operands, Answer::refusal(declared, &[2, 3])?, &requirements, note)
}

/// The general restrictions, which every operator has, and the attribute that Div does not have.
fn general(dtype: DType) -> Result<Vec<Case>, GenerateError> {
    let case = |name: &str, requirement, note| {
        let operands = [counting(dtype, &[3], 10)?, counting(dtype, &[3], 1)?];
        let path = format!("sonnx/div/{dtype}/refused_{name}");
        div(path, operands, Answer::refusal(dtype, &[3])?, &[requirement], note)
    };
    let divisor = counting(dtype, &[3], 1)?;
    Ok(vec![
        case("sparse_divisor", "GR1", "B is a sparse tensor")?
            .without_last_input()
            .with_graph(|graph| make_last_input_sparse(graph, &divisor)),
        case("untyped_divisor", "GR2", "the model leaves the element type of B open")?
            .with_graph(forget_last_type),
        case("attribute", "P_DIV_ATTR_0010", "the node carries an attribute")?
            .with_graph(|graph| add_attribute(graph, &int("axis", 0))),
    ])
}

/// Elements of a type that the document does not name.
fn other_type(dtype: DType) -> Result<Case, GenerateError> {
    let operands = [ones(dtype, &[3])?, ones(dtype, &[3])?];
    let requirements = ["P_DIV_FLOAT_TYPES_0010", "P_DIV_INT_TYPES_0010"];
    let note = "the document names neither this float type nor this integer type";
    let path = format!("sonnx/div/{dtype}/refused_type");
    div(path, operands, Answer::refusal(dtype, &[3])?, &requirements, note)
}

fn div(
    path: String,
    operands: [Tensor; 2],
    answer: Answer,
    requirements: &[impl AsRef<str>],
    note: &str,
) -> Result<Case, GenerateError> {
    let requirements: Vec<&str> = requirements.iter().map(AsRef::as_ref).collect();
    Ok(Case::new(path, &div_node(), operands.into(), answer, &requirements, note))
}

fn sqrt() -> Result<Vec<Case>, GenerateError> {
    let dtype = DType::Float32;
    let shape = [2, 3];
    let case = |x: Tensor, name: &str, answer, requirements: &[&str], note| {
        let path = format!("sonnx/sqrt/{}/refused_{name}", x.dtype());
        Case::new(path, &sqrt_node(), vec![x], answer, requirements, note)
    };
    let radicand = || counting(dtype, &shape, 1);
    let refusal = || Answer::refusal(dtype, &shape);
    let mut cases = vec![
        case(
            radicand()?,
            "shape_output",
            Answer::refusal(dtype, &[3, 2])?,
            &["P_SQRT_FLOAT_CONSTR_X_0010", "P_SQRT_FLOAT_CONSTR_Y_0010"],
            "the model declares another shape for Y than X has",
        ),
        case(
            radicand()?,
            "type_output_float64",
            Answer::refusal(DType::Float64, &shape)?,
            &["P_SQRT_FLOAT_CONSTR_X_0020", "P_SQRT_FLOAT_CONSTR_Y_0020", "GR3"],
            "the model declares another type for Y than X has",
        ),
        case(radicand()?, "sparse", refusal()?, &["GR1"], "X is a sparse tensor")
            .without_last_input()
            .with_graph(|graph| radicand().map_or((), |x| make_last_input_sparse(graph, &x))),
        case(
            radicand()?,
            "untyped",
            refusal()?,
            &["GR2"],
            "the model leaves the element type of X open",
        )
        .with_graph(forget_last_type),
        case(
            radicand()?,
            "attribute",
            refusal()?,
            &["P_SQRT_ATTR_0010"],
            "the node carries an attribute",
        )
        .with_graph(|graph| add_attribute(graph, &int("axis", 0))),
    ];
    for other in [DType::Bfloat16, DType::Int32] {
        cases.push(case(
            ones(other, &shape)?,
            "type",
            Answer::refusal(other, &shape)?,
            &["P_SQRT_FLOAT_TYPES_0010"],
            "the document does not name this type",
        ));
    }
    Ok(cases)
}
