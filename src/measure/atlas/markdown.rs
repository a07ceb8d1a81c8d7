//! Tables of atlases in Markdown, by operator, so that runtimes stand next to each other.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::document::{Atlas, Limit, Row};
use crate::document::text::short;
use crate::foundation::printable::on_one_line;
use crate::foundation::text::grouped;

const HEAD: &str = "\
| operator | type | backend | inputs | largest error in ULP | at | not correctly rounded | special | flushed | order | sign | clamped | place | size | again | limits exceeded |
| --- | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
";

/// The largest errors alone, a line for each operator and type, or two, and a column for each backend; bold where they are beyond the limit of OpenCL's
/// full profile.
pub fn overview(documents: &[Atlas]) -> String {
    let rows = || documents.iter().flat_map(|document| &document.rows);
    let backends: BTreeSet<_> = rows().map(|row| (&row.backend, &row.version)).collect();
    let lines: BTreeSet<_> = rows().map(|row| (&row.operator, type_of(row))).collect();
    let names: Vec<_> = backends.iter().map(|(name, _)| cell(name)).collect();
    let mut text = format!("| operator | type | {} |\n", names.join(" | "));
    text += &format!("| --- | --- |{}\n", " ---: |".repeat(names.len()));
    for (operator, type_name) in &lines {
        let of = |(backend, version): &(&String, &String)| {
            let is_one = |row: &&Row| {
                row.operator == **operator
                    && type_of(row) == *type_name
                    && (&row.backend, &row.version) == (*backend, *version)
            };
            rows().find(is_one).map_or_else(String::new, largest)
        };
        let cells: Vec<_> = backends.iter().map(of).collect();
        text += &format!("| {operator} | {type_name} | {} |\n", cells.join(" | "));
    }
    text
}

/// The type of a row, and whether it is of the hard inputs.
fn type_of(row: &Row) -> String {
    format!("{}{}", row.applied_to(), if row.is_hard() { ", hard" } else { "" })
}

/// The largest error of a row; where it has none, a dash or how many results are wrong; and nothing where no result was decided.
fn largest(row: &Row) -> String {
    let error = match (row.max_error_ulp.as_deref(), row.not_correctly_rounded) {
        _ if row.executed <= row.reference_undecided => return String::new(),
        (Some(error), _) => short(error).to_owned(),
        (None, 0) => "-".to_owned(),
        (None, wrong) => format!("{} wrong", grouped(wrong)),
    };
    let is_beyond = |limit: &Limit| limit.profile == "opencl-full" && limit.holds == Some(false);
    if row.limits.iter().any(is_beyond) { format!("**{error}**") } else { error }
}

/// All rows, and a line for each version of a backend.
pub fn table(documents: &[Atlas]) -> String {
    let mut rows: Vec<&Row> = documents.iter().flat_map(|document| &document.rows).collect();
    rows.sort_by_key(|row| {
        (&row.operator, &row.type_name, &row.attributes, row.is_hard(), &row.backend, &row.version)
    });
    let mut text = HEAD.to_owned();
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(row));
    }
    text
}

fn line(row: &Row) -> String {
    let head = format!("| {} | {} | {} |", row.operator, type_of(row), cell(&row.backend));
    if let Some(failure) = &row.failure {
        return format!(
            "{head} {} | {} | | | | | | | | | | | |",
            grouped(row.executed),
            cell(failure)
        );
    }
    let or_dash = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), grouped);
    let counts = [
        Some(row.not_correctly_rounded),
        Some(row.special_mismatches),
        Some(row.flushed),
        row.not_monotone,
        row.not_symmetric,
        row.clamps.as_ref().map(|clamps| clamps.operands),
        row.position_dependent,
        row.size_dependent,
        row.repetition_dependent,
    ];
    let exceeded = row.limits.iter().filter(|limit| limit.holds == Some(false));
    // That results are not all correctly rounded has a column of its own.
    let exceeded = exceeded.filter(|limit| limit.profile != "exact");
    let exceeded: Vec<_> =
        exceeded.map(|limit| format!("{} ({})", limit.profile, limit.limit)).collect();
    format!(
        "{head} {} | {} | {} | {} | {} |",
        grouped(row.executed),
        row.max_error_ulp.as_deref().map_or("-", short),
        cell(&row.at.join(", ")),
        counts.map(or_dash).join(" | "),
        cell(&exceeded.join(", ")),
    )
}

/// Text of a backend in a cell.
fn cell(text: &str) -> String {
    on_one_line(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_backend_says_stays_in_its_cell() {
        assert_eq!(cell("a|b\\c\n<d>"), "a\\|b\\\\c\\\\n&lt;d>");
    }
}
