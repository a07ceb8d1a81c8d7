//! RoiAlign: each region of interest is divided into bins, and each bin is the mean or the largest of samples of the image.
//!
//! A bin has a grid of samples, each in the middle of its part (`axis`), and a sample is the bilinear interpolation of the four pixels
//! around it (`pixels`). Coordinates are enclosed as the elements' format or a wider one computes them, in the orders that libraries
//! have; so are weights. Where `sampling_ratio` is 0, and at the distance from the image beyond which samples are 0, the element is
//! decided where every such evaluation of the coordinates agrees.
//!
//! The text has no formulas, but the paper that it refers to and this sentence: the samples "are computed directly through
//! bilinear interpolation". What conforms follows ONNX's cases and the libraries whose models have the operator: a sample that is more than one pixel
//! outside of the image is 0, one that is less the element at the border. No sentence says
//!
//! - what the largest of a bin is: the largest sample, as the sentence above has it, or the largest of the products of
//!   pixels and weights, as ONNX's cases do: either conforms, and nothing is decided of NaN among them;
//! - what a region is that is narrower than a pixel, without the shift by half a pixel: made one pixel wide, as ONNX's evaluator does, or
//!   taken as it is: either conforms;
//! - what comes of a region that ends before it begins, of one without samples, of a batch index that the image does not have, of a
//!   negative `sampling_ratio`, of coordinates that are no numbers, of samples exactly one pixel outside, and of an image without pixels:
//!   nothing is decided;
//! - whether a pixel without weight counts that is no number: either conforms.
//!
//! Sources: ONNX's schemas of RoiAlign-10, 16 and 22; K. He, G. Gkioxari, P. Dollár, R. Girshick, *Mask R-CNN*, ICCV 2017, section 3.

mod axis;
mod pixels;

use std::rc::Rc;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::{Tensor, coordinates};

use self::axis::{Axis, Region};
use self::pixels::{Cell, Sample, merged};
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, BITS, Computed, Exact};
use crate::exact::interval::Interval;
use crate::families::computation::{Elements, format_of, value};
use crate::families::picking::bounded;
use crate::families::readings::Readings;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// RoiAlign in ONNX's default domain.
pub static ROIALIGN: Operator = Operator {
    documents: &[Document {
        key: "onnx-roialign",
        catalogue: include_str!("roialign/onnx-roialign.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("roialign/cases.toml");
        case_table::cases(of, &ROIALIGN, &[table], Own::NONE)
    }),
    ..Operator::onnx("RoiAlign", OperatorKind::Composed, &VERSIONS, &RoiAlign)
};

const VERSIONS: [Version; 3] = [
    const { Aligned::new(IEEE_FLOATS) }.since(10, &ATTRIBUTES_10),
    const { Aligned::new(IEEE_FLOATS) }.since(16, &ATTRIBUTES),
    const { Aligned::new(FLOATS) }.since(22, &ATTRIBUTES),
];

/// The ports of a version that takes these types.
struct Aligned([Port; 3], [Port; 1]);

impl Aligned {
    const fn new(types: &'static [DType]) -> Self {
        let indices = Port::new("batch_indices", &[DType::Int64], "T2");
        let inputs = [Port::new("X", types, "T1"), Port::new("rois", types, "T1"), indices];
        Self(inputs, [Port::new("Y", types, "T1")])
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes }
    }
}

