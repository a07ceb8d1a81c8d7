//! MaxRoiPool: each region of interest is divided into windows, of which the largest element is taken.
//!
//! The text has no formulas, and no sentence on how coordinates become places of elements. What conforms follows the layer of Fast R-CNN that the
//! operator has its name of: corners times `spatial_scale` are rounded to the nearest elements, which both belong to the region;
//! of n elements along a dimension in b bins, the i-th window has those from floor(i n / b) to ceil((i + 1) n / b), as
//! far as the image has them. Nothing says which of two elements is nearest to a corner halfway between them: either may be. Where
//! roundings in the elements' format or a wider one may lead to several windows, the largest element of each of these
//! conforms. Nothing is decided of a window without elements, which is 0 in runtimes, of a region that ends before it begins, of a batch index
//! that the image does not have, and of coordinates that are no numbers; of NaN either way of comparing it conforms, as of MaxPool.
//!
//! Sources: ONNX's schemas of MaxRoiPool-1 and 22; R. Girshick, *Fast R-CNN*, ICCV 2015, section 2.1, with the layer published with it.

use std::collections::BTreeSet;
use std::ops::Range;

use num_bigint::BigInt;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::{Tensor, coordinates};

use crate::case_table::{self, Own};
use crate::elementwise::Elementwise;
use crate::exact::composed::{Arithmetic, Computed};
use crate::exact::interval::Interval;
use crate::exact::real::{self, Enclosure, Rational, power_of_two};
use crate::exact::{Conforming, Deviation};
use crate::families::computation::{attribute, format_of, value};
use crate::families::extremum::Extremum;
use crate::families::picking::{bounded, sizes};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// MaxRoiPool in ONNX's default domain.
pub static MAXROIPOOL: Operator = Operator {
    documents: &[Document {
        key: "onnx-maxroipool",
        catalogue: include_str!("maxroipool/onnx-maxroipool.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("maxroipool/cases.toml");
        case_table::cases(of, &MAXROIPOOL, &[table], Own::NONE)
    }),
    ..Operator::onnx("MaxRoiPool", OperatorKind::Exact, &VERSIONS, &MaxRoiPool)
};

const VERSIONS: [Version; 2] = [
    const { Ports::new(["X", "rois"], "Y", IEEE_FLOATS) }.since(1, &ATTRIBUTES),
    const { Ports::new(["X", "rois"], "Y", FLOATS) }.since(22, &ATTRIBUTES),
];

const ATTRIBUTES: [Attribute; 2] = [
    Attribute::new("pooled_shape", AttributeType::Ints).otherwise(Otherwise::Invalid),
    Attribute::new("spatial_scale", AttributeType::Float).otherwise(Otherwise::Float(ONE)),
];

/// 1 as a float32.
const ONE: u32 = 0x3f80_0000;

/// Why nothing is decided.
type Reason = &'static str;

const BATCH: Reason = "the image has no such batch index, of which nothing is said";
const NOT_FINITE: Reason = "no text says where a region is whose coordinates are no numbers";
const RANGE: Reason = "coordinates may be beyond the range of the format";
const MALFORMED: Reason = "no text says what a region is that ends before it begins";
const EMPTY: Reason = "no text says what is of a window without elements";
const TOO_WIDE: Reason = "the format does not hold coordinates closely enough";

/// Bits that coordinates are computed with.
const BITS: u32 = 256;

/// The most integers that one number may be rounded to.
const MOST: i128 = 4;

/// The most windows that may be meant.
const MOST_WINDOWS: usize = 64;

/// What is pooled, and how.
struct Plan<'a> {
    x: &'a Tensor,
    rois: &'a Tensor,
    output: TensorType,
    format: &'static FloatFormat,
    /// The bits of the float32 that coordinates are multiplied by.
    scale: u32,
}

/// The integers between two, both included; none where there are too many of them.
fn integers(first: &BigInt, last: &BigInt) -> Result<Vec<i128>, Reason> {
    let [Ok(first), Ok(last)] = [first, last].map(i64::try_from) else { return Err(RANGE) };
    let [first, last] = [first, last].map(i128::from);
    if last - first < MOST { Ok((first..=last).collect()) } else { Err(TOO_WIDE) }
}

/// The numbers that a value may be.
fn enclosure(value: &Computed) -> Result<Enclosure, Reason> {
    if value.open.is_some() || value.nan {
        return Err(NOT_FINITE);
    }
    let is_number = value.infinities == [false; 2];
    value.numbers.as_ref().filter(|_| is_number).map(Interval::enclosure).ok_or(RANGE)
}

