//! What operators have in common whose results are elements of their input, or for some calls whatever comes back,
//! because no document says what they are.

use values::element::Element;

use super::picking::Source;
use crate::exact::{Conforming, Deviation};
use crate::operator::{Allowed, Call, Invalid, Reference, TensorType};
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
            Ok(Picked::FromEither(_, sources)) => vec![Box::new(Either(sources.map(Moved)))],
            Ok(Picked::Open(_, reason)) => vec![Box::new(Open(reason))],
            Err(_) => Vec::new(),
        }
    }
}

/// An output of a tensor's type with a single element, for a call whose shape nothing says.
pub(crate) fn single(call: &Call) -> Result<TensorType, Invalid> {
    let data = call.input(0)?;
    TensorType::new(data.dtype(), vec![1; data.shape().len()])
}

/// What is allowed of an output each of whose elements comes from either of two places.
struct Either<'a>([Moved<Source<'a>>; 2]);

impl Allowed for Either<'_> {
    fn at(&self, index: usize) -> Conforming {
        let readings = self.0.each_ref().map(|one| one.at(index));
        Conforming::one_of(readings).unwrap_or(Conforming::Unspecified("there is no such element"))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.0[0].real(index, bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.0[0].deviation(index, actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        self.0[0].operands(index)
    }
}

/// What is allowed of an output of which nothing is said, for this reason.
struct Open(&'static str);

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
