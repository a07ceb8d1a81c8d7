//! Defects planted in one node of a model.

use super::*;

/// A model that uses what the defects are planted in, each by the name of its output.
fn model() -> Graph {
    let mut with_nan = vec![1.5_f32, -2.0, 0.25, -0.0];
    with_nan.push(f32::NAN);
    let bytes = |count: usize| (0..count).map(|at| (at * 53 % 251) as u8).collect::<Vec<_>>();
    let image = Tensor::from_vec(vec![1, 2, 5, 5], bytes(50)).unwrap();
    let signed: Vec<i8> = (0..64).map(|at| (at * 29 % 120) as i8 + 7).collect();
    let weights = Tensor::from_vec(vec![2, 2, 4, 4], signed).unwrap();
    Graph::default()
        .input("x", floats(&[1, 4, 6, 6], 3.0))
        .input("special", vector(with_nan))
        .input("ids", Tensor::from_vec(vec![2, 3], vec![3_i64, -1, 0, -10, 9, 4]).unwrap())
        .input("sequence", floats(&[5, 2, 3], 2.0))
        .input("image", image)
        .initialiser("w", &floats(&[4, 4, 3, 3], 1.0))
        .initialiser("table", &floats(&[10, 4], 1.0))
        .initialiser("m", &floats(&[4, 5], 300.0))
        .initialiser("sizes", &vector(vec![1_i64, 4, 12, 12]))
        .initialiser("scale", &floats(&[5], 1.0))
        .initialiser("lstm_w", &floats(&[1, 16, 3], 1.0))
        .initialiser("lstm_r", &floats(&[1, 16, 4], 1.0))
        .initialiser("q_w", &weights)
        .initialiser("one", &Tensor::from_vec(vec![], vec![1.0_f32]).unwrap())
        .initialiser("y_scale", &Tensor::from_vec(vec![], vec![900.0_f32]).unwrap())
        .initialiser("zero_u8", &Tensor::from_vec(vec![], vec![0_u8]).unwrap())
        .initialiser("zero_i8", &Tensor::from_vec(vec![], vec![0_i8]).unwrap())
        .node("Conv", &["x", "w"], "conv", &[ints("pads", &[2, 1, 0, 1])])
        .node("Relu", &["special"], "relu", &[])
        .node("Gather", &["table", "ids"], "gather", &[])
        .node("MatMul", &["gather", "m"], "matmul", &[])
        .node("LayerNormalization", &["matmul", "scale"], "norm", &[float("epsilon", 0.5)])
        .node(
            "Resize",
            &["x", "", "", "sizes"],
            "resize",
            &[text("mode", "nearest"), text("coordinate_transformation_mode", "asymmetric")],
        )
        .node("Softmax", &["norm"], "softmax", &[int("axis", 1)])
        .add(node("LSTM", &["sequence", "lstm_w", "lstm_r"], &["lstm"], &[int("hidden_size", 4)]))
        .node(
            "QLinearConv",
            &["image", "one", "zero_u8", "q_w", "one", "zero_i8", "y_scale", "zero_u8"],
            "quantised",
            &[],
        )
        .node("Concat", &["softmax", "norm"], "concat", &[int("axis", 2)])
        .output("conv", DType::Float32)
        .output("relu", DType::Float32)
        .output("resize", DType::Float32)
        .output("lstm", DType::Float32)
        .output("quantised", DType::Uint8)
        .output("concat", DType::Float32)
}

