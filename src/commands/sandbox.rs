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

/// What in a checkout is made from the suites, there or not.
const BUILT: [&str; 8] = [
    "target/debug",
    "target/release",
    "target/browser",
    "target/maturin",
    "target/package",
    "target/wheels",
    "fuzz/corpus",
    "fuzz/target",
];

/// The name of this program, and of its packages' folders.
const NAME: &str = env!("CARGO_PKG_NAME");

/// What an adapter is kept from in a run, besides what it is kept from always.
#[derive(Clone, Debug, Default)]
pub(super) struct Denied {
    pub(super) paths: Vec<PathBuf>,
    /// What it may read nevertheless.
    pub(super) gaps: Vec<String>,
}

/// The sandbox for an adapter, which denies this and what is denied to all.
pub(super) fn of(args: &SandboxArgs, denied: Denied) -> Result<Sandbox, CommandError> {
    let paths = denied.paths.into_iter().chain(denied_to_all());
    let sandbox = Sandbox::new(args.sandbox, paths, &args.allow_path, &args.allow_write)?;
    let sandbox = sandbox.with_gaps(denied.gaps);
    if sandbox.mode() != args.sandbox {
        eprintln!(
            "warning: this system has no Landlock, so the adapter runs without a sandbox and can\n  read \
             expected results; `--sandbox off` silences this warning"
        );
    }
    Ok(sandbox)
}

/// What an adapter is kept from in a run of these corpora that writes its reports into this folder.
pub(super) fn denied(corpora: &[(Suite, Corpus)], out: Option<&Path>) -> Denied {
    let corpora = corpora.iter().map(|(_, corpus)| corpus.path().to_owned());
    // The cases that the program carries lie in no folder.
    let corpora = corpora.filter(|path| path.is_absolute());
    Denied { paths: corpora.chain(out.map(Path::to_owned)).collect(), gaps: Vec::new() }
}

/// The corpora that were fetched, reports, this program, and what is known to hold copies of them. In a
/// checkout also its suites, wherever they are: in `testdata`, in what was built of it, and in what git
/// keeps; the one that this is started in, the one that it was built in, and that of the action.
fn denied_to_all() -> Vec<PathBuf> {
    let mut denied = vec![PathBuf::from(REPORTS)];
    let program = env::current_exe().and_then(fs::canonicalize).ok();
    let action = env::var_os("GITHUB_ACTION_PATH").map(PathBuf::from);
    let above = program.iter().flat_map(|program| program.ancestors().skip(1));
    let checkouts = above.chain(action.as_deref()).map(|root| root.join("testdata"));
    for home in checkouts.filter(|root| root.join("locks").is_dir()).map(Home::at) {
        denied.extend(home.checkout().map(of_checkouts).unwrap_or_default());
    }
    denied.extend(program);
    denied.extend(copies());
    let Ok(home) = Home::find() else { return denied };
    match home.checkout() {
        Some(root) => denied.extend(of_checkouts(root)),
        // Where nothing was fetched nothing is to be kept, and the folder above stays as it is.
        None => denied.extend(Some(home.root().to_owned()).filter(|root| root.exists())),
    }
    denied.push(home.corpora());
    denied
}

/// What a checkout, and the others of its repository, have of its suites, and the repository itself.
fn of_checkouts(root: &Path) -> Vec<PathBuf> {
    let mut denied = repository(root);
    // Links and `..` lead to it from a further checkout.
    let common = denied.first().and_then(|common| common.canonicalize().ok()).unwrap_or_default();
    let linked = entries(&common.join("worktrees")).filter_map(|own| {
        let git = fs::read_to_string(own.join("gitdir")).ok()?;
        Some(Path::new(git.trim_end()).parent()?.to_owned())
    });
    let others = linked.chain(common.parent().map(Path::to_owned)).collect::<Vec<_>>();
    let is_checkout = |other: &&PathBuf| other.join("testdata/locks").is_dir();
    denied.extend(others.iter().filter(is_checkout).flat_map(|other| of_checkout(other)));
    denied.extend(of_checkout(root));
    denied
}

/// What one has: in `testdata`, in what was built of it, profile by profile and for other targets, in packages,
/// and in what is fuzzed with.
fn of_checkout(root: &Path) -> Vec<PathBuf> {
    let names = BUILT.into_iter().chain([REPORTS, "testdata"]);
    let mut denied: Vec<_> = names.map(|name| root.join(name)).collect();
    let target = root.join("target");
    let is_profile = |folder: &Path| folder.join("deps").is_dir();
    let is_built =
        |path: &PathBuf| is_profile(path) || entries(path).any(|inner| is_profile(&inner));
    denied.extend(entries(&target).filter(is_built));
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "whl");
    denied.extend(entries(&target.join("wheel")).filter(is_wheel));
    denied
}

/// What lies in a folder, if it can be read.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// What installers leave of this program, its sources and the packages that corpora are made from: whatever
/// is there of it.
fn copies() -> Vec<PathBuf> {
    let user = env::home_dir().unwrap_or_default();
    let named = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty());
    let cargo = named("CARGO_HOME").map_or_else(|| user.join(".cargo"), PathBuf::from);
    let caches = named("XDG_CACHE_HOME").map_or_else(|| user.join(".cache"), PathBuf::from);
    let pip = named("PIP_CACHE_DIR").map_or_else(|| caches.join("pip"), PathBuf::from);
    let paths = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&paths).filter(|folder| folder.is_absolute());
    let programs = folders.chain([cargo.join("bin"), user.join(".local/bin")]);
    let mut copies: Vec<_> = programs.map(|folder| folder.join(NAME)).collect();
    copies.extend([pip, caches.join(NAME)]);
    let sources = ["git/checkouts", "git/db"].map(|folder| cargo.join(folder)).into_iter();
    let registries = ["registry/src", "registry/cache"].map(|folder| cargo.join(folder));
    let registries = registries.into_iter().flat_map(|folder| entries(&folder));
    let is_own = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(NAME.as_bytes()))
    };
    copies.extend(sources.chain(registries).flat_map(|folder| entries(&folder)).filter(is_own));
    copies.retain(|copy| copy.exists());
    copies
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
