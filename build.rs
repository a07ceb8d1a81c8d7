//! Records what the tool is built from (commit, state of the checkout, compiler and target), and
//! lists the files that it carries.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};

/// Files and folders that the tool carries, for use outside a checkout. `Cargo.toml` has each of
/// them in `include`, or a build from the package fails.
const EMBEDDED: [&str; 6] = [
    "adapters/backends.toml",
    "adapters/c",
    "adapters/python",
    "docs",
    "testdata/locks",
    "testdata/materialise",
];

/// The folder of the suites, which it carries too: thousands of small files, which are much alike.
const SUITES: &str = "testdata/suites";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let Source { commit, dirty } =
        Source::of_package(&root).unwrap_or_else(|| Source::of_git(&root));
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let toolchain = output(Command::new(rustc).arg("--version"));

    set("BUILD_COMMIT", commit.as_deref().unwrap_or("unknown"));
    set("BUILD_DIRTY", dirty.map_or("unknown", |dirty| if dirty { "true" } else { "false" }));
    set("BUILD_TOOLCHAIN", toolchain.as_deref().unwrap_or("unknown"));
    set("BUILD_TARGET", &std::env::var("TARGET").unwrap_or_default());

    for path in ["src", "Cargo.toml", "Cargo.lock", "build.rs", SUITES].iter().chain(&EMBEDDED) {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("embedded.rs"), table_of(&root)?)?;
    fs::write(out.join("digests.rs"), digests(&root)?)?;
    let (groups, packed) = suites(&root)?;
    fs::write(out.join("groups.rs"), groups)?;
    Ok(fs::write(out.join("suites.deflate"), packed)?)
}

/// What is known of the sources.
#[derive(Default)]
struct Source {
    commit: Option<String>,
    dirty: Option<bool>,
}

impl Source {
    /// What `cargo package` wrote down, where this is a package.
    fn of_package(root: &Path) -> Option<Self> {
        let text = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
        let (_, after) = text.split_once("\"sha1\": \"")?;
        let (commit, _) = after.split_once('"')?;
        Some(Self {
            commit: Some(commit.to_owned()),
            dirty: Some(text.contains("\"dirty\": true")),
        })
    }

    /// What git says, where this is a checkout and no copy within another project's.
    fn of_git(root: &Path) -> Self {
        let top = git(&["rev-parse", "--show-toplevel"]).map(PathBuf::from);
        if top.and_then(|top| top.canonicalize().ok()) != root.canonicalize().ok() {
            return Self::default();
        }
        // Committing moves the index.
        for file in ["HEAD", "index"] {
            if let Some(path) = git(&["rev-parse", "--git-path", file]) {
                println!("cargo::rerun-if-changed={path}");
            }
        }
        let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"];
        Self {
            commit: git(&["rev-parse", "HEAD"]),
            dirty: git(&status).map(|changes| !changes.is_empty()),
        }
    }
}

/// The files that the tool carries as an array of path and content, in byte order of the paths.
fn table_of(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut table = String::from("[\n");
    // The program alone has the book, and of it the text.
    let has_book = std::env::var_os("CARGO_FEATURE_CLI").is_some();
    let is_carried =
        |path: &String| !path.starts_with("docs/") || has_book && path.ends_with(".md");
    for path in all_below(root, &EMBEDDED)?.into_iter().filter(is_carried) {
        let file = root.join(&path);
        let file = file.to_str().ok_or("the path of the sources is not UTF-8")?;
        writeln!(table, "    ({path:?}, include_bytes!({file:?})),")?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// The files of the suites, one group for each folder in one: its path, with the sizes of what is packed of it,
/// as an array; and of each group in turn its index, a line of length and path for each file in byte order of
/// the paths, and the contents in this order, each compressed as one.
fn suites(root: &Path) -> Result<(String, Vec<u8>), Box<dyn Error>> {
    let files = all_below(root, &[SUITES])?;
    let group = |path: &str| {
        let slashes = path[SUITES.len()..].match_indices('/').map(|(at, _)| at);
        path[..SUITES.len() + slashes.take(3).last().unwrap_or_default()].to_owned()
    };
    let (mut table, mut packed) = (String::from("[\n"), Vec::new());
    for files in files.chunk_by(|a, b| group(a) == group(b)) {
        let [mut index, mut content] =
            [(); 2].map(|()| DeflateEncoder::new(Vec::new(), compression()));
        for path in files {
            let bytes = fs::read(root.join(path))?;
            writeln!(index, "{} {path}", bytes.len())?;
            content.write_all(&bytes)?;
        }
        let [index, content] = [index.finish()?, content.finish()?];
        let group = group(&files[0]);
        writeln!(table, "    ({group:?}, {}, {}),", index.len(), content.len())?;
        packed.extend([index, content].concat());
    }
    table.push_str("]\n");
    Ok((table, packed))
}

/// The digests of the suites, by name, as `corpus::Digest` has them: over the digests of the cases, each
/// over those of its files.
fn digests(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut suites: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for path in all_below(root, &[SUITES])? {
        let digest = hex(&fs::read(root.join(&path))?);
        let within = path.strip_prefix(SUITES).unwrap_or(&path).trim_start_matches('/');
        let (suite, within) = within.split_once('/').ok_or("a file lies beside the suites")?;
        // The folder of a case holds its data sets and files besides.
        let end = within.find("/test_data_set_").or_else(|| within.rfind('/'));
        let (case, file) = within.split_at(end.ok_or("a file lies beside the cases")?);
        let cases = suites.entry(suite.to_owned()).or_default();
        let file = file.trim_start_matches('/');
        cases.entry(case.to_owned()).or_default().push(format!("{digest}  {file}\n"));
    }
    // Paths came in byte order, and so do the lines.
    let over = |lines: Vec<String>| hex(lines.concat().as_bytes());
    let mut table = String::from("[\n");
    for (suite, cases) in suites {
        let line = |(case, files)| format!("{}  {case}\n", over(files));
        writeln!(table, "    ({suite:?}, {:?}),", over(cases.into_iter().map(line).collect()))?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// The SHA-256 of some bytes, as text.
fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The plain files at these paths, in byte order.
fn all_below(root: &Path, paths: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
    let mut files = Vec::new();
    for &path in paths {
        files_at(&root.join(path), path.to_owned(), &mut files)
            .map_err(|error| format!("failed to read `{path}`, which the tool carries: {error}"))?;
    }
    files.sort();
    Ok(files)
}

/// The plain files at a path, at any depth; what Python or an editor leaves behind is none of them.
fn files_at(path: &Path, name: String, files: &mut Vec<String>) -> std::io::Result<()> {
    if !path.is_dir() {
        fs::metadata(path)?;
        files.push(name);
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let part = entry.file_name().to_string_lossy().into_owned();
        if !part.starts_with('.') && part != "__pycache__" {
            files_at(&entry.path(), format!("{name}/{part}"), files)?;
        }
    }
    Ok(())
}

fn set(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// What a command prints; `None` where it cannot be run or fails.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// What is released is small; what is tested is built soon.
fn compression() -> Compression {
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        Compression::best()
    } else {
        Compression::fast()
    }
}
