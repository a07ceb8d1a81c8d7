//! Decoding any input takes at most twice the input's size and 64 MB, its own bytes included, and a JSON text ten
//! times its size:
//! measured with a counting allocator, on the inputs that take most.
//!
//! Every shape of input is grown until it is refused, so that what is measured comes close to what
//! is allowed. Where the bound is broken the test names the shape and both figures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod documents;
mod packs;
mod protobuf;
mod text;

use std::sync::{Mutex, MutexGuard, PoisonError};

use onnx_conformance::limits::{JSON_TIMES, SLACK};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What was found on the inputs of one decoder.
#[derive(Default)]
struct Found {
    /// Inputs that decoded, or were refused for another reason than their size in memory.
    within: u32,
    refused: u32,
    /// The largest share of what is allowed that was taken, in percent.
    most: usize,
    /// Whether the inputs are JSON texts.
    is_json: bool,
}

impl Found {
    /// What was put to the test comes close to what is allowed: it takes more than so many percent of it.
    fn assert_close(&self, what: &str, percent: usize) {
        println!("{what} took up to {} % of what is allowed", self.most);
        assert!(self.most > percent, "{what}: only {} % of what is allowed", self.most);
    }
}

/// What came of decoding an input.
enum Came {
    /// A value, or an error that is not about memory.
    Within,
    /// Refused for what it would take.
    Refused,
}

impl Came {
    /// By the message of an error.
    fn of<T>(result: Result<T, impl ToString>) -> Self {
        match result.map_err(|error| error.to_string()) {
            Err(message) if message.contains("more than") || message.contains("larger than") => {
                Self::Refused
            }
            _ => Self::Within,
        }
    }
}

/// Makes a test wait until no other allocates, and the others until it ends.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Decodes an input, and checks what that takes.
fn measure(found: &mut Found, shape: &str, input: Vec<u8>, decode: impl FnOnce(Vec<u8>) -> Came) {
    let size = input.len();
    let allowed = if found.is_json { JSON_TIMES } else { 2 } * size + SLACK;
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage() - input.capacity().min(ALLOCATED.current_usage());
    let came = decode(input);
    let taken = ALLOCATED.peak_usage().saturating_sub(before);
    assert!(taken <= allowed, "{shape}: {size} bytes took {taken}, more than {allowed}");
    found.most = found.most.max(taken * 100 / allowed);
    match came {
        Came::Within => found.within += 1,
        Came::Refused => found.refused += 1,
    }
}

/// Sizes from 64 KiB to 8 MiB.
fn sizes() -> impl Iterator<Item = usize> {
    // Where inputs begin to be refused, the steps are small.
    [16, 19, 20, 21, 22, 23].into_iter().map(|power| 1 << power)
}

/// A shape of input: what it begins with, what is repeated, and what it ends with.
fn filled(start: &str, unit: &str, end: &str, size: usize) -> Vec<u8> {
    let count = size.saturating_sub(start.len() + end.len()) / unit.len().max(1);
    let mut text = String::with_capacity(size + unit.len());
    text.push_str(start);
    for place in 0..count.max(1) {
        // A mark in the unit becomes another name each time.
        match unit.split_once('@') {
            Some((before, after)) => {
                text.push_str(before);
                text.push_str(&format!("{place:x}"));
                text.push_str(after);
            }
            None => text.push_str(unit),
        }
    }
    if unit.ends_with(',') {
        text.pop();
    }
    text.push_str(end);
    text.into_bytes()
}
