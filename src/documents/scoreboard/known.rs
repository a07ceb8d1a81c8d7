//! What is known of cases: of the project's own suites what each asks, of others the operator.
//!
//! Reports hold operands only of elements that differ from what was expected, and neither the attributes of
//! an operator nor what its case expects. This program carries its own suites, so where a report's corpus has
//! the digest of such a suite, all of that is known. Of a corpus that is fetched the calls are, and so what the reference
//! allows of each element.

use std::collections::BTreeMap;
use std::error::Error;

use rayon::prelude::*;

use super::document;
use crate::corpus::case::{Case, Manifest};
use crate::corpus::suite::{self, Suite};
use crate::corpus::{CaseDir, Corpus, Home, KnownCorpus, Lock};
use crate::document::text::decimal_and_bits;
use crate::documents::report::document::Corpus as Reported;
use crate::dtype::{DType, Kind, integer};
use crate::judge::compare::Element;
use crate::judge::verdict::allowed;
use crate::run::case_id;
use crate::tensor::{Value, coordinates, element_count};
use reference::elementwise::Elementwise;
use reference::operator::{Allowed, Attributes, Call, Domain, Operator, TensorType};
use reference::operators;

/// What the program carries cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read the project's own suites and known divergences")]
pub struct CaseSpecError(#[from] Box<dyn Error + Send + Sync>);

/// What a case asks.
pub(super) struct CaseSpec {
    pub(super) manifest: Manifest,
    /// The names of its outputs.
    names: Vec<String>,
    /// The call that it makes and the types of its outputs, where it is a single operator that the
    /// reference knows.
    call: Option<(Call, Vec<TensorType>)>,
    expected: Vec<Value>,
}

pub(super) struct Output<'a> {
    pub(super) dtype: DType,
    pub(super) shape: &'a [usize],
    pub(super) count: usize,
    pub(super) allowed: Box<dyn Allowed + 'a>,
}

pub(super) struct Function {
    pub(super) operator: &'static Operator,
    pub(super) elementwise: Box<dyn Elementwise>,
}

/// What the cases of these corpora ask, by id, as far as they are the project's own suites.
pub(super) fn of(
    corpora: &[&Reported],
) -> Result<BTreeMap<String, CaseSpec>, Box<dyn Error + Send + Sync>> {
    let mut specs = BTreeMap::new();
    for reported in corpora {
        let Ok(suite) = suite::named(&reported.name) else { continue };
        let known = reported.digest.parse().ok().and_then(KnownCorpus::of);
        let own =
            known.as_deref().and_then(KnownCorpus::own).filter(|own| own.name() == suite.name());
        for dir in own.map_or(&[][..], Corpus::cases) {
            let id = format!("{}/{}", suite.name(), dir.name());
            let case = Case::decode(&id, dir.load()?.files())?;
            specs.insert(id, CaseSpec::of(suite, case));
        }
    }
    Ok(specs)
}

/// What is known of the cases of fetched corpora.
pub(super) struct Fetched {
    /// What the cases ask whose calls the reference knows, by id.
    pub(super) specs: BTreeMap<String, CaseSpec>,
    /// The names of corpora that are not fetched.
    pub(super) missing: Vec<String>,
}

/// What is known of the cases of these corpora, as far as they are fetched.
pub(super) fn fetched(
    corpora: &[&Reported],
    home: &Home,
) -> Result<Fetched, Box<dyn Error + Send + Sync>> {
    let (mut specs, mut missing) = (BTreeMap::new(), Vec::new());
    for reported in corpora {
        // Of a release in another form nothing is known that could be fetched.
        let is_locked = |lock: Lock| lock.digest.to_string() == reported.digest;
        if !home.lock(&reported.name).is_ok_and(is_locked) {
            continue;
        }
        let Ok(corpus) = home.corpus(&reported.name) else {
            missing.push(reported.name.clone());
            continue;
        };
        let spec = |dir: &CaseDir| {
            let id = case_id(&corpus, dir.name());
            let case = Case::decode(&id, dir.load()?.files())?;
            Ok((id, CaseSpec::of(Suite::Onnx, case)))
        };
        let read: Result<Vec<_>, Box<dyn Error + Send + Sync>> =
            corpus.cases().par_iter().map(spec).collect();
        specs.extend(read?.into_iter().filter(|(_, spec)| spec.call.is_some()));
    }
    Ok(Fetched { specs, missing })
}

