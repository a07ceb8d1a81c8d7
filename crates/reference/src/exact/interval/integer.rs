//! Integers of any size, of which those of up to 384 bits need no memory of their own.
//!
//! The ends of intervals are such: of 128 bits as a rule, and twice as many while they are multiplied.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Shl, Shr, Sub};

use num_bigint::{BigInt, BigUint, Sign};

const LIMBS: usize = 6;

/// The limbs of a dividend.
const TWICE: usize = 2 * LIMBS;

/// Digits of 64 bits, the lowest first.
type Limbs = [u64; LIMBS];

/// An integer.
#[derive(Clone, Debug)]
pub(crate) enum Integer {
    /// A magnitude with its sign; zero is not negative.
    Short { is_negative: bool, limbs: Limbs },
    /// One with more digits than that.
    Long(BigInt),
}

use Integer::{Long, Short};

impl Integer {
    pub(crate) const ZERO: Self = Self::small(0);
    pub(crate) const ONE: Self = Self::small(1);

    const fn small(number: u64) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[0] = number;
        Short { is_negative: false, limbs }
    }

    #[inline]
    fn short(is_negative: bool, limbs: Limbs) -> Self {
        Short { is_negative: is_negative && !are_zero(&limbs), limbs }
    }

    /// The same as an integer of a crate that knows more of them.
    pub(crate) fn big(&self) -> BigInt {
        match self {
            Long(number) => number.clone(),
            Short { is_negative, limbs } => {
                let digits = limbs.iter().flat_map(|limb| [*limb as u32, (limb >> 32) as u32]);
                let sign = if *is_negative { Sign::Minus } else { Sign::Plus };
                BigInt::from_biguint(sign, BigUint::new(digits.collect()))
            }
        }
    }

    #[inline]
    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Short { is_negative, .. } => *is_negative,
            Long(number) => number.sign() == Sign::Minus,
        }
    }

    #[inline]
    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Short { limbs, .. } if are_zero(limbs))
    }

    pub(crate) fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The bits of its magnitude, without leading zeros.
    pub(crate) fn bits(&self) -> u64 {
        match self {
            Short { limbs, .. } => length(limbs).into(),
            Long(number) => number.bits(),
        }
    }

    /// The zeros below the lowest bit of its magnitude that is not 0; `None` for 0.
    pub(crate) fn trailing_zeros(&self) -> Option<u64> {
        match self {
            Short { limbs, .. } => {
                let at = limbs.iter().position(|limb| *limb != 0)?;
                Some(u64::from(u64::BITS) * at as u64 + u64::from(limbs[at].trailing_zeros()))
            }
            Long(number) => number.trailing_zeros(),
        }
    }

    pub(crate) fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The lowest 128 bits of its magnitude.
    pub(crate) fn low_bits(&self) -> u128 {
        let [low, high] = match self {
            Short { limbs: [low, high, ..], .. } => [*low, *high],
            Long(number) => {
                let mut digits = number.iter_u64_digits();
                [(); 2].map(|()| digits.next().unwrap_or(0))
            }
        };
        u128::from(high) << u64::BITS | u128::from(low)
    }

    /// The greatest integer at most the quotient of this times `2^by` by a number above 0.
    pub(crate) fn floor_quotient(&self, by: u64, divisor: &Self) -> Self {
        if let (Short { is_negative, limbs }, Short { limbs: divisor, .. }) = (self, divisor)
            && by.saturating_add(length(limbs).into()) <= u64::from(u64::BITS) * TWICE as u64
        {
            let (quotient, is_exact) = quotient(&shifted_far(limbs, by), divisor);
            if let [mut rounded @ .., 0, 0, 0, 0, 0, 0] = quotient {
                let mut carry = *is_negative && !is_exact;
                for limb in &mut rounded {
                    (*limb, carry) = limb.overflowing_add(carry.into());
                }
                if !carry {
                    return Self::short(*is_negative, rounded);
                }
            }
        }
        let (dividend, divisor) = (self.big() << by, divisor.big());
        let quotient = &dividend / &divisor;
        let is_above = dividend.sign() == Sign::Minus && &quotient * &divisor != dividend;
        (quotient - BigInt::from(u32::from(is_above))).into()
    }

    /// Whether it is a multiple of a number that is not 0.
    pub(crate) fn is_multiple_of(&self, divisor: u32) -> bool {
        match self {
            Short { limbs, .. } => divided(limbs, divisor).1 == 0,
            Long(number) => (number % divisor).sign() == Sign::NoSign,
        }
    }

    /// This by 2^by, rounded up.
    pub(crate) fn shifted_up(&self, by: u64) -> Self {
        match self {
            Short { is_negative: true, limbs } => Self::short(true, shifted_right(limbs, by)),
            Short { is_negative: false, limbs } => Self::short(false, shifted_away(limbs, by)),
            Long(number) => (-(-number >> by)).into(),
        }
    }

    /// The greatest integer whose square is at most this one, which is not negative: by Newton's steps from above, which
    /// fall until they are there (R. Brent, P. Zimmermann, *Modern Computer Arithmetic*, algorithm 1.13).
    pub(crate) fn sqrt(&self) -> Self {
        if let Long(number) = self {
            return number.sqrt().into();
        }
        if self.is_zero() {
            return Self::ZERO;
        }
        let halved = self.bits().saturating_sub(u128::BITS.into()).div_ceil(2);
        let top = (self >> (2 * halved)).low_bits();
        let mut root = Self::from(top.isqrt() + 1) << halved;
        loop {
            let next = (&root + &self.floor_quotient(0, &root)) >> 1;
            if next >= root {
                return root;
            }
            root = next;
        }
    }
}