impl<'a> Plan<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let (x, rois) = (call.input(0)?, call.input(1)?);
        let (&[_, channels, _, _], &[regions, 5]) = (x.shape(), rois.shape()) else {
            let (image, regions) = (x.shape(), rois.shape());
            return Err(call.invalid(&format!("takes no regions of {regions:?} for {image:?}")));
        };
        let pooled = call.ints("pooled_shape").unwrap_or_default();
        let &[height, width] = &sizes(call, "pooled_shape", pooled)?[..] else {
            return Err(call.invalid(&format!("takes no `pooled_shape` of {pooled:?}")));
        };
        let format = format_of(x.dtype());
        Ok(Self {
            x,
            rois,
            output: bounded(call, x.dtype(), vec![regions, channels, height, width])?,
            format: format.ok_or_else(|| call.invalid("takes floats"))?,
            scale: call.float("spatial_scale").unwrap_or(ONE),
        })
    }

    /// The place of the first element of the batch and channel of an index.
    fn first(&self, index: usize) -> Result<usize, Reason> {
        let at = coordinates(index, &self.output.shape);
        let &[batches, channels, height, width] = self.x.shape() else { return Err(BATCH) };
        let bits = self.rois.element(at[0] * 5).and_then(|bits| u64::try_from(bits).ok());
        let batch = bits.and_then(|bits| real::value(self.rois.dtype(), bits));
        let batch = batch.filter(Rational::is_integer).ok_or(BATCH)?;
        let batch = usize::try_from(batch.to_integer()).map_err(|_| BATCH)?;
        if batch >= batches {
            return Err(BATCH);
        }
        Ok((batch * channels + at[1]) * height * width)
    }

    /// The elements that a corner may be nearest to along a dimension.
    fn corner(&self, place: usize) -> Result<Vec<i128>, Reason> {
        let a = Arithmetic::of(self.format, BITS);
        let scaled =
            a.mul(&value(self.rois, place, BITS), &a.converted(&attribute(self.scale, BITS)));
        let Enclosure { lower, upper } = enclosure(&scaled)?;
        let half = power_of_two(-1);
        integers(&(lower - &half).ceil().to_integer(), &(upper + half).floor().to_integer())
    }

    /// The places along a dimension of the elements of the windows that may be meant: 0 is the height, 1 the width.
    fn lines(&self, index: usize, along: usize) -> Result<BTreeSet<(usize, usize)>, Reason> {
        let at = coordinates(index, &self.output.shape);
        let first = at[0] * 5 + 2 - along;
        let (bins, bin) = (self.output.shape[2 + along], at[2 + along]);
        let size = self.x.shape()[2 + along] as i128;
        let mut lines = BTreeSet::new();
        for start in self.corner(first)? {
            for end in self.corner(first + 2)? {
                let count = end - start + 1;
                if count < 1 {
                    return Err(MALFORMED);
                }
                let [begins, ends] = self.edges(count, bins, bin)?;
                for begin in &begins {
                    for end in &ends {
                        let within = |place: &i128| (start + place).clamp(0, size) as usize;
                        let line = (within(begin), within(end));
                        if line.0 >= line.1 {
                            return Err(EMPTY);
                        }
                        lines.insert(line);
                    }
                }
            }
        }
        Ok(lines)
    }

    /// Where a bin may begin and end in a region of so many elements.
    fn edges(&self, count: i128, bins: usize, bin: usize) -> Result<[Vec<i128>; 2], Reason> {
        let a = Arithmetic::of(self.format, BITS);
        let held = |number: i128| -> Result<Computed, Reason> {
            let number = i64::try_from(number).map_err(|_| RANGE)?;
            Ok(a.converted(&a.integer(number)))
        };
        let (count, bins) = (held(count)?, a.divisor(held(bins as i128)?));
        let edge = |number: usize| {
            let number = held(number as i128)?;
            let by_bins = a.mul(&number, &a.quotient(&count, &bins));
            enclosure(&by_bins.or(&a.quotient(&a.mul(&number, &count), &bins)))
        };
        let (begin, end) = (edge(bin)?, edge(bin + 1)?);
        let floor = |number: &Rational| number.floor().to_integer();
        let ceil = |number: &Rational| number.ceil().to_integer();
        Ok([
            integers(&floor(&begin.lower), &floor(&begin.upper))?,
            integers(&ceil(&end.lower), &ceil(&end.upper))?,
        ])
    }

    /// The windows that may be meant, each by the places of its elements.
    fn windows(&self, index: usize) -> Result<Vec<Vec<usize>>, Reason> {
        let first = self.first(index)?;
        let (rows, columns) = (self.lines(index, 0)?, self.lines(index, 1)?);
        if rows.len().saturating_mul(columns.len()) > MOST_WINDOWS {
            return Err(TOO_WIDE);
        }
        let width = self.x.shape()[3];
        let range = |&(begin, end): &(usize, usize)| -> Range<usize> { begin..end };
        let mut windows = Vec::new();
        for rows in rows.iter().map(range) {
            for columns in columns.iter().map(range) {
                let row = |row: usize| columns.clone().map(move |at| first + row * width + at);
                windows.push(rows.clone().flat_map(row).collect());
            }
        }
        Ok(windows)
    }

    fn elements(&self, places: &[usize]) -> Vec<Element> {
        places.iter().filter_map(|place| Element::of(self.x, *place)).collect()
    }

    /// The elements of the first window.
    fn window(&self, index: usize) -> Vec<Element> {
        let windows = self.windows(index).unwrap_or_default();
        windows.first().map_or_else(Vec::new, |places| self.elements(places))
    }
}

const LARGEST: Extremum = Extremum { is_largest: true, is_total: false };

impl Allowed for Plan<'_> {
    fn at(&self, index: usize) -> Conforming {
        let windows = match self.windows(index) {
            Ok(windows) => windows,
            Err(reason) => return Conforming::Unspecified(reason),
        };
        let of = |places: &Vec<usize>| LARGEST.conforming(self.x.dtype(), &self.elements(places));
        Conforming::one_of(windows.iter().map(of)).unwrap_or(Conforming::Unspecified(EMPTY))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        LARGEST.real(self.x.dtype(), &self.window(index), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        LARGEST.deviation(self.x.dtype(), &self.window(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.window(index)
    }

    fn sources(&self, index: usize) -> Option<Vec<usize>> {
        Some(vec![0; self.window(index).len()])
    }
}

struct MaxRoiPool;

impl Reference for MaxRoiPool {
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 1
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![Plan::of(call)?.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match Plan::of(call) {
            Ok(plan) => vec![Box::new(plan)],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