const fn text(name: &'static str, choices: &'static [&'static str]) -> Attribute {
    Attribute::new(name, AttributeType::Text(choices)).otherwise(Otherwise::Text(choices[0]))
}

const fn integer(name: &'static str, otherwise: i64) -> Attribute {
    Attribute::new(name, AttributeType::Int).otherwise(Otherwise::Int(otherwise))
}

const ATTRIBUTES_10: [Attribute; 5] = [
    text("mode", &["avg", "max"]),
    integer("output_height", 1),
    integer("output_width", 1),
    integer("sampling_ratio", 0),
    Attribute::new("spatial_scale", AttributeType::Float).otherwise(Otherwise::Float(ONE)),
];
const ATTRIBUTES: [Attribute; 6] = {
    let [mode, height, width, ratio, scale] = ATTRIBUTES_10;
    let shift = text("coordinate_transformation_mode", &["half_pixel", "output_half_pixel"]);
    [shift, mode, height, width, ratio, scale]
};

/// 1 as a float32.
const ONE: u32 = 0x3f80_0000;

/// Why nothing is decided.
type Reason = &'static str;

const BATCH: Reason = "the image has no such batch index, of which nothing is said";
const NO_PIXEL: Reason = "there is no pixel to sample";
const NEGATIVE: Reason = "what a negative `sampling_ratio` is, is not stated";
const TOO_MANY: Reason = "a bin has so many samples that nothing here adds them up";
const NO_NUMBER: Reason = "a pixel that is no number may have a weight or none";
const NAN: Reason = "which the largest is beside a NaN is not stated";

/// The most samples of one bin.
const MOST: usize = 1 << 10;

/// What a text can be read as that does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    pooling: Pooling,
    /// Whether a region is one pixel wide at the least.
    is_widened: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pooling {
    /// The mean of the samples.
    Mean,
    /// The largest sample.
    LargestSample,
    /// The largest product of a pixel and a weight.
    LargestProduct,
}

/// What is aligned, and how.
struct Plan<'a> {
    x: &'a Tensor,
    rois: &'a Tensor,
    batches: &'a Tensor,
    output: TensorType,
    format: &'static FloatFormat,
    /// The bits of the float32 that coordinates are multiplied by.
    scale: u32,
    ratio: i64,
    is_shifted: bool,
    is_largest: bool,
}