impl From<BigInt> for Integer {
    fn from(number: BigInt) -> Self {
        if number.bits() > u64::from(u64::BITS) * LIMBS as u64 {
            return Long(number);
        }
        let mut limbs = [0; LIMBS];
        limbs.iter_mut().zip(number.iter_u64_digits()).for_each(|(limb, digit)| *limb = digit);
        Self::short(number.sign() == Sign::Minus, limbs)
    }
}

impl From<u64> for Integer {
    fn from(number: u64) -> Self {
        Self::small(number)
    }
}

impl From<u128> for Integer {
    fn from(number: u128) -> Self {
        let mut limbs = [0; LIMBS];
        [limbs[0], limbs[1]] = [number as u64, (number >> u64::BITS) as u64];
        Self::short(false, limbs)
    }
}

impl From<i128> for Integer {
    fn from(number: i128) -> Self {
        let magnitude = Self::from(number.unsigned_abs());
        if number < 0 { -magnitude } else { magnitude }
    }
}

impl From<i64> for Integer {
    fn from(number: i64) -> Self {
        i128::from(number).into()
    }
}

impl From<i32> for Integer {
    fn from(number: i32) -> Self {
        i128::from(number).into()
    }
}

impl From<u32> for Integer {
    fn from(number: u32) -> Self {
        Self::small(number.into())
    }
}

impl PartialEq for Integer {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Short { is_negative: a, limbs: x }, Short { is_negative: b, limbs: y }) => {
                a == b && x.iter().zip(y).fold(0, |differing, (x, y)| differing | (x ^ y)) == 0
            }
            (Long(a), Long(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Integer {}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Short { is_negative: a, limbs: x }, Short { is_negative: b, limbs: y }) => {
                match (a, b) {
                    (false, false) => compared(x, y),
                    (true, true) => compared(y, x),
                    _ => b.cmp(a),
                }
            }
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Integer {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Short { is_negative, limbs } => Self::short(!is_negative, limbs),
            Long(number) => Long(-number),
        }
    }
}

impl Neg for &Integer {
    type Output = Integer;

    fn neg(self) -> Integer {
        -self.clone()
    }
}

impl Add for &Integer {
    type Output = Integer;

