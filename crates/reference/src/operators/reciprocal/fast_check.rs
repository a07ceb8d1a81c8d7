//! The fast checks of reciprocals: those of quotients whose dividend is 1.

use values::dtype::DType;

use crate::operators::div::fast_check::{Quotient, WideQuotient};
use crate::sweep::fast_check::{Checked, FastCheck};
use crate::sweep::run::{FastChecks, Run};

/// Those of Reciprocal.
pub(super) struct FastReciprocals;

impl FastChecks for FastReciprocals {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        match dtype {
            DType::Float16 => run.fast(|it| OneBy(Quotient::<10, 15>(it)), columns),
            DType::Bfloat16 => run.fast(|it| OneBy(Quotient::<7, 127>(it)), columns),
            DType::Float32 => run.fast(|it| OneBy(WideQuotient::<23, 127>(it)), columns),
            _ => return false,
        }
        true
    }
}

/// The check of 1 by the operand, by one of quotients.
#[derive(Clone, Copy)]
struct OneBy<Q>(Q);

impl<const FIELD: u8, const BIAS: i16> FastCheck<2> for OneBy<Quotient<FIELD, BIAS>> {
    #[inline(always)]
    fn check(self, x: [u8; 2], _: [u8; 2], result: [u8; 2]) -> Checked {
        self.0.check((BIAS << FIELD).to_le_bytes(), x, result)
    }
}

impl<const FIELD: u8, const BIAS: i32> FastCheck<4> for OneBy<WideQuotient<FIELD, BIAS>> {
    #[inline(always)]
    fn check(self, x: [u8; 4], _: [u8; 4], result: [u8; 4]) -> Checked {
        self.0.check((BIAS << FIELD).to_le_bytes(), x, result)
    }
}
