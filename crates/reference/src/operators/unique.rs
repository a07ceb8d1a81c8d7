//! Unique: the different elements of a tensor, or its different slices along a dimension, with the places where each is found
//! first, those that every one of the input has among them, and how many of each there are.
//!
//! The two zeros are equal, and either may come out. Slices are in the order of their first different elements, as the example
//! shows. No sentence says whether a NaN is equal to another, nor in which order strings and complex numbers are: nothing is decided
//! where a NaN is, or where several of these are sorted. Source: ONNX's schemas of Unique-11 and 28.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bytes::Bytes;
use values::dtype::DType::{self, Int64, String as Text};
use values::dtype::Kind;
use values::element::Element;
use values::tensor::{Tensor, element_count};

use crate::case_table::{self, Own};
use crate::exact::{Conforming, Deviation, distance_of};
use crate::families::along::{flag, order};
use crate::families::picked_or_open::Open;
use crate::families::picking::bounded;
use crate::families::reshaping::{dimension, moved};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Document, Invalid, Operator, OperatorKind, Otherwise,
    Port, Reference, TensorType, Version,
};
use crate::pointwise::Moved;
use crate::real::Real;

/// Unique in ONNX's default domain.
pub static UNIQUE: Operator = Operator {
    documents: &[Document {
        key: "onnx-unique",
        catalogue: include_str!("unique/onnx-unique.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &UNIQUE, &[include_str!("unique/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Unique", OperatorKind::Exact, &VERSIONS, &Unique)
};

const VERSIONS: [Version; 2] =
    [const { Ports::new(15) }.since(11), const { Ports::new(16) }.since(28)];

/// The ports of a version that takes the first so many types.
struct Ports([Port; 1], [Port; 4]);

impl Ports {
    const fn new(types: usize) -> Self {
        const fn places(name: &'static str) -> Port {
            Port::new(name, &[Int64], "tensor(int64)").optional()
        }
        let y = Port::new("Y", moved(types), "T");
        let outputs = [y, places("indices"), places("inverse_indices"), places("counts")];
        Self([Port::new("X", moved(types), "T")], outputs)
    }

    const fn since(&'static self, since: i64) -> Version {
        const ATTRIBUTES: &[Attribute] = &[
            Attribute::new("axis", AttributeType::Int),
            Attribute::new("sorted", AttributeType::Int).otherwise(Otherwise::Int(1)),
        ];
        Version { since, inputs: &self.0, outputs: &self.1, attributes: ATTRIBUTES }
    }
}

/// What elements are compared and sorted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i128),
    Text(Bytes),
}

/// The slices of a tensor along a dimension, or its elements.
struct Slices<'a> {
    data: &'a Tensor,
    /// How many there are.
    count: usize,
    /// How many elements of each lie together.
    step: usize,
    /// The slices that are equal, in the order in which they come out.
    groups: Vec<Vec<usize>>,
    /// Why nothing is decided, if so.
    open: Option<&'static str>,
}

impl<'a> Slices<'a> {
    fn of(call: &'a Call) -> Result<Self, Invalid> {
        let data = call.input(0)?;
        let shape = data.shape();
        let is_sorted = flag(call, "sorted")?;
        let axis = call.int("axis").map(|axis| dimension(call, 11, axis, shape.len()));
        // Elements are slices of a list.
        let list = [data.elements()];
        let (sizes, axis) = axis.transpose()?.map_or((&list[..], 0), |axis| (shape, axis));
        let count = sizes[axis];
        bounded(call, Int64, vec![count])?;
        let others = [&sizes[..axis], &sizes[axis + 1..]].concat();
        let length = element_count(&others).map_err(|error| Invalid(error.to_string()))?;
        // Of a slice without elements there is no step to take.
        let step = if length == 0 { 1 } else { sizes[axis + 1..].iter().product() };
        let mut slices = Self { data, count, step, groups: Vec::new(), open: None };
        let mut found = BTreeMap::<Vec<Key>, Vec<usize>>::new();
        for slice in 0..count {
            let keys: Option<Vec<_>> = (0..length).map(|at| slices.keys(slice, at)).collect();
            let Some(keys) = keys else {
                slices.open = Some("whether a NaN is equal to another is not stated");
                return Ok(slices);
            };
            found.entry(keys.concat()).or_default().push(slice);
        }
        let has_order = data.dtype() != Text && !matches!(data.dtype().kind(), Kind::Complex(_));
        if is_sorted && !has_order && found.len() > 1 {
            slices.open = Some("the order of the type is not stated");
        }
        slices.groups = found.into_values().collect();
        if !is_sorted {
            slices.groups.sort_unstable();
        }
        Ok(slices)
    }

    /// The place in the data of an element of a slice.
    fn place(&self, slice: usize, at: usize) -> usize {
        (at / self.step * self.count + slice) * self.step + at % self.step
    }

    /// What an element is compared by: the parts of a number, or a string. None where a NaN is in it.
    fn keys(&self, slice: usize, at: usize) -> Option<Vec<Key>> {
        let (dtype, place) = (self.data.dtype(), self.place(slice, at));
        let number = |dtype, bits| order(dtype, bits).map(Key::Number);
        match (Element::of(self.data, place)?, dtype.kind()) {
            (Element::String(text), _) => Some(vec![Key::Text(text)]),
            (Element::Bits(_, bits), Kind::Complex(format)) => {
                let part = if dtype == DType::Complex64 { DType::Float32 } else { DType::Float64 };
                format.parts(bits).into_iter().map(|bits| number(part, bits)).collect()
            }
            (Element::Bits(_, bits), _) => Some(vec![number(dtype, u64::try_from(bits).ok()?)?]),
        }
    }

    /// The slice and the place in it of an element of the first output.
    fn split(&self, index: usize) -> (usize, usize) {
        let (row, within) = (index / self.step, index % self.step);
        let groups = self.groups.len().max(1);
        (row % groups, row / groups * self.step + within)
    }
}

/// What is allowed of the elements themselves: any of those that are equal.
struct Values<'a>(Rc<Slices<'a>>);

