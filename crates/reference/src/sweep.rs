//! Sweeps: whether every one of very many results is what the specification allows, and a tally of
//! them all.
//!
//! What is decided, is decided in integers on the bits. Where an operator has a fast check of a type,
//! most elements are decided many at a time, by inequalities that `docs/numerics.md` proves; whatever
//! these do not accept, and whatever might be the largest error so far, goes to the exact arithmetic
//! one by one. So a tally is the one that exact arithmetic alone would give, at another speed.

mod counts;
mod exact_checker;
pub(crate) mod fast_check;
mod run;
mod tally;
pub(crate) mod threshold;

use std::sync::Arc;

pub use exact_checker::Mismatch;
pub use run::{FastChecks, Run};
pub use tally::{BINS, Classes, LABELS, Largest, Tally, bin};

use values::dtype::DType;

use crate::call::{Attributes, Specification};
use crate::elementwise::Elementwise;
use crate::operator::Operator;

/// The check of one element-wise operator on one type, as ONNX's newest version has it.
#[derive(Clone)]
pub struct Check {
    operator: &'static Operator,
    function: Arc<dyn Elementwise>,
    dtype: DType,
    portable: bool,
}

/// Operands that a sweep takes at most.
pub const MAX_ARITY: usize = 2;

impl Check {
    /// The check of an operator on a type; `None` where the operator is not element-wise on one or two
    /// operands of the result's type, has no such type in its newest version, or the type has no bytes
    /// of its own.
    #[must_use]
    pub fn new(operator: &'static Operator, dtype: DType) -> Option<Self> {
        let version = operator.newest();
        let [output] = version.outputs else { return None };
        let uniform = version.inputs.iter().all(|port| port.variable == output.variable);
        let swept = uniform
            && (1..=MAX_ARITY).contains(&version.inputs.len())
            && output.types.contains(&dtype)
            && dtype.bits().is_some_and(|bits| bits >= 8 && bits <= 64);
        let attributes = Attributes::new();
        let function = operator.reference.elementwise(Specification::Onnx, &attributes)?;
        swept.then(|| Self { operator, function: function.into(), dtype, portable: false })
    }

    /// The same without the processor's newer vector instructions. It gives the same tally.
    #[must_use]
    pub fn portable(self) -> Self {
        Self { portable: true, ..self }
    }

    /// The operator.
    #[must_use]
    pub const fn operator(&self) -> &'static Operator {
        self.operator
    }

    /// The element type.
    #[must_use]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The function that decides each result.
    #[must_use]
    pub fn function(&self) -> &dyn Elementwise {
        &*self.function
    }

    /// Checks the results of the operator on as many elements as the shortest slice has, adds them
    /// to the tally, and tells of each mismatch in the order of the elements.
    ///
    /// Slices hold the elements' bits in little-endian bytes. Of `operands` there are as many as the
    /// operator has; if there are fewer, nothing is executed.
    pub fn run(
        &self,
        operands: &[&[u8]],
        results: &[u8],
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        let arity = self.operator.arity();
        let (Some(&first), Some(&last)) = (operands.first(), operands.get(arity.saturating_sub(1)))
        else {
            return;
        };
        let columns = [first, last, results];
        let mut run = Run::new(self, tally, mismatch);
        let fast = self.operator.fast_checks;
        if !fast.is_some_and(|fast| fast.run(self.dtype, &mut run, columns)) {
            run.exactly(columns);
        }
    }
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Check").field(&self.operator).field(&self.dtype).finish()
    }
}
