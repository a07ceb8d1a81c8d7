//! What there is to know of an operator: its versions, what a specification allows of its results,
//! and the documents that state it.

use std::collections::BTreeMap;
use std::fmt;

use values::dtype::{DType, Kind, integer};
use values::tensor::Tensor;

pub use crate::signature::{
    Attribute, AttributeType, AttributeValue, Attributes, Domain, Invalid, OperatorKind, Otherwise,
    Port, Ports, Presence, Specification, TensorType, Version,
};

use crate::boundaries::BoundaryInputs;
use crate::case_spec::Stated;
use crate::elementwise::{Elementwise, Inputs, WithScalars};
use crate::exact::bracket::Brackets;
use crate::exact::{Conforming, Deviation, Share, distance_of_reading, each_once};
use crate::inputs::{Chain, Parts, Tuple};
use crate::real::Real;
use crate::signature::types_of;
use crate::sweep::run::FastChecks;
use values::element::Element;

/// The latest operator set of ONNX's default domain whose schemas the registry was compared with, those of onnx 1.23.
pub const LATEST_OPSET: i64 = 28;

/// An operator: everything that judges it is reached from here.
pub struct Operator {
    /// Whose operator it is.
    pub domain: Domain,
    /// Its name in that domain, such as `Div`.
    pub name: &'static str,
    /// The name that accuracy profiles know it by: its own, or that of the operator of ONNX that it is a
    /// form of.
    pub judged_as: &'static str,
    /// How its results are determined.
    pub kind: OperatorKind,
    /// Its versions, the oldest first.
    pub versions: &'static [Version],
    /// What is allowed of its results.
    pub reference: &'static dyn Reference,
    /// The fast checks of sweeps, where there are any.
    pub fast_checks: Option<&'static dyn FastChecks>,
    /// The inputs of a type that are hardest to get right, in named parts.
    pub hard_inputs: Option<fn(DType) -> Option<Parts>>,
    /// The inputs of strings; none where a sweep takes no strings.
    pub strings: Option<Inputs>,
    /// The operands that an implementation is given in a sweep in place of those whose result nothing
    /// specifies and processors may trap on; the element still counts as out of the domain.
    pub substitute: Option<fn(DType, Tuple) -> Option<Substitute>>,
    /// The requirements that sweeps cover: of each line a word for element types, the ids of those that every
    /// sweep of them covers, and after a bar those on special values, which a sweep covers that has all
    /// of them.
    pub coverage: &'static str,
    /// The documents that specify it.
    pub documents: &'static [Document],
    /// What these documents state, section by section and interpreted literally, in TOML: the check of the
    /// specifications reads it.
    pub readings: Option<&'static str>,
    /// The cases of its suite of a specification.
    pub cases: Option<fn(Specification) -> Stated>,
}

/// A document that specifies an operator, by the catalogue of its requirements.
#[derive(Debug)]
pub struct Document {
    /// The name of the catalogue's file, without `.toml`.
    pub key: &'static str,
    /// The catalogue, in TOML.
    pub catalogue: &'static str,
}

/// What stands in place of an element whose result nothing specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substitute {
    /// The operands that the implementation is given.
    pub operands: Tuple,
    /// The result that is checked, whatever it gives for them.
    pub result: u64,
}

/// What is allowed of an operator's results.
pub trait Reference: Sync {
    /// Element types and shapes of the outputs, or the restriction that the call breaks beyond those that its
    /// version's signature states.
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid>;

    /// What each output that is asked for may be, for a call that [`Reference::infer`] accepts.
    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>>;

    /// The function that computes an element, where the operator is element-wise on operands of one
    /// type: `None` for every other operator.
    fn elementwise(
        &self,
        _specification: Specification,
        _attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        None
    }

    /// The function of an element of a type and of the scalars that may follow it, all given, in the newest version: `None` for
    /// operators that take no such scalars, or not with elements of the type.
    fn with_scalars(
        &self,
        _specification: Specification,
        _dtype: DType,
        _attributes: &Attributes,
    ) -> Option<WithScalars> {
        None
    }

    /// The function that computes an element, where a second operand says by its type alone that it becomes one of this type:
    /// `None` for operators without such an operand.
    fn like(&self, _like: DType, _attributes: &Attributes) -> Option<Box<dyn Elementwise>> {
        None
    }

