//! Whether an adapter follows the protocol, in good cases and in bad ones.
//!
//! Nothing is said of its results: a refusal follows the protocol as a right quotient does.

use std::time::Duration;

use bytes::Bytes;
use prost::Message;

use crate::backend::adapter::{Adapter, Program, Shutdown, StartError};
use crate::backend::{Answer, Backend, Outcome, Task};
use crate::corpus::generate::node_model;
use crate::corpus::suite::Suite;
use crate::dtype::DType;
use crate::model::{Format, Model, ModelError};
use crate::tensor::{Tensor, TensorError, Value};

/// Largest output that is read: far more than any here.
const OUTPUT_LIMIT: u64 = 1 << 20;

/// The model that the other checks begin with: the first version of Div that all runtimes have.
const DIVISION: (&str, i64) = ("Div", 14);

/// Text that no runtime should take for a model.
const NO_MODEL: &[u8] = b"This is no model.";

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What an adapter should do.
    pub check: &'static str,
    /// What it did: well, or not.
    pub result: Result<String, String>,
}

/// The check cannot be made.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum CheckError {
    /// The adapter does not start.
    Start(#[from] StartError),
    /// A model of the checks cannot be made.
    Model(#[from] ModelError),
    /// A tensor of the checks cannot be made.
    Tensor(#[from] TensorError),
}

/// Checks an adapter, which has so long to introduce itself and for each task.
/// Where it does not introduce itself, nothing else can be looked at.
pub fn check(
    program: Program,
    start_time: Duration,
    time: Duration,
) -> Result<Vec<Finding>, CheckError> {
    let adapter = Adapter::start(program, 1, start_time)?;
    let mut findings = Vec::new();
    let mut found = |check, result| findings.push(Finding { check, result });

    let greeting =
        adapter.greeting().map(|backend| format!("{} {}", backend.name, backend.version));
    let handshake_failed = greeting.is_err();
    found("introduces itself", greeting.map_err(described));
    if handshake_failed {
        return Ok(findings);
    }
    let division = CheckRequest::division_named(DIVISION.0)?;
    let first = division.put_to(&adapter, time);
    found("answers a division, or refuses it", ok_or_refused(&first));
    found(
        "refuses an operator that does not exist",
        refused(&CheckRequest::division_named("NoSuchOperator")?.put_to(&adapter, time)),
    );
    let no_model = CheckRequest { file: Bytes::from_static(NO_MODEL), ..division.clone() };
    found("refuses a file that is not a model", refused(&no_model.put_to(&adapter, time)));
    let no_inputs = CheckRequest { inputs: Vec::new(), ..division.clone() };
    found("refuses a division without operands", refused(&no_inputs.put_to(&adapter, time)));
    let again = division.put_to(&adapter, time);
    found("then answers as before", same(&first, &again));
    // No adapter answers in no time: its process is killed over this.
    let cut_short = division.put_to(&adapter, Duration::ZERO);
    let after = division.put_to(&adapter, time);
    found(
        "can be killed and restarted",
        match cut_short.outcome {
            Outcome::TimedOut(_) => same(&first, &after),
            _ => Err(described(&cut_short)),
        },
    );
    found(
        "ends by itself at the end of its standard input",
        match adapter.shutdown() {
            Shutdown::Ended(status) if status.success() => Ok("exit status 0".to_owned()),
            Shutdown::Ended(status) => Err(status.to_string()),
            Shutdown::Killed => Err("had to be killed".to_owned()),
            Shutdown::None => Err("no process was left".to_owned()),
        },
    );
    Ok(findings)
}

/// A task with everything that it borrows.
#[derive(Clone)]
struct CheckRequest {
    model: Model,
    file: Bytes,
    inputs: Vec<Value>,
}

impl CheckRequest {
    /// A division of two float32 operands, with another name for the operator: all else is right.
    fn division_named(op_type: &str) -> Result<Self, CheckError> {
        let tensor =
            |values: [f32; 2]| Tensor::from_values(DType::Float32, vec![2], values.to_vec());
        let operands = [tensor([6.0, 1.0])?, tensor([3.0, -4.0])?];
        let (operator, opset) = DIVISION;
        let inputs = operands.clone().map(Some);
        let outputs = &operands[..1];
        let mut proto = node_model(operator, opset, Vec::new(), "protocol_check", &inputs, outputs);
        for node in proto.graph.iter_mut().flat_map(|graph| &mut graph.node) {
            node.op_type = Some(op_type.to_owned());
        }
        let file = Bytes::from(proto.encode_to_vec());
        let model = Model::decode(Format::Onnx, Format::Onnx.file(), file.clone())?;
        Ok(Self { model, file, inputs: operands.map(Value::Tensor).into() })
    }

    fn put_to(&self, adapter: &Adapter, time: Duration) -> Answer {
        adapter.run(&Task {
            model: &self.model,
            file: &self.file,
            inputs: &self.inputs,
            suite: Suite::Onnx,
            time,
            output_limit: OUTPUT_LIMIT,
        })
    }
}

fn ok_or_refused(answer: &Answer) -> Result<String, String> {
    match &answer.outcome {
        Outcome::Outputs(_) => Ok("answered".to_owned()),
        _ => refused(answer),
    }
}

fn refused(answer: &Answer) -> Result<String, String> {
    match &answer.outcome {
        Outcome::Refused(refusal) => Ok(first_line(&refusal.to_string())),
        _ => Err(described(answer)),
    }
}

fn same(first: &Answer, again: &Answer) -> Result<String, String> {
    if first.outcome == again.outcome {
        Ok("the same".to_owned())
    } else {
        Err(format!("now: {}", described(again)))
    }
}

/// An answer, in a line, and the last line of standard error.
fn described(answer: &Answer) -> String {
    let text = match &answer.outcome {
        Outcome::Outputs(_) => "answered with values".to_owned(),
        Outcome::Refused(refusal) => refusal.to_string(),
        Outcome::Crashed { message } | Outcome::Fault { message } => message.clone(),
        Outcome::TimedOut(_) => "did not answer in time".to_owned(),
    };
    let last_words = answer.stderr.lines().rfind(|line| !line.trim().is_empty());
    let last_words = last_words.map_or_else(String::new, |line| format!("; stderr: {line}"));
    first_line(&text) + &last_words
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
