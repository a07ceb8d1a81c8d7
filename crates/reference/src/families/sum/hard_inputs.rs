//! Hard sums: of floats those on midpoints, next to them, and of numbers that cancel, of integers those around each
//! end of the type.

mod floats;

use values::dtype::{DType, Kind};

use super::{Addition, boundaries::Sums};
use crate::exact::number::Int;
use crate::inputs::Parts;
use crate::inputs::patterns::{at_boundaries, corner_pairs, corners};
use crate::inputs::{Sieve, Space, Tuple};

/// Those of a type.
pub(crate) fn parts(addition: Addition, dtype: DType) -> Option<Parts> {
    let mut parts = match dtype.kind() {
        Kind::Float(format) => floats::parts(addition, *format),
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            vec![("boundaries", corner_pairs(int)), ("next to ends", around_ends(addition, int))]
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => return None,
    };
    parts.push(("thresholds", at_boundaries(&Sums(addition), dtype)));
    Some(parts)
}

/// Integers whose result lies next to an end of the type or of all sums or differences: for each corner as the first
/// operand, what brings it there, and its neighbours.
fn around_ends(addition: Addition, int: Int) -> Box<dyn Space> {
    let (min, max) = (int.min(), int.max());
    let corners = corners(int);
    let ends = [min, max, 2 * min, 2 * max, min - max, max - min];
    let candidates = (corners.len() * ends.len()) as u64;
    Box::new(Sieve::new(candidates, move |candidate| {
        let first = corners[(candidate % corners.len() as u64) as usize];
        let end = ends[(candidate / corners.len() as u64) as usize];
        let second = match addition {
            Addition::Sum => end - first,
            Addition::Difference => first - end,
        };
        (second - 2..=second + 2).filter_map(move |second| -> Option<Tuple> {
            Some([int.element(first)?, int.element(second)?])
        })
    }))
}
