//! Elements compared wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues, TypeHandling,
};
use onnx_conformance::dtype::DType::{self, Float64, Int32, Int64, String as Text, Uint32, Uint64};
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::kernels::{class, format, int, is_float, value};
use crate::request::{Request, changed, elementwise};
use crate::types::{FLOATS, NUMERIC, UNSIGNED};

const ALL: &[&str] = &["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"];
const ORDERS: &[&str] = &["Greater", "GreaterOrEqual", "Less", "LessOrEqual"];
const EQUAL: &[&str] = &["Equal"];

/// Whether a comparison by name holds.
fn holds<T: PartialOrd>(name: &str, a: &T, b: &T) -> bool {
    match name {
        "Less" => a < b,
        "LessOrEqual" => a <= b,
        "Greater" => a > b,
        "GreaterOrEqual" => a >= b,
        _ => a == b,
    }
}

/// Another comparison: of the name of the operator and of numbers of a type.
macro_rules! comparison {
    (|$name:ident, $dtype:ident, $a:ident, $b:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|request, right| {
            let ($name, $dtype) = (request.operator.name(), request.dtype());
            elementwise(request, right, |_, operands, $right| match (operands, $dtype.kind()) {
                (&[$a, $b], Kind::Float(_) | Kind::Int { .. }) => u64::from($result),
                _ => $right,
            })
        })
    };
}

fn is_nan(dtype: DType, bits: u64) -> bool {
    is_float(dtype) && class(dtype, bits) == Class::Nan
}

/// The bits as an integer of the same width.
fn as_signed(dtype: DType, bits: u64) -> i64 {
    let outside = 64 - dtype.bits().unwrap();
    (bits << outside).cast_signed() >> outside
}

/// Texts by another way to compare two of them.
fn texts(request: &Request<'_>, tensor: &Tensor, equal: fn(&[u8], &[u8]) -> bool) -> Tensor {
    let strings = |at: usize| request.operands[at].strings().unwrap();
    let shapes = request.shapes();
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    let plan = request.operator.broadcast(&request.attributes, &shapes).unwrap();
    let text = |which, k| &strings(which)[plan.operand_index(which, k).unwrap()];
    let truth = (0..tensor.elements()).map(|k| u8::from(equal(text(0, k), text(1, k))));
    Tensor::from_bits(DType::Bool, tensor.shape().to_vec(), truth.collect()).unwrap()
}

