//! Factors at the boundaries of products.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use super::Multiplication;
use crate::boundaries::search::{closest_pairs, exponent, numbers, odd_part, significands};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, bits_of};
use crate::exact::Number;
use crate::exact::real::{Enclosure, Rational, div, value};
use crate::inputs::Tuple;

/// Those of the product.
pub(crate) struct Products;

const UNSIGNED: &str = "no product of unsigned integers is negative";

impl BoundaryInputs for Products {
    fn function(&self) -> &dyn Elementwise {
        &Multiplication
    }

    fn is_odd(&self) -> bool {
        true
    }

    fn exact(&self, dtype: DType, operands: &[Element]) -> Option<Enclosure> {
        let [a, b] = bits_of(dtype, operands)?;
        Some(Enclosure::point(value(dtype, a)? * value(dtype, b)?))
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        closest_pairs(self, dtype, at, factors, |factor| div(at, factor))
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        match (Number::of(dtype)?, boundary.name, side) {
            (Number::Int(int), "zero", Side::Below) => (!int.signed).then_some(UNSIGNED),
            _ => None,
        }
    }
}

/// Factors such that those next to the boundary divided by them are normal numbers. Among them are small
/// divisors of the boundary, and some that give products close to it: with r^2 just below the boundary,
/// (r + j) (r - j + t) is r^2 + t r - j (j - t), which is closest where j (j - t) is t r less the rest.
pub(crate) fn factors(format: &FloatFormat, at: &Rational) -> Vec<u64> {
    const MULTIPLES: u32 = 8;
    if at.is_zero() {
        return vec![1, 2];
    }
    let precision = format.precision();
    let roots = [2 * precision - 1, 2 * precision].into_iter().flat_map(|length| {
        let odd = odd_part(at);
        let shift = u64::from(length).saturating_sub(odd.bits());
        let square: BigInt = odd << shift;
        let root = square.sqrt();
        let rest = &square - &root * &root;
        (1..=MULTIPLES).flat_map(move |more| {
            let more = BigInt::from(more);
            let square: BigInt = &more * &more + 4 * (&more * &root - &rest);
            let step: BigInt = (square.max(BigInt::zero()).sqrt() + more) / 2;
            let near: BigInt = &root + step;
            [near.to_u64(), (near + 1_u32).to_u64()].into_iter().flatten().collect::<Vec<_>>()
        })
    });
    let (low, high) = (exponent(at) - format.bias + 1, exponent(at) + format.bias - 2);
    let odd = odd_part(at);
    let divisors = (1..1_u64 << 10).step_by(2).filter(|&divisor| (&odd % divisor).is_zero());
    let all = significands(format).into_iter().chain(divisors).chain(roots);
    numbers(format, 0.clamp(low, high), all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries::{Solved, solved};

    #[test]
    fn integers_are_not_wrapped_before_their_side_is_told() {
        let pair = [0x40, 0x02].map(|bits| Element::Bits(DType::Int8, bits));
        let maximum = Rational::from(BigInt::from(127));
        assert_eq!(Products.side(DType::Int8, &pair, &maximum), Some(Side::Above));
    }

    #[test]
    fn products_of_float64_miss_boundaries_by_less_than_rounding_to_64_bits_does() {
        let dtype = DType::Float64;
        for Solved { boundary: Boundary { name, at }, sides } in solved(&Products, dtype).unwrap() {
            for solution in [sides[0], sides[2]].into_iter().filter(|_| !at.is_zero()) {
                let pair = solution.unwrap();
                let pair = pair.map(|bits| Element::Bits(dtype, bits.into()));
                let distance = Products.exact(dtype, &pair).unwrap().lower - &at;
                let distance = distance * Rational::from(BigInt::from(1) << 64) / &at;
                let one = Rational::from(BigInt::from(1));
                assert!(-one.clone() < distance && distance < one, "{name}");
            }
        }
    }
}
