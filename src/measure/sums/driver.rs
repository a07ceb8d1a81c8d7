//! Sums from the vectors to the files: row by row.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::document::{Decade, FORMAT_VERSION, Largest, Row, Sums};
use super::judge::{Group, Judged};
use super::probes;
use super::summation::Summation;
use super::vector::{Vector, format};
use crate::backend::{Backend, Identity};
use crate::corpus::Digest;
use crate::document::provenance;
use crate::document::write::{WriteError, create_folder, write_file};
use crate::document::{JsonDocument, Sealed};
use crate::dtype::DType;
use crate::measure::campaign::{self, Failure, notation};
use crate::oracle::{Deviation, Share, Ulps};
use crate::tensor::Value;
use reference::conditioned::{Order, Term};

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "sums.json";

/// Condition numbers of one decade: factors of two.
pub(super) const DECADE: u32 = 8;

/// Which operators and types are measured.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of operators; all if there is none.
    pub operators: Vec<String>,
    /// Element types; all if there is none.
    pub types: Vec<DType>,
}

/// What has the sums of vectors of one length computed by an operator on a type.
pub type Ask<'a> = dyn Fn(&Summation, DType, &[Vec<Term>]) -> Result<Vec<u64>, Failure> + Sync + 'a;

/// A backend to measure.
pub struct Subject<'a> {
    /// The identity that it reports.
    pub identity: Identity,
    /// What computes its sums.
    pub ask: Box<Ask<'a>>,
}

/// Measured sums, as written.
#[derive(Debug)]
pub struct Conducted {
    /// The document, as written.
    pub document: Sums,
    /// Path of the document.
    pub written: PathBuf,
}

