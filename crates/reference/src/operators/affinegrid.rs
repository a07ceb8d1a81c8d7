//! AffineGrid: affine matrices times the positions of a grid, (x, y, 1) or (x, y, z, 1).
//!
//! Along a dimension of n pixels the i-th position is (2 i + 1 - n) / n, or with `align_corners` (2 i + 1 - n) / (n - 1). It may be
//! computed so, as a quotient less 1, as ONNX's function does by a first position and steps, or from the corners' positions as the
//! library does that the text refers to: all of these conform. A dimension of a single pixel has no two corners: the function has NaN or -1
//! there, the library 0, and the text nothing, so that it is open. ONNX's inference of shapes refuses fewer calls. Source: ONNX's schema and
//! function of AffineGrid-20.

use values::dtype::DType;
use values::tensor::{Tensor, coordinates};

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Exact};
use crate::families::along::flag;
use crate::families::computation::{Elements, format_of, value};
use crate::families::picking::{bounded, sizes};
use crate::families::summing::elements_at;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::signature::FLOATS;

/// AffineGrid in ONNX's default domain.
pub static AFFINEGRID: Operator = Operator {
    documents: &[Document {
        key: "onnx-affinegrid",
        catalogue: include_str!("affinegrid/onnx-affinegrid.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("affinegrid/cases.toml");
        case_table::cases(of, &AFFINEGRID, &[table], Own::NONE)
    }),
    ..Operator::onnx("AffineGrid", OperatorKind::Composed, &VERSIONS, &AffineGrid)
};

const VERSIONS: [Version; 1] = [Version {
    since: 20,
    inputs: &[Port::new("theta", FLOATS, "T1"), Port::new("size", &[DType::Int64], "T2")],
    outputs: &[Port::new("grid", FLOATS, "T1")],
    attributes: &[Attribute::new("align_corners", AttributeType::Int).otherwise(Otherwise::Int(0))],
}];

const SINGLE: &str = "a dimension of one pixel has no two corners";

/// The shape of the grid: batches, the spatial dimensions, and coordinates.
fn shape(call: &Call) -> Result<Vec<usize>, Invalid> {
    let size = call.integers(1)?.unwrap_or_default();
    let count = size.len().saturating_sub(2);
    let size = sizes(call, "size", &size)?;
    let theta = call.input(0)?.shape();
    match (count, &size[..]) {
        (2 | 3, [batches, _, spatial @ ..]) if *theta == [*batches, count, count + 1] => {
            Ok([&[*batches], spatial, &[count]].concat())
        }
        _ => Err(call.invalid(&format!("takes no matrices of {theta:?} for a size of {size:?}"))),
    }
}

/// The position of a pixel along a dimension of so many.
fn position(a: &Arithmetic, pixel: usize, pixels: usize, is_by_corners: bool) -> Computed {
    let integer = |number: i128| a.integer(i64::try_from(number).unwrap_or(i64::MAX));
    let (at, count) = (pixel as i128, pixels as i128);
    let held = |number: i128| a.converted(&integer(number));
    let [one, two] = [1, 2].map(integer);
    let minus_one = -one.clone();
    let parts = if is_by_corners { count - 1 } else { count };
    if parts == 0 {
        return Computed::open(Exact::Undefined, SINGLE);
    }
    let divisor = |parts: i128| a.divisor(held(parts));
    let at_once = a.quotient(&held(2 * at + 1 - count), &divisor(parts));
    let first = 2 * at + i128::from(!is_by_corners);
    let less_one = a.add(&a.quotient(&held(first), &divisor(parts)), &minus_one);
    // By a first position and steps.
    let step = a.quotient(&two, &divisor(parts));
    let half = if is_by_corners { integer(0) } else { a.div(&step, &two) };
    let start = a.add(&minus_one, &half);
    let by_steps = |step: &Computed, start: &Computed| a.add(start, &a.mul(&held(at), step));
    let all = at_once.or(&less_one).or(&by_steps(&step, &start));
    if is_by_corners || parts == 1 {
        return all;
    }
    // The positions between the corners, which are brought closer to each other.
    let step = a.quotient(&two, &divisor(count - 1));
    let wide = by_steps(&step, &minus_one);
    let closer = a.mul(&wide, &a.quotient(&held(count - 1), &divisor(count)));
    all.or(&closer).or(&a.quotient(&a.mul(&wide, &held(count - 1)), &divisor(count)))
}

struct AffineGrid;

/// The coordinate at an index of the grid of this shape.
fn coordinate(
    theta: &Tensor,
    shape: &[usize],
    index: usize,
    is_by_corners: bool,
    a: &Arithmetic,
) -> Computed {
    let at = coordinates(index, shape);
    let count = shape.len() - 2;
    // x is the position along the last spatial dimension.
    let mut terms: Vec<Computed> = (0..count)
        .rev()
        .map(|spatial| position(a, at[1 + spatial], shape[1 + spatial], is_by_corners))
        .collect();
    terms.push(a.integer(1));
    let factors = row(index, shape).map(|place| value(theta, place, a.bits()));
    let products: Vec<Computed> =
        factors.zip(&terms).map(|(factor, term)| a.mul(&factor, term)).collect();
    a.sum(&products)
}

/// The places of the row of a matrix that a coordinate at an index is computed with.
fn row(index: usize, shape: &[usize]) -> std::ops::Range<usize> {
    let count = shape.len() - 2;
    let pixels: usize = shape[1..=count].iter().product();
    let row = index / (pixels * count) * count + index % count;
    row * (count + 1)..(row + 1) * (count + 1)
}

impl Reference for AffineGrid {
    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 1
    }

    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        flag(call, "align_corners")?;
        Ok(vec![bounded(call, call.input(0)?.dtype(), shape(call)?)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(theta), Ok(shape)) = (call.input(0), shape(call)) else { return Vec::new() };
        let (Ok(is_by_corners), Some(format)) =
            (flag(call, "align_corners"), format_of(theta.dtype()))
        else {
            return Vec::new();
        };
        let of = shape.clone();
        let compute = move |index: usize, bits: u32| {
            coordinate(theta, &shape, index, is_by_corners, &Arithmetic::of(format, bits))
        };
        let operands = move |index: usize| elements_at(theta, row(index, &of));
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
