//! The page that says which boundaries of results there are.

use std::collections::BTreeMap;
use std::fmt::Write;

use reference::boundaries::{Solution, Solved, known};
use reference::operator::Operator;
use reference::operators::OPERATORS;

use super::GenerateError;
use crate::dtype::{DType, Kind};

const HEAD: &str = "\
# Boundaries of results

Written by `cargo xtask generate`. For each operator that computes elements, and each element type of its newest version, the numbers at
which results change in kind, and whether there are operands whose exact result, before anything is rounded or wrapped, lies just below
(`<`), on (`=`) and just above (`>`) each; MatMul's are sums of one term. They are found by exact search; *just* means that no other
operands that the search looks at come closer: all of them for functions of one operand and for 8-bit integers, else the neighbours of
the exact solution for a family of second operands. The suites' cases named `boundaries` hold these operands.

Powers of two are those of every exponent of a normal number; of float64 those whose exponent field has one bit set, one bit clear, or
its low 7 bits clear. Midpoints of two numbers are searched in the lowest binade of normal numbers, in that of 1 and in the highest one.

A number in a field's place stands for the proof, below the table, that no operands have such a result. `2 x` counts boundaries of one
name that have the same field, such as those of both signs or all powers of two. A dash says that the type has no such boundary.
";

const MOVED: &str = "\nEvery result is an operand, moved as it is: nothing is computed, so that no boundary applies.\n";

const TRUTH: &str = "\nResults are truth values, so that no boundary applies.\n";

/// The page `docs/boundaries.md`.
pub fn boundaries_page() -> Result<String, GenerateError> {
    let mut page = HEAD.to_owned();
    for operator in OPERATORS {
        let _ = writeln!(page, "\n## {operator}-{}", operator.newest().since);
        page.push_str(&section(operator)?);
    }
    Ok(page)
}

/// An operator's tables and proofs, or why it has none.
fn section(operator: &Operator) -> Result<String, GenerateError> {
    if operator.reference.boundaries().is_none() {
        let is_truth = operator.types() == [DType::Bool];
        return Ok(if is_truth { TRUTH } else { MOVED }.to_owned());
    }
    let (mut text, mut proofs) = (String::new(), Vec::new());
    let is_float = |dtype: &DType| matches!(dtype.kind(), Kind::Float(_));
    let (floats, integers): (Vec<DType>, Vec<DType>) =
        operator.types().iter().partition(|t| is_float(t));
    for types in [floats, integers] {
        if types.is_empty() {
            continue;
        }
        // Rows in the order in which they come, and how often each field comes in one.
        let (mut rows, mut cells) = (Vec::new(), BTreeMap::<_, Vec<(String, usize)>>::new());
        for &dtype in &types {
            for Solved { boundary, sides } in &*known::of(operator, dtype)? {
                if !rows.contains(&boundary.name) {
                    rows.push(boundary.name);
                }
                let field = field(*sides, &mut proofs);
                let counts = cells.entry((boundary.name, dtype)).or_default();
                match counts.iter_mut().find(|(counted, _)| *counted == field) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((field, 1)),
                }
            }
        }
        let counted = |(field, count): &(String, usize)| match count {
            1 => field.clone(),
            _ => format!("{count} x {field}"),
        };
        let cell = |name, dtype| match cells.get(&(name, dtype)) {
            Some(counts) => counts.iter().map(counted).collect::<Vec<_>>().join(", "),
            None => "-".to_owned(),
        };
        let names: Vec<&str> = types.iter().map(|dtype| dtype.name()).collect();
        let _ =
            writeln!(text, "\n| | {} |\n|---|{}", names.join(" | "), "---|".repeat(types.len()));
        for name in rows {
            let fields: Vec<String> = types.iter().map(|&dtype| cell(name, dtype)).collect();
            let _ = writeln!(text, "| {name} | {} |", fields.join(" | "));
        }
    }
    for (at, proof) in proofs.iter().enumerate() {
        let _ = writeln!(text, "{}{}. {proof}.", if at == 0 { "\n" } else { "" }, at + 1);
    }
    Ok(text)
}

/// What is on the three sides of a boundary; the proofs are numbered as they come.
fn field(sides: [Solution; 3], proofs: &mut Vec<&'static str>) -> String {
    let signs = ["`<`", "`=`", "`>`"].into_iter().zip(sides).map(|(sign, solution)| {
        let Err(proof) = solution else { return sign.to_owned() };
        let at = proofs.iter().position(|known| *known == proof).unwrap_or(proofs.len());
        if at == proofs.len() {
            proofs.push(proof);
        }
        (at + 1).to_string()
    });
    signs.collect::<Vec<_>>().join(" ")
}
