//! Calls of the operators that move elements to where shapes and attributes say.

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::AttributeValue::{self, Int};
use onnx_conformance::tensor::Tensor;

use super::check::tensor;
use super::drawn::{Draw, Drawn, Draws, integers, ints, list, text};

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "BitCast" => bit_cast,
        "CenterCropPad" => center_crop_pad,
        "Col2Im" => col2im,
        "Concat" => concat,
        "DepthToSpace" => depth_to_space,
        "Dropout" => dropout,
        "Expand" => expand,
        "MaxUnpool" => max_unpool,
        "EyeLike" => eye_like,
        "Pad" => pad,
        "ReverseSequence" => reverse_sequence,
        "Slice" => slice,
        "SpaceToDepth" => space_to_depth,
        "Split" => split,
        "TensorScatter" => tensor_scatter,
        "Tile" => tile,
        "Transpose" => transpose,
        "Trilu" => trilu,
        "Upsample" => upsample,
        _ => return None,
    })
}

/// To a type of as many bits; of bytes no bool, which they may not be.
fn bit_cast(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 4], 300);
    let is_alike = |to: &DType| to.bits() == dtype.bits() && *to != DType::Bool;
    let all: Vec<DType> = DType::ALL.into_iter().filter(is_alike).collect();
    let to = Int(draws.one_of(&all).onnx_code().into());
    Drawn::new(vec![Some(draws.tensor(dtype, &shape))]).with("to", to)
}

/// Inference: without a mode, or with one that is false, or with a ratio of 0.
fn dropout(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 300);
    let ratio = draws.one_of(&[None, Some(0.0_f32), Some(0.5)]);
    let is_training = ratio == Some(0.0) && draws.is_one_in(2);
    let mode = draws.is_one_in(2).then(|| tensor(DType::Bool, vec![], &[is_training.into()]));
    let ratio = ratio.map(|ratio| tensor(DType::Float32, vec![], &[ratio.to_bits().into()]));
    let outputs = 1 + draws.below(2);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), ratio, mode]).for_outputs(outputs)
}

fn eye_like(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([2, 2], 300);
    let to = [DType::Float32, DType::Float16, DType::Int64, DType::Uint8, DType::Bool];
    let to = draws.is_one_in(2).then(|| Int(draws.one_of(&to).onnx_code().into()));
    let near = draws.between(-6, 6);
    let k = draws.one_of(&[None, Some(near), Some(near), Some(i64::MIN), Some(i64::MAX)]);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape))])
        .with_some("dtype", to)
        .with_some("k", k.map(Int))
}

fn reverse_sequence(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([2, 5], 300);
    let is_first = draws.is_one_in(2);
    let [samples, steps] = if is_first { [shape[0], shape[1]] } else { [shape[1], shape[0]] };
    let lengths: Vec<i64> = (0..samples).map(|_| draws.below(steps + 1) as i64).collect();
    let is_left_out = !is_first && draws.is_one_in(2);
    let axis = |is_one: bool| (!is_left_out).then(|| Int(is_one.into()));
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), list(&lengths)])
        .with_some("batch_axis", axis(!is_first))
        .with_some("time_axis", axis(is_first))
}

/// Nearest elements, by scales whose products float32 holds.
fn upsample(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([1, 3], 40);
    let scale = |_: &usize| draws.one_of(&[1.0_f32, 1.5, 2.0, 2.25, 3.0]).to_bits().into();
    let scales: Vec<u128> = shape.iter().map(scale).collect();
    let scales = tensor(DType::Float32, vec![scales.len()], &scales);
    let mode = draws.is_one_in(2).then(|| text("nearest"));
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(scales)]).with_some("mode", mode)
}

