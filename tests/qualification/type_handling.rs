//! A type is taken for another, refused, or taken where it should not be.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::TypeHandling;
use onnx_conformance::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
    Uint64,
};
use onnx_conformance::kernels::find;
use onnx_conformance::tensor::{Tensor, Value};

use crate::arithmetic::div_of;
use crate::defect::{Defect, Wrong};
use crate::kernels::{Elements, RIGHT, div, floor, int, nearest, value};
use crate::request::{Request, as_other, changed, refused};
use crate::types::{ALL, DIV, DIVISIONS, SIGNED, UNSIGNED};

/// The signed type of the same width, or the unsigned one.
const fn other_sign(dtype: DType, is_to_be_signed: bool) -> DType {
    match (dtype, is_to_be_signed) {
        (Uint8, true) => Int8,
        (Uint16, true) => Int16,
        (Uint32, true) => Int32,
        (Uint64, true) => Int64,
        (Int8, false) => Uint8,
        (Int16, false) => Uint16,
        (Int32, false) => Uint32,
        (Int64, false) => Uint64,
        _ => dtype,
    }
}

/// The tensor converted element by element.
fn converted(tensor: &Tensor, dtype: DType, element: fn(DType, u64) -> u64) -> Tensor {
    let width = dtype.bits().unwrap() as usize / 8;
    let elements = (0..tensor.elements()).map(|k| tensor.element(k).unwrap() as u64);
    let bytes: Vec<u8> = elements
        .flat_map(|bits| element(tensor.dtype(), bits).to_le_bytes().into_iter().take(width))
        .collect();
    Tensor::from_bits(dtype, tensor.shape().to_vec(), bytes.into()).unwrap()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "int64-as-int32",
        class: TypeHandling,
        says: "int64 is divided as int32.",
        operators: DIVISIONS,
        types: &[Int64],
        caught_by: "sonnx openvino onnx hard stratified",
        wrong: div_of!(Int64, |_t, a, b| {
            (a as i32).checked_div(b as i32).map(|quotient| i64::from(quotient) as u64)
        }),
    },
    Defect {
        id: "unsigned-as-signed",
        class: TypeHandling,
        says: "Unsigned integers are divided as signed ones.",
        operators: DIVISIONS,
        types: UNSIGNED,
        caught_by: "sonnx openvino onnx exhaustive hard stratified",
        wrong: Wrong::Elements(Elements {
            div: |t, a, b| div(other_sign(t, true), a, b),
            floor: |t, a, b| floor(other_sign(t, true), a, b),
            ..RIGHT
        }),
    },
    Defect {
        id: "signed-as-unsigned",
        class: TypeHandling,
        says: "Signed integers are divided as unsigned ones.",
        operators: DIVISIONS,
        types: SIGNED,
        caught_by: "sonnx openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Elements(Elements {
            div: |t, a, b| div(other_sign(t, false), a, b),
            floor: |t, a, b| floor(other_sign(t, false), a, b),
            ..RIGHT
        }),
    },
    Defect {
        id: "bfloat16-read-as-float16",
        class: TypeHandling,
        says: "The bits of bfloat16 are taken for those of float16.",
        operators: ALL,
        types: &[Bfloat16],
        caught_by: "openvino onnx exhaustive hard stratified",
        wrong: Wrong::Tensors(|request, right| match (&right, request.dtype()) {
            (Outcome::Outputs(_), Bfloat16) => {
                let read = |operand: &Tensor| as_other(operand, Float16, operand.shape());
                let operands = request.operands.iter().map(read).collect();
                let outcome = Request { operands, ..request.clone() }.computed();
                changed(outcome, |tensor| as_other(&tensor, Bfloat16, tensor.shape()))
            }
            _ => right,
        }),
    },
    Defect {
        id: "float16-comes-back-as-float32",
        class: TypeHandling,
        says: "Results of float16 come back as float32.",
        operators: ALL,
        types: &[Float16],
        caught_by: "sonnx sonnx-draft openvino onnx exhaustive hard stratified",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| match tensor.dtype() {
                Float16 => converted(&tensor, Float32, |t, bits| nearest(Float32, value(t, bits))),
                _ => tensor,
            })
        }),
    },
    Defect {
        id: "small-integers-come-back-as-int32",
        class: TypeHandling,
        says: "Quotients of int8 and uint8 come back as int32.",
        operators: DIVISIONS,
        types: &[Int8, Uint8],
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard stratified",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| match tensor.dtype() {
                Int8 | Uint8 => converted(&tensor, Int32, |t, bits| int(t, bits) as u64),
                _ => tensor,
            })
        }),
    },
    Defect {
        id: "uint8-refused-as-invalid",
        class: TypeHandling,
        says: "uint8 is refused as if the operator did not have it.",
        operators: DIVISIONS,
        types: &[Uint8],
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact exhaustive hard \
                    stratified",
        wrong: Wrong::Tensors(|_, _| {
            refused(RefusalKind::Invalid, "uint8 is no type of this operator")
        }),
    },
    Defect {
        id: "float64-not-implemented",
        class: TypeHandling,
        says: "float64 is not implemented, which the backend says.",
        operators: ALL,
        types: &[Float64],
        caught_by: "sonnx sonnx-draft openvino onnx hard stratified",
        wrong: Wrong::Tensors(|_, _| {
            refused(RefusalKind::Unsupported, "float64 is not implemented")
        }),
    },
    Defect {
        id: "types-of-later-versions-taken",
        class: TypeHandling,
        says: "Every version of Div takes the types of the newest.",
        operators: DIV,
        types: &[Bfloat16, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            match (&right, request.operator.name(), find("Div", 14)) {
                (Outcome::Refused(_), "Div", Some(newest))
                    if !request.operator.types().contains(&request.dtype())
                        && !request.task.suite.is_restricted() =>
                {
                    Request { operator: newest, ..request.clone() }.computed()
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "divisor-of-another-type-converted",
        class: TypeHandling,
        says: "A divisor of another float type is converted to the dividend's instead of refused.",
        operators: DIVISIONS,
        types: &[Float32],
        caught_by: "sonnx openvino onnx",
        wrong: Wrong::Tensors(|request, right| match request.operands.as_slice() {
            [a, b] if a.dtype() == Float32 && b.dtype() == Float64 => {
                let b = converted(b, Float32, |t, bits| nearest(Float32, value(t, bits)));
                Request { operands: vec![a.clone(), b], ..request.clone() }.computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "output-dropped",
        class: TypeHandling,
        says: "Results of uint16 are computed and not returned.",
        operators: DIVISIONS,
        types: &[Uint16],
        caught_by: "sonnx sonnx-draft openvino onnx onnx-1.22.0 onnx-1.22.0-exact hard stratified",
        wrong: Wrong::Tensors(|request, right| match (&right, request.dtype()) {
            (Outcome::Outputs(_), Uint16) => Outcome::Outputs(Vec::<Value>::new()),
            _ => right,
        }),
    },
];
