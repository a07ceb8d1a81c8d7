//! DeformConv computed wrongly.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{Arithmetic, Indexing};
use onnx_conformance::dtype::DType::Float32;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, coordinates};

use crate::accumulated::{numbers, of};
use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::request::{Request, picked};

const DEFORM: &[&str] = &["DeformConv"];

/// The places of the inputs.
const OFFSET: usize = 2;
const BIAS: usize = 3;
const MASK: usize = 4;

/// The spatial dimensions, the places in the kernel, and the groups of offsets.
fn parts(request: &Request<'_>) -> [usize; 3] {
    let kernel = &request.operands[1].shape()[2..];
    let groups = int(request, "offset_group").unwrap_or(1) as usize;
    [kernel.len(), kernel.iter().product(), groups]
}

/// The request with another input in a place.
fn with_input(request: &Request<'_>, at: usize, other: Tensor) -> Outcome {
    let mut request = request.clone();
    if let Some(given) = request.given(at) {
        *given = other;
    }
    request.computed()
}

/// The request without an optional input.
fn without_input(request: &Request<'_>, right: Outcome, at: usize) -> Outcome {
    let Some(place) = request.places.get(at).copied().flatten() else { return right };
    let mut other = request.clone();
    other.leave_out(at);
    other.operands.remove(place);
    for later in other.places.iter_mut().flatten().filter(|later| **later > place) {
        *later -= 1;
    }
    other.computed()
}

/// The request with each channel of an input taken from another one of it.
fn with_channels(
    request: &Request<'_>,
    right: Outcome,
    at: usize,
    from: impl Fn(usize) -> usize,
) -> Outcome {
    let Some(input) = request.clone().given(at).cloned() else { return right };
    let shape = input.shape();
    let (channels, within) = (shape[1], shape[2..].iter().product::<usize>());
    let place = |index: usize| {
        let (line, rest) = (index / within, index % within);
        (line / channels * channels + from(line % channels)) * within + rest
    };
    let places: Vec<usize> = (0..input.elements()).map(place).collect();
    with_input(request, at, picked(&input, &places, shape))
}

/// The request with other offsets: of the place in the data before it is moved, the size of the data there, and the offset.
fn with_offsets(request: &Request<'_>, other: impl Fn(f32, f32, f32) -> f32) -> Outcome {
    let [rank, taps, _] = parts(request);
    let (sizes, kernel) = (&request.operands[0].shape()[2..], &request.operands[1].shape()[2..]);
    let offset = &request.operands[OFFSET];
    let list = |name: &str, otherwise: i64, axis: usize| match request.attributes.get(name) {
        Some(Attribute::Ints(list)) => list[axis],
        _ => otherwise,
    };
    let made = |(index, own): (usize, f32)| {
        let at = coordinates(index, offset.shape());
        let (axis, tap) = (at[1] % rank, coordinates(at[1] / rank % taps, kernel));
        let start = at[axis + 2] as i64 * list("strides", 1, axis) - list("pads", 0, axis);
        let base = start + tap[axis] as i64 * list("dilations", 1, axis);
        other(base as f32, sizes[axis] as f32, own)
    };
    let all: Vec<f32> = numbers(offset).into_iter().enumerate().map(made).collect();
    let offsets = Tensor::from_values(Float32, offset.shape().to_vec(), all).unwrap();
    with_input(request, OFFSET, offsets)
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "deformconv-not-deformed",
        class: Arithmetic,
        says: "No place is moved by its offset.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_offsets(request, |_, _, _| 0.0)),
    },
    Defect {
        id: "deformconv-nearest",
        class: Arithmetic,
        says: "The nearest element is taken, and none between others.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_offsets(request, |_, _, own| own.round())),
    },
    Defect {
        id: "deformconv-weights-turned",
        class: Arithmetic,
        says: "The element before a location has the weight of the one behind it.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            with_offsets(request, |_, _, own| match own.fract() {
                0.0 => own,
                _ => own.floor() + own.ceil() - own,
            })
        }),
    },
    Defect {
        id: "deformconv-border-repeated",
        class: Indexing,
        says: "Outside of the data there are the elements at their border.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| {
            with_offsets(request, |base, size, own| {
                (base + own).clamp(0.0, (size - 1.0).max(0.0)) - base
            })
        }),
    },
    Defect {
        id: "deformconv-offsets-turned-round",
        class: Arithmetic,
        says: "Places are moved back by their offsets.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, _right| with_offsets(request, |_, _, own| -own)),
    },
    Defect {
        id: "deformconv-last-dimension-first",
        class: Indexing,
        says: "Of the offsets of a place that along the last dimension comes first.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let [rank, ..] = parts(request);
            with_channels(request, right, OFFSET, |at| at - at % rank + rank - 1 - at % rank)
        }),
    },
    Defect {
        id: "deformconv-dimension-by-dimension",
        class: Indexing,
        says: "All offsets along the first dimension come before those along the next one.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let [rank, taps, _] = parts(request);
            let from = |at: usize| {
                let (group, own) = (at / (rank * taps), at % (rank * taps));
                group * rank * taps + own % rank * taps + own / rank
            };
            with_channels(request, right, OFFSET, from)
        }),
    },
    Defect {
        id: "deformconv-one-group-of-offsets",
        class: Indexing,
        says: "All channels have the offsets of the first group.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let [rank, taps, _] = parts(request);
            with_channels(request, right, OFFSET, |at| at % (rank * taps))
        }),
    },
    Defect {
        id: "deformconv-groups-of-offsets-interleaved",
        class: Indexing,
        says: "The groups of offsets follow each other place by place in the kernel.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| {
            let [rank, taps, groups] = parts(request);
            let from = |at: usize| {
                let (line, axis) = (at / rank, at % rank);
                (line % taps * groups + line / taps) * rank + axis
            };
            with_channels(request, right, OFFSET, from)
        }),
    },
    Defect {
        id: "deformconv-mask-left-out",
        class: Arithmetic,
        says: "Nothing is multiplied by the mask.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| without_input(request, right, MASK)),
    },
    Defect {
        id: "deformconv-one-group-of-masks",
        class: Indexing,
        says: "All channels have the mask of the first group.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of!(Float32, |request, right| {
            let [_, taps, _] = parts(request);
            with_channels(request, right, MASK, |at| at % taps)
        }),
    },
    Defect {
        id: "deformconv-bias-left-out",
        class: Arithmetic,
        says: "No bias is added.",
        operators: DEFORM,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of!(Float32, |request, right| without_input(request, right, BIAS)),
    },
];
