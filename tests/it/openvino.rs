//! Cases whose model is OpenVINO's: from a folder with `model.xml` to a verdict, and what the
//! reader makes of files that are no such model.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytemuck::Pod;
use bytes::Bytes;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Backend, Outcome, Task};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::kernels::{Attribute, Attributes, KernelError, find_in_openvino};
use onnx_conformance::model::Model;
use onnx_conformance::onnx::{ValueType, encode_value};
use onnx_conformance::openvino::{self, MAX_BYTES, Operation, TensorType, write_model};
use onnx_conformance::run::{CaseResult, Options, Profiles, run};
use onnx_conformance::tensor::{Tensor, Value};

const NONE: &[(&str, &str)] = &[("auto_broadcast", "none")];
const TRUNCATE: &[(&str, &str)] = &[("m_pythondiv", "false")];

fn tensor<T: Pod + Send + Sync>(dtype: DType, shape: &[usize], values: &[T]) -> Tensor {
    Tensor::from_values(dtype, shape.to_vec(), values.to_vec()).unwrap()
}

fn type_of(tensor: &Tensor) -> TensorType<'_> {
    TensorType { dtype: tensor.dtype(), shape: tensor.shape() }
}

/// The text of the model that divides tensors like these.
fn xml(attributes: &[(&str, &str)], [a, b, result]: [&Tensor; 3]) -> String {
    write_model(attributes, type_of(a), type_of(b), type_of(result)).unwrap()
}

fn write_case(folder: &Path, model: &str, inputs: &[&Tensor], outputs: &[&Tensor]) {
    let set = folder.join("test_data_set_0");
    fs::create_dir_all(&set).unwrap();
    fs::write(folder.join("model.xml"), model).unwrap();
    for (port, tensors) in [("input", inputs), ("output", outputs)] {
        for (k, tensor) in tensors.iter().enumerate() {
            let value = Value::Tensor((*tensor).clone());
            fs::write(set.join(format!("{port}_{k}.pb")), encode_value(port, &value)).unwrap();
        }
    }
}

