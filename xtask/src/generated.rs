//! Generated files that are committed: written on demand, compared with `--check`.

use std::io;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// A generated file is not as its generator makes it, or cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("failed to {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "{} differs from its generator's output; run `cargo xtask codegen` or `generate` and commit the \
         result\n{difference}",
        path.display()
    )]
    Drift { path: PathBuf, difference: String },
}

/// Lines of a difference that are shown.
const SHOWN: usize = 40;

/// Writes `contents` to `path`, or with `check` only compares the two.
pub(crate) fn write_or_check(path: &Path, contents: &str, check: bool) -> Result<(), Error> {
    let io = |action| move |source| Error::Io { action, path: path.to_owned(), source };
    let present = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        present => present.map_err(io("read"))?,
    };
    if present == contents {
        println!("{} is up to date", path.display());
        return Ok(());
    }
    if check {
        let difference = TextDiff::from_lines(present.as_str(), contents)
            .unified_diff()
            .header("committed", "generated")
            .to_string();
        let difference = difference.lines().take(SHOWN).collect::<Vec<_>>().join("\n");
        return Err(Error::Drift { path: path.to_owned(), difference });
    }
    std::fs::write(path, contents).map_err(io("write"))?;
    println!("{} written", path.display());
    Ok(())
}
