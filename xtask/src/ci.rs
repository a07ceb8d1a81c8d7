//! `cargo xtask ci`: every check that a change must pass, in the order that fails soonest.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Instant;

use onnx_conformance::foundation::printable::printed;

use crate::tool::as_from_a_shell;
use crate::{Failure, codegen};

/// The line of the README before its test command.
const MARKER: &str = "<!-- the test command -->";

/// The backends that are set up and asked.
const BACKENDS: [&str; 5] = ["onnxruntime", "onnx-reference", "numpy", "openvino", "c-sample"];

/// What is published: the program, and the crates below it.
const PACKAGES: [&str; 5] = [
    "onnx-conformance",
    "onnx-conformance-kernels",
    "onnx-conformance-reference",
    "onnx-conformance-suites",
    "onnx-conformance-values",
];

/// The tests of units: of the harness, and of the crates below it.
const UNITS_TESTS: &str = "cargo test --locked --lib --bins --package onnx-conformance \
    --package onnx-conformance-values --package onnx-conformance-reference \
    --package onnx-conformance-kernels --package onnx-conformance-suites";

/// The program as its users have it, and what qualifies it: its bounds on memory, which one processor measures, and
/// the seeded defects.
const PROGRAM: &str = "cargo test --locked --test system --test memory --test qualification --no-run && \
    cargo test --locked --test system && cargo test --locked --package schemas && \
    { cargo test --locked --test memory > target/memory.txt 2>&1 & memory=$!; \
      cargo test --locked --test qualification; \
      wait $memory || { cat target/memory.txt; exit 1; }; tail -3 target/memory.txt; }";

/// The lints of a runtime with its test, which is a crate of its own.
const EXAMPLE: &str = "cargo clippy --manifest-path examples/runtime/Cargo.toml --target-dir target --locked \
    --all-targets -- -D warnings";

/// What comes from elsewhere and is not built here. With this Python the tests ask ONNX's own checker and
/// NumPy itself, instead of being skipped, and tools that are not this project's read its evidence packs.
const TOOLS: &str = "python3 -m venv target/python && \
    for of in testdata/numpy deploy/kubernetes testdata/consumers .ci/release; do \
      target/python/bin/pip install --quiet --disable-pip-version-check \
      --requirement $of/requirements.txt || exit 1; \
    done && \
    npm ci --prefix tests/browser && npm ci --prefix .ci/release && \
    { rustup target add x86_64-pc-windows-gnu aarch64-apple-darwin || true; } && \
    { [ -n \"$CHROMIUM\" ] || command -v chromium-headless-shell || command -v chromium || \
      { apt-get update --quiet && \
        apt-get install --quiet --yes --no-install-recommends chromium-headless-shell; }; }";

/// What runs elsewhere only, as far as it can be told here: the manifests and the image of Kubernetes, the action
/// and the workflow of a release.
const ELSEWHERE: [&str; 5] = [
    "target/python/bin/kubernetes-validate --strict --quiet deploy/kubernetes/*.yaml",
    "target/python/bin/hadolint deploy/kubernetes/Dockerfile",
    "target/python/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml",
    "target/python/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml",
    "npm run --silent lint --prefix .ci/release",
];

/// The program and the tasks for other systems: their code is checked, not built. What is C in them a compiler would
/// need those systems for, so there is none that does anything. Paths are larger on Windows, and with them errors.
/// Where a system's standard library cannot be had, that is told, and nothing of it is checked.
const OTHER_SYSTEMS: [[&str; 3]; 2] = [
    [
        "x86_64-pc-windows-gnu",
        "CC_x86_64_pc_windows_gnu=true AR_x86_64_pc_windows_gnu=true",
        "-A clippy::result_large_err",
    ],
    [
        "aarch64-apple-darwin",
        "CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true SDKROOT=/",
        "",
    ],
];

/// The wheel of what is built already, in an environment that has nothing else: first alone, as the program needs
/// no package, then with those of the modules that read values.
const WHEEL: &str = "rm -rf target/wheel && \
    target/python/bin/maturin build --quiet --profile dev --locked --out target/wheel && \
    python3 -m venv target/wheel/environment && \
    pip='target/wheel/environment/bin/pip --disable-pip-version-check install --quiet' && \
    $pip --no-index target/wheel/*.whl && target/wheel/environment/bin/onnx-conformance --version && \
    $pip --constraint testdata/numpy/requirements.txt \"$(echo target/wheel/*.whl)[onnx]\"";

const WITH_WHEEL: &str = "ONNX_CONFORMANCE_INSTALLED=target/wheel/environment";

