//! A program in C with the shared and with the static library, and calls that are not as they should be.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]
#![allow(unsafe_code, reason = "C gives addresses")]

use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use judge::values::onnx::proto::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto, ValueInfoProto, type_proto,
};
use onnx_judge::{
    OnnxJudgeTensor, OnnxJudgement, onnx_judge, onnx_judgement_elements, onnx_judgement_free,
    onnx_judgement_verdict,
};
use prost::Message;

/// `y = Sqrt(x)` on float32.
fn sqrt() -> Vec<u8> {
    let port = |name: &str| ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(type_proto::Tensor {
                elem_type: Some(1),
                shape: None,
            })),
        }),
    };
    let node = NodeProto {
        op_type: Some("Sqrt".to_owned()),
        input: vec!["x".to_owned()],
        output: vec!["y".to_owned()],
        ..NodeProto::default()
    };
    let graph = GraphProto {
        node: vec![node],
        input: vec![port("x")],
        output: vec![port("y")],
        ..GraphProto::default()
    };
    let import = OperatorSetIdProto { domain: None, version: Some(13) };
    ModelProto { opset_import: vec![import], graph: Some(graph), ..ModelProto::default() }
        .encode_to_vec()
}

/// Where cargo puts the libraries for a test: beside it.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

#[test]
fn a_program_in_c_judges_with_either_library() {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if cfg!(windows) || Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no C compiler `{compiler}`");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let (model, libraries) = (folder.path().join("sqrt.onnx"), libraries());
    std::fs::write(&model, sqrt()).unwrap();
    let shared = vec![format!("-L{}", libraries.display()), "-lonnx_judge".to_owned()];
    let fixed = libraries.join("libonnx_judge.a").display().to_string();
    let fixed = vec![fixed, "-lpthread".to_owned(), "-ldl".to_owned()];
    for (name, link) in [("shared", shared), ("static", fixed)] {
        let program = folder.path().join(name);
        let compiled = Command::new(&compiler)
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-o"])
            .arg(&program)
            .arg(root.join("adapters/c/judge.c"))
            .arg("-I")
            .arg(root.join("adapters/c"))
            .args(link)
            .arg("-lm")
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let output = Command::new(&program)
            .arg(&model)
            .env("LD_LIBRARY_PATH", &libraries)
            .env("DYLD_LIBRARY_PATH", &libraries)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{name}: {text}");
        assert!(text.starts_with("pass\n"), "{text}");
        assert!(
            text.contains("y[1]: expected 2 (0x40000000), got 2.0000002 (0x40000001)"),
            "{text}"
        );
        assert!(text.contains("output 0, element 1 of rank 1"), "{text}");
    }
}

/// A call on these outputs and its error.
fn call(model: &[u8], outputs: &[OnnxJudgeTensor], profile: &CStr) -> (i32, String) {
    let (mut judgement, mut error) = (ptr::null_mut::<OnnxJudgement>(), [0 as c_char; 64]);
    let x = [4.0_f32];
    let input = tensor(&x, 4, 1, &[1]);
    // SAFETY: all addresses are of what they should be.
    let status = unsafe {
        onnx_judge(
            model.as_ptr().cast(),
            model.len(),
            &raw const input,
            1,
            outputs.as_ptr(),
            outputs.len(),
            profile.as_ptr(),
            &raw mut judgement,
            error.as_mut_ptr(),
            error.len(),
        )
    };
    // SAFETY: the call wrote a string.
    let told = unsafe { CStr::from_ptr(error.as_ptr()) }.to_str().unwrap().to_owned();
    // SAFETY: it is null or a judgement.
    let told = unsafe {
        match status {
            0 => {
                let verdict = CStr::from_ptr(onnx_judgement_verdict(judgement));
                format!("{} {}", verdict.to_str().unwrap(), onnx_judgement_elements(judgement))
            }
            _ => told,
        }
    };
    // SAFETY: likewise.
    unsafe { onnx_judgement_free(judgement) };
    (status, told)
}

fn tensor(data: &[f32], size: usize, element_type: i32, shape: &[i64]) -> OnnxJudgeTensor {
    let (shape, rank) = (shape.as_ptr(), shape.len());
    OnnxJudgeTensor { data: data.as_ptr().cast(), size, element_type, shape, rank }
}

#[test]
fn what_is_wrong_with_a_call_is_said_and_nothing_panics() {
    let (model, y, exact) = (sqrt(), [2.0_f32], c"exact");
    let judged = |output| call(&model, &[output], exact);
    assert_eq!(judged(tensor(&y, 4, 1, &[1])), (0, "pass 1".to_owned()));
    // Another shape or type is a wrong result, not a wrong call.
    assert_eq!(judged(tensor(&y, 4, 1, &[1, 1])).1, "fail 0");
    assert_eq!(judged(tensor(&y, 4, 6, &[1])).1, "fail 0");
    assert_eq!(call(&model, &[], exact).1, "fail 0");
    for (output, words) in [
        (tensor(&y, 3, 1, &[1]), "takes 4 bytes, but the data has 3"),
        (tensor(&y, 4, 99, &[1]), "there is no element type 99"),
        (tensor(&y, 4, 1, &[-1]), "a dimension is negative"),
        (tensor(&y, 4, 1, &[i64::MAX, i64::MAX]), "hold more elements"),
    ] {
        let (status, told) = judged(output);
        assert_eq!(status, 3, "{told}");
        assert!(told.starts_with("output 0: "), "{told}");
        // A long text is cut.
        assert!(told.contains(words) || told.len() == 63, "{told}");
    }
    let mut nowhere = tensor(&y, 4, 1, &[1]);
    nowhere.data = ptr::null();
    assert_eq!(judged(nowhere), (1, "the address of output 0 is NULL".to_owned()));
    assert_eq!(call(&model, &[tensor(&y, 4, 1, &[1])], c"strict").0, 4);
    assert_eq!(call(&model[..5], &[tensor(&y, 4, 1, &[1])], exact).0, 2);
}

#[test]
fn threads_judge_at_the_same_time() {
    let model = sqrt();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let y = [2.0_f32];
                for _ in 0..50 {
                    let output = tensor(&y, 4, 1, &[1]);
                    assert_eq!(call(&model, &[output], c"exact").1, "pass 1");
                }
            });
        }
    });
}
