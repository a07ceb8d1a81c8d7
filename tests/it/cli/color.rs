//! `--color`, over what the environment says.

use std::path::Path;
use std::process::Command;

use super::three_cases;

/// Whether what the tool prints, on either stream, has colours.
fn colored(folder: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied()).args(arguments).current_dir(folder);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert!(!text.is_empty(), "{arguments:?}");
    text.contains(&0x1b)
}

#[test]
fn colours_are_as_asked_for_and_else_as_the_environment_has_it() {
    let folder = three_cases();
    let folder = folder.path();
    let run = ["run", "--corpus", "cases", "--out", "out"];
    let with = |environment: &[(&str, &str)], more: &[&str]| {
        colored(folder, environment, &[&run, more].concat())
    };
    let (none, forced) = ([("NO_COLOR", "1")], [("CLICOLOR_FORCE", "1")]);
    // Nothing here is a terminal.
    assert!(!with(&[], &[]) && !with(&none, &[]) && with(&forced, &[]));
    assert!(with(&[], &["--color", "always"]) && with(&none, &["--color=always"]));
    assert!(!with(&forced, &["--color", "never"]));
    assert!(!with(&[], &["--color", "auto"]) && with(&forced, &["--color", "auto"]));
    assert!(with(&[], &["--color", "never", "--color", "always"]), "the last one counts");
}

#[test]
fn it_holds_for_every_command_and_for_what_is_wrong_with_the_arguments() {
    let folder = three_cases();
    let folder = folder.path();
    for arguments in [
        &["--color", "always", "run", "--corpus", "cases", "--out", "out"][..],
        &["--help", "--color=always"],
        &["list", "--color", "always", "--help"],
        &["list", "--no-such-option", "--color", "always"],
    ] {
        assert!(colored(folder, &[], arguments), "{arguments:?}");
        let never: Vec<_> = arguments.iter().map(|word| word.replace("always", "never")).collect();
        let never: Vec<_> = never.iter().map(String::as_str).collect();
        assert!(!colored(folder, &[("CLICOLOR_FORCE", "1")], &never), "{never:?}");
    }
}
