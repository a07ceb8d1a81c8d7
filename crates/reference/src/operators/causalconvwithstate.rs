//! CausalConvWithState: the convolution of each channel with weights of its own, over the elements before and at each place.
//!
//! In front of the input are the last elements of what came before it, `past_state`, or zeros; the last elements of both together are
//! `present_state`, as they are. The sums are those of Conv, whose weights meet the elements in their order. Where an activation follows, it is
//! SiLU, which the schema does not define: Swish with an alpha of 1, of all that the sum may be, in the type of the elements or a wider one, as
//! the function has it in float32. A weight that is an infinity or a NaN makes a NaN of zeros in front of the input, or nothing where these are left out.
//! Source: ONNX's schema and function of CausalConvWithState-27.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::{Conforming, Deviation, Share};
use crate::families::computation::{Elements, format_of, value};
use crate::families::convolving::{Convolved, check_bias};
use crate::families::integer_products::convolution::{Convolution, Taps};
use crate::families::summing::{Accumulated, Summed};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::operators::swiglu::gate;
use crate::pointwise::Moved;
use crate::real::Real;
use crate::signature::FLOATS;

/// CausalConvWithState in ONNX's default domain.
pub static CAUSALCONVWITHSTATE: Operator = Operator {
    documents: &[Document {
        key: "onnx-causalconvwithstate",
        catalogue: include_str!("causalconvwithstate/onnx-causalconvwithstate.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("causalconvwithstate/cases.toml")];
        case_table::cases(of, &CAUSALCONVWITHSTATE, &tables, Own::NONE)
    }),
    ..Operator::onnx("CausalConvWithState", OperatorKind::Accumulated, &VERSIONS, &Causal)
};

/// All floats but float64.
pub(crate) const SHORT_FLOATS: &[DType] = FLOATS.split_at(3).0;

const VERSIONS: [Version; 1] = [Version {
    since: 27,
    inputs: &[
        Port::new("input", SHORT_FLOATS, "T"),
        Port::new("weight", SHORT_FLOATS, "T"),
        Port::new("bias", SHORT_FLOATS, "T").optional(),
        Port::new("past_state", SHORT_FLOATS, "T").optional(),
    ],
    outputs: &[
        Port::new("output", SHORT_FLOATS, "T"),
        Port::new("present_state", SHORT_FLOATS, "T"),
    ],
    attributes: &[Attribute::new("activation", AttributeType::Text(&["none", "silu", "swish"]))
        .otherwise(Otherwise::Text("none"))],
}];

/// The operands of a call.
#[derive(Clone, Copy)]
struct Plan<'a> {
    input: &'a Tensor,
    /// Of as many elements in each line as the weights are, less one.
    past: Option<&'a Tensor>,
    /// Instances, channels and elements of a line of the input.
    sizes: [usize; 3],
    /// Elements of a line of the state.
    before: usize,
}

impl<'a> Plan<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let (input, weight) = (call.input(0)?, call.input(1)?);
        let [batch, channels, length] = *input.shape() else {
            return Err(call.invalid("takes an input of 3 dimensions"));
        };
        let before = match *weight.shape() {
            [own, 1, kernel] if own == channels => kernel.checked_sub(1),
            _ => None,
        };
        let problem = "takes weights of the channels, 1 and a size from 1 on";
        let before = before.ok_or_else(|| call.invalid(problem))?;
        check_bias(call, 2, channels)?;
        let past = call.inputs.get(3).and_then(Option::as_ref);
        if past.is_some_and(|past| *past.shape() != [batch, channels, before]) {
            return Err(
                call.invalid("takes a state of one element less than the weights for each channel")
            );
        }
        Ok(Self { input, past, sizes: [batch, channels, length], before })
    }

    /// The elements that weights meet: those of the past in front of the input's, where there is one.
    fn data(&self) -> Option<Tensor> {
        let ([batch, channels, length], before) = (self.sizes, self.before);
        let past = self.past.filter(|_| before > 0)?;
        let width = self.input.dtype().bits()? as usize / 8;
        let (own, old) = (self.input.bits()?, past.bits()?);
        let line = before.checked_add(length)?;
        let mut bytes = Vec::with_capacity(own.len() + old.len());
        for at in 0..batch * channels {
            bytes.extend_from_slice(old.get(at * before * width..(at + 1) * before * width)?);
            bytes.extend_from_slice(own.get(at * length * width..(at + 1) * length * width)?);
        }
        Tensor::from_bits(self.input.dtype(), vec![batch, channels, line], bytes.into()).ok()
    }

    /// The element of `present_state` at an index.
    fn present(&self, index: usize) -> Option<Element> {
        let ([_, _, length], before) = (self.sizes, self.before);
        let line = index.checked_div(before)?;
        let at = index % before + length;
        match (at.checked_sub(before), self.past) {
            (Some(at), _) => Element::of(self.input, line * length + at),
            (None, Some(past)) => Element::of(past, line * before + at),
            (None, None) => Some(Element::Bits(self.input.dtype(), 0)),
        }
    }
}

