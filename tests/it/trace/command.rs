//! The commands: exit codes, files and what is printed.

use onnx_conformance::document::JsonDocument;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::onnx::encode_value;

use super::*;
use crate::cli::{in_folder, stderr, stdout};

fn small() -> Graph {
    Graph::default()
        .input("x", floats(&[2, 3], 2.0))
        .node("Relu", &["x"], "relu", &[])
        .node("Softmax", &["relu"], "y", &[])
        .output("y", DType::Float32)
}

#[test]
fn a_model_is_traced_within_80_columns_and_resumes_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("model.onnx"), &small());
    let arguments = ["trace", "model.onnx", "--input", "x=uniform(-1,1)", "--out", "out"];
    let output = in_folder(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("model.onnx on builtin"), "{text}");
    assert!(text.contains("\nNo node is wrong.\n") && text.contains("nodes    2 pass\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let document = Trace::read(&folder.path().join("out")).unwrap();
    assert_eq!(document.inputs[0].source, "uniform(-1,1)");
    assert!(!folder.path().join("out/trace.checkpoint").exists());
    // The same again is the same, but for when it was.
    let again = [&arguments[..], &["--resume"]].concat();
    assert_eq!(in_folder(folder.path(), &again).status.code(), Some(0));
    let again = Trace::read(&folder.path().join("out")).unwrap();
    assert_eq!(again.digest, document.digest);
}

#[test]
fn what_was_judged_before_an_interruption_is_not_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("trace.checkpoint");
    let stop = AtomicBool::new(true);
    let with = |interrupted, resume| {
        let file = folder.path().join("model.onnx");
        write(&file, &small());
        let file = ModelFile::read(&file).unwrap();
        let profile = Profile::named("onnx-exact").unwrap();
        let checkpoint = Some(checkpoint.as_path());
        let options = Options { checkpoint, resume, ..options(&profile, interrupted) };
        trace::trace(&file, &small().inputs, &Builtin, &options, &mut |_| ())
    };
    let error = with(&stop, false).unwrap_err().to_string();
    assert!(error.contains("interrupted after 0 nodes"), "{error}");
    stop.store(false, std::sync::atomic::Ordering::Relaxed);
    let whole = with(&stop, false).unwrap().trace;
    // A judgement that the file has is taken as it is.
    let kept = std::fs::read_to_string(&checkpoint);
    assert!(kept.is_err(), "the file goes with the trace");
    let line = |verdict: &str, from: &str| from.replacen("\"pass\"", verdict, 1);
    stop.store(false, std::sync::atomic::Ordering::Relaxed);
    let interrupt_later = AtomicBool::new(false);
    let mut seen = 0;
    let file = ModelFile::read(&folder.path().join("model.onnx")).unwrap();
    let profile = Profile::named("onnx-exact").unwrap();
    let options = Options { checkpoint: Some(&checkpoint), ..options(&profile, &interrupt_later) };
    let interrupted = trace::trace(&file, &small().inputs, &Builtin, &options, &mut |event| {
        if let trace::Event::Node { .. } = event {
            seen += 1;
            interrupt_later.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert!(interrupted.is_err() && seen == 1);
    let kept = std::fs::read_to_string(&checkpoint).unwrap();
    std::fs::write(&checkpoint, line("\"out_of_domain\"", &kept)).unwrap();
    let resumed = with(&stop, true).unwrap().trace;
    assert_eq!(resumed.nodes[0].verdict.to_string(), "out_of_domain");
    assert_eq!(resumed.nodes[1..], whole.nodes[1..]);
}

#[test]
fn outputs_that_were_dumped_are_judged_node_by_node_as_far_as_they_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let graph = small();
    write(&folder.path().join("model.onnx"), &graph);
    let traced = |dumped: &[(&str, Tensor)], code: i32| {
        for name in ["in", "out", "report"] {
            let _ = std::fs::remove_dir_all(folder.path().join(name));
        }
        std::fs::create_dir(folder.path().join("in")).unwrap();
        std::fs::create_dir(folder.path().join("out")).unwrap();
        let x = encode_value("x", &graph.inputs[0].value);
        std::fs::write(folder.path().join("in/input_0.pb"), x).unwrap();
        for (name, tensor) in dumped {
            let bytes = encode_value(name, &tensor.clone().into());
            std::fs::write(folder.path().join(format!("out/{name}.pb")), bytes).unwrap();
        }
        let arguments =
            ["judge", "model.onnx", "--inputs", "in", "--outputs", "out", "--out", "report"];
        let output = in_folder(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(code), "{}{}", stdout(&output), stderr(&output));
        (code != 2).then(|| Trace::read(&folder.path().join("report")).unwrap())
    };
    let x = match &graph.inputs[0].value {
        Value::Tensor(tensor) => tensor.as_slice::<f32>().unwrap().into_owned(),
        _ => panic!("a tensor"),
    };
    let shaped = |values: Vec<f32>| Tensor::from_vec(vec![2, 3], values).unwrap();
    let relu = shaped(x.iter().map(|x| x.max(0.0)).collect());
    let trace = traced(&[("relu", relu.clone())], 0).unwrap();
    assert_eq!(verdicts(&trace)["relu"], "pass");
    assert_eq!(verdicts(&trace)["y"], "unsupported");
    let third = shaped(vec![1.0 / 3.0; 6]);
    let trace = traced(&[("relu", relu), ("y", third)], 1).unwrap();
    assert_eq!(trace.first_wrong.as_deref(), Some("y"));
    // Without what it reads a node is not judged.
    let trace = traced(&[("output_0", shaped(vec![0.5; 6]))], 3).unwrap();
    assert_eq!(trace.judged(), 0);
    assert!(traced(&[], 2).is_none());
}

#[test]
fn nodes_that_are_known_to_be_wrong_do_not_fail_a_trace_and_are_accepted_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("model.onnx"), &small());
    let dying = "read -r line\necho '{\"backend\":{\"name\":\"dying\",\"version\":\"1\"}}'\nread -r line\nexit 1";
    std::fs::write(folder.path().join("dying.sh"), dying).unwrap();
    let traced = |more: &[&str]| {
        let arguments = ["trace", "model.onnx", "--adapter", "sh dying.sh", "--out", "out"];
        let output = in_folder(folder.path(), &[&arguments[..], more].concat());
        (output.status.code(), stdout(&output).to_string())
    };
    let list = ["--expectations", "known.toml"];
    assert_eq!(traced(&[]).0, Some(1));
    // There is no list to begin with.
    assert_eq!(traced(&list).0, Some(2));
    let (code, text) = traced(&[&list[..], &["--accept", "it dies"]].concat());
    // Nothing is left that is wrong, and nothing was judged.
    assert_eq!(code, Some(3));
    assert!(text.contains("The first wrong node is `relu` (Relu-14): crash."), "{text}");
    assert!(text.ends_with("accepted 2, in known.toml\n"), "{text}");
    let written = std::fs::read_to_string(folder.path().join("known.toml")).unwrap();
    let first = "[[known]]\ncases = \"model/relu\"\nverdict = \"crash\"\nreason = \"it dies\"\n";
    assert!(written.contains(first) && written.matches("[[known]]").count() == 2, "{written}");
    let (code, text) = traced(&list);
    assert_eq!(code, Some(3));
    assert!(text.contains("No node is wrong but those that are known to be.\n"), "{text}");
    assert!(text.contains("1 of 1 Relu-14, known\n") && text.contains("known: it dies"), "{text}");
    let document = Trace::read(&folder.path().join("out")).unwrap();
    assert_eq!((document.first_wrong, document.summary[&Verdict::Crash]), (None, 2));
    assert_eq!(document.expectations_list.unwrap().name, "known.toml");
    // Nothing is accepted twice, and what stands in the list stays.
    assert_eq!(traced(&[&list[..], &["--accept", "again"]].concat()).0, Some(3));
    assert_eq!(std::fs::read_to_string(folder.path().join("known.toml")).unwrap(), written);
    // Another verdict than the known one fails, and so does a node that the list lacks.
    for (from, to) in [("\"crash\"", "\"fail\""), ("model/y", "other/y")] {
        std::fs::write(folder.path().join("known.toml"), written.replacen(from, to, 1)).unwrap();
        assert_eq!(traced(&list).0, Some(1), "{from}");
    }
    // What passes in spite of the list is said.
    std::fs::write(folder.path().join("known.toml"), &written).unwrap();
    let arguments = ["trace", "model.onnx", "--out", "out", "--expectations", "known.toml"];
    let output = in_folder(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("passes   relu and 1 more, unlike in the list\n"));
}

