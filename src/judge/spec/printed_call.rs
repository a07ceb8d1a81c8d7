//! Calls as documents print them: attributes, inputs and outputs.

use num_traits::ToPrimitive;
use serde::{Deserialize, Deserializer, de};

use super::number::{Number, Rounded};
use crate::dtype::{DType, Kind};
use crate::oracle::quiet_nan;
use reference::elements;
use reference::operator::{AttributeValue, Attributes};
use values::tensor::{Tensor, element_count};

/// An example of a call: its inputs, and the outputs that are printed for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Printed {
    /// Its position in the section.
    pub(super) place: String,
    #[serde(default, deserialize_with = "attributes")]
    pub(super) attributes: Attributes,
    #[serde(deserialize_with = "tensors")]
    pub(super) inputs: Vec<PrintedTensor>,
    #[serde(deserialize_with = "tensors")]
    pub(super) outputs: Vec<PrintedTensor>,
}

/// A tensor, or why what is printed is none.
pub(super) type PrintedTensor = Result<Tensor, String>;

fn attributes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
    let table = toml::Table::deserialize(deserializer)?.into_iter();
    let read = |(name, value): (String, toml::Value)| {
        let value = match &value {
            toml::Value::Integer(value) => Some(AttributeValue::Int(*value)),
            toml::Value::String(text) => Some(AttributeValue::Text(text.clone())),
            toml::Value::Array(all) => {
                let all = all.iter().map(toml::Value::as_integer).collect::<Option<_>>();
                all.map(AttributeValue::Ints)
            }
            _ => None,
        };
        let told = || de::Error::custom(format!("`{name}` is of no kind that examples have"));
        Ok((name.clone(), value.ok_or_else(told)?))
    };
    table.map(read).collect()
}

fn tensors<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PrintedTensor>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: &String| {
        tensor(text).ok_or_else(|| de::Error::custom(format!("`{text}` is no tensor")))
    };
    texts.iter().map(read).collect()
}

/// A tensor such as `float64 [2,2] 1 2.5 -inf NaN`; a single element is repeated.
fn tensor(text: &str) -> Option<PrintedTensor> {
    let mut words = text.split_whitespace();
    let dtype: DType = words.next()?.parse().ok()?;
    let sizes = words.next()?.strip_prefix('[')?.strip_suffix(']')?;
    let sizes = sizes.split(',').filter(|size| !size.is_empty());
    let shape: Vec<usize> = sizes.map(|size| size.parse().ok()).collect::<Option<_>>()?;
    let bits: Vec<u64> = words.map(|word| element(dtype, word)).collect::<Option<_>>()?;
    let count = element_count(&shape).ok()?;
    let bits = match &bits[..] {
        [one] => vec![*one; count],
        _ => bits,
    };
    if bits.len() != count {
        return Some(Err(format!("{} elements are printed for the shape {shape:?}", bits.len())));
    }
    elements::tensor(dtype, &shape, &bits).ok().map(Ok)
}

/// The element of a type that is nearest to a printed number.
fn element(dtype: DType, text: &str) -> Option<u64> {
    let number = Number::parse(text)?;
    match dtype.kind() {
        Kind::Float(format) if number == Number::Nan => Some(quiet_nan(format)),
        Kind::Float(_) => Rounded { number, dtype: Some(dtype) }.bits(),
        Kind::Int { bits, .. } => {
            let value = number.finite().filter(|number| number.is_integer())?.to_i64()?;
            #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
            Some(value as u64 & (u64::MAX >> (u64::BITS - bits)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_are_read_as_they_are_printed() {
        let read = tensor("float16 [2,2] 1 -inf 0.5 NaN").unwrap().unwrap();
        assert_eq!(read.shape(), [2, 2]);
        let bits: Vec<_> = (0..4).map(|at| read.element(at).unwrap()).collect();
        assert_eq!(bits, [0x3c00, 0xfc00, 0x3800, 0x7e00]);
        assert_eq!(tensor("int8 [3] -1").unwrap().unwrap().element(2), Some(0xff));
        assert_eq!(tensor("int64 [] 7").unwrap().unwrap().shape(), [0_usize; 0]);
        assert!(tensor("float16 [2] 1 2 3").unwrap().is_err());
        for text in ["int8 [1] 0.5", "int8 2 1 1", "number [1] 1"] {
            assert!(tensor(text).is_none(), "{text}");
        }
    }
}
