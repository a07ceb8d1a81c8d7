//! GridSample: elements of an image, or of a tensor of any number of spatial dimensions, at the locations that a grid gives.
//!
//! A coordinate of the grid is a location along a dimension of the image (`location`), which lies outside of it or not: what is there
//! the padding says. With the mode `nearest` the element there is moved; with the others the elements around are weighted (`families/sampling`), along
//! every dimension, and the products summed up in any order.
//!
//! The text has no formulas. Locations are enclosed as the grid's format or that of the image computes them, whichever is narrower, in the
//! orders that libraries have; so are weights. Where locations that may be computed have different nearest elements, either conforms. Of a location
//! halfway between two elements the even one is the nearest since version 20; before either conforms, and so it does where a location is
//! reflected, before or after which it may be rounded. Cubic weights have the coefficient -0.75 of ONNX's cases. With `border` a
//! location outside becomes one at the border, or its elements do. Without `align_corners` elements are reflected by
//! the edges of the image, whatever the text says of the index -1, which holds with it. Integers are truncated. No text says what is at
//! infinities and NaN, nor what means of truth values, strings and complex numbers are.
//! Sources: ONNX's schemas of GridSample-16, 20 and 22, and the library that they refer to.

mod location;

use std::rc::Rc;

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::{Tensor, coordinates};

use self::location::location;
use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, BITS, Computed, Exact};
use crate::exact::interval::Interval;
use crate::exact::number::Int;
use crate::exact::real::Enclosure;
use crate::exact::{Conforming, Deviation, Number, distance, distance_of};
use crate::families::along::flag;
use crate::families::computation::{Elements, format_of};
use crate::families::picked_or_open::Open;
use crate::families::picking::bounded;
use crate::families::reshaping::moved;
use crate::families::sampling::location::{Dimension, Padding, Reason};
use crate::families::sampling::weights::{Line, line, weighted};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::real::Real;
use crate::signature::{FLOATS, IEEE_FLOATS};

/// GridSample in ONNX's default domain.
pub static GRIDSAMPLE: Operator = Operator {
    documents: &[Document {
        key: "onnx-gridsample",
        catalogue: include_str!("gridsample/onnx-gridsample.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("gridsample/cases.toml");
        case_table::cases(of, &GRIDSAMPLE, &[table], Own::NONE)
    }),
    ..Operator::onnx("GridSample", OperatorKind::Composed, &VERSIONS, &GridSample)
};

const VERSIONS: [Version; 3] = [
    const { Sampled::new(15, IEEE_FLOATS) }.since(16, &ATTRIBUTES_16),
    const { Sampled::new(15, IEEE_FLOATS) }.since(20, &ATTRIBUTES),
    const { Sampled::new(16, FLOATS) }.since(22, &ATTRIBUTES),
];

/// The ports of a version that takes the first so many types, and grids of others.
struct Sampled([Port; 2], [Port; 1]);

impl Sampled {
    const fn new(types: usize, grids: &'static [DType]) -> Self {
        let inputs = [Port::new("X", moved(types), "T1"), Port::new("grid", grids, "T2")];
        Self(inputs, [Port::new("Y", moved(types), "T1")])
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.0, outputs: &self.1, attributes }
    }
}

const fn attributes(modes: &'static [&'static str]) -> [Attribute; 3] {
    const fn text(name: &'static str, choices: &'static [&'static str]) -> Attribute {
        Attribute::new(name, AttributeType::Text(choices)).otherwise(Otherwise::Text(choices[0]))
    }
    [
        Attribute::new("align_corners", AttributeType::Int).otherwise(Otherwise::Int(0)),
        text("padding_mode", &["zeros", "border", "reflection"]),
        text("mode", modes),
    ]
}

const ATTRIBUTES_16: [Attribute; 3] = attributes(&["bilinear", "nearest", "bicubic"]);
const ATTRIBUTES: [Attribute; 3] = attributes(&["linear", "nearest", "cubic"]);

/// The most elements that are weighted for one of the output.
const MOST: usize = 1 << 12;

const NO_MEAN: Reason = "no text says what a mean of such elements is";
const NO_ZERO: Reason = "no text says what a zero among strings is";
const NO_PIXEL: Reason = "there is no element to sample";
const TOO_MANY: Reason = "so many elements have a weight that nothing here adds them up";
const BEYOND: Reason = "it is not stated what a mean is that the type does not hold";

/// What is sampled, and how.
struct Plan<'a> {
    x: &'a Tensor,
    grid: &'a Tensor,
    output: TensorType,
    padding: Padding,
    is_by_corners: bool,
    is_cubic: bool,
    is_nearest: bool,
    is_even_nearest: bool,
}

