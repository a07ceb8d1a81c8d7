//! The operands of the cases of division, by class.

mod float_pairs;
mod int_pairs;

use values::dtype::{DType, Kind};
use values::random::Random;

use crate::case_table::Own;
use crate::exact::number::Int;
use crate::inputs::Tuple;

/// What division makes itself for its cases.
pub(in crate::operators) const OWN: Own = Own { class: of_class, ..Own::NONE };

fn of_class(class: &str, dtype: DType, random: &mut Random) -> Option<Vec<Tuple>> {
    match dtype.kind() {
        Kind::Float(format) => float_pairs::of_class(class, format, random),
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            let pairs = int_pairs::of_class(class, int, random)?;
            Some(pairs.into_iter().map(|pair| pair.map(|value| int.wrap(value))).collect())
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}
