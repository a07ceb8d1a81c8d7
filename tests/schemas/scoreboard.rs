//! The schema of the scoreboard.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::scoreboard::document::Scoreboard;
use serde_json::Value;

use crate::scoreboards::{full, hostile, scoreboard};
use crate::{assert_committed, errors};

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Scoreboard>();
}

#[test]
fn every_scoreboard_is_valid_and_one_with_a_member_too_many_is_not() {
    for reports in [full(), hostile(), vec![]] {
        let bytes = scoreboard(reports).to_bytes().unwrap();
        let mut value: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(errors::<Scoreboard>(&value), Vec::<String>::new());
        value["surplus"] = 1.into();
        assert!(!errors::<Scoreboard>(&value).is_empty());
    }
}
