//! Intervals whose ends are numbers of float64, rounded outwards.
//!
//! An end is moved outwards by one number exactly where the operation that made it was not exact, which error-free
//! transformations tell: the rounding error of a sum is a number of float64 (D. Knuth, *The Art of Computer Programming*,
//! volume 2, 4.2.2, theorem B), and so are that of a product (T. Dekker, *A floating-point technique for extending the
//! available precision*, Numerische Mathematik 18, 1971) and the remainders of a quotient and a root, away from the
//! ends of the range. There an end is moved whatever it is. `docs/numerics.md` has the proof.

/// A real number is between these, or on one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// At most the number.
    pub lower: f64,
    /// At least the number.
    pub upper: f64,
}

/// Magnitudes between which products and their rounding errors neither over- nor underflow.
const MODERATE: std::ops::Range<f64> = 1e-140..1e140;

impl Span {
    /// Of which nothing is known: it may be a NaN, too.
    pub const UNKNOWN: Self = Self { lower: f64::NAN, upper: f64::NAN };

    /// The number 0.
    pub const ZERO: Self = Self { lower: 0.0, upper: 0.0 };

    /// The number 1.
    pub const ONE: Self = Self { lower: 1.0, upper: 1.0 };

    /// All numbers from one to another; nothing is known where one is a NaN, or they are both infinities.
    pub fn new(lower: f64, upper: f64) -> Self {
        let is_known = lower <= upper && (lower > f64::NEG_INFINITY || upper < f64::INFINITY);
        if is_known { Self { lower, upper } } else { Self::UNKNOWN }
    }

    /// One number.
    pub fn point(number: f64) -> Self {
        Self::new(number, number)
    }

    /// Whether nothing is known of it.
    pub const fn is_unknown(self) -> bool {
        self.lower.is_nan()
    }

    /// Whether it is one number.
    pub fn is_point(self) -> bool {
        self.lower == self.upper
    }

    /// Whether a number is among these.
    pub fn contains(self, number: f64) -> bool {
        self.lower <= number && number <= self.upper
    }

    /// The largest magnitude.
    pub const fn magnitude(self) -> f64 {
        self.lower.abs().max(self.upper.abs())
    }

    /// The least span that holds both.
    pub fn hull(self, other: Self) -> Self {
        self.both(other, f64::min, f64::max)
    }

    /// The larger of two numbers.
    pub fn max(self, other: Self) -> Self {
        self.both(other, f64::max, f64::max)
    }

    /// The smaller of two numbers.
    pub fn min(self, other: Self) -> Self {
        self.both(other, f64::min, f64::min)
    }

    fn both(self, other: Self, lower: fn(f64, f64) -> f64, upper: fn(f64, f64) -> f64) -> Self {
        if self.is_unknown() || other.is_unknown() {
            return Self::UNKNOWN;
        }
        Self::new(lower(self.lower, other.lower), upper(self.upper, other.upper))
    }

    /// Those of the numbers that are between the ends of a range, in which all of them are known to be.
    pub fn within(self, range: Self) -> Self {
        let (lower, upper) = (self.lower.max(range.lower), self.upper.min(range.upper));
        if self.is_unknown() || lower > upper { self } else { Self { lower, upper } }
    }

    /// The numbers and all that are at most so far from one of them.
    pub fn widened(self, by: f64) -> Self {
        if by == 0.0 {
            return self;
        }
        Self::new((self.lower - by).next_down(), (self.upper + by).next_up())
    }

    /// The value of a function that never falls and is computed exactly.
    pub fn rising(self, function: impl Fn(f64) -> f64) -> Self {
        if self.is_unknown() {
            return self;
        }
        Self::new(function(self.lower), function(self.upper))
    }

    /// The magnitude.
    pub fn abs(self) -> Self {
        match self {
            Self { lower, .. } if lower >= 0.0 => self,
            Self { upper, .. } if upper <= 0.0 => -self,
            Self { lower, upper } => Self::new(0.0, (-lower).max(upper)),
        }
    }

    /// The square.
    pub fn square(self) -> Self {
        let magnitude = self.abs();
        magnitude * magnitude
    }

    /// The square root; nothing is known of that of a number that may be negative.
    pub fn sqrt(self) -> Self {
        if self.is_unknown() || self.lower < 0.0 {
            return Self::UNKNOWN;
        }
        Self::new(root(self.lower)[0], root(self.upper)[1])
    }

