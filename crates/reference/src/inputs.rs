//! Inputs of sweeps. Spaces are sequences of operand tuples that are known by index, so that any part runs alone.

mod chain;
mod column;
mod computed;
mod grid;
pub(crate) mod patterns;
mod stratified;
pub(crate) mod texts;
mod triples;

pub use chain::{Chain, Part, Parts};
pub use column::Column;
pub use grid::Grid;
pub use stratified::{SEED, Stratified};
pub use triples::{Choices, Triples};

pub(crate) use computed::{Elements, Indexed, Sieve, Signed};
pub(crate) use triples::{Place, Runs, bounded, bounds_of, drawn, strata_of_runs};

use crate::exact::number::largest;
use values::float::FloatFormat;

/// A finite sequence of operand tuples. The tuple at an index is always the same, whichever part of
/// the sequence is asked for, on whichever machine.
pub trait Space: Send + Sync {
    /// Number of tuples.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the tuples from `first` on, as many as the columns are long, one column an operand.
    fn fill(&self, first: u64, operands: &mut [Column]);

    /// The named parts that follow each other and are the whole; none where it is of one kind.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }
}

/// The operands of a tuple: a single operand comes first, and what follows it is of no meaning.
pub type Tuple = [u64; 2];

/// Writes a tuple's operands to their columns.
fn set(operands: &mut [Column], at: usize, tuple: impl IntoIterator<Item = u64>) {
    for (column, bits) in operands.iter_mut().zip(tuple) {
        column.set(at, bits);
    }
}

/// The classes of special values by name, each with its positive and negative values in a format.
pub fn specials(format: &FloatFormat) -> [(&'static str, Vec<u64>); 5] {
    let field = format.significand_bits;
    let (smallest_normal, quiet) = (1 << field, 1 << (field - 1));
    let (one, infinity) = ((format.bias as u64) << field, largest(format) + 1);
    let three = one + smallest_normal + quiet;
    // Quiet without and with payload, then signalling with the smallest and the largest one.
    let nans =
        [quiet, quiet + 1, smallest_normal - 1, 1, quiet - 1].map(|payload| infinity + payload);
    let classes: [(_, &[u64]); 5] = [
        ("nan", &nans),
        ("infinity", &[infinity]),
        ("zero", &[0]),
        ("subnormal", &[1, 2, quiet - 1, smallest_normal - 1]),
        (
            "normal",
            &[smallest_normal, smallest_normal + 1, one - 1, one, one + 1, three, infinity - 1],
        ),
    ];
    classes.map(|(name, values)| {
        (name, values.iter().flat_map(|&bits| [bits, format.negated(bits)]).collect())
    })
}

/// The tuples of a whole space.
#[cfg(test)]
pub(crate) fn tuples(space: &dyn Space, dtype: values::dtype::DType) -> Vec<Tuple> {
    let len = usize::try_from(space.len()).unwrap();
    let mut operands = vec![Column::new(dtype); 2];
    operands.iter_mut().for_each(|column| column.resize(len));
    space.fill(0, &mut operands);
    (0..len).map(|at| [operands[0].element(at), operands[1].element(at)]).collect()
}

/// So many triples of a space from the first one on.
#[cfg(test)]
pub(crate) fn triples(
    space: &dyn Space,
    types: [values::dtype::DType; 3],
    first: u64,
    len: usize,
) -> Vec<[u64; 3]> {
    let mut operands = types.map(Column::new);
    operands.iter_mut().for_each(|column| column.resize(len));
    space.fill(first, &mut operands);
    (0..len).map(|at| [0, 1, 2].map(|operand| operands[operand].element(at))).collect()
}