impl<'a> Plan<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let (x, rois, batches) = (call.input(0)?, call.input(1)?, call.input(2)?);
        let (&[_, channels, _, _], &[regions, 4]) = (x.shape(), rois.shape()) else {
            let (image, regions) = (x.shape(), rois.shape());
            return Err(call.invalid(&format!("takes no regions of {regions:?} for {image:?}")));
        };
        if *batches.shape() != [regions] {
            let indices = batches.shape();
            return Err(call.invalid(&format!("takes no batch indices of {indices:?}")));
        }
        let size = |name| {
            let size = call.int(name).unwrap_or(1);
            let size = usize::try_from(size);
            size.map_err(|_| call.invalid(&format!("takes no negative `{name}`")))
        };
        let shape = vec![regions, channels, size("output_height")?, size("output_width")?];
        let format = format_of(x.dtype());
        // In version 10 there is no shift.
        let shift = call.text("coordinate_transformation_mode");
        Ok(Self {
            x,
            rois,
            batches,
            output: bounded(call, x.dtype(), shape)?,
            format: format.ok_or_else(|| call.invalid("takes floats"))?,
            scale: call.float("spatial_scale").unwrap_or(ONE),
            ratio: call.int("sampling_ratio").unwrap_or(0),
            is_shifted: shift == Some("half_pixel"),
            is_largest: call.text("mode") == Some("max"),
        })
    }

    /// The readings that there are, that of the text's own words first.
    fn readings(&self) -> Vec<Reading> {
        let poolings = match self.is_largest {
            false => vec![Pooling::Mean],
            true => vec![Pooling::LargestSample, Pooling::LargestProduct],
        };
        let widenings = if self.has_narrow_region() { vec![true, false] } else { vec![false] };
        let of = |pooling: &Pooling| {
            let pooling = *pooling;
            widenings.iter().map(move |&is_widened| Reading { pooling, is_widened })
        };
        poolings.iter().flat_map(of).collect()
    }

    /// Whether a region may be widened to a pixel.
    fn has_narrow_region(&self) -> bool {
        let of = |region: usize| (0..2).any(|along| self.region(region, along).is_narrow());
        !self.is_shifted && (0..self.output.shape[0]).any(of)
    }

    /// The extent of a region along a dimension: 0 is the height, 1 the width.
    fn region(&self, region: usize, along: usize) -> Region {
        let first = region * 4 + 1 - along;
        Region::of(self.rois, [first, first + 2], self.scale, self.is_shifted, self.format)
    }

    /// The samples of a bin along each dimension.
    fn samples(
        &self,
        index: usize,
        is_widened: bool,
        bits: u32,
    ) -> Result<[Vec<Sample>; 2], Reason> {
        let at = coordinates(index, &self.output.shape);
        let samples = usize::try_from(self.ratio).map_err(|_| NEGATIVE)?;
        let axis = |along: usize| -> Result<(Axis, usize), Reason> {
            let region = self.region(at[0], along);
            let region = if is_widened { region.widened() } else { region };
            let axis = Axis::of(region, self.output.shape[2 + along], samples, self.format)?;
            Ok((axis, self.x.shape()[2 + along]))
        };
        let axes = [axis(0)?, axis(1)?];
        if axes[0].0.samples.saturating_mul(axes[1].0.samples) > MOST {
            return Err(TOO_MANY);
        }
        let a = Arithmetic::of(self.format, bits);
        let samples = |along: usize| -> Result<Vec<Sample>, Reason> {
            let (axis, size) = &axes[along];
            let all = axis.locations(at[2 + along])?;
            all.into_iter().map(|location| Sample::of(&location, *size, &a)).collect()
        };
        Ok([samples(0)?, samples(1)?])
    }

    /// The place of the first pixel of the batch and channel of an index.
    fn first(&self, index: usize) -> Result<usize, Reason> {
        let at = coordinates(index, &self.output.shape);
        let &[batches, channels, height, width] = self.x.shape() else { return Err(BATCH) };
        if height == 0 || width == 0 {
            return Err(NO_PIXEL);
        }
        let batch = self.batches.element(at[0]).map(|bits| bits as u64);
        let batch = batch.and_then(|batch| usize::try_from(batch).ok());
        let batch = batch.filter(|batch| *batch < batches).ok_or(BATCH)?;
        Ok((batch * channels + at[1]) * height * width)
    }

    /// The element at an index, by a reading.
    fn element(&self, index: usize, reading: Reading, bits: u32) -> Computed {
        let all = self
            .first(index)
            .and_then(|first| Ok((first, self.samples(index, reading.is_widened, bits)?)));
        let bin = match all {
            Ok((first, [rows, columns])) => {
                let a = Arithmetic::of(self.format, bits);
                Bin { x: self.x, width: self.x.shape()[3], first, rows, columns, a }
            }
            Err(why) => return Computed::open(Exact::Undefined, why),
        };
        let element = match reading.pooling {
            Pooling::Mean => bin.mean(),
            Pooling::LargestSample => bin.largest(Bin::interpolated),
            Pooling::LargestProduct => bin.largest(Bin::largest_product),
        };
        element.unwrap_or_else(|why| Computed::open(Exact::Undefined, why))
    }

    /// The pixels that an index is computed of, each with a coordinate of its region and its batch index.
    fn operands(&self, index: usize) -> Vec<Element> {
        let at = coordinates(index, &self.output.shape)[0];
        let (Ok(first), Ok(samples)) = (self.first(index), self.samples(index, false, BITS)) else {
            return Vec::new();
        };
        let width = self.x.shape()[3];
        let [rows, columns] = samples.map(|samples| {
            let cells = samples.into_iter().flat_map(Sample::into_cells);
            let mut pixels: Vec<usize> = cells.flat_map(|cell| cell.pixels).collect();
            pixels.sort_unstable();
            pixels.dedup();
            pixels
        });
        let places = rows.iter().flat_map(|row| columns.iter().map(move |own| row * width + own));
        let of = |(number, place): (usize, usize)| {
            [
                Element::of(self.x, first + place),
                Element::of(self.rois, at * 4 + number % 4),
                Element::of(self.batches, at),
            ]
        };
        places.enumerate().flat_map(of).flatten().collect()
    }
}

