//! Operands in words: which sorts a region is made of, and its example in decimal and bits.

use std::collections::{BTreeMap, BTreeSet};

use super::documents::Reading;
use super::reading::ValueClass;
use super::rows::{Region, cells};
use crate::dtype::{DType, Kind, integer};
use crate::float::Class;

/// Which operands a region holds, such as `where A is zero and B is not zero`. Where it holds only
/// some of those, `in each, A ..`. `None` where its operands are of all sorts.
pub(super) fn describe(region: &Region, reading: Reading<'_>, dtype: DType) -> Option<String> {
    let sizes: BTreeMap<ValueClass, u64> =
        cells(dtype).into_iter().map(|(sort, patterns)| (sort, patterns.len() as u64)).collect();
    let size = |sort: &ValueClass| sizes.get(sort).copied().unwrap_or(0);
    let all: BTreeSet<ValueClass> = sizes.keys().copied().collect();
    let mut room = 0;
    // Those first operands that meet the same second ones make up one product.
    let mut seconds: BTreeMap<ValueClass, BTreeSet<ValueClass>> = BTreeMap::new();
    for [a, b] in &region.sorts {
        room += size(a) * if reading.operation.operands.len() == 1 { 1 } else { size(b) };
        seconds.entry(*a).or_default().insert(*b);
    }
    let mut products: Vec<(BTreeSet<ValueClass>, BTreeSet<ValueClass>)> = Vec::new();
    for (a, bs) in seconds {
        match products.iter_mut().find(|(_, others)| *others == bs) {
            Some((firsts, _)) => {
                firsts.insert(a);
            }
            None => products.push((BTreeSet::from([a]), bs)),
        }
    }
    let mut parts = Vec::new();
    for (firsts, seconds) in &products {
        let both: Vec<_> = reading
            .operation
            .operands
            .iter()
            .zip([firsts, seconds])
            .filter_map(|(operand, sorts)| name(operand, sorts, &all))
            .collect();
        if both.is_empty() {
            return None;
        }
        parts.push(both.join(" and "));
    }
    let which = if room == region.count { "where" } else { "in each," };
    Some(format!("{which} {}", parts.join(", or ")))
}

/// An operand pair as `A = 0 (0x0000), B = 1 (0x3c00)`.
pub(super) fn example([a, b]: [u64; 2], reading: Reading<'_>, dtype: DType) -> String {
    let shown: Vec<_> = reading
        .operation
        .operands
        .iter()
        .zip([a, b])
        .map(|(name, bits)| format!("{name} = {}", element(dtype, bits)))
        .collect();
    shown.join(", ")
}

/// An element as decimal and bits, such as `-128 (0x80)`.
fn element(dtype: DType, bits: u64) -> String {
    match dtype.kind() {
        Kind::Float(format) => format.with_bits(bits),
        Kind::Int { signed, bits: width } => {
            let value = integer(u128::from(bits), signed, width);
            format!("{value} ({bits:#0width$x})", width = 2 + width.div_ceil(4) as usize)
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => format!("{bits:#x}"),
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
