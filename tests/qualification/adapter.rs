//! This program as an adapter: the built-in kernels behind the protocol, with a defect by its id.

use std::fs;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bytes::Bytes;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::protocol::{Greeting, Job, Reply, Request};
use onnx_conformance::backend::{Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task};
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::dtype::DType;
use onnx_conformance::model::{Format, Model};
use onnx_conformance::onnx::{ValueType, decode_value, encode_value};
use onnx_conformance::tensor::{Tensor, Value};
use serde::Serialize;

use crate::protocol as wrong;
use crate::request::as_other;

/// Exit status of an adapter that ends early.
const EARLY: u8 = 3;

/// What is remembered from request to request.
#[derive(Default)]
struct Memory {
    /// Requests answered with values.
    answered: u64,
    outputs: Vec<Vec<u8>>,
    model: Option<(Bytes, Model)>,
    has_refused: bool,
}

/// Serves requests until they end, with the defect of an id.
pub(crate) fn serve(defect: &str) -> ExitCode {
    let mut answers = io::stdout().lock();
    let mut memory = Memory::default();
    for line in io::stdin().lock().lines() {
        let job = match serde_json::from_str(&line.unwrap()).unwrap() {
            Request::Run(job) => job,
            Request::Hello(_) => {
                let identity = Identity { name: defect.to_owned(), ..Builtin.identity() };
                send(&mut answers, &Greeting { backend: identity });
                continue;
            }
        };
        let (mut id, mut is_fifth, mut is_pair) = (job.id, false, false);
        let result = memory.run(defect, &job);
        if let Ok(values) = &result {
            memory.write(defect, &job, values);
            memory.answered += 1;
            is_fifth = memory.answered > wrong::WELL;
            is_pair = values.iter().flat_map(Value::tensors).any(|t| t.elements() == 2);
        }
        match defect {
            wrong::NOISE if is_fifth => answers.write_all(b"[info] request received\n").unwrap(),
            wrong::FIFTH if is_fifth => return ExitCode::from(EARLY),
            wrong::ANOTHER_ID if is_fifth => id += 1,
            _ => {}
        }
        let reply = match result {
            Err(refusal) => Reply::Refused { id, refused: refusal },
            Ok(_) => Reply::ok(id),
        };
        if is_pair && defect == wrong::ENDS {
            end_after(&reply);
        }
        send(&mut answers, &reply);
        if is_fifth && defect == wrong::TWICE {
            send(&mut answers, &reply);
        }
    }
    ExitCode::SUCCESS
}

fn send(answers: &mut impl Write, answer: &impl Serialize) {
    serde_json::to_writer(&mut *answers, answer).unwrap();
    answers.write_all(b"\n").unwrap();
    answers.flush().unwrap();
}

/// Answers and ends. The standard input is closed before that, so that the next request, however early
/// it comes, finds nobody.
fn end_after(reply: &Reply) -> ! {
    let answer = serde_json::to_string(reply).unwrap();
    let script = format!("exec 0<&-; printf '%s\\n' \"$0\"; exit {EARLY}");
    let error = std::process::Command::new("sh").arg("-c").arg(script).arg(answer).exec();
    panic!("failed to start a shell: {error}")
}

impl Memory {
    /// Runs a job, or refuses it.
    fn run(&mut self, defect: &str, job: &Job) -> Result<Vec<Value>, Refusal> {
        if defect == wrong::SULKS && self.has_refused {
            return Err(invalid("not after what happened"));
        }
        let result = self.run_now(defect, job);
        match result {
            Err(Refusal { kind: RefusalKind::Invalid, .. })
                if defect == wrong::ACCEPTS && !job.inputs.is_empty() =>
            {
                let zeros = (0..job.outputs.len()).map(|_| zeros_like(&job.inputs[0]));
                Ok(zeros.collect())
            }
            Err(refusal) => {
                self.has_refused = true;
                Err(refusal)
            }
            values => values,
        }
    }