/// The result of a case of this model and these values on the built-in backend.
fn result_of(model: &str, inputs: &[&Tensor], outputs: &[&Tensor]) -> CaseResult {
    let folder = tempfile::tempdir().unwrap();
    write_case(&folder.path().join("divide/case"), model, inputs, outputs);
    let corpus = Corpus::open_dir(folder.path()).unwrap();
    let options = Options {
        profiles: Profiles::all(Profile::named("ieee754").unwrap()),
        selection: Selection::default(),
        catalogue: Some(Arc::new(Catalogue::embedded().unwrap())),
        expectations: Arc::default(),
        challenge: None,
        jobs: 1.try_into().unwrap(),
        timeout: Duration::from_secs(60),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let backend: Arc<dyn Backend> = Arc::new(Builtin);
    let mut run = run(&[(Suite::OpenVino, corpus)], &backend, &options, &mut |_| ()).unwrap();
    run.cases.remove(0)
}

fn verdict_of(attributes: &[(&str, &str)], [a, b, c]: [&Tensor; 3]) -> (Verdict, String) {
    let result = result_of(&xml(attributes, [a, b, c]), &[a, b], &[c]);
    (result.verdict, result.message.unwrap_or_default())
}

fn passes(attributes: &[(&str, &str)], tensors: [&Tensor; 3]) {
    assert_eq!(verdict_of(attributes, tensors), (Verdict::Pass, String::new()), "{attributes:?}");
}

fn floats(shape: &[usize], value: impl Fn(usize) -> f32) -> Tensor {
    let values: Vec<f32> = (0..shape.iter().product()).map(value).collect();
    tensor(DType::Float32, shape, &values)
}

#[test]
fn the_documents_example_without_broadcasting_conforms() {
    let shape = [256, 56];
    let a = floats(&shape, |i| i as f32 - 5000.0);
    let b = floats(&shape, |i| (i % 17) as f32 + 0.5);
    let c = floats(&shape, |i| (i as f32 - 5000.0) / ((i % 17) as f32 + 0.5));
    passes(&[("auto_broadcast", "none"), ("m_pythondiv", "true")], [&a, &b, &c]);
}

#[test]
fn the_documents_example_of_broadcasting_conforms() {
    let at = |i: usize| [i / 210, i / 30 % 7, i / 5 % 6, i % 5];
    let a = floats(&[8, 1, 6, 1], |i| i as f32 - 20.0);
    let b = floats(&[7, 1, 5], |i| i as f32 + 1.0);
    let c = floats(&[8, 7, 6, 5], |i| {
        let [n, c, h, w] = at(i);
        ((n * 6 + h) as f32 - 20.0) / ((c * 5 + w) as f32 + 1.0)
    });
    let attributes = [("auto_broadcast", "numpy"), ("m_pythondiv", "false")];
    passes(&attributes, [&a, &b, &c]);
    let wrong = floats(&[8, 7, 6, 5], |i| if i == 1000 { 0.0 } else { 1.0 });
    assert_eq!(verdict_of(&attributes, [&a, &b, &wrong]).0, Verdict::Fail);
}

#[test]
fn reports_name_the_operator_and_its_operator_set() {
    let one = floats(&[2], |_| 1.0);
    let wrong = floats(&[2], |i| i as f32);
    let result = result_of(&xml(&[], [&one, &one, &wrong]), &[&one, &one], &[&wrong]);
    assert_eq!(result.operator, "Divide");
    assert_eq!((result.opset, result.types), (1, vec!["float32".to_owned()]));
    assert_eq!(result.outputs[0].name, "o");
    let worst = &result.outputs[0].worst[0];
    assert_eq!(worst.index, [0]);
    assert_eq!(worst.inputs, ["1 (0x3f800000)", "1 (0x3f800000)"]);
}

/// The exact quotient, rounded down or towards zero.
fn exact(a: i128, b: i128, floor: bool) -> i128 {
    let truncated = a / b;
    if floor && a % b != 0 && (a < 0) != (b < 0) { truncated - 1 } else { truncated }
}

#[test]
fn integer_quotients_of_every_sign_pattern_are_exact_for_every_type() {
    macro_rules! check {
        ($($type:ty, $dtype:ident;)*) => {$(
            let near = [<$type>::MIN, <$type>::MIN + 1, <$type>::MAX - 1, <$type>::MAX];
            let small = (0..=9).flat_map(|x: $type| [x, (0 as $type).wrapping_sub(x)]);
            let mut values: Vec<$type> = near.into_iter().chain(small).collect();
            values.sort_unstable();
            values.dedup();
            let pairs = values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b)));
            let (a, b): (Vec<$type>, Vec<$type>) =
                pairs.filter(|(a, b)| a.checked_div(*b).is_some()).unzip();
            for (attributes, floor) in
                [(&[][..], true), (&[("m_pythondiv", "true")], true), (TRUNCATE, false)]
            {
                let quotient =
                    |(a, b): (&$type, &$type)| exact(i128::from(*a), i128::from(*b), floor);
                let c: Vec<$type> = a
                    .iter()
                    .zip(&b)
                    .map(quotient)
                    .map(|c| c.try_into().unwrap())
                    .collect();
                let make = |values: &[$type]| tensor(DType::$dtype, &[values.len()], values);
                passes(attributes, [&make(&a), &make(&b), &make(&c)]);
            }
        )*};
    }
    check! {
        i8, Int8; i16, Int16; i32, Int32; i64, Int64;
        u8, Uint8; u16, Uint16; u32, Uint32; u64, Uint64;
    }
}

#[test]
fn flooring_and_truncation_differ_where_the_signs_do() {
    let make = |values: &[i32]| tensor(DType::Int32, &[4], values);
    let (a, b) = (make(&[7, -7, 7, -7]), make(&[2, 2, -2, -2]));
    let (floored, truncated) = (make(&[3, -4, -4, 3]), make(&[3, -3, -3, 3]));
    passes(&[], [&a, &b, &floored]);
    passes(TRUNCATE, [&a, &b, &truncated]);
    assert_eq!(verdict_of(&[], [&a, &b, &truncated]).0, Verdict::Fail);
    assert_eq!(verdict_of(TRUNCATE, [&a, &b, &floored]).0, Verdict::Fail);
}

