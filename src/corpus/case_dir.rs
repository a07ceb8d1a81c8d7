//! Cases on disk, which of them a folder or an archive holds, and the files of one once they are read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use rayon::prelude::*;
use suites::archive::{self, MAX_BYTES};

use super::listing::{self, Entry, MAX_DEPTH};
use super::{CorpusError, Digest, Lock, SCHEMA_DIR, natural_order};
use crate::limits;

/// Largest file of a case that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Most that the files of one case may hold together, in bytes.
pub const MAX_CASE_BYTES: u64 = 512 << 20;

/// Most files that one case may have.
pub const MAX_CASE_FILES: usize = 10_000;

/// The folder of a case.
#[derive(Clone, Debug)]
pub struct CaseDir {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Its files, where they lie in memory and not in that folder.
    pub(super) carried: Option<Arc<BTreeMap<String, Bytes>>>,
    /// What its content is to be compared with.
    pub(super) lock: Option<Arc<Lock>>,
    /// What its content was when the corpus was pinned.
    pub(super) pinned: Option<Digest>,
}

impl CaseDir {
    /// Its name in the corpus, such as `node/test_div`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its folder; of a case in an archive, its path in that file, and of one that the program carries, in the folder of
    /// the suite.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its files, where they lie in memory.
    pub(crate) fn carried(&self) -> Option<&BTreeMap<String, Bytes>> {
        self.carried.as_deref()
    }

    /// Reads every file of the case, once, and compares their digest with the lock where one is.
    pub fn load(&self) -> Result<CaseFiles, CorpusError> {
        let files = self.read()?;
        if let Some(lock) = &self.lock {
            lock.check_case(&self.name, files.digest)?;
        }
        match self.pinned {
            Some(pinned) if pinned != files.digest => {
                Err(CorpusError::Changed(self.path.clone(), files.digest, pinned))
            }
            _ => Ok(files),
        }
    }

    /// Reads a case of a corpus that was pinned once more: whether it is as it was.
    pub fn check_pinned(&self) -> Result<(), CorpusError> {
        // What lies in memory nobody else can change.
        if self.pinned.is_some() && self.carried.is_none() {
            self.load()?;
        }
        Ok(())
    }

    /// As [`Self::load`], but whatever the lock says.
    pub(super) fn read(&self) -> Result<CaseFiles, CorpusError> {
        let files = match &self.carried {
            Some(files) => Arc::clone(files),
            None => Arc::new(read_folder(&self.path, MAX_DEPTH)?),
        };
        let digests: Vec<_> =
            files.iter().map(|(path, content)| (path.as_str(), Digest::of(content))).collect();
        let digest = Digest::of_all(digests);
        Ok(CaseFiles { files, digest })
    }
}

/// The files of a case, in memory.
#[derive(Clone, Debug)]
pub struct CaseFiles {
    files: Arc<BTreeMap<String, Bytes>>,
    digest: Digest,
}

impl CaseFiles {
    /// The files by their paths in the case, which have forward slashes on every system.
    pub fn files(&self) -> &BTreeMap<String, Bytes> {
        &self.files
    }

    /// Digest over the files; see [`Digest::of_all`].
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Bytes in all files.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|content| content.len() as u64).sum()
    }
}

/// The schema files of a corpus, by their names; none where it has no such folder.
pub(super) fn read_schema(corpus: &Path) -> Result<BTreeMap<String, Bytes>, CorpusError> {
    let folder = corpus.join(SCHEMA_DIR);
    if folder.exists() { read_folder(&folder, 0) } else { Ok(BTreeMap::new()) }
}

/// The files below a folder by their paths in it, within the limits of a case and so many folders deep.
fn read_folder(root: &Path, depth: usize) -> Result<BTreeMap<String, Bytes>, CorpusError> {
    let mut files = BTreeMap::new();
    let mut bytes_left = MAX_CASE_BYTES;
    let mut folders = vec![(root.to_owned(), String::new(), depth)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        for entry in listing::entries(&folder)? {
            let name = format!("{prefix}{}", entry.name);
            if !entry.is_folder {
                if files.len() == MAX_CASE_FILES {
                    let limit = format!("{MAX_CASE_FILES} files in a case");
                    return Err(CorpusError::TooLarge(entry.path, limit));
                }
                files.insert(name, read_file(&entry.path, &mut bytes_left)?);
            } else if depth > 0 {
                folders.push((entry.path, name + "/", depth - 1));
            } else {
                return Err(CorpusError::NotPlain(entry.path, "file"));
            }
        }
    }
    Ok(files)
}

