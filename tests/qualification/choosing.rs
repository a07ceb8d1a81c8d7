//! Operators that choose elements by conditions, places, lengths and values, wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Bool, Float32, Int64};
use onnx_conformance::tensor::{Tensor, Value, coordinates};

use crate::arg_extremum::{int, with_int};
use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, changed, of_type, picked, refused};

const NON_ZERO: &[&str] = &["NonZero"];
const ONE_HOT: &[&str] = &["OneHot"];
const COMPRESS: &[&str] = &["Compress"];
const EYE_LIKE: &[&str] = &["EyeLike"];
const REVERSE: &[&str] = &["ReverseSequence"];
const HARDMAX: &[&str] = &["Hardmax"];
const DROPOUT: &[&str] = &["Dropout"];
const SCATTER: &[&str] = &["Scatter"];
const UNIQUE: &[&str] = &["Unique"];
const SUPPRESSION: &[&str] = &["NonMaxSuppression"];

/// The bits of the elements of a tensor of float32.
fn words(tensor: &Tensor) -> Vec<u32> {
    (0..tensor.elements()).map(|at| tensor.element(at).unwrap() as u32).collect()
}

/// A tensor of float32 with its elements made anew.
fn with_words(tensor: &Tensor, word: impl Fn(u32) -> u32) -> Tensor {
    let all = words(tensor).into_iter().map(word).collect();
    Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
}

/// The request with the elements of its first operand made anew.
fn with_data(request: &Request<'_>, word: impl Fn(u32) -> u32) -> Outcome {
    let mut other = request.clone();
    other.operands[0] = with_words(&other.operands[0], word);
    other.computed()
}

/// The request with the integers of an operand made anew, where it is not refused.
fn with_integers(
    request: &Request<'_>,
    right: Outcome,
    at: usize,
    make: impl Fn(i64) -> i64,
) -> Outcome {
    let operand = request.operands.get(at).filter(|operand| operand.dtype() == Int64);
    let (Some(operand), Outcome::Outputs(_)) = (operand, &right) else { return right };
    let all = (0..operand.elements()).map(|at| make(operand.element(at).unwrap() as i64));
    let mut other = request.clone();
    let shape = operand.shape().to_vec();
    other.operands[at] = Tensor::from_values(Int64, shape, all.collect()).unwrap();
    other.computed()
}

/// The outputs with the one at a place made another one.
fn with_output(outcome: Outcome, at: usize, make: impl Fn(&Tensor) -> Tensor) -> Outcome {
    match outcome {
        Outcome::Outputs(mut outputs) => {
            if let Some(output) = outputs.get_mut(at)
                && let Value::Tensor(tensor) = &*output
            {
                *output = make(tensor).into();
            }
            Outcome::Outputs(outputs)
        }
        other => other,
    }
}

/// The request with the numbers of an input made others, if it is given.
fn with_numbers(
    request: &Request<'_>,
    right: Outcome,
    at: usize,
    number: impl Fn(f32) -> f32,
) -> Outcome {
    let mut other = request.clone();
    let Some(given) = other.given(at).filter(|given| given.dtype() == Float32) else {
        return right;
    };
    *given = with_words(given, |word| number(f32::from_bits(word)).to_bits());
    other.computed()
}

/// Boxes whose corners are in another order than the kernel is to take, as points.
fn without_turned(boxes: &Tensor) -> Tensor {
    let numbers: Vec<f32> = words(boxes).into_iter().map(f32::from_bits).collect();
    let of = |corners: &[f32]| match corners {
        &[a, b, c, d] if a > c || b > d => [a, b, a, b],
        other => [other[0], other[1], other[2], other[3]],
    };
    let all: Vec<f32> = numbers.chunks(4).flat_map(of).collect();
    Tensor::from_values(Float32, boxes.shape().to_vec(), all).unwrap()
}

/// Conditions as long as what they choose of, with those that are missing true.
fn with_all_conditions(request: &Request<'_>, length: usize) -> Outcome {
    let mut other = request.clone();
    let given = &request.operands[1];
    let mut flags: Vec<u8> =
        (0..given.elements()).map(|at| given.element(at).unwrap() as u8).collect();
    flags.resize(length.max(flags.len()), 1);
    other.operands[1] = Tensor::from_bits(Bool, vec![flags.len()], flags.into()).unwrap();
    other.computed()
}

