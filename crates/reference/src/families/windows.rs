//! What the windows have in common: a scalar size, and elements that are sums of cosines of parts of a turn.
//!
//! The element n of a window is a - b cos(2 pi n / N) + c cos(4 pi n / N). N is the size of a periodic window, and of a symmetric one
//! the size less 1. ONNX's text names a paper and states no formula; its function bodies do, in float32 throughout, and convert
//! the result to the type of the output. What conforms is whatever the steps of the body may give, each rounded to float32 or a wider
//! format, which the exact element is one of. Integers are the numbers cut off, as Cast has them. A symmetric window of a single element
//! divides by 0: the body gives NaN, libraries 1, and the text nothing. ONNX's inference of shapes refuses windows without elements.

use values::dtype::{DType, Kind, integer};
use values::element::Element;
use values::float::FloatFormat;

use super::along::flag;
use super::computation::{Elements, format_of};
use super::picking::{INDICES, bounded, named_type};
use super::summing::elements_at;
use crate::case_spec::Stated;
use crate::case_table::{self, Own};
use crate::elements::whole;
use crate::exact::composed::{Arithmetic, BITS, Computed, Exact};
use crate::exact::interval::Interval;
use crate::exact::real::Rational;
use crate::exact::{Conforming, Deviation, distance};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Operator, Otherwise, Port, Reference,
    Specification, TensorType, Version,
};
use crate::real::Real;
use crate::signature::NUMERIC;

/// The versions of a window.
pub(crate) const VERSIONS: [Version; 1] = [Version {
    since: 17,
    inputs: &[Port::new("size", INDICES, "T1")],
    outputs: &[Port::new("output", &NUMERIC, "T2")],
    attributes: &[
        Attribute::new("output_datatype", AttributeType::Int).otherwise(Otherwise::Int(1)),
        Attribute::new("periodic", AttributeType::Int).otherwise(Otherwise::Int(1)),
    ],
}];

/// The cases of a window of its own, after those of all windows.
pub(crate) fn cases(of: Specification, operator: &'static Operator, own: &'static str) -> Stated {
    case_table::cases(of, operator, &[include_str!("windows/cases.toml"), own], Own::NONE)
}

/// How far a cosine or sine of float32 is off at most, in ULP: the limit of OpenCL C 3.0, *Relative Error as ULPs*, full profile.
const ULPS: u32 = 4;

const SINGLE: &str =
    "a symmetric window of one element divides by 0, and no sentence says what comes of it";

/// A window, by its formula.
pub(crate) struct Window {
    /// The weights a, b and c as fractions.
    pub(crate) weights: [(i64, i64); 3],
    /// Whether it is the square of a sine as well, which the text's paper states too.
    pub(crate) is_squared_sine: bool,
}

/// What a call asks for.
#[derive(Clone, Copy)]
struct Asked {
    size: usize,
    is_periodic: bool,
    dtype: DType,
}

impl Asked {
    fn of(call: &Call) -> Result<Self, Invalid> {
        let size = call.input(0)?;
        let (Some(bits), Kind::Int { signed, bits: width }, []) =
            (size.element(0), size.dtype().kind(), size.shape())
        else {
            return Err(call.invalid(&format!("takes no size of {:?}", size.shape())));
        };
        let size = integer(bits, signed, width);
        let dtype = named_type(call, call.int("output_datatype").unwrap_or(1), "output_datatype")?;
        Ok(Self {
            size: usize::try_from(size).map_err(|_| call.invalid("takes no negative size"))?,
            is_periodic: flag(call, "periodic")?,
            dtype,
        })
    }

    /// N, the number of parts of a turn.
    const fn parts(&self) -> u64 {
        (self.size as u64).saturating_sub(!self.is_periodic as u64)
    }
}

impl Window {
    /// The exact element.
    fn exact(&self, place: u64, parts: u64, bits: u32) -> Interval {
        let [a, b, c] = self.weights.map(|(n, d)| Rational::new(n.into(), d.into()));
        let cosines = [1, 2].map(|times| Interval::cosine_of_turn(times * place, parts, bits));
        if let [Some(single), Some(double)] =
            cosines.each_ref().map(|it| it.enclosure().exact().cloned())
        {
            return Interval::rational(&(a - b * single + c * double), bits);
        }
        let [a, b, c] = [a, b, c].map(|weight| Interval::rational(&weight, bits));
        let [single, double] = cosines;
        a - b * single + c * double
    }

