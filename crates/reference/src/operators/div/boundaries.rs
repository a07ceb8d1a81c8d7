//! Dividends and divisors at the boundaries of quotients.

use num_traits::{ToPrimitive, Zero};
use values::dtype::DType;
use values::float::FloatFormat;

use super::Division;
use crate::boundaries::search::{
    closest_pairs, exponent, is_finer, numbers, odd_part, significands,
};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::Elementwise;
use crate::exact::Number;
use crate::exact::number::largest;
use crate::exact::real::Rational;
use crate::hard::inverse;
use crate::inputs::Tuple;

/// Those of a division.
pub(crate) struct Quotients(pub(crate) Division);

const FINER: &str = "a quotient m of a by b is exact where a = m b, so that the odd part of m's \
                     significand divides that of a and has no more bits than the precision; this \
                     number's has more";
const ABOVE_MAXIMUM: &str = "no quotient's magnitude is greater than its dividend's, so that only the \
                             minimum by -1 is above the maximum, and no specification decides that";
const BELOW_MINIMUM: &str = "no quotient's magnitude is greater than its dividend's";
const UNSIGNED: &str = "no quotient of unsigned integers is negative";

impl BoundaryInputs for Quotients {
    fn function(&self) -> &dyn Elementwise {
        &self.0
    }

    fn is_odd(&self) -> bool {
        true
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        closest_pairs(self, dtype, at, divisors, |divisor| Some(at * divisor))
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        match (Number::of(dtype)?, boundary.name, side) {
            (Number::Float(format), _, Side::On) => is_finer(format, &boundary.at).then_some(FINER),
            (Number::Int(int), "maximum", Side::Above) => {
                Some(if int.signed { ABOVE_MAXIMUM } else { BELOW_MINIMUM })
            }
            (Number::Int(_), "minimum", Side::Below) => Some(BELOW_MINIMUM),
            (Number::Int(int), "zero", Side::Below) => (!int.signed).then_some(UNSIGNED),
            _ => None,
        }
    }
}

/// Divisors such that dividends next to the boundary times the divisor are normal numbers. Among them are
/// those that solve `dividend * 2^shift = boundary * divisor + rest` for small rests, modulo a power of
/// two: no others come closer to the boundary, up to their size.
fn divisors(format: &FloatFormat, at: &Rational) -> Vec<u64> {
    if at.is_zero() {
        return vec![largest(format), largest(format) - 1];
    }
    let (precision, odd) = (format.precision(), odd_part(at));
    let length = odd.bits() as u32;
    let inverse = inverse(odd.to_u64().unwrap_or(1));
    let rests = [1, -1, 3, -3, 5, -5, 7, -7_i64].map(|rest| inverse.wrapping_mul(rest as u64));
    let solved = rests.into_iter().flat_map(|low| {
        // A dividend's bits are the divisor's, the boundary's and the shift's.
        let shifts = [length.saturating_sub(1), length].map(|shift| shift.clamp(1, precision));
        shifts.map(|shift| {
            let (all, known) = ((1_u64 << precision) - 1, (1_u64 << shift) - 1);
            all & !known | low & known
        })
    });
    let middle = 0.clamp(1 - format.bias - exponent(at) + 1, format.bias - exponent(at) - 1);
    numbers(format, middle, significands(format).into_iter().chain(solved))
}

#[cfg(test)]
mod tests {
    use num_traits::Signed;
    use values::element::Element;

    use super::*;
    use crate::boundaries::of;
    use crate::boundaries::search::{around, closest};
    use crate::exact::real::value;

    #[test]
    fn of_float16_no_divisor_gives_quotients_that_are_much_closer_than_those_found() {
        let (dtype, inputs) = (DType::Float16, Quotients(Division::Div));
        for Boundary { name, at } in of(dtype).into_iter().filter(|boundary| !boundary.at.is_zero())
        {
            let distance = |pair: Tuple| {
                let real =
                    Division::Div.real(dtype, &pair.map(|x| Element::Bits(dtype, x.into())), 0);
                (real.unwrap().enclosure.lower - &at).abs()
            };
            let found = inputs.closest(dtype, &at);
            // Every significand, at the exponent of the divisors that were found.
            let [_, b] = found[0].unwrap();
            let pairs = (0..0x400).map(|field| b & 0x7c00 | field).flat_map(|b| {
                let dividends = around(dtype, &(&at * value(dtype, b).unwrap()));
                dividends.into_iter().map(move |a| [a, b])
            });
            let least = closest(&inputs, dtype, &at, pairs);
            for (found, least) in found.into_iter().zip(least) {
                let [found, least] = [found, least].map(|pair| pair.map(distance));
                let eight = Rational::from_integer(8.into());
                assert!(
                    found <= least.clone().map(|least| least * eight),
                    "{name} {found:?} {least:?}"
                );
            }
        }
    }
}