/// A bin with its samples along each dimension, in one channel of an image.
struct Bin<'a> {
    x: &'a Tensor,
    width: usize,
    /// The place of the channel's first pixel.
    first: usize,
    rows: Vec<Sample>,
    columns: Vec<Sample>,
    a: Arithmetic,
}

/// Products of weights and pixels.
#[derive(Default)]
struct Terms {
    all: Vec<Computed>,
    /// Whether a pixel without weight is no number, whose product is NaN where it is computed.
    may_be_nan: bool,
}

impl Bin<'_> {
    fn pixel(&self, row: usize, column: usize) -> Computed {
        value(self.x, self.first + row * self.width + column, self.a.bits())
    }

    /// Adds the products of pixels whose weights along each dimension these are.
    fn add(
        &self,
        terms: &mut Terms,
        rows: &[(usize, Computed)],
        columns: &[(usize, Computed)],
    ) -> Result<(), Reason> {
        for (row, by) in rows {
            for (column, weight) in columns {
                let weight = self.a.mul(by, weight);
                let pixel = self.pixel(*row, *column);
                let is_number = pixel.is_finite();
                let numbers = weight.numbers.as_ref();
                if numbers.is_some_and(Interval::is_zero) {
                    terms.may_be_nan |= !is_number;
                } else if !is_number && numbers.is_none_or(Interval::has_zero) {
                    return Err(NO_NUMBER);
                } else {
                    terms.all.push(self.a.mul(&weight, &pixel));
                }
            }
        }
        Ok(())
    }

    /// The sum of products over their count, or with each of them divided by it first, along one dimension after the other or at once.
    fn mean_of(&self, terms: &Terms, count: usize) -> Computed {
        let a = &self.a;
        let count = a.integer(i64::try_from(count).unwrap_or(i64::MAX));
        let count = a.divisor(a.converted(&count));
        let mut mean = a.quotient(&a.sum(&terms.all), &count);
        let magnitudes =
            terms.all.iter().filter_map(|term| term.numbers.as_ref()).map(|it| it.abs().upper());
        let size = magnitudes.reduce(|sum, own| sum + own);
        let size = size.and_then(|size| size.divided_by(count.value().numbers.as_ref()?));
        let margin = size
            .zip(a.gamma(ROUNDINGS))
            .map(|(size, gamma)| size.upper() * &gamma + a.half_smallest().scaled(8));
        if let (Some(numbers), Some(margin)) = (&mut mean.numbers, margin)
            && !numbers.is_point()
        {
            *numbers = numbers.widened(&margin);
        }
        if mean.numbers.as_ref().is_some_and(Interval::has_zero) {
            mean.signs = [true; 2];
        }
        if terms.may_be_nan { mean.or(&Computed::nan()) } else { mean }
    }

    /// The mean of all samples.
    fn mean(&self) -> Result<Computed, Reason> {
        let [rows, columns] = [&self.rows, &self.columns].map(|samples| {
            let lines = samples.iter().map(|sample| merged(sample.cells(), &self.a));
            lines.collect::<Vec<_>>()
        });
        let mut terms = Terms::default();
        for row in &rows {
            for column in &columns {
                self.add(&mut terms, row, column)?;
            }
        }
        Ok(self.mean_of(&terms, rows.len() * columns.len()))
    }

    /// The sample between these pixels.
    fn interpolated(&self, row: &Cell, column: &Cell) -> Result<Computed, Reason> {
        let mut terms = Terms::default();
        self.add(&mut terms, &row.weighted(), &column.weighted())?;
        Ok(self.mean_of(&terms, 1))
    }

    /// The largest product of these pixels.
    fn largest_product(&self, row: &Cell, column: &Cell) -> Result<Computed, Reason> {
        let mut products = Vec::with_capacity(4);
        for (own, by) in row.weighted() {
            for (at, weight) in column.weighted() {
                products.push(self.a.mul(&self.a.mul(&by, &weight), &self.pixel(own, at)));
            }
        }
        largest(&products, &self.a)
    }

    /// The largest of what samples are, which are 0 outside of the image.
    fn largest(
        &self,
        of: impl Fn(&Self, &Cell, &Cell) -> Result<Computed, Reason>,
    ) -> Result<Computed, Reason> {
        let mut all = Vec::with_capacity(self.rows.len() * self.columns.len());
        for row in &self.rows {
            for column in &self.columns {
                let mut sample: Option<Computed> = None;
                // The exact one is the first cell along each dimension.
                for own in row.cells() {
                    for other in column.cells() {
                        let value = of(self, own, other)?;
                        sample = Some(match sample {
                            Some(so_far) => so_far.or(&value),
                            None => value,
                        });
                    }
                }
                all.push(sample.unwrap_or_else(|| Computed::zero(self.a.bits())));
            }
        }
        largest(&all, &self.a)
    }
}

