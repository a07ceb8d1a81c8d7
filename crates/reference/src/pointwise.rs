//! What is allowed of outputs whose elements are told one by one: of element-wise operators, which apply a
//! function to broadcast tensors, and of those that move elements as they are.

use values::dtype::DType;
use values::element::Element;

use crate::boundaries::BoundaryInputs;
use crate::broadcast::Broadcast;
use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation, distance_of};
use crate::operator::{Allowed, Attributes, Call, Invalid, Reference, Specification, TensorType};
use crate::real::Real;

/// What is allowed of an operator that applies a function to each element of its broadcast inputs. The output
/// has the type that the operator's signature says.
pub(crate) struct Pointwise<F> {
    /// The function that a specification asks for, with these attributes.
    pub(crate) function: fn(Specification, &Attributes) -> F,
    /// How the inputs of a call lie along its output, or the restriction that it breaks.
    pub(crate) broadcast: fn(&Call) -> Result<Broadcast, Invalid>,
    /// Operands at the boundaries of its results, where it computes.
    pub(crate) boundaries: Option<&'static dyn BoundaryInputs>,
}

impl<F: Elementwise + 'static> Reference for Pointwise<F> {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = (self.broadcast)(call)?.shape().to_vec();
        let dtype = call.output_type(0);
        let dtype = dtype.ok_or_else(|| call.invalid("does not say the type of its output"))?;
        Ok(vec![TensorType::new(dtype, shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let function = (self.function)(call.specification, &call.with_floats_left_out());
        match ((self.broadcast)(call), outputs) {
            (Ok(broadcast), [output]) => {
                vec![Box::new(Applied { function, call, broadcast, dtype: output.dtype })]
            }
            _ => Vec::new(),
        }
    }

    fn elementwise(
        &self,
        specification: Specification,
        attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        Some(Box::new((self.function)(specification, attributes)))
    }

    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        self.boundaries
    }
}

/// The same of an operator whose versions differ: of the version since an operator set.
pub(crate) struct ByVersion<F: 'static>(pub(crate) fn(i64) -> &'static Pointwise<F>);

impl<F> ByVersion<F> {
    fn newest(&self) -> &'static Pointwise<F> {
        (self.0)(i64::MAX)
    }
}

impl<F: Elementwise + 'static> Reference for ByVersion<F> {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        (self.0)(call.version.since).infer(call)
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        (self.0)(call.version.since).allowed(call, outputs)
    }

    fn elementwise(
        &self,
        specification: Specification,
        attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        self.newest().elementwise(specification, attributes)
    }

    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        self.newest().boundaries()
    }
}

/// What is allowed of an output.
struct Applied<'a, F> {
    function: F,
    call: &'a Call,
    broadcast: Broadcast,
    dtype: DType,
}

impl<F: Elementwise> Allowed for Applied<'_, F> {
    fn at(&self, index: usize) -> Conforming {
        self.function.conforming(self.dtype, &self.operands(index))
    }

    fn real(&self, index: usize, bits: u32) -> Option<Real> {
        self.function.real(self.dtype, &self.operands(index), bits)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.function.deviation(self.dtype, &self.operands(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let inputs = self.call.inputs.iter().flatten().enumerate();
        inputs
            .filter_map(|(operand, tensor)| {
                Element::of(tensor, self.broadcast.source(operand, index))
            })
            .collect()
    }

    fn function(&self) -> Option<&dyn Elementwise> {
        Some(&self.function)
    }
}

/// What is allowed of an output whose elements are moved: each is that which the function gives for its index.
pub(crate) struct Moved<F>(pub(crate) F);

impl<F: Fn(usize) -> Option<Element>> Allowed for Moved<F> {
    fn at(&self, index: usize) -> Conforming {
        let outside = Conforming::Unspecified("there is no such element");
        (self.0)(index).map_or(outside, Conforming::Same)
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        (self.0)(index).as_ref().and_then(Real::of)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        distance_of((self.0)(index).as_ref(), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        (self.0)(index).into_iter().collect()
    }
}
