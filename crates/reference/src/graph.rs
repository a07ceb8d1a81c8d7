//! What exact arithmetic on a graph may give: the values of its nodes, enclosed one node after the other.
//!
//! An element that is not known exactly is enclosed twice: by what arithmetic on real numbers gives, without any rounding between
//! or within the nodes, and by what it may be where every node may err as far as it is [permitted](Permitted). Ends are
//! numbers of float64, [rounded outwards](span). Rules go by what operators have in common, as the modules do; where
//! there is no rule, nothing is claimed of what a node gives.

mod arithmetic;
mod elementwise;
mod function;
mod moving;
mod normalizing;
mod products;
mod quantizing;
mod recurrent;
mod reducing;
pub mod span;

use std::borrow::Cow;

use bytes::Bytes;
use values::dtype::{DType, Kind, integer};
use values::element::Element;
use values::float::FloatFormat;
use values::onnx::proto::NodeProto;
use values::tensor::{Tensor, element_count};

use self::arithmetic::Arithmetic;
use self::function::Functions;
use self::span::Span;
use crate::broadcast::Broadcast;
use crate::call::NoCall;
use crate::exact::Conforming;
use crate::operator::{Call, OperatorKind, TensorType};

/// The most elements of a value that are enclosed.
const MOST_ELEMENTS: usize = 1 << 24;

/// A value of a graph, as far as it is known.
#[derive(Clone, Debug)]
pub enum Enclosed {
    /// It is known exactly, and every conforming implementation gives it.
    Known(Tensor),
    /// Its elements are enclosed.
    Between(Between),
}

/// Enclosures of the elements of a tensor.
#[derive(Clone, Debug)]
pub struct Between {
    /// The element type.
    pub dtype: DType,
    /// The dimensions, outermost first.
    pub shape: Vec<usize>,
    /// What exact arithmetic gives.
    pub exact: Vec<Span>,
    /// What it may be where each node errs as far as it is permitted.
    pub allowed: Vec<Span>,
}

/// How far results of a node may be off, besides what rounding the steps of its formula once each makes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Permitted {
    /// In ULP of the result.
    pub ulps: f64,
    /// As a share of the result.
    pub relative: f64,
    /// Whatever the result is.
    pub absolute: f64,
}

/// Nothing is known of what a node gives, for this reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotKnown(pub String);

impl NotKnown {
    fn because(why: &str) -> Self {
        Self(why.to_owned())
    }
}

/// What the nodes of a graph give, with what was computed once for all of them.
#[derive(Default)]
pub struct Enclosures {
    functions: Functions,
}

