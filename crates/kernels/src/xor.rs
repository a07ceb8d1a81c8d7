//! Xor: whether one of two truth values holds and the other does not.

use super::Kernel;
use super::logic::{joined, kernel};

pub(super) static XOR: Kernel = kernel("Xor", |call| joined(call, |a, b| a ^ b));

#[cfg(test)]
mod tests;
