//! Where the samples of a region lie along a dimension of the image: exactly, and as floats compute it.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use values::dtype::DType;
use values::float::FloatFormat;
use values::tensor::Tensor;

use super::Reason;
use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::exact::real::{self, Enclosure, Rational, power_of_two};
use crate::families::computation::{attribute, value};

const NOT_FINITE: Reason = "no text says where a region is whose coordinates are no numbers";
const RANGE: Reason = "coordinates may be beyond the range of the format";
const MALFORMED: Reason = "no text says what a region is that ends before it begins";
const EMPTY: Reason = "no text says what comes of a region without samples";
const NUMBER: Reason = "how many samples a bin has depends on how coordinates are rounded";
const TOO_MANY: Reason = "a bin has so many samples that nothing here adds them up";
const NO_BIN: Reason = "there are no bins";

/// Bits that locations are computed with.
const BITS: u32 = 256;

/// The most samples of a bin along one dimension.
const MOST: usize = 1 << 10;

/// Where a region begins along a dimension, and how long it is, in pixels.
pub(super) struct Region {
    /// Both exactly; `None` where they are no numbers.
    exact: Option<[Rational; 2]>,
    start: Computed,
    length: Computed,
}

fn whole(number: usize) -> Rational {
    Rational::from(BigInt::from(number))
}

/// The numbers that a value may be, if it is one for certain.
fn enclosure(value: &Computed) -> Option<Enclosure> {
    let is_number = value.is_finite() && value.open.is_none();
    value.numbers.as_ref().filter(|_| is_number).map(Interval::enclosure)
}

impl Region {
    /// The region between two coordinates, of which these are the places.
    pub(super) fn of(
        rois: &Tensor,
        places: [usize; 2],
        scale: u32,
        is_shifted: bool,
        format: &FloatFormat,
    ) -> Self {
        let a = Arithmetic::of(format, BITS);
        let factor = a.converted(&attribute(scale, BITS));
        let [first, last] = places.map(|place| value(rois, place, BITS));
        let half = Computed::number(Interval::power_of_two(-1, BITS));
        let scaled = |coordinate: &Computed| a.mul(coordinate, &factor);
        let at = |coordinate: &Computed| match is_shifted {
            true => a.sub(&scaled(coordinate), &half),
            false => scaled(coordinate),
        };
        let start = at(&first);
        // Of the ends, before the shift or after it, or scaled at last.
        let length = a
            .sub(&at(&last), &start)
            .or(&a.sub(&scaled(&last), &scaled(&first)))
            .or(&scaled(&a.sub(&last, &first)));
        let exact = || {
            let scale = real::value(DType::Float32, scale.into())?;
            let end = |place: usize| {
                let bits = u64::try_from(rois.element(place)?).ok()?;
                Some(real::value(rois.dtype(), bits)? * &scale)
            };
            let [first, last] = [end(places[0])?, end(places[1])?];
            let length = last - &first;
            let start = if is_shifted { first - power_of_two(-1) } else { first };
            Some([start, length])
        };
        Self { exact: exact(), start, length }
    }

    /// Whether it may be narrower than a pixel.
    pub(super) fn is_narrow(&self) -> bool {
        enclosure(&self.length).is_some_and(|length| length.lower < Rational::one())
    }

    /// The region if it is one pixel wide at the least.
    pub(super) fn widened(self) -> Self {
        let one = Interval::integer(1, BITS);
        // The larger one, from both ends.
        let at_least_one = |numbers: Interval| -(-&numbers).at_most(&-&one);
        let exact = self.exact.map(|[start, length]| [start, length.max(Rational::one())]);
        let numbers = self.length.numbers.map(at_least_one);
        Self { exact, length: Computed { numbers, ..self.length }, ..self }
    }
}

/// A location, with all that may be computed of it.
pub(super) struct Location {
    pub(super) exact: Rational,
    pub(super) between: Enclosure,
}

/// A region along a dimension, divided into bins.
pub(super) struct Axis {
    a: Arithmetic,
    region: Region,
    exact: [Rational; 2],
    bins: usize,
    /// The length of a bin.
    bin: Computed,
    /// Samples of a bin.
    pub(super) samples: usize,
}

impl Axis {
    /// The region divided into so many bins, with so many samples each; where that is 0, with one for each pixel of a bin or
    /// part of one.
    pub(super) fn of(
        region: Region,
        bins: usize,
        samples: usize,
        format: &FloatFormat,
    ) -> Result<Self, Reason> {
        if bins == 0 {
            return Err(NO_BIN);
        }
        let a = Arithmetic::of(format, BITS);
        let exact = region.exact.clone().ok_or(NOT_FINITE)?;
        let length = enclosure(&region.length).ok_or(RANGE)?;
        if length.lower.is_negative() {
            return Err(MALFORMED);
        }
        let bin = a.quotient(&region.length, &a.divisor(count(&a, bins)));
        let samples = match samples {
            0 => {
                let Enclosure { lower, upper } = enclosure(&bin).ok_or(RANGE)?;
                let [least, most] = [lower, upper].map(|end| end.ceil().to_integer());
                match (least == most, most.to_usize()) {
                    (false, _) => return Err(NUMBER),
                    (true, Some(0)) => return Err(EMPTY),
                    (true, Some(samples)) => samples,
                    (true, None) => return Err(TOO_MANY),
                }
            }
            samples => samples,
        };
        if samples > MOST {
            return Err(TOO_MANY);
        }
        Ok(Self { a, region, exact, bins, bin, samples })
    }

    /// The locations of the samples of a bin.
    pub(super) fn locations(&self, bin: usize) -> Result<Vec<Location>, Reason> {
        let locate = |sample: usize| {
            let between = enclosure(&self.computed(bin, sample)).ok_or(RANGE)?;
            let [start, length] = &self.exact;
            let halves = whole(2 * (bin * self.samples + sample) + 1);
            let exact = start + length * halves / whole(2 * self.bins * self.samples);
            Ok(Location { exact, between })
        };
        (0..self.samples).map(locate).collect()
    }

    /// All that may be computed of the location of a sample.
    fn computed(&self, bin: usize, sample: usize) -> Computed {
        let (a, start) = (&self.a, &self.region.start);
        let middle = |number: usize| {
            let halves = Interval::new(BigInt::from(2 * number + 1), -1, BITS);
            a.converted(&Computed::number(halves))
        };
        let samples = a.divisor(count(a, self.samples));
        let (at, part) = (count(a, bin), middle(sample));
        // The bin's begin and the part of the bin, as products in any order.
        let begin = a.mul(&at, &self.bin);
        let step = a.quotient(&self.bin, &samples);
        let fraction = a.quotient(&part, &samples);
        let parts = a
            .quotient(&a.mul(&part, &self.bin), &samples)
            .or(&a.mul(&part, &step))
            .or(&a.mul(&fraction, &self.bin));
        let of_bin = a.sum(&[start.clone(), begin, parts]);
        // Bins and parts of them at once.
        let of_bins = a.add(start, &a.mul(&a.add(&at, &fraction), &self.bin));
        // The number of the sample among all.
        let all = a.divisor(count(a, self.bins * self.samples));
        let step = step.or(&a.quotient(&self.region.length, &all));
        let of_region = a.add(start, &a.mul(&middle(bin * self.samples + sample), &step));
        of_bin.or(&of_bins).or(&of_region)
    }
}

/// A count as the format holds it.
fn count(a: &Arithmetic, number: usize) -> Computed {
    a.converted(&a.integer(i64::try_from(number).unwrap_or(i64::MAX)))
}