/// A rule: from a node to its outputs.
type Rule = fn(&Site<'_>) -> Result<Vec<Enclosed>, NotKnown>;

impl Enclosures {
    /// What a node of ONNX's default domain gives of these operands, by what it is permitted.
    pub fn of_node(
        &self,
        node: &NodeProto,
        opset: i64,
        operands: &[Option<&Enclosed>],
        permitted: &dyn Fn(&Call, DType) -> Permitted,
    ) -> Result<Vec<Enclosed>, NotKnown> {
        let tensors: Vec<Option<Tensor>> = operands
            .iter()
            .map(|operand| operand.map(Enclosed::stand_in).transpose())
            .collect::<Result<_, _>>()?;
        let are_known = operands.iter().flatten().all(|operand| operand.tensor().is_some());
        let (call, types) = Call::of_node(node, opset, tensors).map_err(|why| match why {
            NoCall::Unknown => NotKnown::because("the reference does not know the operator"),
            NoCall::Invalid(why) => NotKnown(format!("the call is invalid: {why}")),
        })?;
        for output in &types {
            if element_count(&output.shape).is_ok_and(|count| count <= MOST_ELEMENTS) {
                continue;
            }
            return Err(NotKnown::because("it has too many elements"));
        }
        let site = Site {
            permitted: types
                .first()
                .map_or_else(Permitted::default, |it| permitted(&call, it.dtype)),
            functions: &self.functions,
            operands,
            call: &call,
            types: &types,
        };
        if are_known && let Some(known) = site.known() {
            return Ok(known);
        }
        let rule = rule(call.operator.name);
        let rule = rule.ok_or_else(|| NotKnown::because("no rule encloses its results"))?;
        rule(&site)
    }
}

/// The rule of an operator.
fn rule(operator: &str) -> Option<Rule> {
    let rules = [
        moving::rule,
        elementwise::rule,
        products::rule,
        reducing::rule,
        normalizing::rule,
        quantizing::rule,
        recurrent::rule,
    ];
    rules.iter().find_map(|of| of(operator))
}

impl Enclosed {
    /// The element type.
    pub const fn dtype(&self) -> DType {
        match self {
            Self::Known(tensor) => tensor.dtype(),
            Self::Between(between) => between.dtype,
        }
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        match self {
            Self::Known(tensor) => tensor.shape(),
            Self::Between(between) => &between.shape,
        }
    }

    /// The tensor that it is, where each element is certain.
    pub fn tensor(&self) -> Option<Cow<'_, Tensor>> {
        match self {
            Self::Known(tensor) => Some(Cow::Borrowed(tensor)),
            Self::Between(between) => between.certain().map(Cow::Owned),
        }
    }

    /// A tensor of this form: its own where it is known, zeros otherwise.
    fn stand_in(&self) -> Result<Tensor, NotKnown> {
        if let Some(tensor) = self.tensor() {
            return Ok(tensor.into_owned());
        }
        let elements = element_count(self.shape()).ok();
        let bytes = elements.and_then(|elements| self.dtype().packed_len(elements));
        let zeros = bytes.map(|bytes| Bytes::from(vec![0; bytes]));
        let tensor = zeros
            .and_then(|zeros| Tensor::from_bits(self.dtype(), self.shape().to_vec(), zeros).ok());
        tensor.ok_or_else(|| NotKnown::because("an operand has elements of no known form"))
    }

    /// Its elements as spans; `None` where they are no real numbers, or too many.
    pub fn between(&self) -> Option<Cow<'_, Between>> {
        match self {
            Self::Between(between) => Some(Cow::Borrowed(between)),
            Self::Known(tensor) if tensor.elements() > MOST_ELEMENTS => None,
            Self::Known(tensor) => {
                let all = 0..tensor.elements();
                let exact: Option<Vec<Span>> = all.map(|at| span_of(tensor, at)).collect();
                let exact = exact?;
                Some(Cow::Owned(Between {
                    dtype: tensor.dtype(),
                    shape: tensor.shape().to_vec(),
                    allowed: exact.clone(),
                    exact,
                }))
            }
        }
    }
}

/// The element of a tensor at a place; `None` of one that is no real number.
fn span_of(tensor: &Tensor, at: usize) -> Option<Span> {
    let bits = tensor.element(at)?;
    Some(match tensor.dtype().kind() {
        Kind::Float(format) => Span::point(format.to_f64(u64::try_from(bits).ok()?)),
        Kind::Int { signed, bits: width } => {
            let number = integer(bits, signed, width);
            let near = number as f64;
            let is_exact = near as i128 == number;
            if is_exact { Span::point(near) } else { Span::new(near.next_down(), near.next_up()) }
        }
        Kind::Bool => Span::point(f64::from(u8::from(bits != 0))),
        Kind::Complex(_) | Kind::String => return None,
    })
}

impl Between {
    /// The tensor of these elements where each is certain, and an element of the type.
    fn certain(&self) -> Option<Tensor> {
        let number = |(exact, allowed): (&Span, &Span)| {
            (exact.is_point() && exact == allowed).then_some(exact.lower)
        };
        let numbers = self.exact.iter().zip(&self.allowed).map(number);
        let width = self.dtype.bits().filter(|bits| bits % 8 == 0)? as usize / 8;
        let mut bytes = Vec::new();
        for number in numbers {
            let bits = encoded(self.dtype, number?)?;
            bytes.extend_from_slice(bits.to_le_bytes().get(..width)?);
        }
        Tensor::from_bits(self.dtype, self.shape.clone(), bytes.into()).ok()
    }
}

