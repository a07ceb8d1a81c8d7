//! The check of one operator on one type: the function that decides each result, and the fast checks
//! where there are any.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use values::dtype::{DType, Kind};
use values::element::Element;
use values::tensor::Tensor;

use crate::elements;
use crate::elementwise::{Elementwise, Inputs, WithScalars};
use crate::exact::{Conforming, Deviation, Number};
use crate::inputs::{Chain, Choices, Column, Space, Stratified};
use crate::memoised::Memoised;
use crate::operator::{
    Attribute, AttributeValue, Attributes, Call, Invalid, Operator, Otherwise, Port, Specification,
    TensorType,
};
use crate::sweep::exact_checker::{ExactChecker, Mismatch, bits_of};
use crate::sweep::run::Run;
use crate::sweep::{MAX_ARITY, Tally};

/// The check of one element-wise operator on one type, as ONNX's newest version has it with some attributes.
#[derive(Clone)]
pub struct Check {
    operator: &'static Operator,
    attributes: Attributes,
    function: Arc<dyn Elementwise>,
    dtype: DType,
    /// The type of each operand.
    operands: Vec<DType>,
    /// The inputs of an operator that takes scalars, or of strings.
    inputs: Option<Inputs>,
    has_scalars: bool,
    /// The type of the operand that says by its type alone which type results have.
    like: Option<DType>,
    result: DType,
    portable: bool,
}