    /// The element, as the steps of the body may give it.
    fn computed(&self, asked: Asked, place: usize, bits: u32) -> Computed {
        let parts = asked.parts();
        if parts == 0 {
            return Computed::open(Exact::Undefined, SINGLE);
        }
        let exact = Computed::number(self.exact(place as u64, parts, bits));
        let arithmetic = Arithmetic::of(&FloatFormat::FLOAT32, bits);
        let held = |number: usize| {
            arithmetic.converted(&arithmetic.integer(i64::try_from(number).unwrap_or(i64::MAX)))
        };
        let size = held(asked.size);
        let divisor = match asked.is_periodic {
            true => size,
            false => arithmetic.sub(&size, &arithmetic.integer(1)),
        };
        let (place, turn) = (held(place), Computed::number(Interval::pi(bits).scaled(1)));
        let turn = arithmetic.converted(&turn);
        let angle = arithmetic
            .mul(&place, &arithmetic.div(&turn, &divisor))
            .or(&arithmetic.div(&arithmetic.mul(&place, &turn), &divisor));
        let all = exact.or(&self.sum(&arithmetic, &angle));
        if !self.is_squared_sine {
            return all;
        }
        let sine = arithmetic.sin(&times_power(&angle, -1), ULPS);
        all.or(&arithmetic.square(&sine))
    }

    /// The sum of the cosines of an angle and of twice the angle.
    fn sum(&self, arithmetic: &Arithmetic, angle: &Computed) -> Computed {
        let [a, b, c] = self.weights.map(|(n, d)| {
            let weight = Interval::rational(&Rational::new(n.into(), d.into()), arithmetic.bits());
            arithmetic.converted(&Computed::number(weight))
        });
        let first = arithmetic.mul(&b, &arithmetic.cos(angle, ULPS));
        let second = arithmetic.mul(&c, &arithmetic.cos(&times_power(angle, 1), ULPS));
        arithmetic.add(&arithmetic.sub(&a, &first), &second)
    }
}

/// A value times a power of two, which rounds nothing here.
fn times_power(value: &Computed, by: i64) -> Computed {
    let exact = match &value.exact {
        Exact::Number(number) => Exact::Number(number.clone().scaled(by)),
        other => other.clone(),
    };
    let numbers = value.numbers.clone().map(|numbers| numbers.scaled(by));
    Computed { exact, numbers, ..value.clone() }
}

impl Reference for Window {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let asked = Asked::of(call)?;
        Ok(vec![bounded(call, asked.dtype, vec![asked.size])?])
    }

    /// The size alone says how many elements there are.
    fn is_control(&self, _: &Version, _: usize) -> bool {
        true
    }

    fn is_disputed(&self, call: &Call) -> bool {
        Asked::of(call).is_ok_and(|asked| asked.size == 0)
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(asked), Ok(size)) = (Asked::of(call), call.input(0)) else { return Vec::new() };
        let window = Self { ..*self };
        let compute = move |index: usize, bits: u32| window.computed(asked, index, bits);
        let operands = move |_: usize| elements_at(size, 0..1);
        match format_of(asked.dtype) {
            Some(format) => vec![Box::new(Elements::new(format, compute, operands))],
            None => vec![Box::new(CutOff { dtype: asked.dtype, compute, operands })],
        }
    }
}

/// The elements of a type of integers.
struct CutOff<C, O> {
    dtype: DType,
    compute: C,
    operands: O,
}

impl<C: Fn(usize, u32) -> Computed, O> CutOff<C, O> {
    /// The exact number cut off, and all that the steps may give, each as bits.
    fn all(&self, index: usize) -> Result<Vec<u64>, &'static str> {
        let computed = (self.compute)(index, BITS);
        if let Some(why) = computed.open {
            return Err(why);
        }
        let cut = |numbers: &Interval| {
            let ends = numbers.enclosure();
            [ends.lower, ends.upper].map(|end| i64::try_from(end.to_integer()).unwrap_or_default())
        };
        let bits = |number: i64| whole(self.dtype, number.into()).ok();
        let exact = computed.exact_number().map(cut);
        let [least, most] = computed.numbers.as_ref().map_or([0, -1], cut);
        let all = exact.map(|[_, exact]| exact).into_iter().chain(least..=most);
        Ok(all.filter_map(bits).collect())
    }
}

impl<C: Fn(usize, u32) -> Computed, O: Fn(usize) -> Vec<Element>> Allowed for CutOff<C, O> {
    fn at(&self, index: usize) -> Conforming {
        match self.all(index) {
            Ok(all) => {
                let readings = Conforming::one_of(all.into_iter().map(Conforming::One));
                readings.unwrap_or(Conforming::Unspecified(SINGLE))
            }
            Err(why) => Conforming::Unspecified(why),
        }
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(self.dtype, *self.all(index).ok()?.first()?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        match self.all(index).ok().and_then(|all| all.first().copied()) {
            Some(exact) => distance(self.dtype, exact, actual),
            None => Deviation::NoRealResult,
        }
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        (self.operands)(index)
    }
}

#[cfg(test)]
pub(crate) mod tests;