fn tensor_scatter(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.filled_shape([2, 4], 300);
    let place = 1 + draws.below(shape.len() - 1);
    let axis = Int(draws.index(place, shape.len()));
    let length = shape[place];
    let mut part = shape.clone();
    part[place] = 1 + draws.below(length);
    // The evaluator wraps the numbers of the dimensions before it, too.
    let is_circular = draws.is_one_in(2) && shape[..place].iter().all(|size| *size <= length);
    let mut index = || match is_circular {
        true => draws.between(-9, 9),
        false => draws.below(length - part[place] + 1) as i64,
    };
    let indices: Vec<i64> = (0..shape[0]).map(|_| index()).collect();
    let indices = if indices.iter().all(|at| *at == 0) { None } else { list(&indices) };
    let [cache, update] = [&shape, &part].map(|shape| Some(draws.tensor(dtype, shape)));
    let mode = is_circular.then(|| text("circular"));
    Drawn::new(vec![cache, update, indices]).with("axis", axis).with_some("mode", mode)
}

/// Other sizes of some dimensions; of strings no larger ones, since no document says what is added.
fn center_crop_pad(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.filled_shape([1, 4], 200);
    let axes = draws.some(shape.len());
    let sizes: Vec<i64> = axes
        .iter()
        .map(|axis| {
            let more = if dtype == DType::String { 1 } else { 6 };
            draws.below(shape[*axis] + more) as i64
        })
        .collect();
    let axes: Vec<i64> = axes.iter().map(|axis| draws.index(*axis, shape.len())).collect();
    let data = draws.tensor(dtype, &shape);
    Drawn::new(vec![Some(data), list(&sizes)]).with("axes", AttributeValue::Ints(axes))
}

/// Blocks of two dimensions or three, with every attribute.
fn col2im(draws: &mut Draws, dtype: DType) -> Drawn {
    let count = 2 + draws.below(2);
    let mut list = |least: i64, most: i64| -> Vec<i64> {
        (0..count).map(|_| draws.between(least, most)).collect()
    };
    let (block, blocks) = (list(1, 3), list(1, 3));
    let (strides, dilations) = (list(1, 2), list(1, 2));
    let (before, after) = (list(0, 1), list(0, 1));
    let image: Vec<i64> = (0..count)
        .map(|at| {
            let length = (block[at] - 1) * dilations[at] + 1 + (blocks[at] - 1) * strides[at];
            (length - before[at] - after[at]).max(1)
        })
        .collect();
    let columns = (0..count).map(|at| {
        let padded = image[at] + before[at] + after[at];
        (padded - (block[at] - 1) * dilations[at] - 1) / strides[at] + 1
    });
    let columns = columns.product::<i64>() as usize;
    let rows = block.iter().product::<i64>() as usize * (1 + draws.below(2));
    let batches = 1 + draws.below(2);
    let data = draws.tensor(dtype, &[batches, rows, columns]);
    let pads = [before, after].concat();
    Drawn::new(vec![Some(data), super::drawn::list(&image), super::drawn::list(&block)])
        .with("strides", AttributeValue::Ints(strides))
        .with("dilations", AttributeValue::Ints(dilations))
        .with("pads", AttributeValue::Ints(pads))
}

/// Indices of which each occurs once.
fn max_unpool(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.filled_shape([3, 4], 60);
    let kernel: Vec<usize> = shape[2..].iter().map(|_| 1 + draws.below(3)).collect();
    let strides: Vec<usize> = kernel.iter().map(|size| 1 + draws.below(*size)).collect();
    let size = |at: usize| (shape[2 + at] - 1) * strides[at] + kernel[at];
    let whole = shape[0] * shape[1] * (0..kernel.len()).map(size).product::<usize>();
    let mut order = draws.order(whole);
    order.truncate(shape.iter().product());
    let indices: Vec<i64> = order.into_iter().map(|index| index as i64).collect();
    let indices = integers(DType::Int64, &shape, &indices);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), Some(indices)])
        .with("kernel_shape", ints(kernel))
        .with("strides", ints(strides))
}

