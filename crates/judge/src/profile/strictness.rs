//! How strictly a rule judges, so that it can be compared with what a requirement demands.

use std::cmp::Reverse;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::rule::{Body, Domain, Flush, Limit, Rule, Specials, ZeroSign};
use reference::operator::OperatorKind;
use values::dtype::{DType, Kind};

/// How strictly elements are judged. The greater is the stricter.
///
/// Written `exact`, `2.5 ULP`, `2.5 ULP or flushed`, `2.5 ULP or by body`, `accumulated`, `close`, `partly` and `undecided`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Strictness {
    /// Not at all.
    Undecided,
    /// Within a limit, but not every element: special values or a part of the operands are left undecided, or
    /// have another limit than that in ULP.
    Partly,
    /// Within a tolerance around the expected element.
    Close,
    /// Within a bound on the error that grows with the number of terms and their magnitude.
    Accumulated,
    /// Within a limit on the error, or what the steps of ONNX's function body may give.
    ByBody(Reverse<Limit>),
    /// Within a limit on the error, or a zero in the place of a subnormal number.
    Flushed(Reverse<Limit>),
    /// Within a limit on the error against the real result.
    Limit(Reverse<Limit>),
    /// One result alone, but for what the specification leaves open.
    Exact,
}

impl Strictness {
    /// How strictly a rule judges elements of a type: of an operator of this kind, or of anything
    /// else.
    pub fn of(rule: &Rule, operators: Option<OperatorKind>, dtype: DType) -> Self {
        let is_equal = matches!(dtype.kind(), Kind::Bool | Kind::String);
        let is_rounded = matches!(dtype.kind(), Kind::Float(_) | Kind::Complex(_));
        match rule {
            Rule::NotApplicable { .. } => Self::Undecided,
            Rule::Close | Rule::CloseWidened if !is_equal => Self::Close,
            // What the reference allows of a sum, and of what is composed of several operations, is what its bound does.
            Rule::Exact { .. } | Rule::Accumulated
                if is_rounded && operators.is_some_and(OperatorKind::is_bounded) =>
            {
                Self::Accumulated
            }
            Rule::Close
            | Rule::CloseWidened
            | Rule::ExpectedBits
            | Rule::Exact { .. }
            | Rule::Accumulated => Self::Exact,
            Rule::Ulp(rule) if rule.body == Body::Accepted => Self::ByBody(Reverse(rule.limit)),
            Rule::Ulp(rule)
                if (rule.specials, rule.domain) != (Specials::Ieee754, Domain::default())
                    || rule.absolute.is_some()
                    || rule.growth.is_some() =>
            {
                Self::Partly
            }
            Rule::Ulp(rule) if (rule.flush, rule.zero_sign) == (Flush::Never, ZeroSign::Kept) => {
                Self::Limit(Reverse(rule.limit))
            }
            Rule::Ulp(rule) => Self::Flushed(Reverse(rule.limit)),
        }
    }

    /// Whether what it lets pass conforms where this other strictness is asked. A limit in ULP says
    /// nothing of the bound of a sum, which may be narrower.
    pub fn is_at_least(self, asked: Self) -> bool {
        let is_limit = matches!(self, Self::ByBody(_) | Self::Flushed(_) | Self::Limit(_));
        self >= asked && !(is_limit && asked == Self::Accumulated)
    }
}

impl fmt::Display for Strictness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecided => f.pad("undecided"),
            Self::Partly => f.pad("partly"),
            Self::Close => f.pad("close"),
            Self::Accumulated => f.pad("accumulated"),
            Self::ByBody(Reverse(limit)) => write!(f, "{limit} ULP or by body"),
            Self::Flushed(Reverse(limit)) => write!(f, "{limit} ULP or flushed"),
            Self::Limit(Reverse(limit)) => write!(f, "{limit} ULP"),
            Self::Exact => f.pad("exact"),
        }
    }
}

impl From<Strictness> for String {
    fn from(strictness: Strictness) -> Self {
        strictness.to_string()
    }
}

