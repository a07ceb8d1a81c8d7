//! A version of an operator: what a caller finds, asks and runs.

mod error;

use std::fmt;

pub use self::error::{ErrorKind, KernelError};
use super::broadcast::Mismatch;
use super::signature::{
    Broadcasting, Document, Domain, Input, Presence, Restriction, Slices, Types, Version,
};
use super::{Attribute, Attributes, Broadcast};
use values::dtype::DType;
use values::tensor::Tensor;

/// One version of an operator of ONNX's default domain, or of OpenVINO.
#[derive(Clone, Copy)]
pub struct Operator {
    pub(super) kernel: &'static Kernel,
    pub(super) version: &'static Version,
}

/// An operator: what it is, and what computes it.
pub(super) struct Kernel {
    pub(super) domain: Domain,
    pub(super) name: &'static str,
    pub(super) inputs: &'static [Input],
    /// Whether each element of the output is computed from one element of each input.
    pub(super) is_elementwise: bool,
    /// From the oldest to the newest.
    pub(super) versions: &'static [Version],
    /// What SONNX and its draft restrict it to, as far as they specify it.
    pub(super) restricted: &'static [Restriction],
    /// The same on slices of elements, where that is offered.
    pub(super) slices: Option<Slices>,
    /// Computes the outputs of a call whose number of inputs, types and attributes are right.
    pub(super) run: fn(&Call<'_>) -> Result<Vec<Tensor>, KernelError>,
}

/// An operator with its inputs and attributes, which fit its signature.
pub(super) struct Call<'a> {
    pub(super) operator: Operator,
    pub(super) attributes: &'a Attributes,
    /// As given; trailing optional ones may be missing.
    pub(super) given: &'a [Option<&'a Tensor>],
    /// How many outputs are asked for, which matters to those that give any number.
    pub(super) outputs: usize,
}

impl Operator {
    /// Whose operator it is.
    pub const fn domain(&self) -> Domain {
        self.kernel.domain
    }