fn concat(draws: &mut Draws, dtype: DType) -> Drawn {
    let mut shape = draws.shape([1, 5], 200);
    let axis = draws.below(shape.len());
    let parts = (0..=draws.below(4)).map(|_| {
        shape[axis] = draws.below(shape[axis] + 3);
        Some(draws.tensor(dtype, &shape))
    });
    let parts = parts.collect();
    let axis = Int(draws.index(axis, shape.len()));
    Drawn::new(parts).with("axis", axis)
}

fn split(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([1, 5], 300);
    let (axis, attribute) = draws.axis(shape.len(), 0);
    let (size, data) = (shape[axis], draws.tensor(dtype, &shape));
    let parts = draws.below(4) + 1;
    if draws.is_one_in(2) {
        // All parts but the last are as long as each other, and no longer together than there is.
        let is_number = |parts: &usize| size.div_ceil(*parts) * (parts - 1) <= size;
        let parts = (1..=parts).rev().find(is_number).unwrap_or(1);
        return Drawn::new(vec![Some(data)])
            .with("num_outputs", Int(parts as i64))
            .with_some("axis", attribute)
            .for_outputs(parts);
    }
    let mut ends: Vec<usize> = (1..parts).map(|_| draws.below(size + 1)).collect();
    ends.push(size);
    ends.sort_unstable();
    let starts = std::iter::once(&0).chain(&ends);
    let sizes: Vec<i64> = starts.zip(&ends).map(|(start, end)| (end - start) as i64).collect();
    Drawn::new(vec![Some(data), list(&sizes)]).with_some("axis", attribute).for_outputs(parts)
}

fn transpose(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 300);
    let perm = (!draws.is_one_in(4)).then(|| ints(draws.order(shape.len())));
    Drawn::new(vec![Some(draws.tensor(dtype, &shape))]).with_some("perm", perm)
}

fn tile(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([0, 5], 80);
    let copies = |_: &usize| if draws.is_one_in(30) { 0 } else { draws.between(1, 3) };
    let copies: Vec<i64> = shape.iter().map(copies).collect();
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), list(&copies)])
}

fn expand(draws: &mut Draws, dtype: DType) -> Drawn {
    let whole = draws.shape([0, 5], 300);
    let (mut own, mut asked) = (Vec::new(), Vec::new());
    for &size in &whole {
        let is_single = draws.is_one_in(2);
        own.push(if is_single { 1 } else { size });
        asked.push(if is_single || draws.is_one_in(2) { size as i64 } else { 1 });
    }
    // What is 1 in front need not be there.
    let leading = own.iter().take_while(|size| **size == 1).count();
    own.drain(..draws.below(leading + 1));
    let leading = asked.iter().take_while(|size| **size == 1).count();
    asked.drain(..draws.below(leading + 1));
    Drawn::new(vec![Some(draws.tensor(dtype, &own)), list(&asked)])
}

/// Elements that are added and removed at the ends of a dimension, as far as the document says what that gives.
fn padding(draws: &mut Draws, mode: &str, size: usize) -> [i64; 2] {
    let size = size as i64;
    let mut removed = [0, 0];
    if draws.is_one_in(3) {
        removed[0] = draws.between(0, size.min(2));
        removed[1] = draws.between(0, (size - removed[0]).min(2));
    }
    let rest = size - removed[0] - removed[1];
    let most = match mode {
        "constant" => 3,
        "reflect" => (rest - 1).clamp(0, 3),
        _ if rest == 0 => 0,
        _ => 5,
    };
    removed.map(|removed| match removed {
        0 => draws.between(0, most),
        removed => -removed,
    })
}

fn pad(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([1, 4], 100);
    let mode = draws.one_of(&["constant", "constant", "reflect", "edge", "wrap"]);
    let places = match draws.is_one_in(2) {
        true => (0..shape.len()).collect(),
        false => draws.some(shape.len()),
    };
    let is_all = places.iter().copied().eq(0..shape.len());
    let axes: Vec<i64> = places.iter().map(|place| draws.index(*place, shape.len())).collect();
    let pads: Vec<[i64; 2]> =
        places.iter().map(|place| padding(draws, mode, shape[*place])).collect();
    let ends = [0, 1].map(|end| pads.iter().map(|pads| pads[end]).collect::<Vec<i64>>()).concat();
    let of = draws.index_type();
    let axes = (!is_all || draws.is_one_in(2)).then(|| integers(of, &[axes.len()], &axes));
    let value = draws.is_one_in(3).then(|| draws.tensor(dtype, &[]));
    let is_left_out = mode == "constant" && draws.is_one_in(2);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), list(&ends), value, axes])
        .with_some("mode", (!is_left_out).then(|| text(mode)))
}

