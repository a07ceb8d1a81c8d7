//! Which calls are computed elsewhere: of each operator and type several. Those of operators that compute element by element
//! have directed and random operands; calls of the others are drawn.

use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::random::Random;
use onnx_conformance::reference::operator::{AttributeValue, Operator};
use onnx_conformance::reference::operators;
use onnx_conformance::tensor::Tensor;

use super::check::{Check, narrow, tensor, vector};
use super::drawn::{Draw, Drawn, Draws};
use super::operands::{any, columns, directed, width};
use super::parts::MANY;
use super::{choosing, constants, conversions, indexing, moving, quantized, shaping, strings};
use AttributeValue::{Float, Int, Text};

/// Operators that add up or multiply, which `sums.rs` holds.
pub(super) const SUMMED: &[&str] = &[
    "AveragePool",
    "Conv",
    "ConvTranspose",
    "CumProd",
    "CumSum",
    "Einsum",
    "Gemm",
    "GlobalAveragePool",
    "MatMul",
    "Mean",
    "ReduceL1",
    "ReduceMean",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Sum",
];

/// Operators that are composed of several operations, which `layers.rs` holds.
pub(super) const COMPOSED: &[&str] = &[
    "AffineGrid",
    "Attention",
    "BatchNormalization",
    "BlackmanWindow",
    "CausalConvWithState",
    "DeformConv",
    "Det",
    "DFT",
    "GlobalLpPool",
    "GridSample",
    "GroupNormalization",
    "HammingWindow",
    "HannWindow",
    "InstanceNormalization",
    "LayerNormalization",
    "LinearAttention",
    "LogSoftmax",
    "LpNormalization",
    "LpPool",
    "LRN",
    "MeanVarianceNormalization",
    "NegativeLogLikelihoodLoss",
    "Range",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "Resize",
    "RMSNormalization",
    "RNN",
    "RoiAlign",
    "RotaryEmbedding",
    "GRU",
    "LSTM",
    "Softmax",
    "SoftmaxCrossEntropyLoss",
    "SwiGLU",
];

/// Functions of which NumPy and the evaluator compute approximations of their own, in the type of the elements; mpmath checks them.
const APPROXIMATED: &[&str] = &[
    "Acos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "Celu",
    "Cos",
    "Cosh",
    "Elu",
    "Erf",
    "Gelu",
    "HardSigmoid",
    "HardSwish",
    "Log",
    "Mish",
    "Pow",
    "Selu",
    "Sigmoid",
    "Sin",
    "Sinh",
    "Softplus",
    "Softsign",
    "Swish",
    "Tan",
    "Tanh",
];

/// Every operator that has checks.
pub(crate) fn checked() -> impl Iterator<Item = &'static Operator> {
    let others = APPROXIMATED.iter().chain(SUMMED).chain(COMPOSED);
    let others: Vec<&str> = others.copied().collect();
    operators::onnx().filter(move |operator| !others.contains(&operator.name))
}

/// The types that an operator is checked with: those of what it computes with or moves.
pub(crate) fn types(operator: &Operator) -> Vec<DType> {
    let version = operator.newest();
    let port = match operator.name {
        "OneHot" => version.inputs[2],
        "Where" => version.inputs[1],
        "Constant" | "ConstantOfShape" => version.outputs[0],
        _ => version.inputs[0],
    };
    // What a zero among strings is, no document says.
    let is_open = |dtype: &DType| operator.name == "NonZero" && *dtype == DType::String;
    port.types.iter().copied().filter(|dtype| !is_open(dtype)).collect()
}

/// How calls of an operator are drawn; none of those that compute element by element.
fn draw(operator: &Operator) -> Option<Draw> {
    let all = [
        choosing::draw,
        constants::draw,
        indexing::draw,
        moving::draw,
        quantized::draw,
        shaping::draw,
        strings::draw,
    ];
    all.into_iter().find_map(|draw| draw(operator.name))
}

/// How many of so many elements are drawn of an operator. Those that tell of shapes have few in each call, and fewer in the gate.
fn share(operator: &Operator, wanted: usize) -> usize {
    match operator.name {
        _ if wanted >= MANY => wanted,
        "Shape" => wanted / 20,
        "Size" => wanted / 400,
        _ => wanted,
    }
}

/// Calls of an operator and a type that have so many elements together, or more.
fn drawn(operator: &'static Operator, draw: Draw, dtype: DType, wanted: usize) -> Vec<Check> {
    let mut draws = Draws::new(&format!("{operator} of {dtype}"));
    let (mut checks, mut planned) = (Vec::new(), 0);
    while planned < wanted {
        let Drawn { attributes, inputs, outputs } = draw(&mut draws, dtype);
        let outputs = outputs.unwrap_or(operator.newest().outputs.len());
        let check = Check::for_outputs(outputs, operator, dtype, attributes, inputs);
        planned += check.elements();
        checks.push(check);
    }
    checks
}

