//! What operators have in common each of whose results is an element of their input, or one that is no input's:
//! which one it is follows from shapes, attributes and indices.

use values::dtype::DType::{Int32, Int64};
use values::dtype::{DType, Kind, integer};
use values::element::Element;
use values::tensor::{Tensor, element_count};

use super::reshaping::moved;
use crate::operator::{
    Allowed, Attribute, AttributeType, Call, Invalid, Otherwise, Port, Reference, TensorType,
    Version,
};
use crate::pointwise::Moved;

/// The element that a result is by its index; none where nothing says it.
pub(crate) type Source<'a> = Box<dyn Fn(usize) -> Option<Element> + 'a>;

/// An operator of this kind, by the type of its output and where each element comes from.
pub(crate) struct Picking(
    pub(crate) for<'a> fn(&'a Call) -> Result<(TensorType, Source<'a>), Invalid>,
);

impl Reference for Picking {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        (self.0)(call).map(|(output, _)| vec![output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (self.0)(call) {
            Ok((_, source)) => vec![Box::new(Moved(source))],
            Err(_) => Vec::new(),
        }
    }
}

/// The ports of a version that takes the first so many types, with indices beside the data.
pub(crate) struct Indexed {
    inputs: [Port; 2],
    output: [Port; 1],
}

impl Indexed {
    pub(crate) const fn new(types: usize) -> Self {
        let data = Port::new("data", moved(types), "T");
        let inputs = [data, Port::new("indices", INDICES, "Tind")];
        Self { inputs, output: [Port::new("output", moved(types), "T")] }
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

/// The types of indices.
pub(crate) const INDICES: &[DType] = &[Int32, Int64];

/// The dimension that is indexed into, the first one where nothing is said.
pub(crate) const AXIS: Attribute =
    Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(0));

/// The integers of a tensor in the order of its elements.
pub(crate) fn integers(tensor: &Tensor) -> impl Iterator<Item = i64> {
    let numbers = (0..tensor.elements()).map_while(|at| tensor.element(at));
    numbers.map_while(|bits| match tensor.dtype().kind() {
        Kind::Int { signed, bits: width } => i64::try_from(integer(bits, signed, width)).ok(),
        _ => None,
    })
}

/// The type of the output that an attribute is the number of.
pub(crate) fn named_type(call: &Call, number: i64, name: &str) -> Result<DType, Invalid> {
    let dtype = i32::try_from(number).ok().and_then(DType::from_onnx);
    let given = call.version.output(0).map_or(&[][..], |port| port.types);
    dtype
        .filter(|dtype| given.contains(dtype))
        .ok_or_else(|| call.invalid(&format!("gives no type of the number `{name}`")))
}

/// The place that an index stands for along a dimension of this size, counted from the end where it is negative.
pub(crate) fn place(call: &Call, index: i64, size: usize) -> Result<usize, Invalid> {
    let from_end = if index < 0 { size as i128 } else { 0 };
    let place = usize::try_from(i128::from(index) + from_end).ok();
    place
        .filter(|place| *place < size)
        .ok_or_else(|| call.invalid(&format!("has no index {index} in a dimension of {size}")))
}

/// The most bytes that the elements of an output may take. Messages of Protocol Buffers, in which tensors are given, are
/// smaller than that.
const MOST_BYTES: u128 = 1 << 31;

/// The type of an output that may have more elements than the inputs: one that no memory holds is refused.
pub(crate) fn bounded(call: &Call, dtype: DType, shape: Vec<usize>) -> Result<TensorType, Invalid> {
    let output = TensorType::new(dtype, shape)?;
    let elements = element_count(&output.shape).unwrap_or(usize::MAX);
    let bits = elements as u128 * u128::from(dtype.bits().unwrap_or(8));
    if bits.div_ceil(8) > MOST_BYTES {
        return Err(call.invalid(&format!("gives no output as large as {output}")));
    }
    Ok(output)
}

/// The numbers of a list, none of which may be negative.
pub(crate) fn sizes(call: &Call, name: &str, list: &[i64]) -> Result<Vec<usize>, Invalid> {
    let sizes: Result<_, _> = list.iter().map(|&size| usize::try_from(size)).collect();
    sizes.map_err(|_| call.invalid(&format!("takes no negative number in `{name}` {list:?}")))
}
