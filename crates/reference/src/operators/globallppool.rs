//! GlobalLpPool: the norm of each channel, as LpPool has it of windows.
//!
//! A channel without elements is no window of LpPool, and no text says what its norm is. Sources: ONNX's schemas of
//! GlobalLpPool-1, 2 and 22.

use super::lppool::{P, P_1, TYPES, TYPES_1, norms};
use crate::case_table::{self, Own};
use crate::families::computation::format_of;
use crate::families::pooling::Windows;
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Ports, Reference, TensorType, Version,
};

/// GlobalLpPool in ONNX's default domain.
pub static GLOBALLPPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-globallppool",
        catalogue: include_str!("globallppool/onnx-globallppool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("globallppool/cases.toml");
        case_table::cases(of, &GLOBALLPPOOL, &[table], Own::NONE)
    }),
    ..Operator::onnx("GlobalLpPool", OperatorKind::Composed, &VERSIONS, &GlobalLpPool)
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", TYPES_1) }.since(1, &[P_1]),
    const { Ports::new(["X"], "Y", TYPES_1) }.since(2, &[P]),
    const { Ports::new(["X"], "Y", &TYPES) }.since(22, &[P]),
];

struct GlobalLpPool;

impl Reference for GlobalLpPool {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![TensorType::new(call.input(0)?.dtype(), Windows::whole(call)?.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok(windows)) = (call.input(0), Windows::whole(call)) else {
            return Vec::new();
        };
        let Some(format) = format_of(data.dtype()) else { return Vec::new() };
        norms(call, data, format, windows, true)
    }
}
