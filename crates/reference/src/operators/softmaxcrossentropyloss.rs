//! SoftmaxCrossEntropyLoss: NegativeLogLikelihoodLoss of the logarithms of Softmax along the classes, which are the second output.
//!
//! The logarithms are those of LogSoftmax (`families/exponentials.rs`), the losses those of `families/losses.rs`. A loss of 0 may have either sign, as it may be the
//! logarithm of the sum less the score. Source: ONNX's schemas and functions of SoftmaxCrossEntropyLoss-12 and 13.

use std::rc::Rc;

use values::dtype::DType;
use values::element::Element;

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::families::computation::Elements;
use crate::families::exponentials::Powers;
use crate::families::lines::{Lines, PerLine};
use crate::families::losses::{self, Samples};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// SoftmaxCrossEntropyLoss in ONNX's default domain.
pub static SOFTMAXCROSSENTROPYLOSS: Operator = Operator {
    documents: &[Document {
        key: "onnx-softmaxcrossentropyloss",
        catalogue: include_str!("softmaxcrossentropyloss/onnx-softmaxcrossentropyloss.toml"),
    }],
    cases: Some(|of| {
        let tables = [losses::CASES, include_str!("softmaxcrossentropyloss/cases.toml")];
        case_table::cases(of, &SOFTMAXCROSSENTROPYLOSS, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "SoftmaxCrossEntropyLoss",
        OperatorKind::Composed,
        &VERSIONS,
        &SoftmaxCrossEntropy,
    )
};

const VERSIONS: [Version; 2] =
    [const { Ports::new(IEEE_FLOATS) }.since(12), const { Ports::new(FLOATS) }.since(13)];

/// The ports of a version with scores of these types.
struct Ports([Port; 3], [Port; 2]);

impl Ports {
    const fn new(types: &'static [DType]) -> Self {
        let inputs = losses::inputs(["scores", "labels", "weights"], types);
        let logarithms = Port::new("log_prob", types, "T").optional();
        Self(inputs, [Port::new("output", types, "T"), logarithms])
    }

    const fn since(&'static self, since: i64) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes: &losses::ATTRIBUTES }
    }
}

struct SoftmaxCrossEntropy;

impl Reference for SoftmaxCrossEntropy {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let samples = Samples::of(call)?;
        Ok(vec![samples.output()?, TensorType::of(samples.scores)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(samples) = Samples::of(call).map(Rc::new) else { return Vec::new() };
        let (scores, format) = (samples.scores, samples.format);
        let lines = Lines::along(scores.shape(), 1);
        let count = scores.elements() / lines.length.max(1);
        let powers =
            PerLine::new(count, move |line, bits| Powers::of(scores, format, &lines, line, bits));
        let logarithm = Rc::new(move |place: usize, bits: u32| {
            let (line, class) = lines.of(place);
            powers.of(line, bits).logarithm(&Arithmetic::of(format, bits), class)
        });
        let places = Rc::new(move |place: usize| lines.places(lines.of(place).0).collect());
        let mut all = Vec::new();
        if call.asks_for(0) {
            let own = Rc::clone(&logarithm);
            let own = Rc::new(move |place: usize, bits: u32| {
                let logarithm: Computed = own(place, bits);
                let is_zero = logarithm.numbers.as_ref().is_some_and(Interval::has_zero);
                match is_zero {
                    true => Computed { signs: [true; 2], ..logarithm },
                    false => logarithm,
                }
            });
            all.push(samples.losses(&own, &places));
        }
        if !call.asks_for(1) {
            return all;
        }
        all.push(samples.open().unwrap_or_else(|| {
            let compute = move |index: usize, bits: u32| logarithm(index, bits);
            // Its own element first, then all of its line.
            let operands = move |index: usize| {
                let places: Vec<usize> = places(index);
                let places = std::iter::once(index).chain(places);
                places.filter_map(|place| Element::of(scores, place)).collect()
            };
            Box::new(Elements::new(format, compute, operands))
        }));
        all
    }
}

#[cfg(test)]
mod tests;
