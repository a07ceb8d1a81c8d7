//! Add, Sub and Mul of every pair of integers of 8 bits, and of 16 bits in the full run, against the machine's.

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::{Attributes, Call, Operator, Specification};
use onnx_conformance::reference::operators::{add::ADD, mul::MUL, sub::SUB};
use onnx_conformance::tensor::Tensor;
use rayon::prelude::*;

use crate::support::extent::size;

type Operation = (&'static Operator, fn(u64, u64) -> u64);

/// Integers modulo 2^n are, whatever their signs, the low bits of those modulo 2^64.
const OPERATIONS: [Operation; 3] =
    [(&ADD, u64::wrapping_add), (&SUB, u64::wrapping_sub), (&MUL, u64::wrapping_mul)];

/// Every element of a type of 8 or 16 bits, in the order of its bits.
fn every(dtype: DType) -> Tensor {
    let count = 1 << dtype.bits().unwrap();
    let bytes: Vec<u8> = match dtype.bits() {
        Some(8) => (0..=u8::MAX).collect(),
        _ => (0..=u16::MAX).flat_map(u16::to_le_bytes).collect(),
    };
    Tensor::from_bits(dtype, vec![count], bytes.into()).unwrap()
}

/// The elements that agree of a row: one first operand with every second one.
fn row(dtype: DType, (operator, operation): Operation, a: u64) -> usize {
    let width = dtype.bits().unwrap();
    let bytes = a.to_le_bytes()[..width as usize / 8].to_vec();
    let first = Tensor::from_bits(dtype, vec![1], bytes.into()).unwrap();
    let inputs = vec![Some(first), Some(every(dtype))];
    let version = operator.newest();
    let made = Call::new(operator, version, Specification::Onnx, Attributes::new(), inputs);
    let (call, outputs) = made.unwrap();
    let allowed = &operator.reference.allowed(&call, &outputs)[0];
    (0..1 << width)
        .map(|b| {
            let (conforming, theirs) = (allowed.at(b), operation(a, b as u64) & ((1 << width) - 1));
            let is_it = conforming.is_decided() && conforming.number() == Some(theirs);
            assert!(is_it, "{operator} {dtype} {a:#x}, {b:#x}: {theirs:#x}, not {conforming:x?}");
        })
        .count()
}

fn pairs_agree(dtype: DType, step: u64, planned: usize) {
    let last = (1_u64 << dtype.bits().unwrap()) - 1;
    for operation in OPERATIONS {
        let mut rows: Vec<u64> = (0..=last).step_by(step as usize).chain([last]).collect();
        rows.dedup();
        let executed: usize = rows.par_iter().map(|a| row(dtype, operation, *a)).sum();
        assert_eq!(executed, planned, "{} {dtype}", operation.0);
        eprintln!("{} {dtype}: {executed} pairs", operation.0);
    }
}

#[test]
fn every_pair_of_8_bits_is_as_the_machine_has_it() {
    for dtype in [DType::Int8, DType::Uint8] {
        pairs_agree(dtype, 1, 1 << 16);
    }
}

#[test]
fn pairs_of_16_bits_are_as_the_machine_has_them() {
    for dtype in [DType::Int16, DType::Uint16] {
        let (step, pairs) = size((0x0fff, 18 << 16), (1, 1 << 32));
        pairs_agree(dtype, step, pairs);
    }
}
