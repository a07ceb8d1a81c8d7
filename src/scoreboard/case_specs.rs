//! What the cases of the project's own suites ask: operator, operands and what is expected.
//!
//! Reports hold operands only of elements that differ from what was expected. This program carries its
//! own suites, so where a report's corpus has the digest of such a suite, every operand is known.

use std::collections::BTreeMap;

use crate::case::{Case, CaseError, Expect};
use crate::compare::Element;
use crate::corpus::{Corpus, CorpusError};
use crate::dtype::DType;
use crate::report::document;
use crate::suite::Suite;
use crate::tensor::{Tensor, Value, element_count};
use reference::exact::Conforming;
use reference::operator::Operator;
use reference::operator::{Attributes, Call};

/// The suites that the program carries cannot be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum CaseSpecError {
    #[error("failed to read the project's own suites")]
    Read(#[from] CorpusError),
    #[error("failed to decode a case of the project's own suites")]
    Decode(#[from] CaseError),
}

/// What a case asks.
#[derive(Clone, Debug)]
pub(super) struct CaseSpec {
    /// What a conforming implementation does.
    pub(super) expect: Expect,
    /// The operator, where the case is a single one that the reference knows.
    pub(super) inputs: Option<Inputs>,
    /// The expected output, where values are expected.
    pub(super) expected: Option<Tensor>,
}

/// One operator on known operands.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
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
pub(super) fn of(
    corpora: &[&document::Corpus],
) -> Result<BTreeMap<String, CaseSpec>, CaseSpecError> {
    let suites: Vec<_> = corpora
        .iter()
        .filter_map(|corpus| Some((Suite::named(&corpus.name).ok()?, &corpus.digest)))
        .collect();
    let mut specs = BTreeMap::new();
    for (suite, digest) in suites {
        let corpus = Corpus::carried(suite);
        if corpus.verify()?.digest.to_string() != *digest {
            continue;
        }
        for dir in corpus.cases() {
            let id = format!("{}/{}", suite.name(), dir.name());
            let case = Case::decode(&id, dir.load()?.files())?;
            specs.insert(id, CaseSpec::of(suite, case));
        }
    }
    Ok(specs)
}

impl CaseSpec {
    fn of(suite: Suite, case: Case) -> Self {
        let expect = case.manifest.expect;
        let Some(set) = case.data_sets.into_iter().next() else {
            return Self { expect, inputs: None, expected: None };
        };
        let call = Call::of(&case.model, &set.inputs, suite.specification()).ok();
        let inputs = call.and_then(|(call, types)| {
            let output = types.first()?;
            let allowed = call.operator.reference.allowed(&call, &types);
            let first = allowed.first()?;
            let count = element_count(&output.shape).ok()?;
            Some(Inputs {
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
        Self { expect, inputs, expected }
    }
}
