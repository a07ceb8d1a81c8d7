//! Products of quantized matrices, and convolutions of quantized data, computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing,
};
use onnx_conformance::dtype::DType::{self, Float32, Int8, Int32, Uint8};
use onnx_conformance::kernels::{Attribute, Attributes, find};
use onnx_conformance::tensor::Tensor;

use crate::defect::{Defect, Wrong};
use crate::kernels::{int, value};
use crate::request::{Request, changed, picked};

const MATMUL: &[&str] = &["MatMulInteger"];
const CONV: &[&str] = &["ConvInteger"];
const QLINEAR_MATMUL: &[&str] = &["QLinearMatMul"];
const QLINEAR_CONV: &[&str] = &["QLinearConv"];

/// What the request gives with another operand in a place.
fn with_operand(request: &Request<'_>, right: Outcome, at: usize, other: Tensor) -> Outcome {
    match right {
        Outcome::Outputs(_) => {
            let mut request = request.clone();
            request.operands[at] = other;
            request.computed()
        }
        refused => refused,
    }
}

/// The same without an attribute, or with another value of it.
fn with_attribute(
    request: &Request<'_>,
    right: Outcome,
    name: &str,
    other: Option<Attribute>,
) -> Outcome {
    if !request.attributes.contains_key(name) || !matches!(right, Outcome::Outputs(_)) {
        return right;
    }
    request.with(name, other).computed()
}

/// A tensor of the first element of another again and again.
fn first_alone(tensor: &Tensor) -> Tensor {
    picked(tensor, &vec![0; tensor.elements()], tensor.shape())
}

/// Sums of 32 bits made others.
fn sums(right: Outcome, change: impl Fn(i32) -> i32) -> Outcome {
    changed(right, |tensor| {
        let each = (0..tensor.elements()).map(|at| change(tensor.element(at).unwrap() as i32));
        let all: Vec<i32> = each.collect();
        Tensor::from_values(Int32, tensor.shape().to_vec(), all).unwrap()
    })
}

/// The integers of 8 bits of a tensor.
fn integers(tensor: &Tensor) -> Vec<i32> {
    let all = (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as u64);
    all.map(|bits| int(tensor.dtype(), bits) as i32).collect()
}

/// The outcome with each element made anew of its sum, the factor that scales it, and the zero point, where all of these
/// are single.
fn requantized(
    request: &Request<'_>,
    right: Outcome,
    result: impl Fn(f64, f64, f64) -> f64,
) -> Outcome {
    let [a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero, bias @ ..] =
        request.operands.as_slice()
    else {
        return right;
    };
    let scales = [a_scale, b_scale, y_scale];
    let are_bytes = [a, b, y_zero].iter().all(|it| matches!(it.dtype(), Int8 | Uint8));
    if !are_bytes
        || scales.iter().any(|scale| scale.dtype() != Float32 || scale.elements() != 1)
        || !matches!(right, Outcome::Outputs(_))
    {
        return right;
    }
    let name =
        if request.operator.name() == "QLinearConv" { "ConvInteger" } else { "MatMulInteger" };
    let inputs = [a, b, a_zero, b_zero].map(Some);
    let outputs = find(name, 10).unwrap().run(&inputs, &request.attributes).unwrap();
    let [a, b, y] = scales.map(|scale| value(Float32, scale.element(0).unwrap() as u64));
    let factor = f64::from(a as f32 * b as f32 / y as f32);
    let zero = f64::from(integers(y_zero)[0]);
    let (least, most) = if y_zero.dtype() == Int8 { (-128.0, 127.0) } else { (0.0, 255.0) };
    changed(right, |tensor| {
        let shape = tensor.shape();
        let area: usize = shape.iter().skip(2).product();
        let channel = |at: usize| at / area % shape[1];
        let element = |at: usize| {
            let sum = outputs[0].element(at).unwrap() as i32;
            let bias = bias.first().map_or(0, |bias| bias.element(channel(at)).unwrap() as i32);
            let number = result(f64::from(sum.wrapping_add(bias)), factor, zero);
            number.clamp(least, most) as i64 as u8
        };
        let bytes: Vec<u8> = (0..tensor.elements()).map(element).collect();
        Tensor::from_bits(tensor.dtype(), shape.to_vec(), bytes.into()).unwrap()
    })
}

