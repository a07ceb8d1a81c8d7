//! The protobuf messages of ONNX as Rust, from the schema of a release: reads `RELEASE/schema` below the folder that it is
//! given, and prints an object of paths in the checkout and what belongs there.
//!
//! A program of its own, which `cargo xtask codegen` starts: what it is made of is what derives are made of, too, and beside
//! the harness Cargo would build those, and all that derives with them, once more.

mod fields;

use std::collections::BTreeMap;
use std::error::Error as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use prost_types::{DescriptorProto, FileDescriptorProto};
use protox::file::{File, FileResolver, GoogleFileResolver};

/// The release whose schema the messages are generated from.
const RELEASE: &str = "onnx-1.22.0";
/// The schema's files, as they import each other.
const FILES: [&str; 2] = ["onnx/onnx-ml.proto", "onnx/onnx-data.proto"];
const MESSAGES: &str = "crates/values/src/onnx/proto.rs";
const FIELDS: &str = "crates/values/src/onnx/fields.rs";

/// The messages cannot be generated.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("failed to read the schema in {}; is the corpus fetched? run `cargo xtask fetch`", folder.display())]
    Schema { folder: PathBuf, source: protox::Error },
    #[error("failed to generate the messages")]
    Generate(#[source] io::Error),
    #[error("failed to format the messages with `rustfmt`")]
    Format(#[source] io::Error),
    #[error("the schema does not hold exactly one package, but {0}")]
    Packages(usize),
    #[error("the field `{field}` of `{message}` is of a kind that no table has")]
    Field { message: String, field: String },
    #[error("failed to write the messages")]
    Write(#[from] serde_json::Error),
}

fn main() -> ExitCode {
    let Some(corpora) = std::env::args_os().nth(1) else {
        eprintln!("error: give the folder of the corpora: `cargo xtask codegen` does");
        return ExitCode::from(2);
    };
    match generate(Path::new(&corpora)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(cause) = error.source() {
                eprintln!("  caused by: {cause}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Prints the files that are made from the schema of the release among the corpora.
fn generate(corpora: &Path) -> Result<(), Error> {
    let files = schema(&corpora.join(RELEASE).join("schema"))?;
    let fields = fields::table(RELEASE, &files)?;
    let generated = BTreeMap::from([(FIELDS, fields), (MESSAGES, messages(files)?)]);
    Ok(serde_json::to_writer(io::stdout(), &generated)?)
}

/// The schema's files, compiled.
fn schema(folder: &Path) -> Result<Vec<FileDescriptorProto>, Error> {
    let schema_error = |source| Error::Schema { folder: folder.to_owned(), source };
    let mut compiler =
        protox::Compiler::with_file_resolver(SchemaFolder { folder: folder.to_owned() });
    compiler.include_imports(true).open_files(FILES).map_err(schema_error)?;
    Ok(compiler.file_descriptor_set().file.into_iter().map(read).collect())
}

/// What nothing here reads or writes, by the paths of messages, fields and enumerations, or by the names of
/// fields in whatever message: a decoder skips such fields, so that they take no memory.
const UNREAD: &str = "
    Version OperatorStatus TensorProto.DataType OptionalProto.DataType
    doc_string metadata_props denotation quantization_annotation TensorAnnotation
    AttributeProto.sparse_tensors AttributeProto.tp AttributeProto.type_protos
    ModelProto.producer_version ModelProto.domain ModelProto.model_version
    ModelProto.training_info TrainingInfoProto ModelProto.configuration DeviceConfigurationProto
    NodeProto.device_configurations NodeDeviceConfigurationProto
    ShardingSpecProto ShardedDimProto SimpleShardedDimProto IntIntListEntryProto
";

/// A file of the schema with what is read or written of it.
fn read(mut file: FileDescriptorProto) -> FileDescriptorProto {
    let is_read = |path: &str| UNREAD.split_whitespace().all(|unread| unread != path);
    file.enum_type.retain(|own| is_read(own.name()));
    file.message_type.retain(|own| is_read(own.name()));
    for DescriptorProto { name, field, nested_type, enum_type, .. } in &mut file.message_type {
        let is_own_read =
            |own: &str| is_read(&format!("{}.{own}", name.as_deref().unwrap_or_default()));
        enum_type.retain(|own| is_own_read(own.name()));
        field.retain(|own| is_read(own.name()) && is_own_read(own.name()));
        nested_type.iter_mut().for_each(|inner| inner.field.retain(|own| is_read(own.name())));
    }
    file
}

fn messages(files: Vec<FileDescriptorProto>) -> Result<String, Error> {
    let requests = files
        .into_iter()
        .map(|file| (prost_build::Module::from_protobuf_package_name(file.package()), file))
        .collect();
    let modules = prost_build::Config::new()
        .disable_comments(["."])
        .bytes(["."])
        // Few attributes have one, and each would take as much as if it did.
        .boxed(".onnx.AttributeProto.sparse_tensor")
        .generate(requests)
        .map_err(Error::Generate)?;
    let count = modules.len();
    let (1, Some(code)) = (count, modules.into_values().next()) else {
        return Err(Error::Packages(count));
    };
    Ok(format!(
        "//! The protobuf messages of ONNX. Generated by `cargo xtask codegen` from the schema of\n\
         //! {RELEASE}; do not edit.\n\n{}",
        dense(&formatted(&code)?)
    ))
}

/// The code as `rustfmt` has it, with no more on a line than by default.
fn formatted(code: &str) -> Result<String, Error> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "use_small_heuristics=Default"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(Error::Format)?;
    let input = rustfmt.stdin.take().map(|mut input| input.write_all(code.as_bytes()));
    input.transpose().map_err(Error::Format)?;
    let output = rustfmt.wait_with_output().map_err(Error::Format)?;
    String::from_utf8(output.stdout)
        .ok()
        .filter(|_| output.status.success())
        .ok_or_else(|| Error::Format(io::Error::other("it did not format the messages")))
}

/// The code with a field to a line, as the schema has it, and without the functions between
/// enumerations and the names of their values, the only `impl` blocks that there are.
fn dense(code: &str) -> String {
    let code = ["core::option", "prost::alloc::boxed", "prost::alloc::string", "prost::alloc::vec"]
        .iter()
        .fold(code.to_owned(), |code, path| code.replace(&format!("::{path}::"), ""));
    let is_open = |line: &str| line.matches(['(', '<']).count() > line.matches([')', '>']).count();
    let mut lines = code.lines();
    let mut text = String::new();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim_start().starts_with("impl ") {
            let end = format!("{indent}}}");
            lines.by_ref().find(|line| **line == end);
            continue;
        }
        let mut line = line.to_owned();
        while is_open(&line) {
            let Some(rest) = lines.next() else { break };
            let joins = line.ends_with(['(', '<']) || rest.trim_start().starts_with([')', '>']);
            line = line + if joins { "" } else { " " } + rest.trim_start();
        }
        let line = line.replace(",>", ">");
        text += if text.ends_with(' ') { line.trim_start() } else { &line };
        text.push(if line.trim_start().starts_with("#[prost(") { ' ' } else { '\n' });
    }
    text
}

/// Resolves the schema's imports, which name their files `onnx/..`, in the corpus.
struct SchemaFolder {
    folder: PathBuf,
}

impl FileResolver for SchemaFolder {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name.strip_prefix("onnx/") {
            Some(file) => File::open(name, &self.folder.join(file)),
            None => GoogleFileResolver::new().open_file(name),
        }
    }
}
