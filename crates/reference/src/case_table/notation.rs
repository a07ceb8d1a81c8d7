//! How tables write types, tensors and attributes.

use std::str::FromStr;

use values::dtype::{DType, Kind};
use values::element::Element;
use values::onnx::Sparse;
use values::random::Random;
use values::tensor::{Tensor, element_count};

use crate::case_spec::StatementError;
use crate::elements::{self, ElementError, decimal, ones, patterns, tensor_of, whole};
use crate::exact::number::{Int, largest};
use crate::exact::quiet_nan;
use crate::operator::Operator;
use crate::signature::{AttributeType, AttributeValue, TensorType, Version, types_of};

/// Element types by name or by a word: those of a list, those that the version takes, those of the newest
/// version; without those that follow a minus sign.
pub(super) fn types(
    text: &str,
    taken: &[DType],
    operator: &Operator,
) -> Result<Vec<DType>, StatementError> {
    let mut all = Vec::new();
    for word in text.split_whitespace() {
        if let Some(without) = word.strip_prefix('-') {
            let without: DType = parsed(without, "element type")?;
            all.retain(|dtype| *dtype != without);
            continue;
        }
        match (word, types_of(word)) {
            ("taken", _) => all.extend(taken),
            ("newest", _) => all.extend(operator.newest().taken()),
            (_, Some(types)) => all.extend(types),
            (_, None) => all.push(parsed(word, "element type")?),
        }
    }
    Ok(all)
}

fn parsed<T: FromStr>(word: &str, expected: &'static str) -> Result<T, StatementError> {
    word.parse().map_err(|_| StatementError::word(word, expected))
}

/// Integers in brackets, without spaces.
fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    let within = text.strip_prefix('[')?.strip_suffix(']')?;
    within.split(',').filter(|item| !item.is_empty()).map(|item| item.parse().ok()).collect()
}

/// A shape, such as `[2,3]`.
pub(super) fn dimensions(text: &str) -> Result<Vec<usize>, StatementError> {
    list(text).ok_or_else(|| StatementError::word(text, "shape"))
}

