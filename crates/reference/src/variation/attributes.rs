//! Other elements in attributes.

use values::dtype::DType::{Float32, Int64};
use values::element::Element;
use values::onnx::Sparse;
use values::random::Random;
use values::tensor::Tensor;

use super::draw::Substitution;
use crate::case_spec::CaseSpec;
use crate::elements::{ElementError, tensor_of};
use crate::operator::AttributeValue;

/// The attributes of a case with other elements where they hold those of its output: as a tensor, or in any form
/// where the operator has no inputs. They are moved, so that each is substituted by another.
pub(super) fn varied(
    spec: &CaseSpec,
    random: &mut Random,
) -> Result<Vec<(String, AttributeValue)>, ElementError> {
    let is_element =
        |(_, value): &(String, AttributeValue)| spec.inputs.is_empty() || is_tensor(value);
    if !spec.attributes.iter().any(is_element) {
        return Ok(spec.attributes.clone());
    }
    let substitution = Substitution::drawn(random);
    let of_attribute = |attribute: &(String, AttributeValue)| {
        let (name, value) = attribute;
        let value = if is_element(attribute) { of(&substitution, value)? } else { value.clone() };
        Ok((name.clone(), value))
    };
    spec.attributes.iter().map(of_attribute).collect()
}

const fn is_tensor(value: &AttributeValue) -> bool {
    matches!(value, AttributeValue::Tensor(_) | AttributeValue::Sparse(_))
}

/// The value with each element substituted.
fn of(substitution: &Substitution, value: &AttributeValue) -> Result<AttributeValue, ElementError> {
    let int = |value: &i64| {
        bits_of(&substitution.of(&Element::Bits(Int64, value.cast_unsigned().into())))
    };
    let float = |bits: &u32| bits_of(&substitution.of(&Element::Bits(Float32, (*bits).into())));
    let text = |text: &String| match substitution.of(&Element::String(text.clone().into())) {
        Element::String(other) => String::from_utf8_lossy(&other).into_owned(),
        Element::Bits(..) => text.clone(),
    };
    Ok(match value {
        AttributeValue::Int(value) => AttributeValue::Int(int(value).cast_signed()),
        AttributeValue::Ints(all) => {
            AttributeValue::Ints(all.iter().map(|value| int(value).cast_signed()).collect())
        }
        AttributeValue::Float(bits) => AttributeValue::Float(float(bits) as u32),
        AttributeValue::Floats(all) => {
            AttributeValue::Floats(all.iter().map(|bits| float(bits) as u32).collect())
        }
        AttributeValue::Text(own) => AttributeValue::Text(text(own)),
        AttributeValue::Texts(all) => AttributeValue::Texts(all.iter().map(text).collect()),
        AttributeValue::Tensor(tensor) => AttributeValue::Tensor(other(substitution, tensor)?),
        AttributeValue::Sparse(sparse) => {
            let values = other(substitution, &sparse.values)?;
            AttributeValue::Sparse(Sparse { values, ..sparse.clone() })
        }
        AttributeValue::Other => AttributeValue::Other,
    })
}

fn bits_of(element: &Element) -> u64 {
    match element {
        Element::Bits(_, bits) => *bits as u64,
        Element::String(_) => 0,
    }
}

/// The tensor with each element substituted.
fn other(substitution: &Substitution, tensor: &Tensor) -> Result<Tensor, ElementError> {
    let elements = (0..).map_while(|at| Element::of(tensor, at));
    let others = elements.map(|element| substitution.of(&element)).collect();
    tensor_of(tensor.dtype(), tensor.shape(), others)
}
