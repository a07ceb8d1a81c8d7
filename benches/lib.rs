//! Benchmarks of the harness and the crates below it, apart from them so that no test builds what measures:
//! `cargo bench --package benches`.