#[test]
fn floats_are_divided_alike_for_either_kind_of_integer_division() {
    let a = floats(&[4], |i| [-7.0, 7.0, 1.0, 0.0][i]);
    let b = floats(&[4], |i| [2.0, -2.0, -0.0, -3.0][i]);
    let c = floats(&[4], |i| [-3.5, -3.5, f32::NEG_INFINITY, -0.0][i]);
    for attributes in [&[][..], TRUNCATE] {
        passes(attributes, [&a, &b, &c]);
    }
}

#[test]
fn an_integer_without_a_quotient_is_refused_by_name_of_the_element() {
    let make = |values: &[i16]| tensor(DType::Int16, &[1, 2], values);
    for attributes in [&[][..], TRUNCATE] {
        for (b, message) in [
            ([3, 0], "element [0, 1]: -32768 / 0 has no int16 value"),
            ([3, -1], "element [0, 1]: -32768 / -1 exceeds every int16 value"),
        ] {
            let (a, b) = (make(&[9, i16::MIN]), make(&b));
            let (verdict, actual) = verdict_of(attributes, [&a, &b, &a]);
            assert_eq!(verdict, Verdict::Fail);
            assert_eq!(actual, format!("refused on run (error): {message}"));
        }
    }
}

#[test]
fn without_broadcasting_shapes_must_be_equal() {
    let (a, b) = (floats(&[2, 3], |_| 1.0), floats(&[3], |_| 1.0));
    passes(&[], [&a, &b, &a]);
    passes(NONE, [&a, &a, &a]);
    let (verdict, message) = verdict_of(NONE, [&a, &b, &a]);
    // The case makes a call that the operator excludes.
    assert_eq!(verdict, Verdict::OutOfDomain);
    assert_eq!(
        message,
        "refused on run (invalid): Divide-1 cannot take shapes [2, 3] and [3]: without \
         broadcasting they must be equal"
    );
}

#[test]
fn scalars_and_empty_tensors_are_read_and_divided() {
    let (scalar, empty) = (floats(&[], |_| 1.0), floats(&[0, 3], |_| 1.0));
    passes(NONE, [&scalar, &scalar, &scalar]);
    let file = Bytes::from(xml(&[], [&empty, &scalar, &empty]));
    let model = Model::OpenVino(openvino::Model::read("x", &file).unwrap());
    let inputs = [empty.clone().into(), scalar.into()];
    let task = Task {
        model: &model,
        file: &file,
        inputs: &inputs,
        suite: Suite::OpenVino,
        time: Duration::MAX,
        output_limit: 0,
    };
    assert_eq!(Builtin.run(&task).outcome, Outcome::Outputs(vec![empty.into()]));
}

#[test]
fn attributes_outside_their_range_are_refused() {
    let one = floats(&[], |_| 1.0);
    for (name, value, message) in [
        ("m_pythondiv", "1", "attribute `m_pythondiv` of Divide-1 must be `true` or `false`"),
        (
            "auto_broadcast",
            "pdpd",
            "attribute `auto_broadcast` of Divide-1 must be `none` or `numpy`",
        ),
        ("axis", "0", "Divide-1 has no attribute `axis`"),
    ] {
        let (verdict, actual) = verdict_of(&[(name, value)], [&one, &one, &one]);
        // The case makes a call that the operator excludes.
        assert_eq!(verdict, Verdict::OutOfDomain);
        assert_eq!(actual, format!("refused on run (invalid): {message}"));
    }
}

