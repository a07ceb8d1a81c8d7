//! Calls of operators that do not compute element by element: shapes, attributes and elements are drawn from a seed.

use onnx_conformance::dtype::DType;
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{AttributeValue, Attributes};
use onnx_conformance::tensor::Tensor;

use super::check::tensor;
use super::operands::{any, directed};

/// What a call is made of.
pub(super) struct Drawn {
    pub(super) attributes: Attributes,
    pub(super) inputs: Vec<Option<Tensor>>,
    /// How many outputs are asked for, where it is not all that there are.
    pub(super) outputs: Option<usize>,
}

impl Drawn {
    pub(super) fn new(inputs: Vec<Option<Tensor>>) -> Self {
        Self { attributes: Attributes::new(), inputs, outputs: None }
    }

    /// The same of these inputs.
    pub(super) fn of(self, inputs: Vec<Option<Tensor>>) -> Self {
        Self { inputs, ..self }
    }

    /// The same with an attribute.
    pub(super) fn with(mut self, name: &str, value: AttributeValue) -> Self {
        self.attributes.insert(name.to_owned(), value);
        self
    }

    /// The same with an attribute, if it is given.
    pub(super) fn with_some(self, name: &str, value: Option<AttributeValue>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same for so many outputs.
    pub(super) fn for_outputs(self, outputs: usize) -> Self {
        Self { outputs: Some(outputs), ..self }
    }
}

/// How a call is drawn that has elements of a type.
pub(super) type Draw = fn(&mut Draws, DType) -> Drawn;

/// What calls are drawn from.
pub(super) struct Draws(Random);

impl Draws {
    pub(super) fn new(name: &str) -> Self {
        Self(Random::for_case(name))
    }

    /// A number below a limit other than 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit as u64) as usize
    }

    /// A number from one to another.
    pub(super) fn between(&mut self, least: i64, most: i64) -> i64 {
        self.0.between(least.into(), most.into()) as i64
    }

    /// Whether one of so many cases is there.
    pub(super) fn is_one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// One of several.
    pub(super) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// The numbers below this one in any order.
    pub(super) fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            order.swap(at, self.below(at + 1));
        }
        order
    }

    /// Some of the numbers below this one, in any order.
    pub(super) fn some(&mut self, count: usize) -> Vec<usize> {
        let mut order = self.order(count);
        order.truncate(self.below(count + 1));
        order
    }

    /// A shape of so many dimensions and at most so many elements, some of whose sizes are 1 and few 0.
    pub(super) fn shape(&mut self, ranks: [usize; 2], most: usize) -> Vec<usize> {
        let rank = self.between(ranks[0] as i64, ranks[1] as i64) as usize;
        let (mut shape, mut room) = (vec![1; rank], most as f64);
        for (done, at) in self.order(rank).into_iter().enumerate() {
            let typical = room.powf(1.0 / (rank - done) as f64);
            let largest = (typical * 1.4).min(room).max(1.0) as i64;
            let least = if self.is_one_in(5) { 1 } else { largest / 2 };
            shape[at] = self.between(least.max(1), largest) as usize;
            room /= shape[at] as f64;
        }
        for size in &mut shape {
            match self.below(60) {
                0 => *size = 0,
                1..8 => *size = 1,
                _ => {}
            }
        }
        shape
    }

    /// A shape as [`Self::shape`] has it, with elements.
    pub(super) fn filled_shape(&mut self, ranks: [usize; 2], most: usize) -> Vec<usize> {
        self.shape(ranks, most).into_iter().map(|size| size.max(1)).collect()
    }

    /// An element: a special one, or any.
    pub(super) fn element(&mut self, dtype: DType) -> u128 {
        if self.is_one_in(2) { any(dtype, &mut self.0) } else { self.one_of(&directed(dtype)) }
    }

    /// A tensor of special and of any elements.
    pub(super) fn tensor(&mut self, dtype: DType, shape: &[usize]) -> Tensor {
        let special = directed(dtype);
        let element = |_| match self.is_one_in(2) {
            true => any(dtype, &mut self.0),
            false => self.one_of(&special),
        };
        let elements: Vec<u128> = (0..shape.iter().product()).map(element).collect();
        tensor(dtype, shape.to_vec(), &elements)
    }

    /// Of what is counted, the number that stands for a place: in half of the cases it counts from the end.
    pub(super) fn index(&mut self, place: usize, size: usize) -> i64 {
        place as i64 - if self.is_one_in(2) { size as i64 } else { 0 }
    }

    /// A dimension of so many and the number that stands for it, which is left out in some cases where it is the one
    /// that is meant then.
    pub(super) fn axis(&mut self, rank: usize, otherwise: i64) -> (usize, Option<AttributeValue>) {
        let place = self.below(rank);
        let is_default = place as i64 == otherwise || place as i64 - rank as i64 == otherwise;
        let is_left_out = is_default && self.is_one_in(2);
        let number = self.index(place, rank);
        (place, (!is_left_out).then_some(AttributeValue::Int(number)))
    }

    /// The value of an attribute that is 0 or 1, and the attribute, which may be left out where it has this value by default.
    pub(super) fn flag(&mut self, otherwise: bool) -> (bool, Option<AttributeValue>) {
        let value = self.is_one_in(2);
        let is_left_out = value == otherwise && self.is_one_in(2);
        (value, (!is_left_out).then_some(AttributeValue::Int(value.into())))
    }

    /// One of the types of indices.
    pub(super) fn index_type(&mut self) -> DType {
        self.one_of(&[DType::Int32, DType::Int64])
    }
}

/// A tensor of integers of a type.
pub(super) fn integers(dtype: DType, shape: &[usize], values: &[i64]) -> Tensor {
    let mask = (1 << dtype.bits().unwrap()) - 1;
    let elements: Vec<u128> = values.iter().map(|value| *value as u128 & mask).collect();
    tensor(dtype, shape.to_vec(), &elements)
}

/// A list of integers of 64 bits.
pub(super) fn list(values: &[i64]) -> Option<Tensor> {
    Some(integers(DType::Int64, &[values.len()], values))
}

/// Integers as the value of an attribute.
pub(super) fn ints(values: impl IntoIterator<Item = usize>) -> AttributeValue {
    AttributeValue::Ints(values.into_iter().map(|value| value as i64).collect())
}

/// Text as the value of an attribute.
pub(super) fn text(text: &str) -> AttributeValue {
    AttributeValue::Text(text.to_owned())
}
