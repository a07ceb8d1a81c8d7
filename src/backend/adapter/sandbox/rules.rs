//! The rules of a sandbox, put on a thread.

mod names;
mod words;

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, make_bitflags,
};
use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, fstat, openat};

use self::words::{Held, Word, holds_suites};
use super::{Sandbox, SandboxError, SandboxMode};
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

/// Devices, and memory that programs share.
const DEVICES: &str = "/dev";

/// Devices that lead out of any sandbox: what is put into a terminal is typed there, and memory is all processes'.
/// Disks do too.
const OUTSIDE: [&str; 7] = ["console", "kmem", "mem", "port", "ptmx", "pts", "tty"];

/// Device and number of a file, which are its own whatever its names are.
type Identity = (u64, u64);

/// Whether the system has what the rules need.
pub(super) fn are_supported() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create).is_ok()
}

/// What the processes of a program are kept from and allowed, looked up once: each of them has the same
/// files, whatever an earlier one has put under their names.
#[derive(Debug)]
pub(super) struct Bounds {
    mode: SandboxMode,
    denied: Vec<PathBuf>,
    /// The same as the system knows them: under another name, as of a mount, a rule would allow them
    /// under each.
    denied_files: Vec<Identity>,
    words: Vec<Word>,
    readable: Vec<Held>,
    writable: Vec<Held>,
    gaps: Vec<String>,
}

impl Bounds {
    /// Those of a program in a sandbox.
    pub(super) fn new(sandbox: &Sandbox, program: &Program) -> Result<Self, SandboxError> {
        let (own, arguments) = words::of(program);
        let homes = words::homes(own.iter().chain(&arguments));
        let mut denied = sandbox.denied.clone();
        denied.extend(homes.iter().flat_map(|home| words::cases_of_onnx(&home.path)));
        let mut gaps = sandbox.gaps.clone();
        let files: Vec<_> = denied.iter().filter_map(|path| Held::of(path).ok()).collect();
        for file in files.iter().filter(|file| file.names() > 1) {
            let folder = file.path.parent().unwrap_or(Path::new("/"));
            let here = std::env::current_dir().unwrap_or_default();
            let built = folder.join("deps");
            let places = [&*built, folder, &here].into_iter();
            let places = places.chain(homes.iter().map(|home| &*home.path));
            let names = names::below(places, |found| found == file.identity(), file.names());
            let unknown = file.names().saturating_sub(names.len() as u64);
            if unknown > 0 {
                let name = file.path.file_name().unwrap_or_default().display();
                gaps.push(format!("names of `{name}` (hard links) that were not found: {unknown}"));
            }
            denied.extend(names);
        }
        let denied_files: Vec<_> = files.iter().map(Held::identity).collect();
        let place_of = |word: &Word| {
            let Held { path, .. } = &word.target;
            let by_path = denied.iter().find(|denied| path.starts_with(denied));
            let is_it = |file: &&Held| file.identity() == word.target.identity();
            let by_file = files.iter().find(is_it).map(|file| &file.path);
            let has_names = word.target.names() > 1;
            let linked = |place: &&PathBuf| {
                let is_it = |found| found == word.target.identity();
                has_names && !names::below([&***place], is_it, 1).is_empty()
            };
            by_path.or(by_file).or_else(|| denied.iter().find(linked)).cloned()
        };
        // A program is started for what it is; what it is given must not be what it is kept from.
        for word in &arguments {
            if let Some(denied) = place_of(word) {
                let (word, target) = (word.path.clone(), word.target.path.clone());
                return Err(SandboxError::Word { word, target, denied });
            }
        }
        let words: Vec<_> = own.into_iter().chain(arguments).collect();
        if words.iter().any(|word| holds_suites(&word.target.path)) {
            gaps.insert(0, "the adapter's program carries the suites".to_owned());
        }
        let held =
            |paths: &[PathBuf]| paths.iter().filter_map(|path| Held::of(path).ok()).collect();
        let mut readable: Vec<_> = held(&sandbox.readable);
        if sandbox.mode == SandboxMode::Strict {
            readable.extend(homes);
            denied.push("/dev/shm".into());
        }
        let writable = held(&sandbox.writable);
        Ok(Self { mode: sandbox.mode, denied, denied_files, words, readable, writable, gaps })
    }

