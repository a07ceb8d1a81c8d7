//! Calls of the operators that multiply integers less their zero points, or quantize data.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::reference::operator::AttributeValue::Int;
use onnx_conformance::tensor::Tensor;

use super::check::tensor;
use super::choosing::{Windows, windows};
use super::drawn::{Draw, Drawn, Draws, integers, ints};
use DType::{
    Bfloat16, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float16, Float32, Int8,
    Int32, Uint8,
};

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "ConvInteger" => conv_integer,
        "DynamicQuantizeLinear" => dynamic_quantize_linear,
        "MatMulInteger" => matmul_integer,
        "QLinearConv" => qlinear_conv,
        "QLinearMatMul" => qlinear_matmul,
        _ => return None,
    })
}

const BYTES: [DType; 2] = [Int8, Uint8];
const QUANTIZED: [DType; 6] =
    [Int8, Uint8, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz];

/// The shapes of two factors, and those of a parameter for each row of the first and each column of the second.
struct Factors {
    shapes: [Vec<usize>; 2],
    lines: [Vec<usize>; 2],
}

/// Matrices, stacks of them that are broadcast, or vectors.
fn factors(draws: &mut Draws) -> Factors {
    let mut size = |most: usize| 1 + draws.below(most);
    let [rows, inner, columns] = [size(12), size(7), size(12)];
    let stack = draws.shape([1, 2], 4);
    let is_per_line = draws.is_one_in(2);
    let single = draws.one_of(&[vec![], vec![1]]);
    let [mut a, mut b] = [vec![rows, inner], vec![inner, columns]];
    let mut lines = [single.clone(), single.clone()];
    match draws.below(6) {
        0 => return Factors { shapes: [vec![inner], b], lines },
        1 => return Factors { shapes: [a, vec![inner]], lines },
        2 => a = [stack.clone(), a].concat(),
        3 => {
            // One of the stacks may be single, or is not there.
            let other = draws.one_of(&[vec![], vec![1; stack.len()], stack.clone()]);
            [a, b] = [[stack, a].concat(), [other, b].concat()];
        }
        _ => {}
    }
    if is_per_line {
        let per_row = [&a[..a.len() - 1], &[1]].concat();
        let mut per_column = b.clone();
        per_column[b.len() - 2] = 1;
        lines = match draws.is_one_in(2) {
            true if a.len() == 2 && b.len() == 2 => [vec![rows], vec![columns]],
            _ => [per_row, per_column],
        };
    }
    Factors { shapes: [a, b], lines }
}

/// The numbers of a call: any, or small ones by powers of two, whose quotients often lie between two integers.
#[derive(Clone, Copy)]
struct Numbers {
    are_small: bool,
}

impl Numbers {
    fn drawn(draws: &mut Draws) -> Self {
        Self { are_small: draws.is_one_in(3) }
    }

    /// An operand, or a zero point of integers.
    fn operand(self, draws: &mut Draws, dtype: DType, shape: &[usize]) -> Tensor {
        let Kind::Int { signed, .. } = dtype.kind() else { return draws.tensor(dtype, shape) };
        if !self.are_small {
            return draws.tensor(dtype, shape);
        }
        let least = if signed { -3 } else { 0 };
        let count = shape.iter().product();
        let values: Vec<i64> = (0..count).map(|_| draws.between(least, 3)).collect();
        integers(dtype, shape, &values)
    }

    /// A zero point, which is 0 of a type of floats.
    fn zero(self, draws: &mut Draws, dtype: DType, shape: &[usize]) -> Tensor {
        match dtype.kind() {
            Kind::Int { .. } => self.operand(draws, dtype, shape),
            _ => tensor(dtype, shape.to_vec(), &vec![0; shape.iter().product()]),
        }
    }

    /// Positive scales around a power of two, powers themselves among them; those of small numbers are this power.
    fn scale(self, draws: &mut Draws, dtype: DType, shape: &[usize], power: i64) -> Tensor {
        let Kind::Float(format) = dtype.kind() else { panic!("{dtype}") };
        let mut part = |most: i64| if self.are_small { 0 } else { draws.between(0, most) };
        let fractions = 1 << format.significand_bits;
        let scale = |_| {
            let exponent = (i64::from(format.bias) + power + part(4)) as u128;
            let fraction = if part(2) == 0 { 0 } else { part(fractions - 1) };
            exponent << format.significand_bits | fraction as u128
        };
        let scales: Vec<u128> = (0..shape.iter().product()).map(scale).collect();
        tensor(dtype, shape.to_vec(), &scales)
    }

    /// That of the output, so that few results are beyond its range.
    fn output_scale(self, draws: &mut Draws, dtype: DType, shape: &[usize]) -> Tensor {
        let power = if self.are_small { OPERAND_POWER * 2 + draws.between(0, 3) } else { 5 };
        self.scale(draws, dtype, shape, power)
    }
}

/// The power of two around which the scales of operands are.
const OPERAND_POWER: i64 = -4;

fn matmul_integer(draws: &mut Draws, dtype: DType) -> Drawn {
    let Factors { shapes: [a, b], lines: [rows, columns] } = factors(draws);
    let other = draws.one_of(&BYTES);
    let a_zero = draws.is_one_in(2).then(|| draws.tensor(dtype, &rows));
    let b_zero = draws.is_one_in(2).then(|| draws.tensor(other, &columns));
    let [a, b] = [draws.tensor(dtype, &a), draws.tensor(other, &b)];
    Drawn::new(vec![Some(a), Some(b), a_zero, b_zero])
}

