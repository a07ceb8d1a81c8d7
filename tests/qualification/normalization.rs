//! Normalizations computed wrongly: by a mean and a variance, or by a norm.

use onnx_conformance::backend::Outcome;
use onnx_conformance::documents::qualification::document::Class::{
    Arithmetic, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float16, Float32};
use onnx_conformance::float::FloatFormat;
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, Value};

use crate::arg_extremum::int;
use crate::defect::{Defect, Wrong};
use crate::kernels::nearest;
use crate::request::Request;

const BATCH: &[&str] = &["BatchNormalization"];
const INSTANCE: &[&str] = &["InstanceNormalization"];
const GROUP: &[&str] = &["GroupNormalization"];
const LAYER: &[&str] = &["LayerNormalization"];
const LP: &[&str] = &["LpNormalization"];
const MEAN_VARIANCE: &[&str] = &["MeanVarianceNormalization"];
const RMS: &[&str] = &["RMSNormalization"];

/// The numbers of a tensor of float32 or float16.
pub(crate) fn numbers(tensor: &Tensor) -> Vec<f64> {
    let format =
        if tensor.dtype() == Float16 { &FloatFormat::FLOAT16 } else { &FloatFormat::FLOAT32 };
    (0..tensor.elements()).map(|at| format.to_f64(tensor.element(at).unwrap() as u64)).collect()
}

/// An outcome one of whose outputs has other numbers, by their places and what they were.
pub(crate) fn renumbered(
    outcome: Outcome,
    output: usize,
    number: impl Fn(usize, f64) -> f64,
) -> Outcome {
    let Outcome::Outputs(mut outputs) = outcome else { return outcome };
    if let Some(Value::Tensor(tensor)) = outputs.get(output) {
        let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
        let all = numbers(tensor);
        let all = all.iter().enumerate().map(|(at, right)| number(at, *right));
        let bits = all.map(|number| nearest(dtype, number));
        let width = dtype.bits().unwrap() as usize / 8;
        let bytes: Vec<u8> = bits.flat_map(|bits| bits.to_le_bytes()[..width].to_vec()).collect();
        outputs[output] = Tensor::from_bits(dtype, shape, bytes.into()).unwrap().into();
    }
    Outcome::Outputs(outputs)
}

/// How many elements a line along the axis has, and how far they are apart.
pub(crate) fn line(request: &Request<'_>) -> (usize, usize) {
    let shape = request.operands[0].shape();
    let axis = int(request, "axis").unwrap_or(-1);
    let axis = if axis < 0 { axis + shape.len() as i64 } else { axis } as usize;
    (shape[axis], shape[axis + 1..].iter().product())
}

/// The places of the line of an element.
pub(crate) fn places(at: usize, (count, step): (usize, usize)) -> impl Iterator<Item = usize> {
    let first = at / (count * step) * count * step + at % step;
    (0..count).map(move |place| first + place * step)
}

fn number(request: &Request<'_>, name: &str, otherwise: f32) -> f64 {
    match request.attributes.get(name) {
        Some(Attribute::Float(value)) => f64::from(*value),
        _ => f64::from(otherwise),
    }
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len() as f64
}

fn variance(all: &[f64]) -> f64 {
    let mean = mean(all);
    all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all.len() as f64
}

/// What divides where epsilon is added to the square root of the variance.
fn epsilon_outside_the_root(all: &[f64], epsilon: f64) -> f64 {
    variance(all).sqrt() + epsilon
}

/// What divides where the variance is that of a sample: divided by one less than there are.
fn deviation_of_a_sample(all: &[f64], epsilon: f64) -> f64 {
    let count = all.len() as f64;
    (variance(all) * count / (count - 1.0).max(1.0) + epsilon).sqrt()
}

/// The mean of the squares less the square of the mean, each step rounded to float32.
fn raw_variance(all: &[f64]) -> f64 {
    let count = all.len() as f32;
    let [mut sum, mut squares] = [0.0_f32; 2];
    for x in all.iter().map(|x| *x as f32) {
        sum += x;
        squares += x * x;
    }
    f64::from((squares / count - (sum / count) * (sum / count)).max(0.0))
}

/// What is made of an element by the mean and what its difference from that is divided by.
type Divisor = fn(&[f64], f64) -> f64;