fn constant(tensor: &Tensor, output: &str) -> NodeProto {
    let r#type = Some(AttributeType::Tensor as i32);
    let t = Some(encode_tensor("", tensor));
    let value = AttributeProto { name: Some("value".to_owned()), r#type, t, ..Default::default() };
    node("Constant", &[], &[output], &[value])
}

/// The node with other attributes in place of those of the same names.
fn with(mut wrong: NodeProto, attributes: &[AttributeProto]) -> Vec<NodeProto> {
    for own in attributes {
        wrong.attribute.retain(|known| known.name() != own.name());
        wrong.attribute.push(own.clone());
    }
    vec![wrong]
}

/// What a runtime with a defect in this node computes in place of it.
fn wrong(right: NodeProto) -> Vec<NodeProto> {
    let (inputs, outputs) = (right.input.clone(), right.output.clone());
    let input = |at: usize| inputs[at].as_str();
    let output = outputs[0].as_str();
    match right.op_type() {
        // Pads of height and width exchanged.
        "Conv" => with(right, &[ints("pads", &[1, 2, 1, 0])]),
        // What is negative goes through by a tenth.
        "Relu" => vec![node("LeakyRelu", &[input(0)], &[output], &[float("alpha", 0.1)])],
        // Negative indices are taken for 0.
        "Gather" => vec![
            constant(&Tensor::from_vec(vec![], vec![0_i64]).unwrap(), "nought"),
            node("Max", &[input(1), "nought"], &["index"], &[]),
            node("Gather", &[input(0), "index"], &[output], &[]),
        ],
        // An accumulator of 16 bits.
        "MatMul" => vec![
            node("Cast", &[input(0)], &["a"], &[int("to", 10)]),
            node("Cast", &[input(1)], &["b"], &[int("to", 10)]),
            node("MatMul", &["a", "b"], &["ab"], &[]),
            node("Cast", &["ab"], &[output], &[int("to", 1)]),
        ],
        // Ties away from the first.
        "Resize" => with(right, &[text("nearest_mode", "round_prefer_ceil")]),
        // The epsilon is dropped.
        "LayerNormalization" => with(right, &[float("epsilon", 0.0)]),
        "Softmax" => with(right, &[int("axis", 2)]),
        // The gates i and o are exchanged.
        "LSTM" => {
            let parts = |of: &str| [0, 1, 2, 3].map(|gate| format!("{of}{gate}"));
            let swap = |from: &str, of: &str| {
                let split = parts(of);
                let names: Vec<&str> = split.iter().map(String::as_str).collect();
                let swapped = [names[1], names[0], names[2], names[3]];
                let four = int("num_outputs", 4);
                [
                    node("Split", &[from], &names, &[int("axis", 1), four]),
                    node("Concat", &swapped, &[of], &[int("axis", 1)]),
                ]
            };
            let mut nodes: Vec<NodeProto> = Vec::new();
            nodes.extend(swap(input(1), "own_w"));
            nodes.extend(swap(input(2), "own_r"));
            let named = [input(0), "own_w", "own_r"];
            nodes.push(node("LSTM", &named, &[output], &[int("hidden_size", 4)]));
            nodes
        }
        // Sums saturate in 16 bits.
        "QLinearConv" => vec![
            node("ConvInteger", &[input(0), input(3), input(2), input(5)], &["sums"], &[]),
            constant(&Tensor::from_vec(vec![], vec![i32::from(i16::MAX)]).unwrap(), "most"),
            node("Min", &["sums", "most"], &["saturated"], &[]),
            node("Cast", &["saturated"], &["floats"], &[int("to", 1)]),
            node("QuantizeLinear", &["floats", input(6), input(7)], &[output], &[]),
        ],
        "Concat" => {
            let reversed: Vec<&str> = inputs.iter().rev().map(String::as_str).collect();
            vec![NodeProto { input: reversed.iter().map(ToString::to_string).collect(), ..right }]
        }
        other => panic!("no defect is planted in {other}"),
    }
}

/// The ten nodes that have defects planted.
const NODES: [&str; 10] = [
    "conv",
    "relu",
    "gather",
    "matmul",
    "norm",
    "resize",
    "softmax",
    "lstm",
    "quantised",
    "concat",
];

#[test]
fn a_clean_backend_has_no_wrong_node() {
    let trace = traced(&model(), &Builtin);
    assert_eq!(trace.first_wrong, None, "{:?}", trace.first());
    assert!(trace.nodes.iter().all(|node| node.verdict.to_string() == "pass"), "{trace:?}");
    assert!(trace.nodes.iter().all(|node| node.judged == node.elements));
    assert!(trace.outputs.iter().all(|output| output.same_as_nodes == Some(true)));
    assert!(trace.outputs.iter().all(|output| output.verdict.to_string() == "pass"));
    assert_eq!((trace.fusions.len(), trace.fusions_left), (0, None));
}

#[test]
fn each_planted_defect_is_found_in_its_node_and_in_no_other() {
    for name in NODES {
        let planted = Changed(|nodes: Vec<NodeProto>| {
            let change = |node: NodeProto| {
                if node.name() == name { wrong(node) } else { vec![node] }
            };
            nodes.into_iter().flat_map(change).collect()
        });
        let trace = traced(&model(), &planted);
        assert_eq!(trace.first_wrong.as_deref(), Some(name));
        let node = trace.first().unwrap();
        assert!(node.mismatches > 0 && node.worst.is_some(), "{node:?}");
        let others = trace.nodes.iter().filter(|node| node.node != name);
        assert!(others.clone().count() == 9, "{name}");
        for other in others {
            assert_eq!(other.verdict.to_string(), "pass", "{name} makes {other:?} wrong");
        }
        // What it does is found at the outputs that depend on it, and at no others.
        assert!(node.effects.iter().any(|effect| effect.max_ulp != Some(0)), "{node:?}");
        for (effect, output) in node.effects.iter().zip(&trace.outputs) {
            let depends = output.verdict.to_string() == "fail";
            assert_eq!(effect.max_ulp != Some(0), depends, "{name}: {effect:?}");
        }
        assert!(node.case.is_some());
        assert_eq!((trace.fusions.len(), trace.fusions_left), (0, None));
    }
}

#[test]
fn a_nan_is_born_where_no_input_has_one() {
    let graph = Graph::default()
        .input("x", vector(vec![4.0_f32, -1.0, 0.0]))
        .node("Sqrt", &["x"], "root", &[])
        .node("Relu", &["root"], "relu", &[])
        .node("Reciprocal", &["x"], "inverse", &[])
        .output("relu", DType::Float32)
        .output("inverse", DType::Float32);
    let trace = traced(&graph, &Builtin);
    let born: Vec<_> =
        trace.nodes.iter().map(|node| node.born.map(|it| format!("{it:?}"))).collect();
    assert_eq!(born, [Some("Nan".to_owned()), None, Some("Infinity".to_owned())]);
}

#[test]
fn a_nan_that_is_lost_is_said_though_no_specification_forbids_it() {
    let graph = Graph::default()
        .input("x", vector(vec![4.0_f32, f32::NAN]))
        .node("Relu", &["x"], "relu", &[])
        .node("Neg", &["relu"], "y", &[])
        .output("y", DType::Float32);
    let losing = Changed(|nodes: Vec<NodeProto>| {
        let change = |right: NodeProto| match right.op_type() {
            "Relu" => vec![
                node("IsNaN", &[&right.input[0]], &["is_nan"], &[]),
                constant(&Tensor::from_vec(vec![], vec![0.0_f32]).unwrap(), "nought"),
                node("Where", &["is_nan", "nought", &right.input[0]], &["number"], &[]),
                node("Relu", &["number"], &[&right.output[0]], &[]),
            ],
            _ => vec![right],
        };
        nodes.into_iter().flat_map(change).collect()
    });
    let lost = |backend: &dyn Backend| -> Vec<bool> {
        traced(&graph, backend).nodes.iter().map(|node| node.nan_lost).collect()
    };
    assert_eq!(lost(&Builtin), [false, false]);
    assert_eq!(lost(&losing), [true, false]);
}
