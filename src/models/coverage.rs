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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType::{Float16, Float32};
    use crate::models::uses::Typed;
    use reference::operator::{AttributeValue, Attributes, Domain};
    use reference::operators;

    fn class(
        name: &str,
        opset: i64,
        attributes: &[(&str, AttributeValue)],
        inputs: &[Typed<'_>],
    ) -> Class {
        let operator = operators::find(Domain::Onnx, name).unwrap();
        let own = |(name, value): &(&str, AttributeValue)| ((*name).to_owned(), value.clone());
        let attributes: Attributes = attributes.iter().map(own).collect();
        Class::of(operator, operator.version(opset).unwrap(), &attributes, inputs, &[true])
    }

    #[test]
    fn a_case_covers_its_own_call_and_no_call_of_another_type_rank_form_or_version() {
        let index = Index::of_own(&["Div".to_owned()].into());
        let (row, matrix) = (Some((Float32, &[3][..])), Some((Float32, &[2, 3][..])));
        let covered = |opset, inputs: &[Typed<'_>]| {
            !index.cases(&class("Div", opset, &[], inputs)).is_empty()
        };
        assert!(covered(14, &[matrix, matrix]) && covered(14, &[matrix, row]));
        // Ranks, types, versions and forms that no case has together.
        assert!(!covered(14, &[Some((Float32, &[2, 3, 4, 5, 6, 7])), row]));
        assert!(!covered(14, &[matrix, Some((Float16, &[2, 3]))]));
        assert!(!covered(7, &[Some((Float32, &[2, 1, 3, 1, 2])), matrix]));
        assert!(index.of_operator("Div") > 50 && index.of_operator("Mul") == 0);
    }

    #[test]
    fn defaults_and_the_end_that_dimensions_are_counted_from_make_no_other_class() {
        let matrix = [Some((Float32, &[2, 3][..]))];
        let softmax = |attributes: &[_]| class("Softmax", 13, attributes, &matrix);
        let axis = |axis| ("axis", AttributeValue::Int(axis));
        assert_eq!(softmax(&[]), softmax(&[axis(-1)]));
        assert_eq!(softmax(&[]), softmax(&[axis(1)]));
        assert_ne!(softmax(&[]), softmax(&[axis(0)]));
        let planes = [Some((Float32, &[1, 4, 9, 9][..])), Some((Float32, &[8, 4, 3, 3][..]))];
        let conv = |attributes: &[_]| class("Conv", 11, attributes, &planes);
        let ints = |name, values: &[i64]| (name, AttributeValue::Ints(values.to_vec()));
        assert_eq!(conv(&[]), conv(&[ints("strides", &[1, 1]), ints("kernel_shape", &[3, 3])]));
        assert_eq!(conv(&[ints("pads", &[1; 4])]), conv(&[ints("pads", &[2; 4])]));
        for other in [
            ints("pads", &[1; 4]),
            ints("pads", &[0, 0, 1, 1]),
            ints("strides", &[2, 2]),
            ints("dilations", &[2, 1]),
            ("group", AttributeValue::Int(4)),
            ("auto_pad", AttributeValue::Text("VALID".to_owned())),
        ] {
            assert_ne!(conv(&[]), conv(std::slice::from_ref(&other)), "{other:?}");
        }
    }
}