/// An element type, or the case's own where there is none, and a shape; and what follows them.
pub(super) fn tensor_type(text: &str, own: DType) -> Result<(TensorType, &str), StatementError> {
    let (dtype, rest) = match text.split_once(' ') {
        Some((name, rest)) if !name.starts_with('[') => (parsed(name, "element type")?, rest),
        _ => (own, text),
    };
    let (shape, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    Ok((TensorType { dtype, shape: dimensions(shape)? }, rest))
}

/// A tensor: its type, then its elements one by one or by what makes them.
pub(super) fn tensor(
    text: &str,
    dtype: DType,
    random: &mut Random,
) -> Result<Tensor, StatementError> {
    let (TensorType { dtype, shape }, contents) = tensor_type(text, dtype)?;
    let count = element_count(&shape).map_err(ElementError::from)? as u64;
    let integer = |word: &str| parsed::<i128>(word, "integer");
    let of = |element: &mut dyn FnMut(u64) -> Result<u64, ElementError>| -> Result<Vec<u64>, _> {
        (0..count).map(element).collect()
    };
    let words: Vec<&str> = contents.split_whitespace().collect();
    let elements = match words[..] {
        ["patterns", from] => return Ok(patterns(dtype, &shape, parsed(from, "integer")?)?),
        ["ones"] => return Ok(ones(dtype, &shape)?),
        ref each if dtype == DType::String => return strings(&shape, each),
        // from, from + 1, ..; numbered ones begin anew after every 16, the first four of which are the decimal
        // digits of the group's number, lowest first: up to 160,000 elements no stretch of 16 comes twice.
        [kind @ ("counting" | "numbered"), from] => {
            let from = integer(from)?;
            of(&mut |at| {
                let number = match (kind, at % 16) {
                    ("counting", _) => at,
                    (_, place @ ..4) => at / 16 / 10_u64.pow(place as u32) % 10,
                    (_, place) => place,
                };
                whole(dtype, from + i128::from(number))
            })?
        }
        // Powers of two, no two of which in 20 are mistaken for each other.
        ["powers"] => of(&mut |at| whole(dtype, 1 << (at % 20)))?,
        // Truth values that take no period of a vector.
        ["truth"] => of(&mut |at| Ok((at * at / 3 + at / 7) & 1))?,
        ["between", low, high] => {
            let (low, high) = (integer(low)?, integer(high)?);
            of(&mut |_| whole(dtype, random.between(low, high)))?
        }
        // The same with either sign.
        ["either", low, high] => {
            let (low, high) = (integer(low)?, integer(high)?);
            of(&mut |_| {
                let sign = if random.bits() & 1 == 1 { -1 } else { 1 };
                whole(dtype, sign * random.between(low, high))
            })?
        }
        // Zeros, and in the end what is stated.
        ["ending", ref last @ ..] => {
            let last =
                last.iter().map(|word| number(dtype, word)).collect::<Result<Vec<_>, _>>()?;
            let zeros = (count as usize).saturating_sub(last.len());
            std::iter::repeat_n(0, zeros).chain(last).collect()
        }
        [size @ ("ordinary" | "positive" | "small")] => {
            of(&mut |_| Ok(drawn(dtype, size, random)))?
        }
        // As many as are stated, or again and again.
        ["all", ref each @ ..] | ref each => {
            let each =
                each.iter().map(|word| number(dtype, word)).collect::<Result<Vec<_>, _>>()?;
            let count = if words.first() == Some(&"all") { count as usize } else { each.len() };
            each.into_iter().cycle().take(count).collect()
        }
    };
    Ok(elements::tensor(dtype, &shape, &elements)?)
}

/// A tensor of the strings that are stated, or of these again and again.
fn strings(shape: &[usize], words: &[&str]) -> Result<Tensor, StatementError> {
    let (each, count) = match words {
        ["all", each @ ..] => (each, element_count(shape).map_err(ElementError::from)?),
        each => (each, each.len()),
    };
    let each: Vec<_> = each.iter().map(|word| Element::String(unescaped(word).into())).collect();
    Ok(tensor_of(DType::String, shape, each.into_iter().cycle().take(count).collect())?)
}

/// The bytes of a word: `''` stands for none, `%20` for the byte with these two hexadecimal digits.
fn unescaped(word: &str) -> Vec<u8> {
    let bytes = if word == "''" { &[][..] } else { word.as_bytes() };
    let (mut all, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.chars().all(|it| it.is_ascii_hexdigit()));
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped.filter(|_| *byte == b'%') {
            Some(escaped) => {
                all.push(escaped);
                at += 3;
            }
            None => {
                all.push(*byte);
                at += 1;
            }
        }
    }
    all
}

/// The text of a word, as [`unescaped`] has it.
fn text_of(word: &str) -> String {
    String::from_utf8_lossy(&unescaped(word)).into_owned()
}

/// Of floats a number from 2^-3 to 2^4, of both signs unless it is to be positive; of integers any, or one from
/// 1 to 7.
fn drawn(dtype: DType, size: &str, random: &mut Random) -> u64 {
    let bits = random.bits();
    match dtype.kind() {
        Kind::Float(format) => {
            let field = bits & ((1 << format.significand_bits) - 1);
            let exponent = (i128::from(format.bias) + random.between(-3, 3)) as u64;
            let magnitude = exponent << format.significand_bits | field;
            let negative = size != "positive" && random.bits() & 1 == 1;
            if negative { format.negated(magnitude) } else { magnitude }
        }
        Kind::Int { bits: width, .. } if size == "ordinary" => {
            bits & u64::MAX >> (u64::BITS - width)
        }
        _ => 1 + bits % 7,
    }
}

