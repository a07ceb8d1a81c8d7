//! DequantizeLinear: elements less a zero point, times a scale.
//!
//! The difference is exact, and the product is rounded to the output's type. What the documents leave open:
//!
//! - In which type the difference is: it may be as it is, or rounded to float32, as ONNX's evaluator has it, or to
//!   the output's type, which since version 23 has the precision of the product.
//! - Whether the product goes through float32, and the scale through the output's type.
//! - A zero point of int32, or of a float type, other than 0.
//!
//! Sources: ONNX's schemas of DequantizeLinear-10, 13, 19, 21, 23, 24, 25 and 28; IEEE 754-2019, 5.4.1
//! (multiplication).

use values::dtype::DType::{
    self, Bfloat16, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2,
    Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Int2, Int4, Int8, Int16, Int32, Uint2, Uint4,
    Uint8, Uint16,
};
use values::dtype::{Kind, integer};
use values::element::Element;
use values::float::FloatFormat;
use values::tensor::Tensor;

use crate::case_table::{self, Own};
use crate::elementwise::{Elementwise, WithScalars};
use crate::exact::extended::Extended;
use crate::exact::{Conforming, Deviation};
use crate::families::quantization::{
    AXIS, BLOCK_SIZE, Granularity, OUTPUT_DTYPE, bits, check_block_size, inputs, output_dtype,
    type_named,
};
use crate::operator::{
    Allowed, Attribute, Attributes, Call, Document, Invalid, Operator, OperatorKind, Port,
    Reference, Specification, TensorType, Version, judged_by_number,
};
use crate::real::Real;

/// DequantizeLinear in ONNX's default domain.
pub static DEQUANTIZELINEAR: Operator = Operator {
    documents: &[Document {
        key: "onnx-dequantizelinear",
        catalogue: include_str!("dequantizelinear/onnx-dequantizelinear.toml"),
    }],
    cases: Some(|of| {
        let tables = [include_str!("dequantizelinear/cases.toml")];
        case_table::cases(of, &DEQUANTIZELINEAR, &tables, Own::NONE)
    }),
    ..Operator::onnx("DequantizeLinear", OperatorKind::Rounded, &VERSIONS, &Dequantize)
};