/// Sums could not be measured, or the document not be written.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// Rows of two backends would have the same name.
    #[error(
        "two backends have the name `{0}` and the version {1}; write each to a folder of its own"
    )]
    Same(String, String),
    /// The reference does not know an operator's call.
    #[error("the reference does not know the sums of {0}")]
    Unknown(&'static str),
    /// The files cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Serialisation failed.
    #[error("failed to serialise the sums")]
    Serialise(#[from] serde_json::Error),
    /// The run was interrupted.
    #[error("interrupted at {0} of {1} rows; nothing was written")]
    Interrupted(usize, usize),
}

/// The operators and types to measure, by name.
pub fn summations(choice: &Choice) -> Vec<(Summation, DType)> {
    let is_chosen = |it: &Summation| {
        choice.operators.is_empty() || choice.operators.iter().any(|name| name == it.operator.name)
    };
    let of = |summation: Summation| {
        let types = DType::ALL.into_iter();
        types
            .filter(move |&dtype| summation.has(dtype))
            .filter(|dtype| choice.types.is_empty() || choice.types.contains(dtype))
            .map(move |dtype| (summation, dtype))
    };
    Summation::all().filter(is_chosen).flat_map(of).collect()
}

/// Runs models of one node on a backend.
pub fn asked<'a>(backend: &Arc<dyn Backend>, time: Duration) -> Box<Ask<'a>> {
    let backend = Arc::clone(backend);
    Box::new(move |summation, dtype, vectors| {
        let unusable = |what: String| Failure::Unusable(what);
        let question =
            summation.question(dtype, vectors).map_err(|error| unusable(error.to_string()))?;
        let file = summation.model(&question);
        let inputs: Vec<_> = question.data.into_iter().map(Value::Tensor).collect();
        let outputs = campaign::outputs(&*backend, &file, &inputs, time)?;
        let wanted = question.output;
        match &outputs[..] {
            [Value::Tensor(given)] if given.dtype() == dtype && given.shape() == wanted.shape() => {
                let at =
                    |row| given.element(summation.place(row, vectors.len())).map(|it| it as u64);
                Ok((0..vectors.len()).filter_map(at).collect())
            }
            [Value::Tensor(given)] => Err(unusable(format!(
                "it gave {} {:?} for {dtype} {:?}",
                given.dtype(),
                given.shape(),
                wanted.shape()
            ))),
            _ => Err(unusable(format!("it gave {} values", outputs.len()))),
        }
    })
}

/// Asks every backend for the sums of all operators and types, so many at a time, and writes the document into a folder. The observer
/// is told how many rows are done, and the one that is under way; it may stop all of it.
pub fn drive(
    summations: &[(Summation, DType)],
    subjects: &[Subject<'_>],
    seed: u64,
    dir: &Path,
    threads: NonZeroUsize,
    observer: &mut dyn FnMut(usize, &Row) -> ControlFlow<()>,
) -> Result<Conducted, ConductError> {
    let mut names = BTreeSet::new();
    for Subject { identity: Identity { name, version, .. }, .. } in subjects {
        if !names.insert((name, version)) {
            return Err(ConductError::Same(name.clone(), version.clone()));
        }
    }
    let started = Instant::now();
    let (mut rows, planned) = (Vec::new(), summations.len() * subjects.len());
    for (summation, dtype) in summations {
        for subject in subjects {
            let done = rows.len();
            let mut row = Row::of(summation, *dtype, &subject.identity);
            let mut observe = |row: &Row| observer(done, row);
            let ended = fill(&mut row, (summation, *dtype), subject, seed, threads, &mut observe);
            match ended {
                Ok(()) => {}
                Err(Ended::Failed(failure)) => row.failure = Some(reason(&failure)),
                Err(Ended::Stopped) => return Err(ConductError::Interrupted(done, planned)),
                Err(Ended::Unknown) => {
                    return Err(ConductError::Unknown(summation.operator.name));
                }
            }
            rows.push(row);
        }
    }
    rows.sort_by(|a, b| a.key().cmp(&b.key()));
    let elapsed = started.elapsed();
    let durations = [("sums".to_owned(), provenance::seconds(elapsed))].into();
    let document = Sums {
        format_version: FORMAT_VERSION,
        tool: provenance::tool(),
        seed,
        rows,
        digest: Digest::of(&[]),
        provenance: provenance::since(elapsed, durations),
    };
    let document = document.sealed()?;
    let bytes = document.to_bytes()?;
    create_folder(dir)?;
    let written = dir.join(DOCUMENT);
    write_file(&written, bytes)?;
    Ok(Conducted { document, written })
}

/// A failure in the words of a row.
fn reason(failure: &Failure) -> String {
    match failure {
        Failure::Unsupported(reason) => format!("the backend does not support it: {reason}"),
        _ => failure.to_string(),
    }
}

/// What keeps a row from its end.
enum Ended {
    Failed(Failure),
    Stopped,
    Unknown,
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Asks for all vectors of a row, and then the probes.
fn fill(
    row: &mut Row,
    (summation, dtype): (&Summation, DType),
    subject: &Subject<'_>,
    seed: u64,
    threads: NonZeroUsize,
    observe: &mut dyn FnMut(&Row) -> ControlFlow<()>,
) -> Result<(), Ended> {
    let answer = |vectors: &[Vec<Term>]| {
        let results = (subject.ask)(summation, dtype, vectors)?;
        let (given, wanted) = (results.len(), vectors.len());
        let short = || Failure::Unusable(format!("it gave {given} sums for {wanted}"));
        (given == wanted).then_some(results).ok_or_else(short)
    };
    let of_group = |group: &(usize, u32)| {
        let group = Group::of(summation, dtype, seed, *group, &Order::ALL).ok_or(Ended::Unknown)?;
        let results = answer(&group.terms)?;
        group.judged(summation, dtype, &results).ok_or(Ended::Unknown)
    };
    let groups = Vector::groups(dtype);
    for together in groups.chunks(threads.get()) {
        if observe(row).is_break() {
            return Err(Ended::Stopped);
        }
        let judged: Vec<_> = together.par_iter().map(of_group).collect();
        for group in judged {
            group?.iter().for_each(|judged| row.record(judged, dtype));
        }
    }
    if observe(row).is_break() {
        return Err(Ended::Stopped);
    }
    let format = format(dtype).ok_or(Ended::Unknown)?;
    row.accumulator = Some(probes::accumulator(summation, format, &answer)?);
    Ok(())
}

impl Row {
    /// The row of an operator and a type before anything was executed.
    fn of(summation: &Summation, dtype: DType, identity: &Identity) -> Self {
        Self {
            backend: identity.name.clone(),
            version: identity.version.clone(),
            operator: summation.operator.name.to_owned(),
            type_name: dtype.name().to_owned(),
            vectors: Vector::count(dtype),
            executed: 0,
            not_conforming: 0,
            reference_undecided: 0,
            counterexample: None,
            max_error: None,
            max_share: None,
            decades: Vec::new(),
            accumulator: None,
            failure: None,
        }
    }

    /// Adds what was judged of a result.
    fn record(&mut self, judged: &Judged, dtype: DType) {
        self.executed += 1;
        self.not_conforming += u64::from(judged.conforms == Some(false));
        self.reference_undecided += u64::from(judged.conforms.is_none());
        let witness = || Some(judged.witness(dtype));
        if judged.conforms == Some(false) && self.counterexample.is_none() {
            self.counterexample = witness();
        }
        if self.error().is_none_or(|largest| judged.error > largest) {
            self.max_error = witness();
        }
        if judged.share > self.share() {
            self.max_share = witness();
        }
        let condition_log2 = judged.condition / DECADE * DECADE;
        let at = self.decades.partition_point(|decade| decade.condition_log2 < condition_log2);
        if self.decades.get(at).is_none_or(|decade| decade.condition_log2 != condition_log2) {
            self.decades.insert(at, Decade { condition_log2, orders: Vec::new() });
        }
        self.decades[at].record(judged);
    }

    /// The largest error so far.
    fn error(&self) -> Option<Deviation> {
        notation::read_error(&self.max_error.as_ref()?.error_ulp)
    }

    /// The largest share so far.
    fn share(&self) -> Option<Share> {
        Share::parse(self.max_share.as_ref()?.share.as_deref()?)
    }
}

impl Decade {
    fn record(&mut self, judged: &Judged) {
        let name = judged.vector.order.name();
        let place = |name: &str| Order::ALL.iter().position(|order| order.name() == name);
        let at = self.orders.partition_point(|largest| place(&largest.order) < place(name));
        if self.orders.get(at).is_none_or(|largest| largest.order != name) {
            let none = Deviation::Ulps(Ulps::ZERO);
            let order = name.to_owned();
            let error_ulp = notation::error(none);
            self.orders.insert(at, Largest { order, vectors: 0, error_ulp, share: None });
        }
        let largest = &mut self.orders[at];
        largest.vectors += 1;
        if notation::read_error(&largest.error_ulp).is_none_or(|known| judged.error > known) {
            largest.error_ulp = notation::error(judged.error);
        }
        if judged.share > largest.share.as_deref().and_then(Share::parse) {
            largest.share = judged.share.map(|share| share.to_string());
        }
    }
}
