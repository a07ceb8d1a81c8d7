//! `export`: cases as folders, for other runners.

use std::collections::BTreeMap;
use std::process::ExitCode;

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CorpusError, export};
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::run::NoCase;

use super::{CommandError, corpora, selection, taken};
use crate::cli::{ExportArgs, SelectArgs};
use crate::terminal;

/// Writes the chosen cases below a folder, each in the folders that its id names.
pub(super) fn export(args: ExportArgs) -> Result<ExitCode, CommandError> {
    let ExportArgs { select, out } = args;
    // What was fetched lies in such folders already.
    let own = select.corpus.is_empty() && select.challenge.is_none();
    let select = SelectArgs { own, ..select };
    let _lock = FolderLock::beside(&out)?;
    let (corpora, selection) = (corpora(&select, &[Suite::Onnx])?, selection(&select)?);
    let (mut files, mut cases) = (BTreeMap::new(), 0);
    for (id, case) in taken(&corpora, &selection)? {
        cases += 1;
        for (path, content) in case.load()?.files() {
            if files.insert(format!("{id}/{path}"), content.clone()).is_some() {
                return Err(CorpusError::SameCase(out, id).into());
            }
        }
    }
    if cases == 0 {
        return Err(NoCase::among(&corpora, &selection).into());
    }
    export::unpack(&files, &out)?;
    let (files, out) = (files.len(), out.display());
    terminal::print(&format!(
        "{cases} cases, {files} files in {out}\nrun them with `run --corpus {out}`\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}
