//! One entry of a list: cases of which something is known, what, and why.

use std::fmt::Write;

use serde::Deserialize;

use crate::dtype::DType;
use crate::foundation::text;
use crate::judge::verdict::Verdict;

/// Cases of which it is known that they do not pass, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Their ids, or without a `/` their names in any corpus; `*` stands for any characters.
    pub cases: String,
    /// The verdict that they have: a failure, `unsupported`, or `skipped`, which is why they are not run.
    pub verdict: Verdict,
    /// Whether they may as well pass.
    #[serde(default)]
    pub flaky: bool,
    /// Of these only those with this operator in their models.
    pub op: Option<String>,
    /// Of these only those with inputs or outputs of this element type.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// Of these only those of this operator set or a later one.
    pub since_opset: Option<i64>,
    /// Of these only those of this operator set or an earlier one.
    pub until_opset: Option<i64>,
    /// The reason.
    pub reason: String,
    /// Where that is reported or discussed.
    pub link: Option<String>,
}

/// What entries ask of a case.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// Its id.
    pub id: &'a str,
    /// The operators of its graph, separated by `, `.
    pub operator: &'a str,
    /// Element types of its inputs and outputs.
    pub types: &'a [String],
    /// Operator set version that its graph imports first.
    pub opset: i64,
}

impl Known {
    /// Whether it holds for a case.
    pub fn matches(&self, case: &Facts<'_>) -> bool {
        let has_operator =
            |op: &String| case.operator.split(", ").any(|one| one.eq_ignore_ascii_case(op));
        self.matches_id(case.id)
            && self.op.as_ref().is_none_or(has_operator)
            && self.type_name.as_ref().is_none_or(|name| case.types.contains(name))
            && self.since_opset.is_none_or(|since| since <= case.opset)
            && self.until_opset.is_none_or(|until| case.opset <= until)
    }

    /// Whether it may hold for a case with this id, of which nothing else is known.
    pub fn matches_id(&self, id: &str) -> bool {
        let name = id.rsplit('/').next().unwrap_or_default();
        text::matches(&self.cases, if self.cases.contains('/') { id } else { name })
    }

    /// Whether the id alone decides.
    pub const fn asks_for_ids_alone(&self) -> bool {
        self.op.is_none()
            && self.type_name.is_none()
            && self.since_opset.is_none()
            && self.until_opset.is_none()
    }

    /// Name of the corpus that its cases belong to; none where they may be of any.
    pub fn corpus(&self) -> Option<&str> {
        let (corpus, _) = self.cases.split_once('/')?;
        (!corpus.contains('*')).then_some(corpus)
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        let Self { verdict, since_opset, until_opset, .. } = self;
        let wrong = |what: &str| Some(what.to_owned());
        if !verdict.can_be_known() {
            return Some(format!(
                "expects `{verdict}`; known failures are fail, crash, timeout, fault, unsupported or skipped"
            ));
        }
        if self.flaky && !verdict.comes_and_goes() {
            return Some(format!(
                "is flaky and expects `{verdict}`; a flaky failure is fail, crash or timeout"
            ));
        }
        if self.reason.trim().is_empty() {
            return wrong("has no reason; say why the cases do not pass");
        }
        if self.cases.is_empty() || self.cases.starts_with('/') {
            return wrong("names no case; `sonnx/div/*` is of one corpus, `test_div*` of any");
        }
        if let Some(name) = self.type_name.as_ref().filter(|name| name.parse::<DType>().is_err()) {
            return Some(format!("has the type `{name}`, which is not an element type"));
        }
        if self.op.as_ref().is_some_and(|op| op.trim().is_empty()) {
            return wrong("has an empty `op`; leave it out, or name an operator");
        }
        if [since_opset, until_opset].into_iter().flatten().any(|opset| *opset < 1) {
            return wrong("has an operator set below 1");
        }
        if since_opset.zip(*until_opset).is_some_and(|(since, until)| since > until) {
            return wrong("holds since an operator set that is later than the last one");
        }
        None
    }