    /// Whether an input that has the type of the data says what is done with them, as a number of copies does.
    fn is_control(&self, _version: &Version, _at: usize) -> bool {
        false
    }

    /// Whether ONNX's own inference of shapes refuses a call that [`Reference::infer`] accepts, or gives another shape: no
    /// text decides which is right, so that no case is derived of it.
    fn is_disputed(&self, _call: &Call) -> bool {
        false
    }

    /// Operands at the boundaries of the results of an operator that computes.
    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        None
    }
}

/// What one output may be, element by element; indices are row-major.
pub trait Allowed {
    /// Which elements conform at an index.
    fn at(&self, index: usize) -> Conforming;

    /// The exact result at an index, known to `bits` bits at least; `None` where there is none.
    fn real(&self, index: usize, bits: u32) -> Option<Real>;

    /// How far the element `actual` is from the exact result at an index.
    fn deviation(&self, index: usize, actual: u64) -> Deviation;

    /// Both of an index: which elements conform, and how far each of these is from the exact result. For those
    /// that find them out together.
    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        let conforming = self.at(index);
        let of = |actual| self.deviation(index, actual);
        (conforming, each_once(actual, of))
    }

    /// The share of its bound that the number `actual` takes at an index, rounded up; `None` where no bound decides: the
    /// exact result is a NaN or an infinity, or one result alone conforms. 0 for the correctly rounded number.
    fn share(&self, _index: usize, _actual: u64) -> Option<Share> {
        None
    }

    /// Brackets of all elements, where they are sums that can be bracketed.
    fn brackets(&self) -> Option<Box<dyn Brackets + '_>> {
        None
    }

    /// The elements that the result at an index is computed from, of whatever type each has.
    fn operands(&self, index: usize) -> Vec<Element>;

    /// The place of the input that each of these is an element of, where they are not one of each input in turn.
    fn sources(&self, _index: usize) -> Option<Vec<usize>> {
        None
    }

    /// The function that computes the element at an index from these operands, where the operator is
    /// element-wise.
    fn function(&self) -> Option<&dyn Elementwise> {
        None
    }
}

/// What [`Allowed::judged`] gives where the number that conforms is the exact result, of this type.
pub(crate) fn judged_by_number(
    dtype: DType,
    conforming: Conforming,
    actual: [u64; 2],
) -> (Conforming, [Deviation; 2]) {
    let deviations = each_once(actual, |actual| distance_of_reading(dtype, &conforming, actual));
    (conforming, deviations)
}

impl Operator {
    /// An operator of ONNX's default domain that is judged under its own name, without fast checks,
    /// without anything particular to sweeps, and without documents and cases.
    pub const fn onnx(
        name: &'static str,
        kind: OperatorKind,
        versions: &'static [Version],
        reference: &'static dyn Reference,
    ) -> Self {
        Self {
            domain: Domain::Onnx,
            name,
            judged_as: name,
            kind,
            versions,
            reference,
            fast_checks: None,
            hard_inputs: None,
            strings: None,
            substitute: None,
            coverage: "",
            documents: &[],
            readings: None,
            cases: None,
        }
    }

