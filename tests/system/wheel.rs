//! The wheel, as pip leaves it in an environment that had nothing: the program, and the Python package beside it. The
//! gate makes both and names the environment in `ONNX_CONFORMANCE_INSTALLED`; skipped where there is none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::verdict::Verdict;
use tempfile::TempDir;

/// An adapter that gives back what it gets.
const ECHO: &str = r#"
from onnx_conformance.protocol import Refused, serve
import onnx
from onnx_conformance.values import kinds_of, read_value, write_value

class Model:
    def __init__(self, path):
        self.kinds = [kinds_of(port.type) for port in onnx.load(path).graph.input]

    def run(self, inputs, outputs):
        for kinds, source, target in zip(self.kinds, inputs, outputs, strict=True):
            write_value(target, read_value(source, kinds), kinds)

class Runtime:
    name, version, details, formats, load = "echo", "1", {}, [".onnx"], Model

    def refusal(self, error):
        return Refused("error", str(error))

serve(Runtime())
"#;

/// Sends values of all kinds through it, by the interface of ONNX's own test suite. The elements are bits; every
/// type of ONNX takes part, those that ONNX may add included.
const ASKING: &str = r#"
import sys
import numpy as np
import onnx.helper as h
from onnx import TensorProto as T
from onnx_conformance import backend, values

asked = backend.adapter([sys.executable, "echo.py"])

def echoed(kind, value):
    ports = [[h.make_value_info(name, kind)] for name in "ab"]
    return asked.run_model(h.make_model(h.make_graph([], "g", *ports)), [value])[0]

