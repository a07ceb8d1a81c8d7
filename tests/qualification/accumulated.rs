//! Sums, means and products of elements computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float16, Float32, Float64, Int32, Int64};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::arg_extremum::{int, with_int};
use crate::defect::{Defect, Wrong};
use crate::kernels::{nearest, value};
use crate::reduction::{floats, integers, with_axes};
use crate::request::{Request, changed};

const SUM: &[&str] = &["ReduceSum"];
const MEAN: &[&str] = &["ReduceMean"];
const PRODUCT: &[&str] = &["ReduceProd"];
const CUMPROD: &[&str] = &["CumProd"];
const CUMSUM: &[&str] = &["CumSum"];
const GLOBAL: &[&str] = &["GlobalAveragePool"];
const ROTARY: &[&str] = &["RotaryEmbedding"];
const POOL: &[&str] = &["AveragePool"];

/// A defect that is wrong on requests of one type that are not refused.
macro_rules! of {
    ($dtype:ident, |$request:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|$request, $right| match ($request.dtype(), &$right) {
            ($dtype, Outcome::Outputs(_)) => $result,
            _ => $right,
        })
    };
}
pub(crate) use of;

/// Numbers of float32.
pub(crate) fn numbers(tensor: &Tensor) -> Vec<f32> {
    (0..tensor.elements()).map(|at| f32::from_bits(tensor.element(at).unwrap() as u32)).collect()
}

/// The request with another operand in a place.
pub(crate) fn with_operand(request: &Request<'_>, at: usize, operand: Tensor) -> Outcome {
    let mut other = request.clone();
    other.operands[at] = operand;
    other.computed()
}

/// The request with another attribute, where it has this one.
pub(crate) fn instead(
    request: &Request<'_>,
    right: Outcome,
    name: &str,
    from: &str,
    to: &str,
) -> Outcome {
    if request.attributes.get(name) != Some(&Attribute::Text(from.to_owned())) {
        return right;
    }
    request.with(name, Some(Attribute::Text(to.to_owned()))).computed()
}

/// The request along the first dimension, where its axis is negative.
fn along_the_first_dimension(request: &Request<'_>, right: Outcome) -> Outcome {
    let axis = &request.operands[1];
    match axis.dtype() {
        Int64 if integers(axis)[0] < 0 => {
            let first = Tensor::from_values(Int64, Vec::new(), vec![0_i64]).unwrap();
            with_operand(request, 1, first)
        }
        _ => right,
    }
}

/// The output of a reduction of float32 with each element made of those that it is of.
pub(crate) fn reduced(
    request: &Request<'_>,
    right: Outcome,
    element: impl Fn(&[f32]) -> f32,
) -> Outcome {
    let data = &request.operands[0];
    let (shape, all) = (data.shape(), numbers(data));
    let axes = match (request.operands.get(1), request.attributes.get("axes")) {
        (Some(axes), _) => integers(axes),
        (None, Some(Attribute::Ints(axes))) => axes.clone(),
        _ => Vec::new(),
    };
    let is_all = axes.is_empty() && int(request, "noop_with_empty_axes") != Some(1);
    let rank = shape.len() as i64;
    let is_gone = |at: usize| {
        is_all || axes.iter().any(|axis| (axis + if *axis < 0 { rank } else { 0 }) == at as i64)
    };
    changed(right, |output| {
        let mut groups = vec![Vec::new(); output.elements()];
        for (at, number) in all.iter().enumerate() {
            let (mut rest, mut stride, mut to) = (at, 1, 0);
            for (dimension, size) in shape.iter().enumerate().rev() {
                if !is_gone(dimension) {
                    to += rest % size * stride;
                    stride *= size;
                }
                rest /= size;
            }
            groups[to].push(*number);
        }
        let results: Vec<f32> = groups.iter().map(|group| element(group)).collect();
        Tensor::from_values(Float32, output.shape().to_vec(), results).unwrap()
    })
}

/// The sum with every partial sum rounded to float16.
pub(crate) fn in_float16(elements: &[f32]) -> f32 {
    let sum = elements
        .iter()
        .fold(0.0, |sum, element| value(Float16, nearest(Float16, sum + f64::from(*element))));
    sum as f32
}

