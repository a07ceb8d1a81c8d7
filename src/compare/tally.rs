//! Going over two tensors of one type and shape, counting and measuring.

use std::cmp::Reverse;
use std::ops::Range;

use super::difference::Difference;
use super::element_call::Known;
use super::judge::Judge;
use super::judgement::Judgement;
use super::text::text_difference;
use super::{ExpectedFault, OutputComparison, ReferenceOutput, WORST_KEPT, WorstElement};
use crate::dtype::{DType, Kind};
use crate::oracle::{Deviation, Ulps};
use crate::profile::{Profile, Tolerance};
use crate::tensor::{Tensor, coordinates};
use values::element::Element;

/// Bytes that are first compared as a whole. A multiple of every element's width.
const CHUNK: usize = 4096;

/// What has been counted and measured so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    elements: u64,
    undecided: u64,
    mismatches: u64,
    max_error: Option<Ulps>,
    expected_max_error: Option<Ulps>,
    expected_not_conforming: u64,
    expected_fault: Option<ExpectedFault>,
    max_ulp: Option<u64>,
    max_absolute: Option<f64>,
    max_relative: Option<f64>,
    nan_bits_differ: u64,
    /// In descending order, at most [`WORST_KEPT`].
    worst: Vec<Rank>,
}

/// The place of a differing element among the worst: the greatest is the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    mismatch: bool,
    ulp_is_undefined: bool,
    ulp: u64,
    /// Bits of the absolute difference, which order as its values do: it is not negative.
    absolute: u64,
    index: Reverse<usize>,
}

impl Tally {
    /// Compares two tensors of the same type and shape.
    pub(super) fn of(
        profile: &Profile,
        tolerance: Tolerance,
        expected: &Tensor,
        actual: &Tensor,
        reference: Option<&ReferenceOutput<'_>>,
    ) -> Self {
        let mut tally = Self { elements: expected.elements() as u64, ..Self::default() };
        let dtype = expected.dtype();
        let judge = Judge::new(profile, tolerance, dtype, reference);
        if let Some((bytes, width)) = expected.bits().zip(actual.bits()).zip(dtype.bits()) {
            let per_chunk = CHUNK * 8 / width as usize;
            let chunks = bytes.0.chunks(CHUNK).zip(bytes.1.chunks(CHUNK));
            let mut last_equal: &[u8] = &[];
            for (chunk, (expected_bytes, actual_bytes)) in chunks.enumerate() {
                let start = chunk * per_chunk;
                let range = start..(start + per_chunk).min(expected.elements());
                let equal = expected_bytes == actual_bytes && judge.trusts_expected();
                if reference.is_some() || !equal {
                    tally.each(&judge, reference, expected, actual, range);
                } else if expected_bytes != last_equal {
                    // A chunk of the same bytes as the last one, zeros for instance, adds
                    // nothing.
                    tally.equal(expected, range);
                    last_equal = expected_bytes;
                }
            }
        } else {
            tally.each_string(&judge, reference, expected, actual);
        }
        tally.elements -= tally.undecided;
        tally
    }

    /// Elements with equal bits conform. Their differences are 0 where they are defined, which one
    /// element of each measure tells.
    fn equal(&mut self, tensor: &Tensor, mut range: Range<usize>) {
        let kind = tensor.dtype().kind();
        let measured = |tally: &Self| match kind {
            Kind::Bool | Kind::String => true,
            Kind::Float(_) | Kind::Complex(_) | Kind::Int { .. } => {
                tally.max_ulp.and(tally.max_absolute).and(tally.max_relative).is_some()
            }
        };
        while !measured(self)
            && let Some(bits) = range.next().and_then(|i| tensor.element(i))
        {
            self.measure(Difference::between(kind, bits, bits));
        }
    }