/// The elements of an instance's channel normalized with another divisor.
fn instances(request: &Request<'_>, right: Outcome, divisor: Divisor) -> Outcome {
    let [x, scale, shift] = request.operands.as_slice() else { return right };
    let count: usize = x.shape().iter().skip(2).product();
    let (channels, epsilon) = (x.shape().get(1).copied(), number(request, "epsilon", 1e-5));
    let [x, scale, shift] = [x, scale, shift].map(numbers);
    renumbered(right, 0, |at, _| {
        let (first, channel) = (at / count * count, at / count % channels.unwrap());
        let all = &x[first..first + count];
        (x[at] - mean(all)) / divisor(all, epsilon) * scale[channel] + shift[channel]
    })
}

/// A layer's lines with other means and divisors; the second and third output stay.
fn layers(request: &Request<'_>, right: Outcome, divisor: Divisor) -> Outcome {
    let [x, scale, others @ ..] = request.operands.as_slice() else { return right };
    let axis = int(request, "axis").unwrap_or(-1);
    let axis = if axis < 0 { axis + x.shape().len() as i64 } else { axis } as usize;
    let count: usize = x.shape()[axis..].iter().product();
    if scale.elements() != count || others.iter().any(|shift| shift.elements() != count) {
        return right;
    }
    let epsilon = number(request, "epsilon", 1e-5);
    let [x, scale] = [x, scale].map(numbers);
    let shift = others.first().map_or_else(|| vec![0.0; count], numbers);
    renumbered(right, 0, |at, _| {
        let all = &x[at / count * count..][..count];
        let normal = (x[at] - mean(all)) / divisor(all, epsilon);
        normal * scale[at % count] + shift[at % count]
    })
}

/// The elements of lines divided by another number, and scaled.
fn roots(request: &Request<'_>, right: Outcome, divisor: Divisor) -> Outcome {
    let [x, scale] = request.operands.as_slice() else { return right };
    let axis = int(request, "axis").unwrap_or(-1);
    let axis = if axis < 0 { axis + x.shape().len() as i64 } else { axis } as usize;
    let count: usize = x.shape()[axis..].iter().product();
    if scale.elements() != count || scale.dtype() != x.dtype() {
        return right;
    }
    let epsilon = number(request, "epsilon", 1e-5);
    let [x, scale] = [x, scale].map(numbers);
    renumbered(right, 0, |at, _| {
        x[at] / divisor(&x[at / count * count..][..count], epsilon) * scale[at % count]
    })
}

/// How many channels a group has.
fn channels_per_group(request: &Request<'_>) -> Option<usize> {
    let groups = usize::try_from(int(request, "num_groups")?).ok()?;
    request.operands[0].shape().get(1)?.checked_div(groups)
}

/// The elements of an instance's group of channels normalized with another divisor.
fn groups(request: &Request<'_>, right: Outcome, divisor: Divisor) -> Outcome {
    let ([x, scale, shift], Some(per_group)) =
        (request.operands.as_slice(), channels_per_group(request))
    else {
        return right;
    };
    let (channels, size) = (x.shape()[1], x.shape()[2..].iter().product::<usize>());
    let (count, epsilon) = (per_group * size, number(request, "epsilon", 1e-5));
    let is_by_channel = request.operator.since_version() >= 21;
    let [x, scale, shift] = [x, scale, shift].map(numbers);
    renumbered(right, 0, |at, _| {
        let all = &x[at / count * count..][..count];
        let channel = at / size % channels;
        let own = if is_by_channel { channel } else { channel / per_group };
        (x[at] - mean(all)) / divisor(all, epsilon) * scale[own] + shift[own]
    })
}

/// The elements along the last dimension, alone, normalized with another divisor.
fn lines_of(request: &Request<'_>, right: Outcome, divisor: fn(&[f64]) -> f64) -> Outcome {
    let x = &request.operands[0];
    let last = x.shape().len() as i64 - 1;
    let is_last =
        matches!(request.attributes.get("axes"), Some(Attribute::Ints(axes)) if axes[..] == [last]);
    if !is_last {
        return right;
    }
    let (x, count) = (numbers(x), x.shape()[last as usize]);
    renumbered(right, 0, |at, _| {
        let all = &x[at / count * count..][..count];
        (x[at] - mean(all)) / divisor(all)
    })
}

fn mean_square(all: &[f64]) -> f64 {
    all.iter().map(|x| x * x).sum::<f64>() / all.len() as f64
}

/// The elements of a channel over all instances, and the channel of an element.
struct Channels {
    numbers: Vec<f64>,
    channels: usize,
    size: usize,
}

impl Channels {
    fn of(request: &Request<'_>) -> Self {
        let shape = request.operands[0].shape();
        let channels = if shape.len() < 2 { 1 } else { shape[1] };
        let size = shape.iter().skip(2).product();
        Self { numbers: numbers(&request.operands[0]), channels, size }
    }

