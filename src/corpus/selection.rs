//! The selection of cases: by their ids, and by their models.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};

pub use crate::foundation::text::nearest;
use crate::model::Model;
use values::dtype::DType;

/// A choice of cases: those that every condition which is given holds of. Without conditions all are taken.
///
/// ```
/// use onnx_conformance::corpus::selection::{Pattern, Selection};
///
/// let mut selection = Selection::matching("SQRT".parse()?);
/// selection.excludes.push("bfloat16".parse()?);
/// assert!(selection.takes_id("sonnx/sqrt/float32/example_1"));
/// assert!(!selection.takes_id("onnx/sqrt_13/bfloat16/elements"));
/// # Ok::<(), onnx_conformance::corpus::selection::PatternError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Patterns, one of which the id has to match.
    pub filters: Vec<Pattern>,
    /// Patterns, none of which the id may match.
    pub excludes: Vec<Pattern>,
    /// Ids, of which it has to be one; of which, that is, only cases of an earlier report are taken.
    pub ids: Option<BTreeSet<String>>,
    /// Operators, one of which has to be in the model.
    pub operators: Vec<String>,
    /// Element types, one of which an input or an output of the model has to have.
    pub types: Vec<DType>,
    /// Operator sets, one of which has to be the first that the model imports.
    pub opsets: Vec<Opsets>,
}

/// A regular expression that ids are searched for; the case of letters does not matter.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

/// A text is no regular expression.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{pattern}` is not a valid regular expression (`.*` matches any characters): {problem}")]
pub struct PatternError {
    pattern: String,
    problem: String,
}

/// An operator set or a range of them: `13`, `7-13`, `13-` or `-12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opsets(RangeInclusive<i64>);

/// A range of operator sets cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an operator set is a number, and a range of them such as `7-13`, `13-` or `-12`")]
pub struct OpsetsError;

impl Selection {
    /// The cases whose ids match a pattern.
    pub fn matching(pattern: Pattern) -> Self {
        Self { filters: vec![pattern], ..Self::default() }
    }

    /// Whether a case with this id is selected, as far as the id determines it.
    pub fn takes_id(&self, id: &str) -> bool {
        let is_match = |pattern: &Pattern| pattern.0.is_match(id);
        (self.filters.is_empty() || self.filters.iter().any(is_match))
            && !self.excludes.iter().any(is_match)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(id))
    }

    /// Whether a case with this model is selected, as far as the model determines it.
    pub fn takes_model(&self, model: &Model) -> bool {
        let ports = || model.inputs().iter().chain(model.outputs());
        let has_type = |dtype: &DType| ports().any(|port| port.value_type.dtype() == Some(*dtype));
        let has_operator = |operators: &[String]| {
            // Those of domains other than ONNX's have the domain in front.
            let is_wanted =
                |name: &String| self.operators.iter().any(|one| name.eq_ignore_ascii_case(one));
            operators.iter().any(is_wanted)
        };
        (self.operators.is_empty() || has_operator(&model.operators()))
            && (self.types.is_empty() || self.types.iter().any(has_type))
            && (self.opsets.is_empty()
                || self.opsets.iter().any(|opsets| opsets.0.contains(&model.first_opset())))
    }

    /// Whether models have to be read to decide the selection.
    pub const fn asks_models(&self) -> bool {
        !(self.operators.is_empty() && self.types.is_empty() && self.opsets.is_empty())
    }

    /// Whether every case is taken.
    pub const fn is_everything(&self) -> bool {
        self.filters.is_empty()
            && self.excludes.is_empty()
            && self.ids.is_none()
            && !self.asks_models()
    }
}

