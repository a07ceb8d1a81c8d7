//! Which cases cover a use exactly: the own suites' cases by their [`Class`], and those of other corpora.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use reference::operator::Call;

use super::uses::Class;
use crate::corpus::case::Case;
use crate::corpus::suite::Suite;
use crate::corpus::{CarriedFolder, CaseDir, Corpus, natural_order};
use crate::tensor::Tensor;

/// The suites whose cases are calls of ONNX's operators.
const SUITES: [Suite; 2] = [Suite::Onnx, Suite::Sonnx];

/// Cases by what they cover.
#[derive(Clone, Debug, Default)]
pub struct Index {
    classes: BTreeMap<Class, BTreeSet<String>>,
    operators: BTreeMap<String, u64>,
}

impl Index {
    /// The cases of the own suites that have one of these operators.
    pub fn of_own(operators: &BTreeSet<String>) -> Self {
        let names: BTreeSet<String> = operators.iter().map(|name| name.to_lowercase()).collect();
        let folders = SUITES.into_iter().flat_map(CarriedFolder::all);
        let is_of = |folder: &CarriedFolder| {
            let folder = folder.prefix().rsplit('/').next().unwrap_or_default();
            names.contains(folder.split('_').next().unwrap_or_default())
        };
        let folders: Vec<CarriedFolder> = folders.filter(is_of).collect();
        let cases = |folder: &CarriedFolder| {
            let suite = folder.suite();
            let of = |dir: CaseDir| {
                let id = format!("{}/{}", suite.name(), dir.name());
                Some((class(&id, &dir, suite)?, id))
            };
            folder.cases().into_iter().filter_map(of).collect::<Vec<_>>()
        };
        let found: Vec<_> = folders.par_iter().flat_map_iter(cases).collect();
        let mut index = Self::default();
        index.add(found);
        index
    }

    /// Adds those cases of a corpus whose ids are among these.
    pub fn add_corpus(&mut self, corpus: &Corpus, suite: Suite, ids: &BTreeSet<&str>) {
        let of = |dir: &CaseDir| {
            let id = format!("{}/{}", corpus.name(), dir.name());
            if !ids.contains(id.as_str()) {
                return None;
            }
            Some((class(&id, dir, suite)?, id))
        };
        let found = corpus.cases().par_iter().filter_map(of).collect::<Vec<_>>();
        self.add(found);
    }

    fn add(&mut self, found: Vec<(Class, String)>) {
        for (class, id) in found {
            *self.operators.entry(class.operator().to_owned()).or_default() += 1;
            self.classes.entry(class).or_default().insert(id);
        }
    }

    /// The ids of the cases of a class, in natural order.
    pub fn cases(&self, class: &Class) -> Vec<String> {
        let cases = self.classes.get(class).into_iter().flatten();
        let mut cases: Vec<String> = cases.cloned().collect();
        cases.sort_by(|a, b| natural_order(a, b));
        cases
    }

    /// How many cases an operator has in any version.
    pub fn of_operator(&self, name: &str) -> u64 {
        self.operators.get(name).copied().unwrap_or_default()
    }
}

/// The class of a case that expects values; `None` where it is no single call that the reference knows.
fn class(id: &str, dir: &CaseDir, suite: Suite) -> Option<Class> {
    let case = Case::decode(id, dir.load().ok()?.files()).ok()?;
    if !case.manifest.expect.is_of_values() {
        return None;
    }
    let (call, _) = Call::of(&case.model, &case.data_sets.first()?.inputs, suite).ok()?;
    let of = |input: &Option<Tensor>| input.as_ref().map(|it| (it.dtype(), it.shape().to_vec()));
    let inputs: Vec<_> = call.inputs.iter().map(of).collect();
    let inputs: Vec<_> =
        inputs.iter().map(|it| it.as_ref().map(|(dtype, shape)| (*dtype, &shape[..]))).collect();
    let outputs: Vec<bool> = (0..call.outputs).map(|at| call.asks_for(at)).collect();
    Some(Class::of(call.operator, call.version, &call.attributes, &inputs, &outputs))
}