impl<'a> Plan<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let (x, grid) = (call.input(0)?, call.input(1)?);
        let is_by_corners = flag(call, "align_corners")?;
        let (sizes, places) = (x.shape(), grid.shape());
        let is_2d = call.version.since < 20;
        let rank = sizes.len();
        let fits = rank >= 3 && places.len() == rank && (!is_2d || rank == 4);
        if !fits || sizes[0] != places[0] || places[rank - 1] != rank - 2 {
            return Err(call.invalid(&format!("takes no grid of {places:?} for {sizes:?}")));
        }
        let shape = [&sizes[..2], &places[1..rank - 1]].concat();
        let padding = match call.text("padding_mode") {
            Some("border") => Padding::Border,
            Some("reflection") => Padding::Reflection,
            _ => Padding::Zeros,
        };
        Ok(Self {
            x,
            grid,
            output: bounded(call, x.dtype(), shape)?,
            padding,
            is_by_corners,
            is_cubic: matches!(call.text("mode"), Some("cubic" | "bicubic")),
            is_nearest: call.text("mode") == Some("nearest"),
            is_even_nearest: !is_2d,
        })
    }

    /// The format that locations and weights are computed in at least.
    fn format(&self) -> &'static FloatFormat {
        let grid = format_of(self.grid.dtype()).unwrap_or(&FloatFormat::FLOAT32);
        match format_of(self.x.dtype()) {
            Some(own) if own.precision() < grid.precision() => own,
            _ => grid,
        }
    }

    /// The place in the grid of the coordinate along a spatial dimension for an index: that along the last one comes first.
    fn coordinate(&self, index: usize, along: usize) -> usize {
        let at = coordinates(index, &self.output.shape);
        let rank = self.grid.shape().len();
        let own = [&at[..1], &at[2..], &[rank - 3 - along]].concat();
        own.iter().zip(self.grid.shape()).fold(0, |place, (at, size)| place * size + at)
    }

    /// The spatial dimensions for an index, each with its location.
    fn dimensions(&self, index: usize) -> Result<Vec<Dimension>, Reason> {
        let sizes = &self.x.shape()[2..];
        if sizes.contains(&0) {
            return match self.padding {
                Padding::Zeros => Ok(Vec::new()),
                _ => Err(NO_PIXEL),
            };
        }
        let of = |(along, size): (usize, &usize)| {
            let place = self.coordinate(index, along);
            let (by, kind) = (self.format(), (self.padding, self.is_by_corners));
            let location = location(self.grid, place, *size, by, self.is_by_corners)?;
            Dimension::at(&location, *size, by, kind)
        };
        sizes.iter().enumerate().map(of).collect()
    }

    /// The place of the first element of the batch and channel of an index.
    fn first(&self, index: usize) -> usize {
        let at = coordinates(index, &self.output.shape);
        let pixels: usize = self.x.shape()[2..].iter().product();
        (at[0] * self.x.shape()[1] + at[1]) * pixels
    }

    /// The elements that may be the nearest at an index, by their places: none is outside. The first is that of the exact location.
    fn nearest(&self, index: usize) -> Result<Vec<Option<usize>>, Reason> {
        let mut all = vec![Some(0)];
        let dimensions = self.dimensions(index)?;
        if dimensions.is_empty() {
            return Ok(vec![None]);
        }
        for dimension in dimensions {
            let own = dimension.nearest(self.is_even_nearest)?;
            let further = |outer: &Option<usize>| -> Vec<Option<usize>> {
                let place = |own: &Option<usize>| {
                    outer.zip(*own).map(|(outer, own)| outer * dimension.size + own)
                };
                own.iter().map(place).collect()
            };
            all = all.iter().flat_map(further).collect();
            if all.len() > MOST {
                return Err(TOO_MANY);
            }
        }
        let first = self.first(index);
        Ok(all.into_iter().map(|place| place.map(|place| first + place)).collect())
    }

    /// The elements that have a weight at an index, by their places, with the products of their weights.
    fn weights(
        &self,
        index: usize,
        dimensions: &[Dimension],
        bits: u32,
        keeps_outside: bool,
    ) -> Result<Vec<(usize, Computed)>, Reason> {
        let a = Arithmetic::of(self.format(), bits);
        let mut all = vec![(0, a.integer(1))];
        if dimensions.is_empty() {
            return Ok(Vec::new());
        }
        for dimension in dimensions {
            let own: Line = line(dimension, self.is_cubic, keeps_outside, &a)?;
            let mut further = Vec::with_capacity(all.len() * own.len());
            for (outer, weight) in &all {
                for (pixel, by) in &own {
                    further.push((outer * dimension.size + pixel, a.mul(weight, by)));
                }
            }
            all = further;
            if all.len() > MOST {
                return Err(TOO_MANY);
            }
        }
        let first = self.first(index);
        Ok(all.into_iter().map(|(place, weight)| (first + place, weight)).collect())
    }

    /// The weighted mean at an index. With `border` a location outside is put to the border, or the elements around it are.
    fn mean(&self, index: usize, bits: u32) -> Computed {
        let mean = self.mean_by(index, bits, false);
        match self.padding == Padding::Border {
            true => mean.or(&self.mean_by(index, bits, true)),
            false => mean,
        }
    }

    /// How many roundings a factor of an element has at the most, besides those of its own weights: along each dimension a weight, a
    /// product and sums of two, or a product and sums of four. Of four weights of the very same element the errors are absolute:
    /// 7 u and 8 u of those next to the location, 60 u of each of the others, as `weights` computes them.
    fn roundings(&self, dimensions: &[Dimension]) -> u32 {
        let of = |dimension: &Dimension| match self.is_cubic {
            false => 3,
            true if dimension.may_be_at_border() => 150,
            true => 4,
        };
        dimensions.iter().map(of).sum()
    }

    fn mean_by(&self, index: usize, bits: u32, keeps_outside: bool) -> Computed {
        let open = |reason| Computed::open(Exact::Undefined, reason);
        let Some(number) = Number::of(self.x.dtype()) else { return open(NO_MEAN) };
        let dimensions = match self.dimensions(index) {
            Ok(dimensions) => dimensions,
            Err(reason) => return open(reason),
        };
        let weights = match self.weights(index, &dimensions, bits, keeps_outside) {
            Ok(weights) => weights,
            Err(reason) => return open(reason),
        };
        let by = match number {
            Number::Float(format) => Arithmetic::of(format, bits),
            Number::Int(_) => Arithmetic::of(&FloatFormat::FLOAT32, bits),
        };
        let mut terms = Vec::with_capacity(weights.len());
        for (place, weight) in weights {
            let Some(pattern) = self.x.element(place) else { return open(NO_MEAN) };
            let element = match number {
                Number::Float(format) => by.element(format, pattern as u64),
                Number::Int(int) => {
                    let value = Interval::new(int.value(pattern as u64), 0, bits);
                    by.converted(&Computed::number(value))
                }
            };
            terms.extend(weighted(&by, &weight, &element));
        }
        let mut mean = by.sum(&terms);
        let Some(gamma) = by.gamma(self.roundings(&dimensions)) else { return open(TOO_MANY) };
        // Along one dimension after the other, or where all elements are those at the border. What is exact as a sum of all is
        // so along each dimension.
        let sizes =
            terms.iter().filter_map(|term| term.numbers.as_ref()).map(|it| it.abs().upper());
        let size = sizes.reduce(|sum, own| sum + own);
        let margin = size.map(|size| size * &gamma + by.half_smallest().scaled(8));
        if let (Some(numbers), Some(margin)) = (&mut mean.numbers, margin)
            && (!numbers.is_point() || dimensions.iter().any(Dimension::may_be_at_border))
        {
            *numbers = numbers.widened(&margin);
        }
        // A zero has the sign of the elements, or that of a sum with what has no weight.
        if mean.numbers.as_ref().is_some_and(Interval::has_zero) {
            mean.signs = [true; 2];
        }
        mean
    }

    /// The elements that an index is computed of, each with a coordinate of its location.
    fn operands(&self, index: usize) -> Vec<Element> {
        let places: Vec<usize> = match self.is_nearest {
            true => self.nearest(index).unwrap_or_default().into_iter().flatten().collect(),
            false => {
                let dimensions = self.dimensions(index);
                let weights = dimensions.and_then(|it| self.weights(index, &it, BITS, false));
                weights.unwrap_or_default().into_iter().map(|(place, _)| place).collect()
            }
        };
        let count = self.x.shape().len() - 2;
        let pair = |(number, place): (usize, usize)| {
            let coordinate = self.coordinate(index, number % count);
            [Element::of(self.x, place), Element::of(self.grid, coordinate)]
        };
        places.into_iter().enumerate().flat_map(pair).flatten().collect()
    }
}