#[test]
fn divide_1_is_defined_for_the_numeric_types_of_openvino_alone() {
    let divide = find_in_openvino("Divide", 1).unwrap();
    assert_eq!((divide.to_string().as_str(), divide.types().len()), ("Divide-1", 12));
    assert_eq!(find_in_openvino("Divide", 13), Some(divide));
    assert_eq!(find_in_openvino("Divide", 0), None);
    assert_eq!(find_in_openvino("Div", 1), None);
    let yes = Tensor::from_bits(DType::Bool, vec![], vec![1].into()).unwrap();
    let error = divide.run(&[Some(&yes), Some(&yes)], &Attributes::new()).unwrap_err();
    assert!(matches!(error, KernelError::Type { .. }), "{error}");
    let number = Attributes::from([("m_pythondiv".to_owned(), Attribute::Int(1))]);
    let one = floats(&[], |_| 1.0);
    let error = divide.run(&[Some(&one), Some(&one)], &number).unwrap_err();
    assert!(matches!(error, KernelError::BadAttribute { .. }), "{error}");
}

#[test]
fn operands_of_two_types_are_refused() {
    let (a, b) = (floats(&[1], |_| 1.0), tensor(DType::Float64, &[1], &[1.0_f64]));
    let model = xml(&[], [&a, &b, &a]);
    let result = result_of(&model, &[&a, &b], &[&a]);
    assert_eq!(
        result.message.unwrap(),
        "refused on run (invalid): Divide-1 takes operands of one type, but they are float32 and \
         float64"
    );
}

#[test]
fn values_other_than_the_model_declares_are_refused() {
    let (two, three) = (floats(&[2], |_| 1.0), floats(&[3], |_| 1.0));
    let model = xml(&[], [&two, &two, &two]);
    let message = |inputs: &[&Tensor]| result_of(&model, inputs, &[&two]).message.unwrap();
    assert_eq!(
        message(&[&two, &three]),
        "refused on load (invalid): input `b` has shape [3], but should have [2]"
    );
    assert_eq!(
        message(&[&two]),
        "refused on load (invalid): 1 inputs were given, but the model has 2"
    );
    let int = tensor(DType::Int32, &[2], &[1, 1]);
    let result = result_of(&model, &[&two, &int], &[&two]);
    assert_eq!(result.verdict, Verdict::Fault);
}

#[test]
fn a_case_with_two_models_is_a_fault() {
    let one = floats(&[1], |_| 1.0);
    let files = |names: &[&str]| -> BTreeMap<String, bytes::Bytes> {
        let text = xml(&[], [&one, &one, &one]);
        names.iter().map(|name| ((*name).to_owned(), text.clone().into())).collect()
    };
    let decode = |names: &[&str]| {
        let case = onnx_conformance::corpus::case::Case::decode("x", &files(names));
        case.unwrap_err().to_string()
    };
    assert_eq!(
        decode(&["model.onnx", "model.xml"]),
        "the case has both model.onnx and model.xml; remove one"
    );
    assert_eq!(decode(&["net.xml"]), "the case has neither model.onnx nor model.xml");
}

/// The model of the tests below, with one text in it replaced by another.
fn edited(from: &str, to: &str) -> String {
    let one = floats(&[2], |_| 1.0);
    let text = xml(&[], [&one, &one, &one]);
    assert!(text.contains(from), "{from} is not in\n{text}");
    text.replacen(from, to, 1)
}