    fn all(&self, channel: usize) -> Vec<f64> {
        let is_own = |(at, _): &(usize, &f64)| at / self.size % self.channels == channel;
        self.numbers.iter().enumerate().filter(is_own).map(|(_, number)| *number).collect()
    }
}

/// Whether the request is in training as version 14 and later have it.
fn is_training(request: &Request<'_>) -> bool {
    int(request, "training_mode") == Some(1)
}

fn has_elements(request: &Request<'_>) -> bool {
    request.operands[0].elements() > 0
}

/// A defect that is wrong on requests of float32 with elements, alone.
macro_rules! float32 {
    (|$request:ident, $right:ident| $result:expr) => {
        Wrong::Tensors(|$request, $right| match $request.dtype() {
            Float32 if has_elements($request) && matches!($right, Outcome::Outputs(_)) => $result,
            _ => $right,
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "batchnormalization-epsilon-ignored",
        class: Arithmetic,
        says: "Epsilon is not added to the variance.",
        operators: BATCH,
        types: &[Float32],
        caught_by: "sonnx onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, _right| {
            let mut other = request.clone();
            other.attributes.insert("epsilon".to_owned(), Attribute::Float(0.0));
            other.computed()
        }),
    },
    Defect {
        id: "batchnormalization-running-mean-mixed-the-wrong-way",
        class: Arithmetic,
        says: "The momentum is given to the current mean, and the rest to the running one.",
        operators: BATCH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            if !is_training(request) {
                return right;
            }
            let (channels, momentum) = (Channels::of(request), number(request, "momentum", 0.9));
            let given = numbers(&request.operands[3]);
            renumbered(right, 1, |channel, _| {
                mean(&channels.all(channel)) * momentum + given[channel] * (1.0 - momentum)
            })
        }),
    },
    Defect {
        id: "batchnormalization-running-variance-of-the-sample",
        class: Arithmetic,
        says: "The running variance is that of a sample: divided by one less than there are.",
        operators: BATCH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            if !is_training(request) {
                return right;
            }
            let (channels, momentum) = (Channels::of(request), number(request, "momentum", 0.9));
            let given = numbers(&request.operands[4]);
            renumbered(right, 2, |channel, _| {
                let all = channels.all(channel);
                let sample = variance(&all) * all.len() as f64 / (all.len() as f64 - 1.0);
                given[channel] * momentum + sample * (1.0 - momentum)
            })
        }),
    },
    Defect {
        id: "batchnormalization-variance-from-squares",
        class: Arithmetic,
        says: "The variance is the mean of the squares less the square of the mean, in float32.",
        operators: BATCH,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            if !is_training(request) {
                return right;
            }
            let (channels, epsilon) = (Channels::of(request), number(request, "epsilon", 1e-5));
            let [scale, shift] = [1, 2].map(|at| numbers(&request.operands[at]));
            renumbered(right, 0, |at, _| {
                let channel = at / channels.size % channels.channels;
                let all = channels.all(channel);
                let divisor = (raw_variance(&all) + epsilon).sqrt();
                (channels.numbers[at] - mean(&all)) / divisor * scale[channel] + shift[channel]
            })
        }),
    },
    Defect {
        id: "batchnormalization-training-by-given-statistics",
        class: Arithmetic,
        says: "In training, too, elements are normalized by the statistics that are given.",
        operators: BATCH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            if !is_training(request) {
                return right;
            }
            let (channels, epsilon) = (Channels::of(request), number(request, "epsilon", 1e-5));
            let [scale, shift, means, variances] =
                [1, 2, 3, 4].map(|at| numbers(&request.operands[at]));
            renumbered(right, 0, |at, _| {
                let channel = at / channels.size % channels.channels;
                let normal =
                    (channels.numbers[at] - means[channel]) / (variances[channel] + epsilon).sqrt();
                normal * scale[channel] + shift[channel]
            })
        }),
    },
    Defect {
        id: "instancenormalization-epsilon-outside-the-root",
        class: Arithmetic,
        says: "Epsilon is added to the square root of the variance.",
        operators: INSTANCE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| { instances(request, right, epsilon_outside_the_root) }),
    },
    Defect {
        id: "instancenormalization-variance-of-the-sample",
        class: Arithmetic,
        says: "The variance is that of a sample: divided by one less than there are.",
        operators: INSTANCE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| { instances(request, right, deviation_of_a_sample) }),
    },
    Defect {
        id: "instancenormalization-variance-from-squares",
        class: Arithmetic,
        says: "The variance is the mean of the squares less the square of the mean, in float32.",
        operators: INSTANCE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            instances(request, right, |all, epsilon| (raw_variance(all) + epsilon).sqrt())
        }),
    },
    Defect {
        id: "layernormalization-epsilon-outside-the-root",
        class: Arithmetic,
        says: "Epsilon is added to the square root of the variance.",
        operators: LAYER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| { layers(request, right, epsilon_outside_the_root) }),
    },
    Defect {
        id: "layernormalization-stash-type-ignored",
        class: Conversion,
        says: "The mean and the variance of float16 are computed in float16.",
        operators: LAYER,
        types: &[Float16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.dtype() {
            Float16 if has_elements(request) && int(request, "stash_type") != Some(16) => {
                layers(request, right, |all, epsilon| {
                    let half = |x: f64| FloatFormat::FLOAT16.to_f64(nearest(Float16, x));
                    let added = |sum: f64, x: f64| half(sum + x);
                    let count = all.len() as f64;
                    let mean = half(all.iter().copied().fold(0.0, added) / count);
                    let squares = all.iter().map(|x| half(half(x - mean) * half(x - mean)));
                    half(half(half(squares.fold(0.0, added) / count) + epsilon).sqrt())
                })
            }
            _ => right,
        }),
    },
    Defect {
        id: "layernormalization-deviation-instead-of-its-inverse",
        class: Arithmetic,
        says: "The third output holds the standard deviation, not its reciprocal.",
        operators: LAYER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| renumbered(right, 2, |_, inverse| 1.0 / inverse)),
    },
    Defect {
        id: "layernormalization-scale-shifted-by-one",
        class: Indexing,
        says: "Each element is multiplied by the element of Scale after its own.",
        operators: LAYER,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let [x, scale, ..] = request.operands.as_slice() else { return right };
            let (rank, own) = (x.shape().len(), scale.shape().len());
            if own == 0 || own >= rank || scale.elements() != x.shape()[rank - 1] {
                return right;
            }
            let mut other = request.clone();
            let count = scale.elements();
            let turned: Vec<usize> = (0..count).map(|at| (at + 1) % count).collect();
            other.operands[1] = crate::request::picked(scale, &turned, scale.shape());
            other.computed()
        }),
    },
    Defect {
        id: "lpnormalization-sum-without-magnitudes",
        class: Arithmetic,
        says: "The norm of order 1 is the sum of the elements, signs and all.",
        operators: LP,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            if int(request, "p") != Some(1) {
                return right;
            }
            let (line, x) = (line(request), numbers(&request.operands[0]));
            renumbered(right, 0, |at, _| {
                x[at] / places(at, line).map(|place| x[place]).sum::<f64>()
            })
        }),
    },
    Defect {
        id: "lpnormalization-root-left-out",
        class: Arithmetic,
        says: "The norm of order 2 is the sum of the squares, without the root.",
        operators: LP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            if int(request, "p") == Some(1) {
                return right;
            }
            let (line, x) = (line(request), numbers(&request.operands[0]));
            renumbered(right, 0, |at, right| {
                let norm: f64 = places(at, line).map(|place| x[place] * x[place]).sum();
                if norm == 0.0 { right } else { x[at] / norm }
            })
        }),
    },
    Defect {
        id: "lpnormalization-zeros-by-zero",
        class: SpecialValues,
        says: "A line of zeros is divided by its norm, which makes NaN.",
        operators: LP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let (line, x) = (line(request), numbers(&request.operands[0]));
            renumbered(right, 0, |at, right| {
                if places(at, line).all(|place| x[place] == 0.0) { f64::NAN } else { right }
            })
        }),
    },
    Defect {
        id: "rmsnormalization-epsilon-outside-the-root",
        class: Arithmetic,
        says: "Epsilon is added to the root of the mean of the squares.",
        operators: RMS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            roots(request, right, |all, epsilon| mean_square(all).sqrt() + epsilon)
        }),
    },
    Defect {
        id: "rmsnormalization-mean-taken-off",
        class: Arithmetic,
        says: "Elements are divided by their standard deviation, for which their mean is taken off.",
        operators: RMS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            roots(request, right, |all, epsilon| (variance(all) + epsilon).sqrt())
        }),
    },
    Defect {
        id: "rmsnormalization-sum-of-squares",
        class: Arithmetic,
        says: "The sum of the squares is not divided by their number.",
        operators: RMS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            roots(request, right, |all, epsilon| {
                (all.len() as f64).mul_add(mean_square(all), epsilon).sqrt()
            })
        }),
    },
    Defect {
        id: "rmsnormalization-first-stage-of-float16-in-float16",
        class: Conversion,
        says: "The mean of the squares of float16 is computed in float16.",
        operators: RMS,
        types: &[Float16],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| match request.dtype() {
            Float16
                if has_elements(request) && int(request, "stash_type").is_none_or(|it| it == 1) =>
            {
                roots(request, right, |all, epsilon| {
                    let half = |x: f64| FloatFormat::FLOAT16.to_f64(nearest(Float16, x));
                    let sum = all.iter().fold(0.0, |sum, x| half(sum + half(x * x)));
                    half(half(half(sum / all.len() as f64) + epsilon).sqrt())
                })
            }
            _ => right,
        }),
    },
    Defect {
        id: "rmsnormalization-scale-shifted-by-one",
        class: Indexing,
        says: "Each element is multiplied by the element of scale after its own.",
        operators: RMS,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let [x, scale] = request.operands.as_slice() else { return right };
            if scale.shape().len() != 1 || scale.shape().last() != x.shape().last() {
                return right;
            }
            let mut other = request.clone();
            let count = scale.elements();
            let turned: Vec<usize> = (0..count).map(|at| (at + 1) % count).collect();
            other.operands[1] = crate::request::picked(scale, &turned, scale.shape());
            other.computed()
        }),
    },
    Defect {
        id: "groupnormalization-scale-by-group",
        class: Indexing,
        says: "Every channel of a group is scaled and shifted as the group's first one.",
        operators: GROUP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            if request.operator.since_version() < 21 {
                return right;
            }
            let Some(per_group) = channels_per_group(request) else { return right };
            let mut other = request.clone();
            for at in [1, 2] {
                let own = &request.operands[at];
                let firsts: Vec<usize> =
                    (0..own.elements()).map(|at| at / per_group * per_group).collect();
                other.operands[at] = crate::request::picked(own, &firsts, own.shape());
            }
            other.computed()
        }),
    },
    Defect {
        id: "groupnormalization-groups-interleaved",
        class: Indexing,
        says: "The channels of a group are as far apart as there are groups.",
        operators: GROUP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            let Some(per_group) = channels_per_group(request) else { return right };
            let x = &request.operands[0];
            let (channels, size) = (x.shape()[1], x.shape()[2..].iter().product::<usize>());
            let groups = channels / per_group;
            // The place of an element with channels of a group side by side, and back.
            let place = |at: usize, from: usize, to: usize| {
                let channel = at / size % channels;
                let turned = channel % from * to + channel / from;
                (at / size / channels * channels + turned) * size + at % size
            };
            let all = |from: usize, to: usize| -> Vec<usize> {
                (0..x.elements()).map(|at| place(at, from, to)).collect()
            };
            let mut other = request.clone();
            other.operands[0] = crate::request::picked(x, &all(per_group, groups), x.shape());
            if request.operator.since_version() >= 21 {
                for at in [1, 2] {
                    let own = &request.operands[at];
                    let turned: Vec<usize> =
                        (0..channels).map(|at| at % per_group * groups + at / per_group).collect();
                    other.operands[at] = crate::request::picked(own, &turned, own.shape());
                }
            }
            crate::request::changed(other.computed(), |output| {
                crate::request::picked(&output, &all(groups, per_group), x.shape())
            })
        }),
    },
    Defect {
        id: "groupnormalization-epsilon-outside-the-root",
        class: Arithmetic,
        says: "Epsilon is added to the square root of the variance.",
        operators: GROUP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| { groups(request, right, epsilon_outside_the_root) }),
    },
    Defect {
        id: "groupnormalization-variance-of-the-sample",
        class: Arithmetic,
        says: "The variance is that of a sample: divided by one less than there are.",
        operators: GROUP,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| { groups(request, right, deviation_of_a_sample) }),
    },
    Defect {
        id: "meanvariancenormalization-default-of-every-dimension",
        class: Indexing,
        says: "Without `axes` mean and variance are those of all elements.",
        operators: MEAN_VARIANCE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: float32!(|request, right| {
            match request.attributes.contains_key("axes") {
                true => right,
                false => request.with("axes", Some(Attribute::Ints(vec![0, 1, 2, 3]))).computed(),
            }
        }),
    },
    Defect {
        id: "meanvariancenormalization-epsilon-of-other-normalizations",
        class: Arithmetic,
        says: "What is added is 10^-3, below the root.",
        operators: MEAN_VARIANCE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| {
            lines_of(request, right, |all| (variance(all) + 1e-3).sqrt())
        }),
    },
    Defect {
        id: "meanvariancenormalization-variance-without-the-root",
        class: Arithmetic,
        says: "Elements are divided by the variance, without the root.",
        operators: MEAN_VARIANCE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: float32!(|request, right| lines_of(request, right, variance)),
    },
];
