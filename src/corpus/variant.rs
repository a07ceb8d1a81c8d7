//! Variants of corpora: the same cases with equivalent models.
//!
//! A case that is the same in a variant is not in it; nor is one that is to be refused for what the variant does not
//! say any more. Those that are in it have the names, data sets and expected outputs of the ones that
//! they are made of, in a corpus whose name says of what variant it is, such as `onnx-1.22.0+constant-inputs`.
//! A case that cannot be decoded stays as it is, so that the run reports it.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use rayon::prelude::*;
use reference::operator::Call;
use values::onnx::{self, NotOneGraph};
use values::tensor::{Tensor, Value};

use crate::corpus::case::{Case, DataSet, Expect};
use crate::corpus::suite::Suite;
use crate::corpus::{CaseDir, Corpus, CorpusError};
use crate::model::Format;

/// Most that the cases of a corpus may hold together, in bytes: those of a variant are all in memory.
const MOST_BYTES: u64 = 2 << 30;

/// How models differ from those of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// All tensors but the first input are initialisers instead of inputs, as exporters write axes, shapes and weights.
    ConstantInputs,
    /// No dimension of an input or output is a number: each is a symbol of its own.
    DynamicShapes,
}

/// A text names no variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no variant `{0}`: they are {names}", names = Variant::ALL.map(Variant::name).join(" and "))]
pub struct UnknownVariant(String);

impl Variant {
    /// The variants there are.
    pub const ALL: [Self; 2] = [Self::ConstantInputs, Self::DynamicShapes];

    /// The variant's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConstantInputs => "constant-inputs",
            Self::DynamicShapes => "dynamic-shapes",
        }
    }

    /// The name of this variant of a corpus; a variant's own stays as it is.
    pub fn name_of(self, corpus: &str) -> String {
        let suffix = format!("+{self}");
        if corpus.ends_with(&suffix) { corpus.to_owned() } else { format!("{corpus}{suffix}") }
    }

    /// The variant and the corpus that it is of, where the name of a corpus is that of a variant.
    pub fn split(corpus: &str) -> Option<(Self, &str)> {
        let (corpus, name) = corpus.rsplit_once('+')?;
        Some((name.parse().ok()?, corpus))
    }

    /// The variant of a suite's corpus, whose cases are read, and verified where a lock describes them. The error is that of the
    /// first bad case in natural order.
    pub fn corpus(self, suite: Suite, corpus: &Corpus) -> Result<Corpus, CorpusError> {
        let bytes = AtomicU64::new(0);
        let varied = corpus.cases().par_iter().map(|case| {
            let files = case.load()?;
            if bytes.fetch_add(files.bytes(), Ordering::Relaxed) > MOST_BYTES {
                let limit = format!("{MOST_BYTES} bytes in the corpus of a variant");
                return Err(CorpusError::TooLarge(corpus.path().to_owned(), limit));
            }
            Ok::<_, CorpusError>((case, self.files(suite, case, files.files())))
        });
        // All are read before the first error counts, so that it is always the same.
        let varied: Vec<_> = varied.collect();
        let mut all = BTreeMap::new();
        for varied in varied {
            let (case, Some(files)) = varied? else { continue };
            all.extend(
                files.into_iter().map(|(path, file)| (format!("{}/{path}", case.name()), file)),
            );
        }
        Ok(corpus.remade(self.name_of(corpus.name()), &all))
    }

    /// The files of a case in this variant; `None` where it is the same there.
    fn files(
        self,
        suite: Suite,
        case: &CaseDir,
        files: &BTreeMap<String, Bytes>,
    ) -> Option<BTreeMap<String, Bytes>> {
        let Ok(decoded) = Case::decode(case.name(), files) else { return Some(files.clone()) };
        // Models of other formats have no variants.
        let model = files.get(Format::Onnx.file())?;
        let varied = match self {
            Self::ConstantInputs => with_constants(model, &decoded, files),
            Self::DynamicShapes => {
                onnx::with_symbolic_shapes(model).map(|model| Some(with_model(files, model?)))
            }
        };
        let varied = varied.unwrap_or_else(|NotOneGraph| Some(files.clone()))?;
        let is_in_it = decoded.manifest.expect != Expect::Refusal || is_refused(suite, &varied);
        is_in_it.then_some(varied)
    }
}

impl Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        let variant = Self::ALL.into_iter().find(|variant| variant.name() == name);
        variant.ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}

fn with_model(files: &BTreeMap<String, Bytes>, model: Bytes) -> BTreeMap<String, Bytes> {
    let mut files = files.clone();
    files.insert(Format::Onnx.file().to_owned(), model);
    files
}

/// The files of a case whose inputs but the first, where they are the same tensors in all data sets, are constants;
/// `None` where none is.
fn with_constants(
    model: &Bytes,
    case: &Case,
    files: &BTreeMap<String, Bytes>,
) -> Result<Option<BTreeMap<String, Bytes>>, NotOneGraph> {
    let ports = case.model.inputs();
    let constants: Vec<(usize, &Tensor)> =
        (1..ports.len()).filter_map(|at| Some((at, same_in_all(&case.data_sets, at)?))).collect();
    if constants.is_empty() {
        return Ok(None);
    }
    let named: Vec<_> =
        constants.iter().map(|(at, tensor)| (ports[*at].name.as_str(), *tensor)).collect();
    let mut varied = with_model(files, onnx::with_initialisers(model, &named)?);
    for set in &case.data_sets {
        let mut left = 0;
        for at in 0..set.inputs.len() {
            let path = |number: usize| format!("{}/input_{number}.pb", set.folder);
            let file = varied.remove(&path(at));
            if !constants.iter().any(|(constant, _)| *constant == at) {
                varied.extend(file.map(|file| (path(left), file)));
                left += 1;
            }
        }
    }
    Ok(Some(varied))
}

/// Whether the reference refuses a case of a suite, or there is nothing that it could say of it.
fn is_refused(suite: Suite, files: &BTreeMap<String, Bytes>) -> bool {
    Case::decode("", files).is_ok_and(|case| {
        let mut sets = case.data_sets.iter();
        sets.all(|set| Call::of(&case.model, &set.inputs, suite).is_err())
    })
}

/// The tensor that an input is in every data set.
fn same_in_all(sets: &[DataSet], at: usize) -> Option<&Tensor> {
    let mut values = sets.iter().map(|set| set.inputs.get(at));
    match values.next()?? {
        first @ Value::Tensor(tensor) => values.all(|value| value == Some(first)).then_some(tensor),
        Value::Sequence(_) | Value::Optional(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_corpus_tells_its_variant_once() {
        for variant in Variant::ALL {
            let name = variant.name_of("onnx-1.22.0");
            assert_eq!(variant.name_of(&name), name);
            assert_eq!(Variant::split(&name), Some((variant, "onnx-1.22.0")));
            assert_eq!(variant.name().parse(), Ok(variant));
        }
        for none in ["onnx-1.22.0", "c++", "a+b", "+"] {
            assert_eq!(Variant::split(none), None, "{none}");
        }
        let unknown = "static".parse::<Variant>().unwrap_err().to_string();
        assert_eq!(
            unknown,
            "there is no variant `static`: they are constant-inputs and dynamic-shapes"
        );
    }
}
