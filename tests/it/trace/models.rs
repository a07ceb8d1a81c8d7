//! Two real models, where `ONNX_CONFORMANCE_MODELS` names the folder that `cargo xtask models` puts them in.

use onnx_conformance::document::JsonDocument;

use super::*;
use crate::backends::is_ready;
use crate::cli::{in_folder, stderr, stdout};
use crate::support::extent::{report_sample, size};

/// The trace of a model on a backend; `None`, loudly, where the model or the backend is not there.
fn traced_on(model: &str, backend: &str, options: &[&str]) -> Option<Trace> {
    let Ok(folder) = std::env::var("ONNX_CONFORMANCE_MODELS") else {
        eprintln!("SKIPPED: ONNX_CONFORMANCE_MODELS names no folder of models");
        return None;
    };
    if backend != "builtin" && !is_ready(backend) {
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(folder).join(format!("{model}.onnx")).display().to_string();
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().display().to_string();
    let arguments = ["trace", &path, "--backend", backend, "--out", &folder, "--sample", "2000"];
    let output = in_folder(root, &[&arguments, options].concat());
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}{}", stdout(&output), stderr(&output));
    Some(Trace::read(out.path()).unwrap())
}

#[test]
fn what_has_sigmoids_in_it_is_wrong_in_a_real_model_on_onnx_runtime_and_all_else_is_right() {
    let Some(trace) = traced_on("silero-vad-16k", "onnxruntime", &[]) else { return };
    let wrong: Vec<&str> = { trace.nodes.iter() }
        .filter(|node| node.verdict.is_failure())
        .map(|node| node.operator.as_str())
        .collect();
    // It clamps their arguments: below -18 all of them give the same.
    assert_eq!(wrong, ["LSTM", "Sigmoid"]);
    assert!(trace.nodes.iter().all(|node| node.verdict.to_string() != "skipped"));
}

#[test]
fn the_built_in_runtime_computes_a_real_model_without_a_wrong_node() {
    let Some(trace) = traced_on("silero-vad-16k", "builtin", &[]) else { return };
    assert_eq!(trace.first_wrong, None, "{:?}", trace.first());
    let judged = trace.nodes.iter().filter(|node| node.judged > 0).count();
    assert!(judged * 10 >= trace.nodes.len() * 9, "{judged} of {}", trace.nodes.len());
}

#[test]
fn of_a_real_model_every_node_is_judged_on_onnx_runtime() {
    let Some(trace) = traced_on("basic-pitch", "onnxruntime", &[]) else { return };
    assert_eq!(trace.nodes.len(), 248);
    assert!(trace.nodes.iter().all(|node| node.judged > 0));
    // Functions alone are off by more than the profile allows.
    let mut wrong = trace.nodes.iter().filter(|node| node.verdict.is_failure());
    assert!(wrong.all(|node| ["Log", "Sigmoid"].contains(&node.operator.as_str())));
}

#[test]
fn the_outputs_of_small_real_models_are_enclosed_and_their_largest_elements_decided() {
    const MODELS: [&str; 2] = ["silero-vad-16k", "basic-pitch"];
    let models = size(&MODELS[..1], &MODELS[..]);
    report_sample(models.len() as u64, MODELS.len() as u64, "models whose outputs are enclosed");
    for model in models {
        let Some(trace) = traced_on(model, "builtin", &["--fusions", "0"]) else { return };
        for output in &trace.outputs {
            assert_eq!(output.enclosure_ends, None, "{model}");
            assert!(output.enclosure_width_ulp.is_some() && output.max_error_ulp.is_some());
            let decisions = output.decisions.as_ref().unwrap();
            assert!(decisions.argmax.unchanged > 0, "{model}: {decisions:?}");
            assert_eq!(decisions.argmax.changed, 0, "{model}: {decisions:?}");
        }
    }
}
