//! Strict reading of a profile's file: unknown, missing and repeated members are errors.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::Spanned;

use super::{CaseDecisions, Decision, Profile, Rule, WholeOutputs};
use reference::operator::{Operator, OperatorKind};
use reference::operators;
use values::dtype::{self, DType, UnknownDType};
use values::limits;

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
    #[serde(rename = "decision", default)]
    decisions: Vec<Entry>,
    #[serde(rename = "kind", default)]
    kinds: Vec<KindEntry>,
    #[serde(rename = "case", default)]
    cases: Vec<CaseEntry>,
    whole_outputs: Option<WholeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WholeEntry {
    /// Ids of cases whose outputs of sums are judged as a whole, too; `*` matches any characters.
    cases: Spanned<String>,
    source: Spanned<String>,
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
    operator: Option<Spanned<String>>,
    /// Several that have the same rule.
    #[serde(default)]
    operators: Vec<Spanned<String>>,
    types: Vec<Spanned<String>>,
    rule: Rule,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindEntry {
    kind: Spanned<String>,
    /// Every type where there are none.
    #[serde(default)]
    types: Vec<Spanned<String>>,
    rule: Rule,
    source: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseEntry {
    /// Ids of cases; `*` matches any characters.
    cases: Spanned<String>,
    /// Every type where there are none.
    #[serde(default)]
    types: Vec<Spanned<String>>,
    rule: Rule,
    source: Spanned<String>,
}

/// Where something is wrong, in bytes, and what.
type Problem = (Range<usize>, String);

impl Profile {
    /// The profile in the text of a file; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, ProfileError> {
        Ok(Self::with_line(file, text)?.0)
    }

    /// The profile in the text of a user's own file. Its name tells its rules: `@` and the
    /// [mark](Self::mark) of the text follow what the file says, so that other rules never go by the
    /// same name. A copy of a profile of the tool is that profile; one with other rules is refused.
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
    pub fn mark(text: &str) -> String {
        Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether a name is that of a profile of a user's own, by its form: it ends in a mark.
    pub fn is_own(name: &str) -> bool {
        let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        let mark = name.rsplit_once('@').map_or("", |(_, mark)| mark);
        mark.len() == 16 && mark.bytes().all(is_digit)
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
        plain(self.name.get_ref()).map_err(|message| (self.name.span(), message))?;
        let fallback = decision(self.fallback.rule, &self.fallback.source)?;
        if fallback.rule.needs_operands() {
            let message = "the fallback's rule has no operands to go by; \
                           use expected_bits, close, close_widened or not_applicable";
            return Err((self.fallback.source.span(), message.to_owned()));
        }
        let mut decisions = BTreeMap::new();
        for entry in self.decisions {
            let decision = decision(entry.rule, &entry.source)?;
            let operators: Vec<_> = entry.operator.into_iter().chain(entry.operators).collect();
            if operators.is_empty() {
                let message = "the decision names no operator".to_owned();
                return Err((entry.source.span(), message));
            }
            for named in &operators {
                let operator =
                    operator(named.get_ref()).map_err(|message| (named.span(), message))?;
                if entry.types.is_empty() {
                    let message = format!("the decision on {operator} names no type");
                    return Err((named.span(), message));
                }
                for name in &entry.types {
                    let dtype = decidable(operator, name.get_ref(), &decision.rule)
                        .map_err(|message| (name.span(), message))?;
                    let key = (operator.judged_as.to_owned(), dtype);
                    if decisions.insert(key, decision.clone()).is_some() {
                        let message = format!("{operator} of {dtype} is decided twice");
                        return Err((name.span(), message));
                    }
                }
            }
        }
        let mut kinds = BTreeMap::new();
        for entry in self.kinds {
            let decision = decision(entry.rule, &entry.source)?;
            let known =
                OperatorKind::ALL.into_iter().find(|kind| kind.name() == entry.kind.get_ref());
            let kind = known.ok_or_else(|| {
                let names = OperatorKind::ALL.map(OperatorKind::name).join(", ");
                let message =
                    format!("unknown kind `{}`; the kinds are {names}", entry.kind.get_ref());
                (entry.kind.span(), message)
            })?;
            let types = named_types(&entry.types, &decision.rule)?;
            if let (Rule::Accumulated, false) = (&decision.rule, kind.is_bounded()) {
                let message = "the bound of a sum has no meaning for other kinds; use another rule";
                return Err((entry.kind.span(), message.to_owned()));
            }
            for dtype in types {
                if kinds.insert((kind, dtype), decision.clone()).is_some() {
                    let message = format!("{kind} operators of {dtype} are decided twice");
                    return Err((entry.kind.span(), message));
                }
            }
        }
        let cases = self.cases.into_iter().map(CaseEntry::checked).collect::<Result<_, _>>()?;
        let whole = self.whole_outputs.map(WholeEntry::checked).transpose()?;
        Ok(Profile {
            name: self.name.into_inner(),
            title: self.title,
            fallback,
            decisions,
            kinds,
            cases,
            of_case: BTreeMap::new(),
            whole,
        })
    }
}

impl CaseEntry {
    fn checked(self) -> Result<CaseDecisions, Problem> {
        let decision = decision(self.rule, &self.source)?;
        if decision.rule == Rule::Accumulated {
            let message = "the bound of a sum is for the kind accumulated; use another rule";
            return Err((self.cases.span(), message.to_owned()));
        }
        let pattern = pattern(self.cases)?;
        let types = named_types(&self.types, &decision.rule)?.into_iter();
        let decisions = types.map(|dtype| (dtype, decision.clone())).collect();
        Ok(CaseDecisions { pattern, decisions })
    }
}

impl WholeEntry {
    fn checked(self) -> Result<WholeOutputs, Problem> {
        let source = stated(&self.source)?;
        Ok(WholeOutputs { pattern: pattern(self.cases)?, source, is_at_hand: false })
    }
}

/// A pattern of ids of cases, which is not empty.
fn pattern(text: Spanned<String>) -> Result<String, Problem> {
    if text.get_ref().is_empty() {
        return Err((text.span(), "it names no case; `*` stands for any characters".into()));
    }
    Ok(text.into_inner())
}

/// The types of these names, or, where there are none, all that the rule can hold for.
fn named_types(names: &[Spanned<String>], rule: &Rule) -> Result<Vec<DType>, Problem> {
    if names.is_empty() {
        return Ok(DType::ALL.into_iter().filter(|&dtype| fits(dtype, rule).is_ok()).collect());
    }
    let named = |name: &Spanned<String>| {
        let dtype: DType =
            name.get_ref().parse().map_err(|error: UnknownDType| error.to_string())?;
        fits(dtype, rule).map(|()| dtype)
    };
    names.iter().map(|name| named(name).map_err(|message| (name.span(), message))).collect()
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

/// A rule with its source, which every one states.
fn decision(rule: Rule, source: &Spanned<String>) -> Result<Decision, Problem> {
    Ok(Decision { rule, source: stated(source)? })
}

/// A source, which is not empty.
fn stated(source: &Spanned<String>) -> Result<String, Problem> {
    if source.get_ref().trim().is_empty() {
        return Err((source.span(), "the source is empty; name the document".to_owned()));
    }
    Ok(source.get_ref().clone())
}

/// The operator of this name.
fn operator(name: &str) -> Result<&'static Operator, String> {
    let known =
        || operators::OPERATORS.iter().copied().filter(|known| known.judged_as == known.name);
    known().find(|known| known.name == name).ok_or_else(|| {
        let names: Vec<_> = known().map(|known| known.name).collect();
        format!("unknown operator `{name}`; the operators are {}", names.join(", "))
    })
}

/// The type of this name, where the operator has it and the rule can hold for it.
fn decidable(operator: &Operator, name: &str, rule: &Rule) -> Result<DType, String> {
    let dtype: DType = name.parse().map_err(|error: UnknownDType| error.to_string())?;
    if !operator.types().contains(&dtype) {
        let types: Vec<_> = operator.types().iter().map(|dtype| dtype.name()).collect();
        return Err(format!("{operator} has no {dtype}; its types are {}", types.join(", ")));
    }
    if let (Rule::Accumulated, false) = (rule, operator.kind.is_bounded()) {
        return Err(format!("{operator} is not a sum, so a bound for sums does not apply to it"));
    }
    fits(dtype, rule).map(|()| dtype)
}

/// Whether the rule can hold for a type.
fn fits(dtype: DType, rule: &Rule) -> Result<(), String> {
    let Rule::Ulp(rule) = rule else { return Ok(()) };
    let has_infinities = matches!(dtype.kind(), dtype::Kind::Float(format)
        if format.specials == values::float::Specials::Ieee);
    if !has_infinities {
        return Err(format!("a limit in ULP has no meaning for {dtype}; use another rule"));
    }
    let of_distance = rule.absolute.is_none_or(|absolute| absolute.domain.fits(dtype));
    if rule.domain.fits(dtype) && of_distance {
        Ok(())
    } else {
        Err(format!("the domain's bounds are no normal numbers of {dtype}"))
    }
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
        let decision = profile.decision(Some(&reference::operators::div::DIV), DType::Float32);
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
            (
                "operator = \"Sqrt\"",
                "operator = \"Cbrt\"",
                "small.toml:32: unknown operator `Cbrt`",
            ),
            ("\"float64\"]\nrule.not", "\"flaot64\"]\nrule.not", "small.toml:10: unknown element"),
            (
                "\"float64\"]\nrule =",
                "\"float64\", \"float32\"]\nrule =",
                "small.toml:33: Sqrt of float32 is",
            ),
            ("[\"float32\"]", "[]", "small.toml:15: the decision on Div names no type"),
            ("[\"float32\"]", "[\"string\"]", "small.toml:16: Div has no string; its types are b"),
            ("[\"float32\"]", "[\"float32\", \"int8\"]", "small.toml:16: a limit in ULP has no m"),
            (
                "limit = \"2.5\"",
                "limit = \"2.3\"",
                "small.toml:19: the limit `2.3` is not a multiple",
            ),
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
