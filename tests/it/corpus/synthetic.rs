//! A release of ONNX in miniature, in every form it is distributed in.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use onnx_conformance::corpus::CorpusError;
use onnx_conformance::corpus::fetch::{self, Fetched, Request, Source};
use onnx_conformance::corpus::{Corpus, Home};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) const RELEASE: &str = "0.0.1";
pub(crate) const NAME: &str = "onnx-0.0.1";
pub(crate) const NODE: &str = "onnx/backend/test/data/node";

/// Content of files by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The cases of the release, in natural order.
pub(crate) const CASES: [&str; 3] = ["node/test_add", "node/test_add_2", "node/test_add_10"];

/// What the wheel of the release holds, by path.
pub(crate) fn files() -> Files {
    let mut files = BTreeMap::new();
    for (index, case) in CASES.iter().enumerate() {
        let case = case.strip_prefix("node/").unwrap();
        for file in ["model.onnx", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb"] {
            let content = format!("{file} of case {index}").into_bytes();
            files.insert(format!("{NODE}/{case}/{file}"), content);
        }
    }
    files.insert(format!("{NODE}/test_add/test_data_set_0/input_1.pb"), Vec::new());
    files.insert("onnx/onnx.proto".into(), b"syntax = \"proto2\";".to_vec());
    files.insert("onnx/onnx-ml.proto".into(), b"// machine learning".to_vec());
    // Not part of a corpus:
    files.insert("onnx/__init__.py".into(), b"import os".to_vec());
    files.insert("onnx/onnx.in.proto".into(), b"// template".to_vec());
    files.insert("onnx/backend/test/data/simple/test_a/model.onnx".into(), b"simple".to_vec());
    files
}

pub(crate) fn zip(files: &Files) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, content) in files {
        zip.start_file(path.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Header of a plain file.
pub(crate) fn tar_header(path: &str, size: usize) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    // Not by `set_path`, which refuses what hostile archives are made of.
    header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_entry_type(tar::EntryType::Regular);
    header.set_size(size as u64);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

/// With all files below the folder `root`, as source archives have them.
pub(crate) fn tar(files: &Files, root: &str) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let comment: &[u8] = b"52 comment=0123456789012345678901234567890123456789\n";
    let mut header = tar_header("pax_global_header", comment.len());
    header.set_entry_type(tar::EntryType::XGlobalHeader);
    header.set_cksum();
    tar.append(&header, comment).unwrap();
    for (path, content) in files {
        let mut header = tar_header("", content.len());
        tar.append_data(&mut header, format!("{root}/{path}"), content.as_slice()).unwrap();
    }
    tar.into_inner().unwrap()
}

pub(crate) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(content).unwrap();
    gzip.finish().unwrap()
}

/// A `testdata` folder that goes when dropped, and room for archives beside it.
pub(crate) struct TestHome {
    folder: TempDir,
    pub(crate) home: Home,
}

impl TestHome {
    /// Without lock and corpus.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let home = Home::at(folder.path().join("testdata"));
        fs::create_dir_all(home.root().join("locks")).unwrap();
        Self { folder, home }
    }

    /// With the lock of the release, but without the corpus.
    pub(crate) fn locked() -> Self {
        let home = Self::installed();
        fs::remove_dir_all(home.corpus_path()).unwrap();
        home
    }

    /// With the lock and the corpus of the release.
    pub(crate) fn installed() -> Self {
        let home = Self::new();
        let wheel = home.archive("onnx.whl", &zip(&files()));
        let request = Request::from_source(RELEASE, wheel);
        home.fetch(&Request { write_lock: true, ..request }).unwrap();
        home
    }

    /// Writes a file beside the home.
    pub(crate) fn archive(&self, name: &str, content: &[u8]) -> Source {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        Source::Archive(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn corpus_path(&self) -> PathBuf {
        self.home.corpus_path(NAME)
    }

    pub(crate) fn corpus(&self) -> Corpus {
        self.home.corpus(NAME).unwrap()
    }

    pub(crate) fn fetch(&self, request: &Request) -> Result<Fetched, CorpusError> {
        fetch::fetch(&self.home, request, &|_| {})
    }

    pub(crate) fn fetch_from(&self, source: Source) -> Result<Fetched, CorpusError> {
        self.fetch(&Request::from_source(RELEASE, source))
    }

    /// What is in the folder of the corpora, but for the file that fetches lock.
    pub(crate) fn in_corpora(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home.corpora()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".lock"));
        names.sort();
        names
    }
}

/// Writes the files below a folder.
pub(crate) fn write_folder(root: &Path, files: &Files) {
    for (path, content) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap().write_all(content).unwrap();
    }
}
