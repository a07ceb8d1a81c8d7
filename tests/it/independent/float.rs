//! Add, Sub, Mul and Div of floats against LLVM's `APFloat`, by the crate `rustc_apfloat`.

use bytes::Bytes;
use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::{Attributes, Call, Operator, Specification};
use onnx_conformance::reference::operators::{add::ADD, div::DIV, mul::MUL, sub::SUB};
use onnx_conformance::tensor::Tensor;
use rayon::prelude::*;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};

use super::operands::columns;
use crate::support::extent::size;

const OPERATORS: [&Operator; 4] = [&ADD, &SUB, &MUL, &DIV];

/// The results of the four operators in their order.
fn results<F: Float>(a: u64, b: u64) -> [u64; 4] {
    let [a, b] = [a, b].map(|bits| F::from_bits(u128::from(bits)));
    [a + b, a - b, a * b, a / b].map(|result| result.value.to_bits() as u64)
}

type Results = fn(u64, u64) -> [u64; 4];

const TYPES: [(DType, Results); 4] = [
    (DType::Float16, results::<Half>),
    (DType::Bfloat16, results::<BFloat>),
    (DType::Float32, results::<Single>),
    (DType::Float64, results::<Double>),
];

fn vector(dtype: DType, elements: &[u128]) -> Tensor {
    let width = dtype.bits().unwrap() as usize / 8;
    let bytes: Vec<u8> =
        elements.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(width)).collect();
    Tensor::from_bits(dtype, vec![elements.len()], Bytes::from(bytes)).unwrap()
}

/// How many pairs agree: all, or it panics.
fn agree(dtype: DType, theirs: Results, operands: &[Vec<u128>]) -> usize {
    let inputs: Vec<_> = operands.iter().map(|column| Some(vector(dtype, column))).collect();
    let mut executed = 0;
    for (place, operator) in OPERATORS.into_iter().enumerate() {
        let (version, attributes) = (operator.newest(), Attributes::new());
        let (call, outputs) =
            Call::new(operator, version, Specification::Onnx, attributes, inputs.clone()).unwrap();
        let allowed = &operator.reference.allowed(&call, &outputs)[0];
        for at in 0..outputs[0].shape[0] {
            let [a, b] = [0, 1].map(|operand| {
                let column = &operands[operand];
                column[at % column.len()] as u64
            });
            let (conforming, theirs) = (allowed.at(at), theirs(a, b)[place]);
            let agrees = conforming.is_decided() && conforming.accepts(theirs);
            assert!(agrees, "{operator} {dtype} {a:#x}, {b:#x}: {theirs:#x}, not {conforming:x?}");
            executed += 1;
        }
    }
    executed
}

#[test]
fn directed_and_random_pairs_are_as_apfloat_has_them() {
    let (seeds, pairs) = size((1, 5_000), (100, 10_000));
    for (dtype, theirs) in TYPES {
        let executed: usize = (0..seeds)
            .into_par_iter()
            .map(|seed| agree(dtype, theirs, &columns(&[dtype; 2], pairs, 0x2100 + seed)))
            .sum();
        assert_eq!(executed, 4 * pairs * seeds as usize);
        eprintln!("Add, Sub, Mul, Div {dtype}: {executed} results as APFloat's");
    }
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --full"]
fn rows_of_every_16_bit_float_are_as_apfloat_has_them() {
    let every: Vec<u128> = (0..1 << 16).collect();
    for (dtype, theirs) in &TYPES[..2] {
        let firsts: Vec<u128> = super::operands::directed(*dtype)
            .into_iter()
            .chain((0..1 << 16).step_by(0x3fb))
            .collect();
        let planned = (firsts.len() * 4) << 16;
        let row = |first: u128| agree(*dtype, *theirs, &[vec![first], every.clone()]);
        let executed: usize = firsts.into_par_iter().map(row).sum();
        assert_eq!(executed, planned);
        eprintln!("Add, Sub, Mul, Div {dtype}: {executed} results as APFloat's, row by row");
    }
}