/// How many elements these checks of an operator have at least: so many as are wanted, or every combination of operands.
pub(crate) fn least(operator: &Operator, checks: &[Check], wanted: usize) -> usize {
    match draw(operator) {
        Some(_) => share(operator, wanted),
        None => checks.iter().map(combinations).fold(wanted, usize::min),
    }
}

/// How many operands of the types of a call there are.
fn combinations(check: &Check) -> usize {
    let inputs = check.call.inputs.iter().flatten();
    let bits = inputs.map(|input| width(input.dtype())).sum::<u32>();
    1_usize.checked_shl(bits).unwrap_or(usize::MAX)
}

/// The checks of an operator and a type, of `wanted` elements at least or every combination of operands.
pub(crate) fn checks(operator: &'static Operator, dtype: DType, wanted: usize) -> Vec<Check> {
    if let Some(draw) = draw(operator) {
        return drawn(operator, draw, dtype, share(operator, wanted));
    }
    let check = |attributes: &[(&str, AttributeValue)], inputs: Vec<Option<Tensor>>| {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Check::new(operator, dtype, attributes.collect(), inputs)
    };
    let operands = |types: &[DType], wanted: usize, seed: u64| -> Vec<Option<Tensor>> {
        let columns = columns(types, wanted, seed);
        types.iter().zip(columns).map(|(dtype, column)| Some(vector(*dtype, &column))).collect()
    };
    // Every element of the types of at most 16 bits is an operand of those that take one.
    let of_one = |wanted: usize| wanted.max(1 << 16);
    let arity = operator.newest().inputs.len();
    match operator.name {
        "Cast" | "CastLike" => conversions::checks(operator, dtype, wanted),
        "Clip" => clips(dtype, wanted).into_iter().map(|inputs| check(&[], inputs)).collect(),
        "DequantizeLinear" => dequantizations(dtype, wanted)
            .into_iter()
            .map(|inputs| check(&BY_ROW, inputs))
            .collect(),
        "QuantizeLinear" => operator.newest().inputs[2]
            .types
            .iter()
            .map(|to| check(&BY_ROW, quantization(dtype, *to, wanted / 4)))
            .collect(),
        "IsInf" => [(0, 0), (0, 1), (1, 0), (1, 1)]
            .into_iter()
            .map(|(negative, positive)| {
                let asked =
                    [("detect_negative", Int(negative)), ("detect_positive", Int(positive))];
                check(&asked, operands(&[dtype], of_one(wanted), 1))
            })
            .collect(),
        "LeakyRelu" => {
            let mut checks = vec![check(&[], operands(&[dtype], narrow(dtype, wanted), 2))];
            for alpha in [0.1_f32, 1.0, -2.0, 0.0, 3e38, 1e-40, f32::INFINITY] {
                let alpha = [("alpha", Float(alpha.to_bits()))];
                checks.push(check(&alpha, operands(&[dtype], wanted / 4, 3)));
            }
            checks
        }
        "Max" | "Min" => vec![
            check(&[], operands(&[dtype; 1], wanted / 4, 4)),
            check(&[], operands(&[dtype; 2], wanted, 5)),
            check(&[], operands(&[dtype; 3], wanted, 6)),
        ],
        "Mod" => {
            let is_float = matches!(dtype.kind(), Kind::Float(_));
            let modes = if is_float { &[1][..] } else { &[0, 1] };
            let of_mode =
                |mode: &i64| check(&[("fmod", Int(*mode))], operands(&[dtype; 2], wanted, 7));
            modes.iter().map(of_mode).collect()
        }
        "BitShift" => ["LEFT", "RIGHT"]
            .map(|direction| {
                let direction = [("direction", Text(direction.to_owned()))];
                check(&direction, operands(&[dtype; 2], wanted / 2, 11))
            })
            .into(),
        "Shrink" | "ThresholdedRelu" => {
            let mut checks = vec![check(&[], operands(&[dtype], narrow(dtype, wanted), 14))];
            let name = if operator.name == "Shrink" { "lambd" } else { "alpha" };
            for (value, bias) in [(0.5_f32, 2.0_f32), (0.0, -1.0), (3.0, 3.0), (100.0, 1.0)] {
                let mut attributes = vec![(name, Float(value.to_bits()))];
                if name == "lambd" {
                    attributes.push(("bias", Float(bias.to_bits())));
                }
                checks.push(check(&attributes, operands(&[dtype], wanted / 4, 15)));
            }
            checks
        }
        "Where" => vec![check(&[], operands(&[DType::Bool, dtype, dtype], wanted, 8))],
        _ if arity == 1 => vec![check(&[], operands(&[dtype], narrow(dtype, wanted), 9))],
        _ => vec![check(&[], operands(&vec![dtype; arity], wanted, 10))],
    }
}

