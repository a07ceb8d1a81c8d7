//! TopK: the so many largest or smallest elements along a dimension, and their places.
//!
//! They come in order, of equal ones the lower place first; the two zeros are equal. Since version 11 the order may be
//! left open: then any of the places whose elements the others do not exceed conforms everywhere, so that the same one
//! may come twice, and a value need not be the one of the place beside it. Where a NaN comes in
//! the order no text says, so that any element conforms where one is along the dimension. A negative axis counts from the end in every version,
//! as the default -1 does; and k is positive where it is an input, which the first version does not ask for.
//! Source: ONNX's schemas of TopK-1, 10, 11 and 24.

use std::collections::BTreeSet;
use std::rc::Rc;

use values::dtype::DType::{self, Int64};
use values::element::Element;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::exact::{Conforming, Deviation, distance_of};
use crate::families::along::{Along, Places, any_place, flag, order_at};
use crate::families::reshaping::dimension;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::real::Real;
use crate::signature::{IEEE_FLOATS, NUMERIC, NUMERIC_SONNX};

/// TopK in ONNX's default domain.
pub static TOPK: Operator = Operator {
    documents: &[Document { key: "onnx-topk", catalogue: include_str!("topk/onnx-topk.toml") }],
    cases: Some(|of| case_table::cases(of, &TOPK, &[include_str!("topk/cases.toml")], Own::NONE)),
    ..Operator::onnx("TopK", OperatorKind::Exact, &VERSIONS, &TopK)
};

const VERSIONS: [Version; 4] = [
    Version {
        since: 1,
        inputs: &[Port::new("X", IEEE_FLOATS, "T")],
        outputs: &outputs(IEEE_FLOATS),
        attributes: &[AXIS, Attribute::new("k", AttributeType::Int).otherwise(Otherwise::Invalid)],
    },
    Version {
        since: 10,
        inputs: &inputs(IEEE_FLOATS),
        outputs: &outputs(IEEE_FLOATS),
        attributes: &[AXIS],
    },
    Version {
        since: 11,
        inputs: &inputs(NUMERIC_SONNX),
        outputs: &outputs(NUMERIC_SONNX),
        attributes: &ATTRIBUTES,
    },
    Version {
        since: 24,
        inputs: &inputs(&NUMERIC),
        outputs: &outputs(&NUMERIC),
        attributes: &ATTRIBUTES,
    },
];

const fn inputs(types: &'static [DType]) -> [Port; 2] {
    [Port::new("X", types, "T"), Port::new("K", &[Int64], "tensor(int64)")]
}

const fn outputs(types: &'static [DType]) -> [Port; 2] {
    [Port::new("Values", types, "T"), Port::new("Indices", &[Int64], "I")]
}

const AXIS: Attribute = Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(-1));
const ATTRIBUTES: [Attribute; 3] = [
    AXIS,
    Attribute::new("largest", AttributeType::Int).otherwise(Otherwise::Int(1)),
    Attribute::new("sorted", AttributeType::Int).otherwise(Otherwise::Int(1)),
];

/// Places in any order that are judged one by one; where there are more, nothing is decided.
const MOST_IN_ANY_ORDER: usize = 1024;

const TOO_MANY: &str = "the order of so many elements is left open";
const NONE: &str = "there is no such element";

struct TopK;

/// What a call asks for.
#[derive(Clone, Copy)]
struct Asked {
    axis: usize,
    k: usize,
    is_largest: bool,
    is_sorted: bool,
}

impl Asked {
    fn of(call: &Call) -> Result<Self, Invalid> {
        let shape = call.input(0)?.shape();
        let axis = dimension(call, 1, call.int("axis").unwrap_or(-1), shape.len())?;
        let k = match call.version.since {
            ..10 => call.int("k").unwrap_or_default(),
            _ => match call.integers(1)?.as_deref() {
                Some(&[k]) if k > 0 => k,
                Some(&[k]) => return Err(call.invalid(&format!("takes no K of {k}"))),
                _ => return Err(call.invalid("takes one K")),
            },
        };
        let k = usize::try_from(k).ok().filter(|k| *k <= shape[axis]).ok_or_else(|| {
            call.invalid(&format!("cannot give {k} elements of {shape:?} along {axis}"))
        })?;
        // Before version 11 there is one direction, and the order is always there.
        let switch = |name| Ok(call.version.since < 11 || flag(call, name)?);
        Ok(Self { axis, k, is_largest: switch("largest")?, is_sorted: switch("sorted")? })
    }
}

impl Reference for TopK {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let asked = Asked::of(call)?;
        let data = call.input(0)?;
        let mut shape = data.shape().to_vec();
        shape[asked.axis] = asked.k;
        Ok(vec![TensorType::new(data.dtype(), shape.clone())?, TensorType::new(Int64, shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(data), Ok(asked)) = (call.input(0), Asked::of(call)) else { return Vec::new() };
        let ranked = Rc::new(Ranked::new(data, asked));
        let (places, operands) = (Rc::clone(&ranked), Rc::clone(&ranked));
        vec![
            Box::new(Values(ranked)),
            Box::new(Places {
                dtype: Int64,
                tensor: data,
                conforming: move |index| match places.at(index) {
                    Ok(all) => any_place(all.iter().map(|place| places.along_axis(*place))),
                    Err(open) => Conforming::Unspecified(open),
                },
                operands: move |index| operands.lane(index),
            }),
        ]
    }
}

/// The elements along the dimension, in their order.
struct Ranked<'a> {
    data: &'a Tensor,
    asked: Asked,
    along: Along,
    /// Number of elements of the data from one along the dimension to the next.
    stride: usize,
    /// Of each stretch along the dimension, what may come out of it.
    stretches: Vec<Stretch>,
}

