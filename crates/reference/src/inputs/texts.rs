//! Texts: those that implementations take for each other, and random ones.

use values::dtype::DType::Bool;
use values::element::Element;
use values::random::Random;

use super::{Chain, Elements, Parts, Space};
use crate::elementwise::Inputs;

/// Texts that implementations take for each other, or change. Of the accented letters one is written in two
/// characters, and the zero ends a text of C.
pub(crate) const TEXTS: [&str; 26] = [
    "",
    "a",
    "A",
    "ab",
    "b",
    " a",
    "a ",
    "a\0",
    "a\0b",
    "\u{e9}",
    "e\u{301}",
    "1.0",
    "1",
    "1.00",
    "NaN",
    "nan",
    "INF",
    "\0",
    "\n",
    "a\r\n",
    "\u{df}",
    "ss",
    "\u{feff}a",
    "\u{1f600}",
    "\"a\"",
    "\u{10ffff}",
];

/// How long random texts are, in bytes: those at which implementations begin to store texts elsewhere among them.
const LENGTHS: [(usize, &str); 15] = [
    (0, "0 bytes"),
    (1, "1 byte"),
    (2, "2 bytes"),
    (7, "7 bytes"),
    (8, "8 bytes"),
    (15, "15 bytes"),
    (16, "16 bytes"),
    (22, "22 bytes"),
    (23, "23 bytes"),
    (24, "24 bytes"),
    (31, "31 bytes"),
    (32, "32 bytes"),
    (63, "63 bytes"),
    (64, "64 bytes"),
    (256, "256 bytes"),
];

/// Single texts.
pub(crate) const SINGLE: Inputs = Inputs {
    hard: |_, _| {
        let text = |index: u64| [listed(index)];
        Some(vec![("texts", Box::new(Elements::new(TEXTS.len() as u64, text)))])
    },
    stratified: |_, _, count, seed| {
        by_length(count, seed, |length, random| [drawn(length, random)])
    },
};

/// Pairs of texts.
pub(crate) const PAIRS: Inputs = Inputs {
    hard: |_, _| Some(vec![("texts", Box::new(Elements::new(COUNT * COUNT, listed_pair)))]),
    stratified: |_, _, count, seed| by_length(count, seed, drawn_pair),
};

/// A truth value that chooses, and a pair of texts.
pub(crate) const CHOICES: Inputs = Inputs {
    hard: |_, _| {
        let choice = |index: u64| choice(index & 1, listed_pair(index >> 1));
        Some(vec![("texts", Box::new(Elements::new(2 * COUNT * COUNT, choice)))])
    },
    stratified: |_, _, count, seed| {
        by_length(count, seed, |length, random| {
            let pair = drawn_pair(length, random);
            choice(random.bits() & 1, pair)
        })
    },
};

const COUNT: u64 = TEXTS.len() as u64;

fn listed(index: u64) -> Element {
    element(TEXTS[index as usize])
}

/// Every pair, the first text changing fastest.
fn listed_pair(index: u64) -> [Element; 2] {
    [listed(index % COUNT), listed(index / COUNT)]
}

fn choice(condition: u64, [x, y]: [Element; 2]) -> [Element; 3] {
    [Element::Bits(Bool, condition.into()), x, y]
}

/// A text as an element.
pub(crate) fn element(text: impl Into<String>) -> Element {
    Element::String(text.into().into())
}

fn drawn(length: usize, random: &mut Random) -> Element {
    element(text(length, random))
}

/// A text of so many bytes and another: the same, one that differs from it in one place, its beginning, or any of its length.
fn drawn_pair(length: usize, random: &mut Random) -> [Element; 2] {
    let one = text(length, random);
    let other = match random.below(4) {
        0 => one.clone(),
        1 => {
            let mut characters: Vec<char> = one.chars().collect();
            let place = random.below(characters.len().max(1) as u64) as usize;
            if let Some(character) = characters.get_mut(place) {
                *character = if *character == 'x' { 'X' } else { 'x' };
            }
            characters.into_iter().collect()
        }
        2 => {
            let mut shorter = one.clone();
            shorter.pop();
            shorter
        }
        _ => text(length, random),
    };
    [one, other].map(element)
}

