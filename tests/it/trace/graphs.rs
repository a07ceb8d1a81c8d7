//! Graphs that are not a plain chain of known operators: groups that are fused, graphs within nodes, functions, unknown
//! operators, backends that fail.

use onnx_conformance::backend::{Outcome, Refusal};
use onnx_conformance::models::file::FileError;
use onnx_conformance::onnx::proto::FunctionProto;

use super::*;

/// `y = relu(x * w + b)`, and a product beside it.
fn affine() -> Graph {
    Graph::default()
        .input("x", floats(&[8], 3.0))
        .initialiser("w", &floats(&[8], 0.7))
        .initialiser("b", &floats(&[8], 0.01))
        .node("Mul", &["x", "w"], "product", &[])
        .node("Add", &["product", "b"], "sum", &[])
        .node("Relu", &["sum"], "relu", &[])
        .node("Mul", &["x", "x"], "square", &[])
        .node("Add", &["square", "relu"], "y", &[])
        .output("y", DType::Float32)
}

/// Computes a product and a sum of it as one operation with one rounding.
fn fused(nodes: Vec<NodeProto>) -> Vec<NodeProto> {
    let mut all: Vec<NodeProto> = Vec::new();
    for node in nodes {
        let product = node.input.first().cloned().unwrap_or_default();
        let is_fused = node.op_type() == "Add" && node.output == ["sum"];
        let before =
            all.iter().position(|it| it.op_type() == "Mul" && it.output == [product.clone()]);
        let Some(at) = before.filter(|_| is_fused) else {
            all.push(node);
            continue;
        };
        let factors = all.remove(at).input;
        let wide = |name: &str, of: &str| super::node("Cast", &[of], &[name], &[int("to", 11)]);
        all.push(wide("wide_x", &factors[0]));
        all.push(wide("wide_w", &factors[1]));
        all.push(wide("wide_b", &node.input[1]));
        all.push(super::node("Mul", &["wide_x", "wide_w"], &["wide_product"], &[]));
        all.push(super::node("Add", &["wide_product", "wide_b"], &["wide_sum"], &[]));
        all.push(super::node("Cast", &["wide_sum"], &[&node.output[0]], &[int("to", 1)]));
    }
    all
}

#[test]
fn the_smallest_group_of_nodes_that_differs_together_is_found() {
    let trace = traced(&affine(), &Changed(fused));
    assert_eq!(trace.first_wrong, None);
    let groups: Vec<_> = trace.fusions.iter().map(|fusion| fusion.nodes.clone()).collect();
    assert_eq!(groups, [["product", "sum"]]);
    assert_eq!(trace.fusions[0].outputs_differ, ["sum"]);
    assert!(trace.fusions[0].max_ulp > Some(0) && trace.fusions_left.is_none());
    // One rounding less is nearer to exact arithmetic, so that each node might have given it.
    assert_eq!(trace.fusions[0].is_within, Some(true));
    // What is fused is not what was judged.
    assert_eq!(trace.outputs[0].verdict.to_string(), "out_of_domain");
    let none = traced_with(&affine(), &Changed(fused), |options| Options { fusions: 0, ..options });
    assert!(none.fusions.is_empty() && none.fusions_left.is_some());
}

#[test]
fn the_graph_that_an_if_takes_is_walked() {
    let branch =
        |op: &str| Graph::default().node(op, &["x"], "inner", &[]).output("inner", DType::Float32);
    let graph = |condition| {
        Graph::default()
            .input("condition", Tensor::from_vec(vec![], vec![condition]).unwrap())
            .input("x", floats(&[4], 2.0))
            .node(
                "If",
                &["condition"],
                "chosen",
                &[body("then_branch", &branch("Exp")), body("else_branch", &branch("Neg"))],
            )
            .node("Relu", &["chosen"], "y", &[])
            .output("y", DType::Float32)
    };
    // The built-in runtime has no If: what it cannot do is said, and nothing is made up.
    for (condition, operator) in [(true, "Exp"), (false, "Neg")] {
        let trace = traced(&graph(condition), &Builtin);
        let known = verdicts(&trace);
        assert_eq!(known["chosen"], "unsupported");
        assert_eq!(known["chosen/inner"], "pass");
        assert_eq!(known["y"], "skipped");
        assert_eq!(trace.nodes[1].operator, operator);
        assert_eq!(trace.nodes[1].within.as_deref(), Some("chosen"));
        assert_eq!(trace.outputs[0].verdict.to_string(), "out_of_domain");
    }
}

