//! What ArgMax and ArgMin have in common: the place of the extreme along one dimension.
//!
//! Of places where it is found more than once, version 12 and later name the first or the last; before, any
//! conforms. The two zeros are one number. Of NaN ONNX says nothing: the place of any, or the place that
//! the numbers beside it give. SONNX's ArgMax has NaN come before every number. Sources: ONNX's schemas
//! of these operators' versions 1, 11, 12 and 13; SONNX's ArgMax.

use values::dtype::DType::Int64;

use super::along::{Along, Extremes, Places, any_place, flag, order_at, reduced};
use super::reshaping::dimension;
use crate::exact::Conforming;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Otherwise, Port, Reference, TensorType,
    Version,
};
use crate::signature::{NUMERIC, NUMERIC_SONNX};

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("arg_extremum/cases.toml");

/// Every version.
pub(crate) const VERSIONS: [Version; 4] = [
    Version { since: 1, inputs: &EARLY, outputs: &PLACES, attributes: ATTRIBUTES.split_at(2).0 },
    Version { since: 11, inputs: &EARLY, outputs: &PLACES, attributes: ATTRIBUTES.split_at(2).0 },
    Version { since: 12, inputs: &EARLY, outputs: &PLACES, attributes: &ATTRIBUTES },
    Version { since: 13, inputs: &ALL, outputs: &PLACES, attributes: &ATTRIBUTES },
];

const EARLY: [Port; 1] = [Port::new("data", NUMERIC_SONNX, "T")];
const ALL: [Port; 1] = [Port::new("data", &NUMERIC, "T")];
const PLACES: [Port; 1] = [Port::new("reduced", &[Int64], "tensor(int64)")];

const ATTRIBUTES: [Attribute; 3] = [
    Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(0)),
    Attribute::new("keepdims", AttributeType::Int).otherwise(Otherwise::Int(1)),
    Attribute::new("select_last_index", AttributeType::Int).otherwise(Otherwise::Int(0)),
];

/// The place of the largest element, or of the smallest.
pub(crate) struct ArgExtremum {
    pub(crate) is_largest: bool,
}

/// The dimension that a call asks about, and whether it is kept.
pub(crate) fn axis(call: &Call) -> Result<(usize, bool), Invalid> {
    let shape = call.input(0)?.shape();
    let axis = call.int("axis").unwrap_or(0);
    if call.specification.is_restricted() {
        call.restrict_types(NUMERIC_SONNX)?;
        let is_missing = |attribute: &&Attribute| !call.attributes.contains_key(attribute.name);
        if let Some(missing) = call.version.attributes.iter().find(is_missing) {
            return Err(call.invalid(&format!("of SONNX needs `{}`", missing.name)));
        }
        if axis < 0 {
            return Err(call.invalid(&format!("of SONNX takes no negative `axis` {axis}")));
        }
    }
    let place = dimension(call, 11, axis, shape.len())?;
    if call.version.since == 11 && shape.contains(&0) {
        return Err(call.invalid("takes no tensor without elements"));
    }
    if call.specification.is_restricted() && shape[place] == 0 {
        return Err(call.invalid("of SONNX takes no dimension of size 0"));
    }
    flag(call, "select_last_index")?;
    Ok((place, flag(call, "keepdims")?))
}

impl Reference for ArgExtremum {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let (axis, keeps) = axis(call)?;
        let shape = call.input(0)?.shape();
        let is_along: Vec<bool> = (0..shape.len()).map(|place| place == axis).collect();
        Ok(vec![TensorType::new(Int64, reduced(shape, &is_along, keeps))?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok((axis, _))) = (call.input(0), axis(call)) else { return Vec::new() };
        let is_along: Vec<bool> = (0..data.shape().len()).map(|place| place == axis).collect();
        let along = Along::new(data.shape(), &is_along);
        let places = Along::new(data.shape(), &is_along);
        let is_largest = self.is_largest;
        vec![Box::new(Places {
            dtype: Int64,
            tensor: data,
            conforming: move |index| {
                let orders = along.places(index).map(|place| order_at(data, place));
                chosen(call, Extremes::of(orders.enumerate(), is_largest))
            },
            operands: move |index| places.places(index).collect(),
        })]
    }
}

/// Which places conform.
fn chosen(call: &Call, Extremes { nans, numbers }: Extremes) -> Conforming {
    if nans.is_empty() && numbers.is_empty() {
        return Conforming::Unspecified("no element is the extreme of none");
    }
    let is_last = call.int("select_last_index");
    let one = |places: &[usize]| match is_last {
        Some(0) => places.first().copied(),
        Some(_) => places.last().copied(),
        None => None,
    };
    if call.specification.is_restricted() {
        return any_place(one(&nans).or(one(&numbers)));
    }
    match one(&numbers) {
        Some(number) => any_place(nans.into_iter().chain([number])),
        None => any_place(nans.into_iter().chain(numbers)),
    }
}

#[cfg(test)]
mod tests;