struct Causal;

impl Reference for Causal {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let Plan { input, sizes: [batch, channels, _], before, .. } = Plan::of(call)?;
        let state = vec![batch, channels, before];
        Ok(vec![TensorType::of(input), TensorType::new(input.dtype(), state)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call) else { return Vec::new() };
        let Some(format) = format_of(plan.input.dtype()) else { return Vec::new() };
        let ([batch, channels, length], before) = (plan.sizes, plan.before);
        let kernel = before + 1;
        let data = plan.data();
        let (line, zeros) = if data.is_some() { (length + before, 0) } else { (length, before) };
        let layout = Convolution::of_each_channel([batch, channels, line], kernel, zeros, length);
        let Ok(sums) = Convolved::of(call, layout.clone(), None) else { return Vec::new() };
        let sums = match &data {
            Some(data) => sums.with_past(data.clone(), before),
            None => sums,
        };
        let output = |sums: Convolved<'a, Convolution>| -> Box<dyn Allowed + 'a> {
            if call.text("activation").is_none_or(|name| name == "none") {
                return Box::new(Accumulated(sums));
            }
            let data = data.clone();
            let compute = move |index: usize, bits: u32| {
                let a = Arithmetic::of(format, bits);
                let sum = sum(call, &layout, data.as_ref(), format, index, bits);
                gate(&a, &sum, &a.integer(1))
            };
            Box::new(Activated { elements: Elements::new(format, compute, |_| Vec::new()), sums })
        };
        let mut all: Vec<Box<dyn Allowed + 'a>> = Vec::new();
        if call.asks_for(0) {
            all.push(output(sums));
        }
        if call.asks_for(1) {
            all.push(Box::new(Moved(move |index| plan.present(index))));
        }
        all
    }
}

/// What the sum of an element may be in the format of the elements, in any order.
fn sum(
    call: &Call,
    layout: &Convolution,
    data: Option<&Tensor>,
    format: &FloatFormat,
    index: usize,
    bits: u32,
) -> Computed {
    let a = Arithmetic::of(format, bits);
    let (Some(data), Ok(weights)) = (data.or(call.input(0).ok()), call.input(1)) else {
        return Computed::nan();
    };
    let mut may_be_nan = false;
    let mut terms = Vec::new();
    for (from, weight) in layout.taps(index) {
        let weight = value(weights, weight, bits);
        match from {
            Some(from) => terms.push(a.mul(&value(data, from, bits), &weight)),
            // The product by a zero, or nothing.
            None if weight.numbers.is_none() => may_be_nan = true,
            None => terms.push(Computed { signs: [true, weight.signs[1]], ..a.integer(0) }),
        }
    }
    let bias = call.inputs.get(2).and_then(Option::as_ref);
    terms.extend(bias.map(|bias| value(bias, layout.channel(index), bits)));
    let sum = a.sum(&terms);
    if may_be_nan { sum.or(&Computed::nan()) } else { sum }
}

/// Sums of which SiLU is taken.
struct Activated<E, S> {
    elements: E,
    sums: S,
}

impl<E: Allowed, S: Summed> Allowed for Activated<E, S> {
    fn at(&self, index: usize) -> Conforming {
        self.elements.at(index)
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.elements.real(index, bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.elements.deviation(index, actual)
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        self.elements.judged(index, actual)
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.elements.share(index, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.sums.operands(index)
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        let count = self.sums.operands(index).len();
        Some((0..count).map(|at| self.sums.source(index, at, count)).collect())
    }
}

#[cfg(test)]
mod tests;