impl CaseSpec {
    fn of(suite: Suite, mut case: Case) -> Self {
        let set = (!case.data_sets.is_empty()).then(|| case.data_sets.remove(0));
        let call = set.as_ref().and_then(|set| Call::of(&case.model, &set.inputs, suite).ok());
        let expected = set.map_or_else(Vec::new, |set| set.outputs);
        let names = case.model.outputs().iter().map(|port| port.name.clone()).collect();
        Self { manifest: case.manifest, names, call, expected }
    }

    /// The place among its outputs of one that reports give a name; where they have a single one and it has, that is the one.
    pub(super) fn place(&self, name: &str, is_single: bool) -> Option<usize> {
        if is_single && self.names.len() == 1 {
            return Some(0);
        }
        self.names.iter().position(|known| known == name)
    }

    /// What the case expects of the output at a place.
    pub(super) fn expected_at(&self, place: usize) -> Option<&Value> {
        self.expected.get(place)
    }

    /// What is known of the first output.
    pub(super) fn output(&self) -> Option<Output<'_>> {
        self.output_at(0)
    }

    /// What is known of the output at a place.
    pub(super) fn output_at(&self, at: usize) -> Option<Output<'_>> {
        let (call, types) = self.call.as_ref()?;
        let TensorType { dtype, shape } = types.get(at)?;
        let allowed = call.operator.reference.allowed(call, types).into_iter().nth(at)?;
        Some(Output { dtype: *dtype, shape, count: element_count(shape).ok()?, allowed })
    }

    pub(super) fn function(&self) -> Option<Function> {
        let (call, _) = self.call.as_ref()?;
        let reference = call.operator.reference;
        let elementwise = reference.elementwise(call.specification, &call.attributes)?;
        Some(Function { operator: call.operator, elementwise })
    }
}

impl Output<'_> {
    /// An element that no report holds.
    pub(super) fn element(&self, at: usize) -> document::Element {
        document::Element {
            index: coordinates(at, self.shape).into_iter().map(|at| at as u64).collect(),
            inputs: self.allowed.operands(at).iter().map(ToString::to_string).collect(),
            expected: None,
            oracle: Some(allowed(&Element::Bits(self.dtype, 0), &self.allowed.at(at))),
            answers: Vec::new(),
        }
    }
}

impl Function {
    /// The function that a case's operands, where a report tells of them, went through: that of an
    /// element-wise operator of ONNX without attributes. Reports do not tell those.
    pub(super) fn named(operator: &str, suite: &str) -> Option<Self> {
        let operator = operators::find(Domain::Onnx, operator)?;
        if !operator.newest().attributes.is_empty() {
            return None;
        }
        let specification = suite::named(suite).ok()?;
        let elementwise = operator.reference.elementwise(specification, &Attributes::new())?;
        Some(Self { operator, elementwise })
    }
}

/// The bits of an element in a report, of the types that the oracle knows.
pub(super) fn bits(dtype: DType, text: &str) -> Option<u64> {
    match dtype.kind() {
        Kind::Float(_) => {
            u64::from_str_radix(decimal_and_bits(text).1.strip_prefix("0x")?, 16).ok()
        }
        Kind::Int { signed, bits } => {
            let value: i128 = text.parse().ok()?;
            let pattern = (value as u64) & (u64::MAX >> (64 - bits));
            (integer(pattern.into(), signed, bits) == value).then_some(pattern)
        }
        Kind::Bool => text.parse().ok().map(|truth: bool| truth.into()),
        Kind::Complex(_) | Kind::String => None,
    }
}

/// The operands in a report, all of one type.
pub(super) fn read(dtype: DType, operands: &[String]) -> Option<Vec<Element>> {
    let operand = |text: &String| Some(Element::Bits(dtype, bits(dtype, text)?.into()));
    operands.iter().map(operand).collect()
}
