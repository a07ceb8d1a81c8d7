//! A function that remembers what it found out, for whoever holds many implementations against it on the same inputs: nearly all
//! of them give nearly everywhere what others gave.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use values::dtype::DType;
use values::element::Element;

use crate::elementwise::{Elementwise, Smooth, Symmetry, bits_of};
use crate::exact::{Conforming, Deviation};
use crate::real::Real;

/// Operands of at most two, as bits; of one twice.
type Operands = [u64; 2];

/// A result, what conforms, and how far the result is from the exact one.
type Judged = (u64, Conforming, Deviation);

/// What was found out of elements of one type.
pub(crate) struct Memoised {
    function: Arc<dyn Elementwise>,
    dtype: DType,
    /// Of each of the operands the result that was judged first.
    known: Mutex<HashMap<Operands, Judged>>,
}

impl Memoised {
    pub(crate) fn new(function: Arc<dyn Elementwise>, dtype: DType) -> Self {
        Self { function, dtype, known: Mutex::default() }
    }
}

impl Elementwise for Memoised {
    fn conforming(&self, dtype: DType, operands: &[Element]) -> Conforming {
        self.function.conforming(dtype, operands)
    }

    fn real(&self, dtype: DType, operands: &[Element], bits: u32) -> Option<Real> {
        self.function.real(dtype, operands, bits)
    }

    fn deviation(&self, dtype: DType, operands: &[Element], actual: u64) -> Deviation {
        self.function.deviation(dtype, operands, actual)
    }

    fn judged(
        &self,
        dtype: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        let one = || bits_of::<1>(dtype, operands).map(|[bits]| [bits; 2]);
        let key = bits_of::<2>(dtype, operands).or_else(one);
        let [first, second] = actual;
        let Some(key) = key.filter(|_| dtype == self.dtype && first == second) else {
            return self.function.judged(dtype, operands, actual);
        };
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, conforming, deviation)) =
            known().get(&key).filter(|(result, ..)| *result == first)
        {
            return (conforming.clone(), [*deviation; 2]);
        }
        let (conforming, deviations) = self.function.judged(dtype, operands, actual);
        known().entry(key).or_insert_with(|| (first, conforming.clone(), deviations[0]));
        (conforming, deviations)
    }

    fn is_exact_point(&self, dtype: DType, operands: &[Element]) -> bool {
        self.function.is_exact_point(dtype, operands)
    }

    fn smooth(&self) -> Option<&dyn Smooth> {
        self.function.smooth()
    }

    fn symmetry(&self) -> Option<Symmetry> {
        self.function.symmetry()
    }

    fn distinction(&self, operands: &[Element]) -> u64 {
        self.function.distinction(operands)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Counts how often it is asked.
    struct Counting(Arc<AtomicUsize>);

    impl Elementwise for Counting {
        fn conforming(&self, _: DType, operands: &[Element]) -> Conforming {
            self.0.fetch_add(1, Ordering::Relaxed);
            operands.first().map_or(Conforming::One(7), |one| Conforming::Same(one.clone()))
        }

        fn real(&self, _: DType, _: &[Element], _: u32) -> Option<Real> {
            None
        }

        fn deviation(&self, _: DType, _: &[Element], actual: u64) -> Deviation {
            if actual == 1 { Deviation::Unbounded } else { Deviation::NoRealResult }
        }
    }

    #[test]
    fn the_same_result_of_the_same_operands_is_found_out_once_and_any_other_anew() {
        let asked = Arc::new(AtomicUsize::new(0));
        let function = Memoised::new(Arc::new(Counting(Arc::clone(&asked))), DType::Int8);
        let judged = |operands: &[u64], actual: [u64; 2]| {
            let operands: Vec<Element> =
                operands.iter().map(|&bits| Element::Bits(DType::Int8, bits.into())).collect();
            let (conforming, deviations) = function.judged(DType::Int8, &operands, actual);
            assert_eq!(conforming, Conforming::Same(operands[0].clone()));
            (deviations, asked.load(Ordering::Relaxed))
        };
        let [none, unbounded] = [Deviation::NoRealResult, Deviation::Unbounded];
        assert_eq!(judged(&[3, 4], [0, 0]), ([none; 2], 1));
        assert_eq!(judged(&[3, 4], [0, 0]), ([none; 2], 1));
        assert_eq!(judged(&[3, 4], [1, 1]), ([unbounded; 2], 2));
        assert_eq!(judged(&[3, 4], [0, 1]), ([none, unbounded], 3));
        assert_eq!(judged(&[4, 3], [0, 0]), ([none; 2], 4));
        assert_eq!(judged(&[3], [0, 0]), ([none; 2], 5));
        assert_eq!(judged(&[3, 4], [0, 0]), ([none; 2], 5));
    }
}
