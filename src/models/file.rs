//! The file of a model, and the data of its tensors that lie in other files of its folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;

use crate::corpus::Digest;
use crate::limits::{self, Budget};
use crate::model::{Format, Model, ModelError};
use crate::onnx;
use crate::onnx::proto::tensor_proto::DataLocation;
use crate::onnx::proto::{TensorProto, ValueInfoProto};

/// The largest file of a model, in bytes: what protobuf allows a message.
const MODEL_LIMIT: u64 = 1 << 31;

/// What decoding a model may take beyond twice its size and what any input may, in bytes: a hundred thousand nodes are
/// many small parts.
const ROOM: usize = 1 << 30;

/// A model as it lies on disk.
#[derive(Debug)]
pub struct ModelFile {
    /// Where it lies.
    pub path: PathBuf,
    /// What the file holds.
    pub bytes: Bytes,
    /// SHA-256 of these bytes.
    pub digest: Digest,
    /// The model; the data of its tensors may lie in other files, see [`ModelFile::whole`].
    pub model: onnx::Model,
}

/// No model of ONNX could be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum FileError {
    #[error("failed to read the model `{path}`; is this the path of an ONNX file?")]
    Read { path: PathBuf, source: io::Error },
    #[error("`{path}` holds no model of ONNX")]
    Decode { path: PathBuf, source: Box<ModelError> },
    #[error("`{path}` is a model of OpenVINO; give one of ONNX")]
    OpenVino { path: PathBuf },
}

/// The data of a tensor that lie in another file cannot be had.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ExternalError {
    #[error("tensor `{tensor}` does not say in which file its data lie")]
    NoLocation { tensor: String },
    #[error(
        "the data of tensor `{tensor}` lie in `{location}`, which is not within the model's folder"
    )]
    Outside { tensor: String, location: String },
    #[error("tensor `{tensor}` says `{value}` of its data's {key}, which is no number of bytes")]
    NoNumber { tensor: String, key: &'static str, value: String },
    #[error("failed to read the data of tensor `{tensor}` from `{path}`; copy the file there")]
    Read { tensor: String, path: PathBuf, source: io::Error },
}

impl ModelFile {
    /// Reads a model of ONNX, without the data that lie beside it.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        if path.extension().is_some_and(|extension| extension == Format::OpenVino.extension()) {
            return Err(FileError::OpenVino { path: path.to_owned() });
        }
        let bytes = limits::read(path, MODEL_LIMIT)
            .map_err(|source| FileError::Read { path: path.to_owned(), source })?;
        let bytes = Bytes::from(bytes);
        let digest = Digest::of(&bytes);
        let budget = &mut Budget::of_input(ROOM);
        let name = path.display().to_string();
        let model = onnx::Model::decode_within(&name, bytes.clone(), budget).map_err(|source| {
            FileError::Decode { path: path.to_owned(), source: Box::new(source.into()) }
        })?;
        Ok(Self { path: path.to_owned(), bytes, digest, model })
    }

    /// The model for a backend.
    pub fn as_model(&self) -> Model {
        Model::Onnx(Box::new(self.model.clone()))
    }

    /// What the model is given: its inputs that are not initialisers.
    pub fn ports(&self) -> Vec<ValueInfoProto> {
        let given = self.model.inputs().iter().map(|port| &port.name);
        let inputs = &self.model.graph().input;
        given.filter_map(|name| inputs.iter().find(|input| input.name() == name).cloned()).collect()
    }

    /// A tensor with its data, wherever they lie.
    pub fn whole(&self, tensor: &TensorProto) -> Result<TensorProto, ExternalError> {
        if !is_external(tensor) {
            return Ok(tensor.clone());
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let data = External::of(tensor)?.read(folder.unwrap_or(Path::new(".")))?;
        Ok(TensorProto {
            raw_data: Some(data),
            data_location: None,
            external_data: Vec::new(),
            ..tensor.clone()
        })
    }
}

/// Whether the data of a tensor lie in another file.
pub fn is_external(tensor: &TensorProto) -> bool {
    tensor.data_location == Some(DataLocation::External as i32) || !tensor.external_data.is_empty()
}

