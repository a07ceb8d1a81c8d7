//! What ScatterElements, Scatter and ScatterND have in common: the data, some elements of which updates replace or are
//! reduced with.
//!
//! Without a reduction no two updates should meet one element, and nothing says what becomes of it where they do. A
//! reduction is applied to an element and one update after the other, in an order that is not specified. That
//! makes no difference to integers, which are added and multiplied modulo 2^n, nor to a maximum or a minimum; of
//! floats each order of a few updates is a reading, and more of them are not judged. The sum is that of Add, the
//! product that of Mul, the maximum and the minimum those of Max and Min. What the reduction of strings, of truth
//! values and of complex numbers is, the texts do not say.

use values::dtype::DType;
use values::element::Element;
use values::tensor::{Tensor, coordinates, row_major};

use super::extremum::Extremum;
use super::picking::{INDICES, integers, place};
use super::reshaping::{dimension, moved};
use super::sum::Addition;
use crate::elementwise::{Elementwise, FOREIGN};
use crate::exact::{Conforming, Deviation, Number, distance_of};
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Otherwise, Port, Reference, TensorType,
    Version,
};
use crate::operators::gatherelements::exceeds;
use crate::operators::mul::Multiplication;
use crate::real::Real;

/// An operator of this kind, by what it updates.
pub(crate) struct Scatter(pub(crate) for<'a> fn(&'a Call) -> Result<Scattering<'a>, Invalid>);

impl Reference for Scatter {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        (self.0)(call).map(|output| vec![TensorType::of(output.data)])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (self.0)(call) {
            Ok(output) => vec![Box::new(output)],
            Err(_) => Vec::new(),
        }
    }
}

/// The data of which each update is for the element that lies where the update does itself, but for one dimension, where an
/// index says it. Versions before `bounded_since` do not say what an index is that is negative or beyond the dimension.
pub(crate) fn along_axis(call: &Call, bounded_since: i64) -> Result<Scattering<'_>, Invalid> {
    let (sizes, indices, updates) = (call.input(0)?.shape(), call.input(1)?, call.input(2)?);
    let shape = indices.shape();
    let axis = dimension(call, 1, call.int("axis").unwrap_or(0), sizes.len())?;
    if shape.len() != sizes.len() || updates.shape() != shape {
        let updates = updates.shape();
        let told = format!("takes no updates of {updates:?} at {shape:?} for data of {sizes:?}");
        return Err(call.invalid(&told));
    }
    let is_there = |index| usize::try_from(index).is_ok_and(|index| index < sizes[axis]);
    if call.version.since < bounded_since && !integers(indices).all(is_there) {
        return Ok(Scattering::new(call, 1, Vec::new())?.open(true));
    }
    let places = integers(indices).map(|index| place(call, index, sizes[axis]));
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let meeting = |(update, place): (usize, &usize)| {
        let mut at = coordinates(update, shape);
        at[axis] = *place;
        Some((row_major(&at, sizes)?, update))
    };
    let meetings = places.iter().enumerate().filter_map(meeting).collect();
    let is_open = !places.is_empty() && exceeds(shape, sizes, axis);
    Ok(Scattering::new(call, 1, meetings)?.open(is_open))
}

/// The ports of a version that takes the first so many types.
pub(crate) struct Updated {
    inputs: [Port; 3],
    output: [Port; 1],
}

impl Updated {
    /// The ports with these indices.
    pub(crate) const fn new(types: usize, indices: Port) -> Self {
        let [data, updates, output] = [
            Port::new("data", moved(types), "T"),
            Port::new("updates", moved(types), "T"),
            Port::new("output", moved(types), "T"),
        ];
        Self { inputs: [data, indices, updates], output: [output] }
    }

    /// The ports with indices of their types.
    pub(crate) const fn indexed(types: usize) -> Self {
        Self::new(types, Port::new("indices", INDICES, "Tind"))
    }

    /// The version with these ports.
    pub(crate) const fn since(
        &'static self,
        since: i64,
        attributes: &'static [Attribute],
    ) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

/// What is made of an element and an update, as version 16 has it, and since version 18.
pub(crate) const REDUCTIONS: [Attribute; 2] =
    [reduction(&["none", "add", "mul"]), reduction(&["none", "add", "mul", "max", "min"])];

const fn reduction(choices: &'static [&'static str]) -> Attribute {
    Attribute::new("reduction", AttributeType::Text(choices)).otherwise(Otherwise::Text("none"))
}

/// The data with their updates.
pub(crate) struct Scattering<'a> {
    data: &'a Tensor,
    updates: &'a Tensor,
    /// Number of elements that are updated as one.
    length: usize,
    /// The places of such stretches of the data with those of the updates that meet them, in order.
    meetings: Vec<(usize, usize)>,
    reduction: Option<&'static dyn Elementwise>,
    /// Whether the order of updates makes no difference to the reduction, whatever the type.
    is_extreme: bool,
    /// Whether an update is for an element that there is not.
    is_open: bool,
}

/// Number of updates of a float up to which every order of them is a reading.
const MOST_IN_ANY_ORDER: usize = 4;

const OUTSIDE: Conforming = Conforming::Unspecified("an update is for no element of the data");
const SEVERAL: Conforming = Conforming::Unspecified("which of several updates stays is open");
const UNORDERED: Conforming = Conforming::Unspecified("the order of many updates is open");
const NO_NUMBER: Conforming = Conforming::Unspecified("the reduction of the type is not stated");

