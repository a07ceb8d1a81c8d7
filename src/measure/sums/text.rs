//! The table for the terminal, in 80 columns but for names.

use std::fmt::Write;
use std::path::Path;

use super::document::{Accumulator, Products, Row, Sums};
use crate::foundation::printable::on_one_line;
use crate::foundation::text::grouped;

/// The table of a document, by backend.
pub fn render(document: &Sums, written: &Path) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, document, written);
    text
}

fn write(text: &mut String, document: &Sums, written: &Path) -> std::fmt::Result {
    let by_backend =
        |one: &Row, next: &Row| (&one.backend, &one.version) == (&next.backend, &next.version);
    for (at, rows) in document.rows.chunk_by(by_backend).enumerate() {
        if at > 0 {
            writeln!(text)?;
        }
        let (name, version) = (on_one_line(&rows[0].backend), on_one_line(&rows[0].version));
        writeln!(text, "{name} {version}\n")?;
        writeln!(
            text,
            "{:<17} {:<8} {:>5} {:>5} {:>8} {:<17} {:>5} {:<8}",
            "operator", "type", "sums", "wrong", "share", "at", "bits", "products"
        )?;
        for row in rows {
            line(text, row)?;
        }
    }
    writeln!(
        text,
        "\nsums: judged results; wrong: those impossible for every order of additions;\n\
         share: the largest share of the bound, with the order and length that show it;\n\
         bits: precision of additions; products: rounded, fused, or held exactly"
    )?;
    writeln!(text, "\nsums     {}", written.display())
}

fn line(text: &mut String, row: &Row) -> std::fmt::Result {
    let (operator, type_name) = (&row.operator, &row.type_name);
    if let Some(failure) = &row.failure {
        let failure = on_one_line(failure);
        return writeln!(text, "{operator:<17} {type_name:<8} {failure}");
    }
    let worst = row.max_share.as_ref();
    let at = worst.map(|it| format!("{} {}", it.order, grouped(it.length)));
    let share = worst.and_then(|it| it.share.as_deref());
    let told = row.accumulator.as_ref();
    let line = format!(
        "{operator:<17} {type_name:<8} {:>5} {:>5} {:>8} {:<17} {:>5} {}",
        grouped(row.executed - row.reference_undecided),
        grouped(row.not_conforming),
        share.map_or_else(|| "-".to_owned(), short),
        at.as_deref().unwrap_or("-"),
        told.map_or_else(String::new, bits),
        told.map_or("", products),
    );
    writeln!(text, "{}", line.trim_end())?;
    match told.and_then(|told| told.reason.as_deref()) {
        Some(reason) => writeln!(text, "  {}", on_one_line(reason)),
        None => Ok(()),
    }
}

/// A share as it is, or in powers of two where it is far beyond the bound.
fn short(share: &str) -> String {
    let whole = share.split_once('.').and_then(|(whole, _)| whole.parse::<u128>().ok());
    match whole {
        Some(whole) if whole >= 10 => format!(">=2^{}", whole.ilog2()),
        _ => share.to_owned(),
    }
}

/// The precisions of additions.
fn bits(told: &Accumulator) -> String {
    let known: Vec<_> = told.bits.iter().map(ToString::to_string).collect();
    match told.more_than {
        Some(bits) => format!(">{bits}"),
        None if known.is_empty() => "?".to_owned(),
        None => known.join(","),
    }
}

/// What happens to products.
const fn products(told: &Accumulator) -> &'static str {
    match told.products {
        Some(Products::Rounded) => "rounded",
        Some(Products::Fused) => "fused",
        Some(Products::Held) => "held",
        None => "-",
    }
}