/// The bits of a number in a type that holds it; a zero is not negative.
fn encoded(dtype: DType, number: f64) -> Option<u64> {
    let is_whole = number == number.trunc();
    match dtype.kind() {
        Kind::Float(format) if number.is_finite() => {
            if number == 0.0 {
                return Some(0);
            }
            let bits = number.abs().to_bits();
            let significand = bits & ((1 << 52) - 1) | 1 << 52;
            let exponent = (bits >> 52) as i32 - 1075;
            let magnitude = (bits >> 52 != 0).then(|| format.encode(significand, exponent))??;
            Some(if number < 0.0 { format.negated(magnitude) } else { magnitude })
        }
        Kind::Int { signed, bits } if is_whole && number.abs() < 2_f64.powi(53) => {
            let int = crate::exact::number::Int { signed, bits };
            int.element(number as i128)
        }
        Kind::Bool if number == 0.0 || number == 1.0 => Some(number as u64),
        _ => None,
    }
}

/// A node whose results are to be enclosed.
struct Site<'a> {
    call: &'a Call,
    types: &'a [TensorType],
    operands: &'a [Option<&'a Enclosed>],
    permitted: Permitted,
    functions: &'a Functions,
}

impl Site<'_> {
    /// What it gives where the reference alone decides that: of operands that are known, where each element has one value.
    fn known(&self) -> Option<Vec<Enclosed>> {
        let is_float = |output: &TensorType| matches!(output.dtype.kind(), Kind::Float(_));
        if self.call.operator.kind != OperatorKind::Exact && self.types.iter().any(is_float) {
            return None;
        }
        let allowed = self.call.operator.reference.allowed(self.call, self.types);
        let asked = (0..allowed.len()).filter(|at| self.call.asks_for(*at));
        let outputs = asked.zip(self.types).map(|(at, output)| {
            let elements = element_count(&output.shape).ok()?;
            if output.dtype == DType::String {
                return None;
            }
            let element = |index: usize| match allowed.get(at)?.at(index) {
                Conforming::One(bits) => Some(u128::from(bits)),
                Conforming::Same(Element::Bits(_, bits)) => Some(bits),
                _ => None,
            };
            let width = output.dtype.bits().filter(|bits| bits % 8 == 0)? as usize / 8;
            let mut bytes = Vec::with_capacity(elements * width);
            for index in 0..elements {
                bytes.extend_from_slice(element(index)?.to_le_bytes().get(..width)?);
            }
            let tensor = Tensor::from_bits(output.dtype, output.shape.clone(), bytes.into());
            tensor.ok().map(Enclosed::Known)
        });
        let outputs: Option<Vec<_>> = outputs.collect();
        outputs.filter(|outputs| outputs.len() == self.types.len())
    }

    /// The operand at a place.
    fn operand(&self, at: usize) -> Option<&Enclosed> {
        self.operands.get(at).copied().flatten()
    }

    /// The elements of the operand at a place.
    fn between(&self, at: usize) -> Result<Cow<'_, Between>, NotKnown> {
        let operand =
            self.operand(at).ok_or_else(|| NotKnown::because("an operand is left out"))?;
        operand.between().ok_or_else(|| NotKnown::because("an operand is of no real numbers"))
    }

    /// The elements of all operands, in their order; `None` of one that is left out.
    fn all_between(&self) -> Result<Vec<Option<Cow<'_, Between>>>, NotKnown> {
        let of = |at| match self.operand(at) {
            Some(_) => self.between(at).map(Some),
            None => Ok(None),
        };
        (0..self.operands.len()).map(of).collect()
    }

    /// The tensor of the operand at a place, which has to be certain.
    fn certain(&self, at: usize) -> Result<Cow<'_, Tensor>, NotKnown> {
        let uncertain = || NotKnown(format!("its input {} is not certain", self.port(at)));
        self.operand(at).and_then(Enclosed::tensor).ok_or_else(uncertain)
    }

    fn port(&self, at: usize) -> &'static str {
        self.call.version.input(at).map_or("", |port| port.name)
    }

    /// The type of the first output.
    fn output(&self) -> Result<&TensorType, NotKnown> {
        self.types.first().ok_or_else(|| NotKnown::because("it has no output"))
    }

    /// The format of the elements of an output; `None` of other than floats.
    fn format(&self, output: usize) -> Option<&'static FloatFormat> {
        match self.types.get(output)?.dtype.kind() {
            Kind::Float(format) => Some(format),
            _ => None,
        }
    }

    /// Exact arithmetic.
    const fn exactly(&self) -> Arithmetic<'_> {
        Arithmetic { functions: self.functions, format: None }
    }

    /// Arithmetic that rounds in the format of the first output.
    fn rounding(&self) -> Arithmetic<'_> {
        Arithmetic { format: self.format(0), ..self.exactly() }
    }

    /// An output, by a function of the arithmetic and of the operands' elements, which is computed for exact and for permitted results.
    fn twice(
        &self,
        compute: impl Fn(&Arithmetic<'_>, &[&[Span]]) -> Vec<Span>,
    ) -> Result<Vec<Enclosed>, NotKnown> {
        self.twice_in(self.format(0), compute)
    }

    /// The same with arithmetic that rounds in another format.
    fn twice_in(
        &self,
        format: Option<&'static FloatFormat>,
        compute: impl Fn(&Arithmetic<'_>, &[&[Span]]) -> Vec<Span>,
    ) -> Result<Vec<Enclosed>, NotKnown> {
        let operands = self.all_between()?;
        let of = |get: fn(&Between) -> &[Span]| -> Vec<&[Span]> {
            operands.iter().map(|it| it.as_ref().map_or(&[][..], |it| get(it))).collect()
        };
        let exact = compute(&self.exactly(), &of(|it| &it.exact));
        let allowed = compute(&Arithmetic { format, ..self.exactly() }, &of(|it| &it.allowed));
        self.enclosed(0, exact, allowed).map(|output| vec![output])
    }

    /// An output of these elements, of which the permitted ones are widened by what the node may err.
    fn enclosed(
        &self,
        output: usize,
        exact: Vec<Span>,
        allowed: Vec<Span>,
    ) -> Result<Enclosed, NotKnown> {
        let of =
            self.types.get(output).ok_or_else(|| NotKnown::because("it has no such output"))?;
        let elements = element_count(&of.shape).ok();
        if elements != Some(exact.len()) || elements != Some(allowed.len()) {
            return Err(NotKnown::because("its elements are not those of its shape"));
        }
        let allowed = match (self.format(output), self.call.operator.kind) {
            (None, _) | (_, OperatorKind::Exact) => allowed,
            (Some(_), _) => {
                let by = Arithmetic { format: self.format(output), ..self.exactly() };
                allowed.into_iter().map(|one| self.off(&by, one)).collect()
            }
        };
        // What exact arithmetic gives is always permitted.
        let allowed =
            allowed.into_iter().zip(&exact).map(|(own, exact)| own.hull(*exact)).collect();
        Ok(Enclosed::Between(Between { dtype: of.dtype, shape: of.shape.clone(), exact, allowed }))
    }

    /// What an element may be.
    fn off(&self, by: &Arithmetic<'_>, exact: Span) -> Span {
        let Permitted { ulps, relative, absolute } = self.permitted;
        let own = if ulps > 0.5 { by.off_by(exact, ulps) } else { by.rounded(exact) };
        let close = relative * exact.magnitude() + absolute;
        let own = if close > 0.0 { own.hull(by.rounded(exact).widened(close)) } else { own };
        // Beyond the largest number there is an infinity.
        by.rounded(own)
    }

    /// The places in the operands of the elements that make one of the output.
    fn broadcast(&self) -> Result<Sources, NotKnown> {
        let shapes: Vec<&[usize]> = self.operands.iter().flatten().map(|it| it.shape()).collect();
        let output = self.output()?;
        let broadcast = Broadcast::multidirectional(&shapes);
        let broadcast = broadcast.ok().filter(|broadcast| {
            broadcast.shape() == output.shape && !self.call.attributes.contains_key("axis")
        });
        let broadcast = broadcast
            .ok_or_else(|| NotKnown::because("its operands lie otherwise than NumPy has it"))?;
        let count = element_count(&output.shape).unwrap_or_default();
        let sizes = shapes.iter().map(|shape| element_count(shape).unwrap_or_default()).collect();
        Ok(Sources { broadcast, count, sizes })
    }
}

/// Where the elements of broadcast operands lie.
struct Sources {
    broadcast: Broadcast,
    count: usize,
    sizes: Vec<usize>,
}

impl Sources {
    /// The place in an operand of what makes the element at an index.
    fn of(&self, operand: usize, index: usize) -> usize {
        match self.sizes.get(operand) {
            Some(1) => 0,
            Some(size) if *size == self.count => index,
            _ => self.broadcast.source(operand, index),
        }
    }
}

#[cfg(test)]
mod tests;
