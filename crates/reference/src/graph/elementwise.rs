//! Element-wise operators: a function of the spans of one element's operands.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;

use super::arithmetic::{Arithmetic, nearest};
use super::function::Functions;
use super::span::Span;
use super::{Enclosed, NotKnown, Rule, Site};
use crate::exact::number::Int;

/// The functions that are enclosed in pieces.
const SMOOTH: [&str; 21] = [
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Elu", "Erf", "Exp", "Gelu",
    "Log", "Mish", "Selu", "Sigmoid", "Sin", "Sinh", "Softplus", "Tan", "Tanh",
];

pub(super) fn rule(operator: &str) -> Option<Rule> {
    Some(match operator {
        _ if SMOOTH.contains(&operator) => smooth,
        "Abs" => |site| each(site, |_, [x]| x.abs()),
        "Ceil" => |site| each(site, |_, [x]| x.rising(f64::ceil)),
        "Floor" => |site| each(site, |_, [x]| x.rising(f64::floor)),
        "Neg" => |site| each(site, |_, [x]| -x),
        "Reciprocal" => |site| each(site, |_, [x]| Span::ONE / x),
        "Relu" => |site| each(site, |_, [x]| x.rising(|end| end.max(0.0))),
        "Round" => |site| each(site, |_, [x]| x.rising(f64::round_ties_even)),
        "Sign" => |site| each(site, |_, [x]| x.rising(sign)),
        "Sqrt" => |site| each(site, |_, [x]| x.sqrt()),
        "HardSigmoid" => hard_sigmoid,
        "HardSwish" => |site| each(site, hard_swish),
        "LeakyRelu" => leaky_relu,
        "PRelu" => |site| each(site, |_, [x, slope]| bent(x, |x| x * slope)),
        "Clip" => clip,
        "Cast" | "CastLike" => cast,
        "Add" => |site| each(site, |_, [a, b]| a + b),
        "Sub" => |site| each(site, |_, [a, b]| a - b),
        "Mul" => multiply,
        "Div" => divide,
        "Pow" => |site| match site.format(0) {
            Some(_) => each(site, power),
            None => Err(NotKnown::because("powers of integers may be fractions")),
        },
        "Max" => |site| folded(site, Span::max),
        "Min" => |site| folded(site, Span::min),
        "Equal" => |site| each(site, |_, [a, b]| is_equal(a, b)),
        "Greater" => |site| each(site, |_, [a, b]| not(is_at_most(a, b))),
        "GreaterOrEqual" => |site| each(site, |_, [a, b]| is_at_most(b, a)),
        "Less" => |site| each(site, |_, [a, b]| not(is_at_most(b, a))),
        "LessOrEqual" => |site| each(site, |_, [a, b]| is_at_most(a, b)),
        "And" => |site| each(site, |_, [a, b]| a.min(b)),
        "Or" => |site| each(site, |_, [a, b]| a.max(b)),
        "Xor" => |site| each(site, |_, [a, b]| not(is_equal(a, b))),
        "Not" => |site| each(site, |_, [a]| not(a)),
        "IsInf" | "IsNaN" => {
            |site| each(site, |_, [x]| truth(x.magnitude().is_finite().then_some(false)))
        }
        "Range" => sequence,
        "Where" => |site| each(site, |_, [condition, a, b]| chosen(condition, a, b)),
        _ => return None,
    })
}

