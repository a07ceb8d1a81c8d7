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
use reference::brackets::{Checked, Outside};
use reference::exact::bracket::Bracket;
use reference::exact::{Conforming, Deviation, Share, Ulps};
use values::dtype::Kind;
use values::element::Element;
use values::tensor::{Tensor, coordinates};

/// Bytes that are first compared as a whole, which are whole elements of every width, that of 6 bits included.
const CHUNK: usize = 3 << 11;

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
    /// The index of the expected element that is not allowed and comes first.
    fault: Option<usize>,
}

/// An element that conforms or does not for certain, with an error and a share of which only the most is known.
struct Waiting {
    index: usize,
    /// Of the expected and of the actual element.
    most_errors: [Option<Ulps>; 2],
    most_share: Option<Share>,
    is_measured: bool,
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
        Self {
            judge,
            expected,
            actual,
            reference,
            comparison,
            worst,
            without_share: 0,
            fault: None,
        }
    }

    /// Compares all elements.
    pub(super) fn run(mut self) -> OutputComparison {
        let start = self.comparison.clone();
        if let Some(brackets) = self.reference.and_then(|known| Checked::of(known.allowed)) {
            if self.by_brackets(&brackets).is_ok() {
                return self.finished();
            }
            // A bracket is wrong, so that none of them tells anything.
            let Self { judge, expected, actual, reference, .. } = self;
            self = Self::new(judge, [expected, actual], reference, start);
        }
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

    /// Whether an element that is not the expected one violates what the reference allows: the first such one tells.
    pub(super) fn refutes(&self) -> bool {
        let is_refuted = |index| {
            let Some([a, b]) = self.elements(index).filter(|[a, b]| a != b) else { return false };
            let known = self.known(index, [&a, &b]);
            let known = known.as_ref().map(|(known, _)| known);
            self.judge.judge(known, &a, &b) == ElementVerdict::Violates
        };
        !self.judge.trusts_expected() && (0..self.expected.elements()).any(is_refuted)
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
        range.for_each(|index| self.one(index));
    }

    /// Compares an element, of which everything is computed exactly.
    fn one(&mut self, index: usize) {
        let Some([a, b]) = self.elements(index) else { return };
        let known = self.known(index, [&a, &b]);
        if let Some((known, _)) = &known {
            self.check_expected(known, index, &a);
        }
        let (verdict, share) = self.measured_exactly(known.as_ref(), index, [&a, &b]);
        self.without_share += u64::from(verdict == ElementVerdict::Violates && share.is_none());
        self.count(index, [&a, &b], verdict);
    }

    /// The expected and the actual element at an index.
    fn elements(&self, index: usize) -> Option<[Element; 2]> {
        Some([Element::of(self.expected, index)?, Element::of(self.actual, index)?])
    }

    fn known(&self, index: usize, elements: [&Element; 2]) -> Option<(Known<'a>, [Deviation; 2])> {
        let dtype = self.expected.dtype();
        self.reference.map(|reference| Known::of(reference, dtype, index, elements))
    }

    /// Takes the errors and the share of an element into the largest ones.
    fn measured_exactly(
        &mut self,
        known: Option<&(Known<'a>, [Deviation; 2])>,
        index: usize,
        [expected, actual]: [&Element; 2],
    ) -> (ElementVerdict, Option<Share>) {
        if let Some((_, deviations)) = known {
            let OutputComparison { expected_max_error, max_error, .. } = &mut self.comparison;
            for (largest, deviation) in [expected_max_error, max_error].into_iter().zip(deviations)
            {
                if let Deviation::Ulps(error) = deviation {
                    *largest = (*largest).max(Some(*error));
                }
            }
        }
        let has_error = matches!(known, Some((_, [_, Deviation::Ulps(_)])));
        let known = known.map(|(known, _)| known);
        let verdict = self.judge.judge(known, expected, actual);
        if verdict == ElementVerdict::Undecided {
            return (verdict, None);
        }
        let share = known.filter(|_| has_error).and_then(|known| self.share(known, index, actual));
        let share = share.and_then(|share| share.judged(verdict == ElementVerdict::Conforms));
        self.comparison.share_of_bound = self.comparison.share_of_bound.max(share);
        (verdict, share)
    }

    /// Counts an element, and measures how far it is from the expected one.
    fn count(&mut self, index: usize, [a, b]: [&Element; 2], verdict: ElementVerdict) {
        if verdict == ElementVerdict::Undecided {
            self.comparison.undecided += 1;
            return;
        }
        let conforms = verdict == ElementVerdict::Conforms;
        if a == b && conforms && self.is_measured() {
            return;
        }
        let difference = match (a, b) {
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

    /// Compares all elements with what brackets tell of them, and exactly where that is too little.
    ///
    /// Whether an element conforms is certain; its error and share are computed only where they may be the largest ones.
    fn by_brackets(&mut self, brackets: &Checked<'_>) -> Result<(), Outside> {
        for at in 0..brackets.tiles() {
            let tile = brackets.tile(at)?;
            let weighed = tile.into_iter().filter_map(|(index, bracket)| {
                let waiting = bracket.and_then(|bracket| self.weigh(index, &bracket));
                if waiting.is_none() {
                    self.one(index);
                }
                waiting
            });
            let mut waiting: Vec<Waiting> = weighed.collect();
            self.settle(&mut waiting, |it| it.most_errors[0], |it| it.expected_max_error);
            self.settle(&mut waiting, |it| it.most_errors[1], |it| it.max_error);
            self.settle(&mut waiting, |it| it.most_share, |it| it.share_of_bound);
        }
        Ok(())
    }

    /// Counts an element of which a bracket tells whether it conforms; `None`, with nothing counted, where it does not.
    fn weigh(&mut self, index: usize, bracket: &Bracket) -> Option<Waiting> {
        let reference = self.reference?;
        let elements = self.elements(index)?;
        let bits = |element: &Element| match element {
            Element::Bits(_, bits) => u64::try_from(*bits).ok(),
            Element::String(_) => None,
        };
        let expected = bracket.weigh(bits(&elements[0])?)?;
        let actual = match elements[0] == elements[1] {
            true => expected,
            false => bracket.weigh(bits(&elements[1])?)?,
        };
        // The first expected element that is not allowed is told in full.
        if expected.conforms == Some(false) {
            return None;
        }
        let of_known = actual.conforms.map(ElementVerdict::of);
        let verdict = match &self.judge {
            Judge::Exact(_) => of_known.unwrap_or(ElementVerdict::Undecided),
            _ if bracket.is_open() && reference.is_expected => ElementVerdict::Undecided,
            // A sum has one reading, on which no other rule asks more.
            other => other.judge(None, &elements[0], &elements[1]),
        };
        let is_shared =
            matches!(self.judge, Judge::Exact(_)) && reference.operator.kind.is_bounded();
        let mut most_share = actual.most_share.filter(|_| is_shared);
        // There is no less, and so it is certain.
        if most_share == Some(Share::NONE) {
            self.comparison.share_of_bound = self.comparison.share_of_bound.max(most_share);
            most_share = None;
        }
        // What is no number takes no share.
        let is_without = verdict == ElementVerdict::Violates && actual.most_share.is_none();
        self.without_share += u64::from(is_without);
        self.count(index, [&elements[0], &elements[1]], verdict);
        let most_errors = [expected, actual].map(|weighed| weighed.most_error);
        Some(Waiting { index, most_errors, most_share, is_measured: false })
    }

    /// Measures those exactly whose error or share may be larger than the largest one so far, beginning with those of which it
    /// may be the largest.
    fn settle<T: Ord>(
        &mut self,
        waiting: &mut [Waiting],
        most: impl Fn(&Waiting) -> Option<T>,
        largest: impl Fn(&OutputComparison) -> Option<T>,
    ) {
        let is_larger = |it: &Waiting, own: &OutputComparison| most(it) > largest(own);
        let mut larger: Vec<_> =
            waiting.iter_mut().filter(|it| is_larger(it, &self.comparison)).collect();
        larger.sort_by_key(|it| Reverse(most(it)));
        for it in larger {
            if !is_larger(it, &self.comparison) {
                return;
            }
            if !it.is_measured
                && let Some([a, b]) = self.elements(it.index)
            {
                let known = self.known(it.index, [&a, &b]);
                self.measured_exactly(known.as_ref(), it.index, [&a, &b]);
                it.is_measured = true;
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
        if self.fault.is_some_and(|first| first < index) {
            return;
        }
        self.fault = Some(index);
        self.comparison.expected_fault = Some(ExpectedFault {
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

#[cfg(test)]
mod tests;
