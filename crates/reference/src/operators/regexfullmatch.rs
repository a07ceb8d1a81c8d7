//! RegexFullMatch: whether a regular expression matches each string, from its first character to its last one.
//!
//! The expression is one of RE2. `syntax` reads those forms whose meaning RE2's page of its syntax states, and writes them as ranges of
//! characters, so that an automaton for them is all that the crate `regex` contributes. Of other forms nothing is decided; what that page
//! names as not supported, or what is in no expression, makes a call invalid. Nothing is decided either where there is no pattern, and
//! of letters beyond ASCII where case does not count. Sources: ONNX's schema of RegexFullMatch-20; <https://github.com/google/re2/wiki/Syntax>.

mod syntax;

use regex::bytes::Regex;
use values::dtype::DType::{Bool, String as Text};
use values::element::Element;
use values::tensor::Tensor;

use self::syntax::{Problem, read};
use crate::case_table::{self, Own};
use crate::exact::{Conforming, Deviation};
use crate::families::picked_or_open::Open;
use crate::families::strings::{NOT_UTF_8, texts};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Port,
    Reference, TensorType, Version,
};
use crate::real::Real;

/// RegexFullMatch in ONNX's default domain.
pub static REGEXFULLMATCH: Operator = Operator {
    documents: &[Document {
        key: "onnx-regexfullmatch",
        catalogue: include_str!("regexfullmatch/onnx-regexfullmatch.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("regexfullmatch/cases.toml");
        case_table::cases(of, &REGEXFULLMATCH, &[table], Own::NONE)
    }),
    ..Operator::onnx("RegexFullMatch", OperatorKind::Exact, &VERSIONS, &RegexFullMatch)
};

const VERSIONS: [Version; 1] = [Version {
    since: 20,
    inputs: &[Port::new("X", &[Text], "T1")],
    outputs: &[Port::new("Y", &[Bool], "T2")],
    attributes: &[Attribute::new("pattern", AttributeType::AnyText)],
}];

/// What strings are held against.
struct Pattern {
    regex: Regex,
    /// Whether letters match those of the other case somewhere.
    folds_case: bool,
}

impl Pattern {
    fn of(call: &Call) -> Result<Self, Problem> {
        let pattern = call.text("pattern");
        let pattern =
            pattern.ok_or(Problem::Open("what is matched without a pattern is not stated"))?;
        let read = read(pattern)?;
        match Regex::new(&format!(r"\A(?:{})\z", read.ranges)) {
            Ok(regex) => Ok(Self { regex, folds_case: read.folds_case }),
            Err(_) => Err(Problem::Open("the pattern may be larger than an implementation takes")),
        }
    }
}

/// What is allowed of an output: whether each string matches.
struct Matches<'a> {
    data: &'a Tensor,
    texts: Vec<&'a str>,
    pattern: Pattern,
}

impl Allowed for Matches<'_> {
    fn at(&self, index: usize) -> Conforming {
        match self.texts.get(index) {
            None => Conforming::Unspecified("there is no such element"),
            Some(text) if self.pattern.folds_case && !text.is_ascii() => {
                Conforming::Unspecified("which letters beyond ASCII are the same is not stated")
            }
            Some(text) => Conforming::One(self.pattern.regex.is_match(text.as_bytes()).into()),
        }
    }

    fn real(&self, _: usize, _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: usize, _: u64) -> Deviation {
        Deviation::NoRealResult
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        Element::of(self.data, index).into_iter().collect()
    }
}

struct RegexFullMatch;

impl RegexFullMatch {
    /// What is allowed of a call, or why nothing is decided.
    fn matches(call: &Call) -> Result<Result<Matches<'_>, &'static str>, Invalid> {
        let data = call.input(0)?;
        Ok(match (Pattern::of(call), texts(data)) {
            (Err(Problem::Invalid(reason)), _) => {
                return Err(call.invalid(&format!("takes no such pattern: {reason}")));
            }
            (Err(Problem::Open(reason)), _) => Err(reason),
            (Ok(_), None) => Err(NOT_UTF_8),
            (Ok(pattern), Some(texts)) => Ok(Matches { data, texts, pattern }),
        })
    }
}

impl Reference for RegexFullMatch {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = call.input(0)?.shape();
        // Where nothing is decided, there is an element of which that is said.
        let shape = match Self::matches(call)? {
            Err(_) if shape.contains(&0) => vec![1; shape.len()],
            _ => shape.to_vec(),
        };
        Ok(vec![TensorType::new(Bool, shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match Self::matches(call) {
            Ok(Ok(matches)) => vec![Box::new(matches)],
            Ok(Err(reason)) => vec![Box::new(Open(reason))],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
