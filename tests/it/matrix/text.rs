//! The text for a terminal.

use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::matrix::{Source, text};
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;

use super::synthetic::{everything, of_report, report};

#[test]
fn the_text_counts_by_document_and_explains_what_is_not_verified() {
    insta::assert_snapshot!(text::render(&everything(), 80));
}

#[test]
fn the_text_of_the_whole_matrix_fits_its_width() {
    let report = report(&[]);
    let source = Source { document: &report, page: None };
    let matrix = Matrix::of(&Catalogue::embedded().unwrap(), &[source], &[]).unwrap();
    for (given, kept) in [(0, 72), (80, 80), (120, 120)] {
        let text = text::render(&matrix, given);
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= kept, "{widest} of {kept} columns");
        assert!(text.ends_with("every case names a requirement\n"));
    }
}

#[test]
fn only_the_first_cases_without_a_requirement_are_shown() {
    let ids: Vec<_> = (0..12).map(|at| format!("onnx-1.22.0/c{at}\u{1b}")).collect();
    let cases: Vec<_> = ids.iter().map(|id| (&**id, Verdict::Pass, &[][..])).collect();
    let text = text::render(&of_report(&report(&cases)), 80);
    assert!(text.contains("12 cases name no requirement\n  onnx-1.22.0/c0\\u{1b}\n"), "{text}");
    assert!(text.ends_with("c9\\u{1b}\n  ... and 2 more\n"), "{text}");
}