/// The content of a file of a case that may hold so many more bytes.
fn read_file(path: &Path, bytes_left: &mut u64) -> Result<Bytes, CorpusError> {
    let too_large = |limit| Err(CorpusError::TooLarge(path.to_owned(), limit));
    let failed = CorpusError::io("read", path);
    let mut file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > MAX_FILE_BYTES {
        return too_large(format!("{MAX_FILE_BYTES} bytes in a file"));
    }
    let Some(left) = bytes_left.checked_sub(length) else {
        return too_large(format!("{MAX_CASE_BYTES} bytes in a case"));
    };
    // One byte more, so that one read shows whether there is more than that.
    let length = usize::try_from(length).unwrap_or_default();
    let (mut content, mut read) = (vec![0; length + 1], 0);
    loop {
        let more = match file.read(&mut content[read..]) {
            Ok(more) => more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(error)),
        };
        read += more;
        if more == 0 || read >= length {
            break;
        }
    }
    if read != length {
        return Err(failed(io::Error::other("it changed while it was read")));
    }
    content.truncate(length);
    *bytes_left = left;
    Ok(content.into())
}

/// The cases of a locked corpus: every folder in every folder but that of the schema.
pub(super) fn of_kinds(root: &Path) -> Result<Vec<CaseDir>, CorpusError> {
    let mut cases = Vec::new();
    for kind in listing::entries(root)? {
        kind.must_be_folder()?;
        if kind.name == SCHEMA_DIR {
            continue;
        }
        for case in listing::entries(&kind.path)? {
            case.must_be_folder()?;
            let name = format!("{}/{}", kind.name, case.name);
            cases.push(CaseDir { name, path: case.path, carried: None, lock: None, pinned: None });
        }
    }
    Ok(sorted(cases))
}

/// The cases of an unlocked folder: itself alone where it is one, else all those below it, in zip archives too,
/// of which each is a folder or [holds those of its name](holds_versions).
pub(super) fn of_any_depth(root: &Path, root_name: &str) -> Result<Vec<CaseDir>, CorpusError> {
    let mut cases = Vec::new();
    let mut folders = vec![(String::new(), root.to_owned())];
    let mut archives = Vec::new();
    for depth in 0..=MAX_DEPTH {
        let listed = folders.into_par_iter().map(|(name, path)| {
            let entries = listing::entries(&path)?;
            Ok((name, path, entries))
        });
        let listed = listed.collect::<Result<Vec<_>, CorpusError>>()?;
        folders = Vec::new();
        for (name, path, entries) in listed {
            let below = |entry: &str| match depth {
                0 => entry.to_owned(),
                _ => format!("{name}/{entry}"),
            };
            if entries.iter().any(Entry::marks_a_case) {
                let name = if depth == 0 { root_name.to_owned() } else { name };
                cases.push(CaseDir { name, path, carried: None, lock: None, pinned: None });
                continue;
            }
            if depth == MAX_DEPTH {
                return Err(CorpusError::TooLarge(path, format!("{MAX_DEPTH} folders")));
            }
            for entry in entries {
                if entry.is_folder {
                    folders.push((below(&entry.name), entry.path));
                } else if let Some(stem) = entry.name.strip_suffix(".zip") {
                    archives.push((below(stem), entry.path));
                }
            }
        }
    }
    let archives = archives.into_par_iter().map(|(name, path)| {
        let files = read_archive(&path)?;
        let cases = of_archive(&files, "", &path, "")?.into_iter();
        let (above, stem) = name.rsplit_once('/').map_or((None, &*name), |(a, b)| (Some(a), b));
        let above = if holds_versions(&files, stem) { above } else { Some(&*name) };
        let within = |case: CaseDir| {
            let parts = above.into_iter().chain((!case.name.is_empty()).then_some(&*case.name));
            CaseDir { name: parts.collect::<Vec<_>>().join("/"), ..case }
        };
        Ok(cases.map(within).collect::<Vec<_>>())
    });
    cases.extend(archives.collect::<Result<Vec<_>, CorpusError>>()?.into_iter().flatten());
    let cases = sorted(cases);
    match cases.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(CorpusError::SameCase(root.to_owned(), pair[0].name.clone())),
        None => Ok(cases),
    }
}

/// Whether all that an archive holds is in folders named as it is, or so with `_` and more: `abs.zip` holds `abs_6`
/// and `abs_13`. Such an archive stands for these folders.
fn holds_versions(files: &BTreeMap<String, Bytes>, stem: &str) -> bool {
    let is_version = |path: &String| {
        let rest = path.strip_prefix(stem);
        rest.is_some_and(|rest| {
            rest.starts_with('/') || rest.starts_with('_') && rest.contains('/')
        })
    };
    files.keys().all(is_version)
}

