//! Formulas as documents write them, evaluated in exact arithmetic.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, One, Signed, ToPrimitive, Zero};
use serde::Deserialize;

use crate::oracle::exponential;
use crate::oracle::real::{self, Enclosure, Rational};

/// Bits that roots are enclosed to: far more than any two numbers compared differ by, and than documents
/// print.
const ROOT_BITS: u32 = 96;

/// A formula of real numbers: `+ - * / ^`, `|x|`, `max(x, y)`, `min(x, y)`, `trunc(x)`, `floor(x)`, `sqrt(x)` and
/// `exp(x)`. A name may be several words. What stands side by side is multiplied, as in `2 sqrt(X)`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Formula {
    /// As it is written.
    pub(super) text: String,
    node: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Number(Rational),
    Name(String),
    Apply(&'static str, Vec<Node>),
}

impl Formula {
    /// The result of the formula where each name stands for a number; `None` where it has no value or holds
    /// another name.
    pub(super) fn value<N: Real>(&self, names: &dyn Fn(&str) -> Option<N>) -> Option<N> {
        self.node.value(names)
    }

    /// The name that the formula is, where it is nothing else.
    pub(super) fn name(&self) -> Option<&str> {
        if let Node::Name(name) = &self.node { Some(name) } else { None }
    }
}

impl Node {
    fn value<N: Real>(&self, names: &dyn Fn(&str) -> Option<N>) -> Option<N> {
        match self {
            Self::Number(number) => N::of(number),
            Self::Name(name) => names(name),
            Self::Apply(function, arguments) => match &arguments[..] {
                [a] => N::apply(function, &[a.value(names)?]),
                [a, b] => N::apply(function, &[a.value(names)?, b.value(names)?]),
                _ => None,
            },
        }
    }
}

/// The numbers that formulas are evaluated in.
pub(super) trait Real: Sized {
    fn of(number: &Rational) -> Option<Self>;

    /// The value of `+`, `-`, `*`, `/`, `^`, `neg`, `abs`, `max`, `min`, `trunc`, `floor`, `sqrt` or `exp`, where there
    /// is one.
    fn apply(function: &str, arguments: &[Self]) -> Option<Self>;
}

/// Any real number.
impl Real for Enclosure {
    fn of(number: &Rational) -> Option<Self> {
        Some(Self::point(number.clone()))
    }

    fn apply(function: &str, arguments: &[Self]) -> Option<Self> {
        match (function, arguments) {
            ("+", [a, b]) => Some(combined(a, b, |a, b| a + b)),
            ("-", [a, b]) => Some(combined(a, b, |a, b| a - b)),
            ("*", [a, b]) => Some(combined(a, b, |a, b| a * b)),
            ("/", [a, b]) => {
                let has_sign = b.lower.is_positive() || b.upper.is_negative();
                has_sign.then(|| combined(a, b, |a, b| a / b))
            }
            ("^", [a, exponent]) => {
                let exponent = exponent.exact().filter(|exponent| exponent.is_integer())?;
                let factors = std::iter::repeat_n(a, exponent.to_usize()?);
                let one = Self::point(Rational::one());
                Some(factors.fold(one, |power, a| combined(&power, a, |a, b| a * b)))
            }
            ("neg", [a]) => Some(Self { lower: -&a.upper, upper: -&a.lower }),
            ("abs", [a]) => {
                let (lower, upper) = (a.lower.abs(), a.upper.abs());
                let largest = lower.clone().max(upper.clone());
                let zero = Rational::zero();
                let smallest = if a.contains(&zero) { zero } else { lower.min(upper) };
                Some(Self { lower: smallest, upper: largest })
            }
            ("max", [a, b]) => Some(combined(a, b, |a, b| a.max(b).clone())),
            ("min", [a, b]) => Some(combined(a, b, |a, b| a.min(b).clone())),
            ("exp", [a]) => Some(Self {
                lower: exponential::enclosure(&a.lower, ROOT_BITS)?.lower,
                upper: exponential::enclosure(&a.upper, ROOT_BITS)?.upper,
            }),
            ("trunc", [a]) => Some(Self { lower: a.lower.trunc(), upper: a.upper.trunc() }),
            ("floor", [a]) => Some(Self { lower: a.lower.floor(), upper: a.upper.floor() }),
            ("sqrt", [a]) => Some(Self {
                lower: real::sqrt(&a.lower, ROOT_BITS)?.lower,
                upper: real::sqrt(&a.upper, ROOT_BITS)?.upper,
            }),
            _ => None,
        }
    }
}

