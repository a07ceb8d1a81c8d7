//! The sandbox that the arguments choose, and what an adapter is kept from.

use std::path::{Path, PathBuf};
use std::{env, fs};

use onnx_conformance::backend::adapter::Sandbox;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{Corpus, Home};

use super::CommandError;
use crate::cli::SandboxArgs;

/// The folder that reports go into unless another is named.
const REPORTS: &str = "reports";

/// The sandbox for an adapter, which denies these paths and what is denied to all.
pub(super) fn of(args: &SandboxArgs, denied: Vec<PathBuf>) -> Result<Sandbox, CommandError> {
    let denied = denied.into_iter().chain(denied_to_all());
    let sandbox = Sandbox::new(args.sandbox, denied, &args.allow_path)?;
    if sandbox.mode() != args.sandbox {
        eprintln!(
            "warning: this system has no Landlock, so the adapter runs without a sandbox and can\n  read \
             expected results; `--sandbox off` silences this warning"
        );
    }
    Ok(sandbox)
}

/// What an adapter is kept from in a run of these corpora that writes its reports into this folder.
pub(super) fn denied(corpora: &[(Suite, Corpus)], out: Option<&Path>) -> Vec<PathBuf> {
    let corpora = corpora.iter().map(|(_, corpus)| corpus.path().to_owned());
    // The cases that the program carries lie in no folder.
    let corpora = corpora.filter(|path| path.is_absolute());
    corpora.chain(out.map(Path::to_owned)).collect()
}

/// The corpora that were fetched, reports, and this program. In a checkout also its suites, wherever they
/// are: in `testdata`, in what was built of it, and in what git keeps.
fn denied_to_all() -> Vec<PathBuf> {
    let mut denied = vec![PathBuf::from(REPORTS)];
    denied.extend(env::current_exe());
    let Ok(home) = Home::find() else { return denied };
    match home.checkout() {
        Some(root) => {
            let built = ["target/debug", "target/release", REPORTS].map(|name| root.join(name));
            denied.extend(built);
            denied.push(home.root().to_owned());
            denied.extend(repository(root));
        }
        // Where nothing was fetched nothing is to be kept, and the folder above stays as it is.
        None => denied.extend(Some(home.root().to_owned()).filter(|root| root.exists())),
    }
    denied.push(home.corpora());
    denied
}

/// The folders in which git keeps the history of this checkout: one, or two where it is a further
/// checkout of another's.
fn repository(root: &Path) -> Vec<PathBuf> {
    let git = root.join(".git");
    let Ok(text) = fs::read_to_string(&git) else { return vec![git] };
    let Some(own) = text.strip_prefix("gitdir: ") else { return vec![git] };
    let own = root.join(own.trim_end());
    let common = fs::read_to_string(own.join("commondir")).unwrap_or_default();
    vec![own.join(common.trim_end()), own]
}
