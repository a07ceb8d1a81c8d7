//! Hard inputs, solved once: to find out which there are takes up to a second of an operator and a type, and
//! every document of such a campaign that is read is held against them.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::Column;
use crate::check::Check;
use crate::dtype::DType;
use reference::inputs::{Chain, Part, Space};

/// By the names of the operator and of its operands' and its results' types.
type Known = BTreeMap<(&'static str, Vec<&'static str>), Option<Arc<Chain>>>;

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// The hard inputs of what a check is of; none where it states none.
pub(super) fn hard(check: &Check) -> Option<Box<dyn Space>> {
    // Solutions are put there whole or not at all, also where a thread panicked.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let types = check.operands().iter().copied().chain([check.result()]).map(DType::name);
    let solve = || check.hard().map(Arc::new);
    let solved =
        known.entry((check.operator().name, types.collect())).or_insert_with(solve).clone();
    solved.map(|chain| Box::new(Solved(chain)) as Box<dyn Space>)
}

struct Solved(Arc<Chain>);

impl Space for Solved {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        self.0.fill(first, operands);
    }

    fn parts(&self) -> Vec<Part> {
        self.0.parts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference::operators::neg::NEG;

    #[test]
    fn what_was_solved_is_the_same_inputs_and_solved_once() {
        let [one, other] = [(); 2].map(|()| hard(&Check::new(&NEG, DType::Int8).unwrap()).unwrap());
        assert_eq!((one.len(), one.parts()), (other.len(), other.parts()));
        assert_eq!(one.parts(), NEG.hard(DType::Int8).unwrap().parts());
        let known = KNOWN.lock().unwrap();
        assert!(known.contains_key(&("Neg", vec!["int8", "int8"])));
    }
}
