//! The runtime against the node cases of a release of ONNX, which have to be fetched: `cargo xtask fetch` in this
//! checkout, and `onnx-conformance fetch` elsewhere.

use std::process::ExitCode;

use example_runtime::Toy;

fn main() -> ExitCode {
    onnx_conformance::harness(Toy::new)
        .releases(["1.22.0"])
        .filter("/test_(abs|add|mul|neg|relu|sqrt|sub)(_|$)")
        .expectations(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/known.toml"))
        .main()
}
