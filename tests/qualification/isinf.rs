//! Infinities told wrongly.

use onnx_conformance::documents::qualification::document::Class::{SpecialValues, TypeHandling};
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32,
    Float64,
};
use onnx_conformance::float::Class;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format};
use crate::request::{Request, elementwise};

const ISINF: &[&str] = &["IsInf"];
const WITH_INFINITIES: &[DType] = &[Bfloat16, Float16, Float32, Float64, Float8E5M2];

/// Another test of an element of a type.
macro_rules! test {
    (|$request:ident, $dtype:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|$request, right| {
            let $dtype = $request.dtype();
            elementwise($request, right, |_, operands, $right| {
                let $x = operands[0];
                u64::from($result)
            })
        })
    };
}

/// Whether an attribute is given and is 0.
fn is_off(request: &Request<'_>, name: &str) -> bool {
    request.attributes.get(name) == Some(&Attribute::Int(0))
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "nans-are-infinite",
        class: SpecialValues,
        says: "Whatever has the highest exponent is infinite, where both signs count.",
        operators: ISINF,
        types: WITH_INFINITIES,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: test!(|request, t, x, right| {
            let both = request.attributes.is_empty() && WITH_INFINITIES.contains(&t);
            right == 1 || both && class(t, x) == Class::Nan
        }),
    },
    Defect {
        id: "attributes-are-off-by-default",
        class: TypeHandling,
        says: "An infinity counts where the attribute for its sign is given alone.",
        operators: ISINF,
        types: WITH_INFINITIES,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: test!(|request, t, x, right| {
            let sign = if format(t).is_negative(x) { "detect_negative" } else { "detect_positive" };
            right == 1 && request.attributes.contains_key(sign)
        }),
    },
    Defect {
        id: "signs-swapped",
        class: SpecialValues,
        says: "`detect_negative` speaks of positive infinity and `detect_positive` of negative.",
        operators: ISINF,
        types: WITH_INFINITIES,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: test!(|request, t, x, _right| {
            let sign = if format(t).is_negative(x) { "detect_positive" } else { "detect_negative" };
            class(t, x) == Class::Infinite && !is_off(request, sign)
        }),
    },
    Defect {
        id: "largest-number-is-infinite",
        class: SpecialValues,
        says: "The largest number is infinite, as by a comparison with it.",
        operators: ISINF,
        types: &[Bfloat16, Float16, Float32, Float64],
        caught_by: "onnx",
        wrong: test!(|_request, t, x, right| {
            let field = || format(t).significand_bits;
            let exponent = || (1 << format(t).exponent_bits) - 1;
            let is_largest = || format(t).magnitude(x) == (exponent() << field()) - 1;
            right == 1 || t.bits() != Some(8) && is_largest()
        }),
    },
    Defect {
        id: "finite-formats-have-infinities",
        class: TypeHandling,
        says: "The highest exponent without fraction is an infinity in formats that have none.",
        operators: ISINF,
        types: &[Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2Fnuz],
        caught_by: "onnx",
        wrong: test!(|_request, t, x, right| {
            let is_finite = matches!(t, Float8E4M3Fn | Float8E4M3Fnuz | Float8E5M2Fnuz);
            let field = format(t).significand_bits;
            let highest = ((1 << format(t).exponent_bits) - 1) << field;
            right == 1 || is_finite && format(t).magnitude(x) == highest
        }),
    },
];
