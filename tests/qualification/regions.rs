//! Bins and windows of regions computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::{Float32, Int64};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::Tensor;

use crate::accumulated::{instead, numbers, of, with_operand};
use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::request::{Request, changed, picked};

const ALIGN: &[&str] = &["RoiAlign"];
const POOL: &[&str] = &["MaxRoiPool"];

const SHIFT: &str = "coordinate_transformation_mode";

/// The request with the numbers of each region made others.
fn with_regions(request: &Request<'_>, other: impl Fn(&[f32]) -> Vec<f32>) -> Outcome {
    let rois = &request.operands[1];
    let all = numbers(rois);
    let Some(&count) = rois.shape().last().filter(|count| **count > 0) else {
        return request.computed();
    };
    let all = all.chunks(count).flat_map(other).collect();
    let rois = Tensor::from_values(Float32, rois.shape().to_vec(), all).unwrap();
    with_operand(request, 1, rois)
}

/// The numbers of a region with its four coordinates, which come last, made others.
fn coordinates(region: &[f32], other: impl Fn([f32; 4]) -> [f32; 4]) -> Vec<f32> {
    let (before, corners) = region.split_at(region.len() - 4);
    let corners = [corners[0], corners[1], corners[2], corners[3]];
    [before, &other(corners)[..]].concat()
}

/// The image and the output with rows and columns exchanged, of square outputs.
fn exchanged(tensor: &Tensor) -> Tensor {
    let &[batches, channels, rows, columns] = tensor.shape() else { return tensor.clone() };
    let size = rows * columns;
    let place = |at: usize| {
        let within = at % size;
        at - within + within % rows * columns + within / rows
    };
    let places: Vec<usize> = (0..tensor.elements()).map(place).collect();
    picked(tensor, &places, &[batches, channels, columns, rows])
}

