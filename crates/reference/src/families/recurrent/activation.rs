//! The activation functions of recurrent cells: their values, and what may be computed in the place of these.
//!
//! Tanh, Sigmoid, Softplus and Softsign rise, so that the values at the ends of an interval bound all others; they
//! are within so many ULP of the exact ones. The others are composed of products and sums, on either side of where
//! they bend. Sources: the lists in ONNX's schemas of RNN, GRU and LSTM.

use std::cmp::Ordering;

use super::super::function::RealFunction;
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::exact::interval::Interval;
use crate::operator::{Call, Invalid};
use crate::operators::sigmoid::Logistic;
use crate::operators::softplus::SmoothRamp;
use crate::operators::tanh::HyperbolicTangent;
use values::float::FloatFormat;

/// A function of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Relu,
    Tanh,
    Sigmoid,
    Affine,
    LeakyRelu,
    ThresholdedRelu,
    ScaledTanh,
    HardSigmoid,
    Elu,
    Softsign,
    Softplus,
}

/// Every function by its name, with the alpha and the beta that hold where none are given: those of the operator of this
/// name. `None` where it takes none; Affine and ScaledTanh, which have no such operator, state none.
const FUNCTIONS: [(&str, Kind, [Parameter; 2]); 11] = [
    ("Relu", Kind::Relu, [Parameter::None; 2]),
    ("Tanh", Kind::Tanh, [Parameter::None; 2]),
    ("Sigmoid", Kind::Sigmoid, [Parameter::None; 2]),
    ("Affine", Kind::Affine, [Parameter::Unstated; 2]),
    ("LeakyRelu", Kind::LeakyRelu, [Parameter::Is(0.01), Parameter::None]),
    ("ThresholdedRelu", Kind::ThresholdedRelu, [Parameter::Is(1.0), Parameter::None]),
    ("ScaledTanh", Kind::ScaledTanh, [Parameter::Unstated; 2]),
    ("HardSigmoid", Kind::HardSigmoid, [Parameter::Is(0.2), Parameter::Is(0.5)]),
    ("Elu", Kind::Elu, [Parameter::Is(1.0), Parameter::None]),
    ("Softsign", Kind::Softsign, [Parameter::None; 2]),
    ("Softplus", Kind::Softplus, [Parameter::None; 2]),
];

/// What a parameter is where it is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Parameter {
    None,
    Unstated,
    Is(f32),
}

const UNSTATED: &str = "no text states the alpha and the beta that this function has by default";

/// An activation function with its parameters, as bits of float32s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    kind: Kind,
    alpha: Option<u32>,
    beta: Option<u32>,
}

impl Activation {
    /// The functions of these names. Each that takes an alpha or a beta has the next one that is given.
    pub(crate) fn all(call: &Call, names: &[&str]) -> Result<Vec<Self>, Invalid> {
        let [mut alphas, mut betas] = ["activation_alpha", "activation_beta"]
            .map(|name| call.floats(name).unwrap_or_default().iter().copied());
        let mut all = Vec::with_capacity(names.len());
        for name in names {
            let found = FUNCTIONS.iter().find(|(own, ..)| own == name);
            let (_, kind, [alpha, beta]) =
                *found.ok_or_else(|| call.invalid(&format!("has no activation `{name}`")))?;
            let parameter = |of: Parameter, given: &mut dyn Iterator<Item = u32>| match of {
                Parameter::None => None,
                Parameter::Unstated => given.next(),
                Parameter::Is(value) => given.next().or(Some(value.to_bits())),
            };
            let alpha = parameter(alpha, &mut alphas);
            all.push(Self { kind, alpha, beta: parameter(beta, &mut betas) });
        }
        Ok(all)
    }

