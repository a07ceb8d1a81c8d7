//! `inspect`: what it finds in models that are made here, and what it says of those that it cannot read.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::dtype::DType;
use onnx_conformance::models::cut::tensor_type;
use onnx_conformance::models::inspect::document::{Coverage, Inspection, Topic, Use};
use onnx_conformance::onnx::encode_tensor;
use onnx_conformance::onnx::proto::attribute_proto::AttributeType;
use onnx_conformance::onnx::proto::tensor_proto::DataLocation;
use onnx_conformance::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use onnx_conformance::onnx::proto::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    SparseTensorProto, StringStringEntryProto, TensorProto, TypeProto, ValueInfoProto, type_proto,
};
use onnx_conformance::tensor::Tensor;
use prost::Message;

const FLOAT: DType = DType::Float32;

fn value(name: &str, shape: &[usize]) -> ValueInfoProto {
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(tensor_type(FLOAT, Some(shape))) }
}

/// A node that is named after its first output.
fn node(op: &str, inputs: &[&str], outputs: &[&str], attributes: Vec<AttributeProto>) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    NodeProto {
        name: outputs.first().map(|name| format!("n_{name}")),
        op_type: Some(op.to_owned()),
        input: names(inputs),
        output: names(outputs),
        attribute: attributes,
        ..NodeProto::default()
    }
}

fn attribute(name: &str, kind: AttributeType) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(kind as i32),
        ..AttributeProto::default()
    }
}

fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { i: Some(value), ..attribute(name, AttributeType::Int) }
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { ints: values.to_vec(), ..attribute(name, AttributeType::Ints) }
}

fn text(name: &str, value: &'static str) -> AttributeProto {
    AttributeProto {
        s: Some(value.as_bytes().to_vec().into()),
        ..attribute(name, AttributeType::String)
    }
}

fn held(name: &str, graph: GraphProto) -> AttributeProto {
    AttributeProto { g: Some(graph), ..attribute(name, AttributeType::Graph) }
}

