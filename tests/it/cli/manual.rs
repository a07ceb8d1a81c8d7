//! `completions` and `man`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{in_folder, stderr, stdout, tool};

/// The commands that the help lists.
fn commands() -> BTreeSet<String> {
    let help = tool().arg("-h").output().unwrap();
    let text = stdout(&help).split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

#[test]
fn each_shell_has_completions_that_know_every_command_and_option() {
    let commands = commands();
    assert!(commands.contains("run") && commands.contains("completions") && commands.len() > 15);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = tool().args(["completions", shell]).output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{shell}");
        let script = stdout(&output);
        for name in commands.iter().map(String::as_str).chain(["maxfail", "message-format"]) {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    assert_eq!(tool().args(["completions", "cmd"]).output().unwrap().status.code(), Some(2));
}

#[test]
fn bash_completes_options_and_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let script = tool().args(["completions", "bash"]).output().unwrap().stdout;
    fs::write(folder.path().join("script"), script).unwrap();
    let completed = |words: &str| {
        let ask = format!(
            "source ./script; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             [[ $(complete -p onnx-conformance) =~ -F\\ ([^ ]+) ]]; \
             ${{BASH_REMATCH[1]}} onnx-conformance \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &ask]).current_dir(folder.path());
        let output = bash.output().unwrap();
        stdout(&output).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(completed("onnx-conformance ru"), ["run"]);
    assert_eq!(completed("onnx-conformance run --maxf"), ["--maxfail"]);
    assert_eq!(completed("onnx-conformance run --message-format j"), ["json"]);
    assert_eq!(completed("onnx-conformance list --color n"), ["never"]);
    assert_eq!(completed("onnx-conformance fetch --kind s"), ["simple"]);
}

#[test]
fn there_is_a_manual_page_of_the_program_and_of_each_command() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = in_folder(folder.path(), &["man", "--out", "share/man1"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let pages = folder.path().join("share/man1");
    let names = |path: &Path| -> BTreeSet<String> {
        let entries = fs::read_dir(path).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let own = ["onnx-conformance.1".to_owned()];
    let of_commands = commands();
    let of_commands = of_commands.iter().map(|name| format!("onnx-conformance-{name}.1"));
    assert_eq!(names(&pages), own.into_iter().chain(of_commands).collect());
    let page = fs::read_to_string(pages.join("onnx-conformance-run.1")).unwrap();
    for part in [".SH NAME", ".SH OPTIONS", "maxfail", "conformance.toml"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains('\u{1b}'));
}
