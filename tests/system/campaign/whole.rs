//! Whole domains of 2^32 inputs on the built-in kernels: minutes in a debug build, so only on demand,
//! `cargo test --release --test system campaign::whole -- --ignored`.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::measure::campaign::{Judge, Kernels, Plan, Strategy, Task, drive};
use onnx_conformance::reference::operator::Operator;
use onnx_conformance::reference::operators::{div::DIV, sqrt::SQRT};

fn assert_conforms(operator: &'static Operator, dtype: DType) {
    let plan = Plan::new(operator, dtype, Strategy::Exhaustive, None, None).unwrap();
    let judge = Judge::new(Profile::named("ieee754").unwrap(), operator, dtype).unwrap();
    let task = Task { plan: &plan, implementation: &Kernels::new(operator, dtype), judge: &judge };
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let out = tempfile::tempdir().unwrap();
    let document =
        drive(&task, out.path(), threads, &mut |_| ControlFlow::Continue(())).unwrap().document;
    assert_eq!((document.promised, document.executed), (1 << 32, 1 << 32));
    assert_eq!((document.mismatches, document.violations), (0, Some(0)));
}

#[test]
#[ignore = "2^32 inputs"]
fn every_float16_quotient_is_right() {
    assert_conforms(&DIV, DType::Float16);
}

#[test]
#[ignore = "2^32 inputs"]
fn every_bfloat16_quotient_is_right() {
    assert_conforms(&DIV, DType::Bfloat16);
}

#[test]
#[ignore = "2^32 inputs"]
fn every_int16_quotient_is_right() {
    assert_conforms(&DIV, DType::Int16);
}

#[test]
#[ignore = "2^32 inputs"]
fn every_uint16_quotient_is_right() {
    assert_conforms(&DIV, DType::Uint16);
}

#[test]
#[ignore = "2^32 inputs"]
fn every_float32_root_is_right() {
    assert_conforms(&SQRT, DType::Float32);
}
