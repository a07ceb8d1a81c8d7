//! Numbers within the operands, and whether the exact reference finds their results within the enclosure.

use std::slice::from_ref;

use num_traits::ToPrimitive;
use values::onnx::proto::AttributeProto;
use values::onnx::proto::attribute_proto::AttributeType;
use values::random::Random;

use super::*;
use crate::exact::real::{Enclosure, Rational};

fn attribute(name: &str, value: &[f64]) -> AttributeProto {
    let name = Some(name.trim_end_matches(['.', '*']).to_owned());
    let kind = |kind: AttributeType| Some(kind as i32);
    match (name.as_deref(), value) {
        (Some("alpha" | "beta" | "epsilon" | "gamma"), [value]) => AttributeProto {
            name,
            r#type: kind(AttributeType::Float),
            f: Some(*value as f32),
            ..AttributeProto::default()
        },
        (
            Some(
                "axis" | "keepdims" | "group" | "transA" | "transB" | "hidden_size" | "to"
                | "count_include_pad",
            ),
            [value],
        ) => {
            let i = Some(*value as i64);
            AttributeProto {
                name,
                r#type: kind(AttributeType::Int),
                i,
                ..AttributeProto::default()
            }
        }
        _ => {
            let ints = value.iter().map(|value| *value as i64).collect();
            AttributeProto {
                name,
                r#type: kind(AttributeType::Ints),
                ints,
                ..AttributeProto::default()
            }
        }
    }
}

fn node(operator: &str, inputs: usize, outputs: usize, attributes: &[(&str, &[f64])]) -> NodeProto {
    let names = |kind: &str, count: usize| (0..count).map(|at| format!("{kind}{at}")).collect();
    NodeProto {
        op_type: Some(operator.to_owned()),
        input: names("x", inputs),
        output: names("y", outputs),
        attribute: attributes.iter().map(|(name, value)| attribute(name, value)).collect(),
        ..NodeProto::default()
    }
}