    /// The entry in the format of a list.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = "[[known]]\n".to_owned();
        let mut member = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                // Writing to a string does not fail.
                let _ = writeln!(text, "{name} = {value}");
            }
        };
        member("cases", Some(quoted(&self.cases)));
        member("op", self.op.as_deref().map(quoted));
        member("type", self.type_name.as_deref().map(quoted));
        member("since_opset", self.since_opset.map(|opset| opset.to_string()));
        member("until_opset", self.until_opset.map(|opset| opset.to_string()));
        member("verdict", Some(quoted(&self.verdict.to_string())));
        member("flaky", self.flaky.then(|| "true".to_owned()));
        member("reason", Some(quoted(&self.reason)));
        member("link", self.link.as_deref().map(quoted));
        text
    }

    /// Its cases, with its other conditions in brackets.
    pub fn described(&self) -> String {
        let conditions = self.conditions();
        let conditions =
            if conditions.is_empty() { conditions } else { format!(" ({conditions})") };
        format!("{}{conditions}", self.cases)
    }

    /// Its conditions besides ids, in words, such as `op Div, opset 7 to 12`; empty if there is none.
    pub fn conditions(&self) -> String {
        let opsets = match (self.since_opset, self.until_opset) {
            (None, None) => None,
            (Some(since), None) => Some(format!("opset {since} or later")),
            (None, Some(until)) => Some(format!("opset {until} or earlier")),
            (Some(since), Some(until)) if since == until => Some(format!("opset {since}")),
            (Some(since), Some(until)) => Some(format!("opset {since} to {until}")),
        };
        let op = self.op.as_ref().map(|op| format!("op {op}"));
        let type_name = self.type_name.as_ref().map(|name| format!("type {name}"));
        op.into_iter().chain(type_name).chain(opsets).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(cases: &str) -> Known {
        Known {
            cases: cases.to_owned(),
            verdict: Verdict::Fail,
            reason: "rounds up".to_owned(),
            ..Known::default()
        }
    }

    fn facts<'a>(id: &'a str, operator: &'a str, types: &'a [String], opset: i64) -> Facts<'a> {
        Facts { id, operator, types, opset }
    }

    #[test]
    fn a_pattern_without_a_slash_is_of_names_in_any_corpus() {
        let entry = known("test_div*");
        for id in ["onnx-1.22.0/node/test_div", "onnx-1.2.1/node/test_div_bcast", "mine/test_div"] {
            assert!(entry.matches_id(id), "{id}");
        }
        for id in ["onnx-1.22.0/node/test_mod", "test_div/node/test_mod", "mine/a_test_div"] {
            assert!(!entry.matches_id(id), "{id}");
        }
        assert_eq!(entry.corpus(), None);
        let entry = known("*/test_div*");
        assert!(entry.matches_id("onnx-1.22.0/node/test_div"));
        assert!(!entry.matches_id("test_div"));
        assert_eq!(entry.corpus(), None);
        assert_eq!(known("onnx-1.22.0/node/*").corpus(), Some("onnx-1.22.0"));
    }

    #[test]
    fn all_conditions_of_an_entry_hold_for_its_cases() {
        let types = ["float16".to_owned(), "bool".to_owned()];
        let case = facts("c/a", "Mul, com.example.Div", &types, 13);
        let with = |change: fn(&mut Known)| {
            let mut entry = known("c/*");
            change(&mut entry);
            (entry.matches(&case), entry.matches_id("c/a"), entry.asks_for_ids_alone())
        };
        assert_eq!(with(|_| ()), (true, true, true));
        assert_eq!(with(|entry| entry.op = Some("mul".to_owned())), (true, true, false));
        assert_eq!(with(|entry| entry.op = Some("Div".to_owned())), (false, true, false));
        assert_eq!(with(|entry| entry.type_name = Some("bool".to_owned())), (true, true, false));
        assert_eq!(with(|entry| entry.type_name = Some("int8".to_owned())), (false, true, false));
        for (since, until, holds) in
            [(Some(13), None, true), (Some(14), None, false), (None, Some(13), true)]
        {
            let entry = Known { since_opset: since, until_opset: until, ..known("c/*") };
            assert_eq!(entry.matches(&case), holds, "{since:?} {until:?}");
        }
        assert_eq!(with(|entry| entry.until_opset = Some(12)), (false, true, false));
    }

    #[test]
    fn conditions_are_told_in_words() {
        assert_eq!(known("a").conditions(), "");
        let entry = Known {
            op: Some("Div".to_owned()),
            type_name: Some("float16".to_owned()),
            since_opset: Some(7),
            until_opset: Some(12),
            ..known("a")
        };
        assert_eq!(entry.conditions(), "op Div, type float16, opset 7 to 12");
        let one = Known { since_opset: Some(7), until_opset: Some(7), ..known("a") };
        assert_eq!(one.conditions(), "opset 7");
    }
}
