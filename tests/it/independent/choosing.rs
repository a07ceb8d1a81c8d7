//! Calls of the operators that choose one of several elements, many of which are equal.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::reference::operator::AttributeValue::{self, Int};
use onnx_conformance::tensor::Tensor;

use super::check::tensor;
use super::drawn::{Draw, Drawn, Draws, ints, list, text};

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "ArgMax" | "ArgMin" => place_of_extreme,
        "GlobalMaxPool" => global_max_pool,
        "MaxPool" => max_pool,
        "ReduceMax" | "ReduceMin" => reduced,
        "TopK" => top_k,
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