/// An operand: elements that are drawn from a range with spans around them, or that are certain, or integers.
#[derive(Clone)]
enum Drawn {
    Spans(&'static [usize], [f64; 2]),
    Certain(&'static [usize], [f64; 2]),
    Integers(&'static [usize], &'static [i64]),
}

use Drawn::{Certain, Integers, Spans};

fn uniform(random: &mut Random) -> f64 {
    random.below(1 << 53) as f64 / (1_u64 << 53) as f64
}

impl Drawn {
    /// The operand, and tensors of numbers that are within it.
    fn draw(&self, random: &mut Random, width: f64, points: usize) -> (Enclosed, Vec<Tensor>) {
        match *self {
            Integers(shape, numbers) => {
                let tensor = Tensor::from_vec(shape.to_vec(), numbers.to_vec()).unwrap();
                (Enclosed::Known(tensor.clone()), vec![tensor; points])
            }
            Certain(shape, range) => {
                let (_, tensors) = Spans(shape, range).draw(random, 0.0, 1);
                (Enclosed::Known(tensors[0].clone()), vec![tensors[0].clone(); points])
            }
            Spans(shape, [low, high]) => {
                let count = element_count(shape).unwrap();
                let middles: Vec<f64> = (0..count)
                    .map(|_| f64::from((low + (high - low) * uniform(random)) as f32))
                    .collect();
                let spans: Vec<Span> = middles
                    .iter()
                    .map(|it| {
                        Span::new((it - width).max(low.min(*it)), (it + width).min(high.max(*it)))
                    })
                    .collect();
                let drawn = |random: &mut Random| -> Vec<f32> {
                    let one = |(middle, span): (&f64, &Span)| {
                        let share = [0.0, 1.0, uniform(random)][random.below(3) as usize];
                        let number = (span.lower + share * (span.upper - span.lower)) as f32;
                        if span.contains(number.into()) { number } else { *middle as f32 }
                    };
                    middles.iter().zip(&spans).map(one).collect()
                };
                let tensors = (0..points)
                    .map(|_| Tensor::from_vec(shape.to_vec(), drawn(random)).unwrap())
                    .collect();
                let (dtype, shape) = (DType::Float32, shape.to_vec());
                let between = Between { dtype, shape, allowed: spans.clone(), exact: spans };
                (Enclosed::Between(between), tensors)
            }
        }
    }
}

/// The reference's limits of a node: 3 ULP of functions.
fn permitted(call: &Call, _: DType) -> Permitted {
    let ulps = if call.operator.kind == OperatorKind::Approximated { 3.0 } else { 0.5 };
    Permitted { ulps, ..Permitted::default() }
}

fn rational(number: f64) -> Option<Rational> {
    Rational::from_float(number)
}

/// Whether a span has a number in common with an enclosure.
fn meets(span: Span, exact: &Enclosure) -> bool {
    !span.is_unknown()
        && rational(span.lower).is_none_or(|lower| lower <= exact.upper)
        && rational(span.upper).is_none_or(|upper| exact.lower <= upper)
}

/// That exact results of numbers within the operands are within the output, and so is what the reference lets an
/// implementation give of them; and that outputs of narrow operands are narrow.
fn check(operator: &str, opset: i64, attributes: &[(&str, &[f64])], operands: &[Drawn]) {
    let enclosures = Enclosures::default();
    let outputs = if operator == "LSTM" { 3 } else { 1 };
    let node = node(operator, operands.len(), outputs, attributes);
    for (round, width) in [0.0, 1e-6, 1e-2, 0.3, 3.0].into_iter().enumerate() {
        let mut random = Random::at(7, round as u64);
        let drawn: Vec<_> = operands.iter().map(|it| it.draw(&mut random, width, 8)).collect();
        let given: Vec<_> = drawn.iter().map(|(operand, _)| Some(operand)).collect();
        let found = enclosures.of_node(&node, opset, &given, &permitted);
        let found = found.unwrap_or_else(|why| panic!("{operator}: {why}"));
        for point in 0..8 {
            let inputs = drawn.iter().map(|(_, tensors)| Some(tensors[point].clone())).collect();
            let (call, types) = Call::of_node(&node, opset, inputs).unwrap();
            let allowed = call.operator.reference.allowed(&call, &types);
            for ((own, allowed), of) in found.iter().zip(&allowed).zip(&types) {
                let own = own.between().unwrap();
                assert_eq!((own.dtype, &own.shape), (of.dtype, &of.shape), "{operator}");
                for index in 0..own.exact.len() {
                    let (exact, may) = (own.exact[index], own.allowed[index]);
                    let real = allowed.real(index, 80).unwrap().enclosure;
                    if operator == "Cast" {
                        // What it gives is rounded, of exact arithmetic too.
                        is_within(operator, exact, of.dtype, &allowed.at(index));
                    } else if width <= 0.3 {
                        assert!(
                            meets(exact, &real),
                            "{operator} {width}: {exact:?} {:?}",
                            real.lower.to_f64()
                        );
                    } else {
                        assert!(exact.is_unknown() || meets(exact, &real), "{operator} {width}");
                    }
                    is_within(operator, may, of.dtype, &allowed.at(index));
                }
            }
        }
        if width == 0.0 {
            let own = found[0].between().unwrap().into_owned();
            for span in own.exact {
                assert!(
                    span.upper - span.lower < 1e-11 * span.magnitude().max(1.0),
                    "{operator}: {span:?}"
                );
            }
        }
    }
}

/// That what conforms is within a span.
fn is_within(operator: &str, may: Span, dtype: DType, conforming: &Conforming) {
    let number = |bits: u64| match dtype.kind() {
        Kind::Float(format) => format.to_f64(bits),
        Kind::Int { signed, bits: width } => integer(bits.into(), signed, width) as f64,
        _ => bits as f64,
    };
    let all = match conforming {
        Conforming::One(bits) => vec![number(*bits)],
        Conforming::Same(Element::Bits(_, bits)) => vec![number(*bits as u64)],
        Conforming::Within { accumulated, .. } => {
            let Kind::Float(format) = dtype.kind() else { return };
            let ends = accumulated.numbers.unwrap();
            let of = |ordinal: i64| {
                let magnitude = format.to_f64(ordinal.unsigned_abs());
                if ordinal < 0 { -magnitude } else { magnitude }
            };
            ends.map(of).to_vec()
        }
        Conforming::OneOf(all) => {
            return all.iter().for_each(|one| is_within(operator, may, dtype, one));
        }
        _ => return,
    };
    for number in all {
        assert!(may.is_unknown() || may.contains(number), "{operator}: {number} is not in {may:?}");
    }
}

#[test]
fn element_wise_results_are_enclosed() {
    let wide = Spans(&[3, 4], [-4.0, 4.0]);
    let above = Spans(&[3, 4], [0.25, 6.0]);
    for name in [
        "Abs",
        "Ceil",
        "Floor",
        "Neg",
        "Relu",
        "Round",
        "Sign",
        "HardSwish",
        "HardSigmoid",
        "LeakyRelu",
    ] {
        check(name, 22, &[], from_ref(&wide));
    }
    for name in [
        "Cos", "Elu", "Erf", "Exp", "Gelu", "Mish", "Selu", "Sigmoid", "Sin", "Softplus", "Tanh",
        "Atan",
    ] {
        check(name, 22, &[], from_ref(&wide));
    }
    for name in ["Log", "Sqrt", "Reciprocal"] {
        check(name, 22, &[], from_ref(&above));
    }
    for name in ["Add", "Sub", "Mul", "Max", "Min"] {
        check(name, 13, &[], &[wide.clone(), Spans(&[4], [-4.0, 4.0])]);
    }
    check("Div", 14, &[], &[wide.clone(), Spans(&[3, 1], [0.5, 2.0])]);
    check("PRelu", 16, &[], &[wide.clone(), Spans(&[4], [-1.0, 1.0])]);
    for exponent in [[2.0; 2], [3.0; 2], [-1.0; 2], [0.5; 2], [1.7; 2]] {
        check("Pow", 15, &[], &[above.clone(), Certain(&[], exponent)]);
    }
    check("Pow", 15, &[], &[wide.clone(), Certain(&[], [2.0; 2])]);
    check("Clip", 13, &[], &[wide.clone(), Certain(&[], [-1.0; 2]), Certain(&[], [2.0; 2])]);
    let scalar = |number: f64| Certain(&[], [number; 2]);
    check("Range", 11, &[], &[scalar(-3.0), scalar(20.0), scalar(1.0)]);
    check("Range", 11, &[], &[scalar(0.5), scalar(3.0), scalar(0.3)]);
    check("Cast", 13, &[("to", &[10.0])], from_ref(&wide));
    check("Cast", 13, &[("to", &[7.0])], &[wide]);
}

#[test]
fn sums_of_products_are_enclosed() {
    let (range, weights) = ([-2.0, 2.0], [-1.0, 1.0]);
    check("MatMul", 13, &[], &[Spans(&[2, 3, 5], range), Spans(&[5, 4], weights)]);
    check("MatMul", 13, &[], &[Spans(&[5], range), Certain(&[5, 4], weights)]);
    check("MatMul", 13, &[], &[Certain(&[2, 300], range), Spans(&[300, 2], weights)]);
    let turned: &[(&str, &[f64])] =
        &[("transA", &[1.0]), ("transB", &[1.0]), ("alpha", &[0.3]), ("beta", &[1.7])];
    check(
        "Gemm",
        13,
        turned,
        &[Spans(&[5, 3], range), Spans(&[4, 5], weights), Spans(&[4], range)],
    );
    check("Gemm", 13, &[], &[Spans(&[3, 5], range), Certain(&[5, 4], weights)]);
    let spread: &[(&str, &[f64])] = &[
        ("pads", &[1.0, 0.0, 1.0, 2.0]),
        ("strides", &[2.0, 1.0]),
        ("dilations", &[1.0, 2.0]),
        ("group", &[2.0]),
    ];
    check(
        "Conv",
        11,
        spread,
        &[Spans(&[2, 4, 5, 6], range), Certain(&[6, 2, 3, 2], weights), Spans(&[6], range)],
    );
    check("Conv", 11, &[], &[Spans(&[1, 3, 7], range), Spans(&[2, 3, 3], weights)]);
    let moved: &[(&str, &[f64])] = &[("strides", &[2.0, 2.0]), ("pads", &[1.0, 1.0, 0.0, 0.0])];
    check(
        "ConvTranspose",
        11,
        moved,
        &[Spans(&[1, 2, 3, 4], range), Certain(&[2, 3, 3, 2], weights), Spans(&[3], range)],
    );
}

#[test]
fn reduced_and_pooled_elements_are_enclosed() {
    let data = Spans(&[2, 3, 4], [-2.0, 2.0]);
    for name in ["ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd"] {
        check(name, 13, &[("axes", &[1.0])], from_ref(&data));
        check(name, 13, &[("keepdims", &[0.0])], from_ref(&data));
    }
    check("ReduceSum", 13, &[], &[data.clone(), Integers(&[2], &[0, 2])]);
    let window: &[(&str, &[f64])] = &[("kernel_shape", &[2.0]), ("pads", &[1.0, 1.0])];
    check("MaxPool", 12, window, from_ref(&data));
    check("AveragePool", 11, window, from_ref(&data));
    check("AveragePool", 11, &[window, &[("count_include_pad", &[1.0])]].concat(), from_ref(&data));
    check("GlobalAveragePool", 1, &[], from_ref(&data));
    check("GlobalMaxPool", 1, &[], &[data]);
}

#[test]
fn normalised_elements_are_enclosed() {
    let data = Spans(&[2, 3, 4], [-2.0, 2.0]);
    let (scale, shift) = (Spans(&[3], [-2.0, 2.0]), Certain(&[3], [-1.0, 1.0]));
    check("Softmax", 13, &[("axis", &[1.0])], from_ref(&data));
    check("Softmax", 11, &[("axis", &[1.0])], from_ref(&data));
    check("LogSoftmax", 13, &[], from_ref(&data));
    let variance = Spans(&[3], [1.0, 3.0]);
    check(
        "BatchNormalization",
        15,
        &[],
        &[data.clone(), scale.clone(), shift.clone(), shift.clone(), variance],
    );
    check("InstanceNormalization", 6, &[("epsilon", &[0.5])], &[data.clone(), scale, shift]);
    let (scale, shift) = (Certain(&[4], [-2.0, 2.0]), Spans(&[4], [-1.0, 1.0]));
    check("LayerNormalization", 17, &[("epsilon", &[0.5])], &[data, scale, shift]);
}

#[test]
fn moved_elements_keep_their_enclosures() {
    let data = Spans(&[2, 3, 4], [-2.0, 2.0]);
    check("Transpose", 13, &[("perm", &[2.0, 0.0, 1.0])], from_ref(&data));
    check("Reshape", 13, &[], &[data.clone(), Integers(&[2], &[4, 6])]);
    check("Concat", 13, &[("axis", &[1.0])], &[data.clone(), Certain(&[2, 2, 4], [5.0, 6.0])]);
    check(
        "Slice",
        13,
        &[],
        &[
            data.clone(),
            Integers(&[1], &[2]),
            Integers(&[1], &[0]),
            Integers(&[1], &[1]),
            Integers(&[1], &[-1]),
        ],
    );
    check("Gather", 13, &[("axis", &[2.0])], &[data.clone(), Integers(&[2], &[3, 0])]);
    check(
        "Pad",
        13,
        &[],
        &[data.clone(), Integers(&[6], &[0, 1, 0, 1, 0, 2]), Certain(&[], [7.0, 8.0])],
    );
    check("Pad", 13, &[], &[data.clone(), Integers(&[6], &[0, 1, 0, 1, 0, 2])]);
    check("Expand", 13, &[], &[Spans(&[3, 1], [0.0, 1.0]), Integers(&[3], &[2, 3, 2])]);
    check("Tile", 13, &[], &[data.clone(), Integers(&[3], &[1, 2, 1])]);
    check("Unsqueeze", 13, &[], &[data.clone(), Integers(&[1], &[0])]);
    check("ScatterND", 16, &[], &[data, Integers(&[1, 2], &[1, 2]), Spans(&[1, 4], [0.0, 1.0])]);
}

#[test]
fn the_states_of_an_lstm_are_enclosed() {
    let (range, weights) = ([-1.0, 1.0], [-0.5, 0.5]);
    let operands = [
        Spans(&[3, 2, 2], range),
        Certain(&[1, 12, 2], weights),
        Certain(&[1, 12, 3], weights),
        Certain(&[1, 24], weights),
    ];
    check("LSTM", 14, &[("hidden_size", &[3.0])], &operands);
}

#[test]
fn what_is_certain_stays_known_and_counts() {
    let enclosures = Enclosures::default();
    let floats = |values: &[f32]| {
        Enclosed::Known(Tensor::from_vec(vec![values.len()], values.to_vec()).unwrap())
    };
    let sizes = floats(&[13.0, 20.0]);
    let factor = floats(&[2.0, 1.6]);
    let one =
        |operator: &str, opset, operands: &[Option<&Enclosed>], attributes: &[(&str, &[f64])]| {
            let node = node(operator, operands.len(), 1, attributes);
            enclosures.of_node(&node, opset, operands, &permitted).map(|mut all| all.remove(0))
        };
    let product = one("Mul", 13, &[Some(&sizes), Some(&factor)], &[]).unwrap();
    let counts = one("Floor", 13, &[Some(&product)], &[]).unwrap();
    let counts = one("Cast", 13, &[Some(&counts)], &[("to", &[7.0])]).unwrap();
    // 1.6 is more than the float32 nearest to it, or less, so that 32 is certain only if it is more.
    assert_eq!(counts.tensor().unwrap().as_slice::<i64>().unwrap().to_vec(), [26, 32]);
}

#[test]
fn the_product_of_a_value_and_itself_is_not_negative() {
    let spans = vec![Span::new(-1.0, 2.0)];
    let between =
        Between { dtype: DType::Float32, shape: vec![1], exact: spans.clone(), allowed: spans };
    let x = Enclosed::Between(between);
    let enclosures = Enclosures::default();
    let of = |other: &Enclosed| {
        let node = node("Mul", 2, 1, &[]);
        let found = enclosures.of_node(&node, 13, &[Some(&x), Some(other)], &permitted).unwrap();
        found[0].between().unwrap().exact[0]
    };
    assert_eq!(of(&x), Span::new(0.0, 4.0));
    assert_eq!(of(&x.clone()), Span::new(-2.0, 4.0));
}

#[test]
fn an_uncertain_choice_ends_the_enclosure() {
    let enclosures = Enclosures::default();
    let data = |spans: Vec<Span>| {
        let (dtype, shape) = (DType::Float32, vec![spans.len()]);
        Enclosed::Between(Between { dtype, shape, exact: spans.clone(), allowed: spans })
    };
    let of = |spans: &[[f64; 2]]| {
        let data = data(spans.iter().map(|[a, b]| Span::new(*a, *b)).collect());
        let node = node("ArgMax", 1, 1, &[]);
        enclosures.of_node(&node, 13, &[Some(&data)], &permitted)
    };
    let certain = of(&[[0.0, 1.0], [2.0, 3.0], [1.0, 1.5]]).unwrap().remove(0);
    assert_eq!(certain.tensor().unwrap().as_slice::<i64>().unwrap().to_vec(), [1]);
    let why = of(&[[0.0, 1.0], [2.0, 3.0], [1.0, 2.5]]).unwrap_err();
    assert!(why.0.contains("at 1 and 2"), "{why}");
}

#[test]
fn huge_values_are_not_made() {
    let enclosures = Enclosures::default();
    let shape = Tensor::from_vec(vec![2], vec![1_i64 << 13, 1 << 13]).unwrap();
    let one = Enclosed::Known(Tensor::from_vec(vec![1], vec![1.0_f32]).unwrap());
    let node = node("Expand", 2, 1, &[]);
    let found =
        enclosures.of_node(&node, 13, &[Some(&one), Some(&Enclosed::Known(shape))], &permitted);
    let why = found.unwrap_err();
    assert!(why.0.contains("too many elements"), "{why}");
}