    fn add(self, other: Self) -> Integer {
        if let (Short { is_negative: a, limbs: x }, Short { is_negative: b, limbs: y }) =
            (self, other)
        {
            if a != b {
                return match compared(x, y) {
                    Ordering::Less => Integer::short(*b, less(y, x)),
                    Ordering::Equal | Ordering::Greater => Integer::short(*a, less(x, y)),
                };
            }
            if let Some(limbs) = sum(x, y) {
                return Integer::short(*a, limbs);
            }
        }
        (self.big() + other.big()).into()
    }
}

impl Sub for &Integer {
    type Output = Integer;

    fn sub(self, other: Self) -> Integer {
        self + &-other
    }
}

impl Mul for &Integer {
    type Output = Integer;

    fn mul(self, other: Self) -> Integer {
        match (self, other) {
            (Short { is_negative: a, limbs: x }, Short { is_negative: b, limbs: y })
                if length(x) + length(y) <= u64::BITS * LIMBS as u32 =>
            {
                Integer::short(a != b, product(x, y))
            }
            _ => (self.big() * other.big()).into(),
        }
    }
}

impl Shl<u64> for &Integer {
    type Output = Integer;

    fn shl(self, by: u64) -> Integer {
        match self {
            Short { is_negative, limbs }
                if by.saturating_add(length(limbs).into())
                    <= u64::from(u64::BITS) * LIMBS as u64 =>
            {
                Integer::short(*is_negative, shifted_left(limbs, by))
            }
            Short { .. } if self.is_zero() => Integer::ZERO,
            _ => (self.big() << by).into(),
        }
    }
}

/// Rounds down.
impl Shr<u64> for &Integer {
    type Output = Integer;

    fn shr(self, by: u64) -> Integer {
        match self {
            Short { is_negative: true, limbs } => Integer::short(true, shifted_away(limbs, by)),
            Short { is_negative: false, limbs } => Integer::short(false, shifted_right(limbs, by)),
            Long(number) => (number >> by).into(),
        }
    }
}

/// Without the fraction.
impl Div<u32> for &Integer {
    type Output = Integer;

    fn div(self, divisor: u32) -> Integer {
        match self {
            Short { is_negative, limbs } => Integer::short(*is_negative, divided(limbs, divisor).0),
            Long(number) => (number / divisor).into(),
        }
    }
}

impl AddAssign<&Integer> for Integer {
    fn add_assign(&mut self, other: &Self) {
        *self = &*self + other;
    }
}

/// The same operations on values, so that formulas read as such.
macro_rules! of_integers {
    ($($operation:ident $method:ident),*) => {$(
        impl $operation for Integer {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                $operation::$method(&self, &other)
            }
        }

        impl $operation<&Self> for Integer {
            type Output = Self;

            fn $method(self, other: &Self) -> Self {
                $operation::$method(&self, other)
            }
        }
    )*};
}

macro_rules! by_numbers {
    ($($operation:ident $method:ident $number:ty),*) => {$(
        impl $operation<$number> for Integer {
            type Output = Self;

            fn $method(self, number: $number) -> Self {
                $operation::$method(&self, number)
            }
        }
    )*};
}

of_integers!(Add add, Sub sub, Mul mul);
by_numbers!(Shl shl u64, Shr shr u64, Div div u32);

#[inline]
fn are_zero(limbs: &Limbs) -> bool {
    limbs.iter().fold(0, |all, limb| all | limb) == 0
}

/// The bits of a magnitude.
#[inline]
fn length(limbs: &Limbs) -> u32 {
    let top = limbs.iter().rposition(|limb| *limb != 0);
    top.map_or(0, |at| u64::BITS * (at as u32 + 1) - limbs[at].leading_zeros())
}

/// The limbs of a magnitude below which there are none.
#[inline]
fn used(limbs: &Limbs) -> usize {
    limbs.iter().rposition(|limb| *limb != 0).map_or(0, |at| at + 1)
}

