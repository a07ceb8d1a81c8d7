//! Dropout in inference: the data as they are, and a mask of which every element holds.
//!
//! In training elements are dropped at random, and nothing is decided, but for a ratio of 0, which drops none and scales by 1. Since
//! version 12 an input says whether that is asked for, in versions 1 and 6 an attribute; of versions 7 and 10 a model is taken to be
//! run for inference. What the mask is in inference, no sentence says before version 12. Without training the ratio is ignored.
//! Source: ONNX's schemas of Dropout-1, 6, 7, 10, 12, 13 and 22.

use values::dtype::DType::{
    self, Bfloat16, Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16,
    Float32, Float64,
};
use values::dtype::Kind;
use values::element::Element;

use crate::case_table::{self, Own};
use crate::families::binary::CONSUMED_INPUTS;
use crate::families::picked_or_open::Open;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::pointwise::Moved;

/// Dropout in ONNX's default domain.
pub static DROPOUT: Operator = Operator {
    documents: &[Document {
        key: "onnx-dropout",
        catalogue: include_str!("dropout/onnx-dropout.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &DROPOUT, &[include_str!("dropout/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Dropout", OperatorKind::Exact, &VERSIONS, &Dropout)
};

/// The types of data, in the order in which versions brought them.
#[rustfmt::skip]
const TYPES: [DType; 8] = [
    Float16, Float32, Float64, Bfloat16,
    Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
];

const fn types(count: usize) -> &'static [DType] {
    TYPES.split_at(count).0
}

const RATIO: Attribute =
    Attribute::new("ratio", AttributeType::Float).otherwise(Otherwise::Float(0.5_f32.to_bits()));
const IS_TEST: Attribute =
    Attribute::new("is_test", AttributeType::Int).otherwise(Otherwise::Int(0));
const SEED: Attribute = Attribute::new("seed", AttributeType::Int);

const VERSIONS: [Version; 7] = [
    const { EARLY }.since(1, &[IS_TEST, CONSUMED_INPUTS, RATIO]),
    const { EARLY }.since(6, &[IS_TEST, RATIO]),
    const { EARLY }.since(7, &[RATIO]),
    const { Ports([data(3)], [output(3), MASK]) }.since(10, &[RATIO]),
    const { Ports(inputs(3, 3), [output(3), MASK]) }.since(12, &[SEED]),
    const { Ports(inputs(4, 3), [output(4), MASK]) }.since(13, &[SEED]),
    const { Ports(inputs(8, 8), [output(8), MASK]) }.since(22, &[SEED]),
];

/// The inputs and outputs of a version.
struct Ports<const INPUTS: usize>([Port; INPUTS], [Port; 2]);

const EARLY: Ports<1> = Ports([data(3)], [output(3), Port::new("mask", types(3), "T").optional()]);
const MASK: Port = Port::new("mask", &[Bool], "T2").optional();

const fn data(count: usize) -> Port {
    Port::new("data", types(count), "T")
}

const fn output(count: usize) -> Port {
    Port::new("output", types(count), "T")
}

const fn inputs(count: usize, of_ratio: usize) -> [Port; 3] {
    let ratio = Port::new("ratio", types(of_ratio), "T1").optional();
    [data(count), ratio, Port::new("training_mode", &[Bool], "T2").optional()]
}

impl<const INPUTS: usize> Ports<INPUTS> {
    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes }
    }
}

const RANDOM: &str = "which elements are dropped in training is random";
const NOT_FILLED: &str = "the mask of inference is not stated";

struct Dropout;

/// Why nothing is decided of the output and of the mask, if so.
fn open(call: &Call) -> Result<[Option<&'static str>; 2], Invalid> {
    let scalar = |at: usize, name: &str| {
        let Some(scalar) = call.inputs.get(at).and_then(Option::as_ref) else { return Ok(None) };
        match scalar.shape() {
            [] => Ok(scalar.element(0)),
            other => Err(call.invalid(&format!("takes no `{name}` of shape {other:?}"))),
        }
    };
    let (ratio, training) = (scalar(1, "ratio")?, scalar(2, "training_mode")?);
    let is_training = match call.version.since {
        ..7 => call.int("is_test") == Some(0),
        7..12 => false,
        _ => {
            training.is_some_and(|bits| bits != 0) && !ratio.is_some_and(|bits| is_zero(call, bits))
        }
    };
    Ok(match call.version.since {
        _ if is_training => [Some(RANDOM); 2],
        ..12 => [None, Some(NOT_FILLED)],
        _ => [None, None],
    })
}