PACKED = {"INT4": 4, "UINT4": 4, "FLOAT4E2M1": 4, "INT2": 2, "UINT2": 2, "FLOAT6E2M3": 6, "FLOAT6E3M2": 6}
for name, code in T.DataType.items():
    if name == "UNDEFINED":
        continue
    if name == "STRING":
        tensor = T(dims=[2], data_type=code, string_data=[b"", "\u00e4".encode()])
    else:
        bits = PACKED.get(name, h.tensor_dtype_to_np_dtype(code).itemsize * 8)
        data = bytes((37 * at + 129) % 256 for at in range(-(-5 * bits // 8)))
        if name in PACKED:
            data = data[:-1] + bytes([data[-1] & (1 << 5 * bits % 8) - 1])
        tensor = T(dims=[5], data_type=code, raw_data=b"\1\0\0\1\1" if name == "BOOL" else data)
    array = values.decode(tensor.SerializeToString(), ("tensor",))
    result = echoed(h.make_tensor_type_proto(code, [len(array)]), array)
    back = T.FromString(values.encode(result, ("tensor",)))
    assert result.dtype == array.dtype, name
    assert (back.data_type, back.raw_data) == (code, tensor.raw_data), name
    assert list(back.string_data) == list(tensor.string_data), name
    print(name)

numbers = h.make_tensor_type_proto(T.FLOAT, None)
sequence = h.make_sequence_type_proto(numbers)
two = [np.float32([1, -0.0]), np.float32([[2]])]
for kind, value in (
    (sequence, two),
    (sequence, []),
    (h.make_sequence_type_proto(sequence), [two, [], two]),
    (h.make_optional_type_proto(numbers), two[0]),
    (h.make_optional_type_proto(sequence), two),
    (h.make_optional_type_proto(sequence), None),
):
    assert repr(echoed(kind, value)) == repr(value), value
try:
    echoed(h.make_map_type_proto(T.INT64, numbers), {})
except Exception as error:
    print(type(error).__name__)
try:
    echoed(sequence, "no sequence")
except ValueError as error:
    print(error)
"#;

/// An environment with the wheel, and an empty folder to use it in.
struct User {
    environment: PathBuf,
    folder: TempDir,
}

impl User {
    fn new() -> Option<Self> {
        let Some(environment) = std::env::var_os("ONNX_CONFORMANCE_INSTALLED") else {
            eprintln!("SKIPPED: ONNX_CONFORMANCE_INSTALLED names no environment with the wheel");
            return None;
        };
        let environment = Path::new(env!("CARGO_MANIFEST_DIR")).join(environment);
        Some(Self { environment, folder: tempfile::tempdir().unwrap() })
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.folder.path().join(name), content).unwrap();
    }

    /// A program of the environment, with nothing of the checkout in reach.
    fn asks(&self, program: &str, arguments: &[&str]) -> Output {
        let home = self.folder.path().join("home");
        Command::new(self.environment.join("bin").join(program))
            .args(arguments)
            .current_dir(&self.folder)
            .env_remove("PYTHONPATH")
            .env("ONNX_CONFORMANCE_HOME", home)
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    }

    /// The cases of Div in which a backend of `docs/own-runtime.md` fails; all others pass or are out of its domain.
    fn failures(&self, source: &str) -> Vec<String> {
        self.write("my_runtime.py", source);
        let python = self.environment.join("bin/python");
        let run = ["run", "--suite", "sonnx", "--op", "Div", "--filter", "/int8/|/float32/"];
        let backend = ["--onnx-backend", "my_runtime:MyRuntime", "--python"];
        let place = [python.to_str().unwrap(), "--out", "out"];
        let output = self.asks("onnx-conformance", &[&run[..], &backend, &place].concat());
        let report = Report::read(&self.folder.path().join("out/report.json")).unwrap();
        let of = |verdict| {
            let cases = report.cases.iter().filter(move |case| case.verdict == verdict);
            cases.map(|case| case.id.clone()).collect::<Vec<_>>()
        };
        let failures = of(Verdict::Fail);
        let (passes, outside) = (of(Verdict::Pass).len(), of(Verdict::OutOfDomain).len());
        assert!(passes > 50, "{}", told(&output));
        assert_eq!(passes + outside + failures.len(), report.cases.len(), "{}", told(&output));
        let code = i32::from(!failures.is_empty());
        assert_eq!(output.status.code(), Some(code), "{}", told(&output));
        failures
    }
}

fn told(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

#[test]
fn the_wheel_has_the_program_and_the_package_in_its_version() {
    let Some(user) = User::new() else { return };
    let output = user.asks("onnx-conformance", &["--version"]);
    let version = env!("CARGO_PKG_VERSION");
    let begins = told(&output).starts_with(&format!("onnx-conformance {version}"));
    assert!(output.status.success() && begins, "{}", told(&output));
    let asking = "import importlib.metadata as m, onnx_conformance as c; \
                  print(m.version('onnx-conformance'), c.__file__)";
    let output = user.asks("python", &["-c", asking]);
    let places = told(&output);
    let of_environment = places.contains(user.environment.to_str().unwrap());
    assert!(places.starts_with(version) && of_environment, "{places}");
}

/// It rounds quotients of integers down, which the page says and corrects.
#[test]
fn the_defect_of_the_runtime_in_the_book_is_found_and_goes_with_its_correction() {
    let Some(user) = User::new() else { return };
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own-runtime.md"));
    let page = page.unwrap();
    let block = |start: &str| {
        let (_, after) = page.split_once(start).unwrap();
        after.split_once("```").unwrap().0
    };
    let runtime = block("```python\nimport numpy as np\n");
    let runtime = format!("import numpy as np\n{runtime}");
    let [wrong, right] = ["a // b", "(a - np.fmod(a, b)) // b"];
    assert!(runtime.contains(wrong) && page.contains(right));
    let failures = user.failures(&runtime);
    assert!(failures.len() > 3 && failures.iter().all(|id| id.contains("/int8/")), "{failures:?}");
    assert!(failures.contains(&"sonnx/div/int8/example_1".to_owned()), "{failures:?}");
    assert_eq!(user.failures(&runtime.replace(wrong, right)), [""; 0]);
}

#[test]
fn values_of_every_type_and_kind_go_through_an_adapter_as_a_backend_of_onnx() {
    let Some(user) = User::new() else { return };
    user.write("echo.py", ECHO);
    user.write("asking.py", ASKING);
    let output = user.asks("python", &["asking.py"]);
    assert!(output.status.success(), "{}", told(&output));
    let told = told(&output);
    let lines: Vec<_> = told.lines().collect();
    let [types @ .., mapped, no_sequence] = &lines[..] else { panic!("{told}") };
    assert!(
        types.len() >= 25 && types.contains(&"INT2") && types.contains(&"FLOAT8E8M0"),
        "{told}"
    );
    assert_eq!(*mapped, "BackendIsNotSupposedToImplementIt");
    assert_eq!(
        *no_sequence,
        "an input is no sequence of tensor: the runtime gave a str for a sequence"
    );
}
