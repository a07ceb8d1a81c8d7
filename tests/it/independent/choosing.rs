//! Calls of the operators that choose one of several elements, many of which are equal.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::reference::operator::AttributeValue::{self, Int};
use onnx_conformance::tensor::Tensor;

use super::check::tensor;
use super::drawn::{Draw, Drawn, Draws, integers, ints, list, text};
use super::terms::narrowed;

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "ArgMax" | "ArgMin" => place_of_extreme,
        "Compress" => compress,
        "GlobalMaxPool" => global_max_pool,
        "Hardmax" => hardmax,
        "MaxPool" => max_pool,
        "MaxRoiPool" => max_roi_pool,
        "NonMaxSuppression" => boxes,
        "NonZero" => non_zero,
        "OneHot" => one_hot,
        "ReduceMax" | "ReduceMin" => reduced,
        "TopK" => top_k,
        "Unique" => unique,
        _ => return None,
    })
}

/// Elements that are few different ones in half of the tensors, zeros of both signs among them, and in some of the others
/// numbers that are no NaN.
fn elements(draws: &mut Draws, dtype: DType, shape: &[usize]) -> Tensor {
    let is_nan = |bits: u128| match dtype.kind() {
        Kind::Float(format) => format.to_f64(bits as u64).is_nan(),
        _ => false,
    };
    let keeps_nans = draws.is_one_in(4);
    let mut element = || loop {
        let bits = draws.element(dtype);
        if keeps_nans || !is_nan(bits) {
            return bits;
        }
    };
    let count: usize = shape.iter().product();
    let all: Vec<u128> = (0..count.max(3)).map(|_| element()).collect();
    let mut few = all[..3].to_vec();
    if let Kind::Float(format) = dtype.kind() {
        few.extend([0, format.negated(0).into()]);
    }
    let all = match draws.is_one_in(2) {
        true => (0..count).map(|_| draws.one_of(&few)).collect(),
        false => all,
    };
    tensor(dtype, shape.to_vec(), &all[..count])
}

/// Elements with zeros among them, a few different ones in half of the tensors, and without any NaN where there is to be none.
fn repeated(draws: &mut Draws, dtype: DType, shape: &[usize], keeps_nans: bool) -> Tensor {
    let is_nan = |bits: u128| match dtype.kind() {
        Kind::Float(format) | Kind::Complex(format) => {
            format.parts(bits).into_iter().any(|part| format.to_f64(part).is_nan())
        }
        _ => false,
    };
    let mut element = || loop {
        let bits = draws.element(dtype);
        if keeps_nans || !is_nan(bits) {
            return bits;
        }
    };
    let few: Vec<u128> = (0..4).map(|_| element()).collect();
    let all: Vec<u128> = (0..shape.iter().product()).map(|_| element()).collect();
    let is_few = draws.is_one_in(2);
    let of = |own: u128| match draws.below(3) {
        0 => 0,
        _ if is_few => draws.one_of(&few),
        _ => own,
    };
    let all: Vec<u128> = all.into_iter().map(of).collect();
    tensor(dtype, shape.to_vec(), &all)
}

/// Numbers as float32s.
fn float32s(shape: &[usize], numbers: impl IntoIterator<Item = f32>) -> Tensor {
    let bits: Vec<u128> = numbers.into_iter().map(|it| it.to_bits().into()).collect();
    tensor(DType::Float32, shape.to_vec(), &bits)
}

/// Boxes of a few small sizes, no two of which have one score in a class, with thresholds that many overlaps and some scores are equal to.
fn boxes(draws: &mut Draws, _: DType) -> Drawn {
    let [batches, classes, count] = [3, 3, 9].map(|most| draws.below(most + 1));
    let (is_centered, centered) = draws.flag(false);
    let mut numbers = Vec::new();
    for _ in 0..batches * count {
        let low = [0; 2].map(|_| draws.between(0, 4) as f32);
        let size = [0; 2].map(|_| draws.between(1, 4) as f32);
        numbers.extend(match is_centered {
            true => [low[0] / 2.0, low[1] / 2.0, size[0], size[1]],
            false => {
                let is_turned = [0; 2].map(|_| draws.is_one_in(2));
                let ends = [0, 1].map(|at| [low[at], low[at] + size[at]]);
                let end = |at: usize, is_second: bool| ends[at][usize::from(is_second)];
                let first = [0, 1].map(|at| end(at, is_turned[at]));
                [first[0], first[1], end(0, !is_turned[0]), end(1, !is_turned[1])]
            }
        });
    }
    let scores: Vec<f32> = (0..batches * classes)
        .flat_map(|_| {
            draws.order(count).into_iter().map(|rank| rank as f32 / 8.0).collect::<Vec<_>>()
        })
        .collect();
    let mut number = |left_out: usize, least: i64, most: i64| {
        let shape = if draws.is_one_in(4) { &[][..] } else { &[1] };
        let number = draws.between(least, most) as f32 / 8.0;
        (!draws.is_one_in(left_out)).then(|| float32s(shape, [number]))
    };
    let (overlap, least) = (number(4, 0, 8), number(3, -1, 3));
    let limit = (!draws.is_one_in(8)).then(|| {
        let shape = if draws.is_one_in(4) { &[][..] } else { &[1] };
        integers(DType::Int64, shape, &[draws.between(0, 6)])
    });
    let boxes = float32s(&[batches, count, 4], numbers);
    let scores = float32s(&[batches, classes, count], scores);
    Drawn::new(vec![Some(boxes), Some(scores), limit, overlap, least])
        .with_some("center_point_box", centered)
}