/// The number kept within 8 bits by leaving out the others.
fn wrapped(request: &Request<'_>, number: f64) -> f64 {
    match request.operands[7].dtype() {
        Int8 => f64::from(number as i64 as i8),
        _ => f64::from(number as i64 as u8),
    }
}

/// The outcome with each sum made anew of its products, of two matrices whose zero points are single.
fn dots(request: &Request<'_>, right: Outcome, sum: impl Fn(&[i64]) -> i64) -> Outcome {
    let [a, b, zeros @ ..] = request.operands.as_slice() else { return right };
    let ([rows, inner], [_, columns]) = (a.shape(), b.shape()) else { return right };
    let are_single = zeros.iter().all(|zero| zero.elements() == 1);
    if !are_single || !matches!(right, Outcome::Outputs(_)) {
        return right;
    }
    let zero = |at: usize| zeros.get(at).map_or(0, |zero| integers(zero)[0]);
    let (left, other) = (integers(a), integers(b));
    changed(right, |tensor| {
        let element = |at: usize| {
            let (row, column) = (at / columns, at % columns);
            let product = |k: usize| {
                (left[row * inner + k] - zero(0)) * (other[k * columns + column] - zero(1))
            };
            let products: Vec<i64> = (0..*inner).map(|k| i64::from(product(k))).collect();
            sum(&products) as i32
        };
        let all: Vec<i32> = (0..rows * columns).map(element).collect();
        Tensor::from_values(Int32, tensor.shape().to_vec(), all).unwrap()
    })
}

/// Data between zeros as the pads say, in two spatial dimensions at most.
fn padded(x: &Tensor, pads: &[i64]) -> Option<Tensor> {
    let (rank, pads) = (pads.len() / 2, pads.iter().map(|it| *it as usize).collect::<Vec<_>>());
    let spatial = &x.shape()[2..];
    if spatial.len() != rank || rank > 2 {
        return None;
    }
    let [height, width] = if rank == 2 { [spatial[0], spatial[1]] } else { [1, spatial[0]] };
    let [top, left] = if rank == 2 { [pads[0], pads[1]] } else { [0, pads[0]] };
    let [bottom, right] = if rank == 2 { [pads[2], pads[3]] } else { [0, pads[1]] };
    let (wide, high) = (width + left + right, height + top + bottom);
    let maps = x.shape()[0] * x.shape()[1];
    let mut bytes = vec![0; maps * wide * high];
    for at in 0..x.elements() {
        let (map, row, column) = (at / (height * width), at / width % height, at % width);
        bytes[(map * high + row + top) * wide + column + left] = x.element(at).unwrap() as u8;
    }
    let sizes = if rank == 2 { vec![high, wide] } else { vec![wide] };
    Tensor::from_bits(x.dtype(), [&x.shape()[..2], &sizes].concat(), bytes.into()).ok()
}

/// The outcome where what is padded is a 0 of the data's type.
fn padded_with_zeros(request: &Request<'_>, right: Outcome) -> Outcome {
    let (Some(Attribute::Ints(pads)), Outcome::Outputs(_)) =
        (request.attributes.get("pads"), &right)
    else {
        return right;
    };
    let Some(x) = padded(&request.operands[0], pads) else { return right };
    let mut request = request.with("pads", None);
    request.operands[0] = x;
    request.computed()
}

/// The automatic padding at the other side.
fn other_side(attributes: &Attributes) -> Option<Attribute> {
    match attributes.get("auto_pad") {
        Some(Attribute::Text(mode)) if mode == "SAME_UPPER" => {
            Some(Attribute::Text("SAME_LOWER".to_owned()))
        }
        other => other.cloned(),
    }
}

