//! GlobalAveragePool: the mean of each channel.
//!
//! A channel without elements has none. Sources: ONNX's schemas of GlobalAveragePool-1 and 22.

use super::averagepool::Means;
use crate::case_table::{self, Own};
use crate::families::pooling::Windows;
use crate::families::summing::Accumulated;
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Ports, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// GlobalAveragePool in ONNX's default domain.
pub static GLOBALAVERAGEPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-globalaveragepool",
        catalogue: include_str!("globalaveragepool/onnx-globalaveragepool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("globalaveragepool/cases.toml");
        case_table::cases(of, &GLOBALAVERAGEPOOL, &[table], Own::NONE)
    }),
    ..Operator::onnx("GlobalAveragePool", OperatorKind::Accumulated, &VERSIONS, &GlobalAveragePool)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

struct GlobalAveragePool;

impl Reference for GlobalAveragePool {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let windows = Windows::whole(call)?;
        Ok(vec![TensorType::new(call.input(0)?.dtype(), windows.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (call.input(0), Windows::whole(call)) {
            (Ok(data), Ok(windows)) => {
                vec![Box::new(Accumulated(Means {
                    data,
                    windows,
                    counts_padding: false,
                    open: None,
                }))]
            }
            _ => Vec::new(),
        }
    }
}