/// As the command line has it.
impl Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns = |name, patterns: &[Pattern]| {
            patterns.iter().map(|pattern| format!("--{name} {}", pattern.0)).collect::<Vec<_>>()
        };
        let mut words = patterns("filter", &self.filters);
        words.extend(patterns("exclude", &self.excludes));
        words.extend(self.ids.iter().map(|ids| format!("one of {} ids", ids.len())));
        words.extend(self.operators.iter().map(|name| format!("--op {name}")));
        words.extend(self.types.iter().map(|dtype| format!("--type {dtype}")));
        words.extend(self.opsets.iter().map(|opsets| format!("--opset {opsets}")));
        f.write_str(&words.join(" "))
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let built = RegexBuilder::new(text).case_insensitive(true).build();
        built.map(Self).map_err(|error| {
            // Its last line names the problem; those before it show where it is.
            let told = error.to_string();
            let problem = told.lines().last().unwrap_or_default().trim_start_matches("error: ");
            PatternError { pattern: text.to_owned(), problem: problem.to_owned() }
        })
    }
}

impl FromStr for Opsets {
    type Err = OpsetsError;

    fn from_str(text: &str) -> Result<Self, OpsetsError> {
        let number = |text: &str| text.parse::<u32>().map(i64::from).map_err(|_| OpsetsError);
        let range = match text.split_once('-') {
            None => number(text)?..=number(text)?,
            Some(("", "")) => return Err(OpsetsError),
            Some(("", last)) => 0..=number(last)?,
            Some((first, "")) => number(first)?..=i64::MAX,
            Some((first, last)) => number(first)?..=number(last)?,
        };
        if range.is_empty() { Err(OpsetsError) } else { Ok(Self(range)) }
    }
}

impl Display for Opsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self.0.start(), *self.0.end()) {
            (first, last) if first == last => write!(f, "{first}"),
            (first, i64::MAX) => write!(f, "{first}-"),
            (first, last) => write!(f, "{first}-{last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn an_id_has_to_match_one_filter_in_any_case_and_no_exclusion() {
        let mut selection =
            Selection { filters: patterns(&["Div", "sqrt/float(16|32)"]), ..Selection::default() };
        assert!(selection.takes_id("onnx-1.22.0/node/test_div"));
        assert!(selection.takes_id("sonnx/sqrt/float16/zero"));
        assert!(!selection.takes_id("sonnx/sqrt/float64/zero"));
        selection.excludes = patterns(&["TEST_", "zero$"]);
        assert!(!selection.takes_id("onnx-1.22.0/node/test_div"));
        assert!(!selection.takes_id("sonnx/sqrt/float16/zero"));
        assert!(selection.takes_id("sonnx/sqrt/float16/special"));
        selection.ids = Some(BTreeSet::from(["sonnx/div/int8/sizes".to_owned()]));
        assert!(selection.takes_id("sonnx/div/int8/sizes"));
        assert!(!selection.takes_id("sonnx/sqrt/float16/special"));
    }

    #[test]
    fn operator_sets_are_numbers_and_ranges_that_are_not_empty() {
        let texts = ["13", "7-13", "13-", "-12"];
        let ranges = texts.map(|text| text.parse::<Opsets>().unwrap());
        assert_eq!(ranges.clone().map(|opsets| opsets.0), [13..=13, 7..=13, 13..=i64::MAX, 0..=12]);
        assert_eq!(ranges.map(|opsets| opsets.to_string()), ["13", "7-13", "13-", "0-12"]);
        for text in ["", "-", "13-7", "x", "1-2-3", "--3", "99999999999"] {
            assert_eq!(text.parse::<Opsets>(), Err(OpsetsError), "{text}");
        }
    }

    #[test]
    fn a_selection_is_told_as_the_command_line_has_it() {
        let selection = Selection {
            filters: patterns(&["div"]),
            operators: vec!["Div".to_owned()],
            types: vec![DType::Float16],
            opsets: vec!["7-".parse().unwrap()],
            ..Selection::default()
        };
        assert_eq!(selection.to_string(), "--filter div --op Div --type float16 --opset 7-");
        assert!(!selection.is_everything() && selection.asks_models());
        assert!(Selection::default().is_everything());
    }
}
