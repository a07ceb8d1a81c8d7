//! Gemm and convolutions of floats computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::accumulated::{instead, numbers, of, with_operand};
use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::reduction::floats;
use crate::request::{Request, changed, picked};

const GEMM: &[&str] = &["Gemm"];
const CONV: &[&str] = &["Conv"];
const TRANSPOSED: &[&str] = &["ConvTranspose"];

/// A tensor of float32 with the last place along a dimension made 0.
fn last_zero(tensor: &Tensor, dimension: usize) -> Tensor {
    let shape = tensor.shape();
    let inner: usize = shape[dimension + 1..].iter().product();
    let zeroed = numbers(tensor).into_iter().enumerate().map(|(at, number)| {
        let is_last = at / inner % shape[dimension] + 1 == shape[dimension];
        if is_last { 0.0 } else { number }
    });
    Tensor::from_values(Float32, shape.to_vec(), zeroed.collect::<Vec<_>>()).unwrap()
}

/// A tensor with its channels one place further.
fn rotated(tensor: &Tensor) -> Tensor {
    let shape = tensor.shape();
    let inner: usize = shape[2..].iter().product();
    let place = |at: usize| {
        let (batch, channel) = (at / inner / shape[1], at / inner % shape[1]);
        (batch * shape[1] + (channel + 1) % shape[1]) * inner + at % inner
    };
    let places: Vec<usize> = (0..tensor.elements()).map(place).collect();
    picked(tensor, &places, shape)
}

/// The request with the padding at the beginning and at the end exchanged.
fn with_pads_exchanged(request: &Request<'_>, right: Outcome) -> Outcome {
    let Some(Attribute::Ints(pads)) = request.attributes.get("pads") else { return right };
    let (begin, end) = pads.split_at(pads.len() / 2);
    let mut other = request.clone();
    other.attributes.insert("pads".to_owned(), Attribute::Ints([end, begin].concat()));
    other.computed()
}

/// The outcome of leaving out the products of zeros by what is no number: what is NaN of these alone is a number.
fn without_zeros(request: &Request<'_>, right: Outcome) -> Outcome {
    let finite = |it: f32| if it.is_finite() { it } else { 0.0 };
    let other = with_operand(request, 1, floats(&request.operands[1], finite));
    let Outcome::Outputs(outputs) = other else { return right };
    let others = numbers(outputs[0].tensors()[0]);
    changed(right, |tensor| {
        let both = numbers(&tensor).into_iter().zip(others);
        let all = both.map(|(right, other)| if right.is_nan() { other } else { right });
        Tensor::from_values(Float32, tensor.shape().to_vec(), all.collect::<Vec<_>>()).unwrap()
    })
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "gemm-zeros-skipped",
        class: SpecialValues,
        says: "Products of zeros are skipped, also those by an infinity or a NaN.",
        operators: GEMM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| without_zeros(request, right)),
    },
    Defect {
        id: "conv-zeros-skipped",
        class: SpecialValues,
        says: "Products of zeros are skipped, also those by an infinity or a NaN.",
        operators: CONV,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| without_zeros(request, right)),
    },
    Defect {
        id: "gemm-alpha-on-the-sum-with-c",
        class: Arithmetic,
        says: "The third matrix is multiplied by `alpha` as well.",
        operators: GEMM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let number = |name: &str| match request.attributes.get(name) {
                Some(Attribute::Float(value)) => *value,
                _ => 1.0,
            };
            let both = number("alpha") * number("beta");
            let mut other = request.clone();
            other.attributes.insert("beta".to_owned(), Attribute::Float(both));
            other.computed()
        }),
    },
    Defect {
        id: "gemm-last-product-dropped",
        class: Indexing,
        says: "The last product of each sum is left out.",
        operators: GEMM,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let a = &request.operands[0];
            let inner = usize::from(int(request, "transA").unwrap_or(0) == 0);
            match a.elements() {
                0 => right,
                _ => with_operand(request, 0, last_zero(a, inner)),
            }
        }),
    },
    Defect {
        id: "gemm-factors-of-float32-as-bfloat16",
        class: Conversion,
        says: "A is rounded to bfloat16 first, as the fast modes of matrix units do.",
        operators: GEMM,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let narrow = |it: f32| f32::from_bits(it.to_bits() & 0xffff_0000);
            with_operand(request, 0, floats(&request.operands[0], narrow))
        }),
    },
    Defect {
        id: "conv-group-off-by-one",
        class: Indexing,
        says: "Each group takes the channels of the next one.",
        operators: CONV,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of!(Float32, |request, right| match int(request, "group") {
            Some(2..) => with_operand(request, 0, rotated(&request.operands[0])),
            _ => right,
        }),
    },
    Defect {
        id: "conv-pads-exchanged",
        class: Indexing,
        says: "The padding at the end comes at the beginning.",
        operators: CONV,
        types: &[Float32],
        caught_by: "sonnx onnx",
        wrong: of!(Float32, |request, right| with_pads_exchanged(request, right)),
    },
    Defect {
        id: "conv-last-channel-dropped",
        class: Indexing,
        says: "The products of the last channel of the weights are left out.",
        operators: CONV,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| match request.operands[1].elements() {
            0 => right,
            _ => with_operand(request, 1, last_zero(&request.operands[1], 1)),
        }),
    },
    Defect {
        id: "convtranspose-odd-cut-exchanged",
        class: Indexing,
        says: "With SAME_UPPER an odd number of elements is cut off more at the beginning.",
        operators: TRANSPOSED,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            instead(request, right, "auto_pad", "SAME_UPPER", "SAME_LOWER")
        }),
    },
    Defect {
        id: "convtranspose-group-off-by-one",
        class: Indexing,
        says: "Each group takes the channels of the next one.",
        operators: TRANSPOSED,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| match int(request, "group") {
            Some(2..) => with_operand(request, 0, rotated(&request.operands[0])),
            _ => right,
        }),
    },
];
