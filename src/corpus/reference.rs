//! Outputs that a host computes, held against those of the machine that made the lock.
//!
//! The last bits of an output in floating point follow the host's NumPy and CPU. So a corpus that is
//! computed comes with reference outputs (`testdata/locks/NAME.outputs.tar.gz`, named in the lock by
//! its digest; of releases that have the same outputs, one has the file for all). Where a host
//! computes another output, that has to be within a bound of the reference, and the reference takes
//! its place. An installed corpus thus has the same bytes on every host, and the lock's digests speak
//! of models, inputs and outputs alike.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io::{self, Read};

use bytes::Bytes;
use flate2::read::GzDecoder;

use super::tarball::Tarball;
use super::{CaseDir, CaseKind, CorpusError, Digest, Discrepancy, Home, Lock, MAX_CASE_BYTES};
use crate::corpus::case::Case;
use crate::dtype::Kind;
use crate::float::{Class, FloatFormat};
use crate::tensor::{Tensor, Value};

/// Largest archive that is read, in bytes. That of 1.23.2 has 1.4 million.
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;

/// How many units in the last place of its tensor's largest element an element may be from the
/// reference. NumPy 2.4 with and without AVX2 and AVX-512, and OpenBLAS with the kernels of Nehalem
/// and Haswell, differ by 5 on the cases of 1.23.2.
const MAX_ULP: f64 = 16.0;

/// As [`MAX_ULP`], for formats narrower than binary32, in which no differences were seen: what is
/// computed in a wider format may be rounded the other way.
const MAX_NARROW_ULP: f64 = 1.0;

/// The files of a corpus that hold outputs in floating point, by their paths in it.
pub(super) struct Reference(BTreeMap<String, Bytes>);

impl Reference {
    /// The reference that a lock names; `None` where its corpus is not computed.
    pub(super) fn of_lock(home: &Home, lock: &Lock) -> Result<Option<Self>, CorpusError> {
        let Some(computed) = &lock.computed else { return Ok(None) };
        let path = home.reference_path(&lock.name);
        let failed = CorpusError::io("read", &path);
        let archive = match home.read(&path, MAX_ARCHIVE_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Self::shared(home, computed.reference)?.ok_or_else(|| failed(error))?
            }
            archive => archive.map_err(failed)?,
        };
        let actual = Digest::of(&archive);
        if actual != computed.reference {
            let reason = format!("it has SHA-256 {actual} instead of {}", computed.reference);
            return Err(CorpusError::BadLock(path, reason));
        }
        let read = || {
            let mut files = BTreeMap::new();
            let unpacked = GzDecoder::new(&*archive).take(MAX_CASE_BYTES);
            for entry in tar::Archive::new(unpacked).entries()? {
                let mut entry = entry?;
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let path = text(&entry.path_bytes());
                let other = entry.link_name_bytes().and_then(|other| files.get(&text(&other)));
                let content = match other {
                    Some(content) => Bytes::clone(content),
                    None => {
                        let mut content = Vec::new();
                        entry.read_to_end(&mut content)?;
                        content.into()
                    }
                };
                files.insert(path, content);
            }
            Ok(Self(files))
        };
        read().map(Some).map_err(failed)
    }

    /// The archive of this digest, where a corpus of whichever release has it.
    pub(super) fn shared(
        home: &Home,
        digest: Digest,
    ) -> Result<Option<Cow<'static, [u8]>>, CorpusError> {
        let names = home.locks()?;
        let mut archives = names.iter().filter_map(|name| {
            let (release, kind) = CaseKind::of_corpus(name)?;
            let path = kind.is_computed(release).then(|| home.reference_path(name))?;
            home.read(&path, MAX_ARCHIVE_BYTES).ok()
        });
        Ok(archives.find(|archive| Digest::of(archive) == digest))
    }

    /// The reference that the cases of a corpus give.
    pub(super) fn of_cases(cases: &[CaseDir]) -> Result<Self, CorpusError> {
        let mut reference = BTreeMap::new();
        for dir in cases {
            let files = dir.load()?;
            let case = Case::decode(dir.name(), files.files())?;
            for (file, output) in outputs(&case) {
                let mut tensors = output.tensors().into_iter();
                if let Some(content) = files.files().get(&file)
                    && tensors.any(|tensor| format_of(tensor).is_some())
                {
                    reference.insert(format!("{}/{file}", dir.name()), content.clone());
                }
            }
        }
        Ok(Self(reference))
    }

    /// How many outputs it holds.
    pub(super) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Its archive, the same for the same files. Of equal ones, which are many, all but the first are
    /// links.
    pub(super) fn to_archive(&self) -> io::Result<Vec<u8>> {
        let mut archive = Tarball::new();
        let mut first: BTreeMap<&[u8], &str> = BTreeMap::new();
        for (path, content) in &self.0 {
            match first.entry(content) {
                Entry::Occupied(other) => archive.same_file(path, other.get())?,
                Entry::Vacant(place) => {
                    archive.file(path, content)?;
                    place.insert(path);
                }
            }
        }
        archive.finish()
    }

    /// Puts the reference in the place of outputs that differ from it, and gives their number.
    pub(super) fn replace(&self, lock: &Lock, cases: &[CaseDir]) -> Result<u64, CorpusError> {
        let mut replaced = 0;
        for dir in cases {
            let computed = dir.read()?;
            let mut files = computed.files().clone();
            let mut differing = Vec::new();
            for (file, content) in &mut files {
                if let Some(reference) = self.0.get(&format!("{}/{file}", dir.name()))
                    && reference != content
                {
                    content.clone_from(reference);
                    differing.push(file.clone());
                }
            }
            if differing.is_empty() {
                continue;
            }
            let decode = |files| {
                Case::decode(dir.name(), files).map_err(|error| {
                    lock.broken(Discrepancy::Output(dir.name().to_owned(), error.to_string()))
                })
            };
            let (computed, reference) = (decode(computed.files())?, decode(&files)?);
            for ((file, reference), (_, computed)) in outputs(&reference).zip(outputs(&computed)) {
                within(reference, computed).map_err(|problem| {
                    let file = format!("{}/{file}", dir.name());
                    lock.broken(Discrepancy::Output(file, problem))
                })?;
            }
            for file in &differing {
                let path = dir.path().join(file);
                fs::write(&path, &files[file]).map_err(CorpusError::io("write", &path))?;
            }
            replaced += differing.len() as u64;
        }
        Ok(replaced)
    }
}

