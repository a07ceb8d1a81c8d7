//! Accuracy profiles: named sets of rules for when an element conforms.
//!
//! A profile is data, `crates/judge/profiles/NAME.toml`. It decides by a [`Rule`] with its source: on an
//! element type of an operator that it names, else on a [kind](OperatorKind) of operators, else (where it
//! says nothing of either, and in graphs of several nodes, where the operands of an output element
//! are not known) by one fallback rule that needs no operands. What it says of single cases, by a
//! pattern of their ids, goes before all that. Strings must be equal under every rule but
//! `not_applicable`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::text;
use reference::operator::{Operator, OperatorKind};
use reference::operators;
use values::dtype::{DType, Kind};

mod closeness;
mod file;
mod rule;
mod strictness;
mod tolerance;

pub use closeness::Closeness;
pub use file::ProfileError;
pub use rule::{
    Absolute, Beyond, Body, Bound, Domain, Flush, Limit, Power, Rule, Size, Specials, UlpRule,
    Unrepresentable, ZeroSign,
};
pub use strictness::Strictness;
pub use tolerance::{Tolerance, ToleranceError};

/// A named set of accuracy rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    name: String,
    title: String,
    fallback: Decision,
    decisions: BTreeMap<(String, DType), Decision>,
    kinds: BTreeMap<(OperatorKind, DType), Decision>,
    /// Of single cases, in the order of the file.
    cases: Vec<CaseDecisions>,
    /// The rules for the case at hand.
    of_case: BTreeMap<DType, Decision>,
    /// The cases whose outputs of sums are judged as a whole, too.
    whole: Option<WholeOutputs>,
}

/// Which cases have the errors of all elements of an output held together against what rounding can give.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WholeOutputs {
    /// Of their ids.
    pattern: String,
    /// The document, section and version of the source.
    source: String,
    /// Whether the case at hand is one.
    is_at_hand: bool,
}

/// The rules for the cases whose id matches a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CaseDecisions {
    pattern: String,
    decisions: BTreeMap<DType, Decision>,
}

/// A rule and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// When an element conforms.
    pub rule: Rule,
    /// The document, section and version of the source.
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

/// Names and texts of profiles.
macro_rules! embedded {
    ($($name:literal),*) => {(
        [$($name),*],
        [$(include_str!(concat!("../profiles/", $name, ".toml"))),*],
    )};
}

const COUNT: usize = 10;

/// The profiles that are part of the program, the default one first.
const EMBEDDED: ([&str; COUNT], [&str; COUNT]) = embedded![
    "onnx",
    "onnx-1.23",
    "onnx-exact",
    "exact",
    "ieee754",
    "sonnx",
    "opencl-full",
    "opencl-embedded",
    "webgpu",
    "cuda-approx"
];

static PARSED: LazyLock<Vec<Result<Arc<Profile>, ProfileError>>> = LazyLock::new(|| {
    let files = Profile::NAMES.into_iter().zip(EMBEDDED.1);
    let parse = |(name, text)| Profile::parse(&format!("crates/judge/profiles/{name}.toml"), text);
    files.map(|file| parse(file).map(Arc::new)).collect()
});

impl Profile {
    /// The names of the profiles that are part of the program, the default one first.
    pub const NAMES: [&str; COUNT] = EMBEDDED.0;

    /// The profile of this name among those that are part of the program.
    ///
    /// ```
    /// use onnx_conformance_judge::values::dtype::DType;
    /// use onnx_conformance_judge::profile::Profile;
    /// use onnx_conformance_judge::reference::operators::div::DIV;
    ///
    /// let profile = Profile::named("webgpu")?;
    /// assert!(profile.decision(Some(&DIV), DType::Float32).source.contains("WGSL"));
    ///
    /// let error = Profile::named("strict").unwrap_err().to_string();
    /// assert!(error.contains("ieee754"), "it lists the names there are");
    /// # Ok::<(), onnx_conformance_judge::profile::NamedError>(())
    /// ```
    pub fn named(name: &str) -> Result<Arc<Self>, NamedError> {
        let place = Self::NAMES.iter().position(|&known| known == name);
        match place.and_then(|place| PARSED.get(place)) {
            Some(parsed) => Ok(parsed.clone()?),
            None => Err(NamedError::Unknown(name.to_owned())),
        }
    }