fn model(graph: GraphProto) -> ModelProto {
    let import = |domain: &str, version| OperatorSetIdProto {
        domain: Some(domain.to_owned()),
        version: Some(version),
    };
    ModelProto {
        ir_version: Some(8),
        opset_import: vec![import("", 17), import("own", 1)],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// A graph whose outputs are of unknown type.
fn graph(inputs: Vec<ValueInfoProto>, nodes: Vec<NodeProto>, outputs: &[&str]) -> GraphProto {
    let output = |name: &&str| ValueInfoProto {
        name: Some((*name).to_owned()),
        r#type: Some(tensor_type(FLOAT, None)),
    };
    GraphProto {
        name: Some("graph".to_owned()),
        input: inputs,
        node: nodes,
        output: outputs.iter().map(output).collect(),
        ..GraphProto::default()
    }
}

fn tool(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    command.env("NO_COLOR", "1").current_dir(folder).args(arguments).output().unwrap()
}

/// Inspects a model with these options; what is printed, and the document.
fn inspected(model: &ModelProto, options: &[&str]) -> (String, Inspection) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.onnx"), model.encode_to_vec()).unwrap();
    let output =
        tool(folder.path(), &[&["inspect", "model.onnx", "--out", "out"], options].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let page = fs::read_to_string(folder.path().join("out/inspect.html")).unwrap();
    assert!(page.contains("default-src &#39;none&#39;"), "{page}");
    let document = Inspection::read(&folder.path().join("out")).unwrap();
    (String::from_utf8(output.stdout).unwrap(), document)
}

/// What is printed of a model that cannot be inspected.
fn refused(model: &[u8], options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.onnx"), model).unwrap();
    let output = tool(folder.path(), &[&["inspect", "model.onnx"], options].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    errors
}

fn the_use<'a>(document: &'a Inspection, node: &str) -> &'a Use {
    let is_there = |one: &&Use| one.nodes.iter().any(|name| name == node);
    document.uses.iter().find(is_there).unwrap_or_else(|| panic!("{node} in {document:#?}"))
}

#[test]
fn ten_planted_violations_are_listed_and_no_others() {
    let conv = [
        ints("dilations", &[1, 1]),
        int("group", 1),
        ints("kernel_shape", &[1, 1]),
        ints("pads", &[0; 4]),
        ints("strides", &[1, 1]),
    ];
    let pool = [
        text("auto_pad", "NOTSET"),
        int("ceil_mode", 1),
        ints("dilations", &[1, 1]),
        ints("kernel_shape", &[2, 2]),
        ints("pads", &[0; 4]),
        int("storage_order", 0),
        ints("strides", &[2, 2]),
    ];
    let nodes = vec![
        node("Add", &["x", "row"], &["broadcast"], vec![]),
        node("Conv", &["planes", "w"], &["conv"], conv.to_vec()),
        node("MaxPool", &["planes"], &["pool"], pool.to_vec()),
        node("Gemm", &["x", "x", "square"], &["gemm"], vec![int("transB", 1)]),
        node("Softmax", &["x"], &["softmax"], vec![int("axis", -1)]),
        node("Clip", &["x", "low"], &["clip"], vec![]),
        node("Abs", &["x"], &["dead"], vec![]),
        node("Transpose", &["x"], &["transpose"], vec![]),
        node("Mul", &["x", "sparse"], &["scaled"], vec![]),
        node("Relu", &["x"], &["open"], vec![]),
        // These keep to everything.
        node("Add", &["x", "x"], &["sum"], vec![]),
        node("Softmax", &["x"], &["plain"], vec![int("axis", 1)]),
    ];
    let inputs = vec![
        value("x", &[2, 3]),
        value("row", &[3]),
        value("square", &[2, 2]),
        value("low", &[]),
        value("planes", &[1, 2, 4, 4]),
        value("w", &[1, 2, 1, 1]),
    ];
    let outputs = [
        "broadcast",
        "conv",
        "pool",
        "gemm",
        "softmax",
        "clip",
        "transpose",
        "scaled",
        "open",
        "sum",
        "plain",
    ];
    let mut graph = graph(inputs, nodes, &outputs);
    let is_open = |output: &&mut ValueInfoProto| output.name() == "open";
    let untyped = type_proto::Tensor { elem_type: None, shape: None };
    graph.output.iter_mut().find(is_open).unwrap().r#type =
        Some(TypeProto { value: Some(type_proto::Value::TensorType(untyped)) });
    let values = Tensor::from_vec(vec![1], vec![1.0_f32]).unwrap();
    let indices = Tensor::from_vec(vec![1], vec![0_i64]).unwrap();
    graph.sparse_initializer.push(SparseTensorProto {
        values: Some(encode_tensor("sparse", &values)),
        indices: Some(encode_tensor("", &indices)),
        dims: vec![2, 3],
    });
    let (page, document) = inspected(&model(graph), &[]);
    let found = document.restrictions.iter();
    let found: Vec<_> =
        found.map(|it| (it.tag.as_str(), it.node.as_deref().unwrap_or("-"))).collect();
    assert_eq!(
        found,
        [
            ("E_ADD_FLOAT_CONSTR_A_0010", "n_broadcast"),
            ("GR1", "n_scaled"),
            ("GR2", "-"),
            ("GR4", "n_conv"),
            ("P_CLIP_FLOAT_SIGNATURE_0010", "n_clip"),
            ("P_GEMM_R2", "n_gemm"),
            ("P_GRAPH_R1", "n_dead"),
            ("P_MAXPOOL_R4", "n_pool"),
            ("P_SOFTMAX_R1", "n_softmax"),
            ("P_SONNX_OPERATORS", "n_transpose"),
        ]
    );
    assert!(page.contains("Restrictions of SONNX are broken 10 times:"), "{page}");
    assert!(page.contains("here: it lacks `auto_pad`"), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn a_use_is_covered_exactly_or_by_its_operator_or_not_at_all() {
    let nodes = vec![
        node("Div", &["x", "x"], &["exact"], vec![]),
        node("Softmax", &["x"], &["last"], vec![]),
        node("Softmax", &["x"], &["given"], vec![int("axis", -1)]),
        node("Div", &["deep", "x"], &["operator"], vec![]),
        NodeProto { domain: Some("own".to_owned()), ..node("Fuse", &["x"], &["none"], vec![]) },
        node("Blur", &["x"], &["unknown"], vec![]),
    ];
    let outputs = ["exact", "last", "given", "operator", "none", "unknown"];
    let inputs = vec![value("x", &[2, 3]), value("deep", &[1, 1, 1, 1, 1, 1, 2, 3])];
    let (page, document) = inspected(&model(graph(inputs, nodes, &outputs)), &[]);
    let exact = the_use(&document, "n_exact");
    assert_eq!((exact.coverage, exact.since_version), (Coverage::Exact, Some(14)));
    assert!(exact.cases.iter().any(|id| id == "sonnx/div/float32/rank_2"), "{exact:?}");
    assert_eq!(
        (&exact.element_types, &exact.ranks),
        (&vec!["float32".into(); 2], &vec![Some(2); 2])
    );
    let softmax = the_use(&document, "n_last");
    assert_eq!(softmax.nodes, ["n_last", "n_given"]);
    assert_eq!(softmax.attributes["axis"], "-1");
    let other = the_use(&document, "n_operator");
    assert_eq!((other.coverage, other.cases.len()), (Coverage::Operator, 0));
    assert!(other.operator_cases > 50);
    for (name, topic) in [("n_none", Topic::OtherDomain), ("n_unknown", Topic::UnknownOperator)] {
        assert_eq!(the_use(&document, name).coverage, Coverage::None);
        let is_there = document.remarks.iter().any(|it| it.topic == topic && it.names == [name]);
        assert!(is_there, "{:?}", document.remarks);
    }
    assert!(page.contains("own.Fuse"), "{page}");
}

#[test]
fn shapes_are_inferred_from_constants_and_sizes_that_are_given() {
    let target = Tensor::from_vec(vec![1], vec![-1_i64]).unwrap();
    let nodes = vec![
        node("Shape", &["x"], &["shape"], vec![]),
        node("Gather", &["shape", "first"], &["batch"], vec![]),
        node("Concat", &["batch", "rest"], &["target"], vec![int("axis", 0)]),
        node("Reshape", &["x", "target"], &["flat"], vec![]),
        node("NonZero", &["x"], &["places"], vec![]),
        node("Relu", &["flat"], &["y"], vec![]),
    ];
    let mut open = value("x", &[0, 4, 6]);
    if let Some(type_proto::Value::TensorType(tensor)) =
        open.r#type.as_mut().and_then(|it| it.value.as_mut())
    {
        let symbol = dimension::Value::DimParam("batch".to_owned());
        tensor.shape.as_mut().unwrap().dim[0] = Dimension { value: Some(symbol) };
    }
    let mut graph = graph(vec![open], nodes, &["y", "places"]);
    let first = Tensor::from_vec(vec![1], vec![0_i64]).unwrap();
    graph.initializer = vec![encode_tensor("first", &first), encode_tensor("rest", &target)];
    let model = model(graph);
    let (page, document) = inspected(&model, &[]);
    assert_eq!(the_use(&document, "n_y").shapes, ["[1, 24]"]);
    assert!(page.contains("open sizes taken as batch = 1"), "{page}");
    for options in [["--dim", "batch=5"], ["--shape", "x=5,4,6"]] {
        let (page, document) = inspected(&model, &options);
        assert_eq!(the_use(&document, "n_y").shapes, ["[5, 24]"]);
        assert!(document.sizes.iter().all(|size| size.given) && !page.contains("open sizes"));
    }
    let bytes = model.encode_to_vec();
    let error = refused(&bytes, &["--dim", "time=5"]);
    assert!(error.contains("no dimension of the model is named `time`"), "{error}");
    assert!(error.contains("batch"), "{error}");
    let error = refused(&bytes, &["--shape", "x=5,4,7"]);
    assert!(error.contains("input `x` is [batch, 4, 6]"), "{error}");
    let error = refused(&bytes, &["--shape", "y=1"]);
    assert!(error.contains("its inputs are: x"), "{error}");
}

#[test]
fn graphs_within_nodes_and_functions_are_entered() {
    let branch =
        |op: &str, name: &str| graph(Vec::new(), vec![node(op, &["x"], &[name], vec![])], &[name]);
    let branches =
        vec![held("then_branch", branch("Exp", "e")), held("else_branch", branch("Log", "l"))];
    let call =
        NodeProto { domain: Some("own".to_owned()), ..node("Twice", &["chosen"], &["y"], vec![]) };
    let nodes = vec![node("If", &["condition"], &["chosen"], branches), call];
    let condition = ValueInfoProto {
        name: Some("condition".to_owned()),
        r#type: Some(tensor_type(DType::Bool, Some(&[]))),
    };
    let mut model = model(graph(vec![value("x", &[2]), condition], nodes, &["y"]));
    model.functions.push(FunctionProto {
        name: Some("Twice".to_owned()),
        domain: Some("own".to_owned()),
        input: vec!["a".to_owned()],
        output: vec!["b".to_owned()],
        node: vec![node("Add", &["a", "a"], &["b"], vec![])],
        ..FunctionProto::default()
    });
    let (_, document) = inspected(&model, &[]);
    assert_eq!(the_use(&document, "n_chosen/then_branch/n_e").name(), "Exp-13");
    assert_eq!(the_use(&document, "n_chosen/else_branch/n_l").coverage, Coverage::Exact);
    // The branches agree on what is chosen.
    let add = the_use(&document, "n_y/n_b");
    assert_eq!((add.name(), &*add.shapes), ("Add-14".to_owned(), &["[2] [2]".to_owned()][..]));
    assert_eq!(document.model.nodes, 4);
}

#[test]
fn a_loop_is_entered_with_what_goes_around_and_gives_it_back() {
    let body_nodes = vec![
        node("Identity", &["go"], &["on"], vec![]),
        node("Exp", &["around"], &["next"], vec![]),
        node("Neg", &["next"], &["row"], vec![]),
    ];
    let port = |name: &str| ValueInfoProto { name: Some(name.to_owned()), r#type: None };
    let untyped = |name: &str| ValueInfoProto {
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(type_proto::Tensor::default())),
        }),
        ..port(name)
    };
    let body = GraphProto {
        input: ["at", "go", "around"].map(port).to_vec(),
        output: ["on", "next", "row"].map(untyped).to_vec(),
        node: body_nodes,
        ..GraphProto::default()
    };
    let nodes = vec![
        node("Loop", &["", "", "x"], &["last", "rows"], vec![held("body", body)]),
        node("Relu", &["last"], &["y"], vec![]),
        node("Abs", &["rows"], &["z"], vec![]),
    ];
    let (_, document) =
        inspected(&model(graph(vec![value("x", &[2, 3])], nodes, &["y", "z"])), &[]);
    assert_eq!(the_use(&document, "n_last/body/n_next").shapes, ["[2, 3]"]);
    assert_eq!(the_use(&document, "n_y").shapes, ["[2, 3]"]);
    // How often it goes around is not known, so the rows have no shape.
    let rows = the_use(&document, "n_z");
    assert_eq!((&*rows.element_types, &*rows.ranks), (&["float32".to_owned()][..], &[None][..]));
}

#[test]
fn deprecated_operators_and_versions_from_later_on_are_listed() {
    let nodes = vec![
        node("Scatter", &["x", "i", "x"], &["y"], vec![]),
        node("Relu", &["y"], &["z"], vec![]),
    ];
    let indices = ValueInfoProto {
        name: Some("i".to_owned()),
        r#type: Some(tensor_type(DType::Int64, Some(&[2]))),
    };
    let mut model = model(graph(vec![value("x", &[2]), indices], nodes, &["z"]));
    let remarks = |model: &ModelProto| {
        let of = inspected(model, &[]).1.remarks.into_iter();
        of.map(|remark| (remark.topic, remark.names)).collect::<Vec<_>>()
    };
    let scatter = (Topic::Deprecated, vec!["n_y".to_owned()]);
    assert!(remarks(&model).contains(&scatter), "{:?}", remarks(&model));
    model.opset_import[0].version = Some(1000);
    let later = (Topic::UnknownVersion, vec!["n_z".to_owned()]);
    assert!(remarks(&model).contains(&later), "{:?}", remarks(&model));
}

#[test]
fn dead_nodes_and_unused_values_are_listed() {
    let nodes = vec![
        node("Exp", &["x"], &["e"], vec![]),
        node("Log", &["e"], &["nowhere"], vec![]),
        node("Abs", &["x"], &["y"], vec![]),
    ];
    let mut graph = graph(vec![value("x", &[2]), value("unread", &[2])], nodes, &["y", "x"]);
    let unused = Tensor::from_vec(vec![1], vec![1.0_f32]).unwrap();
    graph.initializer.push(encode_tensor("unused", &unused));
    let (_, document) = inspected(&model(graph), &[]);
    let names = |topic| {
        let of = document.remarks.iter().filter(|remark| remark.topic == topic);
        of.flat_map(|remark| remark.names.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(Topic::DeadNode), ["n_e", "n_nowhere"]);
    assert_eq!(names(Topic::UnusedInput), ["unread"]);
    assert_eq!(names(Topic::UnusedConstant), ["unused"]);
    assert_eq!(names(Topic::UntypedValue), ["e", "nowhere"]);
    let tags: Vec<&str> = document.restrictions.iter().map(|it| it.tag.as_str()).collect();
    assert_eq!(tags, ["P_GRAPH_C1", "P_GRAPH_C2", "P_GRAPH_R1"]);
}

#[test]
fn data_in_other_files_may_be_missing_and_tensors_larger_than_memory() {
    let entry = |key: &str, value: &str| StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value.to_owned()),
    };
    let external = |name: &str, dims: &[i64]| TensorProto {
        name: Some(name.to_owned()),
        data_type: Some(FLOAT.onnx_code()),
        dims: dims.to_vec(),
        data_location: Some(DataLocation::External as i32),
        external_data: vec![entry("location", "weights.bin")],
        ..TensorProto::default()
    };
    let nodes = vec![
        node("MatMul", &["x", "w"], &["product"], vec![]),
        node("Add", &["product", "b"], &["y"], vec![]),
        node("Relu", &["huge"], &["z"], vec![]),
    ];
    let inputs = vec![value("x", &[2, 4096]), value("huge", &[1 << 20, 1 << 20])];
    let mut graph = graph(inputs, nodes, &["y", "z"]);
    graph.initializer = vec![external("w", &[4096, 8]), external("b", &[8])];
    let (_, document) = inspected(&model(graph), &[]);
    assert_eq!(the_use(&document, "n_y").shapes, ["[2, 8] [8]"]);
    let huge = the_use(&document, "n_z");
    assert_eq!((&*huge.element_types, &*huge.ranks), (&["float32".to_owned()][..], &[Some(2)][..]));
    let is_missing = |name: &str| {
        let missing = |topic| topic == Topic::MissingData;
        document.remarks.iter().any(|it| missing(it.topic) && it.names.contains(&name.to_owned()))
    };
    assert!(is_missing("b") && !is_missing("w"), "{:?}", document.remarks);
}