/// Sees to it that the Python of the tests has NumPy and ONNX.
const PYTHON: &str = "python3 -m venv target/python && target/python/bin/pip install --quiet \
    --disable-pip-version-check --requirement testdata/numpy/requirements.txt";

/// The cases beside those of nodes, which no test but the gate's looks at.
const GRAPHS: &str = "cargo xtask fetch --release 1.22.0 --kind simple --kind pytorch-operator \
    --kind pytorch-converted";

const WITH_PYTHON: &str = "ONNX_CONFORMANCE_PYTHON=$PWD/target/python/bin/python";

/// Sees to it that there is mdBook: that of Linux on x86-64 is on PyPI; elsewhere it is built, without its
/// server and unoptimised, which halves the time that takes.
const MDBOOK: &str = "mdbook --version 2>/dev/null | grep --quiet '^mdbook v0\\.5\\.' || \
    target/python/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
    --only-binary :all: --requirement .ci/requirements.txt || \
    cargo install --quiet --locked --debug mdbook --version 0.5.4 \
    --no-default-features --features search";

/// What takes longer than a change can wait for, in release: the reference against NumPy, ONNX's evaluator, LLVM's
/// `APFloat` and the machine. `docs/independent-checks.md` has the figures of it.
const LONG: &str = "cargo test --locked --release --test it -- --ignored --nocapture independent oracle_validation";

/// Which checks are run.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Args {
    /// Also run the checks of the reference that take too long for every change
    #[arg(long)]
    full: bool,
    /// Run these alone
    #[arg(long, conflicts_with = "full")]
    full_only: bool,
}

/// A check did not pass.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("`{0}` failed")]
    Failed(String),
    #[error("failed to start `{command}`")]
    Start { command: String, source: std::io::Error },
    #[error("failed to read README.md")]
    Readme(#[source] std::io::Error),
    #[error("README.md has no fenced command after `{MARKER}`")]
    NoCommand,
}

/// Runs the checks below `root`.
pub(crate) fn run(root: &Path, args: Args) -> Result<(), Failure> {
    if !args.full_only {
        every_change(root)?;
    }
    if args.full || args.full_only {
        sh(root, PYTHON)?;
        sh(root, &format!("export {WITH_PYTHON}; {LONG}"))?;
    }
    Ok(())
}

/// The checks that a change must pass.
fn every_change(root: &Path) -> Result<(), Failure> {
    let step = |line: &str| sh(root, line);
    // They are fetched while the lints run.
    let tools = Aside::start(root, TOOLS)?;
    step("cargo fmt --all --check")?;
    step("cargo clippy --workspace --all-targets --locked -- -D warnings")?;
    // Those that `cargo test` leaves to the gate are none of all targets.
    step(
        "cargo clippy --workspace --locked --test system --test qualification --test memory \
         -- -D warnings",
    )?;
    // What a test of a runtime is built from, and such a test: the test `system` runs it.
    step("cargo clippy --locked --lib --no-default-features --features harness -- -D warnings")?;
    step("cargo fmt --manifest-path examples/runtime/Cargo.toml --check")?;
    step(EXAMPLE)?;
    step("RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked")?;
    for line in packages_compile() {
        step(&line)?;
    }
    step("command -v cargo-deny || cargo install --quiet --locked --debug cargo-deny")?;
    step("cargo deny check bans licenses sources")?;
    // The fuzz targets are checked, not run: without libFuzzer, which is C++ and only linked.
    step("cargo fmt --manifest-path fuzz/Cargo.toml --check")?;
    step(
        "CUSTOM_LIBFUZZER_PATH=none/libfuzzer.a cargo clippy --manifest-path fuzz/Cargo.toml \
         --target-dir target --locked -- -D warnings",
    )?;
    step("cargo deny --manifest-path fuzz/Cargo.toml check bans licenses sources")?;
    // Neither are the adapters in Rust built, which takes minutes; but their lock has to fit.
    step("cargo fmt --manifest-path adapters/rust/Cargo.toml --all --check")?;
    step(
        "cargo metadata --manifest-path adapters/rust/Cargo.toml --locked --format-version 1 \
         > target/adapters.json",
    )?;
    tools.wait()?;
    for line in ELSEWHERE {
        step(line)?;
    }
    for system in OTHER_SYSTEMS {
        step(&lints_for(system))?;
    }
    // The book is built; that its links lead somewhere is for the test `documents`.
    step(MDBOOK)?;
    step("PATH=$PATH:$PWD/target/python/bin mdbook build docs")?;
    // These runtimes are asked for real; those in Rust take minutes to build, and are not.
    step(&format!("cargo xtask adapters setup {}", BACKENDS.join(" ")))?;
    step(GRAPHS)?;
    let backends = format!("ONNX_CONFORMANCE_BACKENDS={}", BACKENDS.join(","));
    step(&format!("export {WITH_PYTHON} {backends}; {}", test_command(root)?))?;
    step(UNITS_TESTS)?;
    step(WHEEL)?;
    step(&format!("export {WITH_PYTHON} {WITH_WHEEL}; {PROGRAM}"))?;
    step("npm test --prefix tests/browser")?;
    // That the seeded defects are found as committed was for the test `qualification`.
    step("cargo xtask bless --check")?;
    println!("+ cargo xtask codegen --check");
    codegen::run(root, true)?;
    step("cargo xtask generate --check")?;
    Ok(())
}

