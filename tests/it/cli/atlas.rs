//! `atlas`: operators with attributes, and what is told of those that there are not.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::measure::atlas::Atlas;

use super::{in_folder, stderr, stdout};

#[test]
fn conversions_and_operators_with_attributes_are_charted_and_told_within_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, types, rows) in [
        ("--op Cast --type int8,float8e5m2 --attribute to=float4e2m1", "float4e2m1", 2),
        ("--op Mod --type int8,uint8 --attribute fmod=1", "int8 uint8", 2),
        ("--type float16 --attribute approximate=tanh", "float16", 1),
    ] {
        let arguments = ["atlas", "--out", "."].into_iter().chain(arguments.split(' '));
        let output = in_folder(folder.path(), &arguments.clone().collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let table = stdout(&output);
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        let atlas = Atlas::read(folder.path()).unwrap();
        assert_eq!(atlas.rows.len(), rows, "{table}");
        for row in &atlas.rows {
            assert!(row.is_complete() && types.contains(&row.result_type), "{row:?}");
            let [(name, value)] = row.attributes.iter().collect::<Vec<_>>()[..] else { panic!() };
            assert!(table.contains(&format!(" {name} {value}\n")), "{table}");
        }
    }
}

#[test]
fn what_cannot_be_charted_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        ("--op Cats", "did you mean `Cast`?"),
        ("--op Cast --attribute to=int9", "`int9` is no value of the attribute `to` of Cast"),
        ("--op Neg --attribute to=int8", "Neg has no attribute `to`; it has: none"),
        ("--op Cast --attribute to=string", "none of these operators has any of these types, with"),
        ("--op Exp --type int8", "none of these operators has any of these types"),
    ] {
        let arguments = ["atlas", "--out", "out"].into_iter().chain(arguments.split(' '));
        let output = in_folder(folder.path(), &arguments.collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert!(!folder.path().join("out").exists());
    }
}
