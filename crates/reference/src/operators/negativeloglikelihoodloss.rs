//! NegativeLogLikelihoodLoss: the logarithm of the probability of each sample's class, with the other sign, weighted, and added up or averaged.
//!
//! `families/losses.rs` has the rule. Source: ONNX's schemas and functions of NegativeLogLikelihoodLoss-12, 13 and 22.

use std::rc::Rc;

use values::dtype::DType;

use crate::case_table::{self, Own};
use crate::families::computation::value;
use crate::families::losses::{self, Samples};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Port, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// NegativeLogLikelihoodLoss in ONNX's default domain.
pub static NEGATIVELOGLIKELIHOODLOSS: Operator = Operator {
    documents: &[Document {
        key: "onnx-negativeloglikelihoodloss",
        catalogue: include_str!("negativeloglikelihoodloss/onnx-negativeloglikelihoodloss.toml"),
    }],
    cases: Some(|of| {
        let tables = [losses::CASES, include_str!("negativeloglikelihoodloss/cases.toml")];
        case_table::cases(of, &NEGATIVELOGLIKELIHOODLOSS, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "NegativeLogLikelihoodLoss",
        OperatorKind::Composed,
        &VERSIONS,
        &NegativeLogLikelihood,
    )
};

const VERSIONS: [Version; 3] = [
    const { Ports::new(IEEE_FLOATS) }.since(12),
    const { Ports::new(IEEE_FLOATS) }.since(13),
    const { Ports::new(FLOATS) }.since(22),
];

/// The ports of a version with scores of these types.
struct Ports([Port; 3], [Port; 1]);

impl Ports {
    const fn new(types: &'static [DType]) -> Self {
        let inputs = losses::inputs(["input", "target", "weight"], types);
        Self(inputs, [Port::new("loss", types, "T")])
    }

    const fn since(&'static self, since: i64) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes: &losses::ATTRIBUTES }
    }
}

struct NegativeLogLikelihood;

impl Reference for NegativeLogLikelihood {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![Samples::of(call)?.output()?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(samples) = Samples::of(call).map(Rc::new) else { return Vec::new() };
        let scores = samples.scores;
        let logarithm = Rc::new(move |place: usize, bits: u32| value(scores, place, bits));
        vec![samples.losses(&logarithm, &Rc::new(|_| Vec::new()))]
    }
}

#[cfg(test)]
mod tests;