    /// What they may read nevertheless, of what they should be kept from.
    pub(super) fn gaps(&self) -> &[String] {
        &self.gaps
    }

    /// That a word of the command leads elsewhere than it did before the first process.
    pub(super) fn check(&self) -> Result<(), SandboxError> {
        match self.words.iter().find(|word| !word.is_the_same()) {
            None => Ok(()),
            Some(word) => Err(SandboxError::Changed {
                word: word.path.clone(),
                was: word.target.path.clone(),
                now: word.now(),
            }),
        }
    }

    /// Restricts this thread, and what it will start, to what is allowed to a process whose private
    /// folder this is.
    pub(super) fn restrict(&self, private: &Path) -> io::Result<()> {
        // Nobody makes devices; whoever may write has them in `/dev`.
        let all = AccessFs::from_all(VERSION);
        let write = all & !make_bitflags!(AccessFs::{MakeBlock | MakeChar});
        // Sockets without a file are open, as those of graphics and services are.
        let ruleset = Ruleset::default()
            .handle_access(all)
            .and_then(|ruleset| ruleset.scope(Scope::Signal))
            .and_then(Ruleset::create)
            .map_err(io::Error::other)?;
        let mut rules = Rules { ruleset: Some(ruleset), bounds: self, private, entries: 0 };
        match self.mode {
            SandboxMode::Off => {}
            SandboxMode::Default => {
                rules.add(open(CWD, Path::new("/"))?.as_fd(), AccessFs::ReadDir.into())?;
                rules.allow(Path::new("/"), READ)?;
            }
            SandboxMode::Strict => {
                for folder in SYSTEM.iter().chain(&KERNEL) {
                    rules.allow(Path::new(folder), READ)?;
                }
            }
        }
        rules.allow(Path::new(DEVICES), write)?;
        rules.allow(private, write)?;
        for (held, access) in [(&self.readable, READ), (&self.writable, write)] {
            for held in held {
                rules.allow_opened(&held.file, &held.path, access)?;
            }
        }
        // A program may lie where nothing else may be read.
        for word in &self.words {
            rules.add(word.target.file.as_fd(), READ & AccessFs::from_file(VERSION))?;
        }
        let Some(ruleset) = rules.ruleset else { return Err(io::ErrorKind::Unsupported.into()) };
        match ruleset.restrict_self().map_err(io::Error::other)?.ruleset {
            RulesetStatus::NotEnforced => Err(io::ErrorKind::Unsupported.into()),
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        }
    }
}

struct Rules<'a> {
    /// Absent only while a rule is added.
    ruleset: Option<RulesetCreated>,
    bounds: &'a Bounds,
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
            || self.bounds.denied.iter().any(|denied| path.starts_with(denied))
        {
            return Extent::Nothing;
        }
        // Disks lie among the devices.
        let is_above = path == Path::new(DEVICES)
            || self.bounds.denied.iter().any(|denied| denied.starts_with(path));
        match is_above {
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
            let is_outside =
                path == Path::new(DEVICES) && OUTSIDE.iter().any(|device| name == *device);
            if is_outside {
                continue;
            }
            let path = path.join(name);
            // Links lead where they lead; what is gone by now, or out of reach, is nobody's loss.
            if let Ok(entry) = open(file.as_fd(), Path::new(name))
                && let Some((file, kind)) = identity(entry.as_fd())
                && !matches!(kind, FileType::Symlink | FileType::BlockDevice)
                && !self.bounds.denied_files.contains(&file)
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

/// The identity of an open file, and its kind.
fn identity(file: BorrowedFd<'_>) -> Option<(Identity, FileType)> {
    let status = fstat(file).ok()?;
    Some(((status.st_dev, status.st_ino), FileType::from_raw_mode(status.st_mode)))
}