    fn run_now(&mut self, defect: &str, job: &Job) -> Result<Vec<Value>, Refusal> {
        let file = Bytes::from(fs::read(&job.model).unwrap());
        let model = decode(&job.model, file.clone())?;
        let ports = model.inputs();
        if job.inputs.len() > ports.len() {
            return Err(invalid("too many inputs"));
        }
        let mut inputs = Vec::new();
        for (port, path) in ports.iter().zip(&job.inputs) {
            let bytes = Bytes::from(fs::read(path).unwrap());
            let value = decode_value(&port.name, bytes, &port.value_type);
            inputs.push(value.map_err(|error| invalid(&error.to_string()))?);
        }
        if defect == wrong::EXCHANGED && inputs.len() > 1 {
            inputs.swap(0, 1);
        }
        if defect == wrong::DIES && inputs.iter().flat_map(Value::tensors).any(is_scalar) {
            std::process::exit(EARLY.into());
        }
        let held = self.model.replace((file.clone(), model.clone()));
        let (file, model) = match held {
            Some((file, held)) if defect == wrong::STALE_MODEL && is_alike(&held, &model) => {
                (file, held)
            }
            _ => (file, model),
        };
        let task = Task {
            model: &model,
            file: &file,
            inputs: &inputs,
            suite: Suite::Onnx,
            time: Duration::MAX,
            output_limit: u64::MAX,
        };
        match Builtin.run(&task).outcome {
            Outcome::Outputs(outputs) => {
                let is_empty = outputs.iter().flat_map(Value::tensors).any(|t| t.elements() == 0);
                let is_such = is_empty && is_newest(task.model) && are_of_different_shapes(&inputs);
                if defect == wrong::HANGS && is_such {
                    loop {
                        std::thread::park();
                    }
                }
                Ok(outputs)
            }
            Outcome::Refused(refusal) => Err(refusal),
            other => panic!("{other:?}"),
        }
    }

    /// Writes the outputs.
    fn write(&mut self, defect: &str, job: &Job, values: &[Value]) {
        let encode = |value: &Value| match (defect, value) {
            (wrong::FLAT, Value::Tensor(tensor)) => {
                let flat = as_other(tensor, tensor.dtype(), &[tensor.elements()]);
                encode_value("output", &flat.into())
            }
            _ => encode_value("output", value),
        };
        let outputs: Vec<Vec<u8>> = values.iter().map(|value| encode(value).to_vec()).collect();
        let before = std::mem::replace(&mut self.outputs, outputs);
        let written = match defect {
            wrong::STALE_OUTPUT if before.len() == self.outputs.len() => &before,
            _ => &self.outputs,
        };
        for (path, bytes) in job.outputs.iter().zip(written) {
            match defect {
                wrong::UNWRITTEN => {}
                wrong::TRUNCATED => fs::write(path, &bytes[..bytes.len() - 1]).unwrap(),
                _ => fs::write(path, bytes).unwrap(),
            }
        }
    }
}

fn decode(path: &Path, file: Bytes) -> Result<Model, Refusal> {
    let is_xml = path.extension().is_some_and(|extension| extension == "xml");
    let format = if is_xml { Format::OpenVino } else { Format::Onnx };
    Model::decode(format, "the model", file).map_err(|error| invalid(&error.to_string()))
}

/// Whether it is Div in its newest version, or OpenVINO's.
fn is_newest(model: &Model) -> bool {
    model.format() == Format::OpenVino || model.first_opset() >= 14
}

fn is_alike(held: &Model, model: &Model) -> bool {
    held.format() == model.format() && held.inputs().len() == model.inputs().len()
}

fn is_scalar(tensor: &Tensor) -> bool {
    tensor.shape().is_empty()
}

/// Whether these are float32 in different shapes.
fn are_of_different_shapes(inputs: &[Value]) -> bool {
    let tensors = || inputs.iter().flat_map(Value::tensors);
    let mut shapes = tensors().map(Tensor::shape);
    let first = shapes.next();
    tensors().all(|tensor| tensor.dtype() == DType::Float32)
        && shapes.any(|shape| Some(shape) != first)
}

/// Zeros in the type and shape of the tensor in a file; empty strings where those are none.
fn zeros_like(path: &Path) -> Value {
    let bytes = Bytes::from(fs::read(path).unwrap());
    let value = decode_value("input", bytes, &ValueType::Tensor(None)).unwrap();
    let tensor = value.tensors()[0];
    let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
    match tensor.bits() {
        Some(bits) => Tensor::from_bits(dtype, shape, vec![0; bits.len()].into()),
        None => Tensor::from_strings(shape, vec![Bytes::new(); tensor.elements()]),
    }
    .unwrap()
    .into()
}

fn invalid(message: &str) -> Refusal {
    Refusal { stage: Stage::Load, kind: RefusalKind::Invalid, message: message.to_owned() }
}
