//! Development tasks: thin commands, the logic sits in the library.

mod codegen;
mod generated;

use std::path::Path;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    if let Err(e) = codegen::run(root, false) {
        eprintln!("{e}: {:?}", std::error::Error::source(&e));
        std::process::exit(1)
    }
}