/// The function on each element of so many broadcast operands.
fn each<const N: usize>(
    site: &Site<'_>,
    function: impl Fn(&Arithmetic<'_>, [Span; N]) -> Span,
) -> Result<Vec<Enclosed>, NotKnown> {
    if site.operands.iter().flatten().count() != N {
        return Err(NotKnown::because("it has other operands than the rule"));
    }
    let sources = site.broadcast()?;
    let range = range(site.output()?.dtype);
    site.twice(|by, operands| {
        let element = |index: usize| {
            let mut own = [Span::UNKNOWN; N];
            for (at, span) in own.iter_mut().enumerate() {
                *span = operands[at][sources.of(at, index)];
            }
            in_range(function(by, own), range)
        };
        (0..sources.count).map(element).collect()
    })
}

/// The numbers of an integer type.
fn range(dtype: DType) -> Option<Span> {
    let Kind::Int { signed, bits } = dtype.kind() else { return None };
    let int = Int { signed, bits };
    Some(Span::new(int.min() as f64, int.max() as f64))
}

/// What leaves an integer type may be anything.
fn in_range(span: Span, range: Option<Span>) -> Span {
    let leaves =
        range.is_some_and(|range| !(range.lower <= span.lower && span.upper <= range.upper));
    if leaves { Span::UNKNOWN } else { span }
}

/// The function on any number of operands, one after the other.
fn folded(site: &Site<'_>, function: fn(Span, Span) -> Span) -> Result<Vec<Enclosed>, NotKnown> {
    let sources = site.broadcast()?;
    site.twice(|_, operands| {
        let element = |index: usize| {
            let own = operands.iter().enumerate().map(|(at, them)| them[sources.of(at, index)]);
            own.reduce(function).unwrap_or(Span::UNKNOWN)
        };
        (0..sources.count).map(element).collect()
    })
}

fn smooth(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let attributes = site.call.with_floats_left_out();
    let function = site.functions.of(site.call.operator.name, &attributes);
    let function = function.ok_or_else(|| NotKnown::because("the function has no series"))?;
    each(site, |_, [x]| function.at(x))
}

/// A product; that of a value and itself is not negative.
fn multiply(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let is_square = match site.operands {
        [Some(a), Some(b)] => std::ptr::eq(*a, *b),
        _ => false,
    };
    each(site, |_, [a, b]| if is_square { a.square() } else { a * b })
}

/// start + i delta, or the repeated sum: without any rounding where all are whole numbers that the format holds.
fn sequence(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let format = site.format(0).ok_or_else(|| NotKnown::because("it gives integers"))?;
    for at in 0..3 {
        site.certain(at)?;
    }
    let count = site.output()?.shape.first().copied().unwrap_or_default();
    let largest = 2_f64.powi(format.precision() as i32);
    site.twice(|by, operands| {
        let [start, delta] = [operands[0][0], operands[2][0]];
        let is_whole = [start, delta].iter().all(|it| it.lower == it.lower.trunc());
        let element = |at: usize| {
            let steps = Span::point(at as f64) * delta;
            let magnitudes = start.magnitude() + steps.magnitude();
            let value = start + steps;
            if is_whole && magnitudes < largest {
                value
            } else {
                value.widened(by.gamma(at + 2) * magnitudes)
            }
        };
        (0..count).map(element).collect()
    })
}

fn sign(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.signum() }
}

/// The number, or what is made of it where it is below 0.
fn bent(x: Span, below: impl Fn(Span) -> Span) -> Span {
    match x {
        Span { lower, .. } if lower >= 0.0 => x,
        Span { upper, .. } if upper <= 0.0 => below(x),
        Span { lower, upper } => below(Span::new(lower, 0.0)).hull(Span::new(0.0, upper)),
    }
}

/// A float attribute.
pub(super) fn attribute(site: &Site<'_>, name: &str) -> Result<Span, NotKnown> {
    let bits = site.call.float(name);
    let bits = bits.ok_or_else(|| NotKnown(format!("its attribute `{name}` is not given")))?;
    Ok(Span::point(f64::from(f32::from_bits(bits))))
}

fn leaky_relu(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let alpha = attribute(site, "alpha")?;
    each(site, |_, [x]| bent(x, |x| x * alpha))
}

/// Step by step, which may cancel.
fn hard_sigmoid(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let [alpha, beta] = [attribute(site, "alpha")?, attribute(site, "beta")?];
    each(site, |by, [x]| by.add(by.mul(alpha, x), beta).max(Span::ZERO).min(Span::ONE))
}

/// x times (x + 3) / 6 or x / 6 + 1/2, cut to what lies from 0 to 1: no term of the sum goes through more than eight roundings.
fn hard_swish(by: &Arithmetic<'_>, [x]: [Span; 1]) -> Span {
    let [three, six] = [3.0, 6.0].map(Span::point);
    let share = ((x + three) / six).max(Span::ZERO).min(Span::ONE);
    let size = x.magnitude();
    (x * share).widened(by.gamma(8) * size * (size / 6.0 + 1.0) * (1.0 + 1e-9))
}