/// Where the data of a tensor lie.
struct External<'a> {
    tensor: &'a str,
    location: &'a str,
    offset: u64,
    /// None up to the end of the file.
    length: Option<u64>,
}

impl<'a> External<'a> {
    fn of(tensor: &'a TensorProto) -> Result<Self, ExternalError> {
        let name = tensor.name();
        let entries: BTreeMap<&str, &str> =
            tensor.external_data.iter().map(|entry| (entry.key(), entry.value())).collect();
        let number = |key: &'static str| match entries.get(key) {
            None => Ok(None),
            Some(value) => value.parse().map(Some).map_err(|_| ExternalError::NoNumber {
                tensor: name.to_owned(),
                key,
                value: (*value).to_owned(),
            }),
        };
        let location = entries.get("location").copied().filter(|location| !location.is_empty());
        let location =
            location.ok_or_else(|| ExternalError::NoLocation { tensor: name.to_owned() })?;
        let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
        Ok(Self { tensor: name, location, offset, length })
    }

    /// The data, from a file of this folder: neither a path that leaves it nor a link that does is followed.
    fn read(&self, folder: &Path) -> Result<Bytes, ExternalError> {
        let outside = || ExternalError::Outside {
            tensor: self.tensor.to_owned(),
            location: self.location.to_owned(),
        };
        let location = Path::new(self.location);
        let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !location.components().all(is_plain) {
            return Err(outside());
        }
        let path = folder.join(location);
        let failed = |source| ExternalError::Read {
            tensor: self.tensor.to_owned(),
            path: path.clone(),
            source,
        };
        let (inside, real) =
            (folder.canonicalize().map_err(failed)?, path.canonicalize().map_err(failed)?);
        if !real.starts_with(inside) {
            return Err(outside());
        }
        let mut file = File::open(&real).map_err(failed)?;
        let left = file.metadata().map_err(failed)?.len().saturating_sub(self.offset);
        let length = self.length.unwrap_or(left);
        if length > left {
            let found = format!("it has {left} bytes there, and the tensor takes {length}");
            return Err(failed(io::Error::new(io::ErrorKind::UnexpectedEof, found)));
        }
        file.seek(SeekFrom::Start(self.offset)).map_err(failed)?;
        let mut data = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        file.take(length).read_to_end(&mut data).map_err(failed)?;
        Ok(data.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::proto::StringStringEntryProto;

    fn tensor(entries: &[(&str, &str)]) -> TensorProto {
        let entry = |(key, value): &(&str, &str)| StringStringEntryProto {
            key: Some((*key).to_owned()),
            value: Some((*value).to_owned()),
        };
        TensorProto {
            name: Some("w".to_owned()),
            data_location: Some(DataLocation::External as i32),
            external_data: entries.iter().map(entry).collect(),
            ..TensorProto::default()
        }
    }

    fn read(folder: &Path, entries: &[(&str, &str)]) -> Result<Bytes, String> {
        let tensor = tensor(entries);
        let data = External::of(&tensor).and_then(|external| external.read(folder));
        data.map_err(|error| error.to_string())
    }

    #[test]
    fn data_lie_at_their_place_in_a_file_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("data"), b"0123456789").unwrap();
        let at = |offset, length| {
            read(folder.path(), &[("location", "data"), ("offset", offset), ("length", length)])
        };
        assert_eq!(at("2", "3").unwrap(), &b"234"[..]);
        assert_eq!(read(folder.path(), &[("location", "./data")]).unwrap(), &b"0123456789"[..]);
        assert!(at("8", "3").unwrap_err().contains("copy the file there"));
        assert!(at("8", "three").unwrap_err().contains("no number of bytes"));
        assert!(read(folder.path(), &[]).unwrap_err().contains("does not say in which file"));
    }

    #[test]
    fn data_outside_of_the_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("model");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(folder.path().join("secret"), b"secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret", inner.join("link")).unwrap();
        let absolute = folder.path().join("secret").display().to_string();
        for location in ["../secret", absolute.as_str(), "link"] {
            if cfg!(unix) || location != "link" {
                let error = read(&inner, &[("location", location)]).unwrap_err();
                assert!(error.contains("not within the model's folder"), "{error}");
            }
        }
    }
}