impl<'a> Scattering<'a> {
    /// The data of a call, stretches of this length of which updates meet.
    pub(crate) fn new(
        call: &'a Call,
        length: usize,
        mut meetings: Vec<(usize, usize)>,
    ) -> Result<Self, Invalid> {
        let (reduction, is_extreme): (Option<&dyn Elementwise>, _) = match call.text("reduction") {
            Some("add") => (Some(&Addition::Sum), false),
            Some("mul") => (Some(&Multiplication), false),
            Some("max") => (Some(&Extremum { is_largest: true, is_total: false }), true),
            Some("min") => (Some(&Extremum { is_largest: false, is_total: false }), true),
            _ => (None, false),
        };
        meetings.sort_unstable();
        let (data, updates) = (call.input(0)?, call.input(2)?);
        Ok(Self { data, updates, length, meetings, reduction, is_extreme, is_open: false })
    }

    /// The same where an update may be for an element that there is not.
    pub(crate) fn open(self, is_open: bool) -> Self {
        Self { is_open, ..self }
    }

    /// The updates that meet the element at an index.
    fn updates(&self, index: usize) -> Vec<Element> {
        let Some(stretch) = index.checked_div(self.length) else { return Vec::new() };
        let first = self.meetings.partition_point(|(at, _)| *at < stretch);
        let own = self.meetings[first..].iter().take_while(|(at, _)| *at == stretch);
        let place = |update: &usize| update * self.length + index % self.length;
        own.filter_map(|(_, update)| Element::of(self.updates, place(update))).collect()
    }

    /// The reduction and its operands at an index, where all of them are reduced at once.
    fn at_once(&self, index: usize) -> Option<(&'static dyn Elementwise, Vec<Element>)> {
        let operands = self.operands(index);
        let is_at_once = operands.len() == 2 || operands.len() > 2 && self.is_extreme;
        self.reduction.filter(|_| is_at_once).map(|reduction| (reduction, operands))
    }

    /// What may come of more than one operand.
    fn reduced(&self, reduction: &dyn Elementwise, operands: &[Element]) -> Conforming {
        let [own, updates @ ..] = operands else { return FOREIGN };
        let (dtype, count) = (own.dtype(), updates.len());
        match Number::of(dtype) {
            None => NO_NUMBER,
            _ if count == 1 || self.is_extreme => reduction.conforming(dtype, operands),
            Some(Number::Int(_)) => in_order(reduction, dtype, own, updates),
            Some(Number::Float(_)) if count > MOST_IN_ANY_ORDER => UNORDERED,
            Some(Number::Float(_)) => {
                let orders = orders(updates).into_iter();
                let results = orders.map(|updates| in_order(reduction, dtype, own, &updates));
                Conforming::one_of(results).unwrap_or(FOREIGN)
            }
        }
    }

    /// The element that comes back as it is, or the integer that is computed.
    fn exact(&self, index: usize) -> Option<Element> {
        match (self.at(index), Number::of(self.data.dtype())) {
            (Conforming::Same(element), _) => Some(element),
            (Conforming::One(bits), Some(Number::Int(_))) => {
                Some(Element::Bits(self.data.dtype(), bits.into()))
            }
            _ => None,
        }
    }
}

/// What comes of an element and one update after the other.
fn in_order(
    reduction: &dyn Elementwise,
    dtype: DType,
    own: &Element,
    updates: &[Element],
) -> Conforming {
    let mut so_far = Conforming::Same(own.clone());
    for update in updates {
        // Any NaN gives a NaN again.
        let Some(bits) = so_far.example() else { return FOREIGN };
        so_far = reduction.conforming(dtype, &[Element::Bits(dtype, bits), update.clone()]);
    }
    so_far
}

/// The orders of some elements.
fn orders(all: &[Element]) -> Vec<Vec<Element>> {
    if all.len() < 2 {
        return vec![all.to_vec()];
    }
    let beginning_with = |(at, first): (usize, &Element)| {
        let others: Vec<Element> = all
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, element)| element.clone())
            .collect();
        let first = std::slice::from_ref(first);
        orders(&others).into_iter().map(|rest| [first, &rest].concat()).collect::<Vec<_>>()
    };
    all.iter().enumerate().flat_map(beginning_with).collect()
}

impl Allowed for Scattering<'_> {
    fn at(&self, index: usize) -> Conforming {
        let operands = self.operands(index);
        match (&operands[..], self.reduction) {
            _ if self.is_open => OUTSIDE,
            ([], _) => Conforming::Unspecified("there is no such element"),
            ([only], _) => Conforming::Same(only.clone()),
            (_, None) => SEVERAL,
            (operands, Some(reduction)) => self.reduced(reduction, operands),
        }
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        match self.at_once(index) {
            Some((reduction, operands)) => reduction.real(self.data.dtype(), &operands, bits),
            None => self.exact(index).as_ref().and_then(Real::of),
        }
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        match self.at_once(index) {
            Some((reduction, operands)) => {
                reduction.deviation(self.data.dtype(), &operands, actual)
            }
            None => distance_of(self.exact(index).as_ref(), actual),
        }
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let updates = self.updates(index);
        let own = Element::of(self.data, index);
        // A single element is one that comes back as it is.
        let own = own.filter(|_| self.reduction.is_some() || updates.is_empty());
        own.into_iter().chain(updates).collect()
    }
}

#[cfg(test)]
mod tests;