fn compared(a: &Limbs, b: &Limbs) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// The sum of two magnitudes; `None` where it is too long.
fn sum(a: &Limbs, b: &Limbs) -> Option<Limbs> {
    let (mut sum, mut carry) = (*a, false);
    for (limb, other) in sum.iter_mut().zip(b) {
        let (partial, first) = limb.overflowing_add(*other);
        let (whole, second) = partial.overflowing_add(carry.into());
        (*limb, carry) = (whole, first | second);
    }
    (!carry).then_some(sum)
}

/// A magnitude less another that is not greater.
fn less(a: &Limbs, b: &Limbs) -> Limbs {
    let (mut difference, mut borrow) = (*a, false);
    for (limb, other) in difference.iter_mut().zip(b) {
        let (partial, first) = limb.overflowing_sub(*other);
        let (whole, second) = partial.overflowing_sub(borrow.into());
        (*limb, borrow) = (whole, first | second);
    }
    difference
}

/// The product of two magnitudes that together have no more bits than one may have.
fn product(a: &Limbs, b: &Limbs) -> Limbs {
    let mut product = [0; LIMBS];
    for (at, factor) in a.iter().enumerate() {
        if *factor == 0 {
            continue;
        }
        let mut carry = 0;
        // What would be beyond the last limb is 0.
        for (limb, other) in product[at..].iter_mut().zip(b) {
            let whole = u128::from(*factor) * u128::from(*other) + u128::from(*limb) + carry;
            (*limb, carry) = (whole as u64, whole >> u64::BITS);
        }
    }
    product
}

/// A magnitude times 2^by, which is not too long.
fn shifted_left(limbs: &Limbs, by: u64) -> Limbs {
    let (whole, part) = places(by);
    let limb = |at: usize| limbs.get(at.wrapping_sub(whole)).copied().unwrap_or(0);
    std::array::from_fn(|at| {
        limb(at) << part | (limb(at.wrapping_sub(1)) >> 1) >> (u64::BITS - 1 - part)
    })
}

/// A magnitude by 2^by, without the fraction.
fn shifted_right(limbs: &Limbs, by: u64) -> Limbs {
    let (whole, part) = places(by);
    let limb = |at: usize| limbs.get(at + whole).copied().unwrap_or(0);
    std::array::from_fn(|at| limb(at) >> part | (limb(at + 1) << 1) << (u64::BITS - 1 - part))
}

/// A magnitude by 2^by, rounded away from zero.
fn shifted_away(limbs: &Limbs, by: u64) -> Limbs {
    let (whole, part) = places(by);
    let lost = limbs.iter().take(whole).fold(0, |all, limb| all | limb)
        | limbs.get(whole).map_or(0, |limb| limb & !(u64::MAX << part));
    let mut shifted = shifted_right(limbs, by);
    let mut carry = lost != 0;
    for limb in &mut shifted {
        (*limb, carry) = limb.overflowing_add(carry.into());
    }
    shifted
}

/// The whole limbs of a shift, as many as there are at most, and the bits beyond them.
fn places(by: u64) -> (usize, u32) {
    let whole = usize::try_from(by / u64::from(u64::BITS)).map_or(LIMBS, |all| all.min(LIMBS));
    (whole, (by % u64::from(u64::BITS)) as u32)
}

/// A magnitude times 2^by, which has no more than twice as many limbs.
fn shifted_far(limbs: &Limbs, by: u64) -> [u64; TWICE] {
    let (whole, part) = ((by / u64::from(u64::BITS)) as usize, (by % u64::from(u64::BITS)) as u32);
    let limb = |at: usize| limbs.get(at.wrapping_sub(whole)).copied().unwrap_or(0);
    std::array::from_fn(|at| {
        limb(at) << part | (limb(at.wrapping_sub(1)) >> 1) >> (u64::BITS - 1 - part)
    })
}

