//! The schema of the messages of a run.

use std::fs;
use std::path::Path;

use onnx_conformance::documents::report::Written;
use onnx_conformance::documents::report::messages::Message;
use serde_json::{Value, json};

use crate::reports::{every_verdict, hostile};
use crate::{errors_by, file};

fn errors(message: &Value) -> Vec<String> {
    errors_by(&Message::schema().unwrap().1, message)
}

/// The messages of a run with this report.
fn messages() -> Vec<Value> {
    let mut all = Vec::new();
    for report in [every_verdict(), hostile()] {
        let written = Written::within(Path::new("out"));
        let matrix = Some(["out/matrix.html", "out/matrix.json"].map(Into::into));
        all.push(Message::started(&report.backend, report.cases.len()));
        all.extend(report.cases.iter().map(Message::of));
        all.push(Message::finished(&report, &written, 3));
        all.push(Message::finished(&report, &Written { matrix, ..written }, 0));
    }
    all.iter().map(|message| serde_json::to_value(message).unwrap()).collect()
}

#[test]
fn the_committed_schema_is_the_one_of_the_type() {
    let (path, generated) = Message::schema().unwrap();
    assert!(fs::read_to_string(file(path)).unwrap() == generated, "run `cargo xtask codegen`");
}

#[test]
fn every_message_that_is_written_is_valid_and_reads_back() {
    let messages = messages();
    assert!(messages.len() > 10);
    for message in messages {
        assert_eq!(errors(&message), Vec::<String>::new());
        let read: Message = serde_json::from_value(message.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), message);
    }
}

#[test]
fn a_message_with_a_member_too_many_too_few_or_of_another_event_is_refused() {
    for message in messages() {
        let mut more = message.clone();
        more["surplus"] = json!(1);
        assert!(!errors(&more).is_empty(), "{more}");
        assert!(serde_json::from_value::<Message>(more.clone()).is_err(), "{more}");
        let mut less = message.clone();
        less.as_object_mut().unwrap().remove("provenance").unwrap();
        assert!(!errors(&less).is_empty(), "{less}");
        let mut other = message;
        other["event"] = json!("run_paused");
        assert!(!errors(&other).is_empty(), "{other}");
    }
}
