//! Pi, the trigonometric functions and their inverses, and the error function, of intervals.

mod error_function;
mod inverse_trigonometric;
mod pi;
mod trigonometric;
mod turns;

use super::Interval;

#[cfg(test)]
mod tests;