#[test]
fn the_first_runs_of_a_loop_and_of_a_scan_are_walked() {
    let looped = Graph::default()
        .input("run", Tensor::from_vec(vec![], vec![0_i64]).unwrap())
        .input("goes_on", Tensor::from_vec(vec![], vec![true]).unwrap())
        .input("state", floats(&[2], 1.0))
        .node("Identity", &["goes_on"], "goes_on_out", &[])
        .node("Add", &["state", "x"], "state_out", &[])
        .output("goes_on_out", DType::Bool)
        .output("state_out", DType::Float32);
    let scanned = Graph::default()
        .input("state", floats(&[2], 1.0))
        .input("row", floats(&[2], 1.0))
        .node("Mul", &["state", "row"], "state_out", &[])
        .output("state_out", DType::Float32);
    let graph = Graph::default()
        .input("x", floats(&[2], 1.0))
        .input("rows", floats(&[5, 2], 1.0))
        .initialiser("two", &Tensor::from_vec(vec![], vec![2_i64]).unwrap())
        .node("Loop", &["two", "", "x"], "loop", &[body("body", &looped)])
        .node("Scan", &["x", "rows"], "scan", &[body("body", &scanned), int("num_scan_inputs", 1)])
        .output("loop", DType::Float32)
        .output("scan", DType::Float32);
    let trace = traced(&graph, &Builtin);
    let names: Vec<&str> = trace.nodes.iter().map(|node| node.node.as_str()).collect();
    assert_eq!(
        names,
        [
            "loop",
            "loop/0/goes_on_out",
            "loop/0/state_out",
            "loop/1/goes_on_out",
            "loop/1/state_out",
            "scan",
            "scan/0/state_out",
            "scan/1/state_out",
            "scan/2/state_out",
        ]
    );
    let inner = trace.nodes.iter().filter(|node| node.within.is_some());
    assert!(inner.clone().all(|node| node.verdict.to_string() == "pass"), "{trace:?}");
}

#[test]
fn what_a_loop_and_a_scan_scan_is_put_together_and_compared() {
    let state = |graph: Graph, op: &str, other: &str| {
        let graph = graph.node(op, &["state", other], "state_out", &[]);
        let graph = graph.node("Identity", &["state_out"], "scan_out", &[]);
        graph.output("state_out", DType::Float32).output("scan_out", DType::Float32)
    };
    let looped = Graph::default()
        .input("run", Tensor::from_vec(vec![], vec![0_i64]).unwrap())
        .input("goes_on", Tensor::from_vec(vec![], vec![true]).unwrap())
        .input("state", floats(&[2], 1.0))
        .node("Identity", &["goes_on"], "goes_on_out", &[])
        .output("goes_on_out", DType::Bool);
    let looped = state(looped, "Add", "x");
    let scanned =
        Graph::default().input("state", floats(&[2], 1.0)).input("row", floats(&[2], 1.0));
    let scanned = state(scanned, "Mul", "row");
    let mut loop_node = node("Loop", &["two", "", "x"], &["sum", "sums"], &[body("body", &looped)]);
    loop_node.name = Some("loop".to_owned());
    let attributes = [body("body", &scanned), int("num_scan_inputs", 1)];
    let mut scan = node("Scan", &["x", "rows"], &["product", "products"], &attributes);
    scan.name = Some("scan".to_owned());
    let graph = Graph::default()
        .input("x", floats(&[2], 1.0))
        .input("rows", floats(&[2, 2], 1.0))
        .initialiser("two", &Tensor::from_vec(vec![], vec![2_i64]).unwrap())
        .add(loop_node)
        .add(scan);
    let graph = ["sum", "sums", "product", "products"]
        .into_iter()
        .fold(graph, |graph, name| graph.output(name, DType::Float32));
    // Both as what they do one after the other; what is scanned may be put together in the wrong order.
    let unrolled = |nodes: Vec<NodeProto>, wrong: bool| -> Vec<NodeProto> {
        let each = |of: NodeProto| {
            let [last, all] = [0, 1].map(|at| of.output[at].clone());
            let rows = ["first", "second"];
            let others = match of.op_type() {
                "Loop" => [of.input[2].clone(), of.input[2].clone()],
                "Scan" => rows.map(str::to_owned),
                _ => return vec![of],
            };
            let x = of.input.iter().find(|name| *name == "x").unwrap().clone();
            let op = if of.op_type() == "Loop" { "Add" } else { "Mul" };
            let mut nodes = Vec::new();
            if op == "Mul" {
                nodes.push(node("Split", &["rows"], &["r0", "r1"], &[int("num_outputs", 2)]));
                for (row, name) in ["r0", "r1"].into_iter().zip(rows) {
                    nodes.push(node(
                        "Flatten",
                        &[row],
                        &[&format!("{name}_flat")],
                        &[int("axis", 0)],
                    ));
                    nodes.push(node("Squeeze", &[&format!("{name}_flat")], &[name], &[]));
                }
            }
            nodes.push(node(op, &[&x, &others[0]], &["after_one"], &[]));
            nodes.push(node(op, &["after_one", &others[1]], &[&last], &[]));
            for name in ["after_one", &last] {
                nodes.push(node("Flatten", &[name], &[&format!("{name}_row")], &[int("axis", 0)]));
            }
            let mut all_rows = ["after_one_row".to_owned(), format!("{last}_row")];
            if wrong {
                all_rows.reverse();
            }
            let all_rows = all_rows.each_ref().map(String::as_str);
            nodes.push(node("Concat", &all_rows, &[&all], &[int("axis", 0)]));
            nodes
        };
        nodes.into_iter().flat_map(each).collect()
    };
    for wrong in [false, true] {
        let trace = traced(&graph, &Changed(|nodes| unrolled(nodes, wrong)));
        for name in ["loop", "scan"] {
            let holder = trace.nodes.iter().find(|node| node.node == name).unwrap();
            assert_eq!(holder.same_as_inner, Some(!wrong), "{name} {wrong}: {holder:?}");
        }
    }
}

