//! QuantizeLinear: elements divided by a scale, rounded, moved by a zero point, and saturated.
//!
//! The quotient is rounded to the type in which it is computed; then to the nearest integer, ties to even, to which
//! the zero point is added; or to a format of 8 bits or fewer. What the documents leave open:
//!
//! - The type of the division, before version 23, and since then where the scale is of int32 or float8e8m0:
//!   it may be that of either operand, float32, float64, as NumPy has it, or none. Since version 23 it is that of
//!   the scale or the attribute's, to which the operands may be rounded before, or not.
//! - NaN as an integer or as a float of 6 bits, scales of zero, and what a zero point of a float type other than 0 does.
//! - The sign of a quotient that is -0, to which a zero point of +0 is added or not.
//!
//! The tables of `saturate` that the document speaks of are those of Cast. That the floats of 6 bits saturate is said of
//! the attribute: "those types have no non-saturating (infinity-representable) encoding to fall back to". Sources: ONNX's
//! schemas of QuantizeLinear-10, 13, 19, 21, 23, 24, 25 and 28, and its pages on float8 and float4.

use values::dtype::DType::{
    self, Bfloat16, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Uint2,
    Uint4, Uint8, Uint16,
};
use values::dtype::Kind;
use values::element::Element;
use values::float::{FloatFormat, Specials};
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, WithScalars};
use crate::exact::extended::Extended;
use crate::exact::number::Int;
use crate::exact::real::Rational;
use crate::exact::{Conforming, Deviation};
use crate::families::quantization::{
    AXIS, BLOCK_SIZE, Granularity, OUTPUT_DTYPE, bits, check_block_size, inputs, int_of,
    output_dtype, type_named,
};
use crate::operator::{
    Allowed, Attribute, AttributeType, Attributes, Call, Document, Invalid, Operator, OperatorKind,
    Otherwise, Port, Reference, Specification, TensorType, Version, judged_by_number,
};
use crate::real::Real;

