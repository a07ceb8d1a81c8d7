//! The tolerance of a case, and the `data.json` that may state one.

use serde::Deserialize;
use serde::de::Error;

use values::limits::{self, Budget};

/// How far an element may be from the expected one: `atol + rtol * |expected|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative part; finite, not negative.
    pub rtol: f64,
    /// Absolute part; finite, not negative.
    pub atol: f64,
}

/// A `data.json` does not state a tolerance.
#[derive(Debug, thiserror::Error)]
pub enum ToleranceError {
    /// It is not a JSON object with numbers in the fields that matter.
    #[error("failed to read the tolerance: {0}")]
    Json(#[from] serde_json::Error),
    /// A tolerance below 0 would accept nothing.
    #[error("failed to read the tolerance: `{field}` is {value}, but must not be negative")]
    Negative {
        /// `rtol` or `atol`.
        field: &'static str,
        /// The value.
        value: f64,
    },
}

impl Default for Tolerance {
    /// The official runner's: `rtol` 1e-3, `atol` 1e-7 (`onnx/backend/test/loader` of ONNX 1.22.0).
    fn default() -> Self {
        Self { rtol: 1e-3, atol: 1e-7 }
    }
}

impl Tolerance {
    /// The tolerance in the text of a case's `data.json`: an object in which both `rtol` and `atol`
    /// are optional, with the defaults of the official runner, and other fields do not matter.
    pub fn from_data_json(text: &[u8]) -> Result<Self, ToleranceError> {
        Self::from_data_json_within(text, &mut Budget::default())
    }

    /// As [`Self::from_data_json`], of a file that is a part of an input.
    pub fn from_data_json_within(text: &[u8], budget: &mut Budget) -> Result<Self, ToleranceError> {
        #[derive(Deserialize)]
        struct Stated {
            rtol: Option<f64>,
            atol: Option<f64>,
        }
        // serde takes a list for a struct.
        if text.trim_ascii_start().first() == Some(&b'[') {
            let error = serde_json::Error::custom("invalid type: sequence, expected an object");
            return Err(error.into());
        }
        let Stated { rtol, atol } = limits::from_json_within(text, budget)?;
        let stated = |field, value: Option<f64>, default| match value {
            Some(value) if value < 0.0 => Err(ToleranceError::Negative { field, value }),
            value => Ok(value.unwrap_or(default)),
        };
        let default = Self::default();
        Ok(Self {
            rtol: stated("rtol", rtol, default.rtol)?,
            atol: stated("atol", atol, default.atol)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Tolerance, String> {
        Tolerance::from_data_json(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_a_case_does_not_state_is_the_official_default() {
        assert_eq!(read("{}"), Ok(Tolerance { rtol: 1e-3, atol: 1e-7 }));
        assert_eq!(read(r#"{"rtol": 0.002}"#), Ok(Tolerance { rtol: 0.002, atol: 1e-7 }));
        let stated = r#"{"atol": 1, "rtol": 0, "model_name": "vgg19", "url": "somewhere"}"#;
        assert_eq!(read(stated), Ok(Tolerance { rtol: 0.0, atol: 1.0 }));
    }

    #[test]
    fn a_stated_tolerance_is_read_to_the_last_bit() {
        for text in ["1.7976931348623157e308", "4.35e-3", "6.0221407e-23", "0.30000000000000004"] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(read(&format!(r#"{{"rtol": {text}}}"#)).unwrap().rtol, expected);
        }
    }

    #[test]
    fn what_is_no_tolerance_is_an_error() {
        for (text, message) in [
            ("", "EOF"),
            ("[0.1, 0.1]", "invalid type: sequence"),
            (r#"{"rtol": "0.1"}"#, "expected f64"),
            (r#"{"atol": 1e999}"#, "number out of range"),
            (r#"{"atol": -1e-9}"#, "`atol` is -0.000000001, but must not be negative"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