/// The inputs that quantized products have in common: of both operands and of the output.
fn quantized(
    draws: &mut Draws,
    types: [DType; 3],
    of_scales: DType,
    shapes: [&[usize]; 2],
    parameters: [&[usize]; 3],
) -> Vec<Option<Tensor>> {
    let numbers = Numbers::drawn(draws);
    let mut inputs = Vec::new();
    for ((dtype, shape), lines) in types.into_iter().zip(shapes).zip(parameters) {
        inputs.push(Some(numbers.operand(draws, dtype, shape)));
        inputs.push(Some(numbers.scale(draws, of_scales, lines, OPERAND_POWER)));
        inputs.push(Some(numbers.zero(draws, dtype, lines)));
    }
    inputs.push(Some(numbers.output_scale(draws, of_scales, parameters[2])));
    inputs.push(Some(numbers.zero(draws, types[2], parameters[2])));
    inputs
}

fn qlinear_matmul(draws: &mut Draws, dtype: DType) -> Drawn {
    let Factors { shapes: [a, b], lines: [rows, columns] } = factors(draws);
    let [other, to] = [(); 2].map(|()| {
        let are_integers = draws.is_one_in(2);
        draws.one_of(if are_integers { &BYTES } else { &QUANTIZED[..] })
    });
    let of = draws.one_of(&[Float32, Float16, Bfloat16]);
    let single = draws.one_of(&[vec![], vec![1]]);
    let parameters = [&rows[..], &columns, &single];
    Drawn::new(quantized(draws, [dtype, other, to], of, [&a, &b], parameters))
}

/// Data and weights of a convolution with the attributes that it has: their shapes, and the call without inputs.
fn convolution(draws: &mut Draws) -> ([Vec<usize>; 2], Drawn) {
    let Windows { sizes, kernel, attributes } = windows(draws, 24);
    let [group, depth, outputs] = [(); 3].map(|()| 1 + draws.below(3));
    let batches = if draws.is_one_in(8) { 0 } else { 1 + draws.below(2) };
    let data = [&[batches, group * depth][..], &sizes].concat();
    let weights = [&[group * outputs, depth][..], &kernel].concat();
    let mut drawn = Drawn::new(Vec::new());
    for (name, value) in attributes {
        drawn = drawn.with(name, value);
    }
    if group > 1 || draws.is_one_in(2) {
        drawn = drawn.with("group", Int(group as i64));
    }
    if draws.is_one_in(2) {
        drawn = drawn.with("kernel_shape", ints(kernel));
    }
    ([data, weights], drawn)
}

/// The shape of a parameter that is single, or one for each output channel.
fn per_channel(draws: &mut Draws, weights: &[usize]) -> Vec<usize> {
    draws.one_of(&[vec![], vec![1], vec![weights[0]]])
}

fn conv_integer(draws: &mut Draws, dtype: DType) -> Drawn {
    let ([data, weights], drawn) = convolution(draws);
    let other = draws.one_of(&BYTES);
    let channels = per_channel(draws, &weights);
    let x_zero = draws.is_one_in(2).then(|| draws.tensor(dtype, &[]));
    let w_zero = draws.is_one_in(2).then(|| draws.tensor(other, &channels));
    let [x, w] = [draws.tensor(dtype, &data), draws.tensor(other, &weights)];
    drawn.of(vec![Some(x), Some(w), x_zero, w_zero])
}

fn qlinear_conv(draws: &mut Draws, dtype: DType) -> Drawn {
    let ([data, weights], drawn) = convolution(draws);
    let [other, to] = [draws.one_of(&BYTES), draws.one_of(&BYTES)];
    let [channels, single] = [per_channel(draws, &weights), draws.one_of(&[vec![], vec![1]])];
    let mut inputs = quantized(
        draws,
        [dtype, other, to],
        Float32,
        [&data, &weights],
        [&single, &channels, &single],
    );
    inputs.push(draws.is_one_in(2).then(|| {
        let all: Vec<i64> = (0..weights[0]).map(|_| draws.between(-9_999, 9_999)).collect();
        integers(Int32, &[weights[0]], &all)
    }));
    drawn.of(inputs)
}

/// Data of any range, of one that begins or ends at 0, or zeros.
fn dynamic_quantize_linear(draws: &mut Draws, dtype: DType) -> Drawn {
    let shape = draws.filled_shape([0, 4], 200);
    let count: usize = shape.iter().product();
    let power = draws.between(-20, 20);
    let mode = draws.below(8);
    let element = |_| {
        let sign = u128::from(draws.is_one_in(2)) << 31;
        let near = u128::from((127 + power + draws.between(-6, 0)) as u32) << 23;
        let number = near | draws.below(1 << 23) as u128;
        match mode {
            0 => draws.element(dtype),
            1 => number,
            2 => number | 1 << 31,
            3 => sign,
            // Whole numbers, whose quotients may lie between two.
            4 => u128::from((draws.between(-255, 255) as f32 / 2.0).to_bits()),
            _ => number | sign,
        }
    };
    let elements: Vec<u128> = (0..count).map(element).collect();
    Drawn::new(vec![Some(tensor(dtype, shape, &elements))])
}
