//! Every file of `testdata/malformed` is refused by the decoders it was made for, and no decoder
//! panics on any of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::path::{Path, PathBuf};

use onnx_conformance::backend::catalogue;
use onnx_conformance::backend::protocol::{Greeting, Reply, Request, Said};
use onnx_conformance::corpus::Lock;
use onnx_conformance::corpus::case::Manifest;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::baseline;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::expect::Expectations;
use onnx_conformance::judge::profile::{Profile, Tolerance};
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::measure::campaign;
use onnx_conformance::onnx::{
    Model, ValueType, decode_value, with_initialisers, with_symbolic_shapes,
};
use onnx_conformance::openvino;
use walkdir::WalkDir;

/// Number of decoders that take the bytes, by the fuzz target that they belong to.
fn taken(target: &str, bytes: &[u8]) -> usize {
    let path = Path::new("file");
    let taken: Vec<bool> = match target {
        "protobuf" => {
            let tensor = ValueType::Tensor(None);
            let sequence = ValueType::Sequence(Box::new(tensor.clone()));
            let optional = ValueType::Optional(Box::new(sequence.clone()));
            let values = [tensor, sequence, optional];
            let bytes = bytes::Bytes::copy_from_slice(bytes);
            let model = Model::decode("file", bytes.clone()).is_ok();
            // What makes variants takes any bytes, too.
            let _ = (with_initialisers(&bytes, &[]), with_symbolic_shapes(&bytes));
            let values =
                values.iter().map(|kind| decode_value("file", bytes.clone(), kind).is_ok());
            values.chain([model]).collect()
        }
        "openvino_ir" => vec![openvino::Model::read("file", bytes).is_ok()],
        "catalogues" => {
            let text = String::from_utf8_lossy(bytes);
            vec![
                Catalogue::from_files(&[("file.toml", &text)]).is_ok(),
                Profile::parse("file", &text).is_ok(),
                Expectations::parse("file", &text).is_ok_and(|known| !known.entries().is_empty()),
                Lock::parse(path, "file", &text).is_ok(),
                catalogue::Catalogue::parse(path, &text).is_ok_and(|all| !all.entries().is_empty()),
                Manifest::from_json(bytes).is_ok(),
                Tolerance::from_data_json(bytes).is_ok(),
            ]
        }
        "adapter_lines" => {
            let mut stdout = bytes.to_vec();
            let mut taken = Vec::new();
            let mut line = || match Said::take(&mut stdout) {
                Some(Said::Line(line) | Said::Half(line)) => Some(line),
                Some(Said::TooLong) => None,
                None => Some(std::mem::take(&mut stdout)).filter(|rest| !rest.is_empty()),
            };
            while let Some(line) = line() {
                taken.push(Greeting::read(&line).is_ok());
                taken.push(Reply::read(&line).is_ok());
                taken.push(serde_json::from_slice::<Request>(&line).is_ok());
            }
            taken
        }
        "documents" => vec![
            Report::from_bytes(path, bytes).is_ok(),
            baseline::from_bytes(path, bytes).is_ok(),
            campaign::Campaign::from_bytes(path, bytes).is_ok(),
        ],
        other => panic!("no fuzz target `{other}`"),
    };
    taken.into_iter().filter(|&taken| taken).count()
}

const TARGETS: [&str; 5] = ["protobuf", "openvino_ir", "catalogues", "adapter_lines", "documents"];

/// The files, each with the target that it was made for.
fn files() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/malformed");
    let files = WalkDir::new(folder).min_depth(2).sort_by_file_name();
    let files = files.into_iter().map(|entry| entry.unwrap().into_path());
    let target = |path: &Path| path.parent()?.file_name()?.to_str().map(str::to_owned);
    files.map(|path| (target(&path).unwrap(), path)).collect()
}

#[test]
fn no_decoder_panics_on_a_malformed_input() {
    for (_, path) in files() {
        let bytes = std::fs::read(path).unwrap();
        for target in TARGETS {
            taken(target, &bytes);
            // Without the byte that chooses, and cut at every place of the first few.
            for from in 1..bytes.len().min(16) {
                taken(target, &bytes[from..]);
                taken(target, &bytes[..bytes.len() - from]);
            }
        }
    }
}

#[test]
fn every_target_has_malformed_inputs_and_each_is_refused() {
    let files = files();
    for target in TARGETS {
        assert!(files.iter().any(|(other, _)| other == target), "none for {target}");
    }
    // What only has to be survived, and may be taken.
    let survived = ["many_empty_attributes", "half_a_line", "stars"];
    for (target, path) in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        if !survived.contains(&name) {
            let bytes = std::fs::read(&path).unwrap();
            let bytes = if target == "catalogues" { &bytes[1..] } else { &bytes };
            assert_eq!(taken(&target, bytes), 0, "{target}/{name} was taken");
        }
    }
}
