//! GlobalMaxPool: the largest element of each channel.
//!
//! Of a channel without elements nothing says what is its largest. Sources: ONNX's schemas of GlobalMaxPool-1 and 22.

use crate::case_table::{self, Own};
use crate::families::pooling::{Largest, Windows};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Ports, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// GlobalMaxPool in ONNX's default domain.
pub static GLOBALMAXPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-globalmaxpool",
        catalogue: include_str!("globalmaxpool/onnx-globalmaxpool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("globalmaxpool/cases.toml");
        case_table::cases(of, &GLOBALMAXPOOL, &[table], Own::NONE)
    }),
    ..Operator::onnx("GlobalMaxPool", OperatorKind::Exact, &VERSIONS, &GlobalMaxPool)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(22, &[]),
];

struct GlobalMaxPool;

impl Reference for GlobalMaxPool {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let windows = Windows::whole(call)?;
        Ok(vec![TensorType::new(call.input(0)?.dtype(), windows.shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (call.input(0), Windows::whole(call)) {
            (Ok(data), Ok(windows)) => {
                vec![Box::new(Largest { data, windows, is_total: false })]
            }
            _ => Vec::new(),
        }
    }
}
