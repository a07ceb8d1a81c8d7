//! What Conv, ConvTranspose and CausalConvWithState have in common: sums of products of elements and weights, with a bias as one more term.
//!
//! Zeros around the data, and between their elements where they are transposed, add nothing. A weight that is an
//! infinity or a NaN makes a NaN of them where they are multiplied, as the formula has it, and nothing where an
//! implementation leaves them out; no text says which.

mod patches;

use std::borrow::Cow;

use values::dtype::DType;
use values::element::Element;
use values::float::{Class, FloatFormat};
use values::tensor::Tensor;

use self::patches::Patches;
use super::integer_products::convolution::Taps;
use super::matrix_products::MatrixProducts;
use super::summing::{Summed, bits_at};
use crate::exact::bracket::Brackets;
use crate::exact::dot::NoBound;
use crate::exact::sum::{Factor, Scale, Sum, Terms};
use crate::exact::{Conforming, Number};
use crate::operator::{Call, Invalid, Port, Version};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// The three versions that both have, of these attributes.
pub(crate) const fn versions(attributes: &'static [crate::operator::Attribute]) -> [Version; 3] {
    const INPUTS: [[Port; 3]; 2] = [inputs(IEEE_FLOATS), inputs(FLOATS)];
    const OUTPUTS: [[Port; 1]; 2] =
        [[Port::new("Y", IEEE_FLOATS, "T")], [Port::new("Y", FLOATS, "T")]];
    [
        Version { since: 1, inputs: &INPUTS[0], outputs: &OUTPUTS[0], attributes },
        Version { since: 11, inputs: &INPUTS[0], outputs: &OUTPUTS[0], attributes },
        Version { since: 22, inputs: &INPUTS[1], outputs: &OUTPUTS[1], attributes },
    ]
}

const fn inputs(types: &'static [DType]) -> [Port; 3] {
    [Port::new("X", types, "T"), Port::new("W", types, "T"), Port::new("B", types, "T").optional()]
}

/// Refuses a bias, the input at a place, that has not one element for each output channel.
pub(crate) fn check_bias(call: &Call, at: usize, channels: usize) -> Result<(), Invalid> {
    match call.inputs.get(at).and_then(Option::as_ref).map(Tensor::shape) {
        Some(shape) if shape != [channels] => {
            Err(call.invalid(&format!("has a bias of {shape:?} for {channels} channels")))
        }
        _ => Ok(()),
    }
}

/// The output of a convolution.
pub(crate) struct Convolved<'a, L> {
    data: Cow<'a, Tensor>,
    weights: &'a Tensor,
    bias: Option<&'a Tensor>,
    layout: L,
    /// The elements at the beginning of each line of the data that are those of the fourth input.
    past: usize,
    /// Why no element is decided, if so.
    open: Option<&'static str>,
}

impl<'a, L: Taps> Convolved<'a, L> {
    pub(crate) fn of(
        call: &'a Call,
        layout: L,
        open: Option<&'static str>,
    ) -> Result<Self, Invalid> {
        let (data, weights) = (Cow::Borrowed(call.input(0)?), call.input(1)?);
        let bias = call.inputs.get(2).and_then(Option::as_ref);
        Ok(Self { data, weights, bias, layout, past: 0, open })
    }

    /// The same of data with so many elements of the fourth input at the beginning of each line.
    pub(crate) fn with_past(self, data: Tensor, past: usize) -> Self {
        Self { data: Cow::Owned(data), past, ..self }
    }

    /// The weights that meet a zero for an element.
    fn idle(&self, index: usize) -> impl Iterator<Item = u64> + '_ {
        let idle = self.layout.taps(index).filter(|(data, _)| data.is_none());
        idle.filter_map(|(_, weight)| bits_at(self.weights, weight))
    }
}

impl<L: Taps + Sync> Summed for Convolved<'_, L> {
    const PAIRED: bool = true;

    fn dtype(&self) -> DType {
        self.weights.dtype()
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let mut sum = Sum::new(format, Terms::Products, Scale::ONE)?;
        let (data, weights) = (self.data.as_ref(), self.weights);
        for (from, weight) in self.layout.taps(index) {
            let from = from.and_then(|from| bits_at(data, from));
            match (from, bits_at(weights, weight)) {
                (Some(from), Some(weight)) => sum.add(from, weight),
                (None, Some(weight)) if format.is_negative(weight) => sum.allow_negative_zero(),
                _ => {}
            }
        }
        let bias = self.bias.and_then(|bias| bits_at(bias, self.layout.channel(index)));
        if let Some(bias) = bias {
            sum.add_scaled(bias, Factor::ONE)?;
        }
        Ok(vec![sum])
    }

    fn integer(&self, _: usize) -> Conforming {
        Conforming::Unspecified("integers are not convolved")
    }

    fn open(&self, _: usize) -> Option<&'static str> {
        self.open
    }

    fn besides(&self, format: &'static FloatFormat, index: usize) -> Option<Conforming> {
        let is_special = |bits| matches!(format.class(bits), Class::Nan | Class::Infinite);
        self.idle(index).any(is_special).then_some(Conforming::AnyNan(format))
    }

    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        let Number::Float(format) = Number::of(self.dtype())? else { return None };
        if self.open.is_some() {
            return None;
        }
        let matrices = Patches::of(&self.layout, [self.data.as_ref(), self.weights], self.bias)?;
        Some(Box::new(MatrixProducts { matrices, format }))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let (data, weights) = (self.data.as_ref(), self.weights);
        let pairs = self.layout.taps(index).filter_map(|(from, weight)| Some((from?, weight)));
        let mut all: Vec<Element> = pairs
            .flat_map(|(from, weight)| [Element::of(data, from), Element::of(weights, weight)])
            .flatten()
            .collect();
        all.extend(self.bias.and_then(|bias| Element::of(bias, self.layout.channel(index))));
        all
    }

    fn source(&self, index: usize, at: usize, count: usize) -> usize {
        let line = self.data.shape().last().copied().unwrap_or_default().max(1);
        let mut met = self.layout.taps(index).filter_map(|(from, _)| from);
        let mut is_past = || met.nth(at / 2).is_some_and(|from| from % line < self.past);
        match at + 1 == count && at.is_multiple_of(2) {
            true => 2,
            false if at.is_multiple_of(2) && self.past > 0 && is_past() => 3,
            false => at % 2,
        }
    }
}
