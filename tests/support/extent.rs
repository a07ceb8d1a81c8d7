//! How much is tested: what every change waits for, or all of it.

use std::fmt::Display;
use std::io::Write;

/// Whether everything is tested, which takes hours: `cargo xtask ci --full`, in a release build.
pub(crate) fn is_full() -> bool {
    std::env::var_os("ONNX_CONFORMANCE_TESTS").is_some_and(|extent| extent == "full")
}

/// The size of a test: one that every change waits for, or the full one.
pub(crate) fn size<T>(sample: T, full: T) -> T {
    if is_full() { full } else { sample }
}

/// Reports, beside the results of the tests, that a part stands for a whole.
pub(crate) fn report_sample(part: u64, whole: u64, what: impl Display) {
    let line = format!("SAMPLED: {part} of {whole} {what}; `cargo xtask ci --full` takes all\n");
    // What is printed is kept for tests that fail.
    let _ = std::io::stderr().write_all(line.as_bytes());
}