/// An element: its bits in hexadecimal digits, a decimal to which it is the nearest one, or a word.
fn number(dtype: DType, word: &str) -> Result<u64, StatementError> {
    let unknown = || StatementError::word(word, "element");
    if let Some(bits) = word.strip_prefix("0x") {
        return u64::from_str_radix(bits, 16).map_err(|_| unknown());
    }
    let nearest = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = parsed(&format!("{whole}{fraction}"), "element")?;
        Ok::<_, StatementError>(decimal(dtype, digits, fraction.len() as u32)?)
    };
    Ok(match (dtype.kind(), word) {
        (Kind::Float(format), _) => {
            let magnitude = match word.trim_start_matches('-') {
                "inf" => largest(format) + 1,
                "nan" => quiet_nan(format),
                "max" => largest(format),
                "normal" => 1 << format.significand_bits,
                "least" => 1,
                decimal => nearest(decimal)?,
            };
            if word.starts_with('-') { format.negated(magnitude) } else { magnitude }
        }
        (Kind::Int { signed, bits }, "max") => Int { signed, bits }.max() as u64,
        (Kind::Int { signed, bits }, "min") => {
            let int = Int { signed, bits };
            int.wrap(int.min())
        }
        (Kind::Int { .. }, _) => nearest(word)?,
        (Kind::Bool, "0" | "1") => u64::from(word == "1"),
        _ => return Err(unknown()),
    })
}

/// Attributes such as `axis=0 perm=[1,0] mode=floor`; one whose value is `-` is left out. Floats are written as
/// elements are, tensors as `value=int64:[2]:3;4`, sparse ones as the tensors of values and indices and the shape,
/// `sparse=int8:[1]:5@int64:[1]:3@[4]`, and any other value may be given to an attribute that takes
/// none of its kind: integers, lists of them, text, in which `%20` is the byte with these digits.
pub(super) fn attributes(
    text: &str,
    version: &Version,
) -> Result<Vec<(String, AttributeValue)>, StatementError> {
    let mut attributes = Vec::new();
    for word in text.split_whitespace() {
        let (name, value) =
            word.split_once('=').ok_or_else(|| StatementError::word(word, "attribute"))?;
        if value == "-" {
            continue;
        }
        let spec = version.attributes.iter().find(|spec| spec.name == name);
        attributes.push((name.to_owned(), attribute(value, spec.map(|spec| spec.value))?));
    }
    Ok(attributes)
}

fn attribute(text: &str, wanted: Option<AttributeType>) -> Result<AttributeValue, StatementError> {
    let float = |word: &str| number(DType::Float32, word).map(|bits| bits as u32);
    let words = || Some(text.strip_prefix('[')?.strip_suffix(']')?.split(','));
    let tensor = |text: &str| {
        let text = text.replacen(':', " ", 2).replace(';', " ");
        tensor(&text, DType::Float32, &mut Random::for_case(""))
    };
    Ok(match (wanted, list(text), text.parse()) {
        (Some(AttributeType::Floats), ..) if words().is_some() => {
            let words = words().into_iter().flatten().filter(|word| !word.is_empty());
            AttributeValue::Floats(words.map(float).collect::<Result<_, _>>()?)
        }
        (Some(AttributeType::Float), None, _) => AttributeValue::Float(float(text)?),
        (Some(AttributeType::Texts), ..) if words().is_some() => {
            let words = words().filter(|_| text != "[]").into_iter().flatten();
            AttributeValue::Texts(words.map(text_of).collect())
        }
        (Some(AttributeType::Tensor), None, Err(_)) => AttributeValue::Tensor(tensor(text)?),
        (Some(AttributeType::Sparse), None, Err(_)) => {
            let parts: Vec<&str> = text.split('@').collect();
            let [values, indices, dims] = parts[..] else {
                return Err(StatementError::word(text, "sparse tensor"));
            };
            let dims = list(dims).ok_or_else(|| StatementError::word(dims, "shape"))?;
            let indices = if indices == "-" { None } else { Some(tensor(indices)?) };
            AttributeValue::Sparse(Sparse { values: tensor(values)?, indices, dims })
        }
        (_, Some(integers), _) => AttributeValue::Ints(integers),
        (_, None, Ok(integer)) => AttributeValue::Int(integer),
        (_, None, Err(_)) => AttributeValue::Text(text_of(text)),
    })
}