/// There is no check of an operator on a type with these attributes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// It computes no element from up to three others.
    #[error("{0} does not compute each element from up to three others")]
    NotElementwise(&'static Operator),
    /// It does not take the type, or columns hold no elements of the type, or of the result's.
    #[error("{0} has no type {1}; its types are: {types}", types = names(.0))]
    Type(&'static Operator, DType),
    /// It takes strings, and nothing says what becomes of any as this type.
    #[error("{0} of strings to {1} is undefined: whatever comes back conforms")]
    Undefined(&'static Operator, DType),
    /// It takes the type of its results from an operand, of which none is named.
    #[error("{0} gives results of the type of an operand, which has to be named")]
    NothingLike(&'static Operator),
    /// It takes the type of its results from no operand, and one is named.
    #[error("{0} has no operand whose type its results have")]
    Like(&'static Operator),
    /// It does not take these attributes, or not on this type, or needs others.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl Check {
    /// The check of an operator on a type without attributes, where its results are of that type, and numbers.
    pub fn new(operator: &'static Operator, dtype: DType) -> Option<Self> {
        let check = Self::of(operator, dtype, Attributes::new()).ok()?;
        let is_number = !matches!(dtype, DType::Bool | DType::String);
        (check.result == dtype && is_number).then_some(check)
    }

    /// The check of an operator on operands of a type with these attributes. The call says which type the results are of.
    pub fn of(
        operator: &'static Operator,
        dtype: DType,
        attributes: Attributes,
    ) -> Result<Self, Unchecked> {
        Self::like(operator, dtype, None, attributes)
    }

    /// The same, where the results have the type of an operand: of this one.
    pub fn like(
        operator: &'static Operator,
        dtype: DType,
        like: Option<DType>,
        attributes: Attributes,
    ) -> Result<Self, Unchecked> {
        if !Self::is_of(operator) {
            return Err(Unchecked::NotElementwise(operator));
        }
        match (like, Self::takes_like(operator)) {
            (None, true) => return Err(Unchecked::NothingLike(operator)),
            (Some(_), false) => return Err(Unchecked::Like(operator)),
            _ => {}
        }
        let version = operator.newest();
        let no_type = Unchecked::Type(operator, dtype);
        let takes = version.inputs.iter().any(|port| port.types.contains(&dtype));
        let with_scalars = operator.reference.with_scalars(Specification::Onnx, dtype, &attributes);
        let operands = with_scalars.as_ref().map_or_else(
            || types_of(operator, dtype, like.is_some()),
            |with_scalars| Some(with_scalars.operands.clone()),
        );
        let Some(operands) = operands.filter(|_| takes && fits_columns(operator, dtype)) else {
            return Err(no_type);
        };
        let blank = |(at, &dtype): (usize, &DType)| {
            elements::blank(dtype, shape(with_scalars.is_some(), at, &[0])).ok().map(Some)
        };
        let inputs: Option<Vec<_>> = operands.iter().enumerate().map(blank).collect();
        let mut inputs = inputs.ok_or(no_type.clone())?;
        inputs.extend(like.map(|like| elements::blank(like, &[]).ok()));
        let call = Call::new(operator, version, Specification::Onnx, attributes.clone(), inputs)?;
        let [TensorType { dtype: result, .. }] = call.1[..] else { return Err(no_type) };
        let has_scalars = with_scalars.is_some();
        let (function, inputs) = match with_scalars {
            Some(WithScalars { function, inputs, .. }) => (Some(function), Some(inputs)),
            None => {
                let of_strings = operator.strings.filter(|_| dtype == DType::String);
                (function_of(operator, like, &attributes), of_strings)
            }
        };
        let function = function.ok_or(no_type)?.into();
        if !fits_columns(operator, result) {
            return Err(Unchecked::Type(operator, result));
        }
        let are_some = |inputs: &Inputs| (inputs.hard)(&operands, result).is_some();
        if dtype == DType::String && !inputs.as_ref().is_some_and(are_some) {
            return Err(Unchecked::Undefined(operator, result));
        }
        Ok(Self {
            operator,
            attributes,
            function,
            dtype,
            operands,
            inputs,
            has_scalars,
            like,
            result,
            portable: false,
        })
    }

    /// Whether there is a check of an operator on some type with some attributes: it computes each element of its
    /// output from up to three others. Those attributes that it needs are integers, of
    /// which 1 is always a value.
    pub fn is_of(operator: &Operator) -> bool {
        let version = operator.newest();
        let one = |it: &Attribute| (it.name.to_owned(), AttributeValue::Int(1));
        let attributes = needed(operator).map(one).collect();
        let mut types = version.inputs.iter().flat_map(|port| port.types);
        version.outputs.len() == 1
            && (1..=MAX_ARITY).contains(&operator.arity())
            && (function_of(operator, None, &attributes).is_some()
                || Self::takes_like(operator)
                || types.any(|dtype| takes_scalars(operator, *dtype, &attributes)))
    }

    /// Whether an operator takes the type of its results from an operand, of which it takes nothing else.
    pub fn takes_like(operator: &Operator) -> bool {
        function_of(operator, Some(DType::Float32), &Attributes::new()).is_some()
    }

    /// The same without the processor's newer vector instructions. It gives the same tally.
    pub fn portable(self) -> Self {
        Self { portable: true, ..self }
    }

    /// The same, which keeps in memory what it found out of each input that fast checks leave to exact arithmetic: for whoever checks
    /// many implementations on the same inputs. It gives the same tally.
    pub fn memoised(self) -> Self {
        Self { function: Arc::new(Memoised::new(self.function, self.dtype)), ..self }
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

    /// The element type of the operands, but for those of which the operator has a type of its own.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The element types of all operands, in order: the condition of a choice is a truth value, whatever is chosen.
    pub fn operands(&self) -> &[DType] {
        &self.operands
    }

    /// Empty columns, one for each operand.
    pub fn columns(&self) -> Vec<Column> {
        self.operands.iter().copied().map(Column::new).collect()
    }

    /// Those two operands, or the one, by whose sizes results are shown: the first ones that are of the type.
    pub fn axes(&self) -> Range<usize> {
        let is_of = |dtype: &&DType| **dtype == self.dtype;
        let first = self.operands.iter().position(|dtype| is_of(&dtype)).unwrap_or(0);
        let count = self.operands[first..].iter().take(2).take_while(is_of).count();
        first..first + count
    }

    /// Which operands are scalars, one for all elements of a call: those after the element, or none.
    pub fn scalars(&self) -> Range<usize> {
        let first = if self.has_scalars { 1 } else { self.operands.len() };
        first..self.operands.len()
    }

    /// The type of the operand that says by its type alone which type results have. It is none of the
    /// [operands](Self::operands) that results are computed from.
    pub const fn like_type(&self) -> Option<DType> {
        self.like
    }

    /// What a call has after the operands: the one that says which type results have, a scalar, if there is one.
    pub fn example_of_type(&self) -> Option<Tensor> {
        self.like.and_then(|like| elements::blank(like, &[]).ok())
    }

    /// The shape of an operand in a call whose elements have this one.
    pub fn shape<'a>(&self, operand: usize, elements: &'a [usize]) -> &'a [usize] {
        shape(self.has_scalars, operand, elements)
    }

    /// Its inputs that are [hardest to get right](Operator::hard); none where none are known.
    pub fn hard(&self) -> Option<Chain> {
        match &self.inputs {
            Some(inputs) => (inputs.hard)(&self.operands, self.result).map(Chain::new),
            None => self.operator.hard(self.dtype),
        }
    }

    /// So many random inputs of every stratum of its operands, drawn from a seed; none where they are more than can be numbered.
    pub fn stratified(&self, count: u64, seed: u64) -> Option<Box<dyn Space>> {
        if let Some(inputs) = &self.inputs {
            return (inputs.stratified)(&self.operands, self.result, count, seed);
        }
        let signed = self.takes_negative_numbers();
        Some(match self.operands[..] {
            [DType::Bool, _, _] => Box::new(Choices::new(self.dtype, signed, count, seed)?),
            _ => Box::new(Stratified::new(self.dtype, self.operands.len(), signed, count, seed)?),
        })
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
        let one = |dtype: &DType| if *dtype == self.dtype { minus_one } else { 1 };
        let operands = self.elements(&self.operands.iter().map(one).collect::<Vec<_>>());
        self.function.real(self.result, &operands, u64::BITS).is_some()
    }

    /// The operands as elements.
    pub fn elements(&self, operands: &[u64]) -> Vec<Element> {
        let typed = self.operands.iter().zip(operands);
        typed.map(|(&dtype, &bits)| Element::Bits(dtype, bits.into())).collect()
    }

    /// Whether operands or results are strings, which have no bits.
    pub fn has_strings(&self) -> bool {
        self.operands.iter().chain([&self.result]).any(|dtype| *dtype == DType::String)
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
        self.judged_elements(&self.elements(operands), &Element::Bits(self.result, actual.into()))
    }

    /// Both of operands and a result of whatever types, strings among them.
    pub fn judged_elements(
        &self,
        operands: &[Element],
        actual: &Element,
    ) -> (Conforming, Deviation) {
        let (conforming, [deviation, _]) =
            self.function.judged(self.result, operands, [bits_of(actual); 2]);
        (conforming, deviation)
    }

    /// [Checks](Self::run) the results in a column, of operands in columns of the same length.
    pub fn run_columns(
        &self,
        operands: &[Column],
        results: &Column,
        tally: &mut Tally,
        mismatch: &mut dyn FnMut(Mismatch),
    ) {
        if !self.has_strings() {
            let bytes: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
            return self.run(&bytes, results.bytes(), tally, mismatch);
        }
        let exact = self.exact();
        for at in 0..results.len() {
            let operands: Vec<Element> = operands.iter().map(|column| column.get(at)).collect();
            exact.check(at, &operands, &results.get(at), tally, mismatch);
        }
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
        let Some(operands) = operands.get(..self.operands.len()) else { return };
        let ([first, .., last] | [first @ last]) = operands else { return };
        if !self.fast(tally, mismatch, [first, last, results]) {
            self.steps(tally, mismatch).exactly(operands, results);
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
        Run { exact: self.exact(), portable: self.portable, tally, mismatch }
    }

    fn exact(&self) -> ExactChecker<'_> {
        ExactChecker { function: self.function(), operands: &self.operands, result: self.result }
    }
}

/// The function of an operator that takes no scalars; with a type, the one of which an operand says that it gives this type.
fn function_of(
    operator: &Operator,
    like: Option<DType>,
    attributes: &Attributes,
) -> Option<Box<dyn Elementwise>> {
    match like {
        Some(like) => operator.reference.like(like, attributes),
        None => operator.reference.elementwise(Specification::Onnx, attributes),
    }
}

/// The types of the operands of an operator on elements of a type alone, without the last where that says the type of results.
fn types_of(operator: &Operator, dtype: DType, is_like: bool) -> Option<Vec<DType>> {
    let count = operator.arity() - usize::from(is_like);
    let ports = operator.newest().inputs.iter().cycle().take(count);
    ports.map(|port| type_of(port, dtype)).collect()
}

fn takes_scalars(operator: &Operator, dtype: DType, attributes: &Attributes) -> bool {
    operator.reference.with_scalars(Specification::Onnx, dtype, attributes).is_some()
}

/// The shape of an operand among elements of this one, or after one element.
const fn shape(has_scalars: bool, operand: usize, elements: &[usize]) -> &[usize] {
    if has_scalars && operand > 0 { &[] } else { elements }
}

/// The attributes that an operator cannot do without.
fn needed(operator: &Operator) -> impl Iterator<Item = &'static Attribute> {
    operator.newest().attributes.iter().filter(|it| it.otherwise == Otherwise::Invalid)
}

/// The type of a port's elements where the operator is on a type: the one that the port has, if it has but one; `None` where it does not take
/// the type.
fn type_of(port: &Port, dtype: DType) -> Option<DType> {
    match port.types {
        [only] => Some(*only),
        types => types.contains(&dtype).then_some(dtype),
    }
}

/// Whether there are columns of elements of a type: of all but complex numbers, and of strings where the operator has inputs of strings.
fn fits_columns(operator: &Operator, dtype: DType) -> bool {
    match dtype.kind() {
        Kind::Complex(_) => false,
        Kind::String => operator.strings.is_some(),
        Kind::Float(_) | Kind::Int { .. } | Kind::Bool => true,
    }
}

/// The types of an operator's elements, by name: those of its first input that has a choice.
fn names(operator: &Operator) -> String {
    let mut ports = operator.newest().inputs.iter().map(|port| port.types);
    let first = ports.clone().next();
    let types = ports.find(|types| types.len() > 1).or(first).unwrap_or_default();
    let types = types.iter().filter(|dtype| fits_columns(operator, **dtype));
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