fn clip(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let end = |at: usize, name: &str, otherwise: f64| -> Result<Span, NotKnown> {
        match (site.operand(at), site.call.float(name)) {
            (Some(operand), _) => {
                let tensor = operand.tensor().and_then(|it| super::span_of(&it, 0));
                tensor.ok_or_else(|| NotKnown(format!("its input {name} is not certain")))
            }
            (None, Some(bits)) => Ok(Span::point(f64::from(f32::from_bits(bits)))),
            (None, None) => Ok(Span::point(otherwise)),
        }
    };
    let ends = [end(1, "min", f64::NEG_INFINITY)?, end(2, "max", f64::INFINITY)?];
    if ends[0].upper > ends[1].lower {
        return Err(NotKnown::because("its minimum is above its maximum"));
    }
    site.twice(|_, operands| operands[0].iter().map(|x| x.max(ends[0]).min(ends[1])).collect())
}

/// What a conversion makes of the numbers.
fn cast(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let to = site.output()?.dtype;
    let format = match to.kind() {
        Kind::Float(format) => Some(format),
        Kind::Int { .. } | Kind::Bool => None,
        Kind::Complex(_) | Kind::String => {
            return Err(NotKnown::because("it gives no real numbers"));
        }
    };
    let is_plain = |format: &FloatFormat| {
        [FloatFormat::FLOAT16, FloatFormat::BFLOAT16, FloatFormat::FLOAT32, FloatFormat::FLOAT64]
            .contains(format)
    };
    if format.is_some_and(|format| !is_plain(format)) {
        return Err(NotKnown::because("it gives floats of 8 bits or less"));
    }
    let range = range(to);
    site.twice(|_, operands| {
        let convert = |x: &Span| match (format, range) {
            (Some(format), _) => x.rising(|end| nearest(format, end)),
            (None, Some(_)) => in_range(x.rising(f64::trunc), range),
            (None, None) => not(is_equal(*x, Span::ZERO)),
        };
        operands[0].iter().map(convert).collect()
    })
}

/// A quotient of integers is truncated.
fn divide(site: &Site<'_>) -> Result<Vec<Enclosed>, NotKnown> {
    let is_whole = site.format(0).is_none();
    each(site, |_, [a, b]| if is_whole { (a / b).rising(f64::trunc) } else { a / b })
}

/// A power: by a whole number, as a root, or by e^(y ln x).
fn power(by: &Arithmetic<'_>, [x, y]: [Span; 2]) -> Span {
    let functions: &Functions = by.functions;
    let number = y.lower;
    match () {
        () if y.is_point() && number == number.trunc() && number.abs() <= 64.0 => {
            let power = x.power(number.abs() as u32);
            if number < 0.0 { Span::ONE / power } else { power }
        }
        () if y.is_point() && number == 0.5 => x.sqrt(),
        () if x.lower > 0.0 => {
            let function = |name: &str, x: Span| {
                functions
                    .of(name, &std::collections::BTreeMap::new())
                    .map_or(Span::UNKNOWN, |it| it.at(x))
            };
            function("Exp", y * function("Log", x))
        }
        () => Span::UNKNOWN,
    }
}

/// A truth value, or either.
fn truth(value: Option<bool>) -> Span {
    value.map_or(Span { lower: 0.0, upper: 1.0 }, |value| Span::point(f64::from(u8::from(value))))
}

fn not(value: Span) -> Span {
    Span::ONE - value
}

fn is_equal(a: Span, b: Span) -> Span {
    truth(match () {
        () if a.is_unknown() || b.is_unknown() => None,
        () if a.upper < b.lower || b.upper < a.lower => Some(false),
        () if a.is_point() && b.is_point() => Some(true),
        () => None,
    })
}

fn is_at_most(a: Span, b: Span) -> Span {
    truth(match () {
        () if a.upper <= b.lower => Some(true),
        () if a.lower > b.upper => Some(false),
        () => None,
    })
}

fn chosen(condition: Span, a: Span, b: Span) -> Span {
    match () {
        () if condition == Span::ONE => a,
        () if condition == Span::ZERO => b,
        () => a.hull(b),
    }
}
