//! Development tasks, thin over the library.
fn main() {}
