//! Backends of ONNX's own Python interface, `onnx.backend.base.Backend`, as adapters.
//!
//! What drives them is part of this program (`adapters/python/onnx_backend.py`), and goes to Python as its argument:
//! there is no file that could be missing, or that the sandbox would have to allow.

use std::path::Path;

use super::{Program, Sandbox};
use crate::foundation::embedded;

/// The modules of the driver, each after those that it imports; the last is the program. The package that they are
/// of is none of them: where it is installed, a backend may import the rest of it.
const MODULES: [&str; 4] = [
    "onnx_conformance.refusal",
    "onnx_conformance.protocol",
    "onnx_conformance.values",
    "onnx_backend",
];

impl Program {
    /// The program that drives a backend, named as `MODULE` or `MODULE:CLASS`, with this Python.
    pub fn onnx_backend(backend: &str, python: &Path) -> Self {
        let arguments = ["-c", &driver(), backend].map(Into::into).to_vec();
        let (path, sandbox) = (python.to_owned(), Sandbox::default());
        Self { path, arguments, folder: None, memory_limit: None, sandbox }
    }
}

/// The driver in one text: its modules by name, and the last of them run.
fn driver() -> String {
    let sources = MODULES.map(|name| {
        let path = format!("adapters/python/{}.py", name.replace('.', "/"));
        let source = embedded::file(&path).unwrap_or_default();
        // A text of JSON is one of Python, too.
        let text = serde_json::Value::from(String::from_utf8_lossy(source)).to_string();
        format!("    (\"{name}\", {text}),\n")
    });
    format!(
        "import sys, types\n\
         for name, source in (\n{}):\n    \
         module = sys.modules[name] = types.ModuleType(name)\n    \
         if name == \"{}\":\n        \
         module.__dict__[\"__name__\"] = \"__main__\"\n    \
         exec(compile(source, name + \".py\", \"exec\"), module.__dict__)\n",
        sources.concat(),
        MODULES[MODULES.len() - 1],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_has_all_its_modules_and_fits_into_an_argument() {
        let driver = driver();
        for part in ["def serve(", "def write_value(", "serve(Runtime(sys.argv[1]"] {
            assert!(driver.contains(part), "{part}");
        }
        // The limit of an argument is 128 kB on Linux, and of a command line 32 kB on Windows.
        assert!(driver.len() < 24 << 10, "{}", driver.len());
    }
}
