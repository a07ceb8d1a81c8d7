//! Calls of the operators that make a tensor of a value.

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::AttributeValue;

use super::drawn::{Draw, Drawn, Draws, list};
use super::operands;

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "Constant" => constant,
        "ConstantOfShape" => constant_of_shape,
        _ => return None,
    })
}

/// A tensor, or a number, a text or a list of them where the type has such attributes.
fn constant(draws: &mut Draws, dtype: DType) -> Drawn {
    let count = if draws.is_one_in(3) { 1 } else { draws.below(600) };
    let elements: Vec<u128> = (0..count).map(|_| draws.element(dtype)).collect();
    // Floats go through numbers of 64 bits, which do not keep what a NaN carries.
    let floats = elements.iter().map(|bits| *bits as u32);
    let floats: Vec<u32> = floats.filter(|bits| !f32::from_bits(*bits).is_nan()).collect();
    let integers: Vec<i64> = elements.iter().map(|bits| *bits as i64).collect();
    let texts = || elements.iter().map(|number| operands::text(*number)).collect::<Vec<_>>();
    let (name, value) = match (dtype, draws.is_one_in(3)) {
        (DType::Float32, false) => match floats[..] {
            [only] => ("value_float", AttributeValue::Float(only)),
            _ => ("value_floats", AttributeValue::Floats(floats)),
        },
        (DType::Int64, false) => match integers[..] {
            [only] => ("value_int", AttributeValue::Int(only)),
            _ => ("value_ints", AttributeValue::Ints(integers)),
        },
        (DType::String, false) => match &texts()[..] {
            [only] => ("value_string", AttributeValue::Text(only.clone())),
            texts => ("value_strings", AttributeValue::Texts(texts.to_vec())),
        },
        _ => {
            let shape = draws.shape([0, 5], 300);
            ("value", AttributeValue::Tensor(draws.tensor(dtype, &shape)))
        }
    };
    Drawn::new(Vec::new()).with(name, value)
}

fn constant_of_shape(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape: Vec<i64> = draws.shape([0, 5], 300).into_iter().map(|size| size as i64).collect();
    let is_left_out = dtype == DType::Float32 && draws.is_one_in(3);
    let value = (!is_left_out).then(|| AttributeValue::Tensor(draws.tensor(dtype, &[1])));
    Drawn::new(vec![list(&shape)]).with_some("value", value)
}
