//! BatchNormalization: each channel by a mean and a variance that are given, or by its own, then scaled and shifted.
//!
//! Since version 14 `training_mode` says which; versions 7 and 9 tell it from the number of outputs, and versions 1 and 6 from
//! `is_test` too. In training the running statistics are outputs. Since version 15 statistics of narrower types are
//! computed in float32. What the older documents leave open: what is saved beside them, whether the running variance
//! is that of the population or of the sample, and a call that asks for training and for the output of inference alone.
//! `normalizing.rs` has the orders of evaluation. Sources: ONNX's schemas of BatchNormalization-1, 6, 7, 9, 14 and
//! 15; the paper that they refer to; SONNX's BatchNormalization.

mod groups;
mod versions;

use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::instancenormalization::EPSILON;
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::lines::PerLine;
use crate::families::normalizing::{Normalization, Statistics};
use crate::operator::{
    Allowed, Call, Document, Invalid, Operator, OperatorKind, Reference, TensorType,
};

use groups::Groups;
use versions::{MOMENTUM, SONNX, VERSIONS};

/// BatchNormalization in ONNX's default domain.
pub static BATCHNORMALIZATION: Operator = Operator {
    documents: &[
        Document {
            key: "sonnx-batchnormalization",
            catalogue: include_str!("batchnormalization/sonnx-batchnormalization.toml"),
        },
        Document {
            key: "onnx-batchnormalization",
            catalogue: include_str!("batchnormalization/onnx-batchnormalization.toml"),
        },
    ],
    cases: Some(|of| {
        let tables = [include_str!("batchnormalization/cases.toml")];
        case_table::cases(of, &BATCHNORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("BatchNormalization", OperatorKind::Composed, &VERSIONS, &Batch)
};

/// By which statistics elements are normalized.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Inference,
    Training,
    /// The document does not say it, for this reason.
    Open(&'static str),
}

const NO_MODE: &str = "training is asked for, and the output of inference";
const SAVED: &str = "the document does not say what is saved";
const FEATURES: &str = "the document does not say which statistics features have one by one";

struct Batch;

pub(crate) fn mode(call: &Call) -> Result<Mode, Invalid> {
    let is_one = call.outputs == 1;
    if call.version.since >= 14 {
        let is_training = crate::families::along::flag(call, "training_mode")?;
        if !is_training && !is_one {
            return Err(call.invalid("has one output in inference"));
        }
        return Ok(if is_training { Mode::Training } else { Mode::Inference });
    }
    Ok(match (call.int("is_test"), call.int("spatial")) {
        (Some(_), Some(0)) => Mode::Open(FEATURES),
        (Some(0), _) if is_one => Mode::Open(NO_MODE),
        (Some(0), _) => Mode::Training,
        (Some(_), _) if !is_one => Mode::Open(NO_MODE),
        (Some(_), _) => Mode::Inference,
        (None, _) if is_one => Mode::Inference,
        (None, _) => Mode::Training,
    })
}

/// What SONNX restricts calls to.
fn restrict(call: &Call) -> Result<(), Invalid> {
    call.restrict_types(&SONNX)?;
    let is_missing = |name: &&&str| !call.attributes.contains_key(**name);
    if let Some(missing) = ["epsilon", "momentum", "training_mode"].iter().find(is_missing) {
        return Err(call.invalid(&format!("of SONNX needs `{missing}`")));
    }
    if call.int("training_mode") != Some(0) {
        return Err(call.invalid("of SONNX is specified in inference alone"));
    }
    let epsilon = u64::from(call.float("epsilon").unwrap_or(0));
    let float32 = &FloatFormat::FLOAT32;
    let is_number = !matches!(float32.class(epsilon), values::float::Class::Nan);
    if float32.is_negative(epsilon) || epsilon == 0 || !is_number {
        return Err(call.invalid("of SONNX needs an `epsilon` above 0"));
    }
    Ok(())
}

impl Reference for Batch {
    /// ONNX's function has either one output, or three in training.
    fn is_disputed(&self, call: &Call) -> bool {
        let is_training = call.int("training_mode").is_some_and(|it| it != 0);
        call.outputs != if is_training { 3 } else { 1 }
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        if call.specification.is_restricted() {
            restrict(call)?;
        }
        mode(call)?;
        let groups = Groups::of(call)?;
        let mut types = vec![TensorType::of(call.input(0)?)];
        let saved = TensorType::new(call.input(3)?.dtype(), groups.shape)?;
        types.resize(call.version.outputs.len(), saved);
        Ok(types)
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(mode), Ok(groups)) = (mode(call), Groups::of(call)) else { return Vec::new() };
        let inputs: Vec<&Tensor> = call.inputs.iter().flatten().collect();
        let &[x, scale, shift, mean, variance] = inputs.as_slice() else { return Vec::new() };
        let batch = Batched { call, mode, groups, x, scale, shift, given: [mean, variance] };
        (0..outputs.len()).filter_map(|output| batch.clone().output(output)).collect()
    }
}

/// A call whose types and shapes are right.
#[derive(Clone)]
struct Batched<'a> {
    call: &'a Call,
    mode: Mode,
    groups: Groups,
    x: &'a Tensor,
    scale: &'a Tensor,
    shift: &'a Tensor,
    /// Mean and variance.
    given: [&'a Tensor; 2],
}

impl<'a> Batched<'a> {
    /// What is allowed of an output.
    fn output(self, output: usize) -> Option<Box<dyn Allowed + 'a>> {
        let [mean, _] = self.given;
        let (format, saved) = (format_of(self.x.dtype())?, format_of(mean.dtype())?);
        if output > 0 {
            let batch = self.clone();
            let compute = move |group: usize, bits: u32| batch.saved(saved, output, group, bits);
            let operands = move |group: usize| {
                let at = self.given.get(output - 1).and_then(|tensor| Element::of(tensor, group));
                at.into_iter().chain(self.members(group)).collect()
            };
            return Some(Box::new(Elements::new(saved, compute, operands)));
        }
        let batch = self.clone();
        let known = PerLine::new(self.groups.count, move |group, bits| {
            let statistics = batch.statistics(format, group, bits);
            let arithmetic = Arithmetic::of(format, bits);
            let epsilon = batch.call.float("epsilon").unwrap_or(EPSILON);
            let deviation = statistics.deviation(&arithmetic, &attribute(epsilon, bits));
            let of = |tensor| arithmetic.converted(&value(tensor, group, bits));
            let own = [batch.scale, batch.shift].map(of);
            Normalization::of(&arithmetic, statistics.mean, deviation, own)
        });
        let batch = self.clone();
        let compute = move |index: usize, bits: u32| {
            if let Mode::Open(why) = batch.mode {
                return Computed::open(Exact::Undefined, why);
            }
            let group = known.of(batch.groups.of_index(index), bits);
            group.normalized(&Arithmetic::of(format, bits), &value(batch.x, index, bits))
        };
        let operands = move |index: usize| {
            let group = self.groups.of_index(index);
            let inputs = [self.scale, self.shift, self.given[0], self.given[1]];
            let own = inputs.into_iter().filter_map(|tensor| Element::of(tensor, group));
            let all = Element::of(self.x, index).into_iter().chain(own);
            let members = (self.mode == Mode::Training).then(|| self.members(group));
            all.chain(members.into_iter().flatten()).collect()
        };
        Some(Box::new(Elements::new(format, compute, operands)))
    }

    fn members(&self, group: usize) -> Vec<Element> {
        self.groups.places(group).filter_map(|place| Element::of(self.x, place)).collect()
    }

    /// Mean and variance that a group is normalized by, in the arithmetic of the output.
    fn statistics(&self, format: &'static FloatFormat, group: usize, bits: u32) -> Statistics {
        let arithmetic = Arithmetic::of(format, bits);
        let [mean, variance] = match self.mode {
            Mode::Training => {
                let Statistics { mean, variance } = self.current(format, group, bits);
                [mean, variance]
            }
            _ => self.given.map(|tensor| value(tensor, group, bits)),
        };
        let variance = arithmetic.converted(&variance).without_overflow();
        Statistics { mean: arithmetic.converted(&mean), variance }
    }

    /// Those of a group's own elements: in float32 at least, where the document says it.
    fn current(&self, format: &'static FloatFormat, group: usize, bits: u32) -> Statistics {
        let is_narrow = format.precision() < FloatFormat::FLOAT32.precision();
        let is_widened = self.call.version.since >= 15 && is_narrow;
        let format = if is_widened { &FloatFormat::FLOAT32 } else { format };
        let elements: Vec<Computed> =
            self.groups.places(group).map(|place| value(self.x, place, bits)).collect();
        Statistics::of(&Arithmetic::of(format, bits), &elements)
    }

    /// A running statistic: the one that is given times the momentum, and the current one times what that lacks of 1.
    fn saved(&self, to: &'static FloatFormat, output: usize, group: usize, bits: u32) -> Computed {
        let (Some(given), Some(format)) = (self.given.get(output - 1), format_of(self.x.dtype()))
        else {
            return Computed::open(Exact::Undefined, SAVED);
        };
        if let Mode::Open(why) = self.mode {
            return Computed::open(Exact::Undefined, why);
        }
        let Statistics { mean, variance } = self.current(format, group, bits);
        let current = if output == 1 { mean } else { variance };
        let arithmetic = Arithmetic::of(to, bits);
        let momentum = attribute(self.call.float("momentum").unwrap_or(MOMENTUM), bits);
        let one = arithmetic.integer(1);
        let single = Arithmetic::of(&FloatFormat::FLOAT32, bits);
        let share = arithmetic.converted(&momentum);
        let rest =
            arithmetic.sub(&one, &share).or(&arithmetic.converted(&single.sub(&one, &momentum)));
        let given = value(given, group, bits);
        let mixed = |current: &Computed| {
            let current = arithmetic.converted(current);
            arithmetic.add(&arithmetic.mul(&given, &share), &arithmetic.mul(&current, &rest))
        };
        let count = self.groups.members();
        if self.call.version.since >= 14 || output == 1 || count < 2 {
            return mixed(&current);
        }
        let [count, less] = [count, count - 1].map(|count| arithmetic.integer(count as i64));
        let sample =
            arithmetic.quotient(&arithmetic.mul(&current, &count), &arithmetic.divisor(less));
        mixed(&current).or(&mixed(&sample))
    }
}

#[cfg(test)]
mod tests;
