//! Equal: whether two elements are equal, as `comparison` has it: numbers by their values, truth values, and
//! strings byte by byte.
//!
//! Sources: ONNX's schemas of Equal-1, 7, 11, 13 and 19; IEEE 754-2019, 5.11.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, String as Text,
    Uint8, Uint16, Uint32, Uint64,
};
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::elements::{ElementError, tensor_of};
use crate::families::binary;
use crate::families::comparison::{self, Comparison, ports};
use crate::inputs::texts;
use crate::operator::{Document, Operator, OperatorKind, Version};
use crate::pointwise::Pointwise;

/// Equal in ONNX's default domain.
pub static EQUAL: Operator = Operator {
    documents: &[Document { key: "onnx-equal", catalogue: include_str!("equal/onnx-equal.toml") }],
    cases: Some(|of| {
        let tables = [comparison::CASES, include_str!("equal/cases.toml")];
        let own = Own { inputs: |name, _| of_texts(name), ..comparison::OWN };
        case_table::cases(of, &EQUAL, &tables, own)
    }),
    hard_inputs: Some(comparison::hard_inputs),
    strings: Some(texts::PAIRS),
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

/// The first of the texts that an implementation may take for each other: `pairs` of them all, or `row` by column.
fn of_texts(name: &str) -> Result<Vec<Tensor>, ElementError> {
    let all = |shape: &[usize], of: fn(usize) -> usize| {
        let count = shape.iter().product();
        let texts = (0..count).map(|at| texts::element(texts::TEXTS[of(at)]));
        tensor_of(Text, shape, texts.collect())
    };
    const COUNT: usize = 12;
    Ok(match name {
        "row" => vec![all(&[COUNT, 1], |at| at)?, all(&[COUNT], |at| at)?],
        _ => {
            let shape = [COUNT, COUNT];
            vec![all(&shape, |at| at / COUNT)?, all(&shape, |at| at % COUNT)?]
        }
    })
}
