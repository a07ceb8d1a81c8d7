//! Disagreements on the results of single elements.

use onnx_conformance::dtype::DType::{
    self, Bfloat16, Bool, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64, Uint2, Uint4,
    Uint8, Uint16, Uint32, Uint64,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::reference::operator::AttributeValue;
use values::element::Element;

use super::{ANY, Disagreement};

const CASTS: &[&str] = &["Cast", "CastLike"];
const FLOATS: &[DType] = &[Bfloat16, Float16, Float32, Float64];
const NARROW: &[DType] = &[Int2, Uint2, Int4, Uint4];

/// Those of operators that compute element by element.
pub(super) const ALL: &[Disagreement] = &[
    Disagreement {
        source: "evaluator",
        operators: &["Cast", "QuantizeLinear", "DequantizeLinear"],
        types: ANY,
        holds: |seen| seen.answer.is_err_and(|refusal| refusal.contains("FLOAT6E")),
        reason: "before onnx 1.23 there are no floats of 6 bits",
    },
    Disagreement {
        source: "evaluator",
        operators: &["Shrink"],
        types: &[Int32, Int64, Uint64],
        holds: |seen| !seen.is_refused(),
        reason: "it computes integers in float64, which rounds large ones and does not wrap",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[Uint32, Uint64, Int32, Int64],
        holds: |seen| seen.to() == Float8E8M0 && !seen.is_refused(),
        reason: "it rounds to float32 before it rounds to a power of two",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[Float16, Bfloat16, Float32, Float64, Float8E5M2],
        holds: |seen| seen.to() == Float8E8M0 && seen.is_of(|x| x == f64::INFINITY),
        reason: "it makes a NaN of infinity, of which the document's table has the greatest power",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[Bfloat16, Float32],
        holds: |seen| {
            seen.to() == Float8E8M0 && seen.is_of(|x| x.abs() < f64::from(f32::MIN_POSITIVE))
        },
        reason: "it rounds every subnormal float32 up to 2^-126, past 2^-127",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[Float64],
        holds: |seen| seen.to() == Float8E8M0 && seen.is_of(f64::is_finite),
        reason: "it rounds to float32 before it rounds to a power of two, and to infinity above its range",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[Float8E8M0],
        holds: |seen| {
            seen.to() == Float8E8M0 && seen.operands.first() == Some(&Element::Bits(Float8E8M0, 0))
        },
        reason: "it takes 2^-127 for a subnormal float32, and rounds it up to 2^-126",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[
            Float16,
            Bfloat16,
            Float32,
            Float64,
            Float8E4M3Fn,
            Float8E4M3Fnuz,
            Float8E5M2,
            Float8E5M2Fnuz,
        ],
        holds: |seen| seen.to() == Float4E2M1 && seen.is_of(f64::is_nan),
        reason: "`ml_dtypes` makes +0 of a NaN with a sign, where 6 or -0 is documented",
    },
    Disagreement {
        source: "numpy",
        operators: CASTS,
        types: &[
            Float16,
            Bfloat16,
            Float32,
            Float64,
            Float8E4M3Fn,
            Float8E4M3Fnuz,
            Float8E5M2,
            Float8E5M2Fnuz,
        ],
        holds: |seen| seen.to() == Float4E2M1 && seen.is_of(f64::is_nan),
        reason: "`ml_dtypes` makes +0 of a NaN with a sign, where 6 or -0 is documented",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QuantizeLinear"],
        types: &[Bfloat16, Float16, Float32],
        holds: |seen| seen.to() == Float4E2M1 && seen.is_of(f64::is_nan),
        reason: "`ml_dtypes` makes +0 of a NaN with a sign, where 6 or -0 is documented",
    },
    Disagreement {
        source: "evaluator",
        operators: &["QuantizeLinear"],
        types: &[Bfloat16, Float16, Float32, Int32],
        holds: |seen| matches!(seen.to().kind(), Kind::Int { .. }),
        reason: "it converts to int32 before it saturates, so that what is beyond int32 ends up anywhere",
    },
    Disagreement {
        source: "evaluator",
        operators: &["LeakyRelu"],
        types: FLOATS,
        holds: |seen| seen.is_of(|x| x == 0.0),
        reason: "it multiplies zeros by alpha, though they are not negative",
    },
    Disagreement {
        source: "evaluator",
        operators: &["LeakyRelu"],
        types: FLOATS,
        holds: |seen| {
            let infinite = AttributeValue::Float(f32::INFINITY.to_bits());
            seen.check.call.attributes.get("alpha") == Some(&infinite) && seen.is_of(|x| x > 0.0)
        },
        reason: "it multiplies alpha by 0 where an element is positive, which is NaN of an infinity",
    },
    Disagreement {
        source: "evaluator",
        operators: &["PRelu"],
        types: FLOATS,
        holds: |seen| seen.is_of(|x| x == 0.0),
        reason: "it multiplies zeros by the slope, though they are not negative",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: NARROW,
        holds: |seen| {
            let to = seen.to();
            seen.is_refused() && (NARROW.contains(&to) || to == DType::String)
        },
        reason: "`ml_dtypes` does not convert between these types, nor to strings",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[DType::String],
        holds: |seen| seen.is_refused(),
        reason: "`ml_dtypes` does not read strings",
    },
    Disagreement {
        source: "evaluator",
        operators: CASTS,
        types: &[Float8E8M0],
        holds: |seen| seen.is_refused() && seen.to() != Float8E8M0,
        reason: "`ml_dtypes` does not convert to these types",
    },
    Disagreement {
        source: "evaluator",
        operators: &["CastLike"],
        types: &[
            Uint8,
            Uint16,
            Uint32,
            Uint64,
            Int8,
            Int16,
            Int32,
            Int64,
            Float16,
            Float32,
            Float64,
            Bool,
            Bfloat16,
            Float8E4M3Fn,
            Float8E4M3Fnuz,
            Float8E5M2,
            Float8E5M2Fnuz,
            Uint4,
            Int4,
            Float4E2M1,
            Float8E8M0,
            Uint2,
            Int2,
        ],
        holds: |seen| seen.is_refused() && seen.to() == Float8E8M0,
        reason: "it has no version with `round_mode`",
    },
];
