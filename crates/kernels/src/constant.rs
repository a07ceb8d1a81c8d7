//! Constant: the value that its one attribute says.

mod sparse;

use bytes::Bytes;

use super::reshaping::{integer, integer_list, moving};
use super::signature::{AttributeSpec, Domain, Restriction, SONNX_FLOAT, Shapes, Version};
use super::types::{FLOATS, NUMBERS, without_bfloat16};
use super::{Attribute, Kernel, KernelError};
use values::dtype::DType::{self, Float32, Int64};
use values::tensor::Tensor;

pub(super) static CONSTANT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Constant",
    inputs: &[],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[VALUE]),
        moving(9, 15, &[VALUE]),
        moving(11, 15, &[VALUE, SPARSE]),
        moving(12, 15, &ALL),
        moving(13, 16, &ALL),
        moving(19, 20, &ALL),
        moving(21, 22, &ALL),
        moving(23, 23, &ALL),
        moving(24, 24, &ALL),
        moving(25, 26, &ALL),
    ],
    restricted: &[Restriction {
        types: &[SONNX_TYPES],
        shapes: Shapes::Free,
        needed: &["value"],
        problem: Some(|_, attributes| match attributes.get("value") {
            Some(Attribute::Tensor(value)) if !SONNX_TYPES.contains(&value.dtype()) => {
                Some("`value` is of floats but bfloat16, or of integers of 8 to 64 bits")
            }
            _ => None,
        }),
        ..SONNX_FLOAT
    }],
    run: |call| {
        let operator = call.operator;
        let mut given = call.attributes.values();
        let (Some(value), None) = (given.next(), given.next()) else {
            let (name, expected) = ("value", "the only attribute, or left out for another one");
            return Err(KernelError::BadAttribute { operator, name, expected });
        };
        let string = |text: &String| Bytes::from(text.clone());
        let output = match value {
            Attribute::Tensor(value) => value.clone(),
            Attribute::Sparse(value) => {
                check_type(call.operator, value.values.dtype())?;
                sparse::dense(call, value)?
            }
            Attribute::Int(value) => Tensor::from_values(Int64, vec![], vec![*value])?,
            Attribute::Ints(values) => {
                Tensor::from_values(Int64, vec![values.len()], values.clone())?
            }
            Attribute::Float(value) => Tensor::from_values(Float32, vec![], vec![*value])?,
            Attribute::Floats(values) => {
                Tensor::from_values(Float32, vec![values.len()], values.clone())?
            }
            Attribute::Text(text) => Tensor::from_strings(vec![], vec![string(text)])?,
            Attribute::Texts(texts) => {
                Tensor::from_strings(vec![texts.len()], texts.iter().map(string).collect())?
            }
            Attribute::Other => {
                let (name, expected) = ("value", "of a kind that is known");
                return Err(KernelError::BadAttribute { operator, name, expected });
            }
        };
        check_type(operator, output.dtype())?;
        Ok(vec![output])
    },
};

/// Refuses a value of a type that the version does not give.
fn check_type(operator: super::Operator, dtype: DType) -> Result<(), KernelError> {
    match operator.types().contains(&dtype) {
        true => Ok(()),
        false => Err(KernelError::Type { operator, dtype }),
    }
}

/// What SONNX names.
const SONNX_TYPES: &[DType] = without_bfloat16(NUMBERS);

const ALL: [AttributeSpec; 8] = [
    VALUE,
    SPARSE,
    AttributeSpec {
        name: "value_float",
        accepts: |value| matches!(value, Attribute::Float(_)),
        expected: "a float",
    },
    AttributeSpec {
        name: "value_floats",
        accepts: |value| matches!(value, Attribute::Floats(_)),
        expected: "a list of floats",
    },
    integer("value_int"),
    integer_list("value_ints"),
    AttributeSpec {
        name: "value_string",
        accepts: |value| matches!(value, Attribute::Text(_)),
        expected: "a text in UTF-8",
    },
    AttributeSpec {
        name: "value_strings",
        accepts: |value| matches!(value, Attribute::Texts(_)),
        expected: "a list of texts in UTF-8",
    },
];

const VALUE: AttributeSpec = AttributeSpec {
    name: "value",
    accepts: |value| matches!(value, Attribute::Tensor(_)),
    expected: "a tensor",
};

const SPARSE: AttributeSpec = AttributeSpec {
    name: "sparse_value",
    accepts: |value| matches!(value, Attribute::Sparse(_)),
    expected: "a sparse tensor",
};

#[cfg(test)]
mod tests;
