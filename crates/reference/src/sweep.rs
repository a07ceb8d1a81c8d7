//! The check of sweeps: whether every one of very many results is what the specification allows,
//! and a tally of them all.
//!
//! What is decided, is decided in integers on the bits. Most elements are decided many at a time,
//! by inequalities that `docs/numerics.md` proves; whatever these do not accept, and whatever might
//! be the largest error so far, goes to the [`oracle`](crate::exact) one by one. So a tally is the
//! one that the oracle alone would give, at another speed.

mod counts;
mod integer;
mod look;
mod quotient;
mod reach;
mod root;
mod run;
mod settle;
mod tally;

pub use settle::Mismatch;
pub use tally::{BINS, Classes, LABELS, Largest, Tally, bin};

use values::dtype::{DType, Kind};
use run::Run;
use settle::Settler;

/// An element-wise operation on Div's or Sqrt's conditions of IEEE 754, or for integers SONNX's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The first operand divided by the second: [`Division::Div`](crate::exact::Division::Div).
    Div,
    /// The square root of the only operand, of a float type.
    Sqrt,
}

impl Operation {
    /// Number of operands.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Div => 2,
            Self::Sqrt => 1,
        }
    }
}

/// The check of one operation on one type.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    settler: Settler,
    portable: bool,
}

impl Check {
    /// The check of an operation on a type: Div on the four IEEE 754 formats of 16 bits and more
    /// (bfloat16 among them) and the integers of 8 bits and more, Sqrt on these floats. `None` for
    /// any other.
    #[must_use]
    pub fn new(operation: Operation, dtype: DType) -> Option<Self> {
        let swept = match (operation, dtype.kind()) {
            (_, Kind::Float(format)) => format.width() >= 16,
            (Operation::Div, Kind::Int { bits, .. }) => bits >= 8,
            _ => false,
        };
        swept.then_some(Self { settler: Settler { operation, dtype }, portable: false })
    }

    /// The same without the processor's newer vector instructions. It gives the same tally.
    #[must_use]
    pub const fn portable(self) -> Self {
        Self { portable: true, ..self }
    }

    /// Checks the results of the operation on as many elements as the shortest slice has, adds them
    /// to the tally, and tells of each mismatch in the order of the elements.
    ///
    /// Slices hold the elements' bits in little-endian bytes. Of `operands` there are as many as the
    /// operation has; if there are fewer, nothing is executed.
    pub fn run(
        &self,
        operands: &[&[u8]],
        results: &[u8],
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        let (Some(&first), Some(&last)) =
            (operands.first(), operands.get(self.settler.operation.arity() - 1))
        else {
            return;
        };
        let mut run = Run { check: *self, tally, mismatch };
        run.columns([first, last, results]);
    }
}