/// Fractions of small integers, for whole types of them: nothing is allocated. Roots and powers have no
/// value.
impl Real for Ratio<i64> {
    fn of(number: &Rational) -> Option<Self> {
        Some(Self::new(number.numer().to_i64()?, number.denom().to_i64()?))
    }

    fn apply(function: &str, arguments: &[Self]) -> Option<Self> {
        match (function, arguments) {
            ("+", [a, b]) => a.checked_add(b),
            ("-", [a, b]) => a.checked_sub(b),
            ("*", [a, b]) => a.checked_mul(b),
            ("/", [a, b]) if a.is_integer() && b.is_integer() => quotient(*a.numer(), *b.numer()),
            ("/", [a, b]) => a.checked_div(b),
            ("neg", [a]) => Self::zero().checked_sub(a),
            ("abs", [a]) => Some(a.abs()),
            ("max", [a, b]) => Some(*a.max(b)),
            ("min", [a, b]) => Some(*a.min(b)),
            ("trunc", [a]) => Some(a.trunc()),
            ("floor", [a]) => Some(a.floor()),
            _ => None,
        }
    }
}

/// The quotient of two integers. One that is a fraction is not reduced, which would take longer than all
/// else of a formula.
fn quotient(a: i64, b: i64) -> Option<Ratio<i64>> {
    Some(match a.checked_rem(b)? {
        0 => Ratio::from_integer(a / b),
        _ => Ratio::new_raw(a.checked_mul(b.signum())?, b.checked_abs()?),
    })
}

/// A function of two numbers that is monotonic in either one.
fn combined(
    a: &Enclosure,
    b: &Enclosure,
    function: impl Fn(&Rational, &Rational) -> Rational,
) -> Enclosure {
    if let (Some(a), Some(b)) = (a.exact(), b.exact()) {
        return Enclosure::point(function(a, b));
    }
    let mut corners =
        [(&a.lower, &b.lower), (&a.lower, &b.upper), (&a.upper, &b.lower), (&a.upper, &b.upper)]
            .map(|(a, b)| function(a, b));
    corners.sort();
    let [lower, .., upper] = corners;
    Enclosure { lower, upper }
}

/// The number that a decimal such as `-0.15909091` or `3.` states, and the unit of its last digit.
pub(super) fn decimal(text: &str) -> Option<(Rational, Rational)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let unit = format!("1/1{}", "0".repeat(fraction.len())).parse::<Rational>().ok()?;
    let digits = format!("{whole}{fraction}").parse::<Rational>().ok()?;
    Some((digits * &unit, unit))
}

impl TryFrom<String> for Formula {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut parser = Parser { rest: &text };
        match parser.formula(1).filter(|_| parser.rest.is_empty()) {
            Some(node) => Ok(Self { text, node }),
            None => Err(format!("`{text}` is no formula")),
        }
    }
}

