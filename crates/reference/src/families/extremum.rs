//! What Max and Min have in common: the versions 1, 6, 8, 12 and 13, with any number of inputs from one on.
//!
//! ONNX's texts say no more than that the result is the maximum, or the minimum, of the elements. IEEE 754-2019,
//! 9.6, has two such operations, of which `maximum` is NaN where an operand is and `maximumNumber` is the largest
//! of the numbers, so that either conforms; and the order of numbers does not tell the zeros apart, so that
//! either zero does. SONNX's Max orders +0 above -0, and has NaN absorb. Sources: ONNX's schemas of these versions;
//! SONNX's Max.

mod boundaries;

use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat};

use super::binary::CONSUMED_INPUTS;
use crate::broadcast::Broadcast;
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::{Conforming, Deviation, Number, distance};
use crate::inputs::Parts;
use crate::inputs::patterns::{
    at_boundaries, corner_pairs, pairs, specials, with_every_pair_of_exponents,
};
use crate::operator::{Call, Invalid, Port, Ports, Specification, Version};
use crate::pointwise::Pointwise;
use crate::real::Real;
use crate::signature::{IEEE_FLOATS, NUMERIC, NUMERIC_SONNX};

pub(crate) use boundaries::of_numbers;

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("extremum/cases.toml");

/// Every version, with an output of this name.
macro_rules! versions {
    ($output:literal) => {
        [
            const { ports($output, IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
            const { ports($output, IEEE_FLOATS) }.since(6, &[]),
            const { ports($output, IEEE_FLOATS) }.since(8, &[]),
            const { ports($output, NUMERIC_SONNX) }.since(12, &[]),
            const { ports($output, &NUMERIC) }.since(13, &[]),
        ]
    };
}

/// The versions of Max.
pub(crate) const MAX_VERSIONS: [Version; 5] = versions!("max");

/// The versions of Min.
pub(crate) const MIN_VERSIONS: [Version; 5] = versions!("min");

/// Any number of inputs of these types, and an output of this name.
pub(crate) const fn ports(output: &'static str, types: &'static [DType]) -> Ports<1> {
    let mut ports = Ports::new(["data_0"], output, types);
    ports.inputs = [Port::new("data_0", types, "T").variadic()];
    ports
}

/// The largest element, or the smallest.
#[derive(Clone, Copy, Debug)]
pub struct Extremum {
    /// Whether it is the largest.
    pub is_largest: bool,
    /// Whether zeros are ordered by sign and NaN absorbs, as SONNX has it.
    pub is_total: bool,
}

impl Extremum {
    fn of_floats(self, format: &'static FloatFormat, all: &[u64]) -> Conforming {
        let is_nan = |bits: &u64| format.class(*bits) == Class::Nan;
        let numbers: Vec<u64> = all.iter().copied().filter(|bits| !is_nan(bits)).collect();
        let nan = Conforming::AnyNan(format);
        if numbers.is_empty() || self.is_total && numbers.len() < all.len() {
            return nan;
        }
        // Bits of numbers are ordered by sign and magnitude, and -0 is below 0.
        let order = |bits: &u64| {
            let magnitude = i128::from(format.magnitude(*bits));
            if format.is_negative(*bits) { -1 - magnitude } else { magnitude }
        };
        let ordered = numbers.iter().copied();
        let extreme = match self.is_largest {
            true => ordered.max_by_key(order),
            false => ordered.min_by_key(order),
        };
        let Some(extreme) = extreme else { return nan };
        let is_other_zero = |bits: &&u64| {
            !self.is_total && format.class(**bits) == Class::Zero && **bits != extreme
        };
        let is_zero = format.class(extreme) == Class::Zero;
        let zero = numbers.iter().find(is_other_zero).filter(|_| is_zero);
        let results = std::iter::once(extreme).chain(zero.copied()).map(Conforming::One);
        let nan = all.iter().any(is_nan).then_some(nan);
        Conforming::one_of(nan.into_iter().chain(results)).unwrap_or(FOREIGN)
    }

    /// The number that is the result, where every operand is one.
    fn number(self, dtype: DType, operands: &[Element]) -> Option<u64> {
        let bits = bits(dtype, operands)?;
        let Some(Number::Float(format)) = Number::of(dtype) else {
            return self.conforming(dtype, operands).number();
        };
        let is_number = |bits: &u64| !matches!(format.class(*bits), Class::Nan | Class::Infinite);
        let result = Self { is_total: true, ..self }.of_floats(format, &bits).number();
        result.filter(is_number)
    }
}

/// The bits of operands, all of one type; there is one at least.
fn bits(dtype: DType, operands: &[Element]) -> Option<Vec<u64>> {
    let bits = |operand: &Element| match operand {
        Element::Bits(of, bits) if *of == dtype => u64::try_from(*bits).ok(),
        Element::Bits(..) | Element::String(_) => None,
    };
    operands.iter().map(bits).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

impl Elementwise for Extremum {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        match (Number::of(dtype), bits(dtype, operands)) {
            (Some(Number::Float(format)), Some(all)) => self.of_floats(format, &all),
            (Some(Number::Int(int)), Some(all)) => {
                let values = all.into_iter().map(|bits| int.value(bits));
                let extreme = if self.is_largest { values.max() } else { values.min() };
                extreme.map_or(FOREIGN, |extreme| Conforming::One(int.wrap(extreme)))
            }
            _ => FOREIGN,
        }
    }

    fn real(&self, dtype: DType, operands: &[Element], _: u32) -> Option<Real> {
        Real::of_element(dtype, self.number(dtype, operands)?)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        let number = self.number(dtype, operands);
        number.map_or(Deviation::NoRealResult, |exact| distance(dtype, exact, actual))
    }
}

/// What is allowed of the largest.
pub(crate) const LARGEST: Pointwise<Extremum> = Pointwise {
    function: |specification, _| Extremum {
        is_largest: true,
        is_total: specification == Specification::Sonnx,
    },
    broadcast,
    boundaries: Some(&boundaries::LARGEST),
};

/// What is allowed of the smallest.
pub(crate) const SMALLEST: Pointwise<Extremum> = Pointwise {
    function: |_, _| Extremum { is_largest: false, is_total: false },
    broadcast,
    boundaries: Some(&boundaries::SMALLEST),
};

/// How the inputs of a call lie along its output: before version 8 they have one shape.
pub(crate) fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    if call.specification == Specification::Sonnx {
        call.restrict_types(NUMERIC_SONNX)?;
    }
    match call.version.since {
        ..8 => Broadcast::equal(&call.shapes()),
        _ => Broadcast::multidirectional(&call.shapes()),
    }
}

/// The hard inputs of Max.
pub(crate) fn hard_for_max(dtype: DType) -> Option<Parts> {
    hard(&boundaries::LARGEST, dtype)
}

/// The hard inputs of Min.
pub(crate) fn hard_for_min(dtype: DType) -> Option<Parts> {
    hard(&boundaries::SMALLEST, dtype)
}

/// Operands whose order is told wrongly most easily: special values, every exponent, the ends of integers.
fn hard(boundaries: &'static boundaries::Extremes, dtype: DType) -> Option<Parts> {
    let thresholds = ("thresholds", at_boundaries(boundaries, dtype));
    Some(match Number::of(dtype)? {
        Number::Float(format) => vec![
            ("special values", pairs(specials(format))),
            ("exponents", with_every_pair_of_exponents(*format)),
            thresholds,
        ],
        Number::Int(int) => vec![("boundaries", corner_pairs(int)), thresholds],
    })
}

#[cfg(test)]
mod tests;
