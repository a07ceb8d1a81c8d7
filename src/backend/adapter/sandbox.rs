//! The sandbox that an adapter's processes are started in: what each may do with the files of this
//! machine, so that it computes its results instead of copying those that are expected of it.
//!
//! Linux keeps it, by Landlock: it holds for a process and whatever that starts, also as root, needs
//! no privileges, and closes `/proc/PID` and the memory of every process outside. Its rules can only
//! allow. So what lies beside a denied path is allowed entry by entry, along the whole path. A process
//! writes to its private folder, in which its `TMPDIR` is, to devices, and to what is named for it.

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

/// Variables that name the folder for temporary files.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// How much an adapter may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// Everything that the user may who starts it.
    #[default]
    Off,
    /// Reading all but what is denied by name; writing what is allowed by name.
    Default,
    /// Reading the system, its own files and what is allowed by name; writing as in the default one.
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
    #[error("failed to find `{}`, which is to be allowed to the adapter", path.display())]
    NoPath { path: PathBuf, source: io::Error },
    #[error(
        "`{}` cannot be allowed: it lies in `{}`, which the sandbox keeps from adapters; move it, or use \
         `--sandbox off`",
        path.display(), denied.display()
    )]
    Denied { path: PathBuf, denied: PathBuf },
    #[error(
        "`{}` in the adapter's command is a file that the sandbox keeps from adapters: it is `{}`, and `{}` \
         is denied; give the adapter a copy elsewhere of what it needs, or use `--sandbox off`",
        word.display(), target.display(), denied.display()
    )]
    Word { word: PathBuf, target: PathBuf, denied: PathBuf },
    #[error(
        "`{}` in the adapter's command was replaced while the adapter ran: it was `{}` and is now `{}`; no \
         other process is started, as it would be another program",
        word.display(), was.display(), now.display()
    )]
    Changed { word: PathBuf, was: PathBuf, now: PathBuf },
}

/// What the processes of an adapter may do with files. By default everything: no sandbox.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    mode: SandboxMode,
    /// Whatever they may not read, write or execute, with all below; links resolved.
    denied: Vec<PathBuf>,
    /// What they may read and execute, where not everything is allowed.
    readable: Vec<PathBuf>,
    /// What they may do anything with.
    writable: Vec<PathBuf>,
    /// What they may read nevertheless, as is known already.
    gaps: Vec<String>,
}

impl Sandbox {
    /// A sandbox that denies these paths, there or not, and allows those to be read, and others to be
    /// written too, with whatever lies below. Where the system has none, the default one is off.
    pub fn new(
        mode: SandboxMode,
        denied: impl IntoIterator<Item = PathBuf>,
        readable: &[PathBuf],
        writable: &[PathBuf],
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
        let readable = readable.iter().map(allow).collect::<Result<_, _>>()?;
        let writable = writable.iter().map(allow).collect::<Result<_, _>>()?;
        Ok(Self { mode, denied, readable, writable, gaps: Vec::new() })
    }

    /// The same, of which it is known what it leaves open.
    pub fn with_gaps(self, gaps: Vec<String>) -> Self {
        Self { gaps, ..self }
    }

    /// The mode in effect; the requested one, or off if the system has no sandbox.
    pub fn mode(&self) -> SandboxMode {
        self.mode
    }

    /// Folders that the folders of processes are to be made in, the best one first. Not in `/dev/shm`, where
    /// programs share memory: those of other runs write there.
    pub(super) fn places() -> [PathBuf; 2] {
        let [_, on_disk] = platform::places();
        [on_disk, env::temp_dir()]
    }
}

/// A program and the bounds of its processes, which were looked up once.
#[derive(Debug)]
pub(super) struct Confined {
    program: Program,
    /// None without a sandbox.
    bounds: Option<rules::Bounds>,
}

impl Confined {
    pub(super) fn new(program: Program) -> Result<Self, SandboxError> {
        let is_off = program.sandbox.mode == SandboxMode::Off;
        let new = || rules::Bounds::new(&program.sandbox, &program);
        let bounds = (!is_off).then(new).transpose()?;
        Ok(Self { program, bounds })
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// What the processes are kept from.
    pub(super) fn isolation(&self) -> Isolation {
        match self.program.sandbox.mode {
            SandboxMode::Off => Isolation::None,
            _ if !self.gaps().is_empty() => Isolation::Partial,
            SandboxMode::Default => Isolation::Default,
            SandboxMode::Strict => Isolation::Strict,
        }
    }

    /// What they may read nevertheless, of what they should be kept from.
    pub(super) fn gaps(&self) -> &[String] {
        self.bounds.as_ref().map_or(&[], rules::Bounds::gaps)
    }

    /// Starts a process, which may use this private folder.
    pub(super) fn spawn(&self, command: &mut Command, private: &Path) -> io::Result<Child> {
        let Some(bounds) = &self.bounds else { return cleanup::spawn(command, Some(private)) };
        let temporary = private.join("tmp");
        fs::create_dir_all(&temporary)?;
        command.envs(TEMPORARY.map(|name| (name, &temporary)));
        // Rules bind the thread that they are put on, and what it starts; this one lives no longer.
        thread::scope(|scope| {
            let start = || {
                bounds.restrict(private)?;
                cleanup::spawn(command, Some(private))
            };
            let thread = thread::Builder::new().name("adapter-start".to_owned());
            let started = thread.spawn_scoped(scope, start)?.join();
            started.unwrap_or_else(|_| Err(io::Error::other("the thread that starts it panicked")))
        })
    }

    /// That a word of the command leads elsewhere than it did before the first process.
    pub(super) fn check(&self) -> Result<(), SandboxError> {
        self.bounds.as_ref().map_or(Ok(()), rules::Bounds::check)
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
