//! The adapter protocol: one JSON object a line, requests one way and answers the other.
//!
//! `docs/adapter-protocol.md` describes it for authors of adapters.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Identity, Refusal};
use crate::limits;

/// Version of the protocol.
pub const VERSION: u32 = 1;

/// Longest line of an adapter that is read, in bytes. An answer of the protocol is far shorter.
pub const LINE_LIMIT: usize = 1 << 20;

/// What an adapter wrote to its standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The beginning of a line that was not ended before the stream was.
    Half(Vec<u8>),
    /// A line longer than [`LINE_LIMIT`]; nothing more is to be taken.
    TooLong,
}

impl Said {
    /// Takes the next line out of what was read so far, where it has an end or is too long.
    pub fn take(read: &mut Vec<u8>) -> Option<Self> {
        match read.iter().take(LINE_LIMIT + 1).position(|byte| *byte == b'\n') {
            Some(end) => {
                let mut line: Vec<u8> = read.drain(..=end).collect();
                line.pop();
                Some(Self::Line(line))
            }
            None => (read.len() > LINE_LIMIT).then_some(Self::TooLong),
        }
    }
}

/// A request of the harness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Who are you? The first request of a process.
    Hello(Hello),
    /// Run a model.
    Run(Job),
}

/// The harness introduces itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Version of the protocol that it speaks.
    pub protocol: u32,
}

/// A model to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Number of the request, to be repeated in the answer.
    pub id: u64,
    /// The model: `.onnx`, or `.xml` of OpenVINO.
    pub model: PathBuf,
    /// The values of the data set, as serialised ONNX values.
    pub inputs: Vec<PathBuf>,
    /// Where each output of the graph goes, as a serialised ONNX value.
    pub outputs: Vec<PathBuf>,
}

/// The answer to [`Request::Hello`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// Who the backend is.
    pub backend: Identity,
}

/// The answer to [`Request::Run`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Reply {
    /// Every output was written.
    Ok {
        /// Number of the request.
        id: u64,
        /// Holds nothing.
        ok: Empty,
    },
    /// The backend refused.
    Refused {
        /// Number of the request.
        id: u64,
        /// When, why, and in its own words.
        refused: Refusal,
    },
}

/// An object without members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

impl Greeting {
    /// The answer in a line.
    pub fn read(line: &[u8]) -> Result<Self, serde_json::Error> {
        limits::from_json(line)
    }
}

impl Reply {
    /// The answer in a line.
    pub fn read(line: &[u8]) -> Result<Self, serde_json::Error> {
        limits::from_json(line)
    }

    /// The answer that every output of the request of this number was written.
    pub const fn ok(id: u64) -> Self {
        Self::Ok { id, ok: Empty {} }
    }

    /// Number of the request that it answers.
    pub const fn id(&self) -> u64 {
        match self {
            Self::Ok { id, .. } | Self::Refused { id, .. } => *id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{RefusalKind, Stage};

    fn line(message: &impl Serialize) -> String {
        serde_json::to_string(message).unwrap()
    }

    #[test]
    fn messages_read_as_the_protocol_has_them() {
        assert_eq!(
            line(&Request::Hello(Hello { protocol: VERSION })),
            r#"{"hello":{"protocol":1}}"#
        );
        let job = Job {
            id: 7,
            model: "/m.onnx".into(),
            inputs: vec!["/i".into()],
            outputs: vec!["/o".into()],
        };
        assert_eq!(
            line(&Request::Run(job)),
            r#"{"run":{"id":7,"model":"/m.onnx","inputs":["/i"],"outputs":["/o"]}}"#
        );
        assert_eq!(line(&Reply::ok(7)), r#"{"id":7,"ok":{}}"#);
        let refusal = Refusal {
            stage: Stage::Load,
            kind: RefusalKind::Unsupported,
            message: "no Abs".to_owned(),
        };
        let refused = Reply::Refused { id: 8, refused: refusal };
        let text = r#"{"id":8,"refused":{"stage":"load","kind":"unsupported","message":"no Abs"}}"#;
        assert_eq!(line(&refused), text);
        assert_eq!(serde_json::from_str::<Reply>(text).unwrap(), refused);
    }

    #[test]
    fn what_is_not_of_the_protocol_is_no_answer() {
        for text in [
            "",
            "ok",
            r#"{"id":1}"#,
            r#"{"id":1,"ok":{},"refused":{}}"#,
            r#"{"id":-1,"ok":{}}"#,
            r#"{"id":1,"ok":{},"note":"x"}"#,
            r#"{"id":1,"refused":{"stage":"late","kind":"error","message":""}}"#,
        ] {
            assert!(serde_json::from_str::<Reply>(text).is_err(), "{text}");
        }
    }
}