    /// The text of a profile that is part of the program.
    pub fn embedded(name: &str) -> Option<&'static str> {
        let place = Self::NAMES.iter().position(|&known| known == name)?;
        EMBEDDED.1.get(place).copied()
    }

    /// The name used in reports and commands.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in one line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The same profile, but results of an operator on floats may be off by so much; its name says so. `None` where the limit
    /// of an operator cannot be so stated: unless it computes each element from those at its place.
    #[must_use]
    pub fn with_limit(&self, operator: &Operator, limit: Limit) -> Option<Self> {
        let is_limited =
            matches!(operator.kind, OperatorKind::Rounded | OperatorKind::Approximated);
        let mut profile =
            Self { name: format!("{}+{}={limit}", self.name, operator.name), ..self.clone() };
        let types = operator.types().iter().filter(|dtype| matches!(dtype.kind(), Kind::Float(_)));
        let types: Vec<DType> = types.copied().filter(|_| is_limited).collect();
        for &dtype in &types {
            let rule = Rule::Ulp(UlpRule {
                limit,
                growth: None,
                absolute: None,
                domain: Domain::default(),
                flush: Flush::Never,
                zero_sign: ZeroSign::Kept,
                specials: Specials::Ieee754,
                body: Body::Judged,
            });
            let decision = Decision { rule, source: "a limit that the user gives".to_owned() };
            profile.decisions.insert((operator.judged_as.to_owned(), dtype), decision);
        }
        (!types.is_empty()).then_some(profile)
    }

    /// The profile as it judges the case of this id. Of several patterns that match, the first decides.
    pub fn of_case(&self, id: &str) -> Cow<'_, Self> {
        let known = self.cases.iter().find(|case| text::matches(&case.pattern, id));
        let whole = self.whole.as_ref().filter(|whole| text::matches(&whole.pattern, id));
        if known.is_none() && whole.is_none() {
            return Cow::Borrowed(self);
        }
        let of_case = known.map(|case| case.decisions.clone()).unwrap_or_default();
        let whole = whole.map(|whole| WholeOutputs { is_at_hand: true, ..whole.clone() });
        let whole = whole.or_else(|| self.whole.clone());
        Cow::Owned(Self { of_case, whole, ..self.clone() })
    }

    /// Whether the outputs of the case at hand are judged as a whole besides.
    pub(crate) fn judges_whole(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.is_at_hand)
    }

    /// The source of the rule for whole outputs, where it has one.
    pub fn source_of_whole(&self) -> Option<&str> {
        self.whole.as_ref().map(|whole| whole.source.as_str())
    }

    /// The decision for elements of one type, of an operator whose results the reference knows or of
    /// anything else: the profile's own for the case at hand, else that for the operator, else that for
    /// its kind, else the fallback. Without an operator, no rule that needs operands decides.
    pub fn decision(&self, operator: Option<&Operator>, dtype: DType) -> &Decision {
        let of_case = self.of_case.get(&dtype);
        let of_case = of_case.filter(|own| operator.is_some() || !own.rule.needs_operands());
        let known = || {
            let operator = operator?;
            let own = self.decisions.get(&(operator.judged_as.to_owned(), dtype));
            own.or_else(|| self.kinds.get(&(operator.kind, dtype)))
        };
        of_case.or_else(known).unwrap_or(&self.fallback)
    }

    /// How strictly elements of a type are judged: those of an operator whose results the reference
    /// knows, or of anything else.
    pub fn strictness(&self, operator: Option<&Operator>, dtype: DType) -> Strictness {
        let decision = self.decision(operator, dtype);
        Strictness::of(&decision.rule, operator.map(|operator| operator.kind), dtype)
    }

    /// Whether it judges anything less strictly than the other does, be it in single cases.
    pub fn is_laxer_than(&self, other: &Self) -> bool {
        let in_case =
            |case: &CaseDecisions| Self { of_case: case.decisions.clone(), ..self.clone() };
        self.is_laxer_in_general_than(other)
            || self.cases.iter().any(|case| in_case(case).is_laxer_in_general_than(other))
            || (self.whole.is_none() && other.whole.is_some())
    }

    fn is_laxer_in_general_than(&self, other: &Self) -> bool {
        let laxer = |operator, dtype| {
            let asked = other.strictness(operator, dtype);
            !self.strictness(operator, dtype).is_at_least(asked)
        };
        DType::ALL.into_iter().any(|dtype| laxer(None, dtype))
            || operators::OPERATORS
                .iter()
                .any(|&operator| operator.types().iter().any(|&dtype| laxer(Some(operator), dtype)))
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
            "unknown profile `ONNX`; the profiles are onnx, onnx-1.23, onnx-exact, exact, ieee754, \
             sonnx, opencl-full, opencl-embedded, webgpu, cuda-approx"
        );
    }

    #[test]
    fn the_text_of_a_profile_is_that_of_its_name() {
        for profile in profiles() {
            let text = Profile::embedded(profile.name()).unwrap();
            assert_eq!(Profile::parse("x.toml", text).as_ref(), Ok(&*profile));
        }
        assert_eq!(Profile::embedded("strict"), None);
    }

    #[test]
    fn the_decisions_of_all_profiles_are_these() {
        let mut table = String::new();
        for profile in profiles() {
            writeln!(table, "{}: {}", profile.name(), profile.title()).unwrap();
            for ((operator, dtype), decision) in &profile.decisions {
                writeln!(table, "  {operator:12} {dtype:8} {}", decision.rule).unwrap();
            }
            for ((kind, dtype), decision) in &profile.kinds {
                writeln!(table, "  {kind:12} {dtype:8} {}", decision.rule).unwrap();
            }
            writeln!(table, "  else                  {}", profile.fallback.rule).unwrap();
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn an_operator_that_a_file_does_not_name_is_decided_by_its_kind_and_else_by_the_fallback() {
        let text = "name = 'mine'\ntitle = 'x'\n[fallback]\nrule = 'close'\nsource = 'x'\n\
                    [[kind]]\nkind = 'rounded'\ntypes = ['float32']\n\
                    rule.exact = { unrepresentable = 'wrapped' }\nsource = 'y'\n";
        let profile = Profile::parse("mine.toml", text).unwrap();
        let source =
            |dtype| profile.decision(Some(&reference::operators::div::DIV), dtype).source.as_str();
        assert_eq!([DType::Float32, DType::Float64].map(source), ["y", "x"]);
    }

    /// `sonnx` with a rule of its own for some cases.
    fn sonnx_but(entry: &str) -> Profile {
        let text = Profile::embedded("sonnx").unwrap();
        Profile::parse("mine.toml", &format!("{text}\n{entry}")).unwrap()
    }

    #[test]
    fn what_is_said_of_single_cases_goes_before_everything_else_and_is_seen_where_it_is_laxer() {
        let lax = sonnx_but(
            "[[case]]\ncases = 'mine/div/*'\ntypes = ['float32']\nrule = 'close'\nsource = 'x'\n\
             [[case]]\ncases = 'mine/*'\nrule = 'expected_bits'\nsource = 'y'\n",
        );
        let div = Some(&reference::operators::div::DIV);
        let of = |id: &str, dtype| lax.of_case(id).strictness(div, dtype);
        let general = lax.strictness(div, DType::Float32);
        assert_eq!(of("mine/div/a", DType::Float32), Strictness::Close);
        assert_eq!(of("mine/div/a", DType::Float64), general);
        assert_eq!(of("mine/mul/a", DType::Float64), Strictness::Exact);
        assert_eq!(of("sonnx/div/a", DType::Float32), general);
        assert!(lax.is_laxer_than(&Profile::named("sonnx").unwrap()));
        let strict = "[[case]]\ncases = 'mine/*'\nrule = 'expected_bits'\nsource = 'y'\n";
        assert!(!sonnx_but(strict).is_laxer_than(&Profile::named("sonnx").unwrap()));
    }

    #[test]
    fn outputs_are_judged_as_a_whole_in_the_cases_that_a_profile_names() {
        let profile = Profile::named("onnx-exact").unwrap();
        let judges = |id: &str| profile.of_case(id).judges_whole();
        assert!(judges("onnx/matmul_13/float32/whole_output"));
        assert!(!judges("onnx/matmul_13/float32/ordinary") && !profile.judges_whole());
        let close = Profile::named("onnx").unwrap();
        assert!(!close.of_case("onnx/matmul_13/float32/whole_output").judges_whole());
        let text = Profile::embedded("onnx-exact").unwrap();
        let (before, _) = text.split_once("[whole_outputs]").unwrap();
        let lax = Profile::parse("mine.toml", before).unwrap();
        assert!(lax.is_laxer_than(&Profile::parse("x.toml", text).unwrap()));
        for wrong in ["cases = ''\nsource = 'x'", "cases = '*'\nsource = ' '", "cases = '*'"] {
            let text = format!("{before}[whole_outputs]\n{wrong}\n");
            assert!(Profile::parse("mine.toml", &text).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_rule_of_single_cases_that_needs_operands_decides_nothing_where_there_are_none() {
        let entry =
            "[[case]]\ncases = '*'\nrule.exact = { unrepresentable = 'wrapped' }\nsource = 'x'\n";
        let profile = sonnx_but(entry);
        let of_case = profile.of_case("mine/a");
        let div = Some(&reference::operators::div::DIV);
        assert_eq!(of_case.decision(div, DType::Float32).source, "x");
        assert_eq!(of_case.decision(None, DType::Float32), &profile.fallback);
    }
}