/// The types of the data, in the order in which versions brought them.
const QUANTIZED: [DType; 16] = [
    Int8,
    Uint8,
    Int32,
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
const SCALES: [DType; 4] = [Float32, Float16, Bfloat16, Float8E8M0];
const OUTPUTS: &[DType] = SCALES.split_at(3).0;

const SINCE_21: [Attribute; 2] = [BLOCK_SIZE, AXIS];
const SINCE_23: [Attribute; 3] = [OUTPUT_DTYPE, BLOCK_SIZE, AXIS];

const VERSIONS: [Version; 8] = [
    const { Ports::like_scale(3, 1) }.since(10, &[]),
    const { Ports::like_scale(3, 1) }.since(13, &[AXIS]),
    const { Ports::like_scale(7, 3) }.since(19, &[AXIS]),
    const { Ports::like_scale(11, 3) }.since(21, &SINCE_21),
    const { Ports::free(12, 3) }.since(23, &SINCE_23),
    const { Ports::free(12, 4) }.since(24, &SINCE_23),
    const { Ports::free(14, 4) }.since(25, &SINCE_23),
    const { Ports::free(16, 4) }.since(28, &SINCE_23),
];

struct Ports {
    inputs: [Port; 3],
    output: [Port; 1],
}

impl Ports {
    /// The first so many types of data and scales; the output has the scale's.
    const fn like_scale(quantized: usize, scales: usize) -> Self {
        let (quantized, scales) = (QUANTIZED.split_at(quantized).0, SCALES.split_at(scales).0);
        Self {
            inputs: [
                Port::new("x", quantized, "T1"),
                Port::new("x_scale", scales, "T2"),
                Port::new("x_zero_point", quantized, "T1").optional(),
            ],
            output: [Port::new("y", scales, "T2")],
        }
    }

    /// The same where the output may have another type than the scale.
    const fn free(quantized: usize, scales: usize) -> Self {
        let output = [Port::new("y", OUTPUTS, "T3")];
        Self { output, ..Self::like_scale(quantized, scales) }
    }

    const fn since(&'static self, since: i64, attributes: &'static [Attribute]) -> Version {
        Version { since, inputs: &self.inputs, outputs: &self.output, attributes }
    }
}

const FOREIGN: &str = "the operands are not those of the operator";
const ZERO_POINT: &str =
    "the document does not say what a zero point other than 0 does to this type";

struct Dequantize;

impl Reference for Dequantize {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let [x, scale] = [call.input(0)?, call.input(1)?];
        check_block_size(call)?;
        Granularity::of(call)?;
        let to = output_dtype(call, OUTPUTS)?.unwrap_or(scale.dtype());
        if !OUTPUTS.contains(&to) {
            let problem = format!("needs an `output_dtype` to a scale of {to}");
            return Err(call.invalid(&problem));
        }
        Ok(vec![TensorType::new(to, x.shape().to_vec())?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let (Ok(x), Ok(scale), [output]) = (call.input(0), call.input(1), outputs) else {
            return Vec::new();
        };
        let Ok(granularity) = Granularity::of(call) else { return Vec::new() };
        let zero = call.inputs.get(2).and_then(Option::as_ref);
        vec![Box::new(Dequantized { x, scale, zero, granularity, to: output.dtype })]
    }

    /// With a scale of the output's type that is named, or float32.
    fn with_scalars(
        &self,
        _: Specification,
        dtype: DType,
        attributes: &Attributes,
    ) -> Option<WithScalars> {
        if !QUANTIZED.contains(&dtype) {
            return None;
        }
        let scale = type_named(attributes, "output_dtype").filter(|named| OUTPUTS.contains(named));
        Some(WithScalars {
            operands: vec![dtype, scale.unwrap_or(Float32), dtype],
            function: Box::new(Product),
            inputs: inputs::TO_DEQUANTIZE,
        })
    }
}

/// What is allowed of the output.
struct Dequantized<'a> {
    x: &'a Tensor,
    scale: &'a Tensor,
    zero: Option<&'a Tensor>,
    granularity: Granularity,
    to: DType,
}

/// An element less its zero point, and its scale.
struct Operands {
    difference: Extended,
    scale: Extended,
}

impl Operands {
    /// Those of bits: of an element and its zero point, of one type, and of a scale.
    fn of([x, zero]: [u64; 2], dtype: DType, scale: (DType, u64)) -> Result<Self, &'static str> {
        let number = Extended::of(dtype, x).ok_or(FOREIGN)?;
        let scale = Extended::of(scale.0, scale.1).ok_or(FOREIGN)?;
        let difference = match dtype.kind() {
            _ if zero == 0 => number,
            Kind::Int { signed, bits } if dtype != Int32 => {
                let value = |pattern: u64| integer(pattern.into(), signed, bits);
                Extended::integer(value(x) - value(zero))
            }
            _ => return Err(ZERO_POINT),
        };
        Ok(Self { difference, scale })
    }

    /// Those of an element with scalars.
    fn given(operands: &[Element]) -> Result<Self, &'static str> {
        let [Element::Bits(dtype, x), Element::Bits(of_scale, scale), Element::Bits(_, zero)] =
            *operands
        else {
            return Err(FOREIGN);
        };
        let bits = |bits: u128| u64::try_from(bits).map_err(|_| FOREIGN);
        Self::of([bits(x)?, bits(zero)?], dtype, (of_scale, bits(scale)?))
    }

    /// The exact product.
    fn real(&self) -> Option<Real> {
        Some(Real::exactly(self.difference.product(&self.scale).finite()?.clone()))
    }

    /// The products of a type that conform.
    fn conforming(&self, to: DType) -> Conforming {
        let Kind::Float(own) = to.kind() else { return Conforming::Unspecified(FOREIGN) };
        let Self { difference, scale } = self;
        let float32 = &FloatFormat::FLOAT32;
        let in_float32 = difference.within(float32).product(&scale.within(float32));
        let in_own = difference.within(own);
        let products = [
            difference.product(scale),
            in_own.product(&scale.within(own)),
            in_own.product(scale),
            in_float32.within(float32),
        ];
        let readings = products.into_iter().map(|product| product.rounded(own));
        Conforming::one_of(readings).unwrap_or(Conforming::Unspecified(FOREIGN))
    }
}

/// The product of an element less a zero point and a scale.
struct Product;

impl Elementwise for Product {
    fn conforming(&self, to: DType, operands: &[Element]) -> Conforming {
        Operands::given(operands).map_or_else(Conforming::Unspecified, |it| it.conforming(to))
    }

    fn real(&self, _: DType, operands: &[Element], _: u32) -> Option<Real> {
        Operands::given(operands).ok()?.real()
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
        judged_by_number(to, self.conforming(to, operands), actual)
    }
}

impl Dequantized<'_> {
    fn operands(&self, index: usize) -> Result<Operands, &'static str> {
        if let Some(open) = self.granularity.open {
            return Err(open);
        }
        let place = self.granularity.place(index, self.x.shape()).ok_or(FOREIGN)?;
        let x = bits(self.x, index).ok_or(FOREIGN)?;
        let scale = bits(self.scale, place).ok_or(FOREIGN)?;
        let zero = match self.zero {
            Some(zero) => bits(zero, place).ok_or(FOREIGN)?,
            None => 0,
        };
        Operands::of([x, zero], self.x.dtype(), (self.scale.dtype(), scale))
    }
}

impl Allowed for Dequantized<'_> {
    fn at(&self, index: usize) -> Conforming {
        let operands = Dequantized::operands(self, index);
        operands.map_or_else(Conforming::Unspecified, |operands| operands.conforming(self.to))
    }

    fn real(&self, index: usize, _: u32) -> Option<Real> {
        Dequantized::operands(self, index).ok()?.real()
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
