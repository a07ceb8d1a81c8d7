//! What `docs/qualification.md` says is verified is verified by tests that exist.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::path::Path;

use regex::Regex;

fn page() -> String {
    std::fs::read_to_string(root().join("docs/qualification.md")).unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Each operational requirement's id, and what stands below it.
fn requirements(page: &str) -> Vec<(String, &str)> {
    let section = page.split("\n## ").find(|section| section.starts_with("Operational")).unwrap();
    let parts = section.split("\n- **TOR-").skip(1);
    parts.map(|part| (part[..2].to_owned(), part)).collect()
}

#[test]
fn every_operational_requirement_is_verified_by_tests_that_exist() {
    let page = page();
    let requirements = requirements(&page);
    assert!(!requirements.is_empty());
    let reference = Regex::new("`([a-z_/0-9]+\\.rs)::([a-z_0-9]+)`").unwrap();
    for (place, (id, text)) in requirements.iter().enumerate() {
        assert_eq!(*id, format!("{:02}", place + 1));
        let tests: Vec<_> = reference.captures_iter(text).collect();
        assert!(!tests.is_empty(), "nothing verifies TOR-{id}");
        for test in tests {
            let source = std::fs::read_to_string(root().join(&test[1]));
            let source = source.unwrap_or_else(|error| panic!("{}: {error}", &test[1]));
            let declared = format!("fn {}(", &test[2]);
            let Some((before, _)) = source.split_once(&declared) else {
                panic!("TOR-{id}: {} has no {declared}", &test[1]);
            };
            let attributes = before.rsplit("\n\n").next().unwrap();
            assert!(attributes.contains("#[test]"), "TOR-{id}: {} is no test", &test[2]);
            assert!(!attributes.contains("#[ignore"), "TOR-{id}: {} is not run", &test[2]);
        }
    }
}

#[test]
fn every_tool_error_is_numbered_and_answered() {
    let page = page();
    let section = page.split("\n## ").find(|section| section.starts_with("Tool errors")).unwrap();
    let errors: Vec<_> = section.lines().filter(|line| line.starts_with("| E")).collect();
    assert!(errors.len() >= 10);
    for (place, line) in errors.iter().enumerate() {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[number, what, answer] = cells.as_slice() else { panic!("{line}") };
        assert_eq!(number, format!("E{}", place + 1));
        assert!(!what.is_empty() && !answer.is_empty(), "{line}");
    }
}