/// The lints for another system: its target, where its C compiler is set, and what is allowed there.
fn lints_for([target, compiler, allowed]: [&str; 3]) -> String {
    format!(
        "if [ -d \"$(rustc --print target-libdir --target {target})\" ]; then export {compiler}; \
         cargo clippy --locked --target {target} --package onnx-conformance --package xtask --lib --bins \
         -- -D warnings {allowed}; \
         else echo 'NOT CHECKED: there is no standard library of {target} here'; fi"
    )
}

/// What is published has to compile by itself, whatever lies beside it in the checkout: the packages are
/// unpacked, and checked against each other with the dependencies that are compiled already. Their files get
/// the time of unpacking, so that Cargo does not take an earlier package's results for theirs.
fn packages_compile() -> [String; 3] {
    let at = |name: &str| format!("$(echo target/packed/{name}-[0-9]*)");
    let packages = PACKAGES.map(|name| format!(" --package {name}")).concat();
    let patches = PACKAGES
        .map(|name| format!(" --config \"patch.crates-io.{name}.path='{path}'\"", path = at(name)));
    [
        format!(
            "rm -rf target/package target/packed && \
             cargo package --quiet --locked --allow-dirty --no-verify{packages}"
        ),
        "mkdir target/packed && for package in target/package/*.crate; do \
         tar --extract --touch --gzip --file $package --directory target/packed; done"
            .to_owned(),
        format!(
            "cargo check --quiet --offline --target-dir target --manifest-path {}/Cargo.toml{}",
            at(PACKAGES[0]),
            patches[1..].concat()
        ),
    ]
}

/// The command that the README tells a new user to test with.
fn test_command(root: &Path) -> Result<String, Error> {
    let readme = std::fs::read_to_string(root.join("README.md")).map_err(Error::Readme)?;
    let (_, after) = readme.split_once(MARKER).ok_or(Error::NoCommand)?;
    let fenced = after.trim_start().strip_prefix("```sh\n").ok_or(Error::NoCommand)?;
    let (command, _) = fenced.split_once("```").ok_or(Error::NoCommand)?;
    Ok(command.trim().to_owned())
}

fn sh(root: &Path, line: &str) -> Result<(), Error> {
    println!("+ {line}");
    let start = Instant::now();
    let status = shell(root, line)
        .status()
        .map_err(|source| Error::Start { command: line.to_owned(), source })?;
    println!("  after {} s", start.elapsed().as_secs());
    if status.success() { Ok(()) } else { Err(Error::Failed(line.to_owned())) }
}

/// A shell that is about to run a line, and ends where a command of it fails.
fn shell(root: &Path, line: &str) -> Command {
    let mut command = Command::new("sh");
    as_from_a_shell(&mut command);
    command.args(["-e", "-c", line]).current_dir(root);
    command
}

/// A line that runs while others do. What it prints is told if it fails.
struct Aside {
    line: &'static str,
    /// The file of what it prints.
    told: PathBuf,
    process: Child,
}

impl Aside {
    fn start(root: &Path, line: &'static str) -> Result<Self, Error> {
        let told = root.join("target/aside.txt");
        let started = std::fs::create_dir_all(root.join("target"))
            .and_then(|()| std::fs::File::create(&told))
            .and_then(|file| Ok((file.try_clone()?, file)))
            .and_then(|(out, err)| shell(root, line).stdout(out).stderr(err).spawn());
        let process =
            started.map_err(|source| Error::Start { command: line.to_owned(), source })?;
        println!("+ {line} &");
        Ok(Self { line, told, process })
    }

    fn wait(mut self) -> Result<(), Error> {
        let status = self
            .process
            .wait()
            .map_err(|source| Error::Start { command: self.line.to_owned(), source })?;
        if status.success() {
            return Ok(());
        }
        let told = std::fs::read(&self.told).unwrap_or_default();
        eprint!("{}", printed(&String::from_utf8_lossy(&told), false));
        Err(Error::Failed(self.line.to_owned()))
    }
}
