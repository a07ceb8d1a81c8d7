//! Equations of Einsum: which index each dimension of operands and output has.

use std::collections::BTreeMap;

/// An equation for operands of these shapes. Indices are numbers in the order of `sizes`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Equation {
    /// The size of each index.
    pub(super) sizes: Vec<usize>,
    /// The indices of the dimensions of each operand.
    pub(super) terms: Vec<Vec<usize>>,
    /// The indices of the dimensions of the output.
    pub(super) output: Vec<usize>,
    /// Why nothing is decided, if nothing is.
    pub(super) open: Option<&'static str>,
}

/// A place of a term: a letter, or any number of dimensions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Ellipsis,
    Letter(char),
}

/// An index: one of the dimensions that an ellipsis stands for, or a letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Index {
    Ellipsis(usize),
    Letter(char),
}

impl Equation {
    /// The equation that this text is, or why it is none.
    pub(super) fn of(text: &str, shapes: &[&[usize]]) -> Result<Self, String> {
        let plain: String = text.chars().filter(|symbol| *symbol != ' ').collect();
        let (left, right) = match plain.split_once("->") {
            Some((left, right)) => (left, Some(symbols(right)?)),
            None => (&plain[..], None),
        };
        let terms = left.split(',').map(symbols).collect::<Result<Vec<_>, _>>()?;
        if terms.len() != shapes.len() {
            return Err(format!(
                "has {} terms in {text:?} for {} inputs",
                terms.len(),
                shapes.len()
            ));
        }
        let mut open = (plain
            .is_empty()
            .then_some("nothing says what an equation without a term is"))
        .or(has_split_tokens(text).then_some("nothing says whether a space may be within a token"));
        let rank = ellipsis_rank(&terms, shapes, text)?;
        let dimensions = |term: &[Symbol]| -> Vec<Index> {
            let of = |symbol: &Symbol| match symbol {
                Symbol::Ellipsis => (0..rank.unwrap_or(0)).map(Index::Ellipsis).collect(),
                Symbol::Letter(letter) => vec![Index::Letter(*letter)],
            };
            term.iter().flat_map(of).collect()
        };
        let mut sizes = BTreeMap::new();
        let terms: Vec<Vec<Index>> = terms.iter().map(|term| dimensions(term)).collect();
        for (&index, &size) in
            terms.iter().zip(shapes).flat_map(|(term, shape)| term.iter().zip(*shape))
        {
            let all = sizes.entry(index).or_insert(size);
            if let Index::Letter(_) = index
                && *all != size
                && [*all, size].contains(&1)
            {
                open = open.or(Some("nothing says whether a size of 1 of a letter is repeated"));
            }
            *all = match (*all, size) {
                (all, size) if all == size => size,
                (1, size) | (size, 1) => size,
                (all, size) => {
                    return Err(format!("has sizes {all} and {size} of one index in {text:?}"));
                }
            };
        }
        let output = match right {
            None => implicit(&terms),
            Some(output) => {
                let is_in = |terms: &[Vec<Index>]| {
                    terms.iter().flatten().any(|it| matches!(it, Index::Ellipsis(_)))
                };
                let has_ellipsis = output.contains(&Symbol::Ellipsis);
                open = open
                    .or((has_ellipsis && rank.is_none())
                        .then_some("nothing says what an ellipsis of the output alone is"))
                    .or((!has_ellipsis && is_in(&terms)).then_some(
                        "nothing says whether dimensions of an ellipsis are summed over",
                    ));
                let output = dimensions(&output);
                if let Some(Index::Letter(letter)) =
                    output.iter().find(|it| !sizes.contains_key(it))
                {
                    return Err(format!("has {letter:?} in the output of {text:?} alone"));
                }
                output
            }
        };
        let is_repeated = |(at, index): (usize, &Index)| output[..at].contains(index);
        if output.iter().enumerate().any(is_repeated) {
            open = open.or(Some("nothing says what an index is that the output repeats"));
        }
        let all: Vec<Index> = sizes.keys().copied().collect();
        let places = |term: &Vec<Index>| -> Vec<usize> {
            term.iter().filter_map(|index| all.binary_search(index).ok()).collect()
        };
        Ok(Self {
            terms: terms.iter().map(places).collect(),
            output: places(&output),
            sizes: sizes.into_values().collect(),
            open,
        })
    }
}

/// Whether a space separates what `->` or `...` consists of.
fn has_split_tokens(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| {
        let ends = |of: char| pair[0].ends_with(of);
        ends('-') && pair[1].starts_with('>') || ends('.') && pair[1].starts_with('.')
    })
}

/// The symbols of a term without spaces.
fn symbols(term: &str) -> Result<Vec<Symbol>, String> {
    let (mut rest, mut symbols) = (term, Vec::new());
    while let Some(first) = rest.chars().next() {
        let (symbol, length) = match first {
            _ if rest.starts_with("...") => (Symbol::Ellipsis, 3),
            letter if letter.is_ascii_alphabetic() => (Symbol::Letter(letter), 1),
            _ => return Err(format!("takes no {first:?} in a term")),
        };
        if symbol == Symbol::Ellipsis && symbols.contains(&symbol) {
            return Err(format!("takes no term {term:?} with several ellipses"));
        }
        symbols.push(symbol);
        rest = &rest[length..];
    }
    Ok(symbols)
}

/// The number of dimensions that an ellipsis stands for, the same in every term that has one.
fn ellipsis_rank(
    terms: &[Vec<Symbol>],
    shapes: &[&[usize]],
    text: &str,
) -> Result<Option<usize>, String> {
    let mut all = None;
    for (term, shape) in terms.iter().zip(shapes) {
        let has_ellipsis = term.contains(&Symbol::Ellipsis);
        let letters = term.len() - usize::from(has_ellipsis);
        let rest = shape.len().checked_sub(letters).filter(|rest| has_ellipsis || *rest == 0);
        let rest = rest.ok_or_else(|| format!("has no term for {shape:?} in {text:?}"))?;
        if has_ellipsis && *all.get_or_insert(rest) != rest {
            return Err(format!("has ellipses of several numbers of dimensions in {text:?}"));
        }
    }
    Ok(all)
}

/// The indices of the output where the equation does not say them: the ellipsis, and letters that are there once.
fn implicit(terms: &[Vec<Index>]) -> Vec<Index> {
    let mut counts = BTreeMap::new();
    for index in terms.iter().flatten() {
        *counts.entry(*index).or_insert(0) += 1;
    }
    let is_kept =
        |(index, count): &(Index, i32)| matches!(index, Index::Ellipsis(_)) || *count == 1;
    counts.into_iter().filter(is_kept).map(|(index, _)| index).collect()
}
