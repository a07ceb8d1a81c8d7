//! Inputs of sweeps. Spaces are sequences of operand tuples that are known by index, so that any part runs alone.

mod chain;
mod column;
mod computed;
mod grid;
pub(crate) mod patterns;
mod signed;
mod specials;
mod stratified;

pub use chain::{Chain, Part};
pub use column::Column;
pub use grid::{Grid, Line};
pub use stratified::Stratified;

pub use patterns::Parts;
pub use specials::specials;
pub use stratified::SEED;

pub(crate) use computed::{Indexed, Sieve};
pub(crate) use signed::Signed;

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
fn set(operands: &mut [Column], at: usize, tuple: Tuple) {
    for (column, bits) in operands.iter_mut().zip(tuple) {
        column.set(at, bits);
    }
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
