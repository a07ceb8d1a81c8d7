//! The rules of a sandbox, put on a thread.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, make_bitflags,
};
use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, fstat, openat};

use super::{Sandbox, SandboxMode, files};
use crate::backend::adapter::Program;
use crate::foundation::cleanup;

/// The newest version whose rights are restricted; an older system restricts those that it knows.
const VERSION: ABI = ABI::V7;

/// What may be done with programs and what they read.
const READ: BitFlags<AccessFs> = make_bitflags!(AccessFs::{Execute | ReadFile | ReadDir});

/// Most entries that are allowed one by one.
const MOST_ENTRIES: usize = 100_000;

/// Where the system keeps programs, libraries and settings.
const SYSTEM: [&str; 12] = [
    "/bin",
    "/etc",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/opt",
    "/sbin",
    "/usr",
    "/run/current-system",
];

/// Files that expose processes and devices. As root, writing there reaches beyond any sandbox.
const KERNEL: [&str; 2] = ["/proc", "/sys"];

/// Whether the system has what the rules need.
pub(super) fn are_supported() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create).is_ok()
}

/// Restricts this thread, and what it will start, to what a sandbox allows a program whose private
/// folder this is.
pub(super) fn restrict(sandbox: &Sandbox, program: &Program, private: &Path) -> io::Result<()> {
    let all = AccessFs::from_all(VERSION);
    let mut denied = sandbox.denied.clone();
    if sandbox.mode == SandboxMode::Strict {
        denied.push("/dev/shm".into());
    }
    // Sockets without a file are open, as those of graphics and services are.
    let ruleset = Ruleset::default()
        .handle_access(all)
        .and_then(|ruleset| ruleset.scope(Scope::Signal))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    let denied_files = denied.iter().filter_map(|path| identity(open(CWD, path).ok()?.as_fd()));
    let denied_files = denied_files.map(|(file, _)| file).collect();
    let mut rules = Rules { ruleset: Some(ruleset), denied, denied_files, private, entries: 0 };
    match sandbox.mode {
        SandboxMode::Off => {}
        SandboxMode::Default => {
            rules.add(open(CWD, Path::new("/"))?.as_fd(), AccessFs::ReadDir.into())?;
            rules.allow(Path::new("/"), all)?;
        }
        SandboxMode::Strict => {
            for folder in SYSTEM.iter().chain(&KERNEL) {
                rules.allow(Path::new(folder), READ)?;
            }
            for home in homes(program) {
                rules.allow(&home, READ)?;
            }
            rules.allow(Path::new("/dev"), all)?;
            rules.allow(private, all)?;
        }
    }
    for path in &sandbox.allowed {
        rules.allow(path, all)?;
    }
    // A program may lie where nothing else may be read.
    for file in files(program) {
        if let Ok(file) = file.canonicalize().and_then(|file| open(CWD, &file)) {
            rules.add(file.as_fd(), READ & AccessFs::from_file(VERSION))?;
        }
    }
    let Some(ruleset) = rules.ruleset else { return Err(io::ErrorKind::Unsupported.into()) };
    match ruleset.restrict_self().map_err(io::Error::other)?.ruleset {
        RulesetStatus::NotEnforced => Err(io::ErrorKind::Unsupported.into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

struct Rules<'a> {
    /// Absent only while a rule is added.
    ruleset: Option<RulesetCreated>,
    denied: Vec<PathBuf>,
    /// The same as the system knows them: under another name, as of a mount, a rule would allow them
    /// under each.
    denied_files: Vec<(u64, u64)>,
    /// The process' own folder.
    private: &'a Path,
    entries: usize,
}

/// What is allowed of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    All,
    /// What lies in it differs.
    Some,
    Nothing,
}

impl Rules<'_> {
    fn extent(&self, path: &Path) -> Extent {
        if path.starts_with(self.private) {
            return Extent::All;
        }
        if self.private.starts_with(path) {
            return Extent::Some;
        }
        if self.is_of_another_process(path)
            || self.denied.iter().any(|denied| path.starts_with(denied))
        {
            return Extent::Nothing;
        }
        match self.denied.iter().any(|denied| denied.starts_with(path)) {
            true => Extent::Some,
            false => Extent::All,
        }
    }

    /// Whether it is the private folder of another process, or lies beside this one's.
    fn is_of_another_process(&self, path: &Path) -> bool {
        let is_private = |path: &&Path| {
            path.file_name()
                .is_some_and(|name| name.as_bytes().starts_with(cleanup::PREFIX.as_bytes()))
        };
        let Some(own) = self.private.ancestors().filter(is_private).last() else { return false };
        path.starts_with(own) || (is_private(&path) && path.parent() == own.parent())
    }

    /// Allows this with a path and all below it that is not denied. What is not there is passed over.
    fn allow(&mut self, path: &Path, access: BitFlags<AccessFs>) -> io::Result<()> {
        let Ok(path) = path.canonicalize() else { return Ok(()) };
        match open(CWD, &path) {
            Ok(file) => self.allow_opened(&file, &path, access),
            Err(_) => Ok(()),
        }
    }

    fn allow_opened(
        &mut self,
        file: &OwnedFd,
        path: &Path,
        access: BitFlags<AccessFs>,
    ) -> io::Result<()> {
        let access = match KERNEL.iter().any(|folder| path == Path::new(folder)) {
            true => access & READ,
            false => access,
        };
        match self.extent(path) {
            Extent::Nothing => return Ok(()),
            Extent::All => return self.add(file.as_fd(), access),
            Extent::Some => {}
        }
        // Names are no secret.
        let list = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(folder) = openat(file, c".", list, Mode::empty()) else { return Ok(()) };
        for entry in Dir::new(folder)? {
            let Ok(entry) = entry else { break };
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return Err(io::Error::other(format!(
                    "more than {MOST_ENTRIES} files lie beside what the sandbox denies, the last in `{}`; \
                     use `--sandbox strict` with `--allow-path`",
                    path.display()
                )));
            }
            let name = OsStr::from_bytes(name.to_bytes());
            let path = path.join(name);
            // Links lead where they lead; what is gone by now, or out of reach, is nobody's loss.
            if let Ok(entry) = open(file.as_fd(), Path::new(name))
                && let Some((file, kind)) = identity(entry.as_fd())
                && kind != FileType::Symlink
                && !self.denied_files.contains(&file)
            {
                self.allow_opened(&entry, &path, access)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, file: BorrowedFd<'_>, access: BitFlags<AccessFs>) -> io::Result<()> {
        let added = |ruleset: RulesetCreated| -> Result<_, RulesetError> {
            ruleset.add_rule(PathBeneath::new(file, access))
        };
        let ruleset = self.ruleset.take().map(added).transpose().map_err(io::Error::other)?;
        self.ruleset = ruleset;
        Ok(())
    }
}

/// Opens a path as a reference, not for reading; a link as itself.
fn open(folder: BorrowedFd<'_>, path: &Path) -> io::Result<OwnedFd> {
    Ok(openat(folder, path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
}

/// Device and number of a file, which are its own whatever its names are, and its kind.
fn identity(file: BorrowedFd<'_>) -> Option<((u64, u64), FileType)> {
    let status = fstat(file).ok()?;
    Some(((status.st_dev, status.st_ino), FileType::from_raw_mode(status.st_mode)))
}

/// The folders that a program is made of, for which it was installed: those of its files, and what
/// lies beside a folder named `bin`, through all links.
fn homes(program: &Program) -> Vec<PathBuf> {
    let user = env::home_dir().and_then(|home| home.canonicalize().ok());
    let is_too_much = |folder: &Path| folder.parent().is_none() || Some(folder) == user.as_deref();
    let home = |file: &Path| {
        let folder = file.parent()?.canonicalize().ok()?;
        let above = folder.parent().filter(|_| folder.file_name() == Some(OsStr::new("bin")));
        let above = above.filter(|above| !is_too_much(above)).map(Path::to_owned);
        let found = above.unwrap_or(folder);
        if is_too_much(&found) { file.canonicalize().ok() } else { Some(found) }
    };
    let mut homes = Vec::new();
    for file in files(program) {
        let mut at = file;
        // The system follows no more links than these.
        for _ in 0..40 {
            homes.extend(home(&at));
            let Ok(next) = fs::read_link(&at) else { break };
            at = at.parent().unwrap_or(Path::new("/")).join(next);
        }
    }
    homes.sort();
    homes.dedup();
    homes
}
