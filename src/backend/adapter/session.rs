//! A session: one process of an adapter at a time, with the folder that it shares with
//! the harness.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::files::{Files, RequestFiles};
use super::folder::PrivateFolder;
use super::process::{Process, described};
use super::sandbox::Confined;
use super::streams::ReadEvent;
use crate::backend::protocol::{Greeting, Hello, Reply, Request, Said, VERSION};
use crate::backend::{Answer, Identity, Outcome, Refusal, Task};
use values::text::{bounded, quoted};

/// Longest message of an adapter that is kept, in bytes.
const MESSAGE_KEPT: usize = 4 << 10;

/// Bytes of an identity that are shown beside another one.
const IDENTITY_SHOWN: usize = 1 << 10;

pub(super) struct AdapterSession {
    // Killed before its folder is removed.
    process: Process,
    files: Files,
    started: Instant,
    identity: Option<Identity>,
    /// Number of the next request.
    next: u64,
}

/// What became of a task that a process was given.
pub(super) enum Taken {
    /// It answered, and can be given another.
    Answered(Answer, Box<AdapterSession>),
    /// Its process had to be ended.
    Lost(Answer),
    /// The task is to be asked again of a new process, and has this answer if that is no better: this
    /// one had ended before, or what went wrong may be due to what it was asked earlier.
    Again(Answer),
    /// The files could not be put into place; the process has ended.
    Unplaced(PathBuf, io::Error),
}

impl AdapterSession {
    /// Starts a process with a folder of its own, without waiting for it.
    pub(super) fn start(program: &Confined, folder: Arc<PrivateFolder>) -> io::Result<Self> {
        let mut process = Process::start(program, folder.path())?;
        let started = Instant::now();
        let hello = line(&Request::Hello(Hello { protocol: VERSION }))?;
        // A process that has ended by now is found out when it is listened to.
        let _ = process.send(&hello, started);
        Ok(Self { process, files: Files::new(folder), started, identity: None, next: 0 })
    }

