//! Norms of windows, responses by the channels around, blocks, unpooled elements, grids and samples computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::{Float32, Int64};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::accumulated::{numbers, of, with_operand};
use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::reduction::integers;
use crate::request::{Request, changed, picked};

const LP: &[&str] = &["LpPool"];
const GLOBAL: &[&str] = &["GlobalLpPool"];
const LRN: &[&str] = &["LRN"];
const COL2IM: &[&str] = &["Col2Im"];
const UNPOOL: &[&str] = &["MaxUnpool"];
const GRID: &[&str] = &["AffineGrid"];
const SAMPLE: &[&str] = &["GridSample"];

fn floats(shape: &[usize], values: Vec<f32>) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values).unwrap()
}

/// The order of a norm.
fn order(request: &Request<'_>) -> f32 {
    match request.attributes.get("p") {
        Some(Attribute::Float(order)) => *order,
        _ => int(request, "p").unwrap_or(2) as f32,
    }
}

/// The outcome with each norm made another by it and the order.
fn norms(request: &Request<'_>, right: Outcome, norm: impl Fn(f32, f32) -> f32) -> Outcome {
    changed(right, |tensor| {
        let all = numbers(&tensor).into_iter().map(|it| norm(it, order(request)));
        floats(tensor.shape(), all.collect())
    })
}

/// The request with the rows of each batch of columns in another order.
fn with_rows(
    request: &Request<'_>,
    right: Outcome,
    row: impl Fn(usize, [usize; 2]) -> usize,
) -> Outcome {
    let (data, block) = (&request.operands[0], integers(&request.operands[2]));
    let (&[_, rows, columns], &[high, wide]) = (data.shape(), &block[..]) else { return right };
    let block = [high, wide].map(|size| size as usize);
    let place = |at: usize| {
        let (line, column) = (at / columns, at % columns);
        (line / rows * rows + row(line % rows, block)) * columns + column
    };
    let places: Vec<usize> = (0..data.elements()).map(place).collect();
    with_operand(request, 0, picked(data, &places, data.shape()))
}

/// The channels of a tensor in the opposite order.
fn turned(tensor: &Tensor) -> Tensor {
    let shape = tensor.shape();
    let size: usize = shape[2..].iter().product();
    let place = |at: usize| {
        let (line, within) = (at / size, at % size);
        (line / shape[1] * shape[1] + shape[1] - 1 - line % shape[1]) * size + within
    };
    picked(tensor, &(0..tensor.elements()).map(place).collect::<Vec<_>>(), shape)
}

