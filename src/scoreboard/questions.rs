//! What the cases of the project's own suites ask: operator, operands and what is expected.
//!
//! Reports hold operands only of elements that differ from what was expected. The own suites are
//! made by this program, so where a report's corpus has the digest of such a suite, every operand
//! is known.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::case::{Case, CaseError, Expect};
use crate::compare::Element;
use crate::corpus::Digest;
use crate::dtype::DType;
use crate::generate::{self, GenerateError};
use crate::report::document::Corpus;
use crate::suite::Suite;
use crate::tensor::{Tensor, Value, element_count};
use reference::exact::Conforming;
use reference::operator::Operator;
use reference::operator::{Attributes, Call};

/// The project's own suites cannot be asked.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum QuestionError {
    #[error("failed to make the project's own suites")]
    Generate(#[from] GenerateError),
    #[error("failed to decode a case of the project's own suites")]
    Decode(#[from] CaseError),
}

/// What a case asks.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// What a conforming implementation does.
    pub(super) expect: Expect,
    /// The operator, where the case is a single one that the reference knows.
    pub(super) asked: Option<Asked>,
    /// The expected output, where values are expected.
    pub(super) expected: Option<Tensor>,
}

/// One operator on known operands.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) operator: &'static Operator,
    /// Its attributes.
    pub(super) attributes: Attributes,
    /// Type of the result.
    pub(super) dtype: DType,
    /// Shape of the result.
    pub(super) shape: Vec<usize>,
    /// The operands of each element of the result, in row-major order.
    pub(super) operands: Vec<Vec<Element>>,
    /// What the reference allows of each.
    pub(super) allowed: Vec<Conforming>,
}

/// What the cases of these corpora ask, by id, as far as they are the project's own suites.
pub(super) fn of(corpora: &[&Corpus]) -> Result<BTreeMap<String, Question>, QuestionError> {
    let suites: Vec<_> = corpora
        .iter()
        .filter_map(|corpus| Some((Suite::named(&corpus.name).ok()?, &corpus.digest)))
        .collect();
    let mut questions = BTreeMap::new();
    if suites.is_empty() {
        return Ok(questions);
    }
    let files = generate::files()?;
    for (suite, digest) in suites {
        let cases = cases_of(suite, &files);
        let digests = cases.iter().map(|(name, files)| {
            let files = files.iter().map(|(path, content)| (path.as_str(), Digest::of(content)));
            (name.as_str(), Digest::of_case(files))
        });
        if Digest::of_corpus(digests).to_string() != *digest {
            continue;
        }
        for (name, files) in cases {
            let id = format!("{}/{name}", suite.name());
            let question = Question::of(suite, Case::decode(&id, &files)?);
            questions.insert(id, question);
        }
    }
    Ok(questions)
}

/// The files of each case of a suite, by the case's name and the path in it.
fn cases_of(
    suite: Suite,
    files: &BTreeMap<String, Bytes>,
) -> BTreeMap<String, BTreeMap<String, Bytes>> {
    let mut cases = BTreeMap::<_, BTreeMap<_, _>>::new();
    for (path, content) in files {
        // A case's folder is three levels below its suite's: operator, type, class.
        let Some(path) = path.strip_prefix(suite.name()).and_then(|path| path.strip_prefix('/'))
        else {
            continue;
        };
        let Some((end, _)) = path.match_indices('/').nth(2) else { continue };
        let (case, file) = (path[..end].to_owned(), path[end + 1..].to_owned());
        cases.entry(case).or_default().insert(file, content.clone());
    }
    cases
}

impl Question {
    fn of(suite: Suite, case: Case) -> Self {
        let expect = case.manifest.expect;
        let Some(set) = case.data_sets.into_iter().next() else {
            return Self { expect, asked: None, expected: None };
        };
        let call = Call::of(&case.model, &set.inputs, suite.specification()).ok();
        let asked = call.and_then(|(call, types)| {
            let output = types.first()?;
            let allowed = call.operator.reference.allowed(&call, &types);
            let first = allowed.first()?;
            let count = element_count(&output.shape).ok()?;
            Some(Asked {
                operator: call.operator,
                attributes: call.attributes.clone(),
                dtype: output.dtype,
                shape: output.shape.clone(),
                operands: (0..count).map(|at| first.operands(at)).collect(),
                allowed: (0..count).map(|at| first.at(at)).collect(),
            })
        });
        let expected = set.outputs.into_iter().next().and_then(|value| match value {
            Value::Tensor(tensor) => Some(tensor),
            Value::Sequence(_) | Value::Optional(_) => None,
        });
        Self { expect, asked, expected }
    }
}
