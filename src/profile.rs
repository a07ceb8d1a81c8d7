//! Accuracy profiles: named sets of rules for when an element conforms.
//!
//! A profile is data, `testdata/profiles/NAME.toml`. It decides on every element type of Div and
//! Sqrt by a [`Rule`] with its source, and on everything else (other operators, and graphs of
//! several nodes, where the operands of an output element are not known) by one fallback rule that
//! needs no operands. Strings must be equal under every rule but `not_applicable`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::dtype::DType;

mod closeness;
mod expected;
mod file;
mod operator;
mod rule;
mod strictness;
mod tolerance;

pub use closeness::Closeness;
pub use expected::Expected;
pub use file::ProfileError;
pub use operator::Operator;
pub use rule::{Domain, Flush, Limit, Power, Rule, Specials, UlpRule, Unrepresentable, ZeroSign};
pub use strictness::Strictness;
pub use tolerance::{Tolerance, ToleranceError};

/// A named set of accuracy rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    name: String,
    title: String,
    fallback: Decision,
    decisions: BTreeMap<(Operator, DType), Decision>,
}

/// A rule and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// When an element conforms.
    pub rule: Rule,
    /// The document, section and version that say so.
    pub source: String,
}

/// There is no profile of this name, or its file is at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamedError {
    /// The name is that of no profile.
    #[error("unknown profile `{0}`; the profiles are {names}", names = Profile::NAMES.join(", "))]
    Unknown(String),
    /// The profile's file is not as it has to be.
    #[error("failed to read a profile: {0}")]
    File(#[from] ProfileError),
}

/// A profile's name, path and text.
macro_rules! embedded {
    ($($name:literal),*) => {
        [$((
            $name,
            concat!("testdata/profiles/", $name, ".toml"),
            include_str!(concat!("../testdata/profiles/", $name, ".toml")),
        )),*]
    };
}

const COUNT: usize = 8;

/// The profiles that are part of the program, the default one first.
const EMBEDDED: [(&str, &str, &str); COUNT] = embedded![
    "onnx",
    "onnx-1.23",
    "ieee754",
    "sonnx",
    "opencl-full",
    "opencl-embedded",
    "webgpu",
    "cuda-approx"
];

static PARSED: LazyLock<[Result<Arc<Profile>, ProfileError>; COUNT]> =
    LazyLock::new(|| EMBEDDED.map(|(_, file, text)| Profile::parse(file, text).map(Arc::new)));

impl Profile {
    /// The names of the profiles that are part of the program, the default one first.
    pub const NAMES: [&str; COUNT] = {
        let mut names = [""; COUNT];
        let mut index = 0;
        while index < COUNT {
            names[index] = EMBEDDED[index].0;
            index += 1;
        }
        names
    };

    /// The profile of this name among those that are part of the program.
    ///
    /// ```
    /// use onnx_conformance::dtype::DType;
    /// use onnx_conformance::profile::{Operator, Profile};
    ///
    /// let profile = Profile::named("webgpu")?;
    /// let decision = profile.decision(Operator::Div, DType::Float32);
    /// assert!(decision.is_some_and(|decision| decision.source.contains("WGSL")));
    ///
    /// let error = Profile::named("exact").unwrap_err().to_string();
    /// assert!(error.contains("ieee754"), "it lists the names there are");
    /// # Ok::<(), onnx_conformance::profile::NamedError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is none (the error lists the names there are), or its file is at fault.
    pub fn named(name: &str) -> Result<Arc<Self>, NamedError> {
        let place = Self::NAMES.iter().position(|&known| known == name);
        match place.and_then(|place| PARSED.get(place)) {
            Some(parsed) => Ok(parsed.clone()?),
            None => Err(NamedError::Unknown(name.to_owned())),
        }
    }

    /// The text of a profile that is part of the program.
    #[must_use]
    pub fn embedded(name: &str) -> Option<&'static str> {
        let found = EMBEDDED.iter().find(|(known, ..)| *known == name);
        found.map(|(.., text)| *text)
    }

    /// The name used in reports and commands.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in one line.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The decision for an operator's elements of one type; `None` for types that the operator's
    /// newest version in ONNX does not have.
    #[must_use]
    pub fn decision(&self, operator: Operator, dtype: DType) -> Option<&Decision> {
        self.decisions.get(&(operator, dtype))
    }

    /// How strictly elements of a type are judged: those of an operator whose operands are known, or
    /// of anything else.
    #[must_use]
    pub fn strictness(&self, operator: Option<Operator>, dtype: DType) -> Strictness {
        let decision = operator.and_then(|operator| self.decision(operator, dtype));
        Strictness::of(&decision.unwrap_or(&self.fallback).rule, dtype)
    }

    /// Whether it judges anything less strictly than the other does.
    #[must_use]
    pub fn is_laxer_than(&self, other: &Self) -> bool {
        let laxer =
            |operator, dtype| self.strictness(operator, dtype) < other.strictness(operator, dtype);
        DType::ALL.into_iter().any(|dtype| laxer(None, dtype))
            || self.decisions.keys().any(|&(operator, dtype)| laxer(Some(operator), dtype))
    }

    /// The decision for everything else.
    #[must_use]
    pub const fn fallback(&self) -> &Decision {
        &self.fallback
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    fn profiles() -> impl Iterator<Item = Arc<Profile>> {
        Profile::NAMES.into_iter().map(|name| Profile::named(name).unwrap())
    }

    #[test]
    fn every_profile_is_found_by_its_name_and_no_other_is() {
        for name in Profile::NAMES {
            assert_eq!(Profile::named(name).unwrap().name(), name);
        }
        assert_eq!(
            Profile::named("ONNX").unwrap_err().to_string(),
            "unknown profile `ONNX`; the profiles are onnx, onnx-1.23, ieee754, sonnx, \
             opencl-full, opencl-embedded, webgpu, cuda-approx"
        );
    }

    #[test]
    fn the_text_of_a_profile_is_that_of_its_name() {
        for profile in profiles() {
            let text = Profile::embedded(profile.name()).unwrap();
            assert_eq!(Profile::parse("x.toml", text).as_ref(), Ok(&*profile));
        }
        assert_eq!(Profile::embedded("exact"), None);
    }

    #[test]
    fn every_pair_of_operator_and_type_has_a_decision_with_its_source() {
        for profile in profiles() {
            let mut decisions = 0;
            for operator in Operator::ALL {
                for &dtype in operator.types() {
                    assert!(!profile.decision(operator, dtype).unwrap().source.is_empty());
                    decisions += 1;
                }
            }
            assert_eq!((decisions, profile.decisions.len()), (16, 16), "{}", profile.name);
        }
    }

    #[test]
    fn the_decisions_of_all_profiles_are_these() {
        let mut table = String::new();
        for profile in profiles() {
            writeln!(table, "{}: {}", profile.name(), profile.title()).unwrap();
            for ((operator, dtype), decision) in &profile.decisions {
                writeln!(table, "  {operator:4} {dtype:8} {}", decision.rule).unwrap();
            }
            writeln!(table, "  else          {}", profile.fallback.rule).unwrap();
        }
        insta::assert_snapshot!(table);
    }
}
