//! The approximated functions of one number against mpmath, where the Python in `ONNX_CONFORMANCE_PYTHON` has it: each result of 200
//! bits, rounded once, has to be the one that conforms.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use onnx_conformance::compare::Element;
use onnx_conformance::dtype::DType;
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{Attributes, Operator, OperatorKind, Specification};
use onnx_conformance::reference::operators;
use rayon::prelude::*;

use super::operands::{any, directed};
use crate::support;

const TYPES: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

/// Operators of one operand that have no function there.
const WITHOUT: [&str; 3] = ["Gelu", "HardSigmoid", "HardSwish"];

/// The functions of one number.
fn functions() -> impl Iterator<Item = &'static Operator> {
    operators::onnx().filter(|operator| {
        operator.kind == OperatorKind::Approximated
            && operator.newest().inputs.len() == 1
            && !WITHOUT.contains(&operator.name)
    })
}

/// A Python with mpmath; that there is none is told.
fn python() -> Option<String> {
    let python = support::python("mpmath")?;
    let has_it = Command::new(&python).args(["-c", "import mpmath"]).stderr(Stdio::null()).status();
    if !has_it.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: the Python of ONNX_CONFORMANCE_PYTHON has no mpmath");
        return None;
    }
    Some(python)
}

/// What mpmath makes of operands.
fn answers(python: &str, operator: &str, dtype: DType, operands: &[u64]) -> Vec<u64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/independent/functions.py");
    let mut command = Command::new(python);
    command.arg(script).args([operator, dtype.name()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let bytes: Vec<u8> = operands.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(&bytes).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{operator} {dtype}");
    let results = output.stdout.chunks_exact(8);
    results.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// Special values and boundaries, and drawn numbers of every size and next to 1.
fn operands(dtype: DType, seed: u64, count: usize) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut all: Vec<u64> = directed(dtype).into_iter().map(|bits| bits as u64).collect();
    all.resize_with(all.len().max(count), || any(dtype, &mut random) as u64);
    all
}

/// Holds results of operands against mpmath's; how many there are that are decided.
fn agree(python: &str, operator: &Operator, dtype: DType, operands: &[u64]) -> usize {
    let function = operator.reference.elementwise(Specification::Onnx, &Attributes::new()).unwrap();
    let theirs = answers(python, operator.name, dtype, operands);
    assert_eq!(theirs.len(), operands.len());
    let decided = operands.par_iter().zip(theirs).filter(|(x, theirs)| {
        let conforming = function.conforming(dtype, &[Element::Bits(dtype, u128::from(**x))]);
        let agrees = conforming.accepts(*theirs);
        assert!(agrees, "{operator} {dtype} {x:#x}: {theirs:#x}, not {conforming:x?}");
        conforming.is_decided()
    });
    decided.count()
}

/// Every function and type, with so many operands of each.
fn all_agree(count: usize, seeds: u64) {
    let Some(python) = python() else { return };
    let all: Vec<(&Operator, DType, u64)> = functions()
        .flat_map(|operator| TYPES.map(|dtype| (operator, dtype)))
        .flat_map(|(operator, dtype)| (0..seeds).map(move |seed| (operator, dtype, seed)))
        .collect();
    assert!(!all.is_empty());
    all.into_par_iter().for_each(|(operator, dtype, seed)| {
        let operands = operands(dtype, 0x6d70_0000 + seed, count);
        let decided = agree(&python, operator, dtype, &operands);
        assert!(decided + decided / 8 >= operands.len(), "{operator} {dtype}: {decided}");
    });
}

#[test]
fn functions_of_directed_and_drawn_numbers_are_as_mpmath_has_them() {
    all_agree(1500, 1);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --full-only"]
fn a_million_results_of_every_function_are_as_mpmath_has_them() {
    all_agree(10_000, 100);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --full-only"]
fn functions_of_every_16_bit_float_are_as_mpmath_has_them() {
    let Some(python) = python() else { return };
    for operator in functions() {
        for dtype in &TYPES[..2] {
            let every: Vec<u64> = (0..1 << 16).collect();
            let parts: Vec<&[u64]> = every.chunks(1 << 13).collect();
            let decided: usize =
                parts.into_par_iter().map(|part| agree(&python, operator, *dtype, part)).sum();
            assert!(decided + 1 >= 1 << 16, "{operator} {dtype}: {decided}");
            eprintln!("{operator} {dtype}: {decided} results as mpmath's");
        }
    }
}