/// The quotient of two magnitudes without its fraction, the divisor not being 0, and whether it has none: digit by digit
/// (D. Knuth, *The Art of Computer Programming*, volume 2, section 4.3.1, algorithm D).
fn quotient(a: &[u64; TWICE], b: &Limbs) -> ([u64; TWICE], bool) {
    let (length, mut quotient) = (used(b), [0; TWICE]);
    let Some(last) = length.checked_sub(1) else { return (quotient, true) };
    if last == 0 {
        let mut rest = 0;
        for (digit, limb) in quotient.iter_mut().zip(a).rev() {
            let dividend = u128::from(rest) << u64::BITS | u128::from(*limb);
            [*digit, rest] =
                [dividend / u128::from(b[0]), dividend % u128::from(b[0])].map(|it| it as u64);
        }
        return (quotient, rest == 0);
    }
    // The divisor's highest bit is 1, so that a digit that two of its limbs give is at most one too large.
    let shift = b[last].leading_zeros();
    let divisor = shifted_left(b, shift.into());
    let mut rest = [0; TWICE + 1];
    let mut above = 0;
    for (limb, digit) in rest.iter_mut().zip(a.iter().chain([&0])) {
        *limb = digit << shift | above;
        above = (digit >> 1) >> (u64::BITS - 1 - shift);
    }
    // Above the dividend's highest limb all digits are 0.
    let most = rest.iter().rposition(|limb| *limb != 0).unwrap_or(0);
    let [high, next] = [divisor[last], divisor[last - 1]].map(u128::from);
    for at in (0..(most + 2).saturating_sub(length).min(TWICE + 1 - length)).rev() {
        let window = &mut rest[at..=at + length];
        let top = u128::from(window[length]) << u64::BITS | u128::from(window[last]);
        let mut digit = top / high;
        let mut left = top - digit * high;
        while digit >> u64::BITS != 0
            || digit * next > (left << u64::BITS | u128::from(window[last - 1]))
        {
            (digit, left) = (digit - 1, left + high);
            if left >> u64::BITS != 0 {
                break;
            }
        }
        if !subtract(window, &divisor[..length], digit as u64) {
            digit -= 1;
            add_back(window, &divisor[..length]);
        }
        quotient[at] = digit as u64;
    }
    (quotient, rest == [0; TWICE + 1])
}

/// Subtracts the product of a divisor and a digit from as many limbs and one, modulo their range; whether it is not greater.
fn subtract(window: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let (mut carry, mut borrow) = (0, false);
    for (limb, factor) in window.iter_mut().zip(divisor.iter().chain([&0])) {
        let product = u128::from(*factor) * u128::from(digit) + carry;
        carry = product >> u64::BITS;
        let (partial, first) = limb.overflowing_sub(product as u64);
        let (whole, second) = partial.overflowing_sub(borrow.into());
        (*limb, borrow) = (whole, first | second);
    }
    !borrow
}

/// Adds a divisor to as many limbs and one, modulo their range.
fn add_back(window: &mut [u64], divisor: &[u64]) {
    let mut carry = false;
    for (limb, other) in window.iter_mut().zip(divisor.iter().chain([&0])) {
        let (partial, first) = limb.overflowing_add(*other);
        let (whole, second) = partial.overflowing_add(carry.into());
        (*limb, carry) = (whole, first | second);
    }
}

