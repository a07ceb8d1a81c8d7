//! What operators have in common that give their input's elements, in their order, another shape.

use values::dtype::DType;
use values::element::Element;
use values::tensor::MAX_RANK;

use crate::operator::{Allowed, Attribute, Call, Invalid, Port, Reference, TensorType, Version};
use crate::pointwise::Moved;
use crate::signature::{MOVED, NUMERIC_SONNX};

/// An operator of this kind, by the shape that it gives.
pub(crate) struct Reshaping(pub(crate) fn(&Call) -> Result<Vec<usize>, Invalid>);

impl Reference for Reshaping {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let data = call.input(0)?;
        let shape = (self.0)(call)?;
        let output = TensorType::new(data.dtype(), shape)?;
        let elements: usize = output.shape.iter().product();
        if elements != data.elements() {
            let (from, to) = (data.shape(), &output.shape);
            return Err(call.invalid(&format!("cannot give {from:?} the shape {to:?}")));
        }
        Ok(vec![output])
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let Ok(data) = call.input(0) else { return Vec::new() };
        vec![Box::new(Moved(move |index| Element::of(data, index)))]
    }
}

/// The ports of a version that takes the first so many types, with a list of int64 beside the data where it
/// has a name.
pub(crate) struct Lists<const INPUTS: usize> {
    inputs: [Port; INPUTS],
    output: [Port; 1],
}

impl Lists<1> {
    /// Data alone.
    pub(crate) const fn none(
        data: &'static str,
        output: &'static str,
        types: &'static [DType],
    ) -> Self {
        Self { inputs: [Port::new(data, types, "T")], output: [Port::new(output, types, "T")] }
    }
}

impl Lists<2> {
    /// Data and a list of this name.
    pub(crate) const fn one(
        [data, list]: [&'static str; 2],
        output: &'static str,
        types: &'static [DType],
    ) -> Self {
        let inputs = [Port::new(data, types, "T"), Port::new(list, &[DType::Int64], "I")];
        Self { inputs, output: [Port::new(output, types, "T")] }
    }

    /// The same where the list may be left out.
    pub(crate) const fn optional(mut self) -> Self {
        self.inputs[1] = self.inputs[1].optional();
        self
    }
}

impl<const INPUTS: usize> Lists<INPUTS> {
    /// The version with these ports.
    pub(crate) const fn since(
        &'static self,
        since: i64,
        attributes: &'static [Attribute],
    ) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

/// Refuses data of a type that a SONNX document does not name: besides numbers but bfloat16 it names these.
pub(crate) fn restrict_data(call: &Call, others: &[DType]) -> Result<(), Invalid> {
    let dtype = call.input(0)?.dtype();
    let is_named = NUMERIC_SONNX.contains(&dtype) || others.contains(&dtype);
    if call.specification.is_restricted() && !is_named {
        return Err(call.invalid(&format!("of this specification has no {dtype}")));
    }
    Ok(())
}

/// The first so many of the types that elements are moved of.
pub(crate) const fn moved(count: usize) -> &'static [DType] {
    MOVED.split_at(count).0
}

/// The list of integers that is given as an input or, in versions without it, as the attribute of its name; `None`
/// where it is left out.
pub(crate) fn list(call: &Call, name: &str) -> Result<Option<Vec<i64>>, Invalid> {
    let at = call.version.inputs.iter().position(|port| port.name == name);
    let list = match at {
        Some(at) => call.integers(at)?,
        None => call.ints(name).map(<[i64]>::to_vec),
    };
    match list {
        Some(list) if list.len() > MAX_RANK => {
            Err(call.invalid(&format!("takes no {} entries of `{name}`", list.len())))
        }
        list => Ok(list),
    }
}

/// The dimension that a number stands for among so many, counted from the end where it is negative, which
/// only versions since `since` allow.
pub(crate) fn dimension(call: &Call, since: i64, axis: i64, rank: usize) -> Result<usize, Invalid> {
    let from_end = if axis < 0 && call.version.since >= since { rank as i64 } else { 0 };
    let place = axis.checked_add(from_end).and_then(|place| usize::try_from(place).ok());
    place
        .filter(|place| *place < rank)
        .ok_or_else(|| call.invalid(&format!("has no dimension {axis} among {rank}")))
}
