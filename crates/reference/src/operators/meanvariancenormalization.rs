//! MeanVarianceNormalization: elements by the mean and the variance of those along some dimensions.
//!
//! The text's formula divides by the square root of the variance; the schemas' function adds 1e-9 to the root, and has the variance as the
//! mean of the squares less the square of the mean: either conforms, and where the latter cancels out nothing is decided.
//! Sources: ONNX's schemas and functions of MeanVarianceNormalization-9 and 13.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::composed::{Arithmetic, Computed, Divisor};
use crate::families::along::Along;
use crate::families::computation::{Elements, attribute, format_of, value};
use crate::families::lines::PerLine;
use crate::families::normalizing::Statistics;
use crate::families::reshaping::dimension;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Ports, Reference, TensorType, Version,
};

/// MeanVarianceNormalization in ONNX's default domain.
pub static MEANVARIANCENORMALIZATION: Operator = Operator {
    documents: &[Document {
        key: "onnx-meanvariancenormalization",
        catalogue: include_str!("meanvariancenormalization/onnx-meanvariancenormalization.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("meanvariancenormalization/cases.toml")];
        case_table::cases(of, &MEANVARIANCENORMALIZATION, &tables, Own::NONE)
    }),
    ..Operator::onnx("MeanVarianceNormalization", OperatorKind::Composed, &VERSIONS, &MeanVariance)
};

const TYPES: [DType; 4] = [Float16, Float32, Float64, Bfloat16];
const AXES: [Attribute; 1] =
    [Attribute::new("axes", AttributeType::Ints).otherwise(Otherwise::Ints(&[0, 2, 3]))];
const VERSIONS: [Version; 2] = [
    const { Ports::new(["X"], "Y", TYPES.split_at(3).0) }.since(9, &AXES),
    const { Ports::new(["X"], "Y", &TYPES) }.since(13, &AXES),
];

/// 10^-9, rounded to float32.
const EPSILON: u32 = 0x3089_705f;

struct MeanVariance;

/// The dimensions that are gone along.
fn along(call: &Call) -> Result<Along, Invalid> {
    let shape = call.input(0)?.shape();
    let axes = call.ints("axes").unwrap_or_default();
    let mut is_along = vec![axes.is_empty(); shape.len()];
    for axis in axes {
        is_along[dimension(call, 13, *axis, shape.len())?] = true;
    }
    Ok(Along::new(shape, &is_along))
}

/// What is made of the elements of a group.
struct Group {
    mean: Computed,
    /// The root of the variance, and the same with what the function adds.
    deviations: [Divisor; 2],
}

impl Group {
    fn of(format: &'static FloatFormat, x: &Tensor, places: &[usize], bits: u32) -> Self {
        let arithmetic = Arithmetic::of(format, bits);
        let elements: Vec<Computed> = places.iter().map(|place| value(x, *place, bits)).collect();
        let statistics = Statistics::of(&arithmetic, &elements);
        let statistics = statistics.or_by_squares(&arithmetic, &elements);
        let root = arithmetic.sqrt(&statistics.variance.without_overflow());
        let epsilon = arithmetic.converted(&attribute(EPSILON, bits));
        let sum = arithmetic.add(&root, &epsilon);
        Self {
            mean: statistics.mean,
            deviations: [root, sum].map(|value| arithmetic.divisor(value)),
        }
    }

    fn normal(&self, arithmetic: &Arithmetic, x: &Computed) -> Computed {
        let distance = arithmetic.sub(x, &self.mean);
        let [first, second] =
            [0, 1].map(|at: usize| arithmetic.quotient(&distance, &self.deviations[at]));
        first.or(&second)
    }
}

impl Reference for MeanVariance {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        along(call)?;
        Ok(vec![TensorType::of(call.input(0)?)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(along), Ok(x)) = (along(call), call.input(0)) else { return Vec::new() };
        let Some(format) = format_of(x.dtype()) else { return Vec::new() };
        // The places of the elements of each group, and the group of each element.
        let count = if x.elements() == 0 { 0 } else { along.outputs() };
        let groups: Vec<Vec<usize>> =
            (0..count).map(|group| along.places(group).collect()).collect();
        let mut group_of = vec![0; x.elements()];
        for (group, places) in groups.iter().enumerate() {
            places.iter().for_each(|place| group_of[*place] = group);
        }
        let groups = std::rc::Rc::new(groups);
        let (of_groups, group_at) = (std::rc::Rc::clone(&groups), group_of.clone());
        let known = PerLine::new(count, move |group: usize, bits: u32| {
            Group::of(format, x, &of_groups[group], bits)
        });
        let compute = move |index: usize, bits: u32| {
            let group = known.of(group_at[index], bits);
            group.normal(&Arithmetic::of(format, bits), &value(x, index, bits))
        };
        let operands = move |index: usize| {
            let places = [index].into_iter().chain(groups[group_of[index]].iter().copied());
            places.filter_map(|place| Element::of(x, place)).collect()
        };
        vec![Box::new(Elements::new(format, compute, operands))]
    }
}

#[cfg(test)]
mod tests;