/// The quotient of a magnitude by a number that is not 0, and the rest.
fn divided(limbs: &Limbs, divisor: u32) -> (Limbs, u64) {
    let (mut quotient, mut rest, divisor) = (*limbs, 0, u64::from(divisor));
    for limb in quotient[..used(limbs)].iter_mut().rev() {
        let high = rest << 32 | *limb >> 32;
        let low = (high % divisor) << 32 | *limb & u64::from(u32::MAX);
        *limb = (high / divisor) << 32 | (low / divisor);
        rest = low % divisor;
    }
    (quotient, rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Integers of many lengths, of runs of the same bits often, and around the longest that are short.
    fn integer() -> impl Strategy<Value = BigInt> {
        let limb = prop_oneof![Just(0), Just(u64::MAX), any::<u64>()];
        (prop::collection::vec(limb, 0..9), any::<bool>(), 0_u32..64, -1_i32..2).prop_map(
            |(limbs, is_negative, shift, beside)| {
                let digits = limbs.iter().flat_map(|limb| [*limb as u32, (limb >> 32) as u32]);
                let sign = if is_negative { Sign::Minus } else { Sign::Plus };
                (BigInt::from_biguint(sign, BigUint::new(digits.collect())) >> shift) + beside
            },
        )
    }

    fn is_canonical(integer: &Integer) -> bool {
        match integer {
            Short { is_negative, limbs } => !is_negative || *limbs != [0; LIMBS],
            Long(number) => number.bits() > 384,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn arithmetic_is_that_of_integers(x in integer(), y in integer(), by in 0_u64..500, small in 1_u32..) {
            let [a, b] = [&x, &y].map(|of| Integer::from(of.clone()));
            let pairs = [
                (a.clone(), x.clone()),
                (&a + &b, &x + &y),
                (&a - &b, &x - &y),
                (&a * &b, &x * &y),
                (-&a, -&x),
                (a.abs(), BigInt::from(x.magnitude().clone())),
                (&a << by, &x << by),
                (&a >> by, &x >> by),
                (a.shifted_up(by), -(-&x >> by)),
                (&a / small, &x / small),
                (a.abs().sqrt(), BigInt::from(x.magnitude().sqrt())),
            ];
            for (own, expected) in pairs {
                prop_assert!(is_canonical(&own), "{own:?}");
                prop_assert_eq!(own.big(), expected);
            }
            if y.sign() != Sign::NoSign {
                let (b, y) = (b.abs(), BigInt::from(y.magnitude().clone()));
                let floor = |dividend: BigInt| {
                    let quotient = &dividend / &y;
                    let is_above = &quotient * &y > dividend;
                    quotient - u32::from(is_above)
                };
                prop_assert_eq!(a.floor_quotient(by, &b).big(), floor(&x << by));
                let product = &x * &y;
                for beside in [-1, 0, 1] {
                    let dividend: BigInt = &product + beside;
                    let own = Integer::from(dividend.clone()).floor_quotient(0, &b);
                    prop_assert!(is_canonical(&own), "{own:?}");
                    prop_assert_eq!(own.big(), floor(dividend));
                }
            }
            prop_assert_eq!(a.cmp(&b), x.cmp(&y));
            prop_assert_eq!(a == b, x == y);
            prop_assert_eq!(a.is_multiple_of(small), &x % small == BigInt::ZERO);
        }

        #[test]
        fn bits_are_those_of_integers(x in integer()) {
            let a = Integer::from(x.clone());
            prop_assert_eq!(a.bits(), x.bits());
            prop_assert_eq!(a.trailing_zeros(), x.trailing_zeros());
            prop_assert_eq!(a.is_negative(), x.sign() == Sign::Minus);
            prop_assert_eq!(a.is_positive(), x.sign() == Sign::Plus);
            prop_assert_eq!(a.is_zero(), x.sign() == Sign::NoSign);
            let low = x.magnitude() & BigUint::from(u128::MAX);
            prop_assert_eq!(BigUint::from(a.low_bits()), low);
        }

        #[test]
        fn numbers_are_those_that_they_are_made_of(wide in any::<i128>(), number in any::<i64>(), above in any::<u128>()) {
            prop_assert_eq!(Integer::from(wide).big(), BigInt::from(wide));
            prop_assert_eq!(Integer::from(number).big(), BigInt::from(number));
            prop_assert_eq!(Integer::from(number as u64).big(), BigInt::from(number as u64));
            prop_assert_eq!(Integer::from(number as i32).big(), BigInt::from(number as i32));
            prop_assert_eq!(Integer::from(number as u32).big(), BigInt::from(number as u32));
            prop_assert_eq!(Integer::from(above).big(), BigInt::from(above));
        }
    }
}
