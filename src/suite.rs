//! Suites: the cases of one purpose, and the specification they speak for.

use std::fmt;

use reference::operator::Specification;

/// A suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// ONNX: its node cases, and what they lack.
    Onnx,
    /// SONNX, the safety-related profile of ONNX.
    Sonnx,
    /// The earlier SONNX draft of Div.
    SonnxDraft,
    /// Divide-1 of OpenVINO.
    OpenVino,
}

/// The name is that of no suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown suite `{0}`; the suites are: {names}", names = Suite::ALL.map(Suite::name).join(", "))]
pub struct UnknownSuite(pub String);

impl Suite {
    /// Every suite.
    pub const ALL: [Self; 4] = [Self::Onnx, Self::Sonnx, Self::SonnxDraft, Self::OpenVino];

    /// The name used in commands, reports and as the folder of the suite's own cases.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Onnx => "onnx",
            Self::Sonnx => "sonnx",
            Self::SonnxDraft => "sonnx-draft",
            Self::OpenVino => "openvino",
        }
    }

    /// The suite of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the error lists the names there are.
    pub fn named(name: &str) -> Result<Self, UnknownSuite> {
        let found = Self::ALL.into_iter().find(|suite| suite.name() == name);
        found.ok_or_else(|| UnknownSuite(name.to_owned()))
    }

    /// The specification that its cases are held to.
    pub const fn specification(self) -> Specification {
        match self {
            Self::Onnx => Specification::Onnx,
            Self::Sonnx => Specification::Sonnx,
            Self::SonnxDraft => Specification::SonnxDraft,
            Self::OpenVino => Specification::OpenVino,
        }
    }

    /// Whether SONNX's restrictions hold: operands of one shape and of a type that SONNX has.
    pub const fn is_restricted(self) -> bool {
        matches!(self, Self::Sonnx | Self::SonnxDraft)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_is_found_by_its_name() {
        for suite in Suite::ALL {
            assert_eq!(Suite::named(suite.name()), Ok(suite));
        }
        assert_eq!(
            Suite::named("node").unwrap_err().to_string(),
            "unknown suite `node`; the suites are: onnx, sonnx, sonnx-draft, openvino"
        );
    }
}
