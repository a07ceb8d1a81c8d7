//! The requirement matrix: of a run, or of reports and campaigns that exist.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::matrix::document::Matrix;
use onnx_conformance::documents::matrix::{self, MatrixError, Source, href, text};
use onnx_conformance::documents::report::Written;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::measure::campaign::{self, Campaign};

use super::CommandError;
use super::testing::{Extent, test, verdict_of};
use crate::cli::MatrixArgs;
use crate::terminal;

/// Makes the matrix, prints it, and writes it where it is told where to.
pub(super) fn matrix(args: &MatrixArgs) -> Result<ExitCode, CommandError> {
    let catalogue = Arc::new(Catalogue::embedded()?);
    let _lock = args.out.as_deref().map(FolderLock::within).transpose()?;
    if !args.report.is_empty() {
        let matrix = of_files(args, &catalogue)?;
        show(&matrix, args.out.as_deref())?;
        // The page is there to look at first: it shows who names what is not known.
        let unknown: Vec<_> = matrix.unknown.iter().map(|unknown| unknown.id.as_str()).collect();
        return match unknown.as_slice() {
            [] => Ok(ExitCode::SUCCESS),
            ids => Err(CommandError::misuse(format!(
                "the documents name requirements that are in no catalogue: {}; they are not counted: run \
                 again, or use the program that made the documents",
                ids.join(", ")
            ))),
        };
    }
    let out = args.out.as_deref();
    let run = test(&args.test, &Suite::ALL, &catalogue, out, Extent::default(), &mut |_| ())?;
    let report = Report::of(run, &catalogue)?;
    let source = Source { document: &report, page: None };
    show(&Matrix::of(&catalogue, &[source], &[])?, args.out.as_deref())?;
    Ok(ExitCode::from(verdict_of(&report, false)))
}

/// The matrix of a report whose page lies beside its own.
pub(super) fn of_report(report: &Report, catalogue: &Catalogue) -> Result<Matrix, MatrixError> {
    let page = Written::within(Path::new("")).html;
    Matrix::of(catalogue, &[Source { document: report, page: page.to_str() }], &[])
}

/// The matrix of the documents that the arguments name, with links to the pages beside them.
fn of_files(args: &MatrixArgs, catalogue: &Catalogue) -> Result<Matrix, CommandError> {
    let mut reports = Vec::new();
    for path in &args.report {
        let page = page(args, &Written::within(folder(path)).html);
        reports.push((Report::read(path)?, page));
    }
    let mut campaigns = Vec::new();
    for path in &args.campaign {
        let document = Campaign::read(path)?;
        let folder = if path.is_dir() { path } else { folder(path) };
        campaigns.push((document, page(args, &folder.join(campaign::PAGE))));
    }
    Ok(Matrix::of(catalogue, &sources(&reports), &sources(&campaigns))?)
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The address of a page, where it is there and another is to link to it.
fn page(args: &MatrixArgs, page: &Path) -> Option<String> {
    page.is_file().then(|| href(args.out.as_ref()?, page)).flatten()
}

fn sources<T>(documents: &[(T, Option<String>)]) -> Vec<Source<'_, T>> {
    documents.iter().map(|(document, page)| Source { document, page: page.as_deref() }).collect()
}

fn show(matrix: &Matrix, out: Option<&Path>) -> Result<(), CommandError> {
    let mut page = text::render(matrix, terminal::style().width);
    if let Some(out) = out {
        for (at, path) in matrix::write(matrix, out)?.iter().enumerate() {
            let head = if at == 0 { "\nmatrix   " } else { "         " };
            // Writing to a string cannot fail.
            let _ = writeln!(page, "{head}{}", path.display());
        }
    }
    terminal::print(&page)?;
    Ok(())
}
