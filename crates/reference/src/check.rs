//! The check of one operator on one type: the function that decides each result, and the fast checks
//! where there are any.

use std::fmt;
use std::sync::Arc;

use values::dtype::{DType, Kind};
use values::element::Element;
use values::tensor::Tensor;

use crate::elementwise::Elementwise;
use crate::exact::{Conforming, Deviation, Number};
use crate::operator::{
    Attribute, AttributeValue, Attributes, Call, Invalid, Operator, Otherwise, Presence,
    Specification, TensorType,
};
use crate::remembering::Remembering;
use crate::sweep::exact_checker::{ExactChecker, Mismatch};
use crate::sweep::run::Run;
use crate::sweep::{MAX_ARITY, Tally};

/// The check of one element-wise operator on one type, as ONNX's newest version has it with some attributes.
#[derive(Clone)]
pub struct Check {
    operator: &'static Operator,
    attributes: Attributes,
    function: Arc<dyn Elementwise>,
    dtype: DType,
    result: DType,
    portable: bool,
}

/// There is no check of an operator on a type with these attributes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// It computes no element from one or two others, all of one type.
    #[error("{0} does not compute each element from one or two others, all of one type")]
    NotElementwise(&'static Operator),
    /// It does not take the type, or columns hold no elements of the type, or of the result's.
    #[error("{0} has no type {1}; its types are: {types}", types = names(.0))]
    Type(&'static Operator, DType),
    /// It does not take these attributes, or not on this type, or needs others.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl Check {
    /// The check of an operator on a type without attributes, where its results are of that type, and numbers.
    pub fn new(operator: &'static Operator, dtype: DType) -> Option<Self> {
        let check = Self::of(operator, dtype, Attributes::new()).ok()?;
        (check.result == dtype && dtype != DType::Bool).then_some(check)
    }

    /// The check of an operator on operands of a type with these attributes. The call says which type the results are of.
    pub fn of(
        operator: &'static Operator,
        dtype: DType,
        attributes: Attributes,
    ) -> Result<Self, Unchecked> {
        if !Self::is_of(operator) {
            return Err(Unchecked::NotElementwise(operator));
        }
        let version = operator.newest();
        let no_type = Unchecked::Type(operator, dtype);
        let takes = version.inputs.iter().all(|port| port.types.contains(&dtype));
        let empty = || Tensor::from_bits(dtype, vec![0], Vec::new().into()).ok();
        let inputs: Option<Vec<_>> = (0..operator.arity()).map(|_| empty().map(Some)).collect();
        let Some(inputs) = inputs.filter(|_| takes && fits_columns(dtype)) else {
            return Err(no_type);
        };
        let call = Call::new(operator, version, Specification::Onnx, attributes.clone(), inputs)?;
        let [TensorType { dtype: result, .. }] = call.1[..] else { return Err(no_type) };
        let function = operator.reference.elementwise(Specification::Onnx, &attributes);
        let function = function.filter(|_| fits_columns(result)).ok_or(no_type)?.into();
        Ok(Self { operator, attributes, function, dtype, result, portable: false })
    }

    /// Whether there is a check of an operator on some type with some attributes: it computes each element of its
    /// output from one or two others, which have to be there. Those attributes that it needs are integers, of
    /// which 1 is always a value.
    pub fn is_of(operator: &Operator) -> bool {
        let version = operator.newest();
        let one = |it: &Attribute| (it.name.to_owned(), AttributeValue::Int(1));
        let attributes = needed(operator).map(one).collect();
        version.outputs.len() == 1
            && (1..=MAX_ARITY).contains(&operator.arity())
            && version.inputs.iter().all(|port| port.presence != Presence::Optional)
            && operator.reference.elementwise(Specification::Onnx, &attributes).is_some()
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

    /// The attributes that it is given.
    pub const fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The element type of the operands.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The element type of the results.
    pub const fn result(&self) -> DType {
        self.result
    }

    /// The ids of the requirements that a sweep covers, special values among its inputs or not, in order: none with
    /// attributes, as requirements are on what an operator does without.
    pub fn covered(&self, specials: bool) -> Vec<&'static str> {
        if self.attributes.is_empty() {
            self.operator.covered(self.dtype, specials)
        } else {
            Vec::new()
        }
    }

    /// Whether it has no attributes but those that it needs.
    fn is_plain(&self) -> bool {
        self.attributes.len() == needed(self.operator).count()
    }

    /// The function that decides each result.
    pub fn function(&self) -> &dyn Elementwise {
        &*self.function
    }

    /// Whether negative numbers have results as others do: they have none where these are roots, and types without
    /// a sign have no such numbers.
    pub fn takes_negative_numbers(&self) -> bool {
        if !matches!(self.result.kind(), Kind::Float(_) | Kind::Int { .. }) {
            return true;
        }
        let minus_one = match Number::of(self.dtype) {
            Some(Number::Float(format)) => {
                format.negated((format.bias as u64) << format.significand_bits)
            }
            Some(Number::Int(int)) if int.signed => int.wrap(-1),
            _ => return false,
        };
        let operands = self.elements(&vec![minus_one; self.operator.arity()]);
        self.function.real(self.result, &operands, u64::BITS).is_some()
    }

    /// The operands as elements.
    fn elements(&self, operands: &[u64]) -> Vec<Element> {
        operands.iter().map(|&bits| Element::Bits(self.dtype, bits.into())).collect()
    }

    /// Which results conform for operands given as bits.
    pub fn conforming(&self, operands: &[u64]) -> Conforming {
        self.function.conforming(self.result, &self.elements(operands))
    }

    /// How far the element `actual` is from the exact result.
    pub fn deviation(&self, operands: &[u64], actual: u64) -> Deviation {
        self.function.deviation(self.result, &self.elements(operands), actual)
    }

    /// Both: which results conform, and how far the element `actual` is from the exact one.
    pub fn judged(&self, operands: &[u64], actual: u64) -> (Conforming, Deviation) {
        let elements = self.elements(operands);
        let (conforming, [deviation, _]) =
            self.function.judged(self.result, &elements, [actual; 2]);
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
        let fast = self.operator.fast_checks.filter(|_| self.is_plain());
        fast.is_some_and(|fast| fast.run(self.dtype, &mut self.steps(tally, mismatch), columns))
    }

    fn steps<'a>(&'a self, tally: &'a mut Tally, mismatch: &'a mut dyn FnMut(Mismatch)) -> Run<'a> {
        let arity = self.operator.arity();
        let [dtype, result] = [self.dtype, self.result];
        let exact = ExactChecker { function: self.function(), dtype, result, arity };
        Run { exact, portable: self.portable, tally, mismatch }
    }
}

/// The attributes that an operator cannot do without.
fn needed(operator: &Operator) -> impl Iterator<Item = &'static Attribute> {
    operator.newest().attributes.iter().filter(|it| it.otherwise == Otherwise::Invalid)
}

/// Whether columns hold elements of a type: in at most eight bytes each, and in one those of 2 and 4 bits.
fn fits_columns(dtype: DType) -> bool {
    let is_complex = matches!(dtype.kind(), Kind::Complex(_));
    !is_complex && dtype.bits().is_some_and(|bits| bits <= 64)
}

/// The types of an operator, by name.
fn names(operator: &Operator) -> String {
    let types = operator.newest().inputs.first().map_or(&[][..], |port| port.types);
    let types = types.iter().filter(|dtype| fits_columns(**dtype));
    types.map(|dtype| dtype.name()).collect::<Vec<_>>().join(", ")
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Check")
            .field(&self.operator)
            .field(&self.dtype)
            .field(&self.attributes)
            .finish()
    }
}
