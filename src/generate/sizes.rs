//! Tensors of as many elements as a block, a vector of vectors or an index of some bits holds, and one less or
//! more. No two stretches of them are alike, so that a block that is repeated, skipped or moved shows.

use super::GenerateError;
use super::case::Case;
use crate::dtype::{DType, Kind};
use crate::random::Random;
use crate::tensor::Tensor;
use reference::elements::tensor;

/// What the cases are about.
const NOTE: &str = "as many elements as a block or an index has, or one less or more; no stretch of results \
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

/// The cases of an operator, each made by a function of type, name, operands and note. Operands are of both
/// signs where that is asked for.
pub(super) fn cases(
    operator: &str,
    arity: usize,
    signed: bool,
    case: impl Fn(DType, &str, Vec<Tensor>, &str) -> Result<Case, GenerateError>,
) -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for (dtype, sizes) in sizes(arity) {
        for size in sizes {
            let name = format!("size_{size}");
            let mut random = Random::for_case(&format!("{operator}/{dtype}/{name}"));
            let operands = (0..arity).map(|which| {
                let elements = (0..*size).map(|_| element(dtype, which, signed, &mut random));
                tensor(dtype, &[*size], &elements.collect::<Vec<_>>())
            });
            let operands = operands.collect::<Result<_, _>>()?;
            cases.push(case(dtype, &name, operands, NOTE)?);
        }
    }
    Ok(cases)
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