/// The outputs of a case, each with its file.
fn outputs(case: &Case) -> impl Iterator<Item = (String, &Value)> {
    case.data_sets.iter().enumerate().flat_map(|(number, data_set)| {
        let file = move |index| format!("test_data_set_{number}/output_{index}.pb");
        data_set.outputs.iter().enumerate().map(move |(index, output)| (file(index), output))
    })
}

/// The format of a tensor of floats or complex numbers.
fn format_of(tensor: &Tensor) -> Option<&'static FloatFormat> {
    match tensor.dtype().kind() {
        Kind::Float(format) | Kind::Complex(format) => Some(format),
        Kind::Int { .. } | Kind::Bool | Kind::String => None,
    }
}

/// Whether a value has the reference's structure, types and shapes, its floats within the bound and
/// everything else equal; if not, what is wrong.
fn within(reference: &Value, computed: &Value) -> Result<(), String> {
    let (expected, actual) = (reference.tensors(), computed.tensors());
    if expected.len() != actual.len() {
        return Err(format!("it holds {} tensors instead of {}", actual.len(), expected.len()));
    }
    expected.into_iter().zip(actual).try_for_each(|(reference, computed)| {
        if (reference.dtype(), reference.shape()) != (computed.dtype(), computed.shape()) {
            return Err(format!(
                "it is {} of shape {:?} instead of {} of shape {:?}",
                computed.dtype(),
                computed.shape(),
                reference.dtype(),
                reference.shape()
            ));
        }
        match format_of(reference) {
            Some(format) => floats_within(format, reference, computed),
            None if reference == computed => Ok(()),
            None => Err(format!("its elements of {} differ", reference.dtype())),
        }
    })
}