/// Roundings of each product by which a mean may differ from the sum that is divided at last.
const ROUNDINGS: u32 = 3;

/// The largest of values that may be any of their numbers, if none is a NaN.
fn largest(all: &[Computed], a: &Arithmetic) -> Result<Computed, Reason> {
    if let Some(why) = all.iter().find_map(|one| one.open) {
        return Err(why);
    }
    if all.iter().any(|one| one.nan) {
        return Err(NAN);
    }
    let is_infinite = |one: &Computed| one.numbers.is_none() && one.infinities == [true, false];
    if all.iter().any(is_infinite) {
        return Ok(Computed::infinite(false));
    }
    let greatest = |numbers: &mut dyn Iterator<Item = Interval>| numbers.reduce(larger);
    let of_numbers = || all.iter().filter(|one| one.numbers.is_some());
    let ends = |one: &Computed| one.numbers.as_ref().map(|it| [it.lower(), it.upper()]);
    let upper = greatest(&mut of_numbers().filter_map(ends).map(|[_, upper]| upper));
    // One that may be -infinity is no bound.
    let bounds = of_numbers().filter(|one| !one.infinities[1]);
    let lower = greatest(&mut bounds.filter_map(ends).map(|[lower, _]| lower));
    let least = || of_numbers().filter_map(ends).map(|[lower, _]| lower).reduce(smaller);
    let Some(upper) = upper else { return Ok(Computed::infinite(true)) };
    let lower = lower.or_else(least).unwrap_or_else(|| upper.clone());
    let exact = |one: &Computed| one.exact_number().map(|it| [it.lower(), it.upper()]);
    let exact =
        [0, 1].map(|end| greatest(&mut all.iter().filter_map(exact).map(|ends| ends[end].clone())));
    let [Some(least), Some(most)] = exact else { return Err(NO_NUMBER) };
    Ok(Computed {
        exact: Exact::Number(least.hull(&most)),
        numbers: Some(lower.hull(&upper)),
        infinities: [
            all.iter().any(|one| one.infinities[0]),
            all.iter().all(|one| one.infinities[1]),
        ],
        signs: [true; 2],
        ..Computed::zero(a.bits())
    })
}

/// The larger of two single numbers.
fn larger(one: Interval, other: Interval) -> Interval {
    if one.compare(&other).is_some_and(std::cmp::Ordering::is_lt) { other } else { one }
}

/// The smaller of two single numbers.
fn smaller(one: Interval, other: Interval) -> Interval {
    if one.compare(&other).is_some_and(std::cmp::Ordering::is_gt) { other } else { one }
}

struct RoiAlign;

impl Reference for RoiAlign {
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 1
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![Plan::of(call)?.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call) else { return Vec::new() };
        let plan = Rc::new(plan);
        let elements = |reading: Reading| {
            let (own, of) = (Rc::clone(&plan), Rc::clone(&plan));
            let compute = move |index, bits| own.element(index, reading, bits);
            Elements::new(plan.format, compute, move |index| of.operands(index))
        };
        vec![Box::new(Readings(plan.readings().into_iter().map(elements).collect()))]
    }
}

#[cfg(test)]
mod tests;
