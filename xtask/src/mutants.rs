//! `cargo xtask mutants`: the qualification of the tool by seeded defects, made anew or compared.

use std::path::Path;
use std::process::Command;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::document::write::write_file;
use onnx_conformance::documents::qualification::{self, Qualification};

use crate::tool::as_from_a_shell;
use crate::{Failure, counts, fetch, generated};

/// The test that is the kit, and the variable that makes it write its document to a file.
const KIT: [&str; 5] = ["test", "--quiet", "--locked", "--test", "qualification"];
const VARIABLE: &str = "ONNX_CONFORMANCE_QUALIFICATION";

/// Where the kit writes, relative to the root of the checkout.
const FOUND: &str = "target/qualification.json";

/// The release whose node cases are the column of the official corpus.
const RELEASE: &str = "1.22.0";

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("failed to start `cargo test`")]
    Start(#[source] std::io::Error),
    #[error("failed to read {FOUND}, which the kit should have written")]
    Read(#[source] std::io::Error),
    #[error(
        "the tool is not qualified: a kernel without a defect fails, or a defect is not found as declared; \
         docs/mutants.md explains what to do"
    )]
    Kit,
    #[error("the tool is not qualified: {0} seeded defects are found by nothing of this project")]
    Survivors(usize),
    #[error("the committed document is not what the kit finds; run `cargo xtask mutants` and commit {path}", path = qualification::PATH)]
    Drift(#[source] generated::Error),
}

/// Runs the kit below `root`, shows what it found, and writes document and page, or with `check`
/// compares the document with the committed one.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Failure> {
    fetch::ensure(root, &[RELEASE.to_owned()])?;
    let found = root.join(FOUND);
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    as_from_a_shell(&mut command);
    let status = command.args(KIT).env(VARIABLE, &found).current_dir(root).status();
    if !status.map_err(Error::Start)?.success() {
        return Err(Error::Kit.into());
    }
    let text = std::fs::read_to_string(&found).map_err(Error::Read)?;
    let document = Qualification::from_bytes(qualification::PATH.as_ref(), text.as_bytes())?;
    print!("{}", qualification::to_text(&document));
    let survivors = document.survivors().count();
    if survivors > 0 {
        return Err(Error::Survivors(survivors).into());
    }
    generated::write_or_check(&root.join(qualification::PATH), &text, check)
        .map_err(Error::Drift)?;
    if !check {
        let page = root.join(qualification::PAGE);
        write_file(&page, qualification::html(&document)?.into_bytes())?;
        println!("{} written", page.display());
        counts::run(root, check)?;
    }
    Ok(())
}