impl TryFrom<String> for Strictness {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let limit = |text: &str| Limit::try_from(text.to_owned()).map(Reverse);
        match text.as_str() {
            "undecided" => Ok(Self::Undecided),
            "partly" => Ok(Self::Partly),
            "close" => Ok(Self::Close),
            "accumulated" => Ok(Self::Accumulated),
            "exact" => Ok(Self::Exact),
            text if text.ends_with(" ULP or by body") => {
                limit(text.trim_end_matches(" ULP or by body")).map(Self::ByBody)
            }
            text => match (text.strip_suffix(" ULP or flushed"), text.strip_suffix(" ULP")) {
                (Some(number), _) => limit(number).map(Self::Flushed),
                (None, Some(number)) => limit(number).map(Self::Limit),
                (None, None) => Err(format!(
                    "`{text}` is not a strictness; use exact, 2.5 ULP, 2.5 ULP or flushed, \
                     accumulated, close and undecided"
                )),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::operators::div::DIV;

    use crate::profile::Profile;

    fn strictness(text: &str) -> Result<Strictness, String> {
        Strictness::try_from(text.to_owned())
    }

    #[test]
    fn the_stricter_is_the_greater_and_each_reads_as_it_is_written() {
        let order =
            "undecided|partly|close|accumulated|3 ULP or by body|3 ULP or flushed|3 ULP|2.5 ULP|exact".split('|');
        let order: Vec<_> = order.collect();
        let read: Vec<_> = order.iter().map(|text| strictness(text).unwrap()).collect();
        assert!(read.is_sorted_by(|a, b| a < b), "{read:?}");
        assert_eq!(read.into_iter().map(String::from).collect::<Vec<_>>(), order);
        for text in ["", "Exact", "2.5", "x ULP", "-1 ULP", "0.1 ULP"] {
            assert!(strictness(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_rules_of_the_tools_profiles_are_as_strict_as_they_say() {
        for (profile, dtype, expected) in [
            ("sonnx", DType::Float32, "exact"),
            ("sonnx", DType::Bfloat16, "undecided"),
            ("ieee754", DType::Int8, "exact"),
            ("onnx", DType::Float32, "close"),
            ("onnx-1.23", DType::Int64, "close"),
            ("webgpu", DType::Float32, "partly"),
            ("opencl-full", DType::Float32, "2.5 ULP or flushed"),
            ("opencl-embedded", DType::Float64, "3 ULP"),
        ] {
            let profile = Profile::named(profile).unwrap();
            let found = profile.strictness(Some(&DIV), dtype);
            assert_eq!(found.to_string(), expected, "{} {dtype}", profile.name());
        }
        let onnx = Profile::named("onnx").unwrap();
        assert_eq!(onnx.strictness(None, DType::String), Strictness::Exact);
        assert_eq!(onnx.strictness(None, DType::Float32), Strictness::Close);
    }

    #[test]
    fn exact_rules_of_sums_are_as_strict_as_their_bound_and_no_limit_stands_for_it() {
        let rule = |text: &str| {
            let text = format!(
                "name = 'mine'\ntitle = 'x'\n[fallback]\nrule = 'close'\nsource = 'x'\n\
                 [[kind]]\nkind = 'accumulated'\nrule{text}\nsource = 'x'\n"
            );
            let profile = Profile::parse("mine.toml", &text).unwrap();
            let decision = profile.kinds.get(&(OperatorKind::Accumulated, DType::Float32));
            decision.unwrap().rule.clone()
        };
        let exact = rule(".exact = { unrepresentable = 'wrapped' }");
        let accumulated = rule(" = 'accumulated'");
        let of = |rule, dtype| Strictness::of(rule, Some(OperatorKind::Accumulated), dtype);
        for rule in [&exact, &accumulated] {
            assert_eq!(of(rule, DType::Float32), Strictness::Accumulated);
            assert_eq!(of(rule, DType::Int32), Strictness::Exact, "integers are not rounded");
        }
        let rounded = Strictness::of(&exact, Some(OperatorKind::Rounded), DType::Float32);
        assert_eq!(rounded, Strictness::Exact);
        let at_least = |text: &str, asked| strictness(text).unwrap().is_at_least(asked);
        for (text, is_enough) in
            [("exact", true), ("accumulated", true), ("0.5 ULP", false), ("close", false)]
        {
            assert_eq!(at_least(text, Strictness::Accumulated), is_enough, "{text}");
        }
        assert!(!at_least("accumulated", strictness("3 ULP").unwrap()));
    }

    #[test]
    fn operators_that_a_profile_does_not_name_are_judged_as_strictly_as_their_kind() {
        let sonnx = Profile::named("sonnx").unwrap();
        let of = |kind, dtype| {
            let decision = sonnx.kinds.get(&(kind, dtype)).unwrap();
            Strictness::of(&decision.rule, Some(kind), dtype).to_string()
        };
        assert_eq!(of(OperatorKind::Exact, DType::Float32), "exact");
        assert_eq!(of(OperatorKind::Approximated, DType::Float32), "3 ULP");
        assert_eq!(of(OperatorKind::Accumulated, DType::Float32), "accumulated");
        assert_eq!(of(OperatorKind::Accumulated, DType::Int8), "exact");
        assert_eq!(of(OperatorKind::Composed, DType::Float32), "accumulated");
        assert_eq!(of(OperatorKind::Composed, DType::Int16), "exact");
    }

    #[test]
    fn a_profile_is_laxer_than_another_where_any_of_its_rules_is() {
        let laxer = |one, other| {
            Profile::named(one).unwrap().is_laxer_than(&Profile::named(other).unwrap())
        };
        assert!(laxer("onnx", "sonnx") && !laxer("sonnx", "sonnx") && !laxer("ieee754", "onnx"));
        assert!(laxer("sonnx", "onnx"), "it decides nothing on bfloat16");
        assert!(laxer("opencl-embedded", "opencl-full"));
    }
}
