//! The runtime against the cases of SONNX: `cargo test --test conformance`.

use std::process::ExitCode;
use std::time::Duration;

use example_runtime::Toy;
use onnx_conformance::corpus::suite::Suite;

fn main() -> ExitCode {
    onnx_conformance::harness(Toy::new)
        .suites([Suite::Sonnx])
        .filter("^sonnx/(abs|add|mul|neg|relu|sqrt|sub)/")
        .expectations("tests/known.toml")
        .timeout(Duration::from_secs(10))
        .main()
}
