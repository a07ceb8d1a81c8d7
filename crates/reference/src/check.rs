//! The check of one operator on one type: the function that decides each result, and the fast checks
//! where there are any.

use std::fmt;
use std::sync::Arc;

use values::dtype::DType;
use values::element::Element;
use values::tensor::Tensor;

use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation, Number};
use crate::operator::{Attributes, Call, Operator, Port, Presence, Specification};
use crate::remembering::Remembering;
use crate::sweep::exact_checker::{ExactChecker, Mismatch};
use crate::sweep::run::Run;
use crate::sweep::{MAX_ARITY, Tally};

/// The check of one element-wise operator on one type, as ONNX's newest version has it.
#[derive(Clone)]
pub struct Check {
    operator: &'static Operator,
    function: Arc<dyn Elementwise>,
    dtype: DType,
    portable: bool,
}

impl Check {
    /// The check of an operator on a type; `None` where the operator is not element-wise on one or two
    /// operands that have the result's type, or may have it, and have to be there, has no such type in its newest version or not without
    /// attributes, or the type has no bytes of its own, or not every pattern of them is an element, as of truth
    /// values.
    pub fn new(operator: &'static Operator, dtype: DType) -> Option<Self> {
        let version = operator.newest();
        let [output] = version.outputs else { return None };
        let takes =
            |port: &Port| port.types.contains(&dtype) && port.presence != Presence::Optional;
        let is_first = |port: &Port| port.variable == output.variable;
        let swept = version.inputs.first().is_some_and(is_first)
            && version.inputs.iter().all(takes)
            && (1..=MAX_ARITY).contains(&operator.arity())
            && output.types.contains(&dtype)
            && dtype != DType::Bool
            && dtype.bits().is_some_and(|bits| (8..=64).contains(&bits))
            && takes_no_attributes(operator, dtype);
        let attributes = Attributes::new();
        let function = operator.reference.elementwise(Specification::Onnx, &attributes)?;
        swept.then(|| Self { operator, function: function.into(), dtype, portable: false })
    }

    /// The same without the processor's newer vector instructions. It gives the same tally.
    pub fn portable(self) -> Self {
        Self { portable: true, ..self }
    }

    /// The same, which keeps in memory what it found out of each input that fast checks leave to exact arithmetic: for whoever checks
    /// many implementations on the same inputs. It gives the same tally.
    pub fn remembering(self) -> Self {
        Self { function: Arc::new(Remembering::new(self.function, self.dtype)), ..self }
    }

    /// Whether there is a fast check of conforming results.
    pub fn is_fast(&self) -> bool {
        self.fast(&mut Tally::default(), &mut |_| (), [&[]; 3])
    }

    /// The operator.
    pub const fn operator(&self) -> &'static Operator {
        self.operator
    }

    /// The element type.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The function that decides each result.
    pub fn function(&self) -> &dyn Elementwise {
        &*self.function
    }

    /// Whether the result of negative numbers is a number: it is not of roots, and types without a sign have
    /// none.
    pub fn takes_negative_numbers(&self) -> bool {
        let minus_one = match Number::of(self.dtype) {
            Some(Number::Float(format)) => {
                format.negated((format.bias as u64) << format.significand_bits)
            }
            Some(Number::Int(int)) if int.signed => int.wrap(-1),
            _ => return false,
        };
        let operands = self.elements(&vec![minus_one; self.operator.arity()]);
        self.function.real(self.dtype, &operands, u64::BITS).is_some()
    }

    /// The operands as elements.
    fn elements(&self, operands: &[u64]) -> Vec<Element> {
        operands.iter().map(|&bits| Element::Bits(self.dtype, bits.into())).collect()
    }

    /// Which results conform for operands given as bits.
    pub fn conforming(&self, operands: &[u64]) -> Conforming {
        self.function.conforming(self.dtype, &self.elements(operands))
    }

    /// How far the element `actual` is from the exact result.
    pub fn deviation(&self, operands: &[u64], actual: u64) -> Deviation {
        self.function.deviation(self.dtype, &self.elements(operands), actual)
    }

    /// Both: which results conform, and how far the element `actual` is from the exact one.
    pub fn judged(&self, operands: &[u64], actual: u64) -> (Conforming, Deviation) {
        let elements = self.elements(operands);
        let (conforming, [deviation, _]) = self.function.judged(self.dtype, &elements, [actual; 2]);
        (conforming, deviation)
    }

    /// Checks the results of the operator on as many elements as the shortest slice has, adds them
    /// to the tally, and tells of each mismatch in the order of the elements.
    ///
    /// Slices hold the elements' bits in little-endian bytes. Of `operands` there are as many as the
    /// operator has; if there are fewer, nothing is executed.
    pub fn run(
        &self,
        operands: &[&[u8]],
        results: &[u8],
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        let arity = self.operator.arity();
        let (Some(&first), Some(&last)) = (operands.first(), operands.get(arity.saturating_sub(1)))
        else {
            return;
        };
        let columns = [first, last, results];
        if !self.fast(tally, mismatch, columns) {
            self.steps(tally, mismatch).exactly(columns);
        }
    }

    /// Checks two columns of operands against one of results by the fast check; false where there is none.
    fn fast(
        &self,
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
        columns: [&[u8]; 3],
    ) -> bool {
        let fast = self.operator.fast_checks;
        fast.is_some_and(|fast| fast.run(self.dtype, &mut self.steps(tally, mismatch), columns))
    }

    fn steps<'a>(&'a self, tally: &'a mut Tally, mismatch: &'a mut dyn FnMut(Mismatch)) -> Run<'a> {
        let arity = self.operator.arity();
        let exact = ExactChecker { function: self.function(), dtype: self.dtype, arity };
        Run { exact, portable: self.portable, tally, mismatch }
    }
}

/// Whether the newest version takes operands of a type without any attribute: Mod of floats does not.
fn takes_no_attributes(operator: &'static Operator, dtype: DType) -> bool {
    let empty = || Tensor::from_bits(dtype, vec![0], Vec::new().into()).ok();
    let inputs: Option<Vec<_>> = (0..operator.arity()).map(|_| empty().map(Some)).collect();
    let call = |inputs| {
        let (version, attributes) = (operator.newest(), Attributes::new());
        Call::new(operator, version, Specification::Onnx, attributes, inputs).ok()
    };
    inputs.and_then(call).is_some()
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Check").field(&self.operator).field(&self.dtype).finish()
    }
}
