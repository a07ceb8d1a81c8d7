//! Going over two tensors of one type and shape, counting and measuring.

use std::cmp::Reverse;
use std::ops::Range;

use super::difference::Difference;
use super::element_call::Known;
use super::judge::Judge;
use super::limits::ElementVerdict;
use super::text::text_difference;
use super::{
    ExpectedFault, OutputComparison, ReferenceOutput, WORST_KEPT, WorstElement, operands_shown,
};
use reference::exact::{Conforming, Deviation, Share};
use values::dtype::Kind;
use values::element::Element;
use values::tensor::{Tensor, coordinates};

/// Bytes that are first compared as a whole. A multiple of every element's width.
const CHUNK: usize = 4096;

/// The comparison of two tensors of the same type and shape, as far as it has come.
pub(super) struct Tally<'a> {
    judge: Judge<'a>,
    expected: &'a Tensor,
    actual: &'a Tensor,
    reference: Option<&'a ReferenceOutput<'a>>,
    /// What has been counted and measured so far.
    comparison: OutputComparison,
    /// In descending order, at most [`WORST_KEPT`].
    worst: Vec<Rank>,
    /// Mismatches that take no share of a bound.
    without_share: u64,
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

impl<'a> Tally<'a> {
    /// Nothing compared yet.
    pub(super) const fn new(
        judge: Judge<'a>,
        [expected, actual]: [&'a Tensor; 2],
        reference: Option<&'a ReferenceOutput<'a>>,
        comparison: OutputComparison,
    ) -> Self {
        let worst = Vec::new();
        Self { judge, expected, actual, reference, comparison, worst, without_share: 0 }
    }

    /// Compares all elements.
    pub(super) fn run(mut self) -> OutputComparison {
        let (expected, actual) = (self.expected, self.actual);
        let dtype = expected.dtype();
        if let Some((bytes, width)) = expected.bits().zip(actual.bits()).zip(dtype.bits()) {
            let per_chunk = CHUNK * 8 / width as usize;
            let chunks = bytes.0.chunks(CHUNK).zip(bytes.1.chunks(CHUNK));
            let mut last_equal: &[u8] = &[];
            for (chunk, (expected_bytes, actual_bytes)) in chunks.enumerate() {
                let start = chunk * per_chunk;
                let range = start..(start + per_chunk).min(expected.elements());
                let equal = expected_bytes == actual_bytes && self.judge.trusts_expected();
                if self.reference.is_some() || !equal {
                    self.each(range);
                } else if expected_bytes != last_equal {
                    // A chunk of the same bytes as the last one, zeros for instance, adds
                    // nothing.
                    self.equal(range);
                    last_equal = expected_bytes;
                }
            }
        } else {
            self.each(0..expected.elements());
        }
        self.finished()
    }

    /// Elements with equal bits conform. Their differences are 0 where they are defined, which one
    /// element of each measure tells.
    fn equal(&mut self, mut range: Range<usize>) {
        let kind = self.expected.dtype().kind();
        while !self.is_measured()
            && let Some(bits) = range.next().and_then(|i| self.expected.element(i))
        {
            self.measure(Difference::between(kind, bits, bits));
        }
    }

    /// Whether every measure there is was taken of some element: equal ones add nothing.
    fn is_measured(&self) -> bool {
        let OutputComparison { max_ulp, max_abs_error, max_rel_error, .. } = &self.comparison;
        match self.expected.dtype().kind() {
            Kind::Bool | Kind::String => true,
            Kind::Float(_) | Kind::Complex(_) | Kind::Int { .. } => {
                max_ulp.and(*max_abs_error).and(*max_rel_error).is_some()
            }
        }
    }

    fn each(&mut self, range: Range<usize>) {
        let dtype = self.expected.dtype();
        for index in range {
            let elements = [self.expected, self.actual].map(|tensor| Element::of(tensor, index));
            let [Some(a), Some(b)] = elements else { return };
            let known =
                self.reference.map(|reference| Known::of(reference, dtype, index, [&a, &b]));
            if let Some((known, deviations)) = &known {
                self.check_expected(known, index, &a);
                let OutputComparison { expected_max_error, max_error, .. } = &mut self.comparison;
                for (largest, deviation) in
                    [expected_max_error, max_error].into_iter().zip(deviations)
                {
                    if let Deviation::Ulps(error) = deviation {
                        *largest = (*largest).max(Some(*error));
                    }
                }
            }
            let has_error = matches!(known, Some((_, [_, Deviation::Ulps(_)])));
            let known = known.as_ref().map(|(known, _)| known);
            let verdict = self.judge.judge(known, &a, &b);
            if verdict == ElementVerdict::Undecided {
                self.comparison.undecided += 1;
                continue;
            }
            let conforms = verdict == ElementVerdict::Conforms;
            let share = known.filter(|_| has_error).and_then(|known| self.share(known, index, &b));
            let share = share.and_then(|share| share.judged(conforms));
            self.comparison.share_of_bound = self.comparison.share_of_bound.max(share);
            self.without_share += u64::from(!conforms && share.is_none());
            if a == b && conforms && self.is_measured() {
                continue;
            }
            let difference = match (&a, &b) {
                (Element::Bits(dtype, a), Element::Bits(_, b)) => {
                    Difference::between(dtype.kind(), *a, *b)
                }
                _ => Difference::default(),
            };
            self.measure(difference);
            if a != b || !conforms {
                self.differs(index, conforms, difference);
            }
        }
    }

    /// The share that an element takes of the bound that decides it.
    fn share(&self, known: &Known<'_>, index: usize, actual: &Element) -> Option<Share> {
        let reference = self.reference?;
        let (Judge::Exact(_), true, Element::Bits(_, bits)) =
            (&self.judge, reference.operator.kind.is_bounded(), actual)
        else {
            return None;
        };
        let bits = u64::try_from(*bits).ok()?;
        match &known.conforming {
            // The number nearest to the exact result, which is found already, where there are others.
            Conforming::Within { accumulated, nearest }
                if *nearest == bits
                    && accumulated.numbers.is_some_and(|[least, most]| least < most) =>
            {
                Some(Share::NONE)
            }
            _ => reference.allowed.share(index, bits),
        }
    }

    /// Holds an expected element against what the reference allows.
    fn check_expected(&mut self, known: &Known<'_>, index: usize, expected: &Element) {
        if known.conforming.accepts_element(expected) {
            return;
        }
        self.comparison.expected_not_conforming += 1;
        self.comparison.expected_fault.get_or_insert_with(|| ExpectedFault {
            index: coordinates(index, self.expected.shape()),
            expected: expected.clone(),
            conforming: known.conforming.clone(),
        });
    }

    fn measure(&mut self, difference: Difference) {
        let comparison = &mut self.comparison;
        comparison.max_ulp = comparison.max_ulp.max(difference.ulp);
        comparison.max_abs_error = larger(comparison.max_abs_error, difference.absolute);
        comparison.max_rel_error = larger(comparison.max_rel_error, difference.relative);
        comparison.nan_sign_or_payload_differs += u64::from(difference.nan_bits_differ);
    }

    fn differs(&mut self, index: usize, conforms: bool, difference: Difference) {
        self.comparison.mismatches += u64::from(!conforms);
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
    fn finished(self) -> OutputComparison {
        let Self { expected, actual, reference, comparison, without_share, .. } = self;
        let show = |rank: &Rank| {
            let Reverse(index) = rank.index;
            // Of many operands, those of one element are in memory at a time.
            let inputs = reference.map(|known| operands_shown(&known.allowed.operands(index)));
            Some(WorstElement {
                index: coordinates(index, expected.shape()),
                inputs: inputs.unwrap_or_default(),
                expected: Element::of(expected, index)?,
                actual: Element::of(actual, index)?,
                ulp: (!rank.ulp_is_undefined).then_some(rank.ulp),
            })
        };
        let strings = expected.strings().zip(actual.strings());
        let strings = strings.filter(|_| comparison.mismatches > 0);
        OutputComparison {
            share_of_bound: comparison.share_of_bound.filter(|_| without_share == 0),
            elements: expected.elements() as u64 - comparison.undecided,
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