#[test]
fn other_layers_make_a_model_unsupported_and_are_named() {
    let one = floats(&[2], |_| 1.0);
    let verdict = |from: &str, to: &str| {
        let result = result_of(&edited(from, to), &[&one, &one], &[&one]);
        (result.verdict, result.message.unwrap_or_default())
    };
    let unsupported = |layer: &str| (Verdict::Unsupported, format!("no kernel for layer {layer}"));
    assert_eq!(
        verdict(r#"type="Divide""#, r#"type="FloorMod""#),
        unsupported("`divide` (FloorMod, opset 1)")
    );
    assert_eq!(
        verdict(r#"type="Divide" version="opset1""#, r#"type="Divide" version="extension""#),
        unsupported("`divide` (Divide, of no known opset)")
    );
    assert_eq!(
        verdict(r#"shape="2""#, r#"shape="?""#),
        unsupported("`a` (Parameter without a fixed shape)")
    );
    assert_eq!(
        verdict(r#"element_type="f32""#, r#"element_type="nf4""#),
        unsupported("`a` (Parameter of an unknown element type)")
    );
}

fn read(text: impl AsRef<[u8]>) -> Result<openvino::Model, String> {
    openvino::Model::read("c/model.xml", text.as_ref()).map_err(|error| error.to_string())
}

/// What is wrong with a text, which must be told with the file's name.
fn complaint(text: impl AsRef<[u8]>) -> String {
    let error = read(text).unwrap_err();
    error.strip_prefix("failed to read c/model.xml: ").expect(&error).to_owned()
}

#[test]
fn a_written_model_reads_back() {
    for dtype in DType::ALL {
        let tensor = |shape| TensorType { dtype, shape };
        let attributes = [("auto_broadcast", "<&\"'>")];
        let text = write_model(&attributes, tensor(&[2, 1]), tensor(&[3]), tensor(&[2, 3]));
        let Some(text) = text else { continue };
        let model = read(&text).unwrap();
        let names = |ports: &[onnx_conformance::onnx::Port]| -> Vec<_> {
            let typed = |port: &onnx_conformance::onnx::Port| {
                (port.name.clone(), port.value_type == ValueType::Tensor(Some(dtype)))
            };
            ports.iter().map(typed).collect()
        };
        assert_eq!(names(model.inputs()), [("a".to_owned(), true), ("b".to_owned(), true)]);
        assert_eq!(names(model.outputs()), [("o".to_owned(), true)]);
        let parameter = |shape: &[usize]| Operation::Parameter {
            dtype: Some(dtype),
            shape: Some(shape.to_vec()),
        };
        assert_eq!(model.layers()[0].operation, parameter(&[2, 1]));
        assert_eq!(model.layers()[1].operation, parameter(&[3]));
        let Operation::Operator { op_type, opset, attributes } = &model.layers()[2].operation
        else {
            panic!("the third layer computes nothing")
        };
        assert_eq!((op_type.as_str(), *opset), ("Divide", Some(1)));
        assert_eq!(attributes["auto_broadcast"], "<&\"'>");
        assert_eq!(model.layers()[2].operands, [0, 1]);
    }
}

#[test]
fn edges_join_ports_and_layers_may_come_in_any_order() {
    let swapped = edited(r#"to-layer="2" to-port="0""#, r#"to-layer="2" to-port="9""#)
        .replacen(r#"to-layer="2" to-port="1""#, r#"to-layer="2" to-port="0""#, 1)
        .replacen(r#"to-layer="2" to-port="9""#, r#"to-layer="2" to-port="1""#, 1);
    assert_eq!(read(swapped).unwrap().layers()[2].operands, [1, 0]);
    let text = edited("", "");
    let (head, rest) = text.split_once("\t\t<layer id=\"1\"").unwrap();
    let (second, rest) = rest.split_once("\t\t<layer id=\"2\"").unwrap();
    let moved = format!("{head}\t\t<layer id=\"2\"{rest}").replacen(
        "\t</layers>",
        &format!("\t\t<layer id=\"1\"{second}\t</layers>"),
        1,
    );
    let model = read(moved).unwrap();
    assert_eq!(model.order(), [0, 3, 1, 2]);
    let names: Vec<_> = model.inputs().iter().map(|port| port.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn every_truncated_model_is_an_error() {
    let text = edited("", "");
    for end in 0..text.trim_end().len() {
        assert!(read(&text[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn what_a_model_lacks_is_named_with_its_place() {
    for (from, to, expected) in [
        ("<net", "<model", "not well-formed XML"),
        (" id=\"0\" name=\"a\"", "", "the <layer> at 4:3 lacks the attribute `id`"),
        ("type=\"Parameter\"", "", "the <layer> at 4:3 lacks the attribute `type`"),
        ("shape=\"2\"", "", "the <data> at 5:4 lacks the attribute `shape`"),
        ("element_type=\"f32\"", "", "the <data> at 5:4 lacks the attribute `element_type`"),
        ("<data shape=\"2\" element_type=\"f32\"/>", "", "the <layer> at 4:3 lacks <data>"),
        ("shape=\"2\"", "shape=\"2,x\"", "layer `a`: `x` is no dimension"),
        ("shape=\"2\"", "shape=\"99999999999999999999\"", "is no dimension"),
        ("type=\"Divide\" version=\"opset1\"", "type=\"Divide\"", "lacks the attribute `version`"),
        ("<port id=\"0\"", "<port", "lacks the attribute `id`"),
        ("from-port=\"0\"", "", "lacks the attribute `from-port`"),
        ("from-port=\"0\"", "from-port=\"7\"", "has no output port 7 of layer 0 to join"),
        ("to-layer=\"2\"", "to-layer=\"8\"", "has no input port 0 of layer 8 to join"),
        ("to-port=\"1\"", "to-port=\"0\"", "two edges lead to the input port 0 of layer `divide`"),
        (
            "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>",
            "",
            "no edge leads to the input port 1 of layer `divide`",
        ),
        ("<layer id=\"1\"", "<layer id=\"0\"", "two layers have the id 0"),
        ("<port id=\"1\"", "<port id=\"0\"", "two ports of layer `divide` have the id 0"),
        ("type=\"Parameter\"", "type=\"Result\"", "layer `a` is a Result with 0 inputs and 1 outp"),
        ("<net ", "<net xmlns=\"urn:x\" ", "XML namespaces are not part of"),
    ] {
        let complaint = complaint(edited(from, to));
        assert!(complaint.contains(expected), "{from} -> {to}: {complaint}");
    }
    assert_eq!(complaint("<n/>"), "the root element is <n>, not <net>; is it an OpenVINO model?");
    assert_eq!(complaint("<net/>"), "the <net> at 1:1 lacks <layers>");
    assert_eq!(complaint("<net><layers/></net>"), "the <net> at 1:1 lacks <edges>");
    assert_eq!(complaint(b"<net \xff/>"), "not UTF-8; save it as UTF-8");
    assert!(complaint("").contains("not well-formed XML"));
}

#[test]
fn a_cycle_of_edges_is_an_error() {
    let own = edited(r#"from-layer="1" from-port="0""#, r#"from-layer="2" from-port="2""#);
    assert_eq!(complaint(own), "layer `divide` reads a value that is computed from its own");
}

#[test]
fn entities_are_refused_and_never_expanded() {
    let mut laughs = String::from("<?xml version=\"1.0\"?><!DOCTYPE net [<!ENTITY l0 \"ha\">");
    for k in 1..20 {
        let inner = format!("&l{};", k - 1).repeat(10);
        write!(laughs, "<!ENTITY l{k} \"{inner}\">").unwrap();
    }
    laughs += "]><net>&l19;</net>";
    assert!(complaint(laughs).contains("XML with DTD detected"));
    let outside = "<!DOCTYPE net [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><net>&x;</net>";
    assert!(complaint(outside).contains("XML with DTD detected"));
    assert!(complaint("<net>&l19;</net>").contains("unknown entity"));
}

#[test]
fn files_that_would_take_long_are_refused_or_read_in_time() {
    assert!(complaint(" ".repeat(MAX_BYTES + 1)).starts_with("more than 8388608 bytes"));
    let attributes: String = (0..600).fold(String::new(), |mut text, k| {
        write!(text, " a{k}=''").unwrap();
        text
    });
    assert!(complaint(format!("<net{attributes}/>")).starts_with("more than 512 attributes"));
    let depth = 50_000;
    let deep = format!("<net>{}{}</net>", "<a>".repeat(depth), "</a>".repeat(depth));
    assert_eq!(complaint(deep), "the <net> at 1:1 lacks <layers>");
    assert!(complaint("<a>".repeat(depth)).contains("not well-formed XML"));
    let many = format!("<net>{}</net>", "<a/>".repeat(1 << 20));
    assert!(complaint(many).contains("more than 64 MB of memory and twice its size"));
}
