//! Other elements of the same class as a given one.

use values::dtype::{DType, Kind};
use values::element::Element;
use values::float::{Class, FloatFormat};
use values::random::Random;

use crate::exact::number::{Int, largest};
use crate::inputs::specials;

/// Exponents move by at most this much.
const FARTHEST: i128 = 4;

/// An element of the same type, sign, size and number of significant bits: of floats in the same binade, of
/// integers below the same power of two. Special values and powers of two have no other such element but
/// themselves; a NaN has another payload.
pub(super) fn alike(element: &Element, random: &mut Random) -> Element {
    let &Element::Bits(dtype, bits) = element else { return element.clone() };
    let of_word = |bits: u64, random: &mut Random| match dtype.kind() {
        Kind::Float(format) => float_alike(format, bits, random),
        Kind::Int { signed, bits: width } => {
            integer_alike(Int { signed, bits: width }, bits, random)
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => bits,
    };
    match u64::try_from(bits) {
        Ok(word) if !matches!(dtype.kind(), Kind::Complex(_)) => {
            Element::Bits(dtype, of_word(word, random).into())
        }
        _ => element.clone(),
    }
}

fn float_alike(format: &FloatFormat, bits: u64, random: &mut Random) -> u64 {
    let field = (1 << format.significand_bits) - 1;
    let fraction = bits & field;
    match format.class(bits) {
        Class::Nan => {
            // Quiet ones stay quiet, and signalling ones signalling.
            let payload = field >> 1;
            let drawn = bits & !payload | random.bits() & payload;
            if format.class(drawn) == Class::Nan { drawn } else { bits }
        }
        Class::Infinite | Class::Zero => bits,
        Class::Subnormal | Class::Normal if is_special(format, bits) => bits,
        Class::Subnormal => bits & !field | significand_alike(fraction, random),
        Class::Normal => {
            let significand = significand_alike(fraction | (field + 1), random);
            let drawn = bits & !field | significand & field;
            // Formats without infinities have NaN among the numbers of the highest binade.
            if format.class(drawn) == Class::Normal { drawn } else { bits }
        }
    }
}

fn integer_alike(int: Int, bits: u64, random: &mut Random) -> u64 {
    let value = int.value(bits);
    let is_at_edge = value - int.min() < 3 || int.max() - value < 3;
    let Ok(magnitude) = u64::try_from(value.unsigned_abs()) else { return bits };
    if value.abs() < 3 || is_at_edge {
        return bits;
    }
    let drawn = i128::from(significand_alike(magnitude, random));
    int.element(if value < 0 { -drawn } else { drawn }).unwrap_or(bits)
}

/// A number with the same highest and lowest bit that is set; the bits between are drawn.
fn significand_alike(significand: u64, random: &mut Random) -> u64 {
    if significand == 0 {
        return 0;
    }
    let ends =
        1 << (u64::BITS - 1 - significand.leading_zeros()) | 1 << significand.trailing_zeros();
    let below_highest = (1_u64 << (u64::BITS - 1 - significand.leading_zeros())) - 1;
    let above_lowest = !((1 << significand.trailing_zeros()) - 1);
    ends | random.bits() & below_highest & above_lowest
}

/// Whether the special values of a format hold this number, three apart, which is an ordinary one. The smallest
/// formats have no other numbers.
fn is_special(format: &FloatFormat, bits: u64) -> bool {
    if format.significand_bits < 2 {
        return true;
    }
    let one = (format.bias as u64) << format.significand_bits;
    let three = one + (3 << format.significand_bits >> 1);
    let magnitude = format.magnitude(bits);
    let all = specials(format);
    magnitude != three && all.iter().any(|(_, values)| values.contains(&magnitude))
}

/// How far exponents move: not at all is none.
pub(super) fn distance(random: &mut Random) -> i64 {
    let drawn = random.between(1, FARTHEST) as i64;
    if random.bits() & 1 == 1 { -drawn } else { drawn }
}

/// The element times a power of two, where both are normal numbers of a float type and none is next to the
/// end of the format; an integer times an odd number, where none is a large one; else itself.
pub(super) fn scaled(element: &Element, by: i64) -> Element {
    let &Element::Bits(dtype, bits) = element else { return element.clone() };
    if let (Kind::Int { signed, bits: width }, Ok(word)) = (dtype.kind(), u64::try_from(bits)) {
        let int = Int { signed, bits: width };
        let product = int.value(word) * i128::from(2 * by.abs() + 1);
        let is_large = product.abs() > int.max() >> 1;
        let product = int.element(product).filter(|_| !is_large).unwrap_or(word);
        return Element::Bits(dtype, product.into());
    }
    let (Kind::Float(format), Ok(word)) = (dtype.kind(), u64::try_from(bits)) else {
        return element.clone();
    };
    let lowest = 2;
    let highest = (largest(format) >> format.significand_bits) as i64 - 2;
    let exponent = (format.magnitude(word) >> format.significand_bits) as i64;
    let is_inside = |exponent: i64| (lowest..=highest).contains(&exponent);
    if format.class(word) != Class::Normal || !is_inside(exponent) || !is_inside(exponent + by) {
        return element.clone();
    }
    let moved = word.wrapping_add((by << format.significand_bits) as u64);
    Element::Bits(dtype, moved.into())
}

/// Whether [`scaled`] has to leave an element alone among the operands of one place: ones and their neighbours
/// are special values.
pub(super) fn is_fixed(element: &Element) -> bool {
    let &Element::Bits(dtype, bits) = element else { return true };
    match (dtype.kind(), u64::try_from(bits)) {
        (Kind::Float(format), Ok(word)) => is_special(format, word),
        _ => true,
    }
}

/// An element of a type whatever its value: floats and complex numbers of ordinary size, integers from 1 on,
/// truth values and texts.
pub(super) fn any(dtype: DType, random: &mut Random) -> Element {
    let float = |format: &FloatFormat, random: &mut Random| -> u64 {
        let fraction = random.bits() & ((1 << format.significand_bits) - 1);
        let biased = (i128::from(format.bias) + random.between(0, 1)) as u64;
        biased << format.significand_bits | fraction
    };
    let bits = match dtype.kind() {
        Kind::Float(format) => float(format, random).into(),
        Kind::Complex(format) => {
            let [real, imaginary] = [float(format, random), float(format, random)];
            u128::from(real) | u128::from(imaginary) << format.width()
        }
        Kind::Int { bits, .. } => {
            let most = if bits < 8 { 1 << (bits - 1) } else { 100 };
            random.between(1, i128::max(1, most - 1)) as u128
        }
        Kind::Bool => u128::from(random.bits() & 1),
        Kind::String => return Element::String(format!("{:x}", random.bits()).into()),
    };
    Element::Bits(dtype, bits)
}

/// A substitution of elements that are moved, not computed: no two elements become one, numbers keep sign,
/// binade and kind, special values but NaNs stay, and texts keep their length.
pub(super) struct Substitution {
    factor: u64,
    summand: u64,
}

impl Substitution {
    pub(super) const fn drawn(random: &mut Random) -> Self {
        Self { factor: random.bits() | 1, summand: random.bits() }
    }

    pub(super) fn of(&self, element: &Element) -> Element {
        let (dtype, bits) = match element {
            Element::String(text) => {
                let moved = text.iter().map(|&byte| self.letter(byte));
                return Element::String(moved.collect::<Vec<u8>>().into());
            }
            Element::Bits(dtype, bits) => (*dtype, *bits),
        };
        let other = match dtype.kind() {
            Kind::Float(format) => match u64::try_from(bits) {
                Ok(word) => self.float(format, word).into(),
                Err(_) => bits,
            },
            Kind::Complex(format) => {
                let [real, imaginary] = format.parts(bits).map(|part| self.float(format, part));
                u128::from(real) | u128::from(imaginary) << format.width()
            }
            Kind::Int { bits: width, .. } => {
                let moved = (bits as u64).wrapping_mul(self.factor).wrapping_add(self.summand);
                (moved & u64::MAX >> (u64::BITS - width)).into()
            }
            Kind::Bool => bits ^ u128::from(self.summand & 1),
            Kind::String => bits,
        };
        Element::Bits(dtype, other)
    }

    /// The fraction is masked, which undoes itself: where either number is a special value, both stay.
    fn float(&self, format: &FloatFormat, bits: u64) -> u64 {
        let field = (1 << format.significand_bits) - 1;
        let masked = bits ^ self.summand & if is_nan(format, bits) { field >> 1 } else { field };
        let stays = |bits| !is_nan(format, bits) && is_special(format, format.magnitude(bits));
        let is_alike = format.class(bits) == format.class(masked);
        if is_alike && !stays(bits) && !stays(masked) { masked } else { bits }
    }

    /// Digits become digits.
    fn letter(&self, byte: u8) -> u8 {
        if byte.is_ascii_digit() {
            b'0' + ((u64::from(byte - b'0') + 1 + self.summand % 9) % 10) as u8
        } else {
            byte
        }
    }
}

fn is_nan(format: &FloatFormat, bits: u64) -> bool {
    format.class(bits) == Class::Nan
}

#[cfg(test)]
mod tests {
    use super::*;
    use values::dtype::integer;

    const TYPES: [DType; 6] = [
        DType::Float16,
        DType::Bfloat16,
        DType::Float8E4M3Fn,
        DType::Float8E5M2Fnuz,
        DType::Int8,
        DType::Uint16,
    ];

    fn all(dtype: DType) -> impl Iterator<Item = Element> {
        (0..1_u128 << dtype.bits().unwrap()).map(move |bits| Element::Bits(dtype, bits))
    }

    fn bits(element: &Element) -> u64 {
        match element {
            Element::Bits(_, bits) => *bits as u64,
            Element::String(_) => panic!("{element}"),
        }
    }

    #[test]
    fn an_element_alike_has_the_same_sign_size_and_significant_bits() {
        let mut random = Random::new(1);
        for dtype in TYPES {
            let mut others = 0;
            for element in all(dtype) {
                let other = alike(&element, &mut random);
                others += u32::from(other != element);
                let (before, after) = (bits(&element), bits(&other));
                match dtype.kind() {
                    Kind::Float(format) => {
                        assert_eq!(format.class(before), format.class(after), "{element} {other}");
                        assert_eq!(format.is_negative(before), format.is_negative(after));
                        if !is_nan(format, before) {
                            let field = format.significand_bits;
                            assert_eq!(before >> field, after >> field, "{element} {other}");
                        }
                    }
                    Kind::Int { signed, bits } => {
                        let [before, after] =
                            [before, after].map(|bits_| integer(bits_.into(), signed, bits));
                        assert_eq!(before.signum(), after.signum());
                        let [a, b] = [before, after].map(i128::unsigned_abs);
                        assert_eq!(a.leading_zeros(), b.leading_zeros(), "{element} {other}");
                        assert_eq!(a.trailing_zeros(), b.trailing_zeros(), "{element} {other}");
                    }
                    _ => panic!("{dtype}"),
                }
            }
            assert!(others > 20, "{dtype} {others}");
        }
    }

    #[test]
    fn a_number_alike_is_no_nan_where_a_format_has_both_in_one_binade() {
        let mut random = Random::new(1);
        for drawn in (0..100).map(|_| alike(&Element::Bits(DType::Float8E4M3Fn, 0x7d), &mut random))
        {
            assert!((0x78..0x7f).contains(&bits(&drawn)), "{drawn}");
        }
    }

    #[test]
    fn no_two_elements_are_substituted_by_one() {
        for dtype in TYPES.into_iter().chain([DType::Uint4, DType::Int2, DType::Bool]) {
            let substitution = Substitution::drawn(&mut Random::new(7));
            let mut others: Vec<u64> =
                all(dtype).map(|element| bits(&substitution.of(&element))).collect();
            let count = others.len();
            others.sort_unstable();
            others.dedup();
            assert_eq!(others.len(), count, "{dtype}");
        }
    }

    #[test]
    fn a_number_times_a_power_of_two_keeps_its_significand_and_stays_inside_its_format() {
        for element in all(DType::Float16) {
            let Kind::Float(format) = DType::Float16.kind() else { panic!() };
            for by in [-4, -1, 1, 4] {
                let (before, after) = (bits(&element), bits(&scaled(&element, by)));
                assert_eq!(format.class(before), format.class(after));
                assert_eq!(before & 0x83ff, after & 0x83ff);
                if before != after {
                    let factor = 2_f64.powi(by as i32);
                    assert_eq!(format.to_f64(after), format.to_f64(before) * factor);
                }
            }
        }
    }
}
