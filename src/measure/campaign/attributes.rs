//! Attributes as commands take them and documents hold them: each as a text.

use std::collections::BTreeMap;

use crate::dtype::DType;
use reference::operator::{AttributeType, AttributeValue, Attributes, Operator};

/// An attribute that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttributeError {
    /// The operator has no such attribute.
    #[error("{0} has no attribute `{1}`; it has: {has}", has = names(.0))]
    Unknown(&'static Operator, String),
    /// The text stands for no value of the attribute.
    #[error("`{2}` is no value of the attribute `{1}` of {0}, which is {3}")]
    Value(&'static Operator, String, String, &'static str),
}

/// The attribute that names the element type of the results by its number in `TensorProto.DataType`.
pub(crate) const TYPE: &str = "to";

/// The attributes that name an element type in the same way.
const TYPES: [&str; 3] = [TYPE, "output_dtype", "precision"];

/// The attributes, each as the text that [`read`] takes. Those that are no number and no text are left out; none of them
/// is read either.
pub(crate) fn written(attributes: &Attributes) -> BTreeMap<String, String> {
    let text = |(name, value): (&String, &AttributeValue)| {
        let text = match value {
            AttributeValue::Int(value) => {
                let code = i32::try_from(*value).ok().filter(|_| TYPES.contains(&name.as_str()));
                let dtype = code.and_then(DType::from_onnx);
                dtype.map_or_else(|| value.to_string(), |dtype| dtype.name().to_owned())
            }
            AttributeValue::Float(bits) => f32::from_bits(*bits).to_string(),
            AttributeValue::Text(text) => text.clone(),
            _ => return None,
        };
        Some((name.clone(), text))
    };
    attributes.iter().filter_map(text).collect()
}

/// The attributes of an operator's newest version that these texts stand for: integers, for those that name an element
/// type its name as well, floats in decimal, and texts.
pub fn read(
    operator: &'static Operator,
    texts: &BTreeMap<String, String>,
) -> Result<Attributes, AttributeError> {
    let value = |(name, text): (&String, &String)| {
        let known = operator.newest().attributes.iter().find(|known| known.name == name);
        let known = known.ok_or_else(|| AttributeError::Unknown(operator, name.clone()))?;
        let (value, what) = match known.value {
            AttributeType::Int if TYPES.contains(&name.as_str()) => {
                let named = text.parse().ok().map(|dtype: DType| dtype.onnx_code().into());
                (text.parse().ok().or(named).map(AttributeValue::Int), "an element type")
            }
            AttributeType::Int => (text.parse().ok().map(AttributeValue::Int), "an integer"),
            AttributeType::Float => {
                let bits = text.parse().ok().filter(|float: &f32| float.is_finite());
                (bits.map(|float| AttributeValue::Float(float.to_bits())), "a finite float32")
            }
            AttributeType::Text(_) | AttributeType::AnyText => {
                (Some(AttributeValue::Text(text.clone())), "a text")
            }
            _ => (None, "neither a number nor a text"),
        };
        let wrong = || AttributeError::Value(operator, name.clone(), text.clone(), what);
        Ok((name.clone(), value.ok_or_else(wrong)?))
    };
    texts.iter().map(value).collect()
}

/// The names of an operator's attributes.
fn names(operator: &Operator) -> String {
    let names: Vec<_> = operator.newest().attributes.iter().map(|known| known.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::operator::Domain;
    use reference::operators;

    fn operator(name: &str) -> &'static Operator {
        operators::find(Domain::Onnx, name).unwrap()
    }

    fn texts(all: &[(&str, &str)]) -> BTreeMap<String, String> {
        all.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn attributes_are_read_as_they_are_written() {
        for (name, given) in [
            ("Cast", &[("to", "float8e5m2"), ("saturate", "0")][..]),
            ("LeakyRelu", &[("alpha", "0.1")]),
            ("LeakyRelu", &[("alpha", "-0")]),
            ("Gelu", &[("approximate", "tanh")]),
            ("Mod", &[("fmod", "1")]),
            ("QuantizeLinear", &[("output_dtype", "uint4"), ("precision", "float16")]),
            ("DequantizeLinear", &[("output_dtype", "bfloat16"), ("block_size", "0")]),
            ("Neg", &[]),
        ] {
            let attributes = read(operator(name), &texts(given)).unwrap();
            assert_eq!(written(&attributes), texts(given), "{name}");
        }
        let numbered = read(operator("Cast"), &texts(&[("to", "10")])).unwrap();
        assert_eq!(written(&numbered), texts(&[("to", "float16")]));
    }

    #[test]
    fn what_is_no_attribute_or_no_value_of_one_is_refused() {
        let refusal = |name: &str, given: &[(&str, &str)]| {
            read(operator(name), &texts(given)).unwrap_err().to_string()
        };
        assert_eq!(refusal("Neg", &[("to", "1")]), "Neg has no attribute `to`; it has: none");
        assert_eq!(
            refusal("Cast", &[("to", "float")]),
            "`float` is no value of the attribute `to` of Cast, which is an element type"
        );
        assert_eq!(
            refusal("LeakyRelu", &[("alpha", "inf")]),
            "`inf` is no value of the attribute `alpha` of LeakyRelu, which is a finite float32"
        );
        assert_eq!(
            refusal("Cast", &[("round", "up")]),
            "Cast has no attribute `round`; it has: to, saturate, round_mode"
        );
    }
}