    /// The operator's name, e.g. `Div`.
    pub const fn name(&self) -> &'static str {
        self.kernel.name
    }

    /// The operator set that brought this version.
    pub const fn since_version(&self) -> i64 {
        self.version.since
    }

    /// The element types that this version is defined for. An input of one fixed type, as the
    /// condition of Where is, does not count.
    pub const fn types(&self) -> &'static [DType] {
        self.version.types
    }

    /// What a document restricts the operator to; `None` where it does not specify the operator.
    pub fn restriction(&self, document: Document) -> Option<&'static Restriction> {
        self.kernel.restricted.iter().find(|own| own.document == document)
    }

    /// The output's shape for inputs of these shapes, and from which input elements each output
    /// element is computed.
    pub fn broadcast(
        &self,
        attributes: &Attributes,
        shapes: &[&[usize]],
    ) -> Result<Broadcast, KernelError> {
        self.check_arity(shapes.len())?;
        self.check_attributes(attributes)?;
        if !self.kernel.is_elementwise {
            return Err(KernelError::NotElementwise { operator: *self });
        }
        let attribute = |name| attributes.get(name);
        let has = |name| self.version.attributes.iter().any(|spec| spec.name == name);
        let plan = match (attribute("broadcast"), shapes, self.version.broadcasting) {
            (_, [a, b], Broadcasting::PerChannel) => Broadcast::per_channel(a, b),
            (_, [to, ..], Broadcasting::Unidirectional) => Broadcast::unidirectional(to, shapes),
            (_, _, Broadcasting::Equal) => Broadcast::equal(shapes),
            (Some(Attribute::Int(1)), [a, b], _) => {
                let axis = match attribute("axis") {
                    Some(&Attribute::Int(axis)) => usize::try_from(axis).ok(),
                    _ => None,
                };
                Broadcast::limited(a, b, axis)
            }
            _ if has("broadcast") => Broadcast::equal(shapes),
            _ if attribute("auto_broadcast") == Some(&Attribute::Text("none".to_owned())) => {
                Broadcast::equal(shapes)
            }
            _ => Broadcast::multidirectional(shapes),
        };
        plan.map_err(|mismatch| self.mismatch(shapes, mismatch))
    }

    /// Computes the operator's outputs. An optional input that is left out is `None`, or missing
    /// at the end. Where elements have no result, the error names the first one in the order of the
    /// output.
    pub fn run(
        &self,
        inputs: &[Option<&Tensor>],
        attributes: &Attributes,
    ) -> Result<Vec<Tensor>, KernelError> {
        self.run_for(1, inputs, attributes)
    }

    /// The same for a node with so many outputs, which matters to operators that give any number.
    pub fn run_for(
        &self,
        outputs: usize,
        inputs: &[Option<&Tensor>],
        attributes: &Attributes,
    ) -> Result<Vec<Tensor>, KernelError> {
        self.check_arity(inputs.len())?;
        self.check_types(inputs)?;
        self.check_attributes(attributes)?;
        (self.kernel.run)(&Call { operator: *self, attributes, given: inputs, outputs })
    }

    /// The first of the attributes and optional inputs that a restriction needs and that is not there.
    pub fn missing(
        &self,
        restriction: &Restriction,
        operands: &[Option<&Tensor>],
        attributes: &Attributes,
    ) -> Option<&'static str> {
        let given = |name: &str| {
            let place = self.inputs().iter().position(|input| input.name == name);
            let input = place.and_then(|at| operands.get(at).copied().flatten());
            input.is_some() || attributes.contains_key(name)
        };
        restriction.needed.iter().copied().find(|name| !given(name))
    }

    /// The inputs that this version has.
    pub(super) fn inputs(&self) -> &'static [Input] {
        let later = |input: &Input| input.since > self.version.since;
        let all = self.kernel.inputs;
        all.split_at(all.iter().position(later).unwrap_or(all.len())).0
    }

    fn check_arity(&self, actual: usize) -> Result<(), KernelError> {
        let inputs = self.inputs();
        let is_needed = |input: &Input| input.presence != Presence::Optional;
        let required = inputs.iter().rposition(is_needed).map_or(0, |at| at + 1);
        let is_variadic = inputs.last().is_some_and(|last| last.presence == Presence::Variadic);
        let most = if is_variadic { usize::MAX } else { inputs.len() };
        let expected = actual.clamp(required, most);
        if actual == expected {
            return Ok(());
        }
        Err(KernelError::Arity { operator: *self, expected, actual })
    }

    fn check_types(&self, inputs: &[Option<&Tensor>]) -> Result<(), KernelError> {
        let operator = *self;
        let (mut common, mut index) = (None, None);
        let specs = self.inputs();
        // The last one may stand for several.
        let specs = specs.iter().chain(specs.last().into_iter().cycle());
        for (spec, input) in specs.zip(inputs) {
            let Some(dtype) = input.map(Tensor::dtype) else {
                if spec.presence == Presence::Optional {
                    continue;
                }
                return Err(KernelError::MissingInput { operator, input: spec.name });
            };
            match spec.types {
                Types::Only(expected) if dtype != expected => {
                    let input = spec.name;
                    return Err(KernelError::InputType { operator, input, expected, dtype });
                }
                Types::OneOf(types) if !types.contains(&dtype) => {
                    return Err(KernelError::Type { operator, dtype });
                }
                Types::Since(sets)
                    if !Types::since(sets, self.since_version()).contains(&dtype) =>
                {
                    return Err(KernelError::Type { operator, dtype });
                }
                Types::Only(_) | Types::OneOf(_) | Types::Since(_) => {}
                Types::Index if !matches!(dtype, DType::Int32 | DType::Int64) => {
                    let (input, expected) = (spec.name, DType::Int64);
                    return Err(KernelError::InputType { operator, input, expected, dtype });
                }
                Types::Index => {
                    let left = *index.get_or_insert(dtype);
                    if left != dtype {
                        return Err(KernelError::TypesDiffer { operator, left, right: dtype });
                    }
                }
                Types::OfVersion | Types::Free if !self.types().contains(&dtype) => {
                    return Err(KernelError::Type { operator, dtype });
                }
                Types::Free => {}
                Types::OfVersion => {
                    let left = *common.get_or_insert(dtype);
                    if left != dtype {
                        return Err(KernelError::TypesDiffer { operator, left, right: dtype });
                    }
                }
            }
        }
        Ok(())
    }

    fn check_attributes(&self, attributes: &Attributes) -> Result<(), KernelError> {
        let operator = *self;
        for (name, value) in attributes {
            match self.version.attributes.iter().find(|spec| spec.name == name) {
                None => return Err(KernelError::UnknownAttribute { operator, name: name.clone() }),
                Some(spec) if !(spec.accepts)(value) => {
                    let (name, expected) = (spec.name, spec.expected);
                    return Err(KernelError::BadAttribute { operator, name, expected });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// The refusal of shapes that do not go together.
    pub(super) fn mismatch(&self, shapes: &[&[usize]], mismatch: Mismatch) -> KernelError {
        match mismatch {
            Mismatch::Size(error) => KernelError::Tensor(error),
            Mismatch::Rule(reason) => KernelError::Shapes {
                operator: *self,
                shapes: shapes.iter().map(|shape| shape.to_vec()).collect(),
                reason,
            },
        }
    }
}

impl<'a> Call<'a> {
    /// All the inputs of an operator that has none to leave out.
    pub(super) fn inputs<const N: usize>(&self) -> Result<[&'a Tensor; N], KernelError> {
        let inputs: Option<Vec<&Tensor>> = self.given.iter().copied().collect();
        inputs.and_then(|inputs| inputs.try_into().ok()).ok_or(KernelError::Arity {
            operator: self.operator,
            expected: N,
            actual: self.given.len(),
        })
    }

    /// The input at a place, if it is given.
    pub(super) fn input(&self, at: usize) -> Option<&'a Tensor> {
        self.given.get(at).copied().flatten()
    }

    /// The value of an integer attribute, or what holds without it.
    pub(super) fn int(&self, name: &str, otherwise: i64) -> i64 {
        match self.attributes.get(name) {
            Some(Attribute::Int(value)) => *value,
            _ => otherwise,
        }
    }

    /// The value of a float attribute, or what holds without it.
    pub(super) fn float(&self, name: &str, otherwise: f32) -> f32 {
        match self.attributes.get(name) {
            Some(Attribute::Float(value)) => *value,
            _ => otherwise,
        }
    }

    /// How all the operands of an element-wise operator are broadcast.
    pub(super) fn broadcast(&self, operands: &[&Tensor]) -> Result<Broadcast, KernelError> {
        let shapes: Vec<&[usize]> = operands.iter().map(|operand| operand.shape()).collect();
        self.operator.broadcast(self.attributes, &shapes)
    }
}

impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        let key = |operator: &Self| (operator.kernel.domain, operator.name());
        key(self) == key(other) && self.since_version() == other.since_version()
    }
}

impl Eq for Operator {}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.name(), self.since_version())
    }
}