const BYTES: &[DType] = &[Int8, Uint8];

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "integer-sums-in-16-bits",
        class: Conversion,
        says: "Products of integers of 8 bits are summed up in 16 bits.",
        operators: MATMUL,
        types: BYTES,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| sums(right, |sum| i32::from(sum as i16))),
    },
    Defect {
        id: "pairs-of-products-saturate",
        class: Arithmetic,
        says: "Two neighbouring products are added in 16 bits that saturate, as one instruction does.",
        operators: MATMUL,
        types: BYTES,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            dots(request, right, |products| {
                let pair = |pair: &[i64]| pair.iter().sum::<i64>().clamp(-32768, 32767);
                products.chunks(2).map(pair).sum()
            })
        }),
    },
    Defect {
        id: "integer-sums-saturate-in-32-bits",
        class: Arithmetic,
        says: "Sums beyond 32 bits stop at their ends.",
        operators: MATMUL,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            dots(request, right, |products| {
                products.iter().sum::<i64>().clamp(i32::MIN.into(), i32::MAX.into())
            })
        }),
    },
    Defect {
        id: "zero-point-of-the-first-row",
        class: Indexing,
        says: "The zero point of the first row of A is taken off every row.",
        operators: MATMUL,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.operands.get(2) {
            Some(zero) if zero.elements() > 1 => with_operand(request, right, 2, first_alone(zero)),
            _ => right,
        }),
    },
    Defect {
        id: "padding-with-bytes-of-zero",
        class: Arithmetic,
        says: "Padding is 0 in the data's type instead of the zero point.",
        operators: CONV,
        types: &[Uint8, Int8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(padded_with_zeros),
    },
    Defect {
        id: "odd-padding-at-the-other-side",
        class: Indexing,
        says: "SAME_UPPER pads as SAME_LOWER does.",
        operators: CONV,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            with_attribute(request, right, "auto_pad", other_side(&request.attributes))
        }),
    },
    Defect {
        id: "convolution-sums-in-16-bits",
        class: Conversion,
        says: "Products of integers of 8 bits are summed up in 16 bits.",
        operators: CONV,
        types: BYTES,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| sums(right, |sum| i32::from(sum as i16))),
    },
    Defect {
        id: "zero-point-of-the-first-channel",
        class: Indexing,
        says: "The zero point of the first output channel is taken off the weights of all.",
        operators: CONV,
        types: &[Uint8],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match request.operands.get(3) {
            Some(zero) if zero.elements() > 1 => with_operand(request, right, 3, first_alone(zero)),
            _ => right,
        }),
    },
    Defect {
        id: "product-requantized-away-from-zero",
        class: Arithmetic,
        says: "Quotients halfway between two integers are rounded away from zero.",
        operators: QLINEAR_MATMUL,
        types: BYTES,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            requantized(request, right, |sum, factor, zero| (sum * factor).round() + zero)
        }),
    },
    Defect {
        id: "product-rounded-with-its-zero-point",
        class: Arithmetic,
        says: "The zero point is added before the quotient is rounded.",
        operators: QLINEAR_MATMUL,
        types: BYTES,
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            requantized(request, right, |sum, factor, zero| (sum * factor + zero).round_ties_even())
        }),
    },
    Defect {
        id: "requantized-product-wraps",
        class: Conversion,
        says: "What is beyond the ends of the output's type wraps instead of saturating.",
        operators: QLINEAR_MATMUL,
        types: BYTES,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            requantized(request, right, |sum, factor, zero| {
                wrapped(request, (sum * factor).round_ties_even() + zero)
            })
        }),
    },
    Defect {
        id: "scale-of-the-first-column",
        class: Indexing,
        says: "The scale of the first column of b is that of every column.",
        operators: QLINEAR_MATMUL,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.operands.get(4) {
            Some(scale) if scale.elements() > 1 => {
                with_operand(request, right, 4, first_alone(scale))
            }
            _ => right,
        }),
    },
    Defect {
        id: "convolution-requantized-by-truncation",
        class: Conversion,
        says: "Quotients are cut off instead of rounded.",
        operators: QLINEAR_CONV,
        types: BYTES,
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            requantized(request, right, |sum, factor, zero| (sum * factor).trunc() + zero)
        }),
    },
    Defect {
        id: "quantized-padding-with-bytes-of-zero",
        class: Arithmetic,
        says: "Padding is 0 in the data's type instead of the zero point.",
        operators: QLINEAR_CONV,
        types: BYTES,
        caught_by: "onnx",
        wrong: Wrong::Tensors(padded_with_zeros),
    },
    Defect {
        id: "scale-of-the-first-channel",
        class: Indexing,
        says: "The scale of the first output channel is that of the weights of all.",
        operators: QLINEAR_CONV,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.operands.get(4) {
            Some(scale) if scale.elements() > 1 => {
                with_operand(request, right, 4, first_alone(scale))
            }
            _ => right,
        }),
    },
];