/// Elements and bounds: none, in order, in the other order, equal, zeros, and what is no number.
fn clips(dtype: DType, wanted: usize) -> Vec<Vec<Option<Tensor>>> {
    let elements = vector(dtype, &columns(&[dtype], narrow(dtype, wanted / 4), 12)[0]);
    let mut bounds = vec![[None, None]];
    let few = directed(dtype);
    bounds.extend(few.iter().map(|bound| [Some(*bound), None]));
    bounds.extend(few.iter().map(|bound| [None, Some(*bound)]));
    let mut random = Random::new(13);
    bounds.extend((0..24).map(|_| [Some(any(dtype, &mut random)), Some(any(dtype, &mut random))]));
    let few = few.iter().step_by(3);
    bounds.extend(few.clone().flat_map(|low| few.clone().map(|high| [Some(*low), Some(*high)])));
    // The bounds come by turns, so that their number does not multiply that of the elements.
    let share = elements.elements().div_ceil(bounds.len() / 4).max(30);
    let parts = bounds.iter().enumerate().map(|(at, bounds)| {
        let all = elements.elements();
        let part: Vec<u128> =
            (0..share).map(|step| elements.element((at * share + step) % all).unwrap()).collect();
        let scalar = |bound: &Option<u128>| bound.map(|bits| tensor(dtype, vec![], &[bits]));
        vec![Some(vector(dtype, &part)), scalar(&bounds[0]), scalar(&bounds[1])]
    });
    parts.collect()
}

/// Rows of elements, each with a scale and a zero point of its own.
const ROWS: usize = 50;
const BY_ROW: [(&str, AttributeValue); 1] = [("axis", Int(0))];

/// So many elements in rows, in each of them all of a type of at most 8 bits.
fn rows(dtype: DType, wanted: usize, seed: u64) -> Tensor {
    let elements = &columns(&[dtype], wanted, seed)[0];
    let in_row = wanted.div_ceil(ROWS);
    let length = match elements.len() {
        few @ ..=256 => few * in_row.div_ceil(few),
        many => many.div_ceil(ROWS),
    };
    let all: Vec<u128> = elements.iter().copied().cycle().take(ROWS * length).collect();
    tensor(dtype, vec![ROWS, length], &all)
}

/// Scales that are positive numbers, neither zero nor beyond the range of results.
fn scales(dtype: DType, seed: u64) -> Tensor {
    let mut random = Random::new(seed);
    let Kind::Float(format) = dtype.kind() else {
        let scales: Vec<u128> = (0..ROWS).map(|_| u128::from(random.below(40)) + 1).collect();
        return vector(dtype, &scales);
    };
    let scale = |_| {
        let exponent = format.bias as u64 + random.below(15) - 9;
        let fraction = if random.below(3) == 0 { 0 } else { random.bits() };
        let field = format.significand_bits;
        u128::from(exponent << field | fraction & ((1 << field) - 1))
    };
    let scales: Vec<u128> = (0..ROWS).map(scale).collect();
    vector(dtype, &scales)
}

/// Zero points: any integers, or zeros of a float type, of which no other is specified.
fn zeros(dtype: DType, seed: u64) -> Tensor {
    let mut random = Random::new(seed);
    let is_int = matches!(dtype.kind(), Kind::Int { .. }) && dtype != DType::Int32;
    let zeros: Vec<u128> =
        (0..ROWS).map(|_| if is_int { any(dtype, &mut random) } else { 0 }).collect();
    vector(dtype, &zeros)
}

fn quantization(from: DType, to: DType, wanted: usize) -> Vec<Option<Tensor>> {
    // What the type of the division is stays open where the scale is an integer.
    let of_scale = if from == DType::Int32 { DType::Float32 } else { from };
    vec![Some(rows(from, wanted, 14)), Some(scales(of_scale, 15)), Some(zeros(to, 16))]
}

fn dequantizations(from: DType, wanted: usize) -> Vec<Vec<Option<Tensor>>> {
    let scales = [DType::Float32, DType::Float16, DType::Bfloat16].map(|of| scales(of, 17));
    let inputs = scales.into_iter().map(|scale| {
        let zeros = (from.bits() != Some(32)).then(|| zeros(from, 18));
        vec![Some(rows(from, narrow(from, wanted), 19)), Some(scale), zeros]
    });
    inputs.collect()
}
