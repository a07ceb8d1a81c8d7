//! Records what the tool is built from: commit, state of the checkout, compiler and target.

use std::process::Command;

fn main() {
    let commit = git(&["rev-parse", "HEAD"]);
    let changes = git(&["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"]);
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let toolchain = output(Command::new(rustc).arg("--version"));

    set("BUILD_COMMIT", commit.as_deref().unwrap_or("unknown"));
    set("BUILD_DIRTY", changes.map_or("unknown", |c| if c.is_empty() { "false" } else { "true" }));
    set("BUILD_TOOLCHAIN", toolchain.as_deref().unwrap_or("unknown"));
    set("BUILD_TARGET", &std::env::var("TARGET").unwrap_or_default());

    for path in ["src", "Cargo.toml", "Cargo.lock", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    // Committing moves the index; outside a checkout there is none to watch.
    for file in ["HEAD", "index"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
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
