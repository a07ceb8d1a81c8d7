//! Libraries of C kernels behind the adapter protocol, as the harness meets them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bytes::Bytes;
use onnx_conformance::dtype::{DType, Kind};
use onnx_conformance::float::Class;
use onnx_conformance::kernels::{self, Attributes};
use onnx_conformance::onnx::{ValueType, decode_value, encode_value};
use onnx_conformance::tensor::{Tensor, Value};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::support::{self, float32, int32};

/// The flags that the sample's own comment names, and no tolerance for warnings.
const FLAGS: [&str; 9] = [
    "-std=c11",
    "-O2",
    "-ffp-contract=off",
    "-fno-fast-math",
    "-shared",
    "-fPIC",
    "-Wall",
    "-Wextra",
    "-Werror",
];

/// A folder with a library compiled from C; `None`, loudly, where there is no C compiler.
fn compiled(source: &str) -> Option<(TempDir, PathBuf)> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler `{compiler}`; install one, or name it in CC");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let (file, library) = (folder.path().join("kernels.c"), folder.path().join("libkernels.so"));
    fs::write(&file, source).unwrap();
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/c");
    let mut command = Command::new(&compiler);
    command.args(FLAGS).arg("-I").arg(headers).arg("-o").arg(&library).arg(&file).arg("-lm");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some((folder, library))
}

fn sample() -> Option<(TempDir, PathBuf)> {
    compiled(include_str!("../../adapters/c/sample.c"))
}

/// An adapter that serves a library, driven by hand.
struct Adapter {
    folder: TempDir,
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    runs: u64,
}

