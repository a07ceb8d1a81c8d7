//! What exact arithmetic on the whole model tells of its outputs.

use super::*;

/// A classifier: Conv, Relu, a matrix product and Softmax.
fn classifier() -> Graph {
    Graph::default()
        .input("x", floats(&[1, 2, 5, 5], 1.0))
        .initialiser("w", &floats(&[3, 2, 3, 3], 0.5))
        .initialiser("m", &floats(&[27, 4], 0.4))
        .initialiser("flat", &vector(vec![1_i64, 27]))
        .node("Conv", &["x", "w"], "conv", &[])
        .node("Relu", &["conv"], "relu", &[])
        .node("Reshape", &["relu", "flat"], "row", &[])
        .node("MatMul", &["row", "m"], "scores", &[])
        .node("Softmax", &["scores"], "y", &[])
        .output("y", DType::Float32)
}

/// Gives the scores in the other order.
fn reversed(nodes: Vec<NodeProto>) -> Vec<NodeProto> {
    let mut all = Vec::new();
    for mut node in nodes {
        let is_product = node.op_type() == "MatMul";
        if is_product {
            node.output = vec!["own".to_owned()];
        }
        all.push(node);
        if is_product {
            all.push(super::node("Neg", &["own"], &["scores"], &[]));
        }
    }
    all
}

fn error(trace: &Trace) -> f64 {
    let error = trace.outputs[0].max_error_ulp.as_ref().unwrap();
    error.split(' ').next().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn a_clean_run_is_near_exact_arithmetic_and_within_what_is_permitted() {
    let trace = traced(&classifier(), &Builtin);
    let output = &trace.outputs[0];
    assert_eq!(output.enclosure_ends, None);
    let width: f64 = output.enclosure_width_ulp.as_ref().unwrap().parse().unwrap();
    assert!(width > 0.0 && width < 1e5, "{width}");
    // Whoever keeps to the profile is no farther off than the width.
    assert!(error(&trace) <= width, "{} and {width}", error(&trace));
    assert!(error(&trace) < 100.0);
    let decisions = output.decisions.as_ref().unwrap();
    assert_eq!((decisions.argmax.unchanged, decisions.order.unchanged), (1, 1), "{decisions:?}");
    assert!(output.widened_by.is_some());
}

#[test]
fn a_planted_error_is_seen_in_the_output_and_in_what_follows_from_it() {
    let trace = traced(&classifier(), &Changed(reversed));
    assert!(error(&trace) > 1e5, "{}", error(&trace));
    let decisions = trace.outputs[0].decisions.as_ref().unwrap();
    assert_eq!((decisions.argmax.changed, decisions.order.changed), (1, 1), "{decisions:?}");
    // What exact arithmetic gives does not depend on the backend.
    let clean = traced(&classifier(), &Builtin);
    assert_eq!(trace.outputs[0].enclosure_width_ulp, clean.outputs[0].enclosure_width_ulp);
}

#[test]
fn an_uncertain_choice_ends_the_enclosure_and_the_output_says_where() {
    let zeros = Tensor::from_vec(vec![1, 3], vec![0.1_f32, 0.2, 0.3]).unwrap();
    let graph = Graph::default()
        .input("x", zeros)
        .initialiser("a", &vector(vec![3.0_f32, 1.5, 1.0]))
        .node("Mul", &["x", "a"], "products", &[])
        // Of 0.1 * 3 and 0.2 * 1.5 and 0.3 exact arithmetic has one largest, and what is divided by 3 is not known exactly.
        .initialiser("three", &vector(vec![3.0_f32]))
        .node("Div", &["products", "three"], "thirds", &[])
        .node("Sub", &["thirds", "thirds"], "zeros", &[])
        .node("ArgMax", &["zeros"], "place", &[int("axis", 1)])
        .node("Cast", &["place"], "y", &[int("to", 1)])
        .output("y", DType::Float32);
    let trace = traced(&graph, &Builtin);
    let output = &trace.outputs[0];
    let ended = output.enclosure_ends.as_ref().unwrap();
    assert_eq!((ended.node.as_deref(), ended.operator.as_deref()), (Some("place"), Some("ArgMax")));
    assert!(ended.why.contains("chooses"), "{}", ended.why);
    assert_eq!((&output.max_error_ulp, &output.enclosure_width_ulp), (&None, &None));
}

#[test]
fn shapes_that_are_computed_stay_certain() {
    let graph = Graph::default()
        .input("x", floats(&[1, 2, 4, 4], 1.0))
        .initialiser("scale", &vector(vec![1.0_f32, 1.0, 1.6, 2.0]))
        .node("Shape", &["x"], "shape", &[])
        .node("Cast", &["shape"], "sizes", &[int("to", 1)])
        .node("Mul", &["sizes", "scale"], "scaled", &[])
        .node("Floor", &["scaled"], "floor", &[])
        .node("Cast", &["floor"], "counts", &[int("to", 7)])
        .node("Expand", &["x", "ones"], "wide", &[])
        .node("Add", &["wide", "x"], "sum", &[])
        .initialiser("ones", &vector(vec![1_i64, 1, 1, 1]))
        .node(
            "Resize",
            &["sum", "", "", "counts"],
            "y",
            &[text("mode", "nearest"), text("coordinate_transformation_mode", "asymmetric")],
        )
        .output("y", DType::Float32);
    let trace = traced(&graph, &Builtin);
    let output = &trace.outputs[0];
    assert_eq!(output.enclosure_ends, None);
    // One addition of numbers that are known, rounded once.
    assert!(error(&trace) <= 0.5);
    assert!(output.enclosure_width_ulp.as_ref().unwrap().parse::<u64>().unwrap() <= 1);
}
