//! QuantizeLinear, its inverse and DynamicQuantizeLinear computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{
    Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E5M2, Float16, Float32, Int8, Int16, Uint8, Uint16,
};
use onnx_conformance::dtype::Kind;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::defect::{Defect, Wrong};
use crate::kernels::{int, value};
use crate::request::{Request, changed};

const QUANTIZE: &[&str] = &["QuantizeLinear"];
const DEQUANTIZE: &[&str] = &["DequantizeLinear"];
const DYNAMIC: &[&str] = &["DynamicQuantizeLinear"];

/// The request with an attribute that differs, where its value is this one.
fn with(request: &Request<'_>, right: Outcome, name: &str, otherwise: i64, value: i64) -> Outcome {
    let given = match request.attributes.get(name) {
        Some(Attribute::Int(given)) => *given,
        _ => otherwise,
    };
    match right {
        Outcome::Outputs(_) if given != value => {
            request.with(name, Some(Attribute::Int(value))).computed()
        }
        other => other,
    }
}

/// The outcome with each 8-bit integer made anew of its element of float32, scale and zero point, where these are
/// single ones.
fn quantized(
    request: &Request<'_>,
    right: Outcome,
    result: impl Fn(f32, f32, f32) -> f32,
) -> Outcome {
    let number = |tensor: &Tensor, at: usize| {
        let bits = tensor.element(at).unwrap() as u64;
        match tensor.dtype().kind() {
            Kind::Float(_) => value(tensor.dtype(), bits) as f32,
            _ => int(tensor.dtype(), bits) as f32,
        }
    };
    let (x, scale) = match request.operands.as_slice() {
        [x, scale, ..] if x.dtype() == Float32 && scale.elements() == 1 => (x, scale),
        _ => return right,
    };
    if !matches!(right, Outcome::Outputs(_)) {
        return right;
    }
    let zero = request.operands.get(2).map_or(0.0, |zero| number(zero, 0));
    changed(right, |tensor| {
        let (least, most) = match tensor.dtype() {
            Uint8 => (0.0, 255.0),
            Int8 => (-128.0, 127.0),
            _ => return tensor,
        };
        let by = number(scale, 0);
        let bytes: Vec<u8> = (0..x.elements())
            .map(|at| result(number(x, at), by, zero).clamp(least, most) as i64 as u8)
            .collect();
        Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bytes.into()).unwrap()
    })
}

/// The outputs of DynamicQuantizeLinear with its bytes made anew of data and scale.
fn dynamic(
    request: &Request<'_>,
    right: Outcome,
    change: impl Fn(&[f32], f32, Vec<Tensor>) -> Vec<Tensor>,
) -> Outcome {
    let Outcome::Outputs(outputs) = &right else { return right };
    let tensors: Vec<Tensor> = outputs.iter().flat_map(Value::tensors).cloned().collect();
    let [_, scale, _] = tensors.as_slice() else { return right };
    let scale = value(Float32, scale.element(0).unwrap() as u64) as f32;
    let x = &request.operands[0];
    let data: Vec<f32> =
        (0..x.elements()).map(|at| value(Float32, x.element(at).unwrap() as u64) as f32).collect();
    Outcome::Outputs(change(&data, scale, tensors).into_iter().map(Into::into).collect())
}

/// The outcome with each float of 6 bits made anew of the right one.
fn of_six_bits(right: Outcome, element: impl Fn(u128) -> u128) -> Outcome {
    changed(right, |y| {
        if ![Float6E2M3, Float6E3M2].contains(&y.dtype()) {
            return y;
        }
        let elements = (0..y.elements()).map(|at| element(y.element(at).unwrap()));
        Tensor::from_elements(y.dtype(), y.shape().to_vec(), elements).unwrap()
    })
}