    fn each(
        &mut self,
        judge: &Judge<'_>,
        reference: Option<&ReferenceOutput<'_>>,
        expected: &Tensor,
        actual: &Tensor,
        range: Range<usize>,
    ) {
        let dtype = expected.dtype();
        for index in range {
            let (Some(a), Some(b)) = (expected.element(index), actual.element(index)) else {
                return;
            };
            let known = reference.map(|reference| Known::of(reference, dtype, index));
            if let Some(known) = &known {
                self.check_expected(known, expected, index, Element::Bits(dtype, a));
                let errors = [&mut self.expected_max_error, &mut self.max_error];
                for (largest, bits) in errors.into_iter().zip([a, b]) {
                    if let Deviation::Ulps(error) = known.deviation(dtype, bits) {
                        *largest = (*largest).max(Some(error));
                    }
                }
            }
            let judgement = judge.judge(dtype, known.as_ref(), a, b);
            if judgement == Judgement::Undecided {
                self.undecided += 1;
                continue;
            }
            let difference = Difference::between(dtype.kind(), a, b);
            self.measure(difference);
            let conforms = judgement == Judgement::Conforms;
            if a != b || !conforms {
                self.differs(index, conforms, difference);
            }
        }
    }

    fn each_string(
        &mut self,
        judge: &Judge<'_>,
        reference: Option<&ReferenceOutput<'_>>,
        expected: &Tensor,
        actual: &Tensor,
    ) {
        for index in 0..expected.elements() {
            let elements = [expected, actual].map(|tensor| Element::of(tensor, index));
            let [Some(a), Some(b)] = elements else { return };
            let known = reference.map(|reference| Known::of(reference, DType::String, index));
            if let Some(known) = &known {
                self.check_expected(known, expected, index, a.clone());
            }
            match judge.judge_string(known.as_ref(), &a, &b) {
                Judgement::Undecided => self.undecided += 1,
                Judgement::Violates => self.differs(index, false, Difference::default()),
                Judgement::Conforms => {}
            }
        }
    }

    /// Holds an expected element against what the reference allows.
    fn check_expected(
        &mut self,
        known: &Known<'_>,
        tensor: &Tensor,
        index: usize,
        expected: Element,
    ) {
        if known.conforming.accepts_element(&expected) {
            return;
        }
        self.expected_not_conforming += 1;
        self.expected_fault.get_or_insert_with(|| ExpectedFault {
            index: coordinates(index, tensor.shape()),
            expected,
            conforming: known.conforming.clone(),
        });
    }

    fn measure(&mut self, difference: Difference) {
        self.max_ulp = self.max_ulp.max(difference.ulp);
        self.max_absolute = larger(self.max_absolute, difference.absolute);
        self.max_relative = larger(self.max_relative, difference.relative);
        self.nan_bits_differ += u64::from(difference.nan_bits_differ);
    }

    fn differs(&mut self, index: usize, conforms: bool, difference: Difference) {
        self.mismatches += u64::from(!conforms);
        let rank = Rank {
            mismatch: !conforms,
            ulp_is_undefined: difference.ulp.is_none(),
            ulp: difference.ulp.unwrap_or(0),
            absolute: difference.absolute.map_or(0, f64::to_bits),
            index: Reverse(index),
        };
        let place = self.worst.partition_point(|kept| *kept > rank);
        self.worst.insert(place, rank);
        self.worst.truncate(WORST_KEPT);
    }

    /// The result, with the worst elements shown.
    pub(super) fn into_comparison(
        self,
        comparison: OutputComparison,
        expected: &Tensor,
        actual: &Tensor,
        reference: Option<&ReferenceOutput<'_>>,
    ) -> OutputComparison {
        let show = |rank: &Rank| {
            let Reverse(index) = rank.index;
            Some(WorstElement {
                index: coordinates(index, expected.shape()),
                inputs: reference.map_or_else(Vec::new, |known| known.allowed.operands(index)),
                expected: Element::of(expected, index)?,
                actual: Element::of(actual, index)?,
                ulp: (!rank.ulp_is_undefined).then_some(rank.ulp),
            })
        };
        let strings = expected.strings().zip(actual.strings()).filter(|_| self.mismatches > 0);
        OutputComparison {
            elements: self.elements,
            undecided: self.undecided,
            mismatches: self.mismatches,
            max_error: self.max_error,
            expected_max_error: self.expected_max_error,
            expected_not_conforming: self.expected_not_conforming,
            expected_fault: self.expected_fault,
            max_ulp: self.max_ulp,
            max_abs_error: self.max_absolute,
            max_rel_error: self.max_relative,
            nan_sign_or_payload_differs: self.nan_bits_differ,
            worst: self.worst.iter().filter_map(show).collect(),
            text_difference: strings.map(|(expected, actual)| text_difference(expected, actual)),
            ..comparison
        }
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}
