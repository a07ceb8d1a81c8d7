//! What is allowed of outputs of which a document can be read in several ways, each of which is decided by itself.

use values::element::Element;

use crate::exact::{Conforming, Deviation, Share};
use crate::operator::Allowed;
use crate::real::Real;

/// What is allowed by each reading. Distances, and what is shown of an element, are those of the first.
pub(crate) struct Readings<A>(pub(crate) Vec<A>);

const NONE: &str = "there is no such element";

impl<A: Allowed> Allowed for Readings<A> {
    fn at(&self, index: usize) -> Conforming {
        let readings = self.0.iter().map(|one| one.at(index));
        Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(NONE))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.0.first()?.real(index, bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let first = self.0.first();
        first.map_or(Deviation::NoRealResult, |one| one.deviation(index, actual))
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        match self.0.as_slice() {
            [only] => only.judged(index, actual),
            _ => (self.at(index), actual.map(|actual| self.deviation(index, actual))),
        }
    }

    fn share(&self, index: usize, actual: u64) -> Option<Share> {
        self.0.first()?.share(index, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0.first().map_or_else(Vec::new, |one| one.operands(index))
    }
}
