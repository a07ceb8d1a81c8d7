//! What operators have in common whose results are elements of their input, or for some calls whatever comes back,
//! because no document says what they are.

use values::element::Element;

use super::picking::Source;
use super::readings::Readings;
use crate::exact::{Conforming, Deviation};
use crate::operator::{Allowed, Call, Invalid, Reference, TensorType, Version};
use crate::pointwise::Moved;
use crate::real::Real;

/// What a call gives.
pub(crate) enum Picked<'a> {
    /// An output of this type, and where each of its elements comes from.
    From(TensorType, Source<'a>),
    /// An output of this type, each of whose elements may come from any of these places.
    FromEither(TensorType, [Source<'a>; 2]),
    /// Whatever comes back, for this reason. The shape of the type may be another one.
    Open(TensorType, &'static str),
}

/// An operator of this kind.
pub(crate) struct PickedOrOpen(pub(crate) for<'a> fn(&'a Call) -> Result<Picked<'a>, Invalid>);

impl Reference for PickedOrOpen {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        (self.0)(call).map(|picked| match picked {
            Picked::From(output, _) | Picked::FromEither(output, _) | Picked::Open(output, _) => {
                vec![output]
            }
        })
    }

    fn allowed<'a>(&self, call: &'a Call, _: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        match (self.0)(call) {
            Ok(Picked::From(_, source)) => vec![Box::new(Moved(source))],
            Ok(Picked::FromEither(_, sources)) => {
                vec![Box::new(Readings(sources.map(Moved).into()))]
            }
            Ok(Picked::Open(_, reason)) => vec![Box::new(Open(reason))],
            Err(_) => Vec::new(),
        }
    }
}

/// An operator of this kind whose first input says what happens, to its shape or to other elements, and is moved nowhere itself.
pub(crate) struct Controlled(pub(crate) for<'a> fn(&'a Call) -> Result<Picked<'a>, Invalid>);

impl Reference for Controlled {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        PickedOrOpen(self.0).infer(call)
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        PickedOrOpen(self.0).allowed(call, outputs)
    }

    fn is_control(&self, _: &Version, at: usize) -> bool {
        at == 0
    }
}

/// An output of a tensor's type with a single element, for a call whose shape nothing says.
pub(crate) fn single(call: &Call) -> Result<TensorType, Invalid> {
    let data = call.input(0)?;
    TensorType::new(data.dtype(), vec![1; data.shape().len()])
}

/// What is allowed of an output of which nothing is said, for this reason.
pub(crate) struct Open(pub(crate) &'static str);

impl Allowed for Open {
    fn at(&self, _: usize) -> Conforming {
        Conforming::Unspecified(self.0)
    }

    fn real(&self, _: usize, _: u32) -> Option<Real> {
        None
    }

    fn deviation(&self, _: usize, _: u64) -> Deviation {
        Deviation::NoRealResult
    }

    fn operands(&self, _: usize) -> Vec<Element> {
        Vec::new()
    }
}
