//! The messages of the adapter protocol, one JSON object a line.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::backend::{Identity, Refusal, RefusalKind, Stage};

/// What the harness asks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    Hello { protocol: u32 },
    Run(Run),
}

/// A model to run on inputs, and where its outputs go.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) id: u64,
    pub(super) model: PathBuf,
    pub(super) inputs: Vec<PathBuf>,
    pub(super) outputs: Vec<PathBuf>,
}

/// What an adapter answers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Hello { backend: Backend },
    Ok { id: u64, ok: Empty },
    Refused { id: u64, refused: Refused },
}

#[derive(Debug, Serialize)]
pub(super) struct Backend {
    name: String,
    version: String,
    details: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Empty {}

#[derive(Debug, Serialize)]
pub(super) struct Refused {
    stage: &'static str,
    kind: &'static str,
    message: String,
}

impl Answer {
    pub(super) fn hello(identity: Identity) -> Self {
        let Identity { name, version, details } = identity;
        Self::Hello { backend: Backend { name, version, details } }
    }

    pub(super) const fn ok(id: u64) -> Self {
        Self::Ok { id, ok: Empty {} }
    }

    pub(super) fn refused(id: u64, refusal: Refusal) -> Self {
        let stage = match refusal.stage {
            Stage::Load => "load",
            Stage::Run => "run",
        };
        let kind = match refusal.kind {
            RefusalKind::Unsupported => "unsupported",
            RefusalKind::Invalid => "invalid",
            RefusalKind::Error => "error",
        };
        Self::Refused { id, refused: Refused { stage, kind, message: refusal.message } }
    }

    /// Writes the answer as a line and sends it off.
    pub(super) fn write(&self, answers: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *answers, self)?;
        answers.write_all(b"\n")?;
        answers.flush()
    }
}
