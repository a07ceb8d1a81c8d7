//! Bases and exponents at the boundaries of powers.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use values::dtype::DType;

use super::Exponentiation;
use crate::boundaries::search::{closest_pairs, is_finer, odd_part};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elements::whole;
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::{Rational, sqrt, value};
use crate::families::function::one;
use crate::inputs::Tuple;

/// Those of the power function. The exponents that are looked at are 1, 2, 3 and -1, and of powers of two their own.
pub(super) struct Powers;

const FUNCTION: Exponentiation = Exponentiation { is_sonnx: false };

const NO_POWER: &str = "no element is this number, nor its square, nor the square of that and so on, and its odd part is no power";
const NOT_HELD: &str = "what becomes of integer powers that the type does not hold is open";

impl BoundaryInputs for Powers {
    fn function(&self) -> &dyn Elementwise {
        &FUNCTION
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let binary = binary_exponent(at);
        closest_pairs(
            self,
            dtype,
            at,
            |format, _| {
                let one = one(format);
                let unit = 1 << format.significand_bits;
                let few = [one, one + unit, one + unit + unit / 2, format.negated(one)];
                let binary = binary.and_then(|exponent| whole(dtype, exponent.into()).ok());
                few.into_iter().chain(binary).collect()
            },
            |exponent| match exponent.to_integer().to_i64() {
                _ if !exponent.is_integer() => None,
                // What no element is to the first power may be one of 2.
                exponent if exponent.is_some() && exponent == binary => {
                    Some(Rational::from_integer(2.into()))
                }
                Some(1) => Some(at.clone()),
                Some(2) => Some(sqrt(&at.abs(), 128)?.lower),
                Some(3) => Some(cube_root(at)),
                Some(-1) if !at.is_zero() => Some(at.recip()),
                _ => None,
            },
        )
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        let at = &boundary.at;
        match Number::of(dtype)? {
            Number::Int(int) => {
                let [least, most] =
                    [int.min(), int.max()].map(|end| Rational::from_integer(end.into()));
                let is_open = match side {
                    Side::Below => *at <= least,
                    Side::On => *at < least || *at > most,
                    Side::Above => *at >= most,
                };
                is_open.then_some(NOT_HELD)
            }
            Number::Float(format) => {
                // A power above the largest number is that of a square, as below the smallest one.
                let smallest = value(dtype, 1)?;
                let is_element = !is_finer(format, at)
                    && (at / smallest).is_integer()
                    && *at <= value(dtype, largest(format))?;
                let is_on =
                    is_element || at.is_zero() || odd_part(at).is_one() || is_power(&odd_part(at));
                (side == Side::On && !is_on).then_some(NO_POWER)
            }
        }
    }
}

/// The exponent of a power of two that is far from 1.
fn binary_exponent(number: &Rational) -> Option<i64> {
    let is_power =
        number.is_positive() && odd_part(number).is_one() && odd_part(&number.recip()).is_one();
    let exponent = number.numer().bits() as i64 - number.denom().bits() as i64;
    (is_power && exponent.abs() > 3).then_some(exponent)
}

/// The third root of a number, to 64 bits or so.
fn cube_root(number: &Rational) -> Rational {
    let scale: BigInt = BigInt::one() << 4000_u32;
    let cubed = &scale * &scale * &scale;
    let scaled = (number * Rational::from(cubed)).to_integer();
    Rational::new(scaled.cbrt(), scale)
}

/// Whether an odd integer is a power of another one.
fn is_power(odd: &BigInt) -> bool {
    (2..=odd.bits() as u32).any(|by| odd.nth_root(by).pow(by) == *odd)
}
