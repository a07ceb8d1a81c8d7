//! EyeLike: ones where the column is so far beyond the row, zeros elsewhere.

use super::quantization::{encoded, packed};
use super::reshaping::{integer, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16,
    Uint32, Uint64,
};
use values::dtype::Kind;
use values::tensor::Tensor;

pub(super) static EYELIKE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "EyeLike",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(9, TYPES.split_at(12).0, ATTRIBUTES),
        Version::with(22, TYPES, ATTRIBUTES),
    ],
    restricted: &[],
    run,
};

#[rustfmt::skip]
const TYPES: &[DType] = &[
    Bool, Float16, Float32, Float64,
    Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Bfloat16,
];

const ATTRIBUTES: &[AttributeSpec] = &[integer("dtype"), integer("k")];

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [input] = call.inputs()?;
    let [_, columns] = *input.shape() else { return Err(refused(call, "there is no matrix")) };
    let dtype = match call.attributes.get("dtype") {
        Some(Attribute::Int(code)) => i32::try_from(*code).ok().and_then(DType::from_onnx),
        _ => Some(input.dtype()),
    };
    let dtype = dtype.filter(|dtype| call.operator.types().contains(dtype));
    let (operator, expected) = (call.operator, "the number of a type that the version gives");
    let unknown = KernelError::BadAttribute { operator, name: "dtype", expected };
    let dtype = dtype.ok_or(unknown)?;
    let one = match dtype.kind() {
        Kind::Float(format) => encoded(format, 1.0, false),
        _ => 1,
    };
    let k = call.int("k", 0);
    let element = |at: usize| {
        let beyond = (at % columns) as i64 - (at / columns) as i64;
        if beyond == k { one } else { 0 }
    };
    Ok(vec![packed(dtype, input.shape(), element)?])
}

#[cfg(test)]
mod tests {
    use crate::tests::{ones, read, run};
    use crate::{Attribute, Attributes, find};
    use values::dtype::DType::{Bfloat16, Bool, Uint8};
    use values::tensor::Tensor;

    fn made(since: i64, shape: &[usize], attributes: &[(&str, i64)]) -> Option<Tensor> {
        let named = attributes.iter().map(|(name, it)| ((*name).to_owned(), Attribute::Int(*it)));
        let attributes: Attributes = named.collect();
        run(find("EyeLike", since).unwrap(), &[&ones(Uint8, shape)], &attributes).ok()
    }

    #[test]
    fn the_diagonal_is_one() {
        let bytes = |k| read::<u8>(&made(9, &[2, 3], &[("k", k)]).unwrap());
        assert_eq!([bytes(0), bytes(2)], [[1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0]]);
        assert_eq!([bytes(-1), bytes(i64::MIN)], [[0, 0, 0, 1, 0, 0], [0; 6]]);
        assert_eq!(made(9, &[1, 1], &[("dtype", 9)]).unwrap().dtype(), Bool);
        let one = made(22, &[1, 1], &[("dtype", 16)]).unwrap();
        assert_eq!((one.dtype(), one.element(0)), (Bfloat16, Some(0x3f80)));
    }

    #[test]
    fn what_is_no_matrix_or_no_type_is_refused() {
        assert_eq!(made(22, &[2], &[]), None);
        for dtype in [0, 8, 17, i64::MAX] {
            assert_eq!(made(22, &[1, 1], &[("dtype", dtype)]), None);
        }
        assert_eq!(made(9, &[1, 1], &[("dtype", 16)]), None);
    }
}
