//! Adapters that say and do anything: each request gets an answer in time, and nothing is left behind. The
//! adapters are processes of a shell, which does what the input tells it.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use onnx_conformance::backend::adapter::{Adapter, Program, Sandbox};
use onnx_conformance::backend::{Backend, Outcome, Task};
use onnx_conformance::corpus::generate::single_node;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::dtype::DType;
use onnx_conformance::model::{Format, Model};
use onnx_conformance::onnx::encode_value;
use onnx_conformance::reference::operator::Attributes;
use onnx_conformance::reference::operators::sqrt::SQRT;
use onnx_conformance::tensor::{Tensor, Value};

/// Time that each answer has.
const TIME: Duration = Duration::from_millis(300);

/// Steps that an adapter has: what it says to the handshake, and to the requests that follow.
const STEPS: usize = 5;

/// Tasks that it is given.
const TASKS: usize = 4;

/// Answers a line by what is prepared for its number.
const SHELL: &str = r#"
n=0
while IFS= read -r line; do
  read -r act <"$1/$n.act" || exit 0
  case $line in
    *'"run"'*) out=${line##*'"outputs":["'} in=${line##*'"inputs":["'} out=${out%%'"'*} in=${in%%'"'*} ;;
    *) out=$1/none/none in=$1/none/none ;;
  esac
  case $act in
    output) cat "$1/$n.output" >"$out" ;;
    folder) mkdir "$out" ;;
    pipe) mkfifo "$out" ;;
    link) ln -s "$1/outside" "$out" ;;
    rob) rm -rf "${out%/*}" ;;
    plant) rm -f "$in"; mkfifo "$in" ;;
    leave) exit 0 ;;
    abort) kill -ABRT $$ ;;
    deaf) exec 0<&- ;;
    mute) exec 1>&- ;;
  esac
  cat "$1/$n.says"
  n=$((n + 1))
done 2>/dev/null
"#;

#[derive(Arbitrary, Debug)]
enum Act {
    Output,
    Folder,
    Pipe,
    Link,
    Rob,
    Plant,
    Leave,
    Abort,
    Deaf,
    Mute,
}

#[derive(Arbitrary, Debug)]
enum Says<'a> {
    /// What the protocol asks for.
    Right,
    Refusal,
    Anything(&'a [u8]),
    Nothing,
}

#[derive(Arbitrary, Debug)]
enum Writes<'a> {
    Right,
    Anything(&'a [u8]),
}

#[derive(Arbitrary, Debug)]
struct Step<'a> {
    act: Act,
    says: Says<'a>,
    writes: Writes<'a>,
}

/// A model, its file, and its operand.
static CASE: LazyLock<(Model, Bytes, Vec<Value>)> = LazyLock::new(|| {
    let tensor =
        Tensor::from_values(DType::Float32, vec![2], vec![1.0_f32, 4.0]).expect("a tensor");
    let file = single_node(&SQRT, &Attributes::new(), std::slice::from_ref(&tensor), &tensor);
    let model = Model::decode(Format::Onnx, "model.onnx", file.clone()).expect("a model");
    (model, file, vec![Value::Tensor(tensor)])
});

/// A program that does not begin in Rust ends when it writes to who does not read any more.
static PIPES: LazyLock<()> = LazyLock::new(|| {
    signal_hook::flag::register(signal_hook::consts::SIGPIPE, Arc::default()).expect("a signal");
});

fuzz_target!(|steps: [Step<'_>; STEPS]| {
    LazyLock::force(&PIPES);
    let folder = tempfile::tempdir().expect("a folder");
    let (acts, root) = (folder.path().join("acts"), folder.path().join("root"));
    fs::create_dir(&acts).and_then(|()| fs::create_dir(&root)).expect("room");
    fs::write(acts.join("outside"), "as it was").expect("room");
    steps.iter().enumerate().for_each(|(at, step)| prepare(&acts, at, step));
    let program = Program {
        path: "sh".into(),
        arguments: vec!["-c".into(), SHELL.into(), "sh".into(), acts.clone().into()],
        folder: None,
        memory_limit: None,
        sandbox: Sandbox::default(),
    };
    {
        let adapter = Adapter::start_in(vec![root.clone()], program, 1, TIME).expect("a shell");
        for _ in 0..TASKS {
            let answer = asked(&adapter);
            let expected = matches!(steps[0].says, Says::Right);
            assert!(expected || !matches!(answer, Outcome::Outputs(_)), "who said who it is?");
        }
        adapter.close();
    }
    let left: Vec<_> = fs::read_dir(&root).expect("it is there").flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(fs::read(acts.join("outside")).expect("it is there"), b"as it was");
});

fn asked(adapter: &Adapter) -> Outcome {
    let (model, file, inputs) = &*CASE;
    let task = Task { model, file, inputs, suite: Suite::Onnx, time: TIME, output_limit: 1 << 16 };
    adapter.run(&task).outcome
}

/// Writes down what an adapter does at a step.
fn prepare(acts: &Path, at: usize, step: &Step<'_>) {
    let act = format!("{:?}\n", step.act).to_lowercase();
    let right = match at.checked_sub(1) {
        None => r#"{"backend":{"name":"fuzzed","version":"1"}}"#.to_owned(),
        Some(id) => format!(r#"{{"id":{id},"ok":{{}}}}"#),
    };
    let refusal = format!(
        r#"{{"id":{},"refused":{{"stage":"run","kind":"error","message":"no"}}}}"#,
        at.wrapping_sub(1)
    );
    let says = match step.says {
        Says::Right => (right + "\n").into_bytes(),
        Says::Refusal => (refusal + "\n").into_bytes(),
        Says::Anything(bytes) => bytes.to_vec(),
        Says::Nothing => Vec::new(),
    };
    let output = match step.writes {
        Writes::Right => encode_value("y", &CASE.2[0]).to_vec(),
        Writes::Anything(bytes) => bytes.to_vec(),
    };
    for (name, content) in [("act", act.into_bytes()), ("says", says), ("output", output)] {
        fs::write(acts.join(format!("{at}.{name}")), content).expect("room");
    }
}