/// The elements of a stretch that may come out: the first ones in their order, with those that are equal to the last of
/// them. Where a NaN is among the elements, whose place in the order no document states: all of them.
struct Stretch {
    /// Their places in the data, those of numbers in their order.
    places: Vec<usize>,
    /// Whether each has its place in the output.
    is_ordered: bool,
}

impl<'a> Ranked<'a> {
    fn new(data: &'a Tensor, asked: Asked) -> Self {
        let shape = data.shape();
        let is_along: Vec<bool> = (0..shape.len()).map(|at| at == asked.axis).collect();
        let along = Along::new(shape, &is_along);
        // Only a tensor without elements has sizes whose product is too large.
        let inner = shape.iter().skip(asked.axis + 1);
        let stride = inner.fold(1_usize, |stride, size| stride.saturating_mul(*size));
        let mut ranked = Self { data, asked, along, stride, stretches: Vec::new() };
        let size = shape.get(asked.axis).copied().unwrap_or_default();
        let stretches = data.elements().checked_div(size).unwrap_or_default();
        ranked.stretches = (0..stretches).map(|stretch| ranked.ranking(stretch)).collect();
        ranked
    }

    fn ranking(&self, stretch: usize) -> Stretch {
        let Asked { k, is_largest, is_sorted, .. } = self.asked;
        // NaN last.
        let order = |place| {
            let order = order_at(self.data, place);
            (order.map_or(i128::MAX, |order| if is_largest { -order } else { order }), place)
        };
        let mut all: Vec<_> = self.along.places(stretch).map(order).collect();
        all.sort_unstable();
        let has_nan = all.last().is_some_and(|(order, _)| *order == i128::MAX);
        if !has_nan {
            let last = k.checked_sub(1).and_then(|last| all.get(last)).map(|(order, _)| *order);
            let ends = |(order, _): &(i128, usize)| !is_sorted && Some(*order) == last;
            let equal = all.iter().skip(k).take_while(|it| ends(it)).count();
            all.truncate(k + equal);
        }
        let places = all.into_iter().map(|(_, place)| place).collect();
        Stretch { places, is_ordered: is_sorted && !has_nan }
    }

    /// The stretch of an element of the output, and which of its elements it is.
    fn split(&self, index: usize) -> (usize, usize) {
        let (k, stride) = (self.asked.k.max(1), self.stride.max(1));
        (index / stride / k * stride + index % stride, index / stride % k)
    }

    /// The places in the data that an element of the output may come from, the first in order first; or why
    /// that is open.
    fn at(&self, index: usize) -> Result<Vec<usize>, &'static str> {
        let (stretch, rank) = self.split(index);
        let Stretch { places, is_ordered } = self.stretches.get(stretch).ok_or(NONE)?;
        let own = *places.get(rank).ok_or(NONE)?;
        if *is_ordered {
            return Ok(vec![own]);
        }
        if places.len() > MOST_IN_ANY_ORDER {
            return Err(TOO_MANY);
        }
        let others = places.iter().copied().filter(|place| *place != own);
        Ok(std::iter::once(own).chain(others).collect())
    }

    /// The index along the dimension of a place in the data.
    fn along_axis(&self, place: usize) -> usize {
        let size = self.data.shape().get(self.asked.axis).copied().unwrap_or_default();
        place / self.stride.max(1) % size.max(1)
    }

    /// The places in the data of the elements that an element of the output is picked of.
    fn lane(&self, index: usize) -> Vec<usize> {
        self.along.places(self.split(index).0).collect()
    }

    fn first(&self, index: usize) -> Option<Element> {
        Element::of(self.data, *self.at(index).ok()?.first()?)
    }
}

/// What is allowed of the elements themselves.
struct Values<'a>(Rc<Ranked<'a>>);

impl Allowed for Values<'_> {
    fn at(&self, index: usize) -> Conforming {
        let places = match self.0.at(index) {
            Ok(places) => places,
            Err(open) => return Conforming::Unspecified(open),
        };
        let (data, mut seen) = (self.0.data, BTreeSet::new());
        let bits = places.into_iter().filter_map(|place| data.element(place));
        let elements = bits.filter(|bits| seen.insert(*bits));
        let same = |bits| Conforming::Same(Element::Bits(data.dtype(), bits));
        let mut all: Vec<Conforming> = elements.map(same).collect();
        match all.len() {
            0 => Conforming::Unspecified(NONE),
            1 => all.remove(0),
            _ => Conforming::OneOf(all),
        }
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.0.first(index).as_ref().and_then(Real::of)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        distance_of(self.0.first(index).as_ref(), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let places = self.0.lane(index).into_iter();
        places.filter_map(|place| Element::of(self.0.data, place)).collect()
    }
}

#[cfg(test)]
mod tests;
