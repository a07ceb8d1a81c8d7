//! Mistakes in the arguments, and what is said that would help.

use std::path::Path;

use super::{in_folder, int32, run, stderr, stdout, three_cases, write_case};

/// What is said on one line of a command that has to exit so.
#[track_caller]
fn said(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = in_folder(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_type_that_is_none_names_the_one_that_is_meant_and_all_there_are() {
    let folder = three_cases();
    for (word, meant) in [
        ("f16", "float16"),
        ("fp32", "float32"),
        ("double", "float64"),
        ("bf16", "bfloat16"),
        ("u8", "uint8"),
        ("Int32", "int32"),
    ] {
        let told = said(folder.path(), &["list", "--corpus", "cases", "--type", word], 2);
        assert!(told.contains(&format!("no such element type: {meant}?")), "{word}: {told}");
        assert!(told.contains("those of ONNX are") && told.contains("complex64"), "{told}");
    }
    let told = said(folder.path(), &["list", "--corpus", "cases", "--type", "quaternion"], 2);
    assert!(told.contains("no such element type; those of ONNX are"), "{told}");
}

#[test]
fn where_no_case_is_as_the_options_ask_the_models_tell_what_there_is() {
    let folder = three_cases();
    let folder = folder.path();
    write_case(&folder.join("cases/whole"), "Div", &[int32(&[6]), int32(&[3])], &[int32(&[2])]);
    for command in ["list", "run", "audit"] {
        let of = |more: &[&str]| said(folder, &[&[command, "--corpus", "cases"], more].concat(), 3);
        let told = of(&["--op", "Dvi", "--type", "float16"]);
        let meant = "no case matches --op Dvi --type float16; no model has the operator `Dvi`: did you \
                     mean `Div`?";
        assert!(told.contains(meant), "{told}");
        let told = of(&["--op", "Convolution"]);
        assert!(told.contains("the operators are Div, Zeta"), "{told}");
        let told = of(&["--op", "Zeta", "--type", "int32"]);
        let there = "of the types float32, int32, and are of the operator set 14";
        assert!(told.contains(there), "{told}");
        let told = of(&["--filter", "no-such-case"]);
        assert!(told.contains("cases are named like `cases/fail` .. `cases/whole`"), "{told}");
    }
    let told = said(folder, &["run", "--corpus", "cases", "--shard", "1/2", "--op", "Dvi"], 3);
    assert!(told.contains("did you mean `Div`?"), "{told}");
    let told = said(folder, &["campaign", "--op", "Sqtr", "--type", "int8"], 2);
    assert!(told.contains("did you mean `Sqrt`? the operators are "), "{told}");
}

#[test]
fn an_id_that_is_none_is_told_with_those_that_contain_it() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
    let told = said(checkout, &["explain", "SQRT/float32/example_2"], 2);
    assert!(
        told.contains("there is no case `SQRT/float32/example_2`; the ids that contain"),
        "{told}"
    );
    assert!(told.contains("sonnx/sqrt/float32/example_2"), "{told}");
    // The last part is enough where the whole is contained in none.
    let told = said(checkout, &["explain", "sonnx/example_1"], 2);
    assert!(told.contains("the ids that contain `example_1` are"), "{told}");
    assert!(told.contains(" more"), "{told}");
    let folder = three_cases();
    let explain = |case| said(folder.path(), &["explain", case, "--corpus", "cases"], 2);
    assert!(explain("cases/supp").contains("are cases/unsupported"), "{}", explain("cases/supp"));
    assert!(explain("cases/psas").contains("did you mean `cases/pass`?"), "{}", explain("psas"));
    let told = explain("cases/quaternion");
    assert!(told.contains("`onnx-conformance list` shows the ids"), "{told}");
}

#[test]
fn the_ids_of_just_this_name_come_first() {
    let folder = three_cases();
    let folder = folder.path();
    for name in ["a_div", "deep/div", "z_div"] {
        write_case(
            &folder.join("cases").join(name),
            "Div",
            &[int32(&[6]), int32(&[3])],
            &[int32(&[2])],
        );
    }
    assert_eq!(run(folder, &["--filter", "div"]).status.code(), Some(0));
    let told = said(folder, &["explain", "div", "--corpus", "cases"], 2);
    assert!(told.contains("are cases/deep/div cases/a_div cases/z_div"), "{told}");
}