fn byte(number: f32) -> Tensor {
    Tensor::from_bits(Uint8, Vec::new(), vec![number.clamp(0.0, 255.0) as u8].into()).unwrap()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "quantized-ties-away-from-zero",
        class: Arithmetic,
        says: "Quotients halfway between two integers are rounded away from zero.",
        operators: QUANTIZE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            quantized(request, right, |x, scale, zero| (x / scale).round() + zero)
        }),
    },
    Defect {
        id: "quantized-by-the-reciprocal",
        class: Arithmetic,
        says: "Elements are multiplied by the reciprocal of the scale.",
        operators: QUANTIZE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            quantized(request, right, |x, scale, zero| (x * (1.0 / scale)).round_ties_even() + zero)
        }),
    },
    Defect {
        id: "zero-point-added-before-rounding",
        class: Arithmetic,
        says: "The zero point is added to the quotient before that is rounded.",
        operators: QUANTIZE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            quantized(request, right, |x, scale, zero| (x / scale + zero).round_ties_even())
        }),
    },
    Defect {
        id: "quantized-bytes-wrap",
        class: Conversion,
        says: "What is beyond the ends of a type of 8 bits wraps instead of saturating.",
        operators: QUANTIZE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            quantized(request, right, |x, scale, zero| {
                let sum = (x / scale).round_ties_even() + zero;
                let is_signed = request.operands.get(2).is_some_and(|zero| zero.dtype() == Int8);
                match is_signed {
                    true => f32::from(sum as i64 as i8),
                    false => f32::from(sum as i64 as u8),
                }
            })
        }),
    },
    Defect {
        id: "float8-never-saturates",
        class: SpecialValues,
        says: "Floats of 8 bits never saturate where the attribute is left out.",
        operators: QUANTIZE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let is_float8 = |zero: &Tensor| [Float8E4M3Fn, Float8E5M2].contains(&zero.dtype());
            let is_given = request.attributes.contains_key("saturate");
            match request.operands.get(2).is_some_and(is_float8) && !is_given {
                true => with(request, right, "saturate", 1, 0),
                false => right,
            }
        }),
    },
    Defect {
        id: "float6-loses-its-largest-number",
        class: Conversion,
        says: "Quotients saturate at the number of 6 bits before the largest.",
        operators: QUANTIZE,
        types: &[Float32, Float16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            of_six_bits(right, |bits| if bits & 0x1f == 0x1f { bits - 1 } else { bits })
        }),
    },
    Defect {
        id: "float6-beyond-is-zero",
        class: SpecialValues,
        says: "Quotients beyond the largest number of 6 bits become zero where `saturate` is 0.",
        operators: QUANTIZE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.attributes.get("saturate") {
            Some(Attribute::Int(0)) => {
                of_six_bits(right, |bits| if bits & 0x1f == 0x1f { bits & 0x20 } else { bits })
            }
            _ => right,
        }),
    },
    Defect {
        id: "float6-multiplied-as-integers",
        class: Conversion,
        says: "The bits of a float of 6 bits are multiplied by the scale, with its sign.",
        operators: DEQUANTIZE,
        types: &[Float6E2M3, Float6E3M2],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let [x, scale, ..] = request.operands.as_slice() else { return right };
            if scale.elements() != 1 || ![Float6E2M3, Float6E3M2].contains(&x.dtype()) {
                return right;
            }
            let magnitude = |at: usize| {
                let bits = x.element(at).unwrap() as i8;
                (if bits >= 0x20 { 0x20 - bits } else { bits }) as u8
            };
            let elements = (0..x.elements()).map(|at| magnitude(at).into());
            let x = Tensor::from_elements(Int8, x.shape().to_vec(), elements).unwrap();
            Request { operands: vec![x, scale.clone()], ..request.clone() }.computed()
        }),
    },
    Defect {
        id: "difference-wraps",
        class: Conversion,
        says: "The zero point is subtracted in the type of the elements.",
        operators: DEQUANTIZE,
        types: &[Int8, Uint8, Int16, Uint16],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            let [x, scale, zero] = request.operands.as_slice() else { return right };
            let width = x.dtype().bits().unwrap();
            if zero.elements() != 1
                || !matches!(width, 8 | 16)
                || !matches!(right, Outcome::Outputs(_))
            {
                return right;
            }
            let Kind::Int { .. } = x.dtype().kind() else { return right };
            let zero_bits = zero.element(0).unwrap() as u64;
            let bytes: Vec<u8> = (0..x.elements())
                .flat_map(|at| {
                    let difference = (x.element(at).unwrap() as u64).wrapping_sub(zero_bits);
                    difference.to_le_bytes().into_iter().take(width as usize / 8)
                })
                .collect();
            let x = Tensor::from_bits(x.dtype(), x.shape().to_vec(), bytes.into()).unwrap();
            Request { operands: vec![x, scale.clone()], ..request.clone() }.computed()
        }),
    },
    Defect {
        id: "blocks-one-element-longer",
        class: Indexing,
        says: "Blocks have an element more, where the scale then still has as many.",
        operators: &["QuantizeLinear", "DequantizeLinear"],
        types: &[Float32, Uint8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match request.attributes.get("block_size") {
            Some(Attribute::Int(size @ 2..8)) => {
                match with(request, right.clone(), "block_size", 0, size + 1) {
                    Outcome::Refused(_) => right,
                    other => other,
                }
            }
            _ => right,
        }),
    },
    Defect {
        id: "range-without-zero",
        class: Arithmetic,
        says: "The range of the data is not extended to 0.",
        operators: DYNAMIC,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            dynamic(request, right, |data, _, tensors| {
                let most = data.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let least = data.iter().copied().fold(f32::INFINITY, f32::min);
                let bits = ((most - least) / 255.0).to_bits().to_le_bytes();
                let scale = Tensor::from_bits(Float32, Vec::new(), bits.to_vec().into()).unwrap();
                vec![tensors[0].clone(), scale, tensors[2].clone()]
            })
        }),
    },
    Defect {
        id: "dynamic-zero-point-truncated",
        class: Conversion,
        says: "The zero point is cut off instead of rounded.",
        operators: DYNAMIC,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            dynamic(request, right, |data, scale, tensors| {
                let least = data.iter().copied().fold(0.0, f32::min);
                vec![tensors[0].clone(), tensors[1].clone(), byte((-least / scale).trunc())]
            })
        }),
    },
    Defect {
        id: "dynamic-ties-away-from-zero",
        class: Arithmetic,
        says: "Quotients halfway between two integers are rounded away from zero.",
        operators: DYNAMIC,
        types: &[Float32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            dynamic(request, right, |data, scale, tensors| {
                let zero = tensors[2].element(0).unwrap() as f32;
                let bytes: Vec<u8> = data
                    .iter()
                    .map(|x| ((x / scale).round() + zero).clamp(0.0, 255.0) as u8)
                    .collect();
                let shape = tensors[0].shape().to_vec();
                let y = Tensor::from_bits(Uint8, shape, bytes.into()).unwrap();
                vec![y, tensors[1].clone(), tensors[2].clone()]
            })
        }),
    },
];