/// The request with the elements of the matrices of a grid made others, of the column of each and the number of columns.
fn with_matrices(request: &Request<'_>, other: impl Fn(&[f32], usize, usize) -> f32) -> Outcome {
    let theta = &request.operands[0];
    let (all, columns) = (numbers(theta), theta.shape()[2]);
    let elements = (0..all.len()).map(|at| other(&all[at - at % columns..], at % columns, columns));
    with_operand(request, 0, floats(theta.shape(), elements.collect()))
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "lppool-root-left-out",
        class: Arithmetic,
        says: "The norm is the sum of the powers, without the root.",
        operators: LP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| norms(request, right, f32::powf)),
    },
    Defect {
        id: "lppool-mean-of-powers",
        class: Arithmetic,
        says: "The powers are averaged over a window before the root.",
        operators: LP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let Some(Attribute::Ints(kernel)) = request.attributes.get("kernel_shape") else {
                return right;
            };
            let count: i64 = kernel.iter().product();
            norms(request, right, |norm, order| norm / (count as f32).powf(order.recip()))
        }),
    },
    Defect {
        id: "lppool-powers-without-magnitudes",
        class: Arithmetic,
        says: "Powers of odd orders keep the signs of the elements.",
        operators: LP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let order = order(request);
            if order % 2.0 != 1.0 {
                return right;
            }
            let data = &request.operands[0];
            let of_sign = |sign: f32| -> Vec<f32> {
                let all = numbers(data).into_iter().map(|it| (sign * it).max(0.0)).collect();
                match with_operand(request, 0, floats(data.shape(), all)) {
                    Outcome::Outputs(outputs) => match outputs.as_slice() {
                        [Value::Tensor(tensor)] => numbers(tensor),
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                }
            };
            let [positive, negative] = [1.0, -1.0].map(of_sign);
            changed(right, |tensor| {
                let sums = positive.iter().zip(&negative).map(|(a, b)| {
                    let sum = a.powf(order) - b.powf(order);
                    sum.signum() * sum.abs().powf(order.recip())
                });
                floats(tensor.shape(), sums.collect())
            })
        }),
    },
    Defect {
        id: "globallppool-root-left-out",
        class: Arithmetic,
        says: "The norm is the sum of the powers, without the root.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| norms(request, right, f32::powf)),
    },
    Defect {
        id: "globallppool-mean-of-powers",
        class: Arithmetic,
        says: "The powers are averaged over a channel before the root.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let count: usize = request.operands[0].shape()[2..].iter().product();
            norms(request, right, |norm, order| norm / (count as f32).powf(order.recip()))
        }),
    },
    Defect {
        id: "globallppool-sum-without-magnitudes",
        class: Arithmetic,
        says: "The norm of order 1 is the sum of the elements, signs and all.",
        operators: GLOBAL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            if int(request, "p") != Some(1) {
                return right;
            }
            let all = numbers(&request.operands[0]);
            changed(right, |tensor| {
                let size = all.len() / tensor.elements().max(1);
                let sums = all.chunks(size.max(1)).map(|channel| channel.iter().sum());
                floats(tensor.shape(), sums.collect())
            })
        }),
    },
    Defect {
        id: "lrn-sum-for-mean",
        class: Arithmetic,
        says: "The sum of the squares is not divided by their number.",
        operators: LRN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let size = int(request, "size").unwrap_or(1) as f32;
            let alpha = match request.attributes.get("alpha") {
                Some(Attribute::Float(alpha)) => *alpha,
                _ => 1e-4,
            };
            request.with("alpha", Some(Attribute::Float(alpha * size))).computed()
        }),
    },
    Defect {
        id: "lrn-own-channel-alone",
        class: Indexing,
        says: "The squares of other channels are left out.",
        operators: LRN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            request.with("size", Some(Attribute::Int(1))).computed()
        }),
    },
    Defect {
        id: "lrn-more-channels-before",
        class: Indexing,
        says: "Of an even number of channels more are before the element's own than after it.",
        operators: LRN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            if request.operands[0].elements() == 0 {
                return right;
            }
            let other = with_operand(request, 0, turned(&request.operands[0]));
            changed(other, |tensor| turned(&tensor))
        }),
    },
    Defect {
        id: "col2im-elements-of-blocks-by-columns",
        class: Indexing,
        says: "The elements of a block are read column by column.",
        operators: COL2IM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| with_rows(request, right, |row, [high, wide]| {
            let within = row % (high * wide);
            row - within + within % wide * high + within / wide
        })),
    },
    Defect {
        id: "col2im-channels-inside-blocks",
        class: Indexing,
        says: "Rows have all channels of an element of the blocks before the next element.",
        operators: COL2IM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let rows = request.operands[0].shape()[1];
            with_rows(request, right, |row, [high, wide]| {
                let (size, channels) = (high * wide, rows / (high * wide));
                row % size * channels + row / size
            })
        }),
    },
    Defect {
        id: "col2im-blocks-by-columns",
        class: Indexing,
        says: "Without attributes the blocks are read column by column.",
        operators: COL2IM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let [image, block] = [1, 2].map(|at: usize| integers(&request.operands[at]));
            let (&[image_high, image_wide], &[high, wide]) = (&image[..], &block[..]) else {
                return right;
            };
            if !request.attributes.is_empty() {
                return right;
            }
            let [rows, columns] =
                [image_high - high + 1, image_wide - wide + 1].map(|size| size.max(1) as usize);
            let data = &request.operands[0];
            let place = |at: usize| {
                let within = at % (rows * columns);
                at - within + within % columns * rows + within / columns
            };
            let places: Vec<usize> = (0..data.elements()).map(place).collect();
            with_operand(request, 0, picked(data, &places, data.shape()))
        }),
    },
    Defect {
        id: "maxunpool-indices-within-channel",
        class: Indexing,
        says: "Indices begin anew with each channel, all of which are put into the first one.",
        operators: UNPOOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let Outcome::Outputs(outputs) = &right else { return right };
            let Some(Value::Tensor(output)) = outputs.first() else {
                return right;
            };
            let size = output.shape()[2..].iter().product::<usize>().max(1) as i64;
            let indices = &request.operands[1];
            let all = integers(indices).into_iter().map(|index| index % size);
            let all = Tensor::from_values(Int64, indices.shape().to_vec(), all.collect()).unwrap();
            with_operand(request, 1, all)
        }),
    },
    Defect {
        id: "maxunpool-rest-is-the-least-number",
        class: Arithmetic,
        says: "Where no element is put, there is the least number instead of 0.",
        operators: UNPOOL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |_request, right| changed(right, |tensor| {
            let all = numbers(&tensor).into_iter().map(|it| if it == 0.0 { f32::MIN } else { it });
            floats(tensor.shape(), all.collect())
        })),
    },
    Defect {
        id: "maxunpool-indices-from-one",
        class: Indexing,
        says: "Indices are counted from 1.",
        operators: UNPOOL,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            let indices = &request.operands[1];
            let all = integers(indices).into_iter().map(|index| (index - 1).max(0)).collect();
            let all = Tensor::from_values(Int64, indices.shape().to_vec(), all).unwrap();
            with_operand(request, 1, all)
        }),
    },
    Defect {
        id: "affinegrid-always-by-corners",
        class: Arithmetic,
        says: "-1 and 1 are the centres of the first and the last pixel, whatever is asked.",
        operators: GRID,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            request.with("align_corners", Some(Attribute::Int(1))).computed()
        }),
    },
    Defect {
        id: "affinegrid-first-dimension-first",
        class: Indexing,
        says: "A position has the coordinate along the first dimension first.",
        operators: GRID,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_matrices(request, |row, column, columns| {
            if column + 1 == columns { row[column] } else { row[columns - 2 - column] }
        })),
    },
    Defect {
        id: "affinegrid-nothing-moved",
        class: Arithmetic,
        says: "The last column of the matrices is left out.",
        operators: GRID,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_matrices(request, |row, column, columns| {
            if column + 1 == columns { 0.0 } else { row[column] }
        })),
    },
    Defect {
        id: "gridsample-always-by-corners",
        class: Arithmetic,
        says: "-1 and 1 are the centres of the first and the last element, whatever is asked.",
        operators: SAMPLE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            request.with("align_corners", Some(Attribute::Int(1))).computed()
        }),
    },
    Defect {
        id: "gridsample-padding-always-zeros",
        class: Indexing,
        says: "Elements outside are 0, whatever is asked.",
        operators: SAMPLE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| request.without("padding_mode")),
    },
    Defect {
        id: "gridsample-reflection-as-border",
        class: Indexing,
        says: "Instead of reflected elements there are those at the border.",
        operators: SAMPLE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let border = || Attribute::Text("border".to_owned());
            match request.attributes.get("padding_mode") {
                Some(Attribute::Text(word)) if word == "reflection" => {
                    request.with("padding_mode", Some(border())).computed()
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "gridsample-first-dimension-first",
        class: Indexing,
        says: "A location has the coordinate along the first dimension first.",
        operators: SAMPLE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let grid = &request.operands[1];
            let Some(&count) = grid.shape().last().filter(|count| **count > 0) else {
                return right;
            };
            let place = |at: usize| at - at % count + count - 1 - at % count;
            let places: Vec<usize> = (0..grid.elements()).map(place).collect();
            with_operand(request, 1, picked(grid, &places, grid.shape()))
        }),
    },
    Defect {
        id: "gridsample-cubic-as-linear",
        class: Arithmetic,
        says: "Cubic weights are those of linear interpolation.",
        operators: SAMPLE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| match request.attributes.get("mode") {
            Some(Attribute::Text(mode)) if mode.ends_with("cubic") => request.without("mode"),
            _ => right,
        }),
    },
];
