//! DFT and windows computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing,
};
use onnx_conformance::dtype::DType::{Float32, Int64};
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::accumulated::{numbers, of};
use crate::arg_extremum::{int, with_int};
use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed, of_type, picked};

const DFT: &[&str] = &["DFT"];
const HANN: &[&str] = &["HannWindow"];
const HAMMING: &[&str] = &["HammingWindow"];
const BLACKMAN: &[&str] = &["BlackmanWindow"];

fn floats(shape: &[usize], values: Vec<f32>) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values).unwrap()
}

/// The window with each element of float32 made anew.
fn renewed(right: Outcome, element: impl Fn(f32) -> f32) -> Outcome {
    changed(right, |tensor| match tensor.dtype() {
        Float32 => floats(tensor.shape(), numbers(&tensor).into_iter().map(element).collect()),
        _ => tensor,
    })
}

/// The output of float32 with each number made anew by its place.
fn by_place(right: Outcome, number: impl Fn(usize, f32) -> f32) -> Outcome {
    changed(right, |tensor| {
        let all = numbers(&tensor).into_iter().enumerate();
        floats(tensor.shape(), all.map(|(at, own)| number(at, own)).collect())
    })
}

/// The length of a transform that no input states, along the last dimension of the signal.
fn length(request: &Request<'_>) -> Option<usize> {
    let shape = request.operands[0].shape();
    let is_plain = request.operands.len() == 1 && int(request, "axis").is_none();
    (is_plain && shape.len() == 3).then(|| shape[1])
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "dft-inverse-not-divided",
        class: Arithmetic,
        says: "The sums of an inverse transform are not divided by its length.",
        operators: DFT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| match (int(request, "inverse"), length(request)) {
            (Some(1), Some(size)) => {
                let is_to_real = int(request, "onesided") == Some(1);
                let length = if is_to_real { 2 * size.saturating_sub(1) } else { size };
                by_place(right, |_, own| own * length as f32)
            }
            _ => right,
        }),
    },
    Defect {
        id: "dft-turned-the-other-way",
        class: Arithmetic,
        says: "The forward transform of real numbers turns them the other way.",
        operators: DFT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let is_real = request.operands[0].shape().last() == Some(&1);
            match is_real && int(request, "inverse") != Some(1) {
                true => by_place(right, |at, own| if at % 2 == 1 { -own } else { own }),
                false => right,
            }
        }),
    },
    Defect {
        id: "dft-imaginary-parts-dropped",
        class: Indexing,
        says: "Complex input is taken for real.",
        operators: DFT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let input = &request.operands[0];
            if input.shape().last() != Some(&2) {
                return right;
            }
            let all = numbers(input).into_iter().enumerate();
            let all = all.map(|(at, own)| if at % 2 == 1 { 0.0 } else { own }).collect();
            let mut other = request.clone();
            other.operands[0] = floats(input.shape(), all);
            other.computed()
        }),
    },
    Defect {
        id: "dft-half-without-its-middle",
        class: Indexing,
        says: "A one-sided spectrum of even length lacks the number in the middle.",
        operators: DFT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| match (int(request, "onesided"), length(request)) {
            (Some(1), Some(size)) if int(request, "inverse") != Some(1) && size % 2 == 0 => {
                changed(right, |tensor| {
                    let [batch, numbers, parts] = *tensor.shape() else { return tensor };
                    let row = numbers * parts;
                    let is_kept = |at: &usize| at % row < row - parts;
                    let all: Vec<usize> = (0..tensor.elements()).filter(is_kept).collect();
                    picked(&tensor, &all, &[batch, numbers - 1, parts])
                })
            }
            _ => right,
        }),
    },
    Defect {
        id: "dft-zeros-in-front",
        class: Indexing,
        says: "Zeros that make a signal longer come before it.",
        operators: DFT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let (input, given) = (&request.operands[0], request.places.get(1).copied().flatten());
            let [batch, size, parts] = *input.shape() else { return right };
            let length = given.map(|at| request.operands[at].element(0).unwrap() as usize);
            let Some(length) =
                length.filter(|length| *length > size && request.operands.len() == 2)
            else {
                return right;
            };
            let own = numbers(input);
            let place = |at: usize| (at / (length * parts), at % (length * parts));
            let number = |at: usize| {
                let (line, within) = place(at);
                let within = within.checked_sub((length - size) * parts);
                within.map_or(0.0, |within| own[line * size * parts + within])
            };
            let all = (0..batch * length * parts).map(number).collect();
            let mut other = request.clone();
            other.operands[0] = floats(&[batch, length, parts], all);
            other.computed()
        }),
    },
    Defect {
        id: "hannwindow-symmetric-by-default",
        class: Indexing,
        says: "Without `periodic` the window is symmetric.",
        operators: HANN,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |request, right| match (int(request, "periodic"), &right) {
            (None, Outcome::Outputs(_)) => with_int(request, "periodic", 0),
            _ => right,
        }),
    },
    Defect {
        id: "hannwindow-sine-not-squared",
        class: Arithmetic,
        says: "The elements are sines of the half angle.",
        operators: HANN,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |_request, right| renewed(right, |own| own.max(0.0).sqrt())),
    },
    Defect {
        id: "hannwindow-integers-rounded",
        class: Conversion,
        says: "Elements of integers are rounded to the nearest one.",
        operators: HANN,
        types: &[DType::Int32],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let Outcome::Outputs(outputs) = &right else { return right };
            let [Value::Tensor(own)] = outputs.as_slice() else { return right };
            let Kind::Int { bits, .. } = own.dtype().kind() else { return right };
            let exact = request.with("output_datatype", Some(Attribute::Int(1))).computed();
            let dtype = own.dtype();
            changed(exact, |tensor| {
                let all = numbers(&tensor).into_iter().map(|it| u128::from(it >= 0.5));
                debug_assert!(bits >= 8, "no narrower integers are given");
                Tensor::from_elements(dtype, tensor.shape().to_vec(), all).unwrap()
            })
        }),
    },
    Defect {
        id: "hammingwindow-rounded-weights",
        class: Arithmetic,
        says: "The weights are 0.54 and 0.46.",
        operators: HAMMING,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |_request, right| {
            renewed(right, |own| {
                let cosine = (25.0 - 46.0 * own) / 21.0;
                0.54 - 0.46 * cosine
            })
        }),
    },
    Defect {
        id: "hammingwindow-one-part-more",
        class: Indexing,
        says: "A periodic window has the turn of one element more.",
        operators: HAMMING,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |request, right| match (int(request, "periodic"), &right) {
            (None | Some(1), Outcome::Outputs(_)) => {
                let mut other = request.clone();
                let size = request.operands[0].element(0).unwrap() as i64;
                other.operands[0] = Tensor::from_values(Int64, vec![], vec![size + 1]).unwrap();
                let all: Vec<usize> = (0..size as usize).collect();
                changed(other.computed(), |tensor| picked(&tensor, &all, &[all.len()]))
            }
            _ => right,
        }),
    },
    Defect {
        id: "blackmanwindow-second-cosine-left-out",
        class: Arithmetic,
        says: "The cosine of twice the angle is not added.",
        operators: BLACKMAN,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |_request, right| {
            renewed(right, |own| {
                // 0.16 c^2 - 0.5 c + 0.34 is the element with the cosine c, of which the lesser root is it.
                let cosine = (0.5 - (0.25 - 0.64 * (0.34 - own)).max(0.0).sqrt()) / 0.32;
                0.42 - 0.5 * cosine
            })
        }),
    },
    Defect {
        id: "blackmanwindow-hann-squared",
        class: Arithmetic,
        says: "The elements are the squares of those of a Hann window.",
        operators: BLACKMAN,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |_request, right| {
            renewed(right, |own| {
                let cosine = (0.5 - (0.25 - 0.64 * (0.34 - own)).max(0.0).sqrt()) / 0.32;
                (0.5 - 0.5 * cosine).powi(2)
            })
        }),
    },
    Defect {
        id: "blackmanwindow-symmetric-ends-left-out",
        class: Indexing,
        says: "A symmetric window is one of two elements more, without its ends.",
        operators: BLACKMAN,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of_type!(Int64, |request, right| match (int(request, "periodic"), &right) {
            (Some(0), Outcome::Outputs(_)) => {
                let mut other = request.clone();
                let size = request.operands[0].element(0).unwrap() as i64;
                other.operands[0] = Tensor::from_values(Int64, vec![], vec![size + 2]).unwrap();
                let all: Vec<usize> = (1..=size as usize).collect();
                changed(other.computed(), |tensor| picked(&tensor, &all, &[all.len()]))
            }
            _ => right,
        }),
    },
];
