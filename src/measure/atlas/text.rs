//! The table for the terminal, in 80 columns but for names.

use std::fmt::Write;
use std::path::Path;

use super::document::{Atlas, Row};
use crate::document::text::short;
use crate::foundation::printable::on_one_line;
use crate::foundation::text::grouped;

/// The table of a document, by backend.
pub fn render(document: &Atlas, written: &[impl AsRef<Path>]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, document, written);
    text
}

fn write(text: &mut String, document: &Atlas, written: &[impl AsRef<Path>]) -> std::fmt::Result {
    for rows in document.by_backend() {
        let (name, version) = (on_one_line(&rows[0].backend), on_one_line(&rows[0].version));
        writeln!(text, "{name} {version}\n")?;
        writeln!(
            text,
            "{:<11} {:<9} {:>13} {:>10} {:>13} {:>7} {:>5} {:>5}",
            "operator", "type", "inputs", "ULP", "not rounded", "special", "order", "place"
        )?;
        for row in rows {
            line(text, row)?;
        }
    }
    writeln!(
        text,
        "\nULP: largest error; not rounded: results other than the correctly rounded one;\n\
         special: wrong where every implementation has to be exact; order: neighbours\n\
         that rise where the function falls; place: results that differ\n\
         alone and among others; *: hard inputs"
    )?;
    for (at, path) in written.iter().enumerate() {
        let head = if at == 0 { "\natlas    " } else { "         " };
        writeln!(text, "{head}{}", path.as_ref().display())?;
    }
    Ok(())
}

fn line(text: &mut String, row: &Row) -> std::fmt::Result {
    let star = if row.is_hard() { "*" } else { "" };
    let (operator, dtype) = (&row.operator, on_one_line(&row.applied_to()) + star);
    // Long names of types, and attributes, have a line of their own.
    let (operator, dtype) = if dtype.len() > 9 {
        writeln!(text, "{operator:<11} {dtype}")?;
        ("", "")
    } else {
        (operator.as_str(), dtype.as_str())
    };
    if let Some(failure) = &row.failure {
        let failure = on_one_line(failure);
        return writeln!(text, "{operator:<11} {dtype:<9} {failure}");
    }
    let or_dash = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), grouped);
    writeln!(
        text,
        "{operator:<11} {dtype:<9} {:>13} {:>10} {:>13} {:>7} {:>5} {:>5}",
        grouped(row.executed),
        row.max_error_ulp.as_deref().map_or("-", short),
        grouped(row.not_correctly_rounded),
        grouped(row.special_mismatches),
        or_dash(row.not_monotone),
        or_dash(row.position_dependent),
    )?;
    if let Some((operands, longest)) = row.clamped() {
        let count = grouped(operands);
        writeln!(text, "{:21} constant where the function is not: {count}", "")?;
        let [first, last] = [&longest.first, &longest.last].map(|at| decimal(at));
        writeln!(text, "{:21} (longest from {first} to {last})", "")?;
    }
    for (count, says) in [
        (row.size_dependent, "in small and in large tensors"),
        (row.repetition_dependent, "when computed again"),
    ] {
        if let Some(count) = count.filter(|count| *count > 0) {
            writeln!(text, "{:21} different results {says}: {}", "", grouped(count))?;
        }
    }
    Ok(())
}

/// The decimal of an element that is written as decimal and bits.
fn decimal(element: &str) -> &str {
    element.split_once(' ').map_or(element, |(decimal, _)| decimal)
}
