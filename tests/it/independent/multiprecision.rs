//! The approximated functions of one number, and Pow, against MPFR and mpmath, where the Python in `ONNX_CONFORMANCE_PYTHON` has gmpy2 and mpmath:
//! each result of 200 bits, rounded once, has to be the one that conforms.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::judge::compare::Element;
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{Attributes, Operator, OperatorKind, Specification};
use onnx_conformance::reference::operators;
use rayon::prelude::*;

use super::operands::{any, directed};
use crate::support;
use crate::support::extent::size;

const TYPES: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

/// Operators that have no function there.
const WITHOUT: [&str; 2] = ["HardSigmoid", "HardSwish"];

/// The operands of a result.
type Operands = Vec<u64>;

/// What the functions are held against, as `functions.py` calls it.
const SOURCES: [&str; 2] = ["mpfr", "mpmath"];

/// The functions that are asked for.
fn functions() -> impl Iterator<Item = &'static Operator> {
    operators::onnx().filter(|operator| {
        operator.kind == OperatorKind::Approximated
            && (operator.newest().inputs.len() == 1 || operator.name == "Pow")
            && !WITHOUT.contains(&operator.name)
            && super::is_asked_for(operator.name)
    })
}

/// A Python with both; that there is none is told.
fn python() -> Option<String> {
    let python = support::python("mpmath and gmpy2")?;
    let has_it =
        Command::new(&python).args(["-c", "import gmpy2, mpmath"]).stderr(Stdio::null()).status();
    if !has_it.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: the Python of ONNX_CONFORMANCE_PYTHON lacks gmpy2 or mpmath");
        return None;
    }
    Some(python)
}

/// What a source makes of operands.
fn answers(
    python: &str,
    source: &str,
    operator: &str,
    dtype: DType,
    operands: &[Operands],
) -> Vec<u64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/independent/functions.py");
    let mut command = Command::new(python);
    command.arg(script).args([source, operator, dtype.name()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let bytes: Vec<u8> = operands.iter().flatten().flat_map(|bits| bits.to_le_bytes()).collect();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(&bytes).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{source} {operator} {dtype}");
    let results = output.stdout.chunks_exact(8);
    results.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// Special values and boundaries, and drawn numbers of every size and next to 1; the exponents of half of the powers
/// are of ordinary size.
fn operands(operator: &Operator, dtype: DType, seed: u64, count: usize) -> Vec<Operands> {
    let mut random = Random::new(seed);
    let directed = || directed(dtype).into_iter().map(|bits| bits as u64);
    let mut any = || any(dtype, &mut random) as u64;
    if operator.newest().inputs.len() == 1 {
        let mut all: Vec<Operands> = directed().map(|x| vec![x]).collect();
        all.resize_with(all.len().max(count), || vec![any()]);
        return all;
    }
    let mut all = Vec::new();
    if seed == FIRST_SEED {
        all.extend(directed().flat_map(|x| directed().map(move |y| vec![x, y])));
    }
    all.resize_with(all.len().max(count), || {
        let (x, y) = (any(), any());
        vec![x, if any().is_multiple_of(2) { y } else { ordinary(dtype, y) }]
    });
    all
}

/// The seed of operands that special values are among.
const FIRST_SEED: u64 = 0x6d70_0000;

/// A number with the sign and the fraction of another, of between 2^-4 and 2^4.
fn ordinary(dtype: DType, bits: u64) -> u64 {
    let Kind::Float(format) = dtype.kind() else { panic!("{dtype} is no float") };
    let field = format.significand_bits;
    let bias = (1_u64 << (format.exponent_bits - 1)) - 1;
    let rest = bits & !(((1 << format.exponent_bits) - 1) << field);
    rest | (bias - 4 + bits % 8) << field
}

/// Holds results of operands against those of a source; how many there are that are decided.
fn agree(
    python: &str,
    source: &str,
    operator: &Operator,
    dtype: DType,
    operands: &[Operands],
) -> usize {
    let function = operator.reference.elementwise(Specification::Onnx, &Attributes::new()).unwrap();
    let theirs = answers(python, source, operator.name, dtype, operands);
    assert_eq!(theirs.len(), operands.len());
    let decided = operands.par_iter().zip(theirs).filter(|(operands, theirs)| {
        let elements: Vec<Element> =
            operands.iter().map(|bits| Element::Bits(dtype, u128::from(*bits))).collect();
        let conforming = function.conforming(dtype, &elements);
        let agrees = conforming.accepts(*theirs);
        assert!(
            agrees,
            "{source} {operator} {dtype} {operands:#x?}: {theirs:#x}, not {conforming:x?}"
        );
        conforming.is_decided()
    });
    decided.count()
}

/// Every function and type, with so many operands of each.
fn all_agree(source: &str, count: usize, seeds: u64) {
    let Some(python) = python() else { return };
    let all: Vec<(&Operator, DType, u64)> = functions()
        .flat_map(|operator| TYPES.map(|dtype| (operator, dtype)))
        .flat_map(|(operator, dtype)| (0..seeds).map(move |seed| (operator, dtype, seed)))
        .collect();
    assert!(!all.is_empty());
    let results: usize = all
        .into_par_iter()
        .map(|(operator, dtype, seed)| {
            let operands = operands(operator, dtype, FIRST_SEED + seed, count);
            let decided = agree(&python, source, operator, dtype, &operands);
            assert!(decided + decided / 8 >= operands.len(), "{operator} {dtype}: {decided}");
            decided
        })
        .sum();
    eprintln!("{results} results of functions are as {source} has them");
}

#[test]
fn functions_of_directed_and_drawn_numbers_are_as_mpmath_and_mpfr_have_them() {
    for source in SOURCES {
        let (count, seeds) = size((1_500, 1), (10_000, 100));
        all_agree(source, count, seeds);
    }
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --full"]
fn functions_of_every_16_bit_float_are_as_mpmath_and_mpfr_have_them() {
    let Some(python) = python() else { return };
    for (source, operator) in
        SOURCES.iter().flat_map(|source| functions().map(move |it| (source, it)))
    {
        if operator.newest().inputs.len() > 1 {
            continue;
        }
        for dtype in &TYPES[..2] {
            let every: Vec<Operands> = (0..1 << 16).map(|bits| vec![bits]).collect();
            let parts: Vec<&[Operands]> = every.chunks(1 << 13).collect();
            let of = |part| agree(&python, source, operator, *dtype, part);
            let decided: usize = parts.into_par_iter().map(of).sum();
            assert!(decided + 1 >= 1 << 16, "{source} {operator} {dtype}: {decided}");
            eprintln!("{operator} {dtype}: {decided} results as {source} has them");
        }
    }
}