fn texts_compared(
    request: &Request<'_>,
    right: Outcome,
    equal: fn(&[u8], &[u8]) -> bool,
) -> Outcome {
    match request.dtype() {
        Text => changed(right, |tensor| texts(request, &tensor, equal)),
        _ => right,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "comparisons-of-nan-hold",
        class: SpecialValues,
        says: "Every comparison is the negation of the opposite one, so that it holds of a NaN.",
        operators: ORDERS,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: comparison!(|_name, t, a, b, right| is_nan(t, a) || is_nan(t, b) || right == 1),
    },
    Defect {
        id: "nan-equals-itself",
        class: SpecialValues,
        says: "A NaN is equal to one with the same bits.",
        operators: EQUAL,
        types: FLOATS,
        caught_by: "onnx",
        wrong: comparison!(|_name, t, a, b, right| is_nan(t, a) && a == b || right == 1),
    },
    Defect {
        id: "zeros-told-apart",
        class: SpecialValues,
        says: "-0 is less than 0, as by IEEE 754's totalOrder, and not equal to it.",
        operators: ALL,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: comparison!(|name, t, a, b, right| {
            let is_zero = |bits| is_float(t) && class(t, bits) == Class::Zero;
            match is_zero(a) && is_zero(b) {
                true => holds(name, &as_signed(t, a), &as_signed(t, b)),
                false => right == 1,
            }
        }),
    },
    Defect {
        id: "subnormals-compared-as-zeros",
        class: SpecialValues,
        says: "Subnormal operands are read as zeros before they are compared.",
        operators: ALL,
        types: FLOATS,
        caught_by: "sonnx onnx",
        wrong: comparison!(|name, t, a, b, right| {
            let flushed = |bits| match class(t, bits) {
                Class::Subnormal => 0.0,
                _ => value(t, bits),
            };
            if is_float(t) { holds(name, &flushed(a), &flushed(b)) } else { right == 1 }
        }),
    },
    Defect {
        id: "floats-compared-as-integers",
        class: Arithmetic,
        says: "The bits of floats are compared as integers, which turns negative numbers round.",
        operators: ORDERS,
        types: FLOATS,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: comparison!(|name, t, a, b, right| match is_float(t) {
            true => holds(name, &as_signed(t, a), &as_signed(t, b)),
            false => right == 1,
        }),
    },
    Defect {
        id: "unsigned-compared-as-signed",
        class: TypeHandling,
        says: "Unsigned integers with the highest bit are negative.",
        operators: ORDERS,
        types: UNSIGNED,
        caught_by: "sonnx onnx",
        wrong: comparison!(|name, t, a, b, right| match t.kind() {
            Kind::Int { signed: false, .. } => holds(name, &as_signed(t, a), &as_signed(t, b)),
            _ => right == 1,
        }),
    },
    Defect {
        id: "integers-compared-as-floats",
        class: Conversion,
        says: "Integers of 32 bits are compared in float32, those of 64 in float64.",
        operators: ALL,
        types: &[Int32, Int64, Uint32, Uint64],
        caught_by: "sonnx onnx",
        wrong: comparison!(|name, t, a, b, right| match t {
            Int32 | Uint32 => holds(name, &(int(t, a) as f32), &(int(t, b) as f32)),
            Int64 | Uint64 => holds(name, &(int(t, a) as f64), &(int(t, b) as f64)),
            _ => right == 1,
        }),
    },
    Defect {
        id: "doubles-compared-as-floats",
        class: Conversion,
        says: "Elements of float64 are compared in float32.",
        operators: ALL,
        types: &[Float64],
        caught_by: "sonnx onnx",
        wrong: comparison!(|name, t, a, b, right| match t {
            Float64 => holds(name, &(value(t, a) as f32), &(value(t, b) as f32)),
            _ => right == 1,
        }),
    },
    Defect {
        id: "equal-within-a-tolerance",
        class: Arithmetic,
        says: "Floats are equal where they differ by a few units in the last place.",
        operators: EQUAL,
        types: FLOATS,
        caught_by: "onnx",
        wrong: comparison!(|_name, t, a, b, right| {
            let distance = || format(t).ulp_distance(a, b);
            right == 1 || is_float(t) && distance().is_some_and(|distance| distance < 4)
        }),
    },
    Defect {
        id: "equality-counted-otherwise",
        class: Arithmetic,
        says: "Of equal numbers the first is less and greater, or neither, the other way round.",
        operators: ORDERS,
        types: NUMERIC,
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: comparison!(|_name, t, a, b, right| {
            let are_equal = match is_float(t) {
                true => value(t, a) == value(t, b),
                false => a == b,
            };
            (right == 1) != are_equal
        }),
    },
    Defect {
        id: "wide-integers-by-their-lower-half",
        class: Indexing,
        says: "Of integers of 64 bits the lower halves are compared.",
        operators: ALL,
        types: &[Int64, Uint64],
        caught_by: "sonnx onnx",
        wrong: comparison!(|name, t, a, b, right| match t {
            Int64 => holds(name, &(a as i32), &(b as i32)),
            Uint64 => holds(name, &(a as u32), &(b as u32)),
            _ => right == 1,
        }),
    },
    Defect {
        id: "strings-end-at-a-zero",
        class: TypeHandling,
        says: "Strings are compared up to their first zero.",
        operators: EQUAL,
        types: &[Text],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            texts_compared(request, right, |a, b| {
                let end = |text: &[u8]| text.split(|&byte| byte == 0).next().map(<[u8]>::to_vec);
                end(a) == end(b)
            })
        }),
    },
    Defect {
        id: "strings-without-case",
        class: TypeHandling,
        says: "Upper and lower case letters are equal.",
        operators: EQUAL,
        types: &[Text],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            texts_compared(request, right, <[u8]>::eq_ignore_ascii_case)
        }),
    },
];