/// QuantizeLinear in ONNX's default domain.
pub static QUANTIZELINEAR: Operator = Operator {
    documents: &[Document {
        key: "onnx-quantizelinear",
        catalogue: include_str!("quantizelinear/onnx-quantizelinear.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("quantizelinear/cases.toml")];
        case_table::cases(of, &QUANTIZELINEAR, &tables, Own::NONE)
    }),
    ..Operator::onnx("QuantizeLinear", OperatorKind::Rounded, &VERSIONS, &Quantize)
};

const DATA: [DType; 4] = [Float32, Int32, Float16, Bfloat16];
const SCALES: [DType; 5] = [Float32, Float16, Bfloat16, Int32, Float8E8M0];

/// The types of the output, in the order in which versions brought them.
const QUANTIZED: [DType; 15] = [
    Int8,
    Uint8,
    Float8E4M3Fn,
    Float8E4M3Fnuz,
    Float8E5M2,
    Float8E5M2Fnuz,
    Int16,
    Uint16,
    Uint4,
    Int4,
    Float4E2M1,
    Uint2,
    Int2,
    Float6E2M3,
    Float6E3M2,
];

const SATURATE: Attribute =
    Attribute::new("saturate", AttributeType::Int).otherwise(Otherwise::Int(1));
const PRECISION: Attribute =
    Attribute::new("precision", AttributeType::Int).otherwise(Otherwise::Int(0));

const SINCE_21: [Attribute; 4] = [OUTPUT_DTYPE, BLOCK_SIZE, SATURATE, AXIS];
const SINCE_23: [Attribute; 5] = [PRECISION, OUTPUT_DTYPE, BLOCK_SIZE, SATURATE, AXIS];

const VERSIONS: [Version; 8] = [
    const { Ports::new(2, FLOAT32, 2) }.since(10, &[]),
    const { Ports::new(2, FLOAT32, 2) }.since(13, &[AXIS]),
    const { Ports::new(4, SAME, 6) }.since(19, &[SATURATE, AXIS]),
    const { Ports::new(4, SAME, 10) }.since(21, &SINCE_21),
    const { Ports::new(4, (SCALES.split_at(4).0, "T2"), 11) }.since(23, &SINCE_23),
    const { Ports::new(4, (&SCALES, "T2"), 11) }.since(24, &SINCE_23),
    const { Ports::new(4, (&SCALES, "T2"), 13) }.since(25, &SINCE_23),
    const { Ports::new(4, (&SCALES, "T2"), 15) }.since(28, &SINCE_23),
];

/// The types and the type variable of the scale: float32, or the data's own type.
const FLOAT32: (&[DType], &str) = (&[Float32], "T2");
const SAME: (&[DType], &str) = (&DATA, "T1");

struct Ports {
    inputs: [Port; 3],
    output: [Port; 1],
}

impl Ports {
    /// The first so many types of data, and of the output.
    const fn new(
        data: usize,
        (scales, variable): (&'static [DType], &'static str),
        quantized: usize,
    ) -> Self {
        let quantized = QUANTIZED.split_at(quantized).0;
        Self {
            inputs: [
                Port::new("x", DATA.split_at(data).0, "T1"),
                Port::new("y_scale", scales, variable),
                Port::new("y_zero_point", quantized, "T3").optional(),
            ],
            output: [Port::new("y", quantized, "T3")],
        }
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

const FOREIGN: &str = "the operands are not those of the operator";
const PRECISION_OPEN: &str = "the document does not say how numbers of this precision are divided";
const ZERO_SCALE: &str = "the document does not say what becomes of a scale of zero";
const NAN_INTEGER: &str = "the document does not say which integer a NaN becomes";
const FLOAT_ZERO_POINT: &str =
    "the document does not say how a zero point of a float type is added";
const SATURATE_OPEN: &str = "the document knows no such `saturate`";

struct Quantize;

impl Reference for Quantize {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let x = call.input(0)?;
        check_block_size(call)?;
        Granularity::of(call)?;
        Division::of(call)?;
        let types = call.version.output(0).map_or(&[][..], |port| port.types);
        let named = output_dtype(call, types)?;
        let zero = call.inputs.get(2).and_then(Option::as_ref).map(Tensor::dtype);
        let to = match (named, zero) {
            (Some(named), Some(zero)) if named != zero => {
                let problem = format!("has no `output_dtype` {named} with a zero point of {zero}");
                return Err(call.invalid(&problem));
            }
            _ => named.or(zero).unwrap_or(Uint8),
        };
        Ok(vec![TensorType::new(to, x.shape().to_vec())?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(x), Ok(scale), [output]) = (call.input(0), call.input(1), outputs) else {
            return Vec::new();
        };
        let (Ok(granularity), Ok(divisions)) = (Granularity::of(call), Division::of(call)) else {
            return Vec::new();
        };
        let zero = call.inputs.get(2).and_then(Option::as_ref);
        let rule = Rule { divisions, saturate: call.int("saturate").unwrap_or(1) };
        vec![Box::new(Quantized { x, scale, zero, granularity, rule, to: output.dtype })]
    }

    /// With a scale of the elements' type, of float32 for integers, and a zero point of the type that is named, or uint8.
    fn with_scalars(
        &self,
        _: Specification,
        dtype: DType,
        attributes: &Attributes,
    ) -> Option<WithScalars> {
        if !DATA.contains(&dtype) {
            return None;
        }
        let scale = if dtype == Int32 { Float32 } else { dtype };
        let types = QUANTIZELINEAR.types();
        let zero = type_named(attributes, "output_dtype").filter(|named| types.contains(named));
        let precision = int_of(attributes, "precision");
        let divisions = Division::since_23(precision, [dtype, scale]).unwrap_or_default();
        let saturate = int_of(attributes, "saturate").unwrap_or(1);
        Some(WithScalars {
            operands: vec![dtype, scale, zero.unwrap_or(Uint8)],
            function: Box::new(Rule { divisions, saturate }),
            inputs: inputs::TO_QUANTIZE,
        })
    }
}

/// How a quotient is computed: exactly, or rounded to a format, before which its operands are, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Division {
    Exactly,
    Once(&'static FloatFormat),
    Converted(&'static FloatFormat),
}

impl Division {
    /// The readings of a call; none where the precision that is asked for is open.
    fn of(call: &Call) -> Result<Vec<Self>, Invalid> {
        let operands = [call.input(0)?.dtype(), call.input(1)?.dtype()];
        let precision = call.int("precision");
        if precision.unwrap_or(0) == 0 && call.version.since < 23 {
            return Ok(Self::open(operands));
        }
        let none = || call.invalid(&format!("has no `precision` {}", precision.unwrap_or(0)));
        Self::since_23(precision, operands).ok_or_else(none)
    }

    /// The readings since version 23 of a precision by its number, where one is given, or of the operands' types; `None`
    /// where that is the number of no type.
    fn since_23(precision: Option<i64>, operands: [DType; 2]) -> Option<Vec<Self>> {
        let known = |format| vec![Self::Converted(format), Self::Once(format)];
        match precision.filter(|code| *code != 0) {
            Some(code) => {
                let dtype = i32::try_from(code).ok().and_then(DType::from_onnx)?;
                Some(wide(dtype).map(known).unwrap_or_default())
            }
            None => Some(wide(operands[1]).map_or_else(|| Self::open(operands), known)),
        }
    }

    /// The readings where the document does not say in which type operands of these types are divided.
    pub(super) fn open(operands: [DType; 2]) -> Vec<Self> {
        let own = operands.into_iter().filter_map(wide).map(Self::Once);
        let float32 =
            wide(Float32).into_iter().flat_map(|it| [Self::Once(it), Self::Converted(it)]);
        let float64 = wide(Float64).map(Self::Once);
        own.chain(float32).chain(float64).chain([Self::Exactly]).collect()
    }

    pub(super) fn quotient(self, x: &Extended, scale: &Extended) -> Extended {
        match self {
            Self::Exactly => x.quotient(scale),
            Self::Once(format) => x.quotient(scale).within(format),
            Self::Converted(format) => {
                x.within(format).quotient(&scale.within(format)).within(format)
            }
        }
    }
}

/// The format of a float type of 16 bits and more.
fn wide(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype.kind() {
        Kind::Float(format) if format.width() >= 16 => Some(format),
        _ => None,
    }
}

/// An integer quotient by the readings, with its zero point.
pub(super) fn to_integer(
    divisions: &[Division],
    [x, scale]: [&Extended; 2],
    zero: i128,
    int: Int,
) -> Conforming {
    let readings = divisions.iter().map(|division| {
        let quotient = division.quotient(x, scale).clamped(zero, int);
        quotient.map_or(Conforming::Unspecified(NAN_INTEGER), Conforming::One)
    });
    Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(PRECISION_OPEN))
}

/// An element, its scale, and the bits of its zero point.
struct Operands {
    x: Extended,
    scale: Extended,
    zero: u64,
}

impl Operands {
    /// Those of an element with scalars.
    fn of(operands: &[Element]) -> Option<Self> {
        let [Element::Bits(of_x, x), Element::Bits(of_scale, scale), Element::Bits(_, zero)] =
            *operands
        else {
            return None;
        };
        let number = |dtype, bits: u128| Extended::of(dtype, u64::try_from(bits).ok()?);
        let [x, scale] = [number(of_x, x)?, number(of_scale, scale)?];
        Some(Self { x, scale, zero: u64::try_from(zero).ok()? })
    }

    /// The quotient with the zero point of a type, before anything is rounded.
    fn real(&self, to: DType) -> Option<Real> {
        let quotient = self.x.quotient(&self.scale).finite()?.clone();
        let zero = match to.kind() {
            Kind::Int { signed, bits } => Int { signed, bits }.value(self.zero),
            _ => 0,
        };
        Some(Real::exactly(quotient + Rational::from(num_bigint::BigInt::from(zero))))
    }
}

/// What becomes of an element, whichever scale it has.
struct Rule {
    divisions: Vec<Division>,
    saturate: i64,
}

impl Rule {
    fn conforming(&self, to: DType, operands: &Operands) -> Conforming {
        let &Operands { ref x, ref scale, zero } = operands;
        if scale.is_zero() {
            return Conforming::Unspecified(ZERO_SCALE);
        }
        let format = match to.kind() {
            Kind::Float(format) => format,
            Kind::Int { signed, bits } => {
                let int = Int { signed, bits };
                return to_integer(&self.divisions, [x, scale], int.value(zero), int);
            }
            Kind::Bool | Kind::Complex(_) | Kind::String => {
                return Conforming::Unspecified(FOREIGN);
            }
        };
        if zero != 0 {
            return Conforming::Unspecified(FLOAT_ZERO_POINT);
        }
        // Formats of four and six bits have nothing to tell that they do not saturate.
        let saturates = format.specials == Specials::Finite || self.saturate == 1;
        if !saturates && self.saturate != 0 {
            return Conforming::Unspecified(SATURATE_OPEN);
        }
        let readings = self.divisions.iter().flat_map(|division| {
            let quotient = division.quotient(x, scale);
            let result = |quotient: &Extended| match saturates {
                true => quotient.saturated(format),
                false => quotient.rounded(format),
            };
            let plus_zero = quotient.is_zero().then(|| result(&Extended::integer(0)));
            std::iter::once(result(&quotient)).chain(plus_zero)
        });
        Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(PRECISION_OPEN))
    }
}

impl Elementwise for Rule {
    fn conforming(&self, to: DType, operands: &[Element]) -> Conforming {
        let operands = Operands::of(operands);
        let open = Conforming::Unspecified(FOREIGN);
        operands.map_or(open, |operands| Self::conforming(self, to, &operands))
    }

    fn real(&self, to: DType, operands: &[Element], _: u32) -> Option<Real> {
        Operands::of(operands)?.real(to)
    }

    fn deviation(&self, to: DType, operands: &[Element], actual: u64) -> Deviation {
        self.judged(to, operands, [actual; 2]).1[0]
    }

    fn judged(
        &self,
        to: DType,
        operands: &[Element],
        actual: [u64; 2],
    ) -> (Conforming, [Deviation; 2]) {
        judged_by_number(to, Elementwise::conforming(self, to, operands), actual)
    }
}

/// What is allowed of the output.
struct Quantized<'a> {
    x: &'a Tensor,
    scale: &'a Tensor,
    zero: Option<&'a Tensor>,
    granularity: Granularity,
    rule: Rule,
    to: DType,
}

impl Quantized<'_> {
    fn operands(&self, index: usize) -> Option<Operands> {
        let place = self.granularity.place(index, self.x.shape())?;
        let x = Extended::of(self.x.dtype(), bits(self.x, index)?)?;
        let scale = Extended::of(self.scale.dtype(), bits(self.scale, place)?)?;
        let zero = match self.zero {
            Some(zero) => bits(zero, place)?,
            None => 0,
        };
        Some(Operands { x, scale, zero })
    }
}

impl Allowed for Quantized<'_> {
    fn at(&self, index: usize) -> Conforming {
        if let Some(open) = self.granularity.open {
            return Conforming::Unspecified(open);
        }
        let operands = Quantized::operands(self, index);
        let open = Conforming::Unspecified(FOREIGN);
        operands.map_or(open, |operands| self.rule.conforming(self.to, &operands))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Quantized::operands(self, index)?.real(self.to)
    }

    fn deviation(&self, index: usize, actual: u64) -> Deviation {
        self.judged(index, [actual; 2]).1[0]
    }

    fn judged(&self, index: usize, actual: [u64; 2]) -> (Conforming, [Deviation; 2]) {
        judged_by_number(self.to, self.at(index), actual)
    }

    fn operands(&self, index: usize) -> Vec<Element> {
        let place = self.granularity.place(index, self.x.shape());
        let at = |tensor| Element::of(tensor, place?);
        let x = Element::of(self.x, index);
        x.into_iter().chain(at(self.scale)).chain(self.zero.and_then(at)).collect()
    }
}

#[cfg(test)]
mod tests;