    /// The version that an operator set has; `None` before the first, and in sets of ONNX later than [`LATEST_OPSET`], of which
    /// nothing is known.
    pub fn version(&self, opset: i64) -> Option<&'static Version> {
        let is_onnx = self.domain == Domain::Onnx;
        if is_onnx && opset > LATEST_OPSET {
            return None;
        }
        self.versions.iter().rfind(|version| version.since <= opset)
    }

    /// The newest version.
    pub fn newest(&self) -> &'static Version {
        const NONE: Version = Version { since: 0, inputs: &[], outputs: &[], attributes: &[] };
        self.versions.last().unwrap_or(&NONE)
    }

    /// The element types of the first output in the newest version.
    pub fn types(&self) -> &'static [DType] {
        self.newest().outputs.first().map_or(&[], |port| port.types)
    }

    /// The inputs of a type that are hardest to get right: results next to a rounding boundary, exact
    /// ties, the thresholds of overflow and underflow, special values and boundaries against each other.
    /// They follow from [number theory](crate::hard) and the formats' parameters, and are computed from
    /// their index; an input may be in several parts. None where the operator states none.
    pub fn hard(&self, dtype: DType) -> Option<Chain> {
        self.hard_inputs.and_then(|parts| parts(dtype)).map(Chain::new)
    }

    /// The ids of the requirements that a sweep of a type covers, special values among its inputs
    /// or not, in order.
    pub fn covered(&self, dtype: DType, specials: bool) -> Vec<&'static str> {
        let ids = self.coverage.lines().flat_map(|line| {
            let (word, ids) = line.split_once(' ').unwrap_or((line, ""));
            let is_of = types_of(word).is_some_and(|types| types.contains(&dtype));
            let (always, by_specials) = ids.split_once('|').unwrap_or((ids, ""));
            let ids = [(is_of, always), (is_of && specials, by_specials)];
            ids.into_iter().filter(|(holds, _)| *holds).flat_map(|(_, ids)| ids.split_whitespace())
        });
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable();
        ids
    }

    /// Number of inputs in the newest version; two where they may be any number.
    pub fn arity(&self) -> usize {
        match self.newest().inputs {
            [port] if port.presence == Presence::Variadic => 2,
            ports => ports.len(),
        }
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Operator").field(&self.domain).field(&self.name).finish()
    }
}

/// Two operators are the same where domain and name are.
impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        (self.domain, self.name) == (other.domain, other.name)
    }
}

impl Eq for Operator {}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// An invocation of an operator that keeps to its version's signature.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operator.
    pub operator: &'static Operator,
    /// Its version.
    pub version: &'static Version,
    /// What it is held to.
    pub specification: Specification,
    /// Its attributes, all of which the version has.
    pub attributes: Attributes,
    /// Its inputs in order, one for each port at least; `None` where an optional one is left out.
    pub inputs: Vec<Option<Tensor>>,
    /// How many outputs are asked for, those that are left out between others counted.
    pub outputs: usize,
    /// The places of the outputs that are left out though one after them is asked for.
    pub left_out: Vec<usize>,
}

impl Call {
    /// The call of an operator's version for all of its outputs, with their types.
    pub fn new(
        operator: &'static Operator,
        version: &'static Version,
        specification: Specification,
        attributes: Attributes,
        inputs: Vec<Option<Tensor>>,
    ) -> Result<(Self, Vec<TensorType>), Invalid> {
        let outputs = version.outputs.len();
        Self::for_outputs(outputs, operator, version, specification, attributes, inputs)
    }

    /// The call of an operator's version for the first so many of its outputs, with their types.
    pub fn for_outputs(
        outputs: usize,
        operator: &'static Operator,
        version: &'static Version,
        specification: Specification,
        attributes: Attributes,
        inputs: Vec<Option<Tensor>>,
    ) -> Result<(Self, Vec<TensorType>), Invalid> {
        let asked = vec![true; outputs];
        Self::asking_for(&asked, operator, version, specification, attributes, inputs)
    }

    /// The call of an operator's version for those of its first outputs of which it is said that they are asked
    /// for, with the types of these.
    pub fn asking_for(
        asked: &[bool],
        operator: &'static Operator,
        version: &'static Version,
        specification: Specification,
        attributes: Attributes,
        mut inputs: Vec<Option<Tensor>>,
    ) -> Result<(Self, Vec<TensorType>), Invalid> {
        let outputs = asked.len();
        let left_out = (0..outputs).filter(|&at| !asked[at]).collect();
        // What is left out at the end need not be named.
        let ports = version.inputs.len();
        if inputs.len() < ports {
            inputs.resize(ports, None);
        }
        let call = Self { operator, version, specification, attributes, inputs, outputs, left_out };
        call.check_attributes()?;
        call.check_inputs()?;
        call.check_outputs()?;
        let types = operator.reference.infer(&call)?.into_iter().enumerate();
        let types = types.filter(|(at, _)| call.asks_for(*at)).map(|(_, output)| output).collect();
        Ok((call, types))
    }

    /// Whether the output at a place is asked for.
    pub fn asks_for(&self, at: usize) -> bool {
        at < self.outputs && !self.left_out.contains(&at)
    }

