//! The largest errors of an atlas, explained.

use std::process::{Command, Output};

use onnx_conformance::documents::explain::atlas::explain;

use super::*;

/// The atlas of two operators on float16, of which Sigmoid is 3 less than right at 1.5.
fn document() -> Atlas {
    let folder = tempfile::tempdir().unwrap();
    let operators = ["Sigmoid", "Abs"].map(str::to_owned).to_vec();
    let choice = Choice { operators, ..three_rows() };
    let change = |x, result, _| if x == 0x3e00 && result != x { result - 3 } else { result };
    filled(&choice, folder.path(), change, usize::MAX).unwrap()
}

#[test]
fn the_largest_error_is_told_with_the_exact_result_its_neighbours_and_what_came_back() {
    let text = explain(&document(), &["Sigmoid".to_owned()], &[]).unwrap();
    for line in [
        "row               Sigmoid of float16 on builtin ",
        "executed          65,536 of 65,536 inputs, exhaustive\n",
        "not rounded       1 result\n",
        "limit             exact: exact, does not hold\n",
        "largest error     3.392528\n",
        "  X                 1.5 (0x3e00), normal\n",
        // 1 / (1 + e^-1.5).
        "  exact             0.8175744761936436596072171...\n",
        "  below             0.8174 (0x3a8a), normal\n",
        "  above             0.818 (0x3a8b), normal\n",
        "  conforms          0.8174 (0x3a8a), normal\n",
        "  actual            0.816 (0x3a87), normal, 3.392528 ULP from the exact value\n",
        "                    does not conform\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("Abs"), "{text}");
}

#[test]
fn rows_are_chosen_by_operator_and_type_and_those_without_a_result_say_why() {
    let mut document = document();
    let both = explain(&document, &[], &[DType::Float16]).unwrap();
    assert!(
        both.contains("row               Abs of")
            && both.contains("\n\nrow               Sigmoid of")
    );
    assert_eq!(explain(&document, &[], &[DType::Float32]).unwrap(), "");
    document.rows[0].executed = 0;
    document.rows[0].failure = Some("the backend does not support it: no Abs".to_owned());
    let text = explain(&document, &["Abs".to_owned()], &[]).unwrap();
    assert!(text.contains("executed          0 of 65,536 inputs, exhaustive\n"), "{text}");
    assert!(
        text.ends_with("because           the backend does not support it: no Abs\n"),
        "{text}"
    );
}

#[test]
fn the_command_takes_an_atlas_in_the_place_of_a_case() {
    let folder = tempfile::tempdir().unwrap();
    atlas::write(&document(), folder.path()).unwrap();
    let explain = |arguments: &[&str]| {
        let Output { status, stdout, stderr } =
            Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
                .arg("explain")
                .args(arguments)
                .env("NO_COLOR", "1")
                .current_dir(folder.path())
                .output()
                .unwrap();
        (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
    };
    for path in [".", "atlas.json"] {
        let (code, text) = explain(&["--atlas", path, "--type", "float16"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.contains("row               Abs of") && text.contains("ULP from the exact value")
        );
    }
    for (arguments, words) in [
        (&["--atlas", ".", "--op", "Sigmod"][..], "did you mean `Sigmoid`?"),
        (&["--atlas", ".", "--type", "int8"], "no row of these operators and types"),
        (&["--atlas", ".", "a/b"], "cannot be used with"),
        (&["--atlas", ".", "--backend", "builtin"], "cannot be used with"),
        (&["a/b", "--op", "Abs"], "cannot be used with"),
        (&["--op", "Abs"], "required arguments were not provided"),
        (&["--atlas", "none"], "failed to read the atlas `none`"),
    ] {
        let (code, text) = explain(arguments);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(words), "{words}: {text}");
    }
}
