//! The qualification kit: defects seeded into right kernels and right adapters, and what of this
//! project finds each of them. `docs/mutants.md` tells how to add one.
//!
//! Without more it is a test: every defect has to be found by what promises to find it, and by
//! nothing else. With the name of a file in [`WRITE`] it writes the qualification document there,
//! which `cargo xtask mutants` asks for. With [`defect::AS_ADAPTER`] it is one of the adapters.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod abs;
mod accumulated;
mod adapter;
mod add;
mod arg_extremum;
mod arithmetic;
mod attention;
mod bits;
mod broadcasting;
mod cast;
mod choosing;
mod circular;
mod clip;
mod columns;
mod comparison;
mod concat_split;
mod constant;
mod conversion;
mod convolution;
mod defect;
mod deformconv;
mod derived;
mod det;
mod document;
mod einsum;
mod exp;
mod extremum;
mod filling;
mod function;
mod gate;
mod gather_scatter;
mod indexing;
mod integer_products;
mod integral;
mod isinf;
mod isnan;
mod kernels;
mod leakyrelu;
mod logic;
mod losses;
mod matmul;
mod matrix;
mod modulo;
mod mul;
mod neg;
mod normalization;
mod pooling;
mod pow;
mod protocol;
mod quantization;
mod range;
mod reciprocal;
mod recurrent;
mod reduce_function;
mod reduction;
mod regions;
mod relu;
mod request;
mod reshaping;
mod resize;
mod round;
mod rounding;
mod sign;
mod signal;
mod slice_pad;
mod softmax;
mod special_values;
mod states;
mod strings;
mod sub;
mod swiglu;
mod threshold;
mod transpose;
mod type_handling;
mod types;
mod upsample;
mod r#where;
mod windows;

use onnx_conformance::document::JsonDocument;
use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};
use onnx_conformance::document::write::write_file;
use rayon::prelude::*;

use crate::defect::{AS_ADAPTER, Defect};
use crate::matrix::Kit;

/// The defects of the operators that have a file of their own.
const OF_OPERATORS: &[&[Defect]] = &[
    abs::DEFECTS,
    accumulated::DEFECTS,
    add::DEFECTS,
    arg_extremum::DEFECTS,
    attention::DEFECTS,
    bits::DEFECTS,
    cast::DEFECTS,
    choosing::DEFECTS,
    circular::DEFECTS,
    clip::DEFECTS,
    comparison::DEFECTS,
    concat_split::DEFECTS,
    constant::DEFECTS,
    convolution::DEFECTS,
    deformconv::DEFECTS,
    det::DEFECTS,
    einsum::DEFECTS,
    exp::DEFECTS,
    extremum::DEFECTS,
    filling::DEFECTS,
    function::DEFECTS,
    gather_scatter::DEFECTS,
    integer_products::DEFECTS,
    integral::DEFECTS,
    isinf::DEFECTS,
    isnan::DEFECTS,
    leakyrelu::DEFECTS,
    logic::DEFECTS,
    losses::DEFECTS,
    matmul::DEFECTS,
    mul::DEFECTS,
    neg::DEFECTS,
    normalization::DEFECTS,
    pooling::DEFECTS,
    pow::DEFECTS,
    quantization::DEFECTS,
    range::DEFECTS,
    reciprocal::DEFECTS,
    recurrent::DEFECTS,
    reduce_function::DEFECTS,
    reduction::DEFECTS,
    regions::DEFECTS,
    relu::DEFECTS,
    reshaping::DEFECTS,
    resize::DEFECTS,
    sign::DEFECTS,
    signal::DEFECTS,
    slice_pad::DEFECTS,
    softmax::DEFECTS,
    states::DEFECTS,
    strings::DEFECTS,
    sub::DEFECTS,
    swiglu::DEFECTS,
    threshold::DEFECTS,
    transpose::DEFECTS,
    upsample::DEFECTS,
    modulo::DEFECTS,
    r#where::DEFECTS,
    windows::DEFECTS,
];

/// The variable that names the file to write.
const WRITE: &str = "ONNX_CONFORMANCE_QUALIFICATION";

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    if arguments.next().as_deref() == Some(AS_ADAPTER) {
        return adapter::serve(&arguments.next().unwrap_or_default());
    }
    if let Some(path) = env::var_os(WRITE) {
        return match write(Path::new(&path)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        };
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

/// Looks for every defect and writes the document, where each is found as promised.
fn write(path: &Path) -> Result<(), String> {
    eprintln!("first what has no defect ..");
    let kit = Kit::new()?;
    let (all, done) = (kit.defects.len(), AtomicUsize::new(0));
    let check = |at: usize| {
        let result = kit.check(at);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        match &result {
            Ok(()) => eprintln!("{done:>3}/{all} {}", kit.defects[at].id),
            Err(problem) => eprintln!("{done:>3}/{all} {problem}"),
        }
        result.err()
    };
    let mut problems: Vec<String> = (0..all).into_par_iter().filter_map(check).collect();
    problems.sort();
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let text = kit.document().to_bytes().map_err(|error| error.to_string())?;
    write_file(path, text).map_err(|error| error.to_string())
}

/// A trial for what is right, one for each defect, and some for what is made of them.
fn trials() -> Vec<Trial> {
    let kit: Arc<OnceLock<Result<Kit, String>>> = Arc::default();
    let with = move |test: fn(&Kit, usize) -> Result<(), Failed>, at: usize| {
        let kit = Arc::clone(&kit);
        move || match kit.get_or_init(Kit::new) {
            Ok(kit) => test(kit, at),
            Err(message) => Err(message.clone().into()),
        }
    };
    let defects = Defect::all();
    let mut trials = vec![Trial::test("what has no defect is found right", with(|_, _| Ok(()), 0))];
    for (at, defect) in defects.iter().enumerate() {
        let name = format!("{}::{}", defect.class, defect.id);
        trials.push(Trial::test(name, with(|kit, at| Ok(kit.check(at)?), at)));
    }
    trials.push(Trial::test(
        "the committed document is what is found",
        with(document::is_committed, 0),
    ));
    trials.push(Trial::test(
        "nothing finds what is listed as not found",
        with(derived::left_out_is_not_found, 0),
    ));
    trials.extend(document::trials());
    for (at, (suite, _)) in gate::BASELINES.iter().enumerate() {
        let says = format!("no defect that {suite} finds gets past its baseline");
        trials.push(Trial::test(says, with(gate::none_passes, at)));
    }
    trials
}