/// The scale of coordinates.
fn scale(request: &Request<'_>) -> f32 {
    match request.attributes.get("spatial_scale") {
        Some(Attribute::Float(scale)) => *scale,
        _ => 1.0,
    }
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "roialign-largest-as-mean",
        class: Arithmetic,
        says: "A bin is the mean of its samples, whatever the mode is.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| request.without("mode")),
    },
    Defect {
        id: "roialign-sum-for-mean",
        class: Arithmetic,
        says: "The sum of the samples is not divided by their number.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let count = int(request, "sampling_ratio").unwrap_or(0).max(0).pow(2) as f32;
            let is_mean = request.attributes.get("mode") != Some(&Attribute::Text("max".into()));
            if count <= 1.0 || !is_mean {
                return right;
            }
            changed(right, |tensor| {
                let all = numbers(&tensor).into_iter().map(|mean| mean * count).collect();
                Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
            })
        }),
    },
    Defect {
        id: "roialign-scale-left-out",
        class: Arithmetic,
        says: "Coordinates are not multiplied by the scale.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| request.without("spatial_scale")),
    },
    Defect {
        id: "roialign-never-shifted",
        class: Arithmetic,
        says: "Coordinates are not shifted by half a pixel, whatever is asked.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            if request.operator.since_version() < 16 {
                return right;
            }
            let unshifted = Attribute::Text("output_half_pixel".to_owned());
            request.with(SHIFT, Some(unshifted)).computed()
        }),
    },
    Defect {
        id: "roialign-always-shifted",
        class: Arithmetic,
        says: "Coordinates are shifted by half a pixel, whatever is asked.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            instead(request, right, SHIFT, "output_half_pixel", "half_pixel")
        }),
    },
    Defect {
        id: "roialign-one-sample",
        class: Arithmetic,
        says: "A bin has one sample, in its middle.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            request.with("sampling_ratio", Some(Attribute::Int(1))).computed()
        }),
    },
    Defect {
        id: "roialign-two-samples-without-a-ratio",
        class: Arithmetic,
        says: "Where the number of samples is left to the size of the bins, it is two by two.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| match int(request, "sampling_ratio") {
            None | Some(0) => request.with("sampling_ratio", Some(Attribute::Int(2))).computed(),
            Some(_) => right,
        }),
    },
    Defect {
        id: "roialign-first-coordinate-down",
        class: Indexing,
        says: "The first coordinate of a corner counts rows.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_regions(request, |region| {
            coordinates(region, |[x1, y1, x2, y2]| [y1, x1, y2, x2])
        })),
    },
    Defect {
        id: "roialign-first-image",
        class: Indexing,
        says: "All regions are of the first image.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| {
            let batches = &request.operands[2];
            let zeros = vec![0_i64; batches.elements()];
            let zeros = Tensor::from_values(Int64, batches.shape().to_vec(), zeros).unwrap();
            with_operand(request, 2, zeros)
        }),
    },
    Defect {
        id: "roialign-corner-as-size",
        class: Indexing,
        says: "The second corner of a region is read as its width and height.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_regions(request, |region| {
            coordinates(region, |[x1, y1, x2, y2]| [x1, y1, x1 + x2, y1 + y2])
        })),
    },
    Defect {
        id: "roialign-coordinates-rounded",
        class: Arithmetic,
        says: "Coordinates are rounded to pixels.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| {
            let scale = scale(request);
            with_regions(request, |region| {
                coordinates(region, |corners| corners.map(|it| (it * scale).round() / scale))
            })
        }),
    },
    Defect {
        id: "roialign-bins-by-columns",
        class: Indexing,
        says: "The bins of a region are in the order of its columns.",
        operators: ALIGN,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |_request, right| changed(right, |tensor| {
            let shape = tensor.shape().to_vec();
            let places: Vec<usize> = (0..tensor.elements()).collect();
            picked(&exchanged(&tensor), &places, &shape)
        })),
    },
    Defect {
        id: "maxroipool-scale-left-out",
        class: Arithmetic,
        says: "Coordinates are not multiplied by the scale.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| request.without("spatial_scale")),
    },
    Defect {
        id: "maxroipool-first-coordinate-down",
        class: Indexing,
        says: "The first coordinate of a corner counts rows.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| with_regions(request, |region| {
            coordinates(region, |[x1, y1, x2, y2]| [y1, x1, y2, x2])
        })),
    },
    Defect {
        id: "maxroipool-last-element-left-out",
        class: Indexing,
        says: "The second corner is not part of a region.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| {
            let pixel = scale(request).recip();
            with_regions(request, |region| {
                coordinates(region, |[x1, y1, x2, y2]| [x1, y1, x2 - pixel, y2 - pixel])
            })
        }),
    },
    Defect {
        id: "maxroipool-coordinates-rounded-down",
        class: Arithmetic,
        says: "Coordinates are rounded down.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| {
            let scale = scale(request);
            with_regions(request, |region| {
                coordinates(region, |corners| corners.map(|it| (it * scale).floor() / scale))
            })
        }),
    },
    Defect {
        id: "maxroipool-first-image",
        class: Indexing,
        says: "All regions are of the first image.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| with_regions(request, |region| {
            [&[0.0], &region[1..]].concat()
        })),
    },
    Defect {
        id: "maxroipool-smallest-element",
        class: Arithmetic,
        says: "The smallest element of each window is taken.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, _right| {
            let negated = |tensor: &Tensor| {
                let all = numbers(tensor).into_iter().map(|it| -it).collect();
                Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
            };
            let other = with_operand(request, 0, negated(&request.operands[0]));
            changed(other, |tensor| negated(&tensor))
        }),
    },
    Defect {
        id: "maxroipool-nothing-below-zero",
        class: Arithmetic,
        says: "The largest element is looked for from 0 on.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |_request, right| changed(right, |tensor| {
            let all = numbers(&tensor).into_iter().map(|it| it.max(0.0)).collect();
            Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
        })),
    },
    Defect {
        id: "maxroipool-windows-by-columns",
        class: Indexing,
        says: "The windows of a region are in the order of its columns.",
        operators: POOL,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |_request, right| changed(right, |tensor| {
            let shape = tensor.shape().to_vec();
            let places: Vec<usize> = (0..tensor.elements()).collect();
            picked(&exchanged(&tensor), &places, &shape)
        })),
    },
];
