//! Strings joined, split and matched wrongly.

use bytes::Bytes;
use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Conversion, Indexing, TypeHandling,
};
use onnx_conformance::dtype::DType::{self, String as Text};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::arg_extremum::{int, with_int};
use crate::defect::{Defect, Wrong};
use crate::request::Request;

const CONCAT: &[&str] = &["StringConcat"];
const SPLIT: &[&str] = &["StringSplit"];
const MATCH: &[&str] = &["RegexFullMatch"];
const STRINGS: &[DType] = &[Text];

/// The tensor with its strings made anew; one of another type stays as it is.
fn remade(tensor: &Tensor, make: impl Fn(&[u8]) -> Vec<u8>) -> Tensor {
    let Some(strings) = tensor.strings() else { return tensor.clone() };
    let strings = strings.iter().map(|string| Bytes::from(make(string))).collect();
    Tensor::from_strings(tensor.shape().to_vec(), strings).unwrap()
}

/// The request with the strings of all operands made anew.
fn with_strings(request: &Request<'_>, make: impl Fn(&[u8]) -> Vec<u8>) -> Outcome {
    let mut other = request.clone();
    other.operands = other.operands.iter().map(|operand| remade(operand, &make)).collect();
    other.computed()
}

/// The delimiter that is asked for, if it is one.
fn delimiter(request: &Request<'_>) -> Option<Vec<u8>> {
    match request.attributes.get("delimiter") {
        Some(Attribute::Text(text)) if !text.is_empty() => Some(text.clone().into_bytes()),
        _ => None,
    }
}

/// A string with several delimiters together made one.
fn with_single(string: &[u8], delimiter: &[u8]) -> Vec<u8> {
    let (mut all, mut at, mut is_behind) = (Vec::new(), 0, false);
    while at < string.len() {
        let is_delimiter = string[at..].starts_with(delimiter);
        let length = if is_delimiter { delimiter.len() } else { 1 };
        if !(is_delimiter && is_behind) {
            all.extend_from_slice(&string[at..at + length]);
        }
        (at, is_behind) = (at + length, is_delimiter);
    }
    all
}

/// The request with its pattern made another, if it is one.
fn with_pattern(request: &Request<'_>, right: Outcome, make: impl Fn(&str) -> String) -> Outcome {
    match (request.attributes.get("pattern"), &right) {
        (Some(Attribute::Text(pattern)), Outcome::Outputs(_)) => {
            request.with("pattern", Some(Attribute::Text(make(pattern)))).computed()
        }
        _ => right,
    }
}

/// The bytes of whitespace but spaces, and others in their place that no text in UTF-8 has.
const HIDDEN: u8 = 0xf8 - b'\t';

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "stringconcat-second-first",
        class: Indexing,
        says: "The string of Y comes before that of X.",
        operators: CONCAT,
        types: STRINGS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, _right| {
            let mut other = request.clone();
            other.operands.reverse();
            other.computed()
        }),
    },
    Defect {
        id: "stringconcat-ends-at-a-zero",
        class: TypeHandling,
        says: "Strings end at their first byte of 0.",
        operators: CONCAT,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, _right| {
            with_strings(request, |string| {
                string.iter().copied().take_while(|byte| *byte != 0).collect()
            })
        }),
    },
    Defect {
        id: "stringconcat-trims-operands",
        class: Conversion,
        says: "Whitespace at the ends of either string is removed.",
        operators: CONCAT,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, _right| {
            with_strings(request, |string| string.trim_ascii().to_vec())
        }),
    },
    Defect {
        id: "stringsplit-delimiters-together-are-one",
        class: Indexing,
        says: "Delimiters that follow each other are taken for one.",
        operators: SPLIT,
        types: STRINGS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match delimiter(request) {
            Some(delimiter) => with_strings(request, |string| with_single(string, &delimiter)),
            None => right,
        }),
    },
    Defect {
        id: "stringsplit-delimiter-is-a-set",
        class: TypeHandling,
        says: "Each byte of a delimiter of ASCII is one itself.",
        operators: SPLIT,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let several = delimiter(request).filter(|all| all.is_ascii() && all.len() > 1);
            let Some(several) = several else { return right };
            let first = char::from(several[0]).to_string();
            let mut other = request.with("delimiter", Some(Attribute::Text(first)));
            let one = |byte: &u8| if several.contains(byte) { several[0] } else { *byte };
            other.operands[0] =
                remade(&other.operands[0], |string| string.iter().map(one).collect());
            other.computed()
        }),
    },
    Defect {
        id: "stringsplit-maxsplit-counts-substrings",
        class: Indexing,
        says: "There are as many substrings at most as there may be splits.",
        operators: SPLIT,
        types: STRINGS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match int(request, "maxsplit") {
            Some(most @ 1..) => with_int(request, "maxsplit", most - 1),
            _ => right,
        }),
    },
    Defect {
        id: "stringsplit-spaces-alone",
        class: Conversion,
        says: "Without a delimiter words are split on spaces, and on no other whitespace.",
        operators: SPLIT,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            if delimiter(request).is_some() {
                return right;
            }
            let hidden = |byte: &u8| match byte {
                b'\t'..=b'\r' => byte + HIDDEN,
                _ => *byte,
            };
            let shown = |byte: &u8| if *byte >= 0xf8 { byte - HIDDEN } else { *byte };
            match with_strings(request, |string| string.iter().map(hidden).collect()) {
                Outcome::Outputs(outputs) => {
                    let shown = |output| match output {
                        Value::Tensor(tensor) => {
                            remade(&tensor, |string| string.iter().map(shown).collect()).into()
                        }
                        other => other,
                    };
                    Outcome::Outputs(outputs.into_iter().map(shown).collect())
                }
                other => other,
            }
        }),
    },
    Defect {
        id: "regexfullmatch-searches",
        class: Indexing,
        says: "A string matches where a part of it does.",
        operators: MATCH,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            with_pattern(request, right, |pattern| format!("(?s:.*)(?:{pattern})(?s:.*)"))
        }),
    },
    Defect {
        id: "regexfullmatch-dot-matches-ends-of-lines",
        class: TypeHandling,
        says: "A dot matches the end of a line as well.",
        operators: MATCH,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            with_pattern(request, right, |pattern| format!("(?s){pattern}"))
        }),
    },
    Defect {
        id: "regexfullmatch-without-case",
        class: Conversion,
        says: "Letters match those of the other case.",
        operators: MATCH,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            with_pattern(request, right, |pattern| format!("(?i){pattern}"))
        }),
    },
    Defect {
        id: "regexfullmatch-last-line-may-end",
        class: Indexing,
        says: "The end of a line is left out where it is the last character.",
        operators: MATCH,
        types: STRINGS,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, _right| {
            with_strings(request, |string| string.strip_suffix(b"\n").unwrap_or(string).to_vec())
        }),
    },
];