    /// Number, presence and types of the inputs.
    fn check_inputs(&self) -> Result<(), Invalid> {
        let mut types = BTreeMap::<&str, DType>::new();
        for (at, input) in self.inputs.iter().enumerate() {
            let Some(port) = self.version.input(at) else {
                let (wanted, given) = (self.version.inputs.len(), self.inputs.len());
                return Err(self.invalid(&format!("takes {wanted} inputs, but {given} are given")));
            };
            let Some(input) = input else {
                if port.presence == Presence::Optional {
                    continue;
                }
                return Err(self.invalid(&format!("is not given its input {}", port.name)));
            };
            let dtype = input.dtype();
            if !port.types.contains(&dtype) {
                return Err(self.invalid(&format!("takes no {} of {dtype}", port.name)));
            }
            let bound = *types.entry(port.variable).or_insert(dtype);
            if bound != dtype {
                return Err(self.invalid(&format!(
                    "takes inputs of one type, but is given {bound} and {dtype}"
                )));
            }
        }
        Ok(())
    }

    fn check_outputs(&self) -> Result<(), Invalid> {
        let outputs = self.version.outputs;
        let required = outputs.iter().filter(|port| port.presence != Presence::Optional).count();
        let last = self.outputs.checked_sub(1).and_then(|last| self.version.output(last));
        if self.outputs < required || last.is_none() {
            return Err(self.invalid(&format!("does not have {} outputs", self.outputs)));
        }
        let is_optional =
            |at: &usize| outputs.get(*at).is_some_and(|port| port.presence == Presence::Optional);
        if let Some(at) = self.left_out.iter().find(|at| !is_optional(at)) {
            return Err(self.invalid(&format!("does not leave out its output {at}")));
        }
        Ok(())
    }

    fn check_attributes(&self) -> Result<(), Invalid> {
        let missing = |spec: &&Attribute| {
            spec.otherwise == Otherwise::Invalid && !self.attributes.contains_key(spec.name)
        };
        if let Some(spec) = self.version.attributes.iter().find(missing) {
            return Err(self.invalid(&format!("needs the attribute `{}`", spec.name)));
        }
        for (name, value) in &self.attributes {
            let spec = self.version.attributes.iter().find(|spec| spec.name == name);
            let Some(spec) = spec else {
                return Err(self.invalid(&format!("has no attribute `{name}`")));
            };
            let fits = match (spec.value, value) {
                (AttributeType::Int, AttributeValue::Int(_))
                | (AttributeType::Ints, AttributeValue::Ints(_))
                | (AttributeType::Float, AttributeValue::Float(_))
                | (AttributeType::Floats, AttributeValue::Floats(_))
                | (AttributeType::AnyText, AttributeValue::Text(_))
                | (AttributeType::Texts, AttributeValue::Texts(_))
                | (AttributeType::Tensor, AttributeValue::Tensor(_))
                | (AttributeType::Sparse, AttributeValue::Sparse(_)) => true,
                (AttributeType::Text(choices), AttributeValue::Text(text)) => {
                    choices.contains(&text.as_str())
                }
                _ => false,
            };
            if !fits {
                return Err(self.invalid(&format!("cannot take this value of `{name}`")));
            }
        }
        Ok(())
    }

    /// The refusal of this call, for a reason that the operator's name begins.
    pub fn invalid(&self, problem: &str) -> Invalid {
        Invalid(format!("{}-{} {problem}", self.operator, self.version.since))
    }

    /// The input at a place; the signature has made sure of it.
    pub(crate) fn input(&self, at: usize) -> Result<&Tensor, Invalid> {
        let input = self.inputs.get(at).and_then(Option::as_ref);
        input.ok_or_else(|| self.invalid("lacks an input"))
    }

    /// The integers of an input, which is a list in one dimension; `None` where it is left out.
    pub(crate) fn integers(&self, at: usize) -> Result<Option<Vec<i64>>, Invalid> {
        let Some(tensor) = self.inputs.get(at).and_then(Option::as_ref) else { return Ok(None) };
        let name = self.version.input(at).map_or("", |port| port.name);
        let Kind::Int { signed, bits } = tensor.dtype().kind() else {
            return Err(self.invalid(&format!("takes integers for its input {name}")));
        };
        if tensor.shape().len() != 1 {
            return Err(self.invalid(&format!("takes a list for its input {name}")));
        }
        let elements = (0..tensor.elements()).map_while(|at| tensor.element(at));
        Ok(Some(elements.map(|pattern| integer(pattern, signed, bits) as i64).collect()))
    }

