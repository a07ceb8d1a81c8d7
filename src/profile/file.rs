//! Reading a profile's file, strictly: what it does not know, forgets or says twice is an error.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::Spanned;

use super::{Decision, Operator, Profile, Rule};
use crate::limits;
use crate::dtype::{DType, Kind, UnknownDType};

/// A profile's file is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ProfileError {
    /// The file, as it was named to [`Profile::parse`].
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there, and what would not be.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Spanned<String>,
    title: String,
    fallback: Fallback,
    #[serde(rename = "decision")]
    decisions: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fallback {
    rule: Rule,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    operator: Spanned<Operator>,
    types: Vec<Spanned<String>>,
    rule: Rule,
    source: Spanned<String>,
}

/// Where something is wrong, in bytes, and what.
type Problem = (Range<usize>, String);

impl Profile {
    /// The profile in the text of a file; `file` names it in errors.
    ///
    /// # Errors
    ///
    /// When the text is no TOML, has an unknown field, operator, type or rule, leaves a type of an
    /// operator undecided or decides it twice, sets a rule where it cannot hold (a limit in ULP for
    /// integers; for the fallback a rule that needs operands), or states no source.
    pub fn parse(file: &str, text: &str) -> Result<Self, ProfileError> {
        Ok(Self::with_line(file, text)?.0)
    }

    /// The profile in the text of a user's own file. Its name tells its rules: `@` and the
    /// [mark](Self::mark) of the text follow what the file says, so that other rules never go by the
    /// same name. A copy of a profile of the tool is that profile.
    ///
    /// # Errors
    ///
    /// As for [`Self::parse`], and when the file has the name of a profile of the tool, but not its rules.
    pub fn own(file: &str, text: &str) -> Result<Self, ProfileError> {
        let (profile, line) = Self::with_line(file, text)?;
        match Self::named(&profile.name) {
            Ok(known) if *known == profile => Ok(profile),
            Ok(_) => {
                let message = format!(
                    "`{}` is the name of a profile of this tool, and not with these rules; choose \
                     another name",
                    profile.name
                );
                Err(ProfileError { file: file.to_owned(), line, message })
            }
            Err(_) => {
                Ok(Self { name: format!("{}@{}", profile.name, Self::mark(text)), ..profile })
            }
        }
    }