fn non_zero(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 300);
    Drawn::new(vec![Some(repeated(draws, dtype, &shape, true))])
}

/// In order where the document does not say which one strings and complex numbers have.
fn unique(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.filled_shape([0, 3], 60);
    let axis = (!shape.is_empty() && draws.is_one_in(2)).then(|| {
        let place = draws.below(shape.len());
        Int(draws.index(place, shape.len()))
    });
    let has_order = !matches!(dtype.kind(), Kind::String | Kind::Complex(_));
    let sorted = if has_order { draws.flag(true).1 } else { Some(Int(0)) };
    let data = repeated(draws, dtype, &shape, false);
    let outputs = 1 + draws.below(4);
    Drawn::new(vec![Some(data)])
        .with_some("axis", axis)
        .with_some("sorted", sorted)
        .for_outputs(outputs)
}

fn compress(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([1, 5], 300);
    let axis = (!draws.is_one_in(3)).then(|| draws.below(shape.len()));
    let length = axis.map_or(shape.iter().product(), |axis| shape[axis]);
    let count = if draws.is_one_in(2) { length } else { draws.below(length + 1) };
    let kept: Vec<u128> = (0..count).map(|_| draws.below(2) as u128).collect();
    let axis = axis.map(|axis| Int(draws.index(axis, shape.len())));
    let condition = tensor(DType::Bool, vec![count], &kept);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(condition)]).with_some("axis", axis)
}

fn hardmax(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 300);
    let (axis, attribute) = draws.axis(shape.len(), -1);
    shape[axis] = shape[axis].max(1);
    Drawn::new(vec![Some(elements(draws, dtype, &shape))]).with_some("axis", attribute)
}

fn one_hot(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 4], 60);
    let depth = draws.between(0, 7);
    let index = |_| draws.between(-depth - 2, depth + 1);
    let all: Vec<i64> = (0..shape.iter().product::<usize>()).map(index).collect();
    let of = draws.one_of(&[DType::Int8, DType::Int32, DType::Int64]);
    let (_, axis) = draws.axis(shape.len() + 1, -1);
    let depth = match draws.is_one_in(2) {
        true => list(&[depth]),
        false => Some(integers(DType::Int32, &[], &[depth])),
    };
    let values = draws.tensor(dtype, &[2]);
    Drawn::new(vec![Some(integers(of, &shape, &all)), depth, Some(values)]).with_some("axis", axis)
}

fn place_of_extreme(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 600);
    let (axis, attribute) = draws.axis(shape.len(), 0);
    // Of no elements none is the extreme.
    shape[axis] = 1 + draws.below(5);
    let [keeps, last] = [draws.flag(true).1, draws.flag(false).1];
    Drawn::new(vec![Some(elements(draws, dtype, &shape))])
        .with_some("axis", attribute)
        .with_some("keepdims", keeps)
        .with_some("select_last_index", last)
}

fn top_k(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 300);
    let (axis, attribute) = draws.axis(shape.len(), -1);
    shape[axis] = shape[axis].max(1);
    let k = draws.between(1, shape[axis] as i64);
    let [largest, sorted] = [draws.flag(true).1, draws.flag(true).1];
    Drawn::new(vec![Some(elements(draws, dtype, &shape)), list(&[k])])
        .with_some("axis", attribute)
        .with_some("largest", largest)
        .with_some("sorted", sorted)
}

