//! Selection against coordinates, for every type and every pairing of shapes.

use bytes::Bytes;

use super::super::tests::{read, run, tensor};
use super::super::{Attributes, ErrorKind, find};
use super::*;
use values::tensor::coordinates;

fn select(condition: &Tensor, x: &Tensor, y: &Tensor) -> Result<Tensor, KernelError> {
    run(find("Where", 16).unwrap(), &[condition, x, y], &Attributes::new())
}

/// A tensor whose elements differ, as far as the type has as many values.
fn numbered(dtype: DType, shape: &[usize], seed: usize) -> Tensor {
    let elements: usize = shape.iter().product();
    if dtype == DType::String {
        let strings = (0..elements).map(|i| Bytes::from((seed + i).to_string()));
        return Tensor::from_strings(shape.to_vec(), strings.collect()).unwrap();
    }
    let limit = if dtype == DType::Bool { 2 } else { 256 };
    let len = dtype.packed_len(elements).unwrap();
    let bytes = (0..len).map(|i| ((seed + i * 7 + i / 256) % limit) as u8);
    Tensor::from_bits(dtype, shape.to_vec(), bytes.collect()).unwrap()
}

/// The element's bits, or its text.
fn element(tensor: &Tensor, index: usize) -> (Option<u128>, Option<Bytes>) {
    (tensor.element(index), tensor.strings().map(|strings| strings[index].clone()))
}

/// NumPy's rule, literally: right-aligned coordinates, 0 where the operand's size is 1.
fn operand_index(index: usize, output: &[usize], operand: &[usize]) -> usize {
    let own = coordinates(index, output).split_off(output.len() - operand.len());
    let steps = own.into_iter().zip(operand);
    steps.fold(0, |at, (c, &size)| at * size + if size == 1 { 0 } else { c })
}

fn check(dtype: DType, shapes: [&[usize]; 3], output: &[usize]) {
    let condition = numbered(DType::Bool, shapes[0], 3);
    let (x, y) = (numbered(dtype, shapes[1], 1), numbered(dtype, shapes[2], 100));
    let selected = select(&condition, &x, &y).unwrap();
    assert_eq!((selected.dtype(), selected.shape()), (dtype, output), "{shapes:?}");
    for index in 0..selected.elements() {
        let at = |operand: usize| operand_index(index, output, shapes[operand]);
        let expected = match condition.element(at(0)) {
            Some(1) => element(&x, at(1)),
            _ => element(&y, at(2)),
        };
        assert_eq!(element(&selected, index), expected, "{dtype} {shapes:?}: element {index}");
    }
}

#[test]
fn every_type_is_selected_from_operands_of_one_shape() {
    for &dtype in find("Where", 16).unwrap().types() {
        check(dtype, [&[5, 7], &[5, 7], &[5, 7]], &[5, 7]);
        check(dtype, [&[], &[], &[]], &[]);
        check(dtype, [&[3, 0], &[3, 0], &[1]], &[3, 0]);
        check(dtype, [&[2, 1, 3], &[4, 1], &[3]], &[2, 4, 3]);
    }
}

#[test]
fn three_operands_broadcast_each_in_its_own_way() {
    let shapes: [&[usize]; 9] =
        [&[], &[3], &[2, 1], &[2, 3], &[1, 3], &[4, 1, 1], &[4, 2, 1], &[4, 2, 3], &[1, 1, 1, 1]];
    for a in shapes {
        for b in shapes {
            for c in shapes {
                let rank = a.len().max(b.len()).max(c.len());
                let size = |shape: &[usize], dim: usize| {
                    (dim + shape.len()).checked_sub(rank).map_or(1, |at| shape[at])
                };
                let largest = |dim| size(a, dim).max(size(b, dim)).max(size(c, dim));
                let output: Vec<usize> = (0..rank).map(largest).collect();
                check(DType::Uint16, [a, b, c], &output);
            }
        }
    }
}

#[test]
fn blocks_end_where_each_repeated_operand_begins_anew() {
    // 5 and 45 elements repeat; 1,024 is a multiple of neither.
    check(DType::Float32, [&[5], &[9, 5], &[100, 9, 5]], &[100, 9, 5]);
    check(DType::Float64, [&[100, 1, 1], &[9, 5], &[5]], &[100, 9, 5]);
    check(DType::Uint8, [&[3], &[7, 1100, 1], &[1]], &[7, 1100, 3]);
}

#[test]
fn a_nan_keeps_its_payload() {
    let condition = tensor(DType::Bool, &[2], &[1_u8, 0]);
    let x = tensor(DType::Float32, &[2], &[0x7f80_0001_u32, 0]);
    let y = tensor(DType::Float32, &[2], &[0_u32, 0xffc1_2345]);
    assert_eq!(read::<u32>(&select(&condition, &x, &y).unwrap()), [0x7f80_0001, 0xffc1_2345]);
}

#[test]
fn operands_of_wrong_types_and_shapes_are_refused() {
    let condition = tensor(DType::Bool, &[2], &[1_u8, 0]);
    let (x, y) = (tensor(DType::Float32, &[2], &[1_f32; 2]), tensor(DType::Int32, &[2], &[1; 2]));
    let three = tensor(DType::Float32, &[3], &[1_f32; 3]);
    for (error, message) in [
        (select(&x, &x, &x), "input `condition` of Where-16 is of bool, but float32 is given"),
        (
            select(&condition, &x, &y),
            "Where-16 takes operands of one type, but they are float32 and int32",
        ),
        (
            select(&condition, &x, &three),
            "Where-16 cannot take shapes [2], [2] and [3]: aligned at the last dimension, two \
             sizes differ and neither is 1",
        ),
    ] {
        let error = error.unwrap_err();
        assert_eq!((error.to_string().as_str(), error.kind()), (message, ErrorKind::Invalid));
    }
}

#[test]
fn an_output_of_too_many_strings_is_refused() {
    let side = 1 << 15;
    let condition = numbered(DType::Bool, &[side, 1], 0);
    let (x, y) = (numbered(DType::String, &[side], 0), numbered(DType::String, &[1], 0));
    let error = select(&condition, &x, &y).unwrap_err();
    assert!(matches!(error, KernelError::TooLarge { .. }), "{error}");
}