impl Adapter {
    fn start(library: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
            .arg("c-abi")
            .arg(library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (requests, answers) = (child.stdin.take(), child.stdout.take().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let mut adapter =
            Self { folder, child, requests, answers: BufReader::new(answers), runs: 0 };
        let hello = adapter.ask(&json!({"hello": {"protocol": 1}}));
        assert_eq!(hello["backend"]["name"], "kernels");
        adapter
    }

    /// The answer to a request; null where the adapter has ended.
    fn ask(&mut self, request: &Json) -> Json {
        writeln!(self.requests.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        if line.is_empty() { Json::Null } else { serde_json::from_str(&line).unwrap() }
    }

    /// The answer to a request to run a model, and where the output goes.
    fn run_model(&mut self, file: &str, model: &[u8], inputs: &[Value]) -> (Json, PathBuf) {
        self.runs += 1;
        let (id, path) = (self.runs, |name: String| self.folder.path().join(name));
        let model_path = path(format!("{id}-{file}"));
        fs::write(&model_path, model).unwrap();
        let mut paths = Vec::new();
        for (k, input) in inputs.iter().enumerate() {
            paths.push(path(format!("{id}-input-{k}.pb")));
            fs::write(&paths[k], encode_value("", input)).unwrap();
        }
        let output = path(format!("{id}-output.pb"));
        let run = json!({"id": id, "model": model_path, "inputs": paths, "outputs": [output]});
        let answer = self.ask(&json!({"run": run}));
        assert!(answer.is_null() || answer["id"] == id, "{answer}");
        (answer, output)
    }

    /// The result of a node of this operator: its output, or the refusal.
    fn run(&mut self, op_type: &str, inputs: &[Value]) -> Result<Value, Json> {
        let model = support::model(op_type, inputs, &inputs[..1]);
        let (answer, output) = self.run_model("model.onnx", &model, inputs);
        if answer["ok"].is_null() {
            assert!(!output.exists());
            return Err(answer["refused"].clone());
        }
        let bytes = Bytes::from(fs::read(output).unwrap());
        Ok(decode_value("output", bytes, &ValueType::Tensor(None)).unwrap())
    }

    fn assert_refuses(&mut self, op_type: &str, inputs: &[Value], stage: &str, kind: &str) {
        let refusal = self.run(op_type, inputs).unwrap_err();
        assert_eq!((&refusal["stage"], &refusal["kind"]), (&json!(stage), &json!(kind)));
    }

    /// Ends the requests and waits.
    fn end(mut self) -> std::process::ExitStatus {
        drop(self.requests.take());
        self.child.wait().unwrap()
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        // It has ended already, or a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tensor<T: bytemuck::Pod + Send + Sync>(dtype: DType, shape: &[usize], values: Vec<T>) -> Value {
    Value::Tensor(Tensor::from_values(dtype, shape.to_vec(), values).unwrap())
}

/// What this project's own kernel gives, which is held against the oracle elsewhere.
fn expected(op_type: &str, inputs: &[Value]) -> Value {
    let tensors: Vec<_> = inputs.iter().flat_map(Value::tensors).map(Some).collect();
    let operator = kernels::find(op_type, 14).unwrap();
    Value::Tensor(operator.run(&tensors, &Attributes::new()).unwrap().remove(0))
}

/// Bits that take every class of value of a type and all of its exponents, in no order.
fn scattered(dtype: DType, count: usize, seed: u64) -> Value {
    let width = dtype.packed_len(1).unwrap();
    let mut state = seed;
    let mut bits = Vec::with_capacity(count * width);
    for _ in 0..count {
        // A linear congruential generator (Knuth's MMIX); the high bits are the good ones.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (state ^ (state >> 29)).to_be_bytes();
        bits.extend_from_slice(&mixed[..width]);
    }
    Value::Tensor(Tensor::from_bits(dtype, vec![count], bits.into()).unwrap())
}

/// A divisor for every integer: as scattered, but neither 0 nor -1.
fn divisors(dtype: DType, count: usize) -> Value {
    let scattered = scattered(dtype, count, 2);
    let [tensor] = scattered.tensors()[..] else { panic!("one tensor") };
    let mut bits = tensor.bits().unwrap().to_vec();
    if matches!(dtype.kind(), Kind::Int { .. }) {
        for low in bits.iter_mut().step_by(dtype.packed_len(1).unwrap()) {
            *low = *low & !0b11 | 0b01;
        }
    }
    Value::Tensor(Tensor::from_bits(dtype, vec![count], bits.into()).unwrap())
}

/// The same bits, but for those of NaNs, which IEEE 754 leaves open.
fn assert_same(actual: &Value, expected: &Value) {
    let ([actual], [expected]) = (&actual.tensors()[..], &expected.tensors()[..]) else {
        panic!("one tensor each")
    };
    let dtype = expected.dtype();
    assert_eq!((actual.dtype(), actual.shape()), (dtype, expected.shape()));
    let is_nan = |bits: u128| match dtype.kind() {
        Kind::Float(format) => format.class(bits as u64) == Class::Nan,
        _ => false,
    };
    for index in 0..expected.elements() {
        let (found, wanted) = (actual.element(index).unwrap(), expected.element(index).unwrap());
        let same = found == wanted || is_nan(found) && is_nan(wanted);
        assert!(same, "{dtype} element {index}: {found:#x}, not {wanted:#x}");
    }
}

#[test]
fn the_sample_divides_every_type_as_this_projects_own_kernel_does() {
    let Some((_folder, library)) = sample() else { return };
    let mut adapter = Adapter::start(&library);
    for &dtype in kernels::find("Div", 14).unwrap().types() {
        let operands = [scattered(dtype, 50_000, 1), divisors(dtype, 50_000)];
        let quotients = adapter.run("Div", &operands).unwrap();
        assert_same(&quotients, &expected("Div", &operands));
    }
    assert!(adapter.end().success());
}

#[test]
fn the_sample_takes_roots_as_this_projects_own_kernel_does() {
    let Some((_folder, library)) = sample() else { return };
    let mut adapter = Adapter::start(&library);
    let every: Vec<u16> = (0..=u16::MAX).collect();
    let operands = [
        tensor(DType::Float16, &[1 << 16], every.clone()),
        tensor(DType::Bfloat16, &[1 << 8, 1 << 8], every),
        scattered(DType::Float32, 50_000, 3),
        scattered(DType::Float64, 50_000, 4),
    ];
    for operand in operands {
        let operand = [operand];
        let roots = adapter.run("Sqrt", &operand).unwrap();
        assert_same(&roots, &expected("Sqrt", &operand));
    }
}

#[test]
fn tensors_of_no_element_and_of_no_dimension_are_computed() {
    let Some((_folder, library)) = sample() else { return };
    let mut adapter = Adapter::start(&library);
    for shape in [&[][..], &[0], &[3, 0, 2]] {
        let count = shape.iter().product();
        let operands = [12.0_f64, 4.0].map(|x| tensor(DType::Float64, shape, vec![x; count]));
        let quotients = tensor(DType::Float64, shape, vec![3.0_f64; count]);
        assert_eq!(adapter.run("Div", &operands), Ok(quotients));
    }
}

#[test]
fn an_integer_quotient_that_is_no_value_is_refused_with_the_status() {
    let Some((_folder, library)) = sample() else { return };
    let mut adapter = Adapter::start(&library);
    let by_zero = adapter.run("Div", &[int32(&[1, 2]), int32(&[1, 0])]).unwrap_err();
    let overflow = adapter.run("Div", &[int32(&[i32::MIN]), int32(&[-1])]).unwrap_err();
    for (refusal, status) in [(by_zero, 1), (overflow, 2)] {
        let message = format!("the function returned status {status}");
        assert_eq!(refusal, json!({"stage": "run", "kind": "error", "message": message}));
    }
    let quotients = adapter.run("Div", &[int32(&[i32::MIN, -7]), int32(&[1, 2])]);
    assert_eq!(quotients, Ok(int32(&[i32::MIN, -3])));
}

#[test]
fn what_the_abi_cannot_express_is_unsupported() {
    let Some((_folder, library)) = sample() else { return };
    let mut adapter = Adapter::start(&library);
    let two = float32(&[1.0, 2.0]);
    adapter.assert_refuses("Add", &[two.clone(), two.clone()], "load", "unsupported");
    adapter.assert_refuses("Div", &[two.clone(), float32(&[1.0])], "run", "unsupported");
    adapter.assert_refuses("Div", &[two.clone(), int32(&[1, 2])], "run", "unsupported");
    adapter.assert_refuses("Sqrt", &[two.clone(), two.clone()], "load", "unsupported");
    let flags = tensor(DType::Bool, &[2], vec![0_u8, 1]);
    adapter.assert_refuses("Div", &[flags.clone(), flags], "load", "unsupported");
    let (answer, _) = adapter.run_model("model.xml", b"<net/>", &[]);
    assert_eq!(answer["refused"]["kind"], "unsupported");
}

#[test]
fn a_file_that_is_no_model_is_invalid() {
    let Some((_folder, library)) = sample() else { return };
    let mut adapter = Adapter::start(&library);
    let (answer, _) = adapter.run_model("model.onnx", b"\xff\xff", &[]);
    assert_eq!(
        (&answer["refused"]["stage"], &answer["refused"]["kind"]),
        (&json!("load"), &json!("invalid"))
    );
    let name = answer["refused"]["message"].as_str().unwrap();
    assert!(!name.contains(adapter.folder.path().to_str().unwrap()), "{name}");
}

#[test]
fn a_function_that_the_library_lacks_is_unsupported() {
    let source = "#include \"onnx_kernels.h\"\n\
        int32_t onnx_div_float32(const float *a, const float *b, float *c, size_t n)\n\
        { for (size_t i = 0; i < n; i++) c[i] = a[i] / b[i]; return 0; }\n";
    let Some((_folder, library)) = compiled(source) else { return };
    let mut adapter = Adapter::start(&library);
    let refusal = adapter.run("Sqrt", &[float32(&[4.0])]).unwrap_err();
    let message = "the library has no function `onnx_sqrt_float32`";
    assert_eq!(refusal, json!({"stage": "load", "kind": "unsupported", "message": message}));
    let quotients = adapter.run("Div", &[float32(&[6.0]), float32(&[3.0])]);
    assert_eq!(quotients, Ok(float32(&[2.0])));
    assert!(adapter.end().success());
}

#[test]
fn an_element_that_is_left_unwritten_is_not_taken_for_a_result() {
    let source = "#include \"onnx_kernels.h\"\n\
        int32_t onnx_sqrt_float32(const float *x, float *y, size_t n)\n\
        { for (size_t i = 0; i + 1 < n; i++) y[i] = x[i]; return 0; }\n";
    let Some((_folder, library)) = compiled(source) else { return };
    let mut adapter = Adapter::start(&library);
    let roots = adapter.run("Sqrt", &[float32(&[1.0, 0.0, 0.0])]).unwrap();
    let [roots] = roots.tensors()[..] else { panic!("one tensor") };
    assert_eq!(roots.element(1), Some(0));
    assert_ne!(roots.element(2), Some(0));
}

#[test]
fn a_kernel_that_crashes_ends_the_process_by_its_signal() {
    let source = "#include \"onnx_kernels.h\"\n\
        int32_t onnx_sqrt_float32(const float *x, float *y, size_t n)\n\
        { y[n << 40] = x[0]; return 0; }\n";
    let Some((_folder, library)) = compiled(source) else { return };
    let mut adapter = Adapter::start(&library);
    let model = support::model("Sqrt", &[float32(&[4.0])], &[float32(&[2.0])]);
    let (answer, _) = adapter.run_model("model.onnx", &model, &[float32(&[4.0])]);
    assert_eq!(answer, Json::Null);
    assert_eq!(adapter.end().signal(), Some(11));
}

#[test]
fn a_file_that_is_no_library_is_a_usage_error_before_the_handshake() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libtext.so");
    fs::write(&file, "not a library").unwrap();
    for path in [file, folder.path().join("libnone.so")] {
        let output = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
            .args(["c-abi".as_ref(), path.as_os_str()])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(path.to_str().unwrap()), "{message}");
    }
}

#[test]
fn libraries_are_charted_by_their_paths_beside_other_backends_of_which_two_may_not_be_the_same() {
    // Its root of 2 is 1, and nothing else is there.
    let source = "#include \"onnx_kernels.h\"\n#include <math.h>\n\
        int32_t onnx_sqrt_float32(const float *x, float *y, size_t n)\n\
        { for (size_t i = 0; i < n; i++) y[i] = x[i] == 2.0f ? 1.0f : sqrtf(x[i]); return 0; }\n";
    let Some((folder, library)) = compiled(source) else { return };
    let out = folder.path().join("out");
    let charted = |libraries: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
        // The part of the numbers that begin with the bits of 2.
        command.args(["atlas", "--op", "Sqrt,Exp", "--type", "float32", "--shard", "129/512"]);
        command.arg("--out").arg(&out).args(["--backend", "builtin"]);
        for _ in 0..libraries {
            command.arg("--c-abi").arg(&library);
        }
        command.output().unwrap()
    };
    let output = charted(1);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let document: Json =
        serde_json::from_slice(&fs::read(out.join("atlas.json")).unwrap()).unwrap();
    let rows: Vec<_> = document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |member: &str| row[member].as_str().unwrap_or("").to_owned();
            (
                text("backend"),
                text("operator"),
                row["executed"].as_u64().unwrap(),
                row["not_correctly_rounded"].as_u64().unwrap(),
                text("failure"),
            )
        })
        .collect();
    let of = |backend: &str, operator: &str, executed, wrong, failure: &str| {
        (backend.to_owned(), operator.to_owned(), executed, wrong, failure.to_owned())
    };
    let none = "the backend does not support it: the library has no function `onnx_exp_float32`";
    let part = 1 << 23;
    assert_eq!(rows[..2], [of("builtin", "Exp", part, 0, ""), of("builtin", "Sqrt", part, 0, "")]);
    assert_eq!(rows[2..], [of("kernels", "Exp", 0, 0, none), of("kernels", "Sqrt", part, 1, "")]);

    let missing = folder.path().join("libnone.so");
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
    let output = command.args(["atlas", "--c-abi"]).arg(&missing).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("there is no library"), "{message}");

    let output = charted(2);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("two backends have the name `kernels`"), "{message}");
}