fn reduced(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([0, 5], 600);
    let places = draws.some(shape.len());
    let mut axes = Vec::new();
    for place in places {
        if shape[place] > 6 {
            shape[place] = draws.below(7);
        }
        axes.push(draws.index(place, shape.len()));
    }
    let [keeps, noop] = [draws.flag(true).1, draws.flag(false).1];
    let axes = list(&axes).filter(|axes| axes.elements() > 0 || draws.is_one_in(2));
    Drawn::new(vec![Some(elements(draws, dtype, &shape)), axes])
        .with_some("keepdims", keeps)
        .with_some("noop_with_empty_axes", noop)
}

fn global_max_pool(draws: &mut Draws, dtype: DType) -> Drawn {
    let outer = draws.shape([2, 2], 200);
    let inner = draws.filled_shape([1, 3], 10);
    Drawn::new(vec![Some(elements(draws, dtype, &[outer, inner].concat()))])
}

/// How windows are laid over spatial dimensions: the sizes of these, and the attributes that say it.
pub(super) struct Windows {
    pub(super) sizes: Vec<usize>,
    pub(super) kernel: Vec<usize>,
    pub(super) attributes: Vec<(&'static str, AttributeValue)>,
}

/// Windows over so many elements at most, none of which is larger than what it is laid over.
pub(super) fn windows(draws: &mut Draws, most: usize) -> Windows {
    let mut sizes = draws.filled_shape([1, 3], most);
    let mut of_each = |least: usize, most: i64| -> Vec<usize> {
        sizes.iter().map(|_| draws.between(least as i64, most) as usize).collect()
    };
    let [kernel, strides, dilations] = [of_each(1, 3), of_each(1, 3), of_each(1, 2)];
    let is_dilated = draws.is_one_in(2);
    let [is_strided, is_padded] = [draws.is_one_in(2), draws.is_one_in(2)];
    let auto = draws.one_of(&["", "", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]);
    let is_explicit = matches!(auto, "" | "NOTSET");
    let mut pads = vec![0; 2 * kernel.len()];
    for (at, length) in kernel.iter().enumerate() {
        let dilation = if is_dilated { dilations[at] } else { 1 };
        let (reach, mut room) = ((length - 1) * dilation + 1, sizes[at]);
        if is_explicit && is_padded {
            for end in [at, kernel.len() + at] {
                pads[end] = draws.below(reach);
                room += pads[end];
            }
        }
        sizes[at] += reach.saturating_sub(room);
    }
    let mut attributes = Vec::new();
    if is_strided {
        attributes.push(("strides", ints(strides)));
    }
    if is_dilated {
        attributes.push(("dilations", ints(dilations)));
    }
    if is_explicit && is_padded {
        attributes.push(("pads", ints(pads)));
    }
    if !auto.is_empty() {
        attributes.push(("auto_pad", text(auto)));
    }
    Windows { sizes, kernel, attributes }
}

/// Regions within the image, whose corners are a quarter from an element or at one.
fn max_roi_pool(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.filled_shape([4, 4], 300);
    let mut numbers = Vec::new();
    let regions = draws.below(4);
    for _ in 0..regions {
        let ends = [shape[3], shape[2]].map(|size| {
            let first = draws.below(size);
            [first, first + draws.below(size - first)]
        });
        let mut corner =
            |at: usize| ends[at % 2][at / 2] as f64 + draws.between(-1, 1) as f64 / 4.0;
        let corners = [0, 1, 2, 3].map(&mut corner);
        numbers.push(draws.below(shape[0]) as f64);
        numbers.extend(corners);
    }
    let element = |number: &f64| match dtype.kind() {
        Kind::Float(format) => narrowed(number.to_bits(), format),
        _ => 0,
    };
    let rois: Vec<u128> = numbers.iter().map(element).collect();
    let rois = tensor(dtype, vec![regions, 5], &rois);
    let pooled = [0; 2].map(|_| 1 + draws.below(4));
    Drawn::new(vec![Some(elements(draws, dtype, &shape)), Some(rois)])
        .with("pooled_shape", ints(pooled))
}

fn max_pool(draws: &mut Draws, dtype: DType) -> Drawn {
    let windows = windows(draws, 40);
    let outer = draws.shape([2, 2], 6);
    let data = elements(draws, dtype, &[outer, windows.sizes].concat());
    let mut drawn = Drawn::new(vec![Some(data)]).with("kernel_shape", ints(windows.kernel));
    for (name, value) in windows.attributes {
        drawn = drawn.with(name, value);
    }
    let [is_ceil, is_column_major] = [draws.is_one_in(3), draws.is_one_in(3)];
    drawn
        .with_some("ceil_mode", is_ceil.then_some(Int(1)))
        .with_some("storage_order", is_column_major.then_some(Int(1)))
        .for_outputs(1 + draws.below(2))
}
