//! What operators have in common that tell of a tensor's shape, whatever its elements are.

use values::dtype::DType::Int64;
use values::element::Element;

use super::reshaping::moved;
use crate::exact::{Conforming, Deviation, distance};
use crate::operator::{Allowed, Attribute, Call, Invalid, Port, Reference, TensorType, Version};
use crate::real::Real;

/// An operator of this kind, by what it tells.
pub(crate) struct Sizes(pub(crate) fn(&Call) -> Result<Told, Invalid>);

/// The shape of an output, and the numbers in it.
pub(crate) type Told = (Vec<usize>, Vec<i64>);

impl Reference for Sizes {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let (shape, _) = (self.0)(call)?;
        Ok(vec![TensorType::new(Int64, shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (self.0)(call) {
            Ok((_, numbers)) => vec![Box::new(Numbers(numbers))],
            Err(_) => Vec::new(),
        }
    }
}

/// Integers that follow from no element.
struct Numbers(Vec<i64>);

impl Numbers {
    fn bits(&self, index: usize) -> Option<u64> {
        self.0.get(index).map(|number| number.cast_unsigned())
    }
}

impl Allowed for Numbers {
    fn at(&self, index: usize) -> Conforming {
        let outside = Conforming::Unspecified("there is no such element");
        self.bits(index).map_or(outside, Conforming::One)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Real::of_element(Int64, self.bits(index)?)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.bits(index).map_or(Deviation::NoRealResult, |exact| distance(Int64, exact, actual))
    }

    fn operands(&self, _: usize) -> Vec<Element> {
        Vec::new()
    }
}

/// The ports of a version that takes the first so many types.
pub(crate) struct Measured {
    input: [Port; 1],
    output: [Port; 1],
}

impl Measured {
    pub(crate) const fn new(output: &'static str, types: usize) -> Self {
        let input = [Port::new("data", moved(types), "T")];
        Self { input, output: [Port::new(output, &[Int64], "T1")] }
    }

    /// The version with these ports.
    pub(crate) const fn since(
        &'static self,
        since: i64,
        attributes: &'static [Attribute],
    ) -> Version {
        Version { since, inputs: &self.input, outputs: &self.output, attributes }
    }
}
