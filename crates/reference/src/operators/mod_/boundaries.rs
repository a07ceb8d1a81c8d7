//! Operands at the boundaries of remainders, of which every element but the ends of the type is one.

use values::dtype::DType;

use super::Remainder;
use crate::boundaries::search::{around, closest};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::{Rational, value};
use crate::families::extremum::of_numbers;
use crate::inputs::Tuple;
use values::float::Specials;

/// Those of the remainder of integers whose sign is the divisor's, and of C's `fmod` of floats.
pub(super) struct Remainders;

const REMAINDER: Remainder = Remainder { fmod: false, since: 13 };

const END: &str =
    "a remainder is less in magnitude than the divisor, and no divisor is beyond this number";
const ABOVE: &str = "no remainder is greater than the largest number";

impl BoundaryInputs for Remainders {
    fn function(&self) -> &dyn Elementwise {
        &REMAINDER
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        // The divisors farthest from 0, by which what is nearer is its own remainder.
        let (divisors, end) = match Number::of(dtype) {
            Some(Number::Float(format)) => match format.specials {
                Specials::Ieee => (vec![largest(format) + 1], largest(format)),
                _ => (vec![largest(format)], largest(format)),
            },
            Some(Number::Int(int)) => {
                let ends = [int.min(), int.max()].map(|end| int.wrap(end));
                (ends.into_iter().filter(|end| *end != 0).collect(), int.wrap(int.max()))
            }
            None => return [None; 3],
        };
        let dividends = around(dtype, at).into_iter().chain([end - 1]);
        let pairs = dividends.flat_map(|x| divisors.iter().map(move |y| [x, *y]));
        closest(self, dtype, at, pairs)
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        let at = &boundary.at;
        let end = match Number::of(dtype)? {
            Number::Int(int) => {
                let [least, greatest] = [int.min(), int.max()].map(|end| int.wrap(end));
                let is_least = int.signed && *at == value(dtype, least)?;
                match side {
                    Side::Below if is_least => return Some(END),
                    Side::On if is_least => return Some(END),
                    _ => greatest,
                }
            }
            Number::Float(format) if format.specials == Specials::Ieee => {
                return of_numbers(dtype, boundary, side);
            }
            Number::Float(format) => largest(format),
        };
        // The numbers below the end, which is none of them.
        let last = value(dtype, end - 1)?;
        match side {
            Side::On if *at == value(dtype, end)? => Some(END),
            Side::Above if *at >= last => Some(ABOVE),
            _ => of_numbers(dtype, boundary, side),
        }
    }
}
