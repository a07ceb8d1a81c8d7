//! Backends of ONNX's own Python interface: driven without an adapter, and an adapter offered as one. Asks the Python
//! in `ONNX_CONFORMANCE_PYTHON`; skipped where there is none.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::verdict::Verdict;

use crate::support;

/// A backend that rounds quotients of integers down and has no other operator.
const TOY: &str = r#"
import numpy as np
from onnx.backend.base import Backend, BackendRep

class Prepared(BackendRep):
    def run(self, inputs, **_):
        a, b = inputs
        return (a // b if a.dtype.kind in "iu" else a / b,)

class Toy(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **_):
        print("printed where answers go")
        if [node.op_type for node in model.graph.node] != ["Div"]:
            raise NotImplementedError("Div alone")
        return Prepared()

class Abroad(Toy):
    @classmethod
    def supports_device(cls, device):
        return device == "CUDA"
"#;

/// What asks an adapter as a backend of that interface.
const ASKING: &str = r#"
import sys
import numpy as np
import onnx.helper as h
from onnx import TensorProto as T
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt
from onnx_conformance import backend

def model(op, count=2):
    ports = [h.make_tensor_value_info(n, T.FLOAT, [2]) for n in "ab"[:count]]
    graph = h.make_graph([h.make_node(op, list("ab"[:count]), ["c"])], "g", ports,
                         [h.make_tensor_value_info("c", T.FLOAT, [2])])
    return h.make_model(graph, opset_imports=[h.make_opsetid("", 14)])

a, b = np.float32([6, 1]), np.float32([3, 4])
print(backend.run_model(model("Div"), [a, b])[0].tolist())
print(backend.prepare(model("Sqrt", 1)).run([b])[0].tolist())
try:
    backend.run_model(model("Abs", 1), [a])
except BackendIsNotSupposedToImplementIt as error:
    print("skipped:", error)
for command in (f"{sys.executable} -c pass", f"{sys.executable} -c 'print(1)'"):
    try:
        backend.adapter(command).prepare(model("Div")).run([a, b])
    except backend.AdapterError as error:
        print(str(error).partition("` ")[2])
"#;

/// A folder with a Python module, and the Python that has the packages for it; `None` where there is none.
fn with_python(module: &str) -> Option<(tempfile::TempDir, String)> {
    let python = support::python("onnx and NumPy")?;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("toy.py"), module).unwrap();
    Some((folder, python))
}

fn run(folder: &Path, python: &str, backend: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
        .args([
            "run",
            "--suite",
            "sonnx",
            "--op",
            "Div",
            "--op",
            "Sqrt",
            "--filter",
            "/int8/|/float32/",
        ])
        .args(["--onnx-backend", backend, "--python", python, "--out", "out"])
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_backend_of_the_official_interface_is_judged_without_an_adapter() {
    let Some((folder, python)) = with_python(TOY) else { return };
    let output = run(folder.path(), &python, "toy:Toy");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let report = Report::read(&folder.path().join("out/report.json")).unwrap();
    assert_eq!(report.backend.name, "toy:Toy");
    let fed = &report.backend.details["interface"];
    assert!(fed.contains("fed with NumPy arrays"), "{fed}");
    let count = |operator: &str, verdict| {
        let of = report.cases.iter().filter(|case| case.operator == operator);
        of.filter(|case| case.verdict == verdict).count()
    };
    // Quotients of integers are rounded down, and so wrong; those of floats are right; roots are not there.
    assert!(count("Div", Verdict::Fail) > 3 && count("Div", Verdict::Pass) > 20);
    assert!(count("Sqrt", Verdict::Unsupported) > 10 && count("Sqrt", Verdict::Pass) < 10);
    assert_eq!(count("Div", Verdict::Fault) + count("Sqrt", Verdict::Fault), 0);
}

#[test]
fn a_module_that_is_no_backend_is_told_in_its_own_words() {
    let Some((folder, python)) = with_python(TOY) else { return };
    for (backend, words) in [
        ("toy", "`toy` has no `prepare`: name a module or a class"),
        ("toy:Abroad", "`toy:Abroad` does not support the device CPU"),
        ("no_such_module", "No module named 'no_such_module'"),
    ] {
        let output = run(folder.path(), &python, backend);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(words), "{backend}: {told}");
    }
}

#[test]
fn an_adapter_is_a_backend_of_the_official_interface() {
    let Some((folder, python)) = with_python(ASKING) else { return };
    let adapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/python");
    let output = Command::new(&python)
        .arg("toy.py")
        .current_dir(folder.path())
        .env("PYTHONPATH", &adapters)
        .env(
            "ONNX_CONFORMANCE_ADAPTER",
            format!("'{python}' '{}'", adapters.join("example.py").display()),
        )
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<_> = told.lines().collect();
    let [quotients, roots, skipped, ended, wrote] = lines[..] else {
        panic!("{told}{}", String::from_utf8_lossy(&output.stderr))
    };
    assert_eq!([quotients, roots], ["[2.0, 0.25]", "[1.7320507764816284, 2.0]"]);
    assert!(skipped.contains("skipped: ") && skipped.contains("only one Div or Sqrt"), "{skipped}");
    assert_eq!(ended, "ended with status 0");
    assert_eq!(wrote, "wrote what is no object: b'1\\n'");
}
