//! Tensors of as many elements as a block, a vector of vectors or an index of some bits holds, and one less or
//! more. No two stretches of them are alike, so that a block that is repeated, skipped or moved shows.

use values::dtype::{DType, Kind};
use values::random::Random;
use values::tensor::Tensor;

use crate::elements::{ElementError, tensor};

/// The shape of long operands: more elements than any block or vector of a kernel holds, a multiple of
/// neither, in three dimensions that tell rows from columns.
pub(super) const LONG: [usize; 3] = [3, 7, 61];

/// Shapes of every rank from 0 to 6, one longer than a block or a vector of a kernel, without elements,
/// and with sizes of 1; each with a name.
pub(super) const SHAPES: [(&str, &[usize]); 13] = [
    ("rank_0", &[]),
    ("rank_1", &[5]),
    ("rank_2", &[2, 3]),
    ("rank_3", &[2, 3, 2]),
    ("rank_3_long", &LONG),
    ("rank_4", &[2, 1, 3, 2]),
    ("rank_5", &[2, 3, 1, 2, 2]),
    ("rank_6", &[2, 1, 2, 1, 3, 2]),
    ("size_1", &[1]),
    ("size_1x1x1", &[1, 1, 1]),
    ("empty", &[0]),
    ("empty_2x0x3", &[2, 0, 3]),
    ("empty_0x0", &[0, 0]),
];

/// What cases of long operands are about.
pub(super) const LONG_NOTE: &str =
    "more elements than a block or a vector of a kernel, and a multiple of neither";

/// What the cases are about.
pub(super) const NOTE: &str = "as many elements as a block or an index has, or one less or more; no stretch of results \
                    comes twice";

/// Sizes and the type that each has a case of: narrower types for larger sizes, which keeps the files small.
const fn sizes(arity: usize) -> [(DType, &'static [usize]); 3] {
    let widest: &[usize] = &[255, 256, 257, 1_023, 1_024, 1_025, 4_097];
    [
        (DType::Float32, widest),
        (DType::Float16, &[4_095, 4_096]),
        (if arity == 2 { DType::Uint8 } else { DType::Float16 }, &[65_537]),
    ]
}

/// The operands of an operator of so many in one case of such a size.
pub(super) struct Sized {
    pub(super) dtype: DType,
    /// The name of the case.
    pub(super) name: String,
    pub(super) operands: Vec<Tensor>,
}

/// The operands for all sizes, of both signs where that is asked for, drawn for an operator by its folder.
pub(super) fn operands(
    folder: &str,
    arity: usize,
    signed: bool,
) -> Result<Vec<Sized>, ElementError> {
    let mut all = Vec::new();
    for (dtype, sizes) in sizes(arity) {
        for size in sizes {
            let name = format!("size_{size}");
            let mut random = Random::for_case(&format!("{folder}/{dtype}/{name}"));
            let operands = (0..arity).map(|which| {
                let elements = (0..*size).map(|_| element(dtype, which, signed, &mut random));
                tensor(dtype, &[*size], &elements.collect::<Vec<_>>())
            });
            all.push(Sized { dtype, name, operands: operands.collect::<Result<_, _>>()? });
        }
    }
    Ok(all)
}

/// A number of ordinary size: of floats from 2^-3 to 2^4, of integers any as the first operand and a small
/// one, not zero, as the second, so that quotients differ.
fn element(dtype: DType, which: usize, signed: bool, random: &mut Random) -> u64 {
    let bits = random.bits();
    match dtype.kind() {
        Kind::Float(format) => {
            let field = bits & ((1 << format.significand_bits) - 1);
            let exponent = (i128::from(format.bias) + random.between(-3, 3)) as u64;
            let magnitude = exponent << format.significand_bits | field;
            let negative = signed && random.bits() & 1 == 1;
            if negative { format.negated(magnitude) } else { magnitude }
        }
        Kind::Int { bits: width, .. } if which == 0 => bits & u64::MAX >> (u64::BITS - width),
        _ => 1 + bits % 7,
    }
}