    /// The value at x, the functions to within so many ULP.
    pub(crate) fn of(&self, by: &Arithmetic, ulps: u32, x: &Computed) -> Computed {
        let number = |bits: Option<u32>| {
            let unstated = Computed::open(Exact::Undefined, UNSTATED);
            bits.map_or(unstated, |bits| {
                by.converted(&by.element(&FloatFormat::FLOAT32, bits.into()))
            })
        };
        let alpha = || number(self.alpha);
        let beta = || number(self.beta);
        let (zero, one) = (by.integer(0), by.integer(1));
        let infinite = || Computed::infinite(false);
        let odd = |x: &Computed, function: fn(&Interval) -> Option<Interval>| {
            let value = by.function(x, ulps, [by.integer(-1), by.integer(1)], function);
            let has_zero = value.numbers.as_ref().is_some_and(Interval::has_zero);
            // The zero of an odd function has the sign of its argument.
            if has_zero { Computed { signs: x.signs, ..value } } else { value }
        };
        let tanh = |x: &Computed| odd(x, |x| HyperbolicTangent::IEEE.enclosure(x));
        let scaled = |x: &Computed| by.mul(&alpha(), x);
        match self.kind {
            Kind::Relu => {
                let value = bent(x, &zero, |_| zero.clone(), Clone::clone);
                // Of two zeros either is the larger.
                let has_zero = x.numbers.as_ref().is_some_and(Interval::has_zero);
                let signs = [true, has_zero && x.signs[1]];
                Computed { signs, ..value }
            }
            Kind::Tanh => tanh(x),
            Kind::Sigmoid => by.function(x, ulps, [zero, one], |x| Logistic.enclosure(x)),
            Kind::Affine => by.add(&scaled(x), &beta()),
            Kind::LeakyRelu => bent(x, &zero, scaled, Clone::clone),
            Kind::ThresholdedRelu => bent(x, &alpha(), |_| zero.clone(), Clone::clone),
            Kind::ScaledTanh => scaled(&tanh(&by.mul(&beta(), x))),
            Kind::HardSigmoid => {
                let line = by.add(&scaled(x), &beta());
                let above = bent(&line, &zero, |_| zero.clone(), Clone::clone);
                bent(&above, &one, Clone::clone, |_| one.clone())
            }
            Kind::Elu => {
                let below = |x: &Computed| scaled(&by.sub(&by.exp(x, ulps), &one));
                bent(x, &zero, below, Clone::clone)
            }
            Kind::Softsign => {
                odd(x, |x| x.divided_by(&(&Interval::integer(1, x.precision()) + &x.abs())))
            }
            Kind::Softplus => by.function(x, ulps, [zero, infinite()], |x| SmoothRamp.enclosure(x)),
        }
    }
}

/// A function that is one below a place and another from there on.
pub(crate) fn bent(
    x: &Computed,
    at: &Computed,
    below: impl Fn(&Computed) -> Computed,
    above: impl Fn(&Computed) -> Computed,
) -> Computed {
    let place = match (x.open.or(at.open), &at.numbers) {
        (None, Some(place)) => place,
        (why, _) => return Computed::open(Exact::Undefined, why.unwrap_or(UNSTATED)),
    };
    let numbers = x.numbers.as_ref();
    let is_below = |x: &Interval| x.lower().compare(&place.upper()) == Some(Ordering::Less);
    let is_above = |x: &Interval| x.upper().compare(&place.lower()) != Some(Ordering::Less);
    let lower = Computed {
        numbers: numbers.filter(|x| is_below(x)).map(|x| x.at_most(&place.upper())),
        infinities: [false, x.infinities[1]],
        ..x.clone()
    };
    let upper = Computed {
        numbers: numbers.filter(|x| is_above(x)).map(|x| -(-x).at_most(&-place.lower())),
        infinities: [x.infinities[0], false],
        ..x.clone()
    };
    let is_there = |x: &Computed| x.numbers.is_some() || x.infinities != [false; 2] || x.nan;
    let values = match (is_there(&lower), is_there(&upper)) {
        (true, true) => below(&lower).or(&above(&upper)),
        (true, false) => below(&lower),
        _ => above(&upper),
    };
    let exact = match (&x.exact, at.exact_number()) {
        (Exact::Number(number), Some(place)) => match number.compare(place) {
            Some(Ordering::Less) => below(x).exact,
            Some(_) => above(x).exact,
            None => match (below(x).exact, above(x).exact) {
                (Exact::Number(a), Exact::Number(b)) => Exact::Number(a.hull(&b)),
                (other, _) => other,
            },
        },
        (Exact::Infinite { negative: true }, _) => below(x).exact,
        _ => above(x).exact,
    };
    // Of a NaN a comparison with the place may choose either side.
    Computed { exact, nan: values.nan || x.nan, ..values }
}

/// A value that is cut off beyond a threshold on either side.
pub(crate) fn clipped(by: &Arithmetic, x: &Computed, threshold: u32) -> Computed {
    let end = by.converted(&by.element(&FloatFormat::FLOAT32, threshold.into()));
    let least = -end.clone();
    let above = bent(x, &least, |_| least.clone(), Clone::clone);
    bent(&above, &end, Clone::clone, |_| end.clone())
}