/// Whether the ratio is a zero of either sign.
fn is_zero(call: &Call, ratio: u128) -> bool {
    match call.input(1).map(|ratio| ratio.dtype().kind()) {
        Ok(Kind::Float(format)) => format.magnitude(format.parts(ratio)[0]) == 0,
        _ => false,
    }
}

impl Reference for Dropout {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        open(call)?;
        let output = TensorType::of(call.input(0)?);
        let dtype = if call.version.since < 10 { output.dtype } else { Bool };
        let mask = TensorType { dtype, ..output.clone() };
        Ok(vec![output, mask])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok([output, mask])) = (call.input(0), open(call)) else { return Vec::new() };
        let output: Box<dyn Allowed> = match output {
            Some(reason) => Box::new(Open(reason)),
            None => Box::new(Moved(|index| Element::of(data, index))),
        };
        let mask: Box<dyn Allowed> = match mask {
            Some(reason) => Box::new(Open(reason)),
            None => Box::new(Moved(|_| Some(Element::Bits(Bool, 1)))),
        };
        let all = [output, mask].into_iter().enumerate();
        all.filter(|(at, _)| call.asks_for(*at)).map(|(_, allowed)| allowed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{AttributeValue, Attributes, Specification};
    use values::tensor::Tensor;

    fn scalar(ratio: f32) -> Option<Tensor> {
        Tensor::from_values(Float32, vec![], vec![ratio]).ok()
    }

    fn flag(training: bool) -> Option<Tensor> {
        Tensor::from_bits(Bool, vec![], vec![u8::from(training)].into()).ok()
    }

    /// The element of each output for a NaN with something to carry.
    fn made(
        since: i64,
        others: &[Option<Tensor>],
        is_test: Option<i64>,
    ) -> Option<(DType, [Option<u128>; 2])> {
        let data = Tensor::from_values(Float32, vec![1], vec![0x7fa0_0001_u32]).ok();
        let inputs = [&[data][..], others].concat();
        let is_test = is_test.map(|value| ("is_test".to_owned(), AttributeValue::Int(value)));
        let version = DROPOUT.version(since).unwrap();
        let (call, types) = Call::new(
            &DROPOUT,
            version,
            Specification::Onnx,
            Attributes::from_iter(is_test),
            inputs,
        )
        .ok()?;
        let allowed = DROPOUT.reference.allowed(&call, &types);
        let one = |at: usize| {
            let one = allowed[at].at(0);
            one.is_decided().then(|| one.example().unwrap())
        };
        Some((types[1].dtype, [one(0), one(1)]))
    }

    const SAME: Option<u128> = Some(0x7fa0_0001);

    #[test]
    fn inference_copies_and_masks_nothing() {
        let all = Some((Bool, [SAME, Some(1)]));
        for since in [12, 13, 22] {
            assert_eq!(made(since, &[], None), all);
            assert_eq!(made(since, &[scalar(0.9), flag(false)], None), all);
            assert_eq!(made(since, &[scalar(-0.0), flag(true)], None), all);
        }
        assert_eq!(made(10, &[], None), Some((Bool, [SAME, None])));
        assert_eq!(made(7, &[], None), Some((Float32, [SAME, None])));
        assert_eq!(made(1, &[], Some(2)), Some((Float32, [SAME, None])));
    }

    #[test]
    fn training_is_random() {
        for ratio in [None, scalar(0.5)] {
            assert_eq!(made(22, &[ratio, flag(true)], None), Some((Bool, [None, None])));
        }
        assert_eq!(made(6, &[], None), Some((Float32, [None, None])));
    }

    #[test]
    fn what_is_no_scalar_is_refused() {
        let list = Tensor::from_values(Float32, vec![1], vec![0.5_f32]).ok();
        assert_eq!(made(22, std::slice::from_ref(&list), None), None);
        assert_eq!(made(22, &[None, list], None), None);
        assert_eq!(made(7, &[], Some(1)), None);
    }
}