    /// The shapes of all inputs that are given.
    pub(crate) fn shapes(&self) -> Vec<&[usize]> {
        self.inputs.iter().flatten().map(Tensor::shape).collect()
    }

    /// What holds where an attribute is left out, if it is.
    fn otherwise(&self, name: &str) -> Option<Otherwise> {
        let spec = self.version.attributes.iter().find(|spec| spec.name == name)?;
        (!self.attributes.contains_key(name)).then_some(spec.otherwise)
    }

    /// The value of an integer attribute, given or by default.
    pub(crate) fn int(&self, name: &str) -> Option<i64> {
        match (self.attributes.get(name), self.otherwise(name)) {
            (Some(AttributeValue::Int(value)), _) => Some(*value),
            (None, Some(Otherwise::Int(value))) => Some(value),
            _ => None,
        }
    }

    /// The bits of a float32 attribute, given or by default.
    pub(crate) fn float(&self, name: &str) -> Option<u32> {
        match (self.attributes.get(name), self.otherwise(name)) {
            (Some(AttributeValue::Float(bits)), _) => Some(*bits),
            (None, Some(Otherwise::Float(bits))) => Some(bits),
            _ => None,
        }
    }

    /// The attributes, and those of type float that are left out and have a default in the call's version.
    pub(crate) fn with_floats_left_out(&self) -> Attributes {
        let mut attributes = self.attributes.clone();
        for spec in self.version.attributes {
            if let Some(Otherwise::Float(bits)) = self.otherwise(spec.name) {
                attributes.insert(spec.name.to_owned(), AttributeValue::Float(bits));
            }
        }
        attributes
    }

    /// The value of an attribute that is a list of integers, given or by default.
    pub(crate) fn ints(&self, name: &str) -> Option<&[i64]> {
        match (self.attributes.get(name), self.otherwise(name)) {
            (Some(AttributeValue::Ints(values)), _) => Some(values),
            (None, Some(Otherwise::Ints(values))) => Some(values),
            _ => None,
        }
    }

    /// The value of an attribute that is a list of texts, given or by default.
    pub(crate) fn texts(&self, name: &str) -> Option<Vec<&str>> {
        match (self.attributes.get(name), self.otherwise(name)) {
            (Some(AttributeValue::Texts(texts)), _) => {
                Some(texts.iter().map(String::as_str).collect())
            }
            (None, Some(Otherwise::Texts(texts))) => Some(texts.to_vec()),
            _ => None,
        }
    }

    /// The bits of the float32s of an attribute that is a list of them.
    pub(crate) fn floats(&self, name: &str) -> Option<&[u32]> {
        match self.attributes.get(name)? {
            AttributeValue::Floats(all) => Some(all),
            _ => None,
        }
    }

    /// The value of an attribute that is text, given or by default.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match (self.attributes.get(name), self.otherwise(name)) {
            (Some(AttributeValue::Text(text)), _) => Some(text),
            (None, Some(Otherwise::Text(text))) => Some(text),
            _ => None,
        }
    }

    /// The element type of the output at a place, as far as the signature says it: that of the inputs with its
    /// type variable, or the only one that it may have.
    pub(crate) fn output_type(&self, at: usize) -> Option<DType> {
        let output = self.version.output(at)?;
        let same = |at: &usize| {
            self.version.input(*at).is_some_and(|port| port.variable == output.variable)
        };
        let given = |at: usize| self.inputs[at].as_ref().map(Tensor::dtype);
        match output.types {
            [only] => Some(*only),
            _ => (0..self.inputs.len()).filter(same).find_map(given),
        }
    }

    /// Refuses an input of a type that the specification does not name, where it is a restricted one.
    pub(crate) fn restrict_types(&self, types: &[DType]) -> Result<(), Invalid> {
        let other =
            self.inputs.iter().flatten().map(Tensor::dtype).find(|dtype| !types.contains(dtype));
        match other {
            Some(dtype) => Err(self.invalid(&format!("of this specification has no {dtype}"))),
            None => Ok(()),
        }
    }
}
