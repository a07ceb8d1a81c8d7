//! Or: whether one of two truth values holds, or both do.

use super::Kernel;
use super::logic::{joined, kernel};

pub(super) static OR: Kernel = kernel("Or", |call| joined(call, |a, b| a | b));

#[cfg(test)]
mod tests;
