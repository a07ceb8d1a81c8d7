//! Suites: the cases that cover one specification, by which a suite is known.

pub use reference::operator::Specification as Suite;

/// The name is that of no suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown suite `{0}`; the suites are: {names}", names = Suite::ALL.map(Suite::name).join(", "))]
pub struct UnknownSuite(pub String);

/// The suite of this name.
pub fn named(name: &str) -> Result<Suite, UnknownSuite> {
    let found = Suite::ALL.into_iter().find(|suite| suite.name() == name);
    found.ok_or_else(|| UnknownSuite(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_is_found_by_its_name() {
        for suite in Suite::ALL {
            assert_eq!(named(suite.name()), Ok(suite));
        }
        assert_eq!(
            named("node").unwrap_err().to_string(),
            "unknown suite `node`; the suites are: onnx, sonnx, sonnx-draft, openvino"
        );
    }
}