#[test]
fn what_is_no_model_is_refused_with_the_reason() {
    let nodes = vec![node("Exp", &["b"], &["a"], vec![]), node("Log", &["a"], &["b"], vec![])];
    let cycle = model(graph(vec![value("x", &[2])], nodes, &["a"])).encode_to_vec();
    let error = refused(&cycle, &[]);
    assert!(error.contains("depend on themselves") && error.contains("`model.onnx`"), "{error}");
    let error = refused(&cycle[..cycle.len() / 2], &[]);
    assert!(error.contains("`model.onnx` holds no model of ONNX"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let output = tool(folder.path(), &["inspect", "none.onnx"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("is this the path of an ONNX file?"), "{error}");
}

#[test]
fn a_hundred_thousand_nodes_are_inspected_at_once() {
    let names: Vec<String> = (0..=100_000).map(|at| format!("v{at}")).collect();
    let nodes = names.windows(2).map(|pair| node("Relu", &[&pair[0]], &[&pair[1]], vec![]));
    let graph = graph(vec![value("v0", &[2])], nodes.collect(), &["v100000"]);
    let begun = Instant::now();
    let (_, document) = inspected(&model(graph), &[]);
    assert_eq!((document.uses.len(), document.uses[0].nodes.len()), (1, 100_000));
    // A walk in the square of the nodes takes many minutes.
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn cases_of_uncovered_uses_are_made_run_and_found_again() {
    let nodes = vec![
        node("Conv", &["x", "w"], &["c"], vec![ints("pads", &[1; 4])]),
        node("Relu", &["c"], &["r"], vec![]),
        NodeProto { domain: Some("own".to_owned()), ..node("Fuse", &["r"], &["y"], vec![]) },
    ];
    let inputs = vec![value("x", &[1, 48, 20, 30]), value("w", &[96, 48, 3, 3])];
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(inputs, nodes, &["y"]);
    fs::write(folder.path().join("model.onnx"), model(graph).encode_to_vec()).unwrap();
    let run = |arguments: &[&str]| {
        let output = tool(folder.path(), arguments);
        let (page, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{page}{errors}");
        page.into_owned()
    };
    let page = run(&["inspect", "model.onnx", "--make-cases", "cases"]);
    assert!(page.contains("2 cases in cases"), "{page}");
    assert!(page.contains("no case of own.Fuse"), "{page}");
    run(&["run", "--corpus", "cases", "--out", "more"]);
    run(&["inspect", "model.onnx", "--report", "more", "--corpus", "cases", "--out", "first"]);
    run(&["inspect", "model.onnx", "--report", "more", "--corpus", "cases", "--out", "second"]);
    let [first, second] =
        ["first", "second"].map(|out| Inspection::read(&folder.path().join(out)).unwrap());
    for name in ["n_c", "n_r"] {
        let one = the_use(&first, name);
        assert_eq!((one.coverage, one.cases.len()), (Coverage::Exact, 1), "{one:?}");
        assert!(one.cases[0].starts_with("cases/"), "{one:?}");
        assert_eq!(one.results[0].verdicts, [("pass".to_owned(), 1)].into());
    }
    let second = Inspection { provenance: first.provenance.clone(), ..second };
    assert_eq!(first.to_bytes().unwrap(), second.to_bytes().unwrap());
}

#[test]
fn types_that_the_model_states_fill_in_where_nothing_can_be_inferred() {
    let own = NodeProto { domain: Some("own".to_owned()), ..node("Fuse", &["x"], &["f"], vec![]) };
    let nodes =
        vec![own, node("Relu", &["f"], &["y"], vec![]), node("Exp", &["g"], &["z"], vec![])];
    let mut graph = graph(vec![value("x", &[2])], nodes, &["y", "z"]);
    graph.value_info = vec![value("f", &[2, 3])];
    let other =
        NodeProto { domain: Some("own".to_owned()), ..node("Fuse", &["x"], &["g"], vec![]) };
    graph.node.insert(2, other);
    let (_, document) = inspected(&model(graph), &[]);
    assert_eq!(the_use(&document, "n_y").shapes, ["[2, 3]"]);
    let open = the_use(&document, "n_z");
    assert_eq!((&*open.element_types, &*open.ranks), (&["?".to_owned()][..], &[None][..]));
    assert_eq!(open.coverage, Coverage::Operator);
    assert!(open.open.as_ref().unwrap().contains("`g`"), "{open:?}");
}

/// A folder with a model of one Relu on a matrix, and of one square root in float16 of rank 7.
fn with_model() -> tempfile::TempDir {
    let half = ValueInfoProto {
        name: Some("h".to_owned()),
        r#type: Some(tensor_type(DType::Float16, Some(&[1, 1, 1, 1, 1, 1, 2]))),
    };
    let nodes = vec![node("Relu", &["x"], &["y"], vec![]), node("Sqrt", &["h"], &["root"], vec![])];
    let mut graph = graph(vec![value("x", &[2, 2]), half], nodes, &["y", "root"]);
    graph.output[1].r#type = Some(tensor_type(DType::Float16, None));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.onnx"), model(graph).encode_to_vec()).unwrap();
    folder
}

#[test]
fn a_complete_campaign_covers_a_use_whatever_its_rank() {
    let folder = with_model();
    let covered = |options: &[&str]| {
        let inspect = ["inspect", "model.onnx", "--out", "out", "--profile", "exact"];
        let output = tool(folder.path(), &[&inspect, options].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let document = Inspection::read(&folder.path().join("out")).unwrap();
        let root = the_use(&document, "n_root").clone();
        assert_eq!(root.rule.as_deref(), Some("exact"));
        (root.coverage, root.campaigns)
    };
    assert_eq!(covered(&[]), (Coverage::Operator, vec![]));
    let campaign = ["campaign", "--op", "Sqrt", "--type", "float16", "--out", "roots"];
    assert_eq!(tool(folder.path(), &campaign).status.code(), Some(0));
    let (coverage, campaigns) = covered(&["--report", "roots"]);
    assert_eq!((coverage, campaigns.len()), (Coverage::Exact, 1));
    assert_eq!((campaigns[0].executed, campaigns[0].mismatches), (65_536, 0));
}

#[test]
fn a_pack_names_the_model_by_digest_and_its_check_sets_the_uses_against_the_reports() {
    let folder = with_model();
    let run = |code: i32, arguments: &[&str]| {
        let output = tool(folder.path(), arguments);
        let (page, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{page}{errors}");
        page.into_owned()
    };
    run(0, &["run", "--suite", "sonnx", "--filter", "relu/float32/example", "--out", "runs"]);
    let pack = ["evidence", "--report", "runs/report.json", "--out", "pack"];
    run(2, &[&pack[..], &["--model", "model.onnx", "model.onnx"]].concat());
    run(0, &[&pack[..], &["--model", "model.onnx"]].concat());
    let within = |file: &str| folder.path().join("pack").join(file);
    let path = within("models/model.onnx/inspect.json");
    let document = Inspection::read(&path).unwrap();
    let relu = the_use(&document, "n_y");
    assert_eq!(relu.results[0].verdicts, [("pass".to_owned(), 1)].into(), "{relu:?}");
    for file in ["statement.json", "index.html"] {
        let text = fs::read_to_string(within(file)).unwrap();
        assert!(text.contains(&document.model.digest), "{file}: {text}");
    }
    let page = run(0, &["verify", "pack"]);
    assert!(page.contains("that `models/model.onnx/inspect.json` lists"), "{page}");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace(r#""pass": 1"#, r#""pass": 2"#)).unwrap();
    let page = run(4, &["verify", "pack"]);
    assert!(page.contains("models/model.onnx/inspect.json"), "{page}");
}