/// What is allowed of elements that are moved.
struct Nearest<'a>(Plan<'a>);

impl Nearest<'_> {
    fn element(&self, place: Option<usize>) -> Option<Element> {
        let dtype = self.0.x.dtype();
        match place {
            Some(place) => Element::of(self.0.x, place),
            None => (dtype != DType::String).then_some(Element::Bits(dtype, 0)),
        }
    }

    fn first(&self, index: usize) -> Option<Element> {
        self.element(*self.0.nearest(index).ok()?.first()?)
    }
}

impl Allowed for Nearest<'_> {
    fn at(&self, index: usize) -> Conforming {
        let all = match self.0.nearest(index) {
            Ok(all) => all,
            Err(reason) => return Conforming::Unspecified(reason),
        };
        let of = |place: Option<usize>| {
            self.element(place).map_or(Conforming::Unspecified(NO_ZERO), Conforming::Same)
        };
        Conforming::one_of(all.into_iter().map(of)).unwrap_or(Conforming::Unspecified(NO_PIXEL))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.first(index).as_ref().and_then(Real::of)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        distance_of(self.first(index).as_ref(), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0.operands(index)
    }
}

/// What is allowed of means that become integers.
struct Truncated<'a>(Plan<'a>, Int);

impl Allowed for Truncated<'_> {
    fn at(&self, index: usize) -> Conforming {
        let mean = self.0.mean(index, BITS);
        truncated(&mean, self.1).unwrap_or_else(Conforming::Unspecified)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(self.0.x.dtype(), self.at(index).number()?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        let conforming = self.at(index);
        let Some(example) = conforming.number() else { return Deviation::NoRealResult };
        distance(self.0.x.dtype(), example, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0.operands(index)
    }
}

/// The most integers of which each may be the mean.
const MOST_INTEGERS: usize = 16;

/// The integers that a mean may be truncated to, that of the exact one first.
fn truncated(mean: &Computed, int: Int) -> Result<Conforming, Reason> {
    if let Some(why) = mean.open {
        return Err(why);
    }
    let Enclosure { lower, upper } = mean.numbers.as_ref().ok_or(NO_MEAN)?.enclosure();
    let exact = mean.exact_number().ok_or(NO_MEAN)?.enclosure().lower;
    let [Ok(least), Ok(most), Ok(exact)] =
        [lower, upper, exact].map(|end| i128::try_from(end.trunc().to_integer()))
    else {
        return Err(BEYOND);
    };
    if !int.holds(least) || !int.holds(most) {
        return Err(BEYOND);
    }
    let all =
        std::iter::once(exact.clamp(least, most)).chain((least..=most).take(MOST_INTEGERS + 1));
    let all: Vec<_> = all.map(|number| Conforming::One(int.wrap(number))).collect();
    if all.len() > MOST_INTEGERS {
        return Err(TOO_MANY);
    }
    Conforming::one_of(all).ok_or(BEYOND)
}

struct GridSample;

impl Reference for GridSample {
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 1
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        Ok(vec![Plan::of(call)?.output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(plan) = Plan::of(call) else { return Vec::new() };
        if plan.is_nearest {
            return vec![Box::new(Nearest(plan))];
        }
        match Number::of(plan.x.dtype()) {
            Some(Number::Int(int)) => vec![Box::new(Truncated(plan, int))],
            Some(Number::Float(format)) => {
                let plan = Rc::new(plan);
                let own = Rc::clone(&plan);
                let compute = move |index, bits| own.mean(index, bits);
                let operands = move |index| plan.operands(index);
                vec![Box::new(Elements::new(format, compute, operands))]
            }
            None => vec![Box::new(Open(NO_MEAN))],
        }
    }
}

#[cfg(test)]
mod tests;
