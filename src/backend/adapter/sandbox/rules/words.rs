//! The files that the words of a command name: looked up once, before the first process, and held open
//! from then on, so that no process decides what its successor may read.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rustix::fs::{CWD, FileType, Stat, fstat};

use super::{Identity, open};
use crate::backend::adapter::Program;
use crate::limits;

/// Largest program that is searched for the suites, in bytes.
const PROGRAM_LIMIT: u64 = 1 << 30;

/// In a folder of Python's packages.
const CASES_OF_ONNX: &str = "onnx/backend/test/data";

/// A word that names a file.
#[derive(Debug)]
pub(super) struct Word {
    /// As the command has it; of a program that was searched for, where it was found.
    pub(super) path: PathBuf,
    /// The file itself.
    pub(super) target: Held,
}

/// A file or folder that is held open, as a reference.
#[derive(Debug)]
pub(super) struct Held {
    /// Without links.
    pub(super) path: PathBuf,
    pub(super) file: OwnedFd,
    status: Stat,
}

impl Held {
    /// What a path leads to.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let file = open(CWD, &path)?;
        let status = fstat(&file)?;
        Ok(Self { path, file, status })
    }

    pub(super) fn identity(&self) -> Identity {
        (self.status.st_dev, self.status.st_ino)
    }

    /// How many names (hard links) it has.
    pub(super) fn names(&self) -> u64 {
        let is_file = FileType::from_raw_mode(self.status.st_mode) == FileType::RegularFile;
        if is_file { self.status.st_nlink } else { 1 }
    }
}

impl Word {
    /// Whether the word still leads to the file that it led to.
    pub(super) fn is_the_same(&self) -> bool {
        Held::of(&self.path).is_ok_and(|now| {
            now.path == self.target.path && now.identity() == self.target.identity()
        })
    }

    /// What the word leads to now.
    pub(super) fn now(&self) -> PathBuf {
        self.path.canonicalize().unwrap_or_default()
    }

    /// The folders that a program is made of, for which it was installed: those of its files, and what
    /// lies beside a folder named `bin`, through all links.
    fn homes(&self) -> Vec<PathBuf> {
        let user = env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_too_much =
            |folder: &Path| folder.parent().is_none() || Some(folder) == user.as_deref();
        let home = |file: &Path| {
            let folder = file.parent()?.canonicalize().ok()?;
            let above = folder.parent().filter(|_| folder.file_name() == Some(OsStr::new("bin")));
            let above = above.filter(|above| !is_too_much(above)).map(Path::to_owned);
            let found = above.unwrap_or(folder);
            if is_too_much(&found) { file.canonicalize().ok() } else { Some(found) }
        };
        let (mut homes, mut at) = (Vec::new(), self.path.clone());
        // The system follows no more links than these.
        for _ in 0..40 {
            homes.extend(home(&at));
            let Ok(next) = fs::read_link(&at) else { break };
            at = at.parent().unwrap_or(Path::new("/")).join(next);
        }
        homes
    }
}

/// The program's file, and those that its arguments name.
pub(super) fn of(program: &Program) -> (Option<Word>, Vec<Word>) {
    let here = program.folder.clone().or_else(|| env::current_dir().ok()).unwrap_or_default();
    let word = |path: PathBuf| {
        let target = path.is_file().then(|| Held::of(&path))?.ok()?;
        Some(Word { path, target })
    };
    let found = if program.path.components().count() > 1 {
        word(here.join(&program.path))
    } else {
        let paths = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&paths).find_map(|path| word(here.join(path).join(&program.path)))
    };
    let arguments = program.arguments.iter().filter_map(|argument| word(here.join(argument)));
    (found, arguments.collect())
}

/// Where Python's package of ONNX in such a folder has ONNX's own cases.
pub(super) fn cases_of_onnx(home: &Path) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
    let libraries = ["lib", "lib64", "local/lib"].map(|name| home.join(name)).into_iter();
    let is_python =
        |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"python");
    let folders = libraries.flat_map(entries).filter(is_python).map(|entry| entry.path());
    let packages = folders.flat_map(|folder| {
        ["site-packages", "dist-packages"].map(|name| folder.join(name).join(CASES_OF_ONNX))
    });
    packages.filter_map(|cases| cases.canonicalize().ok()).collect()
}

/// The folders that these words' programs are made of.
pub(super) fn homes<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<Held> {
    let mut homes: Vec<_> = words.flat_map(Word::homes).collect();
    homes.sort();
    homes.dedup();
    homes.iter().filter_map(|home| Held::of(home).ok()).collect()
}

/// Whether a file carries the suites, as this program does: it may read itself.
pub(super) fn holds_suites(file: &Path) -> bool {
    let pattern = suites::embedded::mark()
        .iter()
        .fold("(?s-u)".to_owned(), |text, byte| text + &format!("\\x{byte:02x}"));
    let Ok(mark) = regex::bytes::Regex::new(&pattern) else { return false };
    limits::read(file, PROGRAM_LIMIT).is_ok_and(|bytes| mark.is_match(&bytes))
}
