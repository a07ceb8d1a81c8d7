//! `onnx_conformance.judge` and `assert_conforms` on NumPy's arrays.

use std::path::Path;
use std::process::Command;

use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::encode_tensor;
use onnx_conformance::tensor::Tensor;
use prost::Message;

use crate::support;
use crate::trace::{Graph, port};

/// What a test of a runtime does; each line that fails says so.
const TESTS: &str = r#"
import sys
import numpy as np
from onnx_conformance import Judgement, JudgeError, assert_conforms, judge

model = sys.argv[1]
x = np.array([2.0, 4.0, -1.0, 0.25], np.float32)
with np.errstate(invalid="ignore"):
    root = np.sqrt(x)

right = judge(model, {"x": x}, {"root": root, "y": root + np.float32(1)})
assert isinstance(right, Judgement) and right and right.verdict == "pass", right
assert right.first_wrong is None and [node["judged"] for node in right.nodes] == [4, 4]
assert "No node is wrong." in str(right) and "trace.json" not in str(right), right

wrong = root.copy()
wrong[1] = np.nextafter(wrong[1], np.float32(3))
judgement = judge(model, [x], {"root": wrong, "y": wrong + np.float32(1)})
assert judgement.verdict == "fail" and not judgement and judgement.first_wrong == "root", judgement
assert judge(model, [x], {"root": wrong, "y": wrong + np.float32(1)}, limits={"Sqrt": 1.5})

# Without what it reads a node is not judged.
assert judge(model, [x], [root]).verdict == "unsupported"

with open(model, "rb") as file:
    assert_conforms(file.read(), [x], {"root": root})
try:
    assert_conforms(model, [x], {"root": wrong})
except AssertionError as error:
    assert "root[1] is 2.0000002" in str(error) and "2 (0x40000000) would be right" in str(error), error
else:
    raise SystemExit("a wrong result conforms")

for arguments in [("nowhere.onnx", [x], [root]), (model, [x.astype(np.float64)], [root]), (model, [], [root])]:
    try:
        judge(*arguments)
    except JudgeError as error:
        assert str(error).startswith("error: "), error
    else:
        raise SystemExit(f"{arguments} is judged")

scalar = np.float32(4)
assert judge(sys.argv[2], {"x": scalar}, {"y": np.float32(2)})
print("done")
"#;

#[test]
fn arrays_are_judged_in_python_and_in_tests_of_runtimes() {
    let Some(python) = support::python("NumPy") else { return };
    let folder = tempfile::tempdir().unwrap();
    let one = Tensor::from_vec(vec![], vec![1.0_f32]).unwrap();
    let mut graph = Graph::default()
        .node("Sqrt", &["x"], "root", &[])
        .node("Add", &["root", "one"], "y", &[])
        .output("y", DType::Float32);
    graph.graph.initializer.push(encode_tensor("one", &one));
    graph.graph.input.push(port("x", DType::Float32, Some(&[4])));
    let path = folder.path().join("model.onnx");
    std::fs::write(&path, graph.model().encode_to_vec()).unwrap();
    let mut scalar = Graph::default().node("Sqrt", &["x"], "y", &[]).output("y", DType::Float32);
    scalar.graph.input.push(port("x", DType::Float32, Some(&[])));
    let second = folder.path().join("scalar.onnx");
    std::fs::write(&second, scalar.model().encode_to_vec()).unwrap();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/python");
    let output = Command::new(python)
        .args(["-c", TESTS])
        .args([path, second])
        .env("PYTHONPATH", package)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("ONNX_CONFORMANCE", env!("CARGO_BIN_EXE_onnx-conformance"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout, b"done\n");
}
