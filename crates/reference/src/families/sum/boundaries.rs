//! Operands at the boundaries of sums.

use num_traits::Zero;
use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat};

use super::Addition;
use crate::boundaries::search::{around, closest_pairs};
use crate::boundaries::{Boundary, BoundaryInputs, Side};
use crate::elementwise::{Elementwise, bits_of};
use crate::exact::Number;
use crate::exact::real::{Enclosure, Rational, value};
use crate::inputs::Tuple;

/// Those of a sum or of a difference.
pub(crate) struct Sums(pub(crate) Addition);

const FINER: &str = "every sum of numbers is a multiple of the smallest subnormal number";
const UNSIGNED: &str = "no sum of unsigned integers is negative";
const MINUEND: &str = "no difference of unsigned integers is above the first one";

impl BoundaryInputs for Sums {
    fn function(&self) -> &dyn Elementwise {
        &self.0
    }

    fn is_odd(&self) -> bool {
        true
    }

    fn negated(&self, format: &FloatFormat, pair: Tuple) -> Tuple {
        pair.map(|bits| format.negated(bits))
    }

    fn exact(&self, dtype: DType, operands: &[Element]) -> Option<Enclosure> {
        let [a, b] = bits_of(dtype, operands)?;
        let (a, b) = (value(dtype, a)?, value(dtype, b)?);
        Some(Enclosure::point(match self.0 {
            Addition::Sum => a + b,
            Addition::Difference => a - b,
        }))
    }

    fn closest(&self, dtype: DType, at: &Rational) -> [Option<Tuple>; 3] {
        let seconds = |format: &FloatFormat, at: &Rational| match self.0 {
            Addition::Sum => addends(dtype, format, at),
            Addition::Difference => addends(dtype, format, &-at),
        };
        closest_pairs(self, dtype, at, seconds, |second| {
            Some(match self.0 {
                Addition::Sum => at - second,
                Addition::Difference => at + second,
            })
        })
    }

    fn proof(&self, dtype: DType, boundary: &Boundary, side: Side) -> Option<&'static str> {
        match (Number::of(dtype)?, boundary.name, side) {
            (Number::Float(_), _, Side::On) => {
                let is_multiple = (&boundary.at / value(dtype, 1)?).is_integer();
                (!is_multiple).then_some(FINER)
            }
            (Number::Int(int), "zero", Side::Below) => {
                (!int.signed && self.0 == Addition::Sum).then_some(UNSIGNED)
            }
            (Number::Int(int), "maximum", Side::Above) => {
                (!int.signed && self.0 == Addition::Difference).then_some(MINUEND)
            }
            _ => None,
        }
    }
}

/// Numbers to add for a sum close to a boundary; all of 8 bits. The first makes most of the sum cancel, the second is
/// half of it, and the last are what the boundary's neighbours in the format are short of it: next to nothing where the
/// format has the boundary, a half of the last place where it is halfway.
fn addends(dtype: DType, format: &FloatFormat, at: &Rational) -> Vec<u64> {
    if format.width() == 8 {
        let is_number = |&bits: &u64| !matches!(format.class(bits), Class::Nan | Class::Infinite);
        return (0..256).filter(is_number).collect();
    }
    let cancelling =
        if at.is_zero() { value(dtype, 1 << format.significand_bits) } else { Some(-at) };
    let half = at / Rational::from_integer(2.into());
    let rests = around(dtype, at).into_iter().filter_map(|near| Some(at - value(dtype, near)?));
    let targets = cancelling.into_iter().chain([half]).chain(rests);
    targets.flat_map(|target| around(dtype, &target)).collect()
}

#[cfg(test)]
mod tests {
    use num_traits::Signed;

    use super::*;
    use crate::boundaries::{Solved, solved};
    use crate::exact::real::power_of_two;

    fn sides(addition: Addition, dtype: DType, name: &str) -> Vec<[Option<Tuple>; 3]> {
        let all = solved(&Sums(addition), dtype).unwrap().into_iter();
        let named = all.filter(|Solved { boundary, .. }| boundary.name == name);
        named.map(|Solved { sides, .. }| sides.map(Result::ok)).collect()
    }

    #[test]
    fn zero_is_what_numbers_leave_that_cancel() {
        let found = sides(Addition::Sum, DType::Float16, "zero");
        assert_eq!(
            found,
            [[Some([0x8400, 0x03ff]), Some([0x83ff, 0x03ff]), Some([0x83fe, 0x03ff])]]
        );
        let found = sides(Addition::Difference, DType::Float16, "zero");
        assert_eq!(
            found,
            [[Some([0x03fe, 0x03ff]), Some([0x03ff, 0x03ff]), Some([0x0400, 0x03ff])]]
        );
    }

    #[test]
    fn a_number_is_missed_by_the_smallest_subnormal_one_alone() {
        for addition in [Addition::Sum, Addition::Difference] {
            for dtype in [DType::Float16, DType::Float64] {
                for Solved { boundary, sides } in solved(&Sums(addition), dtype).unwrap() {
                    if boundary.name != "power of two" {
                        continue;
                    }
                    let [below, on, above] = sides.map(|pair| {
                        let pair = pair.unwrap().map(|bits| Element::Bits(dtype, bits.into()));
                        Sums(addition).exact(dtype, &pair).unwrap().lower
                    });
                    let least = value(dtype, 1).unwrap();
                    assert_eq!([&on - below, above - &on], [least.clone(), least]);
                    assert_eq!(on, boundary.at);
                }
            }
        }
    }

    #[test]
    fn a_midpoint_of_float32_is_missed_by_the_last_place_of_half_a_unit() {
        let dtype = DType::Float32;
        for Solved { boundary: Boundary { name, at }, sides } in
            solved(&Sums(Addition::Sum), dtype).unwrap()
        {
            // From 1 to 2 a midpoint is half of 2^-23, whose neighbours are 2^-48 and 2^-47 away.
            let one = Rational::from_integer(1.into());
            if !name.starts_with("halfway above an") || at.abs() < one || at.abs() > &one + &one {
                continue;
            }
            for pair in [sides[0], sides[2]] {
                let pair = pair.unwrap().map(|bits| Element::Bits(dtype, bits.into()));
                let sum = Sums(Addition::Sum).exact(dtype, &pair).unwrap().lower;
                assert_eq!((sum - &at).abs(), power_of_two(-48), "{name}");
            }
        }
    }
}
