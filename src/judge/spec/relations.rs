//! The guarantees that documents claim for constraints on sizes, as relations between formulas.

use num_rational::Ratio;
use serde::Deserialize;

use super::formula::Formula;

/// A constraint, what it is said to guarantee, and the sizes that both are tried on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// The constraint.
    pub(super) states: Relations,
    /// What is said to hold wherever the constraint does, for each of the choices below.
    pub(super) guarantees: Relations,
    /// What is counted through, of which each has to have one of the others, such as each window an element.
    pub(super) through: Option<Through>,
    /// Without this nothing is said, such as where there is no window.
    #[serde(default)]
    pub(super) provided: Relations,
    /// The definitions of names.
    #[serde(default)]
    pub(super) given: Vec<Definition>,
    /// The sizes.
    pub(super) over: Vec<Range>,
}

/// What has to have what.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Through {
    pub(super) every: Counted,
    pub(super) some: Counted,
}

/// The numbers from 0 to below a formula, under a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counted {
    pub(super) name: String,
    pub(super) below: Formula,
}

/// The numbers that a size takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    pub(super) name: String,
    pub(super) from: i64,
    pub(super) to: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) is: Formula,
}

/// Relations such as `a <= b`, joined by `and`; all hold where there are none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Relations {
    pub(super) text: String,
    pub(super) all: Vec<(Formula, Holds, Formula)>,
}

impl TryFrom<String> for Relations {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let relation = |text: &str| {
            let words: [(&str, Holds); 5] = [
                (" <= ", |a, b| a <= b),
                (" >= ", |a, b| a >= b),
                (" < ", |a, b| a < b),
                (" > ", |a, b| a > b),
                (" = ", |a, b| a == b),
            ];
            let found =
                words.into_iter().find_map(|(word, holds)| Some((text.split_once(word)?, holds)));
            let ((left, right), holds) =
                found.ok_or_else(|| format!("`{text}` compares nothing"))?;
            Ok((left.to_owned().try_into()?, holds, right.to_owned().try_into()?))
        };
        let all = text.split(" and ").map(relation).collect::<Result<_, String>>()?;
        Ok(Self { text, all })
    }
}

pub(super) type Number = Ratio<i64>;

/// Whether two numbers are in a relation.
pub(super) type Holds = fn(&Number, &Number) -> bool;