#[test]
fn what_is_wrong_with_the_arguments_is_said_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("model.onnx"), &small());
    std::fs::write(folder.path().join("cut.onnx"), b"\x08\x0a\x3a\xff\x01").unwrap();
    std::fs::write(folder.path().join("model.xml"), b"<net/>").unwrap();
    for (arguments, words) in [
        (&["trace", "nowhere.onnx"][..], "is this the path of an ONNX file?"),
        (&["trace", "cut.onnx"], "is the file truncated?"),
        (&["trace", "model.xml"], "is a model of OpenVINO; give one of ONNX"),
        (&["trace", "model.onnx", "--input", "z=normal(0,1)"], "its inputs are `x`"),
        (&["trace", "model.onnx", "--input", "x=normal(0)"], "is none of normal(MEAN,DEVIATION)"),
        (&["trace", "model.onnx", "--dim", "4"], "such as batch=4"),
        (&["trace", "model.onnx", "--limit", "Softmax=4"], "give --profile a file instead"),
        (&["trace", "model.onnx", "--limit", "Relo=4"], "there is no operator `Relo`"),
        (&["trace", "model.onnx", "--accept", "a reason"], "--expectations <FILE>"),
        (
            &["trace", "model.onnx", "--expectations", "none"],
            "failed to read the expectations `none`",
        ),
        (&["trace", "model.onnx", "--inputs", "nowhere"], "failed to read the inputs in `nowhere`"),
    ] {
        let output = in_folder(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = stderr(&output).replace("\n  ", " ");
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}
