//! The sandbox that an adapter's processes are started in: what each may do with the files of this
//! machine, so that it computes its results instead of copying those that are expected of it.
//!
//! Linux keeps it, by Landlock: it holds for a process and whatever that starts, also as root, needs
//! no privileges, and closes `/proc/PID` and the memory of every process outside. Its rules can only
//! allow. So what lies beside a denied path is allowed entry by entry, along the whole path; nothing
//! new can be made directly in a folder above one. Processes have a `TMPDIR` of their own therefore.

#[cfg(target_os = "linux")]
mod rules;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox/no_rules.rs"]
mod rules;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::str::FromStr;
use std::{env, fs, thread};

use super::Program;
use crate::backend::Isolation;
use crate::foundation::cleanup;
use crate::foundation::platform;
use crate::limits;

/// Largest program that is searched for the suites, in bytes.
const PROGRAM_LIMIT: u64 = 1 << 30;

/// Variables that name the folder for temporary files.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// How much an adapter may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// Everything that the user may who starts it.
    #[default]
    Off,
    /// Everything but with what is denied by name.
    Default,
    /// Nothing but with the system, its own files and what is allowed by name.
    Strict,
}

impl FromStr for SandboxMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "off" => Ok(Self::Off),
            "default" => Ok(Self::Default),
            "strict" => Ok(Self::Strict),
            _ => Err("the sandboxes are default, strict and off".to_owned()),
        }
    }
}

/// There is no such sandbox.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum SandboxError {
    #[error(
        "this system has no Landlock, which `--sandbox strict` needs: Linux 5.13 or later, with it enabled"
    )]
    Unsupported,
    #[error("failed to find `{}`, which `--allow-path` names", path.display())]
    NoPath { path: PathBuf, source: io::Error },
    #[error(
        "`{}` cannot be allowed: it lies in `{}`, which the sandbox keeps from adapters; move it, or use \
         `--sandbox off`",
        path.display(), denied.display()
    )]
    Denied { path: PathBuf, denied: PathBuf },
}

/// What the processes of an adapter may do with files. By default everything: no sandbox.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    mode: SandboxMode,
    /// Whatever they may not read, write or execute, with all below; links resolved.
    denied: Vec<PathBuf>,
    /// What they may, where not everything is allowed.
    allowed: Vec<PathBuf>,
}

impl Sandbox {
    /// A sandbox that denies these paths, there or not, and allows those, with whatever lies below.
    /// Where the system has none, the default one is off.
    pub fn new(
        mode: SandboxMode,
        denied: impl IntoIterator<Item = PathBuf>,
        allowed: &[PathBuf],
    ) -> Result<Self, SandboxError> {
        if mode == SandboxMode::Off {
            return Ok(Self::default());
        }
        if !rules::are_supported() {
            return match mode {
                SandboxMode::Strict => Err(SandboxError::Unsupported),
                _ => Ok(Self::default()),
            };
        }
        let denied: Vec<_> = denied.into_iter().map(|path| resolved(&path)).collect();
        let allow = |path: &PathBuf| {
            let failed = |source| SandboxError::NoPath { path: path.clone(), source };
            let real = path.canonicalize().map_err(failed)?;
            match denied.iter().find(|denied| real.starts_with(denied)) {
                Some(denied) => {
                    Err(SandboxError::Denied { path: path.clone(), denied: denied.clone() })
                }
                None => Ok(real),
            }
        };
        let allowed = allowed.iter().map(allow).collect::<Result<_, _>>()?;
        Ok(Self { mode, denied, allowed })
    }

    /// The mode in effect; the requested one, or off if the system has no sandbox.
    pub fn mode(&self) -> SandboxMode {
        self.mode
    }

    /// What it keeps a program from.
    pub fn isolation(&self, program: &Program) -> Isolation {
        let has_suites = || files(program).iter().any(|file| holds_suites(file));
        match self.mode {
            SandboxMode::Off => Isolation::None,
            _ if has_suites() => Isolation::Partial,
            SandboxMode::Default => Isolation::Default,
            SandboxMode::Strict => Isolation::Strict,
        }
    }

    /// Folders that the folders of processes are to be made in, the best one first: in memory, where
    /// a process may see those of others. In a sandbox nothing new can be made beside them, and
    /// programs share memory in `/dev/shm`: it has to be another folder.
    pub(super) fn places(&self) -> [PathBuf; 2] {
        let [in_memory, on_disk] = platform::places();
        [if self.mode == SandboxMode::Off { in_memory } else { on_disk }, env::temp_dir()]
    }

    /// Starts a program in the sandbox, in which it may use this private folder.
    pub(super) fn spawn(
        &self,
        command: &mut Command,
        program: &Program,
        private: &Path,
    ) -> io::Result<Child> {
        if self.mode == SandboxMode::Off {
            return cleanup::spawn(command, Some(private));
        }
        let temporary = private.join("tmp");
        fs::create_dir_all(&temporary)?;
        command.envs(TEMPORARY.map(|name| (name, &temporary)));
        // Rules bind the thread that they are put on, and what it starts; this one lives no longer.
        thread::scope(|scope| {
            let start = || {
                rules::restrict(self, program, private)?;
                cleanup::spawn(command, Some(private))
            };
            let thread = thread::Builder::new().name("adapter-start".to_owned());
            let started = thread.spawn_scoped(scope, start)?.join();
            started.unwrap_or_else(|_| Err(io::Error::other("the thread that starts it panicked")))
        })
    }
}

/// A path without links, the end of which need not be there.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path
}

/// The program's file, and those that its arguments name: what it is made of, links not resolved.
fn files(program: &Program) -> Vec<PathBuf> {
    let here = program.folder.clone().or_else(|| env::current_dir().ok()).unwrap_or_default();
    let is_file = |path: &PathBuf| path.is_file();
    let found = if program.path.components().count() > 1 {
        Some(here.join(&program.path)).filter(is_file)
    } else {
        let paths = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&paths).map(|path| here.join(path).join(&program.path)).find(is_file)
    };
    let arguments = program.arguments.iter().map(|argument| here.join(argument)).filter(is_file);
    found.into_iter().chain(arguments).collect()
}

/// Whether a file carries the suites, as this program does: it may read itself.
fn holds_suites(file: &Path) -> bool {
    let pattern = suites::embedded::mark()
        .iter()
        .fold("(?s-u)".to_owned(), |text, byte| text + &format!("\\x{byte:02x}"));
    let Ok(mark) = regex::bytes::Regex::new(&pattern) else { return false };
    limits::read(file, PROGRAM_LIMIT).is_ok_and(|bytes| mark.is_match(&bytes))
}
