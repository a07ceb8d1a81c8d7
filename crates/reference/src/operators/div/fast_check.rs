//! The fast checks of quotients, by element type.

mod float;
mod integer;

use values::dtype::DType;

use crate::sweep::run::{FastChecks, Run};
use float::{Quotient, WideQuotient};
use integer::{Int8, Int16, Int32, Uint8, Uint16, Uint32};

/// Those of Div in ONNX.
pub(super) struct Quotients;

impl FastChecks for Quotients {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        match dtype {
            DType::Float16 => run.fast(Quotient::<10, 15>, columns),
            DType::Bfloat16 => run.fast(Quotient::<7, 127>, columns),
            DType::Float32 => run.fast(WideQuotient::<23, 127>, columns),
            DType::Int8 => run.fast(Int8, columns),
            DType::Int16 => run.fast(Int16, columns),
            DType::Int32 => run.fast(Int32, columns),
            DType::Uint8 => run.fast(Uint8, columns),
            DType::Uint16 => run.fast(Uint16, columns),
            DType::Uint32 => run.fast(Uint32, columns),
            _ => return false,
        }
        true
    }
}
