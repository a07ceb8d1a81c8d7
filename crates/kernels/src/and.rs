//! And: whether two truth values hold both.

use super::Kernel;
use super::logic::{joined, kernel};

pub(super) static AND: Kernel = kernel("And", |call| joined(call, |a, b| a & b));

#[cfg(test)]
mod tests;
