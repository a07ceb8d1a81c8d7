//! Operands in words: which sorts a region is made of, and its example in decimal and bits.

use std::collections::BTreeSet;

use super::documents::Reading;
use super::rows::{Cell, Region};
use super::value_class::ValueClass;
use crate::dtype::{DType, Kind, integer};
use crate::float::Class;

/// Which operands a region holds, such as `where A is zero and B is not zero`, out of those in the cells. Where it holds
/// only some of those, `in each, A ..`. `None` where its operands are of all sorts.
pub(super) fn describe(
    region: &Region,
    reading: Reading<'_>,
    dtype: DType,
    cells: &[Vec<Cell>],
) -> Option<String> {
    let size = |at: usize, sort: &ValueClass| {
        let cell = cells.get(at)?.iter().find(|(of, _)| of == sort)?;
        Some(cell.1.len() as u64)
    };
    let room_of = |sorts: &Vec<ValueClass>| -> u64 {
        sorts.iter().enumerate().map(|(at, sort)| size(at, sort).unwrap_or(0)).product()
    };
    let room: u64 = region.sorts.iter().map(room_of).sum();
    // Products of sets of sorts: those that differ in one operand alone make up one, the last operand first.
    let single = |sorts: &Vec<ValueClass>| -> Vec<BTreeSet<ValueClass>> {
        sorts.iter().map(|sort| BTreeSet::from([*sort])).collect()
    };
    let mut products: Vec<Vec<BTreeSet<ValueClass>>> = region.sorts.iter().map(single).collect();
    for operand in (0..cells.len()).rev() {
        let mut joined: Vec<Vec<BTreeSet<ValueClass>>> = Vec::new();
        for product in products {
            let is_alike = |other: &&mut Vec<BTreeSet<ValueClass>>| {
                let both = product.iter().zip(other.iter()).enumerate();
                both.into_iter().all(|(at, (a, b))| at == operand || a == b)
            };
            match joined.iter_mut().find(is_alike).and_then(|known| known.get_mut(operand)) {
                Some(known) => known.extend(product.get(operand).into_iter().flatten().copied()),
                None => joined.push(product),
            }
        }
        products = joined;
    }
    let mut parts = Vec::new();
    for product in &products {
        let operands = reading.operands().iter().zip(product).zip(cells);
        let named: Vec<_> = operands
            .filter_map(|((operand, sorts), cells)| {
                let all = cells.iter().map(|(sort, _)| *sort).collect();
                if reading.type_of(operand, dtype) == DType::Bool {
                    return truth(operand, sorts, &all);
                }
                name(operand, sorts, &all)
            })
            .collect();
        if named.is_empty() {
            return None;
        }
        parts.push(named.join(" and "));
    }
    let which = if room == region.count { "where" } else { "in each," };
    Some(format!("{which} {}", parts.join(", or ")))
}

/// Operands as `A = 0 (0x0000), B = 1 (0x3c00)`.
pub(super) fn example(bits: &[u64], reading: Reading<'_>, dtype: DType) -> String {
    let shown: Vec<_> = reading
        .operands()
        .iter()
        .zip(bits)
        .map(|(name, bits)| format!("{name} = {}", element(reading.type_of(name, dtype), *bits)))
        .collect();
    shown.join(", ")
}

/// `A is true` or `A is false`; `None` where it is either.
fn truth(
    operand: &str,
    sorts: &BTreeSet<ValueClass>,
    all: &BTreeSet<ValueClass>,
) -> Option<String> {
    let is_true = sorts.iter().any(|sort| sort.class != Class::Zero);
    (sorts != all).then(|| format!("{operand} is {is_true}"))
}

/// An element as decimal and bits, such as `-128 (0x80)`.
fn element(dtype: DType, bits: u64) -> String {
    match dtype.kind() {
        Kind::Float(format) => format.with_bits(bits),
        Kind::Int { signed, bits: width } => {
            let value = integer(u128::from(bits), signed, width);
            format!("{value} ({bits:#0width$x})", width = 2 + width.div_ceil(4) as usize)
        }
        Kind::Bool => (bits != 0).to_string(),
        Kind::Complex(_) | Kind::String => format!("{bits:#x}"),
    }
}

/// `A is ..` for the sorts of an operand; `None` where they are all that there are.
fn name(operand: &str, sorts: &BTreeSet<ValueClass>, all: &BTreeSet<ValueClass>) -> Option<String> {
    let rest: BTreeSet<ValueClass> = all.difference(sorts).copied().collect();
    if rest.is_empty() {
        return None;
    }
    let (named, others) = (names(sorts, all), names(&rest, all));
    let has_numbers = rest.iter().any(|sort| sort.class == Class::Normal);
    Some(if others.len() < named.len() && !has_numbers {
        format!("{operand} is not {}", list(&others))
    } else {
        format!("{operand} is {}", list(&named))
    })
}

/// The sorts by name, the sign left out where a class has one sign or both are meant, and the
/// numbers other than zero taken together where they can be.
fn names(sorts: &BTreeSet<ValueClass>, all: &BTreeSet<ValueClass>) -> Vec<String> {
    let of = |class| [false, true].map(|negative| sorts.contains(&ValueClass { class, negative }));
    let both = |class| [false, true].map(|negative| all.contains(&ValueClass { class, negative }));
    let together =
        of(Class::Subnormal) == of(Class::Normal) || both(Class::Subnormal) == [false, false];
    let with_zero =
        together && [Class::Zero, Class::Normal].iter().all(|&class| of(class) == both(class));
    let number = if with_zero { "number" } else { "number other than zero" };
    let mut names = Vec::new();
    for (class, article, noun) in [
        (Class::Nan, "", "NaN"),
        (Class::Infinite, "", "infinity"),
        (Class::Zero, "", "zero"),
        (Class::Subnormal, "a ", "subnormal number"),
        (Class::Normal, "a ", if together { number } else { "normal number" }),
    ] {
        if class == Class::Subnormal && together || class == Class::Zero && with_zero {
            continue;
        }
        let sign = match of(class) {
            [false, false] => continue,
            signs if signs == both(class) => "",
            [true, _] => "positive ",
            [false, true] => "negative ",
        };
        names.push(format!("{article}{sign}{noun}"));
    }
    names
}

/// Names joined by commas and `or`.
fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