#[test]
fn functions_of_the_model_are_expanded_with_their_attributes() {
    let mut of_function = int("axis", 0);
    of_function.ref_attr_name = Some("along".to_owned());
    let function = FunctionProto {
        name: Some("Scaled".to_owned()),
        domain: Some("own".to_owned()),
        input: vec!["a".to_owned()],
        output: vec!["b".to_owned()],
        attribute: vec!["along".to_owned()],
        node: vec![
            node("Softmax", &["a"], &["inner"], &[of_function]),
            node("Neg", &["inner"], &["b"], &[]),
        ],
        opset_import: vec![OperatorSetIdProto { domain: None, version: Some(21) }],
        ..FunctionProto::default()
    };
    let mut call = node("Scaled", &["x"], &["y"], &[int("along", 0)]);
    call.domain = Some("own".to_owned());
    let graph =
        Graph::default().input("x", floats(&[2, 3], 4.0)).add(call).output("y", DType::Float32);
    let model = ModelProto { functions: vec![function], ..graph.model() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    std::fs::write(&path, model.encode_to_vec()).unwrap();
    let file = ModelFile::read(&path).unwrap();
    let walked = onnx_conformance::models::graph::Graph::of(&file.model).unwrap();
    let names: Vec<&str> = walked.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["y/inner", "y/b"]);
    let softmax = &walked.steps[0].node;
    assert_eq!((softmax.attribute[0].name(), softmax.attribute[0].i()), ("axis", 0));
    assert_eq!((softmax.input[0].as_str(), walked.steps[1].node.output[0].as_str()), ("x", "y"));
}

#[test]
fn an_operator_that_nobody_knows_is_unsupported_and_the_others_are_judged() {
    let mut unknown = node("Mystery", &["x"], &["secret"], &[]);
    unknown.domain = Some("com.example".to_owned());
    let mut graph = Graph::default()
        .input("x", floats(&[4], 2.0))
        .add(unknown)
        .node("Relu", &["x"], "relu", &[])
        .node("Add", &["secret", "relu"], "y", &[])
        .output("y", DType::Float32)
        .output("relu", DType::Float32);
    graph.graph.value_info.push(port("secret", DType::Float32, None));
    let trace = traced(&graph, &Builtin);
    let known = verdicts(&trace);
    assert_eq!(
        (&*known["secret"], &*known["relu"], &*known["y"]),
        ("unsupported", "pass", "skipped")
    );
    assert_eq!(trace.nodes[0].operator, "com.example.Mystery");
    let outputs: Vec<_> = trace.outputs.iter().map(|output| output.verdict.to_string()).collect();
    assert_eq!(outputs, ["out_of_domain", "out_of_domain"]);
}

/// Crashes where a model has a Relu, and else is the built-in runtime.
struct Crashing;

impl Backend for Crashing {
    fn identity(&self) -> Identity {
        Identity::new("crashing", "1")
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        match task.model.operators().iter().any(|operator| operator == "Relu") {
            true => Outcome::Crashed { message: "signal 11".to_owned() }.into(),
            false => Builtin.run(task),
        }
    }
}