fn sum(elements: &[f32]) -> f32 {
    elements.iter().fold(0.0_f64, |sum, element| sum + f64::from(*element)) as f32
}

/// All elements but the last one.
pub(crate) fn but_last(elements: &[f32]) -> &[f32] {
    &elements[..elements.len().max(1) - 1]
}

/// Elements of a channel.
fn channels(request: &Request<'_>) -> (Vec<f32>, usize) {
    let data = &request.operands[0];
    (numbers(data), data.shape()[2..].iter().product())
}

/// The means of channels made otherwise.
fn of_channels(request: &Request<'_>, right: Outcome, mean: fn(&[f32]) -> f32) -> Outcome {
    let (all, size) = channels(request);
    match size {
        0 => right,
        _ => changed(right, |output| {
            let means: Vec<f32> = all.chunks(size).map(mean).collect();
            Tensor::from_values(Float32, output.shape().to_vec(), means).unwrap()
        }),
    }
}

/// The request of a pool whose windows may reach beyond the padding, with that much more of it.
fn with_more_padding(request: &Request<'_>, right: Outcome) -> Outcome {
    let (Some(1), Some(1)) = (int(request, "ceil_mode"), int(request, "count_include_pad")) else {
        return right;
    };
    let Outcome::Outputs(outputs) = &right else { return right };
    let output = outputs[0].tensors()[0].shape()[2..].to_vec();
    let input = request.operands[0].shape()[2..].to_vec();
    let list = |name: &str, count: usize, otherwise: i64| match request.attributes.get(name) {
        Some(Attribute::Ints(list)) => list.clone(),
        _ => vec![otherwise; count],
    };
    let rank = input.len();
    let (kernel, strides) = (list("kernel_shape", rank, 1), list("strides", rank, 1));
    let (dilations, mut pads) = (list("dilations", rank, 1), list("pads", 2 * rank, 0));
    for at in 0..rank {
        let reach = (kernel[at] - 1) * dilations[at] + 1;
        let end = (output[at] as i64 - 1) * strides[at] + reach;
        let beyond = end - (input[at] as i64 + pads[at] + pads[rank + at]);
        pads[rank + at] += beyond.max(0);
    }
    let mut other = request.clone();
    other.attributes.insert("pads".to_owned(), Attribute::Ints(pads));
    other.attributes.insert("ceil_mode".to_owned(), Attribute::Int(0));
    other.computed()
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "reducesum-of-float32-in-float16",
        class: Conversion,
        says: "Partial sums of float32 are rounded to float16.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, in_float16)),
    },
    Defect {
        id: "reducesum-last-element-dropped",
        class: Indexing,
        says: "The last element of each sum is left out.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| sum(but_last(it)))),
    },
    Defect {
        id: "reducesum-negative-axis-first",
        class: Indexing,
        says: "A negative axis is the first dimension.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| with_axes(request, |axis| axis.max(0))),
    },
    Defect {
        id: "reducesum-empty-axes-always-all",
        class: Indexing,
        says: "Without axes all dimensions are gone along, though none are asked for.",
        operators: SUM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| match int(request, "noop_with_empty_axes") {
            Some(1) => with_int(request, "noop_with_empty_axes", 0),
            _ => right,
        }),
    },
    Defect {
        id: "reducesum-int32-saturates",
        class: Arithmetic,
        says: "Sums of int32 stop at the ends of the type.",
        operators: SUM,
        types: &[Int32],
        caught_by: "onnx",
        wrong: of!(Int32, |request, right| {
            let data = &request.operands[0];
            let all = (0..data.elements()).map(|at| data.element(at).unwrap() as i32);
            let wide: Vec<i64> = all.map(i64::from).collect();
            let wide = Tensor::from_values(Int64, data.shape().to_vec(), wide).unwrap();
            changed(with_operand(request, 0, wide), |sums| {
                let ends = (i64::from(i32::MIN), i64::from(i32::MAX));
                let all = integers(&sums).into_iter().map(|sum| sum.clamp(ends.0, ends.1) as i32);
                Tensor::from_values(Int32, sums.shape().to_vec(), all.collect::<Vec<_>>()).unwrap()
            })
        }),
    },
    Defect {
        id: "reducemean-by-the-whole-count",
        class: Arithmetic,
        says: "Sums are divided by the number of all elements.",
        operators: MEAN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let count = request.operands[0].elements() as f32;
            reduced(request, right, |it| sum(it) / count)
        }),
    },
    Defect {
        id: "reducemean-of-float32-in-float16",
        class: Conversion,
        says: "Partial sums of float32 are rounded to float16.",
        operators: MEAN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            reduced(request, right, |it| in_float16(it) / it.len() as f32)
        }),
    },
    Defect {
        id: "reducemean-dimensions-dropped-by-default",
        class: Indexing,
        says: "The dimensions are left out where nothing is said.",
        operators: MEAN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| match int(request, "keepdims") {
            None => with_int(request, "keepdims", 0),
            Some(_) => right,
        }),
    },
    Defect {
        id: "reducemean-of-int64-in-float64",
        class: Conversion,
        says: "Integers of 64 bits are summed as float64.",
        operators: MEAN,
        types: &[Int64],
        caught_by: "onnx",
        wrong: of!(Int64, |request, right| {
            let data = &request.operands[0];
            let all: Vec<f64> = integers(data).into_iter().map(|it| it as f64).collect();
            let other = Tensor::from_values(Float64, data.shape().to_vec(), all).unwrap();
            match with_operand(request, 0, other) {
                Outcome::Outputs(outputs) => changed(Outcome::Outputs(outputs), |means| {
                    let all = (0..means.elements())
                        .map(|at| f64::from_bits(means.element(at).unwrap() as u64) as i64);
                    Tensor::from_values(Int64, means.shape().to_vec(), all.collect::<Vec<_>>())
                        .unwrap()
                }),
                _ => right,
            }
        }),
    },
    Defect {
        id: "reduceprod-zeros-skipped",
        class: SpecialValues,
        says: "Factors that are zero are skipped.",
        operators: PRODUCT,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| {
            it.iter().filter(|it| **it != 0.0).product()
        })),
    },
    Defect {
        id: "reduceprod-of-none-zero",
        class: SpecialValues,
        says: "The product of no elements is zero.",
        operators: PRODUCT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| match request.operands[0].elements() {
            0 => changed(right, |it| floats(&it, |_| 0.0)),
            _ => right,
        }),
    },
    Defect {
        id: "reduceprod-by-logarithms",
        class: Arithmetic,
        says: "Products are computed as exponentials of sums of logarithms in float32.",
        operators: PRODUCT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| {
            let sign = it.iter().map(|it| it.signum()).product::<f32>();
            let sum: f32 = it.iter().map(|it| it.abs().ln()).sum();
            if it.contains(&0.0) { 0.0 } else { sign * sum.exp() }
        })),
    },
    Defect {
        id: "reduceprod-last-factor-dropped",
        class: Indexing,
        says: "The last factor of each product is left out.",
        operators: PRODUCT,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| reduced(request, right, |it| {
            but_last(it).iter().product()
        })),
    },
    Defect {
        id: "cumsum-negative-axis-first",
        class: Indexing,
        says: "A negative axis is the first dimension.",
        operators: CUMSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| along_the_first_dimension(request, right)),
    },
    Defect {
        id: "cumsum-differences-of-the-whole",
        class: Arithmetic,
        says: "Each sum is the whole less what comes after it.",
        operators: CUMSUM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let (data, attributes) = (&request.operands[0], &request.attributes);
            match (data.shape(), attributes.get("exclusive"), attributes.get("reverse")) {
                ([_, size], None | Some(Attribute::Int(0)), None) if *size > 0 => {
                    let all = numbers(data);
                    changed(right, |output| {
                        let rows = all.chunks(*size).flat_map(|row| {
                            let whole = row.iter().fold(0.0, |sum, it| sum + it);
                            (1..=*size).map(move |at| {
                                whole - row[at..].iter().fold(0.0, |sum, it| sum + it)
                            })
                        });
                        let rows: Vec<f32> = rows.collect();
                        Tensor::from_values(Float32, output.shape().to_vec(), rows).unwrap()
                    })
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "globalaveragepool-of-float32-in-float16",
        class: Conversion,
        says: "Partial sums of float32 are rounded to float16.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| of_channels(request, right, |it| {
            in_float16(it) / it.len() as f32
        })),
    },
    Defect {
        id: "globalaveragepool-last-element-dropped",
        class: Indexing,
        says: "The last element of each channel does not belong to the sum.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| of_channels(request, right, |it| {
            sum(but_last(it)) / it.len() as f32
        })),
    },
    Defect {
        id: "averagepool-padding-always-counted",
        class: Arithmetic,
        says: "The padding counts where it is not asked to.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| match request.operator.since_version() {
            1 => right,
            _ => with_int(request, "count_include_pad", 1),
        }),
    },
    Defect {
        id: "averagepool-counted-beyond-the-padding",
        class: Arithmetic,
        says: "What a window has beyond the padding counts as padding.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| with_more_padding(request, right)),
    },
    Defect {
        id: "averagepool-same-lower-is-upper",
        class: Indexing,
        says: "What is odd of the padding always comes at the end.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            instead(request, right, "auto_pad", "SAME_LOWER", "SAME_UPPER")
        }),
    },
    Defect {
        id: "cumprod-begins-with-zero",
        class: Arithmetic,
        says: "The product of nothing is 0.",
        operators: CUMPROD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let size = *request.operands[0].shape().last().unwrap_or(&0);
            let is_alone = request.operands[0].shape().len() <= 2 && size > 0;
            match int(request, "exclusive") {
                Some(1) if is_alone && int(request, "reverse") != Some(1) => {
                    changed(right, |output| {
                        let all = numbers(&output).into_iter().enumerate();
                        let all = all.map(|(at, it)| if at % size == 0 { 0.0 } else { it });
                        Tensor::from_values(Float32, output.shape().to_vec(), all.collect())
                            .unwrap()
                    })
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "cumprod-negative-axis-first",
        class: Indexing,
        says: "A negative axis is the first dimension.",
        operators: CUMPROD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| along_the_first_dimension(request, right)),
    },
    Defect {
        id: "cumprod-reverse-of-products-from-the-beginning",
        class: Indexing,
        says: "With `reverse` the products begin at the first element, and the output is turned round.",
        operators: CUMPROD,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let shape = request.operands[0].shape();
            if int(request, "reverse") != Some(1) || shape.len() > 2 || shape.contains(&0) {
                return right;
            }
            changed(with_int(request, "reverse", 0), |output| {
                let size = *shape.last().unwrap_or(&1);
                let all: Vec<f32> = numbers(&output)
                    .chunks(size)
                    .flat_map(|row| row.iter().rev().copied().collect::<Vec<_>>())
                    .collect();
                Tensor::from_values(Float32, output.shape().to_vec(), all).unwrap()
            })
        }),
    },
    Defect {
        id: "rotaryembedding-sine-of-the-other-sign",
        class: Arithmetic,
        says: "Pairs are turned the other way round.",
        operators: ROTARY,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            let sines = &request.operands[2];
            let turned = numbers(sines).into_iter().map(|it| -it).collect();
            let turned = Tensor::from_values(Float32, sines.shape().to_vec(), turned).unwrap();
            with_operand(request, 2, turned)
        }),
    },
    Defect {
        id: "rotaryembedding-always-interleaved",
        class: Indexing,
        says: "Neighbours are pairs, whether they are to be or not.",
        operators: ROTARY,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_int(request, "interleaved", 1)),
    },
    Defect {
        id: "rotaryembedding-positions-of-the-first-instance",
        class: Indexing,
        says: "Every instance has the positions of the first one.",
        operators: ROTARY,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let Some(ids) = request.operands.get(3) else { return right };
            let (all, tokens) = (integers(ids), ids.shape()[1]);
            let all = (0..all.len()).map(|at| all[at % tokens]).collect();
            let all = Tensor::from_values(Int64, ids.shape().to_vec(), all).unwrap();
            with_operand(request, 3, all)
        }),
    },
];