fn slice(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([1, 5], 600);
    let of = draws.index_type();
    let ends =
        if of == DType::Int32 { [i32::MIN.into(), i32::MAX.into()] } else { [i64::MIN, i64::MAX] };
    let is_all = draws.is_one_in(2);
    let places = if is_all { (0..shape.len()).collect() } else { draws.some(shape.len()) };
    let has_steps = draws.is_one_in(2);
    let [mut starts, mut stops, mut steps] = [(); 3].map(|()| Vec::new());
    for &place in &places {
        let size = shape[place] as i64;
        let step = match draws.below(8) {
            _ if !has_steps => 1,
            0 => draws.one_of(&ends),
            1..4 => -draws.between(1, 3),
            _ => draws.between(1, 3),
        };
        let ends = [-size, size].into_iter().chain(ends);
        let ends: Vec<i64> = ends.collect();
        let mut end = |near: i64| match draws.below(4) {
            0 => draws.one_of(&ends),
            1 => draws.between(-size - 1, size + 1),
            // Most of the dimension.
            _ => near.clamp(-size - 1, size + 1),
        };
        let ways = if step > 0 { [0, size] } else { [size - 1, -size - 1] };
        let [start, stop] = ways.map(&mut end);
        starts.push(start);
        stops.push(stop);
        steps.push(step);
    }
    let tensor = |values: &[i64]| Some(integers(of, &[values.len()], values));
    let axes: Vec<i64> = places.iter().map(|place| draws.index(*place, shape.len())).collect();
    let axes = tensor(&axes).filter(|_| !is_all || draws.is_one_in(2));
    let steps = tensor(&steps).filter(|_| has_steps);
    let data = draws.tensor(dtype, &shape);
    Drawn::new(vec![Some(data), tensor(&starts), tensor(&stops), axes, steps])
}

/// The size of blocks, and data of so many channels, rows and columns times these multiples.
fn blocks(draws: &mut Draws, dtype: DType, multiples: fn(usize) -> [usize; 2]) -> (i64, Tensor) {
    let size = draws.below(3) + 1;
    let sizes = draws.shape([4, 4], 250 / (size * size));
    let [depth, width] = multiples(size);
    let shape = [sizes[0], sizes[1] * depth, sizes[2] * width, sizes[3] * width];
    (size as i64, draws.tensor(dtype, &shape))
}

fn depth_to_space(draws: &mut Draws, dtype: DType) -> Drawn {
    let (size, data) = blocks(draws, dtype, |size| [size * size, 1]);
    let mode = draws.one_of(&[None, Some("DCR"), Some("CRD")]);
    Drawn::new(vec![Some(data)]).with("blocksize", Int(size)).with_some("mode", mode.map(text))
}

fn space_to_depth(draws: &mut Draws, dtype: DType) -> Drawn {
    let (size, data) = blocks(draws, dtype, |size| [1, size]);
    Drawn::new(vec![Some(data)]).with("blocksize", Int(size))
}

fn trilu(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.shape([2, 5], 300);
    let k = match draws.below(8) {
        0..2 => None,
        2 => Some(draws.one_of(&[i64::MIN, i64::MAX])),
        _ => Some(draws.between(-4, 4)),
    };
    let k = k.map(|k| integers(DType::Int64, &[], &[k]));
    let (_, upper): (bool, Option<AttributeValue>) = draws.flag(true);
    Drawn::new(vec![Some(draws.tensor(dtype, &shape)), k]).with_some("upper", upper)
}