    /// Who the process is. It is waited for until so long after its start, and no longer than until the
    /// deadline; where it does not say, it is ended, and the answer says what is wrong.
    pub(super) fn greet(
        mut self,
        patience: Duration,
        deadline: Instant,
    ) -> Result<(Self, Identity), Answer> {
        if let Some(identity) = self.identity.clone() {
            return Ok((self, identity));
        }
        let event = self.process.listen(deadline.min(later(self.started, patience)));
        let problem = match &event {
            ReadEvent::Said(Said::Line(line)) => match Greeting::read(line) {
                Ok(Greeting { backend }) => match admitted(&backend) {
                    Ok(()) => {
                        self.identity = Some(backend.clone());
                        return Ok((self, backend));
                    }
                    Err(problem) => problem,
                },
                Err(error) => {
                    let error = bounded(error.to_string(), MESSAGE_KEPT);
                    format!("the adapter did not introduce itself ({error})")
                }
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

    /// The folder in which the process' own was made.
    pub(super) fn root(&self) -> &Path {
        self.files.root()
    }

    /// Gives the process a task and waits for its answer; where asked for, only if there is room for it.
    pub(super) fn run(mut self, task: &Task<'_>, needs_room: bool) -> Taken {
        let deadline = later(Instant::now(), task.time);
        match self.process.unasked() {
            ReadEvent::Nothing => {}
            ReadEvent::Ended => return Taken::Again(self.was_gone()),
            event @ ReadEvent::Said(_) => {
                let problem = "the adapter wrote to its standard output unasked".to_owned();
                return Taken::Again(self.lose(event, problem));
            }
        }
        let request = match self.files.place(self.next, task, needs_room) {
            Ok(request) => request,
            Err(error) => return Taken::Unplaced(self.files.root().to_owned(), error),
        };
        let sent = line(&Request::Run(request.job.clone()));
        let length = sent.as_ref().map_or(0, Vec::len);
        match sent.and_then(|line| self.process.send(&line, deadline)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                return self.timed_out(request, task.time);
            }
            Err(_) => {
                drop(request);
                return Taken::Again(self.was_gone());
            }
        }
        // In no time nothing is heard, even if a slow machine lets an answer come before we listen.
        let event =
            if task.time.is_zero() { ReadEvent::Nothing } else { self.process.listen(deadline) };
        let problem = match &event {
            ReadEvent::Said(Said::Line(line)) => match Reply::read(line) {
                Ok(reply) if reply.id() != request.job.id => {
                    format!(
                        "the adapter answered request {} instead of {}",
                        reply.id(),
                        request.job.id
                    )
                }
                Ok(Reply::Ok { .. }) => {
                    let outcome = match request.outputs(task) {
                        Ok(values) => Outcome::Outputs(values),
                        Err(message) => Outcome::Fault { message },
                    };
                    return self.answered(request, outcome);
                }
                Ok(Reply::Refused { refused, .. }) => {
                    let message = self.files.without_folders(&refused.message, &request);
                    let message = bounded(message, MESSAGE_KEPT);
                    let refusal = Refusal { message, ..refused };
                    return self.answered(request, Outcome::Refused(refusal));
                }
                Err(_) => "the adapter's answer is none of the protocol".to_owned(),
            },
            ReadEvent::Nothing => return self.timed_out(request, task.time),
            ReadEvent::Ended if self.process.has_not_read(length) => {
                drop(request);
                return Taken::Again(self.was_gone());
            }
            ReadEvent::Said(_) | ReadEvent::Ended => "the adapter did not answer".to_owned(),
        };
        let is_robbed = self.is_robbed(&request);
        drop(request);
        let answer = self.lose(event, problem);
        if is_robbed { Taken::Again(answer) } else { Taken::Lost(answer) }
    }

    /// Lets the process end by itself.
    pub(super) fn dismiss(&mut self) {
        self.process.dismiss();
    }

    /// Ends the process. Its exit status, where it ended by itself.
    pub(super) fn end(self) -> Option<ExitStatus> {
        self.process.end().0
    }

    fn answered(mut self, request: RequestFiles, outcome: Outcome) -> Taken {
        if !matches!(outcome, Outcome::Outputs(_)) && self.is_robbed(&request) {
            drop(request);
            return Taken::Again(Answer { outcome, stderr: self.process.stderr() });
        }
        self.files.remove(request);
        match self.process.unasked() {
            event @ ReadEvent::Said(_) => {
                Taken::Lost(self.lose(event, "the adapter wrote more than its answer".to_owned()))
            }
            // Its exit is detected at the next request.
            ReadEvent::Nothing | ReadEvent::Ended => {
                self.next += 1;
                let stderr = self.process.stderr();
                Taken::Answered(Answer { outcome, stderr }, Box::new(self))
            }
        }
    }

    /// Whether the files of a request are no longer where the process was told, which an earlier one may
    /// have seen to.
    fn is_robbed(&self, request: &RequestFiles) -> bool {
        self.next > 0 && !request.are_in_place()
    }

    fn timed_out(self, request: RequestFiles, time: Duration) -> Taken {
        // As everywhere, it is closed before the folder around it is removed, which some systems ask for.
        drop(request);
        let stderr = self.process.stderr();
        Taken::Lost(Answer { outcome: Outcome::TimedOut(time), stderr })
    }

    /// The answer to a task that the process never knew of, where no process does.
    fn was_gone(self) -> Answer {
        let message = "the adapter ends as soon as it has introduced itself".to_owned();
        let (_, stderr) = self.process.kill();
        Answer { outcome: Outcome::Fault { message }, stderr }
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
        let (status, stderr) = if is_end { self.process.end() } else { self.process.kill() };
        let outcome = match status {
            Some(status) if !status.success() => {
                Outcome::Crashed { message: format!("the adapter {}", described(status)) }
            }
            Some(_) => Outcome::Fault { message: format!("{problem} and ended{rest}") },
            None => Outcome::Fault { message: problem + &rest },
        };
        Answer { outcome, stderr }
    }
}

/// Whether an adapter may introduce itself so, or what is wrong with it.
fn admitted(identity: &Identity) -> Result<(), String> {
    identity.check().map_err(|error| format!("the adapter's introduction is refused: {error}"))?;
    if identity.is_reserved() {
        return Err(format!(
            "the adapter calls itself `{}`, which is the name of this program's own kernels",
            identity.name
        ));
    }
    Ok(())
}

/// What is wrong where a process introduces itself otherwise than the first one of the run did.
pub(super) fn difference(first: &Identity, now: &Identity) -> Option<String> {
    let shown = |one: &Identity, other: &Identity| {
        let details =
            one.details.iter().filter(|(key, text)| other.details.get(*key) != Some(text));
        let details = details.map(|(key, text)| format!(", {key}: {text}")).collect::<String>();
        bounded(format!("{} {}{details}", one.name, one.version), IDENTITY_SHOWN)
    };
    (first != now).then(|| {
        format!(
            "the adapter introduced itself as `{}` first, and now as `{}`",
            shown(first, now),
            shown(now, first)
        )
    })
}

/// A request as a line.
fn line(request: &Request) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    Ok(line)
}

/// A point in time so much later, or the latest one that can be represented.
pub(super) fn later(since: Instant, time: Duration) -> Instant {
    /// A hundred years.
    const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    since + time.min(NEVER)
}
