//! The oracle against implementations that share nothing with it: LLVM's `APFloat`, the machine,
//! the definitions in rational numbers, and MPFR (feature `mpfr`).
//!
//! What takes minutes is ignored by default and runs with
//! `cargo test --release --test it oracle_validation -- --ignored`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod apfloat;
mod cases;
mod definition;
mod machine;
#[cfg(feature = "mpfr")]
mod mpfr;
