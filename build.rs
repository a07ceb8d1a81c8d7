//! Records what the tool is built from (commit, state of the checkout, compiler and target), and
//! packs the files that it carries.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Files and folders that the tool carries, for use outside a checkout. `Cargo.toml` has each of
/// them in `include`, or a build from the package fails.
const EMBEDDED: [&str; 7] = [
    "adapters/backends.toml",
    "adapters/c",
    "adapters/python",
    "docs",
    "reports/qualification/qualification.json",
    "testdata/locks",
    "testdata/materialise",
];

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

    for path in ["src", "Cargo.toml", "Cargo.lock", "build.rs"].iter().chain(&EMBEDDED) {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    pack(&root, &out)
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
        watch_head();
        // What the crates below are made of, in which the checkout may differ from the commit, too.
        for path in ["crates", "testdata/suites"] {
            println!("cargo::rerun-if-changed={path}");
        }
        let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"];
        Self {
            commit: git(&["rev-parse", "HEAD"]),
            dirty: git(&status).map(|changes| !changes.is_empty()),
        }
    }
}

/// Has the script run again when another commit is checked out or made, and not when files are staged: that moves
/// git's index, and changes nothing of what is recorded.
fn watch_head() {
    let path = |name: &str| git(&["rev-parse", "--git-path", name]).map(PathBuf::from);
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]).and_then(|branch| path(&branch));
    // A branch that lies among the packed ones gets a file of its own with the next commit.
    let place = branch.as_deref().and_then(|branch| branch.ancestors().find(|it| it.exists()));
    let packed = path("packed-refs").filter(|path| path.exists());
    for path in [path("HEAD").as_deref(), place, packed.as_deref()].into_iter().flatten() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// Texts of more bytes are packed by themselves, as others would have to wait for their lines.
const LARGE: usize = 1 << 20;

/// Writes the files that the tool carries: a table of them in byte order of their paths, the lines of all texts, each once,
/// and which lines each text has. Locks of releases have most of their lines in common.
fn pack(root: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    // The program alone has the book, and of it the text.
    let has_book = std::env::var_os("CARGO_FEATURE_CLI").is_some();
    let is_carried =
        |path: &String| !path.starts_with("docs/") || has_book && path.ends_with(".md");
    let paths = all_below(root, &EMBEDDED)?.into_iter().filter(is_carried);
    let read = |path: String| Ok((fs::read(root.join(&path))?, path));
    let files = paths.map(read).collect::<std::io::Result<Vec<_>>>()?;
    let is_text = |content: &[u8]| {
        content.len() < LARGE && str::from_utf8(content).is_ok() && content.ends_with(b"\n")
    };
    let deflate = |name: &str, content: &[u8]| {
        let mut packed =
            DeflateEncoder::new(fs::File::create(out.join(name))?, Compression::best());
        packed.write_all(content)?;
        packed.finish().map(drop)
    };
    let lines = |content: &[u8]| -> Vec<Vec<u8>> {
        content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let texts = files.iter().filter(|(content, _)| is_text(content));
    let mut numbers: BTreeMap<Vec<u8>, u32> =
        texts.flat_map(|(content, _)| lines(content)).map(|line| (line, 0)).collect();
    numbers.values_mut().zip(0..).for_each(|(number, place)| *number = place);
    let (mut table, mut of_texts) =
        (format!("static FILES: [File; {}] = [\n", files.len()), Vec::new());
    for (at, (content, path)) in files.iter().enumerate() {
        if is_text(content) {
            let begin = of_texts.len() / size_of::<u32>();
            of_texts.extend(lines(content).iter().flat_map(|line| numbers[line].to_le_bytes()));
            let end = of_texts.len() / size_of::<u32>();
            writeln!(table, "    File::of_lines({path:?}, {begin}, {end}),")?;
        } else {
            let name = format!("{at}.deflate");
            deflate(&name, content)?;
            let packed = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
            writeln!(table, "    File::whole({path:?}, {packed}),")?;
        }
    }
    table.push_str("];\n");
    fs::write(out.join("embedded.rs"), table)?;
    let all_lines = numbers.into_keys().collect::<Vec<_>>().concat();
    deflate("lines.deflate", &all_lines)?;
    deflate("texts.deflate", &of_texts)?;
    Ok(())
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
