//! The fast check of LeakyRelu on float32, without an `alpha`: that of PRelu with the default as the slope.

use values::dtype::DType;

use super::DEFAULT;
use crate::operators::prelu::fast_check::Leak;
use crate::sweep::float_lanes::{self, Exact, FloatOperation};
use crate::sweep::run::{FastChecks, Run};

/// That of LeakyRelu.
pub(super) struct FastLeak;

impl FastChecks for FastLeak {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        // Other types may not have the default, so that there may be two results.
        dtype == DType::Float32 && float_lanes::run::<DefaultLeak>(dtype, run, columns)
    }
}

/// An element of float32, or where it is negative the product with the default of `alpha`.
#[derive(Clone, Copy)]
struct DefaultLeak;

impl FloatOperation for DefaultLeak {
    #[inline(always)]
    fn slack<const FIELD: u32>() -> u32 {
        Leak::slack::<FIELD>()
    }

    #[inline(always)]
    fn exact<const FIELD: u32, const BIAS: u32>(x: u32, _: u32) -> Exact {
        Leak::exact::<FIELD, BIAS>(x, DEFAULT)
    }
}