    /// A power by a whole number.
    pub fn power(self, exponent: u32) -> Self {
        let by_squares = |base: Self| {
            let (mut result, mut square, mut left) = (Self::ONE, base, exponent);
            while left > 0 {
                if left % 2 == 1 {
                    result = result * square;
                }
                left /= 2;
                if left > 0 {
                    square = square * square;
                }
            }
            result
        };
        match (exponent, exponent % 2) {
            (0, _) if self.is_unknown() => Self::UNKNOWN,
            (_, 0) => by_squares(self.abs()),
            _ if self.lower >= 0.0 || self.upper <= 0.0 || self.is_unknown() => by_squares(self),
            // It rises, so that the ends are those of the ends.
            _ => Self::new(
                by_squares(Self::point(self.lower)).lower,
                by_squares(Self::point(self.upper)).upper,
            ),
        }
    }
}

/// A number beside a computed one, below and above, by the sign of what is left of the exact one.
fn ends(computed: f64, rest: f64) -> [f64; 2] {
    match rest {
        0.0 => [computed; 2],
        rest if rest > 0.0 => [computed, computed.next_up()],
        rest if rest < 0.0 => [computed.next_down(), computed],
        _ => [computed.next_down(), computed.next_up()],
    }
}

/// The sum of two numbers, below and above.
fn sum(a: f64, b: f64) -> [f64; 2] {
    let computed = a + b;
    if a.is_infinite() || b.is_infinite() {
        return [computed; 2];
    }
    let back = computed - a;
    ends(computed, (a - (computed - back)) + (b - back))
}

/// What a product is off by once it is rounded, of factors of moderate size.
fn rest_of_product(a: f64, b: f64, product: f64) -> f64 {
    const SPLITTER: f64 = ((1_u32 << 27) + 1) as f64;
    let split = |number: f64| {
        let high = SPLITTER * number - (SPLITTER * number - number);
        [high, number - high]
    };
    let ([a, below_a], [b, below_b]) = (split(a), split(b));
    ((a * b - product) + a * below_b + below_a * b) + below_a * below_b
}

fn is_moderate(number: f64) -> bool {
    MODERATE.contains(&number.abs())
}

/// The product of two numbers, below and above.
fn product(a: f64, b: f64) -> [f64; 2] {
    let computed = a * b;
    match () {
        () if is_moderate(a) && is_moderate(b) => ends(computed, rest_of_product(a, b, computed)),
        () if a == 0.0 || b == 0.0 || a.is_infinite() || b.is_infinite() => [computed; 2],
        () => ends(computed, f64::NAN),
    }
}

/// The quotient of two numbers, below and above.
fn quotient(a: f64, b: f64) -> [f64; 2] {
    let computed = a / b;
    match () {
        () if [a, b, computed].into_iter().all(is_moderate) => {
            let back = computed * b;
            let rest = (a - back) - rest_of_product(computed, b, back);
            ends(computed, if b < 0.0 { -rest } else { rest })
        }
        () if a == 0.0 || a.is_infinite() || b.is_infinite() => [computed; 2],
        () => ends(computed, f64::NAN),
    }
}

/// The square root of a number, below and above.
fn root(number: f64) -> [f64; 2] {
    let computed = number.sqrt();
    match () {
        () if is_moderate(number) => {
            let back = computed * computed;
            ends(computed, (number - back) - rest_of_product(computed, computed, back))
        }
        () if number == 0.0 || number.is_infinite() => [computed; 2],
        () => ends(computed, f64::NAN).map(|end| end.max(0.0)),
    }
}

impl std::ops::Neg for Span {
    type Output = Self;

    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

impl std::ops::Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(sum(self.lower, other.lower)[0], sum(self.upper, other.upper)[1])
    }
}

impl std::ops::Sub for Span {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// The least and the greatest of what an operation makes of all pairs of ends.
fn of_ends(a: Span, b: Span, operation: fn(f64, f64) -> [f64; 2]) -> Span {
    let pairs = match (a.is_point(), b.is_point()) {
        (true, true) => {
            return Span::new(operation(a.lower, b.lower)[0], operation(a.lower, b.lower)[1]);
        }
        _ => [[a.lower, b.lower], [a.lower, b.upper], [a.upper, b.lower], [a.upper, b.upper]],
    };
    let all = pairs.map(|[a, b]| operation(a, b));
    if all.iter().flatten().any(|end| end.is_nan()) {
        return Span::UNKNOWN;
    }
    let lower = all.iter().map(|[lower, _]| *lower).fold(f64::INFINITY, f64::min);
    Span::new(lower, all.iter().map(|[_, upper]| *upper).fold(f64::NEG_INFINITY, f64::max))
}

impl std::ops::Mul for Span {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        of_ends(self, other, product)
    }
}

