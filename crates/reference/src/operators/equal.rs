//! Equal: whether two elements are equal, as `comparison` has it: numbers by their values, truth values, and
//! strings byte by byte.
//!
//! Sources: ONNX's schemas of Equal-1, 7, 11, 13 and 19; IEEE 754-2019, 5.11.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, String as Text,
    Uint8, Uint16, Uint32, Uint64,
};
use values::element::Element;
use values::tensor::Tensor;

use super::binary;
use super::comparison::{self, Comparison, ports};
use crate::applied::Pointwise;
use crate::case_table::{self, Own};
use crate::elements::{ElementError, tensor_of};
use crate::operator::{Document, Operator, OperatorKind, Version};

/// Equal in ONNX's default domain.
pub static EQUAL: Operator = Operator {
    documents: &[Document { key: "onnx-equal", catalogue: include_str!("equal/onnx-equal.toml") }],
    cases: Some(|of| {
        let tables = [comparison::CASES, include_str!("equal/cases.toml")];
        let own = Own { inputs: |name, _| texts(name), ..comparison::OWN };
        case_table::cases(of, &EQUAL, &tables, own)
    }),
    hard_inputs: Some(comparison::hard_inputs),
    ..Operator::onnx("Equal", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 5] = [
    const { ports(&[Bool, Int32, Int64]) }.since(1, &binary::LIMITED),
    const { ports(&[Bool, Int32, Int64]) }.since(7, &[]),
    const { ports(ALL.split_at(2).1) }.since(11, &[]),
    const { ports(ALL.split_at(1).1) }.since(13, &[]),
    const { ports(&ALL) }.since(19, &[]),
];

/// The types of the newest version, the latest first.
const ALL: [DType; 14] = [
    Text, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16,
    Uint32, Uint64,
];

/// What is allowed of its results.
const REFERENCE: Pointwise<Comparison> = comparison::reference(|_, _| Comparison::Equal);

/// Texts that an implementation may take for each other: `pairs` of them all, or `row` by column.
fn texts(name: &str) -> Result<Vec<Tensor>, ElementError> {
    // Of the accented letters one is written in two characters, and the zero ends a text of C.
    const TEXTS: [&str; 12] =
        ["", "a", "A", "ab", "b", " a", "a ", "a\0", "a\0b", "\u{e9}", "e\u{301}", "1.0"];
    let all = |shape: &[usize], of: fn(usize) -> usize| {
        let count = shape.iter().product();
        let texts = (0..count).map(|at| Element::String(TEXTS[of(at)].into()));
        tensor_of(Text, shape, texts.collect())
    };
    const COUNT: usize = TEXTS.len();
    Ok(match name {
        "row" => vec![all(&[COUNT, 1], |at| at)?, all(&[COUNT], |at| at)?],
        _ => {
            let shape = [COUNT, COUNT];
            vec![all(&shape, |at| at / COUNT)?, all(&shape, |at| at % COUNT)?]
        }
    })
}
