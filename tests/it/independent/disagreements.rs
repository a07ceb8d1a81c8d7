//! Where NumPy or ONNX's evaluator give what the specification does not allow, or refuse what it has; each is still
//! seen whenever the checks run, or they fail.

mod drawn;
mod elementwise;

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::reference::operator::AttributeValue;
use onnx_conformance::tensor::Tensor;
use values::element::Element;

use super::check::Check;

/// Every disagreement there is.
pub(crate) fn all() -> impl Iterator<Item = &'static Disagreement> {
    elementwise::ALL.iter().chain(drawn::ALL)
}

/// Whatever type it is.
pub(crate) const ANY: &[DType] = &[];

/// What a source gave that is not allowed.
pub(crate) struct Seen<'a> {
    pub(crate) source: &'a str,
    pub(crate) check: &'a Check,
    /// The operands of an element, where it is one.
    pub(crate) operands: &'a [Element],
    /// The element, or what the call was refused with, or given in the place of outputs.
    pub(crate) answer: Result<&'a Element, &'a str>,
}

/// Disagreements of one kind and cause.
#[derive(Debug)]
pub(crate) struct Disagreement {
    pub(crate) source: &'static str,
    pub(crate) operators: &'static [&'static str],
    /// Each of these types shows it of each of the operators, or one at least where it is [`ANY`].
    pub(crate) types: &'static [DType],
    /// Whether this is one.
    pub(crate) holds: fn(&Seen<'_>) -> bool,
    pub(crate) reason: &'static str,
}

impl Disagreement {
    pub(crate) fn covers(&self, seen: &Seen<'_>) -> bool {
        self.source == seen.source
            && self.operators.contains(&seen.check.call.operator.name)
            && (self.types.is_empty() || self.types.contains(&seen.check.dtype))
            && (self.holds)(seen)
    }
}

impl Seen<'_> {
    /// The type of the output.
    fn to(&self) -> DType {
        self.check.outputs[0].dtype
    }

    fn is_refused(&self) -> bool {
        self.answer.is_err()
    }

    /// The first operand of an element as a number.
    fn number(&self) -> Option<f64> {
        let [Element::Bits(dtype, bits), ..] = self.operands else { return None };
        match dtype.kind() {
            Kind::Float(format) => Some(format.to_f64(*bits as u64)),
            _ => None,
        }
    }

    fn is_of(&self, holds: fn(f64) -> bool) -> bool {
        self.number().is_some_and(holds)
    }

    /// The input at a place.
    fn input(&self, at: usize) -> Option<&Tensor> {
        self.check.call.inputs.get(at).and_then(Option::as_ref)
    }

    /// The shape of the first input.
    fn shape(&self) -> &[usize] {
        self.input(0).map_or(&[], Tensor::shape)
    }

    /// An attribute that is an integer, where it is given.
    fn int(&self, name: &str) -> Option<i64> {
        match self.check.call.attributes.get(name)? {
            AttributeValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// An attribute that is a list of integers, where it is given.
    fn ints(&self, name: &str) -> &[i64] {
        match self.check.call.attributes.get(name) {
            Some(AttributeValue::Ints(values)) => values,
            _ => &[],
        }
    }

    /// An attribute that is text, or none.
    fn text(&self, name: &str) -> &str {
        match self.check.call.attributes.get(name) {
            Some(AttributeValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The integers of the input at a place.
    fn integers(&self, at: usize) -> Vec<i64> {
        let Some(input) = self.input(at) else { return Vec::new() };
        let outside = 128 - input.dtype().bits().unwrap_or(128);
        let integer = |bits: u128| ((bits << outside).cast_signed() >> outside) as i64;
        (0..input.elements()).filter_map(|at| input.element(at)).map(integer).collect()
    }
}