impl std::ops::Div for Span {
    type Output = Self;

    /// Nothing is known of a quotient by what may be 0.
    fn div(self, other: Self) -> Self {
        let is_apart_from_zero = other.lower > 0.0 || other.upper < 0.0;
        if is_apart_from_zero { of_ends(self, other, quotient) } else { Self::UNKNOWN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::real::Rational;
    use values::random::Random;

    /// A number of moderate size, often with few bits, so that some operations are exact.
    fn drawn(random: &mut Random) -> f64 {
        let bits = random.below(u64::MAX) & 0x800f_ffff_ffff_ffff;
        let kept = if random.below(3) == 0 { !0 << 40 } else { !0 };
        let exponent = 1023 - 30 + random.below(60);
        f64::from_bits((bits | exponent << 52) & kept)
    }

    fn span(random: &mut Random) -> Span {
        let [a, b] = [drawn(random), drawn(random)];
        if random.below(3) == 0 { Span::point(a) } else { Span::new(a.min(b), a.max(b)) }
    }

    fn holds(span: Span, number: &Rational) -> bool {
        let end = |end: f64| Rational::from_float(end);
        end(span.lower).is_none_or(|lower| lower <= *number)
            && end(span.upper).is_none_or(|upper| *number <= upper)
    }

    #[test]
    fn operations_hold_the_exact_results_of_all_ends() {
        let mut random = Random::at(1, 2);
        for _ in 0..20_000 {
            let (a, b) = (span(&mut random), span(&mut random));
            for x in [a.lower, a.upper] {
                for y in [b.lower, b.upper] {
                    let [p, q] = [x, y].map(|it| Rational::from_float(it).unwrap());
                    assert!(holds(a + b, &(&p + &q)), "{a:?} + {b:?}");
                    assert!(holds(a - b, &(&p - &q)), "{a:?} - {b:?}");
                    assert!(holds(a * b, &(&p * &q)), "{a:?} * {b:?}");
                    let quotient = a / b;
                    assert!(quotient.is_unknown() || holds(quotient, &(&p / &q)), "{a:?} / {b:?}");
                    assert!(holds(a.square(), &(&p * &p)) && holds(a.power(3), &(&p * &p * &p)));
                }
            }
            let root = a.abs().sqrt();
            let [lower, upper] =
                [root.lower, root.upper].map(|it| Rational::from_float(it).unwrap());
            let [least, most] =
                [a.abs().lower, a.abs().upper].map(|it| Rational::from_float(it).unwrap());
            assert!(&lower * &lower <= least && most <= &upper * &upper, "{a:?}");
        }
    }

    #[test]
    fn what_is_exact_stays_a_point() {
        let of = Span::point;
        assert_eq!(of(13.0) * of(2.5), of(32.5));
        assert_eq!(of(320.0) / of(32.0), of(10.0));
        assert_eq!(of(0.25).sqrt(), of(0.5));
        assert!(!(of(1.0) / of(3.0)).is_point());
        assert!(!(of(2.0).sqrt()).is_point());
        assert!(!(of(1.0) + of(1e-30)).is_point());
    }

    #[test]
    fn what_may_be_no_number_is_unknown() {
        let of = Span::point;
        let infinite = of(f64::INFINITY);
        assert!((infinite - infinite).is_unknown() && (infinite * Span::ZERO).is_unknown());
        assert!((of(1.0) / Span::new(-1.0, 1.0)).is_unknown());
        assert!(Span::new(-1.0, 1.0).sqrt().is_unknown());
        assert!(Span::UNKNOWN.max(of(1.0)).is_unknown() && Span::UNKNOWN.abs().is_unknown());
        assert!(Span::UNKNOWN.rising(|end| end.max(0.0)).is_unknown());
        assert!(Span::UNKNOWN.sqrt().is_unknown() && Span::UNKNOWN.square().is_unknown());
        assert!(Span::UNKNOWN.within(Span::ONE).is_unknown() && (-Span::UNKNOWN).is_unknown());
        let past = of(f64::MAX) + of(f64::MAX);
        assert!(past.lower == f64::MAX && past.upper == f64::INFINITY);
    }
}
