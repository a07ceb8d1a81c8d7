//! Run-time choice of the vector instructions: one loop, compiled once for each instruction set.
//!
//! The loops are plain Rust which the compiler vectorises; only the instruction set differs
//! between the copies, and every copy computes the same bits (no operation here is reassociated
//! or fused).

use multiversion::multiversion;

/// A loop to be compiled for several instruction sets.
///
/// `run` and what it calls must be `#[inline(always)]`: only what is inlined into a copy is
/// compiled for its instruction set.
pub(super) trait SimdTask {
    /// What the loop gives back.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// Runs the task's copy for the widest instruction set that this processor has.
#[multiversion(
    targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma",),
    dispatcher = "direct"
)]
pub(super) fn dispatch<T: SimdTask>(task: T) -> T::Output {
    task.run()
}
