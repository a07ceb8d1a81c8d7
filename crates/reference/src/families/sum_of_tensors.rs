//! What Sum and Mean have in common: the sum of the elements of any number of tensors at an index, in any order, which Mean
//! divides by the number of tensors.
//!
//! Rounding is bounded as in [`summing`](super::summing): a mean may be divided by the count, or multiplied by its
//! reciprocal, after the addition or before it. Versions before 8 broadcast nothing. Source: ONNX's schemas of Sum and Mean,
//! versions 1, 6, 8 and 13.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use super::binary::CONSUMED_INPUTS;
use super::extremum::{broadcast, ports};
use super::summing::{Accumulated, Summed};
use crate::broadcast::Broadcast;
use crate::exact::Conforming;
use crate::exact::dot::NoBound;
use crate::exact::sum::{Scale, Sum, Terms};
use crate::operator::{Allowed, Call, Invalid, Reference, TensorType, Version};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("sum_of_tensors/cases.toml");

/// Every version, with an output of this name.
macro_rules! versions {
    ($output:literal) => {
        [
            const { ports($output, IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
            const { ports($output, IEEE_FLOATS) }.since(6, &[]),
            const { ports($output, IEEE_FLOATS) }.since(8, &[]),
            const { ports($output, FLOATS) }.since(13, &[]),
        ]
    };
}

/// The versions of Sum.
pub(crate) const SUM_VERSIONS: [Version; 4] = versions!("sum");

/// The versions of Mean.
pub(crate) const MEAN_VERSIONS: [Version; 4] = versions!("mean");

/// The sum of the elements at each index, or their mean.
pub(crate) struct SumOfTensors {
    pub(crate) is_mean: bool,
}

impl Reference for SumOfTensors {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = broadcast(call)?.shape().to_vec();
        Ok(vec![TensorType::new(call.input(0)?.dtype(), shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(broadcast), [output]) = (broadcast(call), outputs) else { return Vec::new() };
        let divisor = if self.is_mean { call.inputs.len() as u64 } else { 1 };
        vec![Box::new(Accumulated(AtIndex { call, broadcast, dtype: output.dtype, divisor }))]
    }
}

/// The elements at each index.
struct AtIndex<'a> {
    call: &'a Call,
    broadcast: Broadcast,
    dtype: DType,
    /// What their sum is divided by.
    divisor: u64,
}

impl Summed for AtIndex<'_> {
    fn dtype(&self) -> DType {
        self.dtype
    }

    fn sums(&self, format: &'static FloatFormat, index: usize) -> Result<Vec<Sum>, NoBound> {
        let mut sum = Sum::new(format, Terms::Elements, Scale::Divisor(self.divisor))?;
        for element in self.operands(index) {
            if let Element::Bits(_, bits) = element {
                sum.add_element(bits as u64);
            }
        }
        Ok(vec![sum])
    }

    fn integer(&self, _: usize) -> Conforming {
        Conforming::Unspecified("the versions take no integers")
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let inputs = self.call.inputs.iter().flatten().enumerate();
        inputs.filter_map(|(at, of)| Element::of(of, self.broadcast.source(at, index))).collect()
    }

    fn source(&self, _: usize, at: usize, _: usize) -> usize {
        at
    }
}

#[cfg(test)]
mod tests;