/// How long the conditions of a request of Compress may be.
fn length(request: &Request<'_>) -> Option<usize> {
    let data = &request.operands[0];
    let Some(axis) = int(request, "axis") else { return Some(data.elements()) };
    let axis = if axis < 0 { axis + data.shape().len() as i64 } else { axis };
    data.shape().get(usize::try_from(axis).ok()?).copied()
}

const ONE: u32 = 0x3f80_0000;

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "nonmaxsuppression-equal-overlap-suppressed",
        class: Arithmetic,
        says: "A box that overlaps another by exactly the threshold is suppressed.",
        operators: SUPPRESSION,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| with_numbers(request, right, 3, |threshold| {
            if threshold > 0.0 { threshold.next_down() } else { threshold }
        })),
    },
    Defect {
        id: "nonmaxsuppression-equal-score-left-out",
        class: Arithmetic,
        says: "A box whose score is the threshold is left out.",
        operators: SUPPRESSION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| with_numbers(request, right, 4, f32::next_up)),
    },
    Defect {
        id: "nonmaxsuppression-turned-corners-have-no-area",
        class: Arithmetic,
        says: "Boxes overlap nothing unless the lower corner comes first.",
        operators: SUPPRESSION,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let boxes = &request.operands[0];
            let is_of_boxes = boxes.shape().len() == 3 && boxes.shape()[2] == 4;
            if int(request, "center_point_box") == Some(1) || !is_of_boxes {
                return right;
            }
            let mut other = request.clone();
            other.operands[0] = without_turned(boxes);
            other.computed()
        }),
    },
    Defect {
        id: "nonmaxsuppression-centres-as-corners",
        class: Indexing,
        says: "Boxes are read as corners, whatever is asked.",
        operators: SUPPRESSION,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, _right| request.without("center_point_box")),
    },
    Defect {
        id: "nonmaxsuppression-limit-of-all-classes",
        class: Indexing,
        says: "The maximum is that of all classes and batches together.",
        operators: SUPPRESSION,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let mut other = request.clone();
            let limit = other.given(2).filter(|limit| limit.dtype() == Int64);
            let limit = limit.and_then(|limit| limit.element(0)).map_or(0, |bits| bits as i64);
            changed(right, |tensor| {
                let rows = tensor.shape()[0].min(usize::try_from(limit).unwrap_or(0));
                picked(&tensor, &(0..rows * 3).collect::<Vec<_>>(), &[rows, 3])
            })
        }),
    },
    Defect {
        id: "nonzero-nan-is-zero",
        class: SpecialValues,
        says: "Elements are compared by below and above, so that a NaN is zero.",
        operators: NON_ZERO,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, _right| with_data(request, |word| {
            if f32::from_bits(word).is_nan() { 0 } else { word }
        })),
    },
    Defect {
        id: "nonzero-minus-zero-counts",
        class: SpecialValues,
        says: "Bits are looked at, so that a negative zero is none.",
        operators: NON_ZERO,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, _right| with_data(request, |word| {
            if word == 1 << 31 { ONE } else { word }
        })),
    },
    Defect {
        id: "nonzero-element-by-element",
        class: Indexing,
        says: "The indices of an element lie one after the other, in the shape of the right output.",
        operators: NON_ZERO,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |_request, right| changed(right, |tensor| {
            let [rows, columns] = *tensor.shape() else { return tensor };
            let places: Vec<usize> =
                (0..tensor.elements()).map(|at| at % rows * columns + at / rows).collect();
            picked(&tensor, &places, tensor.shape())
        })),
    },
    Defect {
        id: "nonzero-scalar-has-a-row",
        class: Indexing,
        says: "A scalar is taken for a list of one element, as NumPy does.",
        operators: NON_ZERO,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, _right| {
            let mut other = request.clone();
            if request.operands[0].shape().is_empty() {
                other.operands[0] = as_other(&request.operands[0], Float32, &[1]);
            }
            other.computed()
        }),
    },
    Defect {
        id: "onehot-negative-index-is-off",
        class: Indexing,
        says: "A negative index is outside.",
        operators: ONE_HOT,
        types: &[Int64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| {
            with_integers(request, right, 0, |index| if index < 0 { i64::MAX } else { index })
        }),
    },
    Defect {
        id: "onehot-default-axis-first",
        class: Indexing,
        says: "Without an axis the new dimension is the first one.",
        operators: ONE_HOT,
        types: &[Int64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: Wrong::Tensors(|request, right| match (request.dtype(), int(request, "axis")) {
            (Int64, None) => with_int(request, "axis", 0),
            _ => right,
        }),
    },
    Defect {
        id: "onehot-index-in-32-bits",
        class: Conversion,
        says: "The lower 32 bits of indices are taken.",
        operators: ONE_HOT,
        types: &[Int64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            with_integers(request, right, 0, |index| i64::from(index as i32))
        }),
    },
    Defect {
        id: "onehot-index-beyond-is-last",
        class: Indexing,
        says: "An index beyond the depth is on at the last place.",
        operators: ONE_HOT,
        types: &[Int64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let depth =
                request.operands[1].element(0).filter(|_| request.operands[1].dtype() == Int64);
            let Some(depth) = depth.map(|bits| bits as i64) else { return right };
            with_integers(request, right, 0, |index| index.min(depth.wrapping_sub(1)))
        }),
    },
    Defect {
        id: "compress-fewer-conditions-refused",
        class: Indexing,
        says: "There has to be a condition for each place.",
        operators: COMPRESS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match length(request) {
            Some(length) if request.operands[1].elements() < length => {
                refused(RefusalKind::Error, "there are fewer conditions than places")
            }
            _ => right,
        }),
    },
    Defect {
        id: "compress-rest-kept",
        class: Indexing,
        says: "What comes after the last condition is kept.",
        operators: COMPRESS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match (length(request), &right) {
            (Some(length), Outcome::Outputs(_)) => with_all_conditions(request, length),
            _ => right,
        }),
    },
    Defect {
        id: "compress-default-axis-first",
        class: Indexing,
        says: "Without an axis slices of the first dimension are chosen.",
        operators: COMPRESS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match (int(request, "axis"), &right) {
            (None, Outcome::Outputs(_)) => with_int(request, "axis", 0),
            _ => right,
        }),
    },
    Defect {
        id: "eyelike-k-negated",
        class: Indexing,
        says: "A positive k is a diagonal below the main one.",
        operators: EYE_LIKE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match int(request, "k") {
            Some(k) => with_int(request, "k", k.wrapping_neg()),
            None => right,
        }),
    },
    Defect {
        id: "eyelike-diagonal-goes-on",
        class: Indexing,
        says: "Of a matrix that is taller than wide the diagonal begins anew, as every so many elements one is set.",
        operators: EYE_LIKE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let [_, columns] = *tensor.shape() else { return tensor };
            let is_default = int(request, "k").unwrap_or(0) == 0;
            if tensor.dtype() != Float32 || !is_default {
                return tensor;
            }
            let all =
                (0..tensor.elements()).map(|at| if at % (columns + 1) == 0 { ONE } else { 0 });
            Tensor::from_values(Float32, tensor.shape().to_vec(), all.collect()).unwrap()
        })),
    },
    Defect {
        id: "eyelike-dtype-ignored",
        class: Conversion,
        says: "The output has the type of the input, whatever is asked for.",
        operators: EYE_LIKE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, _right| request.without("dtype")),
    },
    Defect {
        id: "reversesequence-lengths-ignored",
        class: Indexing,
        says: "Every sequence is as long as the dimension of time.",
        operators: REVERSE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let time = int(request, "time_axis").unwrap_or(0);
            let size = request.operands[0].shape().get(time as usize).copied().unwrap_or(0);
            with_integers(request, right, 1, |_| size as i64)
        }),
    },
    Defect {
        id: "reversesequence-one-element-less",
        class: Indexing,
        says: "The last element of each sequence stays where it is.",
        operators: REVERSE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            with_integers(request, right, 1, |length| (length - 1).max(0))
        }),
    },
    Defect {
        id: "reversesequence-rest-is-zero",
        class: Indexing,
        says: "Elements after the end of a sequence are zeros.",
        operators: REVERSE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let of = |name: &str, otherwise| int(request, name).unwrap_or(otherwise) as usize;
            let (batch, time) = (of("batch_axis", 1), of("time_axis", 0));
            let all = words(&tensor).into_iter().enumerate().map(|(at, word)| {
                let place = coordinates(at, tensor.shape());
                let length = request.operands[1].element(place[batch]).unwrap();
                if place[time] as u128 >= length { 0 } else { word }
            });
            Tensor::from_values(Float32, tensor.shape().to_vec(), all.collect()).unwrap()
        })),
    },
    Defect {
        id: "hardmax-every-maximum",
        class: Indexing,
        says: "Every element that is equal to the maximum is one.",
        operators: HARDMAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            // Of a tensor that is one line.
            let given = words(&request.operands[0]);
            let hot = words(&tensor);
            let are_lines = hot.iter().filter(|word| **word == ONE).count();
            match hot.iter().position(|word| *word == ONE).filter(|_| are_lines == 1) {
                Some(first) => with_words(&request.operands[0], |word| {
                    let is_equal = f32::from_bits(word) == f32::from_bits(given[first]);
                    if is_equal { ONE } else { 0 }
                }),
                None => tensor,
            }
        })),
    },
    Defect {
        id: "hardmax-search-begins-with-zero",
        class: Arithmetic,
        says: "The largest element is at least 0, so that a line of negative ones has none.",
        operators: HARDMAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let given = words(&request.operands[0]);
            let all = words(&tensor)
                .into_iter()
                .zip(given)
                .map(|(hot, given)| if f32::from_bits(given) < 0.0 { 0 } else { hot });
            Tensor::from_values(Float32, tensor.shape().to_vec(), all.collect()).unwrap()
        })),
    },
    Defect {
        id: "hardmax-default-axis-first",
        class: Indexing,
        says: "Without an axis lines lie along the first dimension.",
        operators: HARDMAX,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "axis") {
            None => with_int(request, "axis", 0),
            Some(_) => right,
        }),
    },
    Defect {
        id: "dropout-inference-is-scaled",
        class: Arithmetic,
        says: "In inference too elements are divided by what the ratio leaves, here a half.",
        operators: DROPOUT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |_request, right| with_output(right, 0, |tensor| {
            with_words(tensor, |word| (f32::from_bits(word) * 2.0).to_bits())
        })),
    },
    Defect {
        id: "dropout-fused-with-a-relu",
        class: Arithmetic,
        says: "Negative elements become 0, as by a Relu that is not there.",
        operators: DROPOUT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |_request, right| with_output(right, 0, |tensor| {
            with_words(tensor, |word| if f32::from_bits(word) < 0.0 { 0 } else { word })
        })),
    },
    Defect {
        id: "dropout-mask-of-what-is-dropped",
        class: Conversion,
        says: "The mask is true where an element is dropped.",
        operators: DROPOUT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |_request, right| with_output(right, 1, |tensor| {
            match tensor.dtype() {
                Bool => {
                    let none = vec![0; tensor.elements()].into();
                    Tensor::from_bits(Bool, tensor.shape().to_vec(), none).unwrap()
                }
                _ => tensor.clone(),
            }
        })),
    },
    Defect {
        id: "scatter-default-axis-last",
        class: Indexing,
        says: "Without an axis the last dimension is indexed into.",
        operators: SCATTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match (int(request, "axis"), &right) {
            (None, Outcome::Outputs(_)) => with_int(request, "axis", -1),
            _ => right,
        }),
    },
    Defect {
        id: "scatter-index-in-8-bits",
        class: Conversion,
        says: "The lower 8 bits of indices are taken.",
        operators: SCATTER,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            with_integers(request, right, 1, |index| if index < 0 { index } else { index & 0xff })
        }),
    },
    Defect {
        id: "scatter-update-one-place-late",
        class: Indexing,
        says: "Updates are for the place after the one that is named, as far as there is one.",
        operators: SCATTER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let sizes = request.operands[0].shape();
            let axis = int(request, "axis").unwrap_or(0);
            let axis = if axis < 0 { axis.wrapping_add(sizes.len() as i64) } else { axis };
            let size = sizes.get(axis as usize).copied().unwrap_or(0) as i64;
            with_integers(request, right, 1, |index| {
                if index >= 0 && index + 1 < size { index + 1 } else { index }
            })
        }),
    },
    Defect {
        id: "unique-always-sorted",
        class: Indexing,
        says: "Elements are sorted though they are to stay in order.",
        operators: UNIQUE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match int(request, "sorted") {
            Some(0) => request.without("sorted"),
            _ => right,
        }),
    },
    Defect {
        id: "unique-axis-ignored",
        class: Indexing,
        says: "Elements are compared where slices are asked for.",
        operators: UNIQUE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| match &right {
            Outcome::Outputs(_) => request.without("axis"),
            _ => right,
        }),
    },
    Defect {
        id: "unique-counts-are-one",
        class: Arithmetic,
        says: "Every element is counted once.",
        operators: UNIQUE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |_request, right| with_output(right, 3, |tensor| {
            Tensor::from_values(Int64, tensor.shape().to_vec(), vec![1_i64; tensor.elements()])
                .unwrap()
        })),
    },
];
