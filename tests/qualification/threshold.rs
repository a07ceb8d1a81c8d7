//! ThresholdedRelu and Shrink computed wrongly.

use onnx_conformance::documents::qualification::document::Class::{Arithmetic, SpecialValues};
use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::Attribute;

use crate::defect::{Defect, Wrong};
use crate::kernels::{is_float, nearest, value};
use crate::request::{Request, elementwise};
use crate::types::{FLOATS, NUMERIC};

/// The types of Shrink.
const ALL_BUT_BFLOAT16: &[DType] = NUMERIC.split_at(1).1;
const IEEE_FLOATS: &[DType] = FLOATS.split_at(1).1;

const THRESHOLDEDRELU: &[&str] = &["ThresholdedRelu"];
const SHRINK: &[&str] = &["Shrink"];

/// The value of an attribute.
fn attribute(request: &Request<'_>, name: &str, otherwise: f64) -> f64 {
    match request.attributes.get(name) {
        Some(Attribute::Float(value)) => f64::from(*value),
        _ => otherwise,
    }
}

/// Another function of one float and an attribute.
macro_rules! of_float {
    ($name:literal or $otherwise:literal, |$dtype:ident, $attribute:ident, $x:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let $attribute = attribute(request, $name, $otherwise);
            elementwise(request, right, |$dtype, operands, $right| {
                if !is_float($dtype) {
                    return $right;
                }
                let $x = value($dtype, operands[0]);
                $result
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "threshold-itself-passes",
        class: Arithmetic,
        says: "What equals `alpha` is passed on.",
        operators: THRESHOLDEDRELU,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard",
        wrong: of_float!("alpha" or 1.0, |t, alpha, x, right| if x == alpha { nearest(t, x) } else { right }),
    },
    Defect {
        id: "threshold-by-magnitude",
        class: Arithmetic,
        says: "The magnitude is compared with `alpha`.",
        operators: THRESHOLDEDRELU,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_float!("alpha" or 1.0, |t, alpha, x, right| if x.abs() > alpha { nearest(t, x) } else { right }),
    },
    Defect {
        id: "threshold-is-subtracted",
        class: Arithmetic,
        says: "What is above `alpha` begins at 0, as in Relu of the difference.",
        operators: THRESHOLDEDRELU,
        types: FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: of_float!("alpha" or 1.0, |t, alpha, x, right| if x > alpha { nearest(t, x - alpha) } else { right }),
    },
    Defect {
        id: "threshold-passes-nan",
        class: SpecialValues,
        says: "A NaN is passed on.",
        operators: THRESHOLDEDRELU,
        types: FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_float!("alpha" or 1.0, |t, _alpha, x, right| if x.is_nan() { nearest(t, x) } else { right }),
    },
    Defect {
        id: "shrink-adds-on-both-sides",
        class: Arithmetic,
        says: "`bias` is added to what is above `lambd`, too.",
        operators: SHRINK,
        types: IEEE_FLOATS,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let [lambd, bias] =
                [("lambd", 0.5), ("bias", 0.0)].map(|(name, it)| attribute(request, name, it));
            elementwise(request, right, |t, operands, right| match is_float(t) {
                true if value(t, operands[0]) > lambd => nearest(t, value(t, operands[0]) + bias),
                _ => right,
            })
        }),
    },
    Defect {
        id: "shrink-keeps-the-threshold",
        class: Arithmetic,
        says: "What equals `lambd` is passed on.",
        operators: SHRINK,
        types: IEEE_FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_float!("lambd" or 0.5, |t, lambd, x, right| if x == lambd { nearest(t, x) } else { right }),
    },
    Defect {
        id: "shrink-without-bias",
        class: Arithmetic,
        says: "`bias` is ignored.",
        operators: SHRINK,
        types: ALL_BUT_BFLOAT16,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, _| request.with("bias", None).computed()),
    },
    Defect {
        id: "shrink-of-nan-is-nan",
        class: SpecialValues,
        says: "A NaN is passed on.",
        operators: SHRINK,
        types: IEEE_FLOATS,
        caught_by: "onnx exhaustive hard",
        wrong: of_float!("lambd" or 0.5, |t, _lambd, x, right| if x.is_nan() { nearest(t, x) } else { right }),
    },
];