/// A text of so many bytes: two thirds of ASCII, control characters among it, the others of two to four bytes.
fn text(length: usize, random: &mut Random) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        let room = (length - text.len()).min(4);
        let character = match random.below(6) {
            0 if room >= 2 => random.between(0x80, 0x7ff),
            1 if room >= 3 => random.between(0x800, 0xd7ff),
            2 if room >= 4 => random.between(0x1_0000, 0x10_ffff),
            _ => random.between(0, 0x7f),
        };
        text.extend(char::from_u32(character as u32));
    }
    text
}

/// So many tuples for each length of their first text; none where they are more than can be numbered.
fn by_length<const N: usize>(
    count: u64,
    seed: u64,
    tuple: fn(usize, &mut Random) -> [Element; N],
) -> Option<Box<dyn Space>> {
    count.checked_mul(LENGTHS.len() as u64)?;
    let strata = LENGTHS.into_iter().zip(0_u64..);
    let parts: Parts = strata
        .map(|((length, name), stratum)| {
            let tuple = move |index| tuple(length, &mut Random::at(seed, stratum * count + index));
            (name, Box::new(Elements::new(count, tuple)) as Box<dyn Space>)
        })
        .collect();
    Some(Box::new(Chain::new(parts)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::inputs::Column;
    use values::dtype::DType;

    fn strings(space: &dyn Space, types: &[DType]) -> Vec<Vec<Element>> {
        let mut columns: Vec<_> = types.iter().copied().map(Column::new).collect();
        columns.iter_mut().for_each(|column| column.resize(space.len() as usize));
        space.fill(0, &mut columns);
        (0..space.len() as usize)
            .map(|at| columns.iter().map(|column| column.get(at)).collect())
            .collect()
    }

    #[test]
    fn listed_texts_are_different_and_meet_each_other() {
        assert_eq!(TEXTS.iter().collect::<BTreeSet<_>>().len(), TEXTS.len());
        let types = [DType::String; 2];
        let parts = (PAIRS.hard)(&types, Bool).unwrap();
        let pairs = strings(&*parts[0].1, &types);
        let all: BTreeSet<_> = pairs.iter().map(|pair| format!("{pair:?}")).collect();
        assert_eq!(all.len(), TEXTS.len() * TEXTS.len());
        assert_eq!(pairs.iter().filter(|pair| pair[0] == pair[1]).count(), TEXTS.len());
    }

    #[test]
    fn random_texts_have_the_length_of_their_stratum_and_some_are_the_same() {
        let types = [Bool, DType::String, DType::String];
        let space = (CHOICES.stratified)(&types, DType::String, 20, 1).unwrap();
        assert_eq!(space.parts().len(), LENGTHS.len());
        let all = strings(&*space, &types);
        let mut same = 0;
        for (at, tuple) in all.iter().enumerate() {
            let [Element::Bits(Bool, _), Element::String(one), other] = &tuple[..] else {
                panic!("{tuple:?}");
            };
            assert_eq!(one.len(), LENGTHS[at / 20].0);
            assert!(std::str::from_utf8(one).is_ok());
            same += usize::from(tuple[1] == *other);
        }
        assert!((60..200).contains(&same), "{same}");
        let conditions = all.iter().filter(|tuple| tuple[0] == Element::Bits(Bool, 1)).count();
        assert!((100..200).contains(&conditions), "{conditions}");
    }

    #[test]
    fn texts_that_are_more_than_can_be_numbered_are_refused() {
        assert!((SINGLE.stratified)(&[DType::String], DType::String, 1 << 61, 1).is_none());
    }
}
