//! A session: one process of an adapter at a time, with the folder that it shares with
//! the harness.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tempfile::TempDir;

use super::Program;
use super::process::{Process, ProcessRegistry, ReadEvent, described};
use crate::backend::protocol::{Greeting, Hello, Job, Reply, Request, Said, VERSION};
use crate::backend::{Answer, Identity, Outcome, Refusal, Task, builtin};
use crate::compare::quoted;
use crate::limits::{self, Budget};
use crate::onnx::{decode_value_within, encode_value};
use crate::tensor::Value;

/// Longest message of an adapter that is kept, in bytes.
const MESSAGE_KEPT: usize = 4 << 10;

pub(super) struct AdapterSession {
    process: Process,
    started: Instant,
    folder: TempDir,
    identity: Option<Identity>,
    model: Option<PlacedModel>,
    next: u64,
}

/// The model that lies in the folder. Its path is never that of another model.
struct PlacedModel {
    file: Bytes,
    path: PathBuf,
}

/// What became of a task that a process was given.
pub(super) enum Taken {
    /// It answered, and can be given another.
    Answered(Answer, Box<AdapterSession>),
    /// Its process had to be ended.
    Lost(Answer),
    /// Its process had ended before, and never knew of the task.
    WasGone,
}

impl AdapterSession {
    /// Starts a process, without waiting for it.
    pub(super) fn start(
        program: &Program,
        registry: &ProcessRegistry,
        below: &Path,
    ) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("process-").tempdir_in(below)?;
        let mut process = Process::start(program, registry, folder.path())?;
        let hello = Request::Hello(Hello { protocol: VERSION });
        // A process that has ended by now is found out when it is listened to.
        let _ = process.send(serde_json::to_vec(&hello)?);
        let (identity, model) = (None, None);
        Ok(Self { process, started: Instant::now(), folder, identity, model, next: 0 })
    }

    /// Who the process is. It is waited for until so long after its start; where it does not say,
    /// it is ended, and the answer says what is wrong.
    pub(super) fn greet(mut self, patience: Duration) -> Result<(Self, Identity), Answer> {
        if let Some(identity) = self.identity.clone() {
            return Ok((self, identity));
        }
        let event = self.process.listen(self.started + patience);
        let problem = match &event {
            ReadEvent::Said(Said::Line(line)) => match Greeting::read(line) {
                Ok(Greeting { backend }) if backend.name == builtin::NAME => format!(
                    "the adapter calls itself `{}`, which is the name of this program's own kernels",
                    builtin::NAME
                ),
                Ok(Greeting { backend }) => {
                    self.identity = Some(backend.clone());
                    return Ok((self, backend));
                }
                Err(error) => format!("the adapter did not introduce itself ({error})"),
            },
            ReadEvent::Nothing => {
                let seconds = patience.as_secs_f64();
                format!("the adapter did not introduce itself within {seconds} s")
            }
            ReadEvent::Said(_) | ReadEvent::Ended => {
                "the adapter did not introduce itself".to_owned()
            }
        };
        Err(self.lose(event, problem))
    }

    /// Gives the process a task and waits for its answer.
    pub(super) fn run(mut self, task: &Task<'_>) -> Taken {
        match self.process.unasked() {
            ReadEvent::Nothing => {}
            ReadEvent::Ended => return Taken::WasGone,
            event @ ReadEvent::Said(_) => {
                let problem = "the adapter wrote to its standard output unasked".to_owned();
                return Taken::Lost(self.lose(event, problem));
            }
        }
        let job = match self.place(task) {
            Ok(job) => job,
            Err(error) => {
                let folder = self.folder.path().display();
                let message = format!("failed to write the inputs to {folder}: {error}");
                return self.answered(Outcome::Fault { message });
            }
        };
        let (id, outputs) = (job.id, job.outputs.clone());
        let deadline = Instant::now() + task.time;
        let sent = serde_json::to_vec(&Request::Run(job)).map_err(io::Error::from);
        if sent.and_then(|line| self.process.send(line)).is_err() {
            return Taken::WasGone;
        }
        // In no time nothing is heard, even if a slow machine lets an answer come before we listen.
        let event =
            if task.time.is_zero() { ReadEvent::Nothing } else { self.process.listen(deadline) };
        let problem = match &event {
            ReadEvent::Said(Said::Line(line)) => match Reply::read(line) {
                Ok(reply) if reply.id() != id => {
                    format!("the adapter answered request {} instead of {id}", reply.id())
                }
                Ok(Reply::Ok { .. }) => {
                    let outcome = match self.read(&outputs, task) {
                        Ok(values) => Outcome::Outputs(values),
                        Err(message) => Outcome::Fault { message },
                    };
                    return self.answered(outcome);
                }
                Ok(Reply::Refused { refused, .. }) => {
                    let message = self.told(&refused.message);
                    return self.answered(Outcome::Refused(Refusal { message, ..refused }));
                }
                Err(_) => "the adapter's answer is none of the protocol".to_owned(),
            },
            ReadEvent::Nothing => {
                let stderr = self.process.stderr();
                return Taken::Lost(Answer { outcome: Outcome::TimedOut, stderr });
            }
            ReadEvent::Said(_) | ReadEvent::Ended => "the adapter did not answer".to_owned(),
        };
        Taken::Lost(self.lose(event, problem))
    }

    /// Lets the process end by itself.
    pub(super) fn dismiss(&mut self) {
        self.process.dismiss();
    }

    /// Ends the process. Its exit status, where it ended by itself.
    pub(super) fn end(self) -> Option<ExitStatus> {
        self.process.end().0
    }

    fn answered(self, outcome: Outcome) -> Taken {
        let stderr = self.process.stderr();
        Taken::Answered(Answer { outcome, stderr }, Box::new(self))
    }

    /// Ends the process after what it did, which is the problem where it has not crashed.
    fn lose(self, event: ReadEvent, problem: String) -> Answer {
        let (is_end, rest) = match event {
            ReadEvent::Ended => (true, String::new()),
            ReadEvent::Said(Said::Half(half)) => {
                (true, format!(", half a line: {}", quoted(&half)))
            }
            ReadEvent::Said(Said::Line(line)) => (false, format!(": {}", quoted(&line))),
            ReadEvent::Said(Said::TooLong) => (false, ", a line without an end".to_owned()),
            ReadEvent::Nothing => (false, String::new()),
        };
        let (process, folder) = (self.process, self.folder);
        let (status, stderr) = if is_end { process.end() } else { process.kill() };
        let outcome = match status {
            Some(status) if !status.success() => {
                Outcome::Crashed { message: format!("the adapter {}", described(status)) }
            }
            Some(_) => Outcome::Fault { message: format!("{problem} and ended{rest}") },
            None => Outcome::Fault { message: problem + &rest },
        };
        drop(folder);
        Answer { outcome, stderr }
    }

    /// Puts model and inputs into the folder, and takes the last outputs out of it.
    fn place(&mut self, task: &Task<'_>) -> io::Result<Job> {
        let id = self.next;
        self.next += 1;
        let folder = self.folder.path();
        let model = match &self.model {
            Some(placed) if placed.file == *task.file => placed.path.clone(),
            other => {
                if let Some(other) = other {
                    fs::remove_file(&other.path)?;
                }
                let path = folder.join(format!("model-{id}.{}", task.model.format().extension()));
                fs::write(&path, task.file)?;
                self.model = Some(PlacedModel { file: task.file.clone(), path: path.clone() });
                path
            }
        };
        let mut inputs = Vec::with_capacity(task.inputs.len());
        for (k, value) in task.inputs.iter().enumerate() {
            let path = folder.join(format!("input_{k}.pb"));
            let name = task.model.inputs().get(k).map_or("", |port| port.name.as_str());
            fs::write(&path, encode_value(name, value))?;
            inputs.push(path);
        }
        let mut outputs = Vec::with_capacity(task.model.outputs().len());
        for k in 0..task.model.outputs().len() {
            let path = folder.join(format!("output_{k}.pb"));
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => outputs.push(path),
            }
        }
        Ok(Job { id, model, inputs, outputs })
    }

    /// The values in the files that the adapter wrote.
    fn read(&self, paths: &[PathBuf], task: &Task<'_>) -> Result<Vec<Value>, String> {
        let ports = task.model.outputs().iter().zip(paths);
        // All outputs are one input of the harness.
        let mut budget = Budget::default();
        ports
            .map(|(port, path)| {
                let file = path.file_name().map_or_else(String::new, |name| {
                    format!("{} (output `{}`)", name.to_string_lossy(), port.name)
                });
                let bytes = read_file(path, task.output_limit)
                    .map_err(|problem| format!("the adapter's {file} {problem}"))?;
                let file = format!("the adapter's {file}");
                decode_value_within(&file, bytes, &port.value_type, &mut budget)
                    .map_err(|error| error.to_string())
            })
            .collect()
    }

    /// A message of the adapter without the name of the folder, which is another in each run, and
    /// of a bounded length.
    fn told(&self, message: &str) -> String {
        let folder = self.folder.path().display().to_string();
        let mut message = message.replace(&format!("{folder}/"), "").replace(&folder, "");
        if message.len() > MESSAGE_KEPT {
            let end = (0..=MESSAGE_KEPT).rev().find(|&at| message.is_char_boundary(at));
            message.truncate(end.unwrap_or(0));
            message.push_str(" ...");
        }
        message
    }
}

/// The bytes of a file of at most so many, or what is wrong with it.
fn read_file(path: &Path, limit: u64) -> Result<Bytes, String> {
    let missing = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "was not written".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    // A link or a pipe could lead anywhere, or nowhere ever.
    if !fs::symlink_metadata(path).map_err(missing)?.is_file() {
        return Err("is no regular file".to_owned());
    }
    match limits::read(path, limit) {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Err(format!("has more than {limit} bytes, far more than was expected"))
        }
        Err(error) => Err(missing(error)),
    }
}
