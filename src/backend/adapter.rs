//! Adapters: backends that are programs of their own, in any language, behind the protocol.
//!
//! Each job of a run has a process of its own. One that crashes, exceeds its time or breaks the
//! protocol is ended, with whatever it has started, and replaced; its case has its verdict, and no
//! other case is lost. Values go through files in a private folder, in memory where there is such a
//! file system.

mod process;
mod sandbox;
mod session;
mod streams;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::TempDir;

use self::process::ProcessRegistry;
pub use self::sandbox::{Sandbox, SandboxError, SandboxMode};
use self::session::{AdapterSession, Taken};
use super::{Answer, Backend, Identity, Isolation, Outcome, Task};

/// How often in a row a program may fail to start before it is given up.
const ATTEMPTS: u32 = 3;

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

/// How a process ended that was told that there is nothing more to do.
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
    #[error("failed to create a temporary folder in {folder}")]
    Folder { folder: PathBuf, source: io::Error },
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
}

/// A backend behind the adapter protocol.
pub struct Adapter {
    program: Program,
    isolation: Isolation,
    start_time: Duration,
    greeting: Result<Identity, Answer>,
    state: Mutex<State>,
    registry: ProcessRegistry,
}

struct State {
    /// The processes that have nothing to do.
    idle: Vec<AdapterSession>,
    /// How often in a row a process did not get as far as introducing itself.
    failures: u32,
    /// Where the folders of the processes are; absent after the end.
    folder: Option<TempDir>,
}

impl Adapter {
    /// Starts so many processes of a program, and waits for one of them to introduce itself, as
    /// each has to within `start_time`. A program that starts and does not introduce itself is no
    /// error: its tasks get that answer, see [`Adapter::greeting`].
    pub fn start(program: Program, jobs: usize, start_time: Duration) -> Result<Self, StartError> {
        let folder = private_folder(&program.sandbox)?;
        let isolation = program.sandbox.isolation(&program);
        let registry = ProcessRegistry::default();
        let start = || {
            AdapterSession::start(&program, &registry, folder.path())
                .map_err(|source| StartError::Spawn { program: program.path.clone(), source })
        };
        let first = start()?;
        let mut idle = (1..jobs).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
        let (greeting, failures) = match first.greet(start_time) {
            Ok((session, identity)) => {
                idle.push(session);
                (Ok(identity), 0)
            }
            Err(answer) => (Err(answer), 1),
        };
        let state = Mutex::new(State { idle, failures, folder: Some(folder) });
        Ok(Self { program, isolation, start_time, greeting, state, registry })
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

    /// A process that introduced itself.
    fn session(&self) -> Result<AdapterSession, Answer> {
        let idle = {
            let mut state = self.state();
            if state.failures >= ATTEMPTS {
                return Err(match &self.greeting {
                    Err(answer) => Answer { stderr: String::new(), ..answer.clone() },
                    Ok(_) => fault("the adapter no longer starts"),
                });
            }
            state.idle.pop()
        };
        let session = match idle {
            Some(session) => session,
            None => self.start_another()?,
        };
        let greeted = session.greet(self.start_time);
        let mut state = self.state();
        match greeted {
            Ok((session, _)) => {
                state.failures = 0;
                Ok(session)
            }
            Err(answer) => {
                state.failures += 1;
                Err(answer)
            }
        }
    }

    fn start_another(&self) -> Result<AdapterSession, Answer> {
        let state = self.state();
        let Some(folder) = &state.folder else { return Err(fault("the adapter was ended")) };
        AdapterSession::start(&self.program, &self.registry, folder.path())
            .map_err(|error| fault(&format!("failed to start the adapter again: {error}")))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What it guards is whole at any time.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Adapter {
    fn identity(&self) -> Identity {
        self.greeting.clone().unwrap_or_else(|_| Identity {
            name: match self.program.path.file_name() {
                Some(name) => name.to_string_lossy().into_owned(),
                None => "adapter".to_owned(),
            },
            version: "unknown".to_owned(),
            details: BTreeMap::new(),
        })
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        for _ in 0..ATTEMPTS {
            let session = match self.session() {
                Ok(session) => session,
                Err(answer) => return answer,
            };
            match session.run(task) {
                Taken::Answered(answer, session) => {
                    self.state().idle.push(*session);
                    return answer;
                }
                Taken::Lost(answer) => return answer,
                // It may have been killed, or have ended of its own, after its last answer.
                Taken::WasGone => {}
            }
        }
        fault("the adapter ends as soon as it has introduced itself")
    }

    fn keeps_time(&self) -> bool {
        true
    }

    fn isolation(&self) -> Isolation {
        self.isolation
    }

    fn close(&self) {
        let (mut idle, folder) = {
            let mut state = self.state();
            (std::mem::take(&mut state.idle), state.folder.take())
        };
        // All are told before one is waited for.
        idle.iter_mut().for_each(AdapterSession::dismiss);
        idle.into_iter().for_each(|session| {
            session.end();
        });
        self.registry.kill();
        drop(folder);
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

/// A folder that only this user can read, in memory where there is such a file system and no sandbox.
fn private_folder(sandbox: &Sandbox) -> Result<TempDir, StartError> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix(sandbox::PRIVATE_PREFIX);
    let [best, folder] = sandbox.places();
    if best.is_dir()
        && let Ok(folder) = builder.tempdir_in(best)
    {
        return Ok(folder);
    }
    builder.tempdir_in(&folder).map_err(|source| StartError::Folder { folder, source })
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