impl Values<'_> {
    fn first(&self, index: usize) -> Option<Element> {
        let (group, at) = self.0.split(index);
        Element::of(self.0.data, self.0.place(*self.0.groups.get(group)?.first()?, at))
    }
}

impl Allowed for Values<'_> {
    fn at(&self, index: usize) -> Conforming {
        let (group, at) = self.0.split(index);
        let Some(first) = self.first(index) else {
            return Conforming::Unspecified("there is no such element");
        };
        let members = self.0.groups[group].iter();
        let bits = members.filter_map(|slice| self.0.data.element(self.0.place(*slice, at)));
        let bits: BTreeSet<u128> = bits.collect();
        match bits.len() {
            // Equal strings are the same.
            0 | 1 => Conforming::Same(first),
            _ => Conforming::OneOf(
                bits.into_iter()
                    .map(|bits| Conforming::Same(Element::Bits(first.dtype(), bits)))
                    .collect(),
            ),
        }
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        self.first(index).as_ref().and_then(Real::of)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        distance_of(self.first(index).as_ref(), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.first(index).into_iter().collect()
    }
}

struct Unique;

impl Reference for Unique {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let slices = Slices::of(call)?;
        // Where nothing is decided, the shape is not either.
        let found = slices.groups.len().max(usize::from(slices.open.is_some()));
        let data = call.input(0)?;
        let mut shape = vec![found];
        if let Some(axis) = call.int("axis") {
            shape = data.shape().to_vec();
            shape[dimension(call, 11, axis, data.shape().len())?] = found;
        }
        let places = |count| TensorType::new(Int64, vec![count]);
        let y = TensorType::new(data.dtype(), shape)?;
        Ok(vec![y, places(found)?, places(slices.count)?, places(found)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(slices) = Slices::of(call) else { return Vec::new() };
        let asked = (0..4).filter(|at| call.asks_for(*at));
        if let Some(reason) = slices.open {
            return asked.map(|_| Box::new(Open(reason)) as Box<dyn Allowed>).collect();
        }
        let mut inverse = vec![0; slices.count];
        for (group, members) in slices.groups.iter().enumerate() {
            members.iter().for_each(|slice| inverse[*slice] = group);
        }
        let numbers = |numbers: Vec<usize>| -> Box<dyn Allowed> {
            Box::new(Moved(move |index: usize| {
                numbers.get(index).map(|number| Element::Bits(Int64, *number as u128))
            }))
        };
        let slices = Rc::new(slices);
        let groups = &slices.groups;
        asked
            .map(|at| match at {
                0 => Box::new(Values(Rc::clone(&slices))),
                1 => numbers(groups.iter().filter_map(|slices| slices.first().copied()).collect()),
                2 => numbers(inverse.clone()),
                _ => numbers(groups.iter().map(Vec::len).collect()),
            })
            .collect()
    }

    fn is_control(&self, _: &Version, _: usize) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
