//! StringSplit: the substrings of each string between delimiters, or its words between whitespace, and how many there are.
//!
//! A delimiter is looked for from the left, and what it is a part of is not searched again. Where no sentence says more, each reading
//! conforms, or nothing is decided: whether a string of nothing but whitespace, or an empty one, is one empty substring or none;
//! whether whitespace at the end is removed of what is left after the last split that `maxsplit` allows, as one sentence has it, or
//! stays with that suffix, as another one; which characters are whitespace besides those of the C locale; what a negative `maxsplit`
//! means; and the shape of the substrings of no strings. Source: ONNX's schema of StringSplit-20.

mod pieces;

use std::rc::Rc;

use values::dtype::DType::{Int64, String as Text};
use values::element::Element;
use values::tensor::Tensor;

use self::pieces::{Pieces, Separator};
use crate::case_table::{self, Own};
use crate::exact::{Conforming, Deviation, distance};
use crate::families::picked_or_open::Open;
use crate::families::picking::bounded;
use crate::families::strings::{NOT_UTF_8, texts};
use crate::inputs::texts::element;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Port,
    Reference, TensorType, Version,
};
use crate::real::Real;

/// StringSplit in ONNX's default domain.
pub static STRINGSPLIT: Operator = Operator {
    documents: &[Document {
        key: "onnx-stringsplit",
        catalogue: include_str!("stringsplit/onnx-stringsplit.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &STRINGSPLIT, &[include_str!("stringsplit/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("StringSplit", OperatorKind::Exact, &VERSIONS, &StringSplit)
};

const VERSIONS: [Version; 1] = [Version {
    since: 20,
    inputs: &[Port::new("X", &[Text], "T1")],
    outputs: &[Port::new("Y", &[Text], "T2"), Port::new("Z", &[Int64], "T3")],
    attributes: &[
        Attribute::new("delimiter", AttributeType::AnyText),
        Attribute::new("maxsplit", AttributeType::Int),
    ],
}];

/// The substrings of all strings.
struct Split<'a> {
    data: &'a Tensor,
    pieces: Vec<Pieces<'a>>,
    /// How many substrings the output has room for of each string.
    width: usize,
    /// Why nothing is decided, if so.
    open: Option<&'static str>,
}

impl<'a> Split<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let data = call.input(0)?;
        let separator = match call.text("delimiter") {
            None | Some("") => Separator::Whitespace,
            Some(delimiter) => Separator::Delimiter(delimiter),
        };
        let most = call.int("maxsplit").map(usize::try_from);
        let is_negative = matches!(most, Some(Err(_)));
        let most = most.and_then(Result::ok).unwrap_or(usize::MAX);
        let open = |reason| Ok(Self { data, pieces: Vec::new(), width: 1, open: Some(reason) });
        let Some(texts) = texts(data) else { return open(NOT_UTF_8) };
        if texts.is_empty() {
            return open("the shape of the substrings of no strings is not stated");
        }
        if texts.iter().any(|text| separator.is_doubtful_in(text)) {
            return open("which characters are whitespace is not stated");
        }
        let pieces: Vec<_> = texts.into_iter().map(|text| separator.split(text, most)).collect();
        let some = pieces.iter().filter(|pieces| !pieces.are_of_nothing);
        let Some(width) = some.map(|pieces| pieces.all.len()).max() else {
            return open("whether a string of nothing has a substring is not stated");
        };
        let reason = "what a negative `maxsplit` means is not stated";
        Ok(Self { data, pieces, width, open: is_negative.then_some(reason) })
    }

    /// The shapes of both outputs; where they are not known, such as have an element that is open.
    fn shapes(&self) -> [Vec<usize>; 2] {
        let shape = match self.pieces.is_empty() {
            true => vec![1; self.data.shape().len()],
            false => self.data.shape().to_vec(),
        };
        [[&shape[..], &[self.width]].concat(), shape]
    }
}

/// What is allowed of the substrings.
struct Substrings<'a>(Rc<Split<'a>>);

impl Allowed for Substrings<'_> {
    fn at(&self, index: usize) -> Conforming {
        let (string, place) = (index / self.0.width, index % self.0.width);
        let readings = self.0.pieces.get(string).map(|pieces| pieces.readings(place));
        let readings = readings.into_iter().flatten();
        Conforming::one_of(readings.map(|text| Conforming::Same(element(text))))
            .unwrap_or(Conforming::Unspecified("there is no such element"))
    }

    fn real(&self, _: usize, _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: usize, _: u64) -> Deviation {
        Deviation::NoRealResult
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        Element::of(self.0.data, index / self.0.width).into_iter().collect()
    }
}

/// What is allowed of the numbers of substrings.
struct Counts<'a>(Rc<Split<'a>>);

impl Counts<'_> {
    fn count(&self, index: usize) -> Option<u64> {
        self.0.pieces.get(index).map(|pieces| pieces.all.len() as u64)
    }
}

impl Allowed for Counts<'_> {
    fn at(&self, index: usize) -> Conforming {
        match self.0.pieces.get(index) {
            Some(pieces) if pieces.are_of_nothing => {
                Conforming::OneOf(vec![Conforming::One(1), Conforming::One(0)])
            }
            Some(pieces) => Conforming::One(pieces.all.len() as u64),
            None => Conforming::Unspecified("there is no such element"),
        }
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(Int64, self.count(index)?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.count(index).map_or(Deviation::NoRealResult, |exact| distance(Int64, exact, actual))
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        Element::of(self.0.data, index).into_iter().collect()
    }
}

struct StringSplit;

impl Reference for StringSplit {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let [y, z] = Split::of(call)?.shapes();
        Ok(vec![bounded(call, Text, y)?, TensorType::new(Int64, z)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(split) = Split::of(call) else { return Vec::new() };
        if let Some(reason) = split.open {
            return vec![Box::new(Open(reason)), Box::new(Open(reason))];
        }
        let split = Rc::new(split);
        vec![Box::new(Substrings(Rc::clone(&split))), Box::new(Counts(split))]
    }

    fn is_control(&self, _: &Version, _: usize) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