fn floats_within(
    format: &FloatFormat,
    reference: &Tensor,
    computed: &Tensor,
) -> Result<(), String> {
    let parts = |tensor: &Tensor, index| format.parts(tensor.element(index).unwrap_or_default());
    let finite = (0..reference.elements())
        .flat_map(|index| parts(reference, index))
        .filter(|&bits| !matches!(format.class(bits), Class::Nan | Class::Infinite));
    let largest = finite.map(|bits| format.magnitude(bits)).max().unwrap_or_default();
    // The gap below the largest magnitude, which the next smaller pattern has.
    let unit = format.to_f64(largest) - format.to_f64(largest.saturating_sub(1));
    let ulp = if format.significand_bits < 23 { MAX_NARROW_ULP } else { MAX_ULP };
    for index in 0..reference.elements() {
        for (expected, actual) in parts(reference, index).into_iter().zip(parts(computed, index)) {
            let distance = (format.to_f64(actual) - format.to_f64(expected)).abs();
            let is_close = match (format.class(expected), format.class(actual)) {
                (Class::Nan, Class::Nan) => true,
                _ => expected == actual || distance <= ulp * unit,
            };
            if !is_close {
                return Err(format!(
                    "element {index} is {} instead of {}, more than {ulp} ULP of the largest away",
                    format.to_f64(actual),
                    format.to_f64(expected)
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    fn tensor(dtype: DType, elements: &[u64]) -> Value {
        let width = dtype.bits().unwrap() as usize / 8;
        let data: Vec<u8> =
            elements.iter().flat_map(|bits| bits.to_le_bytes()[..width].to_vec()).collect();
        Tensor::from_bits(dtype, vec![elements.len()], data.into()).unwrap().into()
    }

    fn singles(elements: &[f32]) -> Value {
        let bits: Vec<u64> = elements.iter().map(|x| u64::from(x.to_bits())).collect();
        tensor(DType::Float32, &bits)
    }

    #[test]
    fn an_element_may_be_sixteen_units_of_the_largest_away_and_no_more() {
        // The gap below 8 - 2^-21 is 2^-21.
        let unit = 2_f32.powi(-21);
        let reference = singles(&[unit - 8.0, 0.0, 1.0]);
        let moved = |by: f32| singles(&[unit - 8.0, by * unit, 1.0 - by * unit]);
        assert_eq!(within(&reference, &moved(16.0)), Ok(()));
        let problem = within(&reference, &moved(16.5)).unwrap_err();
        assert!(problem.starts_with("element 1 is 0.0000078"), "{problem}");
        assert_eq!(within(&singles(&[0.0; 3]), &singles(&[-0.0; 3])), Ok(()));
        assert!(within(&singles(&[0.0; 3]), &singles(&[f32::from_bits(1); 3])).is_err());
    }

    #[test]
    fn an_element_of_a_narrow_format_may_be_one_unit_away() {
        for dtype in [DType::Float16, DType::Bfloat16] {
            let reference = tensor(dtype, &[0x3fff, 0x3000]);
            assert_eq!(within(&reference, &tensor(dtype, &[0x3ffe, 0x3000])), Ok(()), "{dtype}");
            assert!(within(&reference, &tensor(dtype, &[0x3ffd, 0x3000])).is_err(), "{dtype}");
        }
    }

    #[test]
    fn infinities_are_the_same_and_any_nan_stands_for_a_nan() {
        let reference = singles(&[f32::NAN, f32::INFINITY, f32::MAX]);
        assert_eq!(within(&reference, &singles(&[-f32::NAN, f32::INFINITY, f32::MAX])), Ok(()));
        for other in [
            [1.0, f32::INFINITY, f32::MAX],
            [f32::NAN, f32::NEG_INFINITY, f32::MAX],
            [f32::NAN, f32::MAX, f32::MAX],
            [f32::NAN, f32::INFINITY, f32::INFINITY],
            [f32::NAN, f32::INFINITY, f32::NAN],
        ] {
            assert!(within(&reference, &singles(&other)).is_err(), "{other:?}");
        }
    }

    #[test]
    fn what_is_not_a_float_is_the_same_and_so_are_types_shapes_and_structure() {
        let reference = Value::Sequence(vec![singles(&[1.0]), tensor(DType::Int16, &[7])]);
        let other = |values| within(&reference, &Value::Sequence(values));
        assert_eq!(other(vec![singles(&[1.0]), tensor(DType::Int16, &[7])]), Ok(()));
        for (values, problem) in [
            (vec![singles(&[1.0]), tensor(DType::Int16, &[8])], "its elements of int16 differ"),
            (
                vec![singles(&[1.0]), tensor(DType::Uint16, &[7])],
                "it is uint16 of shape [1] instead of int16 of shape [1]",
            ),
            (
                vec![singles(&[1.0, 1.0]), tensor(DType::Int16, &[7])],
                "it is float32 of shape [2] instead of float32 of shape [1]",
            ),
            (vec![singles(&[1.0])], "it holds 1 tensors instead of 2"),
        ] {
            assert_eq!(other(values).unwrap_err(), problem);
        }
    }

    #[test]
    fn equal_files_are_packed_once_and_all_come_back() {
        let files = ["a", "b", "c"].map(|path| (path.to_owned(), Bytes::from_static(b"same")));
        let reference = Reference(files.into());
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let archive = reference.to_archive().unwrap();
        fs::create_dir(folder.path().join("locks")).unwrap();
        fs::write(home.reference_path("x"), &archive).unwrap();
        let computed = super::super::Computed { outputs: 3, reference: Digest::of(&archive) };
        let lock = Lock {
            format_version: super::super::LOCK_FORMAT_VERSION,
            name: "x".to_owned(),
            release: "1.23.0".to_owned(),
            files: 0,
            bytes: 0,
            digest: Digest::of_all([]),
            schema: BTreeMap::new(),
            fetched_by: super::super::FETCH,
            computed: Some(computed),
            cases: BTreeMap::new(),
        };
        let read = Reference::of_lock(&home, &lock).unwrap().unwrap();
        assert_eq!(read.0, reference.0);
        let mut unpacked = Vec::new();
        GzDecoder::new(archive.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked.windows(4).filter(|bytes| bytes == b"same").count(), 1);
        fs::write(home.reference_path("x"), b"other").unwrap();
        let error = Reference::of_lock(&home, &lock).err().unwrap();
        assert_eq!(error.exit_code(), 4, "{error}");
    }
}