#[test]
fn behind_a_node_that_crashes_the_walk_goes_on_with_the_values_of_the_reference() {
    let trace = traced(&affine(), &Crashing);
    assert_eq!(trace.first_wrong.as_deref(), Some("relu"));
    let known = verdicts(&trace);
    assert_eq!((&*known["relu"], &*known["y"]), ("crash", "pass"));
    let went_on: Vec<_> =
        trace.nodes.iter().map(|node| format!("{:?}", node.went_on_with)).collect();
    assert_eq!(went_on, ["Backend", "Backend", "Reference", "Backend", "Backend"]);
    assert!(trace.fusions_left.unwrap().contains("gave nothing"));
}

/// Refuses everything.
struct Refusing;

impl Backend for Refusing {
    fn identity(&self) -> Identity {
        Identity::new("refusing", "1")
    }

    fn run(&self, _task: &Task<'_>) -> Answer {
        Outcome::Refused(Refusal::unsupported("nothing is here")).into()
    }
}

#[test]
fn a_backend_that_supports_nothing_is_not_wrong_and_nothing_was_judged() {
    let trace = traced(&affine(), &Refusing);
    assert_eq!((trace.first_wrong.as_deref(), trace.judged()), (None, 0));
    assert!(trace.nodes.iter().all(|node| node.verdict.to_string() == "unsupported"));
}

#[test]
fn of_large_outputs_a_sample_is_judged_and_its_size_is_said() {
    let graph = Graph::default()
        .input("x", floats(&[1000], 2.0))
        .node("Exp", &["x"], "y", &[])
        .output("y", DType::Float32);
    let sample = Sample { extent: Extent::Elements(100), seed: 3 };
    let trace = traced_with(&graph, &Builtin, |options| Options { sample, ..options });
    assert_eq!((trace.nodes[0].judged, trace.nodes[0].elements), (100, 1000));
    assert_eq!(trace.sample.elements, Some(100));
}

#[test]
fn what_is_no_graph_is_refused_with_the_node_that_is_at_fault() {
    let chain = |from: &str, to: &str| {
        Graph::default()
            .input("x", floats(&[2], 1.0))
            .node("Neg", &[from], "a", &[])
            .node("Neg", &["a"], to, &[])
            .output("a", DType::Float32)
    };
    let problem = |graph: &Graph| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.onnx");
        write(&path, graph);
        let file = ModelFile::read(&path).unwrap();
        onnx_conformance::models::graph::Graph::of(&file.model).unwrap_err().to_string()
    };
    assert_eq!(problem(&chain("b", "b")), "the values of node `a` depend on themselves");
    assert_eq!(problem(&chain("c", "b")), "node `a` reads `c`, which nothing computes");
    assert_eq!(problem(&chain("x", "a")), "node `a` computes `a`, which is there already");
    let none = Graph::default().input("x", floats(&[2], 1.0)).output("y", DType::Float32);
    assert_eq!(problem(&none), "no node computes the graph's output `y`");
    // Nodes that are only in another order are sorted.
    let unsorted = Graph::default()
        .input("x", floats(&[2], 1.0))
        .node("Neg", &["a"], "y", &[])
        .node("Exp", &["x"], "a", &[])
        .output("y", DType::Float32);
    let trace = traced_with(&unsorted, &Builtin, |options| options);
    assert_eq!(trace.nodes.iter().map(|node| node.node.as_str()).collect::<Vec<_>>(), ["a", "y"]);
    let missing = ModelFile::read(Path::new("/nowhere/model.onnx")).unwrap_err();
    assert!(matches!(missing, FileError::Read { .. }));
}

#[test]
fn data_beside_the_model_are_read_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let weights = floats(&[8], 0.7);
    std::fs::write(folder.path().join("weights.bin"), weights.bits().unwrap()).unwrap();
    let mut graph = affine();
    let entry = |key: &str, value: &str| onnx_conformance::onnx::proto::StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value.to_owned()),
    };
    let external = TensorProto {
        raw_data: None,
        data_location: Some(1),
        external_data: vec![entry("location", "weights.bin")],
        ..graph.graph.initializer[0].clone()
    };
    graph.graph.initializer[0] = external;
    let path = folder.path().join("model.onnx");
    write(&path, &graph);
    let file = ModelFile::read(&path).unwrap();
    let profile = Profile::named("onnx-exact").unwrap();
    let flag = AtomicBool::new(false);
    let options = Options { fusions: 1, effects: 1, cases: 1, ..options(&profile, &flag) };
    let trace = trace::trace(&file, &graph.inputs, &Builtin, &options, &mut |_| ()).unwrap().trace;
    assert_eq!(trace.nodes.iter().map(|node| node.judged).sum::<u64>(), 40);
    assert_eq!(trace.outputs[0].same_as_nodes, Some(true));
}