/// What is left to read of a formula.
struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Whether the text goes on with this symbol, which is then read.
    fn takes(&mut self, symbol: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads the longest text of these characters.
    fn word(&mut self, is_of_word: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|symbol| !is_of_word(symbol)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word.trim_end()
    }

    /// Reads operands as far as operators bind them together at least as strongly as this.
    fn formula(&mut self, least: u8) -> Option<Node> {
        let mut left = self.operand()?;
        loop {
            self.rest = self.rest.trim_start();
            let (symbol, function, strength) = match self.rest.chars().next() {
                Some('+') => ("+", "+", 1),
                Some('-') => ("-", "-", 1),
                Some('*') => ("*", "*", 2),
                Some('/') => ("/", "/", 2),
                Some('^') => ("^", "^", 3),
                Some(next) if next.is_alphanumeric() || next == '(' => ("", "*", 2),
                _ => return Some(left),
            };
            if strength < least {
                return Some(left);
            }
            self.rest = self.rest.strip_prefix(symbol)?;
            left = Node::Apply(function, vec![left, self.formula(strength + 1)?]);
        }
    }

    fn operand(&mut self) -> Option<Node> {
        if self.takes('-') {
            return Some(Node::Apply("neg", vec![self.formula(3)?]));
        }
        if self.takes('(') {
            let inner = self.formula(1)?;
            return self.takes(')').then_some(inner);
        }
        if self.takes('|') {
            let inner = self.formula(1)?;
            return self.takes('|').then(|| Node::Apply("abs", vec![inner]));
        }
        if self.rest.trim_start().starts_with(|symbol: char| symbol.is_ascii_digit()) {
            let digits = self.word(|symbol| symbol.is_ascii_digit() || symbol == '.');
            return Some(Node::Number(decimal(digits)?.0));
        }
        let function = match self.word(|symbol| symbol.is_alphanumeric() || symbol == ' ') {
            "" => return None,
            "sqrt" => "sqrt",
            "max" => "max",
            "min" => "min",
            "exp" => "exp",
            "trunc" => "trunc",
            "floor" => "floor",
            name => return Some(Node::Name(name.to_owned())),
        };
        let mut arguments = Vec::new();
        while self.takes(if arguments.is_empty() { '(' } else { ',' }) {
            arguments.push(self.formula(1)?);
        }
        self.takes(')').then_some(Node::Apply(function, arguments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value with X = 3 and the smallest normal number 1/4.
    fn value(text: &str) -> Option<Enclosure> {
        let names = |name: &str| match name {
            "X" => Some(Enclosure::point(decimal("3")?.0)),
            "smallest normal" => Some(Enclosure::point(decimal("0.25")?.0)),
            _ => None,
        };
        Formula::try_from(text.to_owned()).unwrap().value(&names)
    }

    fn is(text: &str, expected: &str) {
        let expected = decimal(expected).unwrap().0;
        assert_eq!(value(text).unwrap().exact(), Some(&expected), "{text}");
    }

    #[test]
    fn formulas_have_the_results_that_mathematics_gives_them() {
        is("1 - 2 - X", "-4");
        is("12 / 3 * 2", "8");
        is("1 + 2*X^2", "19");
        is("-X^2", "-9");
        is("(1 - X) / (X + 2)", "-0.4");
        is("|1 - X| + |-2*X|", "8");
        is("max(X, 5/2) - max(-X, smallest normal)", "2.75");
        is("2 sqrt(X + 1)", "4");
        is("min(X, 5/2) - min(-X, smallest normal)", "5.5");
        is("trunc(-X / 2) - floor(-X / 2)", "1");
        is("exp(X - 3)", "1");
    }

    #[test]
    fn small_fractions_have_the_same_result() {
        let formula = |text: &str| Formula::try_from(text.to_owned()).unwrap();
        for text in [
            "1 - 2 - X",
            "(1 - X) / (X + 2)",
            "|1 - X| * 0.5",
            "max(X, 5/2)",
            "min(-X, 5/2)",
            "X / 0",
            "trunc(-X / 2)",
            "floor(-X / 2)",
        ] {
            let exact = value(text).map(|value| value.exact().unwrap().clone());
            let small = formula(text).value(&|_| Some(Ratio::from_integer(3_i64)));
            let small =
                small.map(|small| Rational::new((*small.numer()).into(), (*small.denom()).into()));
            assert_eq!(small, exact, "{text}");
        }
        let largest = |_: &str| Some(Ratio::from_integer(i64::MAX));
        assert_eq!(formula("X + X").value(&largest), None);
    }

    #[test]
    fn roots_are_enclosed_through_every_operation() {
        for text in
            ["sqrt(X)^2", "X / sqrt(X) * sqrt(X)", "|-sqrt(X)| * sqrt(X)", "X * exp(X) / exp(X)"]
        {
            let enclosure = value(text).unwrap();
            assert!(enclosure.contains(&decimal("3").unwrap().0), "{text}");
            assert!(enclosure.exact().is_none(), "{text}");
        }
        let difference = value("|sqrt(X) - sqrt(X)|").unwrap();
        assert!(difference.lower.is_zero() && difference.upper.is_positive());
    }

    #[test]
    fn a_formula_without_value_has_none() {
        for text in ["1 / (X - 3)", "sqrt(-X)", "Y + 1", "1 / (sqrt(X) - sqrt(X))", "X^(1/2)"] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for text in ["", "1 +", "(X", "|X", "X)", "max(X, 2", "1.2.3", "sqrt", "X & 2"] {
            assert!(Formula::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