    /// What a text is known by in the name of a profile of a user's own: the first 16 digits of its
    /// SHA-256.
    #[must_use]
    pub fn mark(text: &str) -> String {
        Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The profile in a text, and the line of its name.
    fn with_line(file: &str, text: &str) -> Result<(Self, usize), ProfileError> {
        let line = |span: &Range<usize>| {
            1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count()
        };
        let error = |span: Range<usize>, message: &str| ProfileError {
            file: file.to_owned(),
            line: line(&span),
            message: message.to_owned(),
        };
        let parsed: File = limits::from_toml(text)
            .map_err(|problem| error(problem.span().unwrap_or_default(), problem.message()))?;
        let named = line(&parsed.name.span());
        let profile = parsed.checked().map_err(|(span, message)| error(span, &message))?;
        Ok((profile, named))
    }
}

impl File {
    fn checked(self) -> Result<Profile, Problem> {
        let whole = self.name.span();
        plain(self.name.get_ref()).map_err(|message| (whole.clone(), message))?;
        stated(&self.fallback.source)?;
        match self.fallback.rule {
            Rule::ExpectedBits | Rule::Close | Rule::CloseWidened | Rule::NotApplicable { .. } => {}
            Rule::Oracle { .. } | Rule::Ulp(_) => {
                let message = "the fallback's rule has no operands to go by; \
                               use expected_bits, close, close_widened or not_applicable";
                return Err((self.fallback.source.span(), message.to_owned()));
            }
        }
        let mut decisions = BTreeMap::new();
        for entry in self.decisions {
            stated(&entry.source)?;
            let operator = *entry.operator.get_ref();
            for name in &entry.types {
                let dtype = decidable(operator, name.get_ref(), &entry.rule)
                    .map_err(|message| (name.span(), message))?;
                let decision =
                    Decision { rule: entry.rule.clone(), source: entry.source.get_ref().clone() };
                if decisions.insert((operator, dtype), decision).is_some() {
                    let message = format!("{operator} of {dtype} is decided twice");
                    return Err((name.span(), message));
                }
            }
        }
        for operator in Operator::ALL {
            let missing =
                operator.types().iter().find(|&&t| !decisions.contains_key(&(operator, t)));
            if let Some(dtype) = missing {
                let message = format!(
                    "{operator} of {dtype} is undecided; add a decision, if only not_applicable"
                );
                return Err((whole, message));
            }
        }
        let fallback =
            Decision { rule: self.fallback.rule, source: self.fallback.source.into_inner() };
        Ok(Profile { name: self.name.into_inner(), title: self.title, fallback, decisions })
    }
}

/// Longest name, in characters.
const LONGEST_NAME: usize = 40;

/// Names stand in reports, in names of files and in lists with commas.
fn plain(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(format!(
        "the name {name:?} is none; use up to {LONGEST_NAME} of the letters a to z, digits, `-`, `_` and `.`"
    ))
}

/// Every value carries its source.
fn stated(source: &Spanned<String>) -> Result<(), Problem> {
    if source.get_ref().trim().is_empty() {
        return Err((source.span(), "the source is empty; name the document".to_owned()));
    }
    Ok(())
}

/// The type of this name, where the operator has it and the rule can hold for it.
fn decidable(operator: Operator, name: &str, rule: &Rule) -> Result<DType, String> {
    let dtype: DType = name.parse().map_err(|error: UnknownDType| error.to_string())?;
    if !operator.types().contains(&dtype) {
        let types: Vec<_> = operator.types().iter().map(|dtype| dtype.name()).collect();
        return Err(format!("{operator} has no {dtype}; its types are {}", types.join(", ")));
    }
    if let Rule::Ulp(rule) = rule {
        if !matches!(dtype.kind(), Kind::Float(_)) {
            return Err(format!("a limit in ULP has no meaning for {dtype}; use another rule"));
        }
        if !rule.domain.fits(dtype) {
            return Err(format!("the domain's bounds are no normal numbers of {dtype}"));
        }
    }
    Ok(dtype)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = r#"name = "small"
title = "A small one"

[fallback]
rule = "expected_bits"
source = "none needed"

[[decision]]
operator = "Div"
types = ["bfloat16", "float16", "float64"]
rule.not_applicable = { reason = "not asked" }
source = "here"

[[decision]]
operator = "Div"
types = ["float32"]
source = "there, table 1"
[decision.rule.ulp]
limit = "2.5"
domain = { min = "2^-126" }
flush = "never"
zero_sign = "kept"
specials = "ieee754"

[[decision]]
operator = "Div"
types = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
rule.oracle = { unrepresentable = "wrapped" }
source = "here"

[[decision]]
operator = "Sqrt"
types = ["bfloat16", "float16", "float32", "float64"]
rule = "close"
source = "here"
"#;

    #[test]
    fn a_valid_file_gives_its_decisions() {
        let profile = Profile::parse("small.toml", VALID).unwrap();
        assert_eq!(profile.name(), "small");
        let decision = profile.decision(Operator::Div, DType::Float32).unwrap();
        assert_eq!(decision.source, "there, table 1");
        assert_eq!(decision.rule.to_string(), "<= 2.5 ULP, from 2^-126");
    }

    #[test]
    fn an_own_profile_is_named_by_its_rules_and_by_none_of_the_tools_names() {
        let name = |text: &str| Profile::own("small.toml", text).map(|own| own.name().to_owned());
        assert_eq!(name(VALID).unwrap(), "small@981ead0696d8f674");
        let other = VALID.replace("2.5", "1000");
        assert_eq!(name(&other).unwrap(), format!("small@{}", Profile::mark(&other)));
        assert_ne!(Profile::mark(&other), Profile::mark(VALID));
        let copy = Profile::embedded("sonnx").unwrap();
        assert_eq!(name(copy).unwrap(), "sonnx");
        let lax = format!("# lax\n{}", VALID.replace("\"small\"", "\"sonnx\""));
        assert_eq!(
            name(&lax).unwrap_err().to_string(),
            "small.toml:2: `sonnx` is the name of a profile of this tool, and not with these rules; \
             choose another name"
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_file_and_line() {
        for (old, new, message) in [
            ("\"small\"", "\"a b\"", "small.toml:1: the name \"a b\" is none; use up to 40"),
            ("\"small\"", "\"\"", "small.toml:1: the name \"\" is none"),
            ("title =", "titel =", "small.toml:2: unknown field `titel`"),
            ("rule = \"close\"", "rule = \"clsoe\"", "small.toml:34: unknown variant `clsoe`"),
            ("operator = \"Sqrt\"", "operator = \"Cbrt\"", "small.toml:32: unknown variant `Cbrt`"),
            ("\"float64\"]\nrule.not", "\"flaot64\"]\nrule.not", "small.toml:10: unknown element"),
            (
                "\"float64\"]\nrule =",
                "\"float64\", \"float32\"]\nrule =",
                "small.toml:33: Sqrt of float32 is",
            ),
            ("[\"float32\"]", "[]", "small.toml:1: Div of float32 is undecided"),
            ("[\"float32\"]", "[\"string\"]", "small.toml:16: Div has no string; its types are b"),
            ("[\"float32\"]", "[\"float32\", \"int8\"]", "small.toml:16: a limit in ULP has no m"),
            ("limit = \"2.5\"", "limit = \"2.3\"", "small.toml:19: the limit `2.3` is no multiple"),
            ("limit = \"2.5\"", "limit = 2.5", "small.toml:19: invalid type: floating point"),
            (
                "limit = \"2.5\"",
                "limit = \"2.5\"\nslack = 1",
                "small.toml:20: unknown field `slack",
            ),
            ("flush = \"never\"\n", "", "missing field `flush`"),
            ("2^-126", "2^-1260", "small.toml:16: the domain's bounds are no normal numbers"),
            ("source = \"there, table 1\"", "source = \" \"", "small.toml:17: the source is empty"),
            (
                "rule = \"expected_bits\"",
                "rule.oracle = { unrepresentable = \"wrapped\" }",
                "small.toml:6: the fallback's rule has no operands",
            ),
            ("[fallback]", "[fallback", "small.toml:4: "),
        ] {
            assert!(VALID.contains(old), "{old}");
            let error = Profile::parse("small.toml", &VALID.replacen(old, new, 1)).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(message), "expected `{message}`, got `{error}`");
        }
    }
}
