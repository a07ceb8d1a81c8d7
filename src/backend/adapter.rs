//! Adapters: backends that are programs of their own, in any language, behind the protocol.
//!
//! Each job of a run has a process of its own. One that crashes, exceeds its time or breaks the
//! protocol is ended, with whatever it has started, and replaced; its case has its verdict, and no
//! other case is lost. Values go through files in a private folder of each process, in memory where
//! there is such a file system.

mod files;
mod folder;
#[cfg(feature = "cli")]
mod onnx_backend;
mod process;
mod sandbox;
mod session;
mod streams;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use self::folder::PrivateFolder;
use self::sandbox::Confined;
pub use self::sandbox::{Sandbox, SandboxError, SandboxMode};
use self::session::{AdapterSession, Taken, difference, later};
use super::{Answer, Backend, Identity, Isolation, Outcome, Task};
use crate::foundation::cleanup;
use crate::foundation::text::with_causes;

/// How often in a row a program may fail to start before it is given up, and how often a task is asked
/// at most.
const ATTEMPTS: u32 = 3;

/// Time that ending processes and removing their files may take beyond a task's, all attempts together.
const CLEARING: Duration = Duration::from_secs(10);

/// How to start an adapter.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it is started in; the current one where absent.
    pub folder: Option<PathBuf>,
    /// Largest address space that a process may have, in bytes.
    pub memory_limit: Option<u64>,
    /// What it may do with files; by default everything.
    pub sandbox: Sandbox,
}

/// A command line is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum CommandError {
    #[error("the adapter's command is empty")]
    Empty,
    #[error("the adapter's command `{0}` has a quote that is not closed")]
    Quote(String),
}

/// How a process ended after its standard input was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// By itself.
    Ended(ExitStatus),
    /// It had to be killed.
    Killed,
    /// There was none.
    None,
}

/// An adapter cannot be started.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum StartError {
    #[error("failed to start the adapter `{program}`; is it there, and set up?")]
    Spawn { program: PathBuf, source: io::Error },
    #[error(
        "failed to create a temporary folder in {folder}; make room there, or set TMPDIR to another"
    )]
    Folder { folder: PathBuf, source: io::Error },
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl Program {
    /// The program of a command line, whose words are split as a shell would, without one.
    pub fn parse(command: &str) -> Result<Self, CommandError> {
        let words = shlex::split(command).ok_or_else(|| CommandError::Quote(command.to_owned()))?;
        let mut words = words.into_iter();
        let path = words.next().ok_or(CommandError::Empty)?.into();
        let arguments = words.map(OsString::from).collect();
        let sandbox = Sandbox::default();
        Ok(Self { path, arguments, folder: None, memory_limit: None, sandbox })
    }

    /// The program that serves a shared library of kernels behind the C ABI, which is this one.
    pub fn c_abi(library: &Path) -> io::Result<Self> {
        // A name without a folder would be looked for where the system has its libraries.
        let arguments = vec!["c-abi".into(), std::path::absolute(library)?.into()];
        let (path, sandbox) = (std::env::current_exe()?, Sandbox::default());
        Ok(Self { path, arguments, folder: None, memory_limit: None, sandbox })
    }
}

/// A backend behind the adapter protocol.
pub struct Adapter {
    program: Confined,
    start_time: Duration,
    greeting: Result<Identity, Answer>,
    state: Mutex<State>,
}

struct State {
    /// The processes that have nothing to do.
    idle: Vec<AdapterSession>,
    /// How often in a row a process did not get as far as introducing itself.
    failures: u32,
    /// Where the folders of processes are made: in the first of these, while it has room.
    roots: Vec<PathBuf>,
    /// The folders of processes, to be removed at the end whoever still has one.
    folders: Vec<Weak<PrivateFolder>>,
    is_closed: bool,
}

impl Adapter {
    /// Starts so many processes of a program, and waits for one of them to introduce itself, as
    /// each has to within `start_time`. A program that starts and does not introduce itself is no
    /// error: its tasks get that answer, see [`Adapter::greeting`].
    pub fn start(program: Program, jobs: usize, start_time: Duration) -> Result<Self, StartError> {
        Self::start_in(Sandbox::places().to_vec(), program, jobs, start_time)
    }

    /// Starts it with the files of its processes in the first of these folders that takes them.
    pub fn start_in(
        roots: Vec<PathBuf>,
        program: Program,
        jobs: usize,
        start_time: Duration,
    ) -> Result<Self, StartError> {
        let program = Confined::new(program)?;
        let mut folders = Vec::new();
        let mut start = || start_session(&program, &roots, &mut folders);
        let first = start()?;
        let mut idle = (1..jobs).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
        let greeting = match first.greet(start_time, later(Instant::now(), start_time)) {
            Ok((session, identity)) => {
                idle.push(session);
                Ok(identity)
            }
            Err(answer) => Err(answer),
        };
        let state = Mutex::new(State { idle, failures: 0, roots, folders, is_closed: false });
        Ok(Self { program, start_time, greeting, state })
    }

    /// Whether the program introduced itself, or the answer that its tasks get.
    pub fn greeting(&self) -> Result<&Identity, &Answer> {
        self.greeting.as_ref()
    }

    /// Ends a process that has nothing to do, by closing its standard input.
    pub fn shutdown(&self) -> Shutdown {
        let idle = self.state().idle.pop();
        match idle.map(AdapterSession::end) {
            None => Shutdown::None,
            Some(None) => Shutdown::Killed,
            Some(Some(status)) => Shutdown::Ended(status),
        }
    }