/// The files of an archive of cases by their paths in it.
pub(super) fn read_archive(path: &Path) -> Result<BTreeMap<String, Bytes>, CorpusError> {
    let archive = limits::read(path, MAX_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            CorpusError::TooLarge(path.to_owned(), format!("{MAX_BYTES} bytes in an archive"))
        }
        _ => CorpusError::io("read", path)(error),
    })?;
    archive::files(&archive.into(), MAX_FILE_BYTES)
        .map_err(|error| CorpusError::Unreadable(path.to_owned(), error))
}

/// The cases among the files of the archive at `path`, of which all paths begin with `top`, by their paths behind it,
/// as [`of_any_depth`] finds those of a folder: one that lies there itself has the name of the root.
pub(super) fn of_archive(
    files: &BTreeMap<String, Bytes>,
    top: &str,
    path: &Path,
    root_name: &str,
) -> Result<Vec<CaseDir>, CorpusError> {
    let mut folders = BTreeSet::new();
    for path in files.keys().filter_map(|path| path.strip_prefix(top)) {
        let parts: Vec<&str> = path.split('/').collect();
        let (file, above) = parts.split_last().unwrap_or((&"", &[]));
        let marked = above.iter().position(|folder| listing::marks_a_case(folder, true));
        let marked = marked.or(listing::marks_a_case(file, false).then_some(above.len()));
        folders.extend(marked.map(|depth| above[..depth].join("/")));
    }
    let mut cases: BTreeMap<String, BTreeMap<String, Bytes>> = BTreeMap::new();
    for (path, content) in files {
        let Some(within) = path.strip_prefix(top) else { continue };
        // The first folder that is a case has all below it.
        let ends = within.match_indices('/').map(|(at, _)| at);
        let mut ends = std::iter::once(0).chain(ends);
        let Some(end) = ends.find(|&end| folders.contains(&within[..end])) else { continue };
        let (case, file) = within.split_at(end);
        let file = file.trim_start_matches('/').to_owned();
        cases.entry(case.to_owned()).or_default().insert(file, content.clone());
    }
    let case = |(name, files): (String, BTreeMap<String, Bytes>)| {
        let within = format!("{top}{name}");
        let place = match within.trim_end_matches('/') {
            "" => path.to_owned(),
            within => path.join(within),
        };
        let depth = |path: &str| path.matches('/').count();
        let too_large = |limit| Err(CorpusError::TooLarge(place.clone(), limit));
        let bytes: u64 = files.values().map(|content| content.len() as u64).sum();
        if depth(&name) >= MAX_DEPTH || files.keys().any(|file| depth(file) > MAX_DEPTH) {
            return too_large(format!("{MAX_DEPTH} folders"));
        }
        if files.len() > MAX_CASE_FILES {
            return too_large(format!("{MAX_CASE_FILES} files in a case"));
        }
        if bytes > MAX_CASE_BYTES {
            return too_large(format!("{MAX_CASE_BYTES} bytes in a case"));
        }
        let name = if name.is_empty() { root_name.to_owned() } else { name };
        let carried = Some(Arc::new(files));
        Ok(CaseDir { name, path: place, carried, lock: None, pinned: None })
    };
    cases.into_iter().map(case).collect()
}

/// The cases among files, given by their paths below `root`: the program's own, or made by it.
pub(super) fn of_files<'a>(
    files: impl Iterator<Item = (&'a str, Bytes)>,
    root: &Path,
) -> Vec<CaseDir> {
    let mut cases: BTreeMap<&str, BTreeMap<String, Bytes>> = BTreeMap::new();
    for (path, content) in files {
        // The folder of a case holds its data sets and files besides.
        let end = path.find("/test_data_set_").or_else(|| path.rfind('/')).unwrap_or_default();
        let (case, file) = path.split_at(end);
        let file = file.trim_start_matches('/').to_owned();
        cases.entry(case).or_default().insert(file, content);
    }
    let case = |(name, files): (&str, _)| {
        let carried = Some(Arc::new(files));
        CaseDir { name: name.to_owned(), path: root.join(name), carried, lock: None, pinned: None }
    };
    sorted(cases.into_iter().map(case).collect())
}

pub(super) fn sorted(mut cases: Vec<CaseDir>) -> Vec<CaseDir> {
    cases.sort_by(|a, b| natural_order(a.name(), b.name()));
    cases
}