    /// A process with the identity of the first one, before the deadline; a new one if requested.
    fn session(&self, is_new: bool, deadline: Instant) -> Result<AdapterSession, Answer> {
        let first = match &self.greeting {
            Ok(first) => first,
            Err(answer) => return Err(answer.clone()),
        };
        let idle = {
            let mut state = self.state();
            if state.failures >= ATTEMPTS {
                return Err(fault("the adapter no longer starts"));
            }
            if is_new { None } else { state.idle.pop() }
        };
        let session = match idle {
            Some(session) => session,
            None => self.start_another()?,
        };
        let greeted = session.greet(self.start_time, deadline);
        {
            let mut state = self.state();
            state.failures = if greeted.is_ok() { 0 } else { state.failures + 1 };
        }
        let (session, identity) = greeted?;
        match difference(first, &identity) {
            None => Ok(session),
            Some(difference) => Err(fault(&difference)),
        }
    }

    fn start_another(&self) -> Result<AdapterSession, Answer> {
        let state = &mut *self.state();
        if state.is_closed {
            return Err(fault("the adapter was ended"));
        }
        state.folders.retain(|folder| folder.strong_count() > 0);
        start_session(&self.program, &state.roots, &mut state.folders).map_err(|error| {
            fault(&with_causes(format!("failed to start the adapter again: {error}"), &error))
        })
    }

    /// The place of a folder among those in which others are made, where there is one after it.
    fn place_before_another(&self, root: &Path) -> Option<usize> {
        let roots = &self.state().roots;
        let is_root = |other: &PathBuf| other.canonicalize().is_ok_and(|other| other == root);
        roots.iter().position(is_root).filter(|place| place + 1 < roots.len())
    }

    /// Passes over a folder that files could not be put into, where there is another after it.
    fn pass_over(&self, root: &Path) {
        if let Some(place) = self.place_before_another(root) {
            self.state().roots.remove(place);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What it guards is whole at any time.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Adapter {
    fn identity(&self) -> Identity {
        self.greeting.clone().unwrap_or_else(|_| Identity {
            name: match self.program.program().path.file_name() {
                Some(name) => name.to_string_lossy().into_owned(),
                None => "adapter".to_owned(),
            },
            version: "unknown".to_owned(),
            details: BTreeMap::new(),
        })
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        // However often it is started for the task, it has the time of one start.
        let started_by = later(Instant::now(), self.start_time);
        let mut answer = fault("the adapter was not asked");
        for attempt in 0..ATTEMPTS {
            let session = match self.session(attempt > 0, started_by) {
                Ok(session) => session,
                Err(answer) => return answer,
            };
            let needs_room = self.place_before_another(session.root()).is_some();
            match session.run(task, needs_room) {
                Taken::Answered(answer, session) => {
                    self.state().idle.push(*session);
                    return answer;
                }
                Taken::Lost(answer) => return answer,
                Taken::Again(last) => answer = last,
                Taken::Unplaced(root, error) => {
                    // What the adapter removed or put there itself is no fault of the file system.
                    let kind = error.kind();
                    if !matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists) {
                        self.pass_over(&root);
                    }
                    answer = fault(&format!(
                        "failed to put the inputs into a folder in {}: {error}; make room there, or \
                         set TMPDIR to another folder",
                        root.display()
                    ));
                }
            }
        }
        answer
    }

    fn grace(&self) -> Option<Duration> {
        Some(self.start_time.saturating_add(CLEARING))
    }

    fn isolation(&self) -> Isolation {
        self.program.isolation()
    }

    fn isolation_gaps(&self) -> &[String] {
        self.program.gaps()
    }

    fn close(&self) {
        let (mut idle, folders) = {
            let mut state = self.state();
            state.is_closed = true;
            (std::mem::take(&mut state.idle), std::mem::take(&mut state.folders))
        };
        // All are dismissed before one is waited for.
        idle.iter_mut().for_each(AdapterSession::dismiss);
        idle.into_iter().for_each(|session| {
            session.end();
        });
        // Those that still have a task.
        for folder in folders.iter().filter_map(Weak::upgrade) {
            cleanup::kill_those_of(folder.path());
            folder.remove();
        }
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        self.close();
    }
}

fn fault(message: &str) -> Answer {
    Outcome::Fault { message: message.to_owned() }.into()
}

/// Starts a process with a folder of its own, which is noted among the others.
fn start_session(
    program: &Confined,
    roots: &[PathBuf],
    folders: &mut Vec<Weak<PrivateFolder>>,
) -> Result<AdapterSession, StartError> {
    program.check()?;
    let folder = Arc::new(private_folder(roots)?);
    folders.push(Arc::downgrade(&folder));
    AdapterSession::start(program, folder)
        .map_err(|source| StartError::Spawn { program: program.program().path.clone(), source })
}

/// A folder that only this user can read, in the first of these where one can be made.
fn private_folder(roots: &[PathBuf]) -> Result<PrivateFolder, StartError> {
    let mut error =
        StartError::Folder { folder: PathBuf::new(), source: io::ErrorKind::NotFound.into() };
    for root in roots {
        match PrivateFolder::make_in(root) {
            Ok(folder) => return Ok(folder),
            Err(source) => error = StartError::Folder { folder: root.clone(), source },
        }
    }
    Err(error)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_command_line_is_split_as_a_shell_would() {
        let program = Program::parse("python3 'my adapter.py' --fast").unwrap();
        assert_eq!(program.path, Path::new("python3"));
        assert_eq!(program.arguments, ["my adapter.py", "--fast"]);
        assert_eq!(Program::parse(" ").unwrap_err(), CommandError::Empty);
        assert_eq!(Program::parse("a 'b").unwrap_err(), CommandError::Quote("a 'b".to_owned()));
    }
}
