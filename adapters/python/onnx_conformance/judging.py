"""Judges what was computed, in Python and in tests: `judge`, and `assert_conforms` for pytest.

The program `onnx-conformance judge` does it, in a process of its own: there is no library to load into this one, no
binary interface to keep, and nothing that a wrong array could crash. A call takes some hundredths of a second.

    import numpy as np
    from onnx_conformance import assert_conforms, judge

    x = np.array([2.0, 4.0], np.float32)
    judgement = judge("sqrt.onnx", {"x": x}, {"y": np.sqrt(x)})
    assert judgement.verdict == "pass"

    def test_sqrt():
        assert_conforms("sqrt.onnx", [x], [my_sqrt(x)])

Arrays are NumPy's; those of types that NumPy lacks, such as bfloat16, are of `ml_dtypes`, or of unsigned integers that
hold their bits. Names are those of the model; a list is in the order of its inputs or outputs. Outputs may have inner
values of the model besides: each node is judged whose inputs and outputs are known.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass, field

__all__ = ["Judgement", "JudgeError", "assert_conforms", "judge"]


class JudgeError(Exception):
    """Nothing could be judged: the model or an array is not what it should be, or the program is not there."""


@dataclass(frozen=True)
class Judgement:
    """What the judge says: `str(judgement)` is it in words."""

    #: `fail` where a node is wrong; `pass` where all that were judged conform; `unsupported` where nothing was judged.
    verdict: str
    #: The name of the first node that is wrong; None where none is.
    first_wrong: str | None
    #: The nodes as `trace.json` has them: `verdict`, `elements`, `judged`, `max_error_ulp`, `share_of_bound`, `worst`.
    nodes: list = field(repr=False)
    #: All of it in words.
    text: str = field(repr=False)

    def __str__(self):
        return self.text

    def __bool__(self):
        return self.verdict == "pass"


def judge(model, inputs, outputs, profile="exact", limits=None):
    """Judges outputs of a model, which is a path, bytes, or an `onnx.ModelProto`.

    `profile` is the name of an accuracy profile or the path of one; `limits` gives element-wise operators another limit in
    ULP, as in `{"Sigmoid": 34}`.
    """
    with tempfile.TemporaryDirectory(prefix="onnx-conformance-") as folder:
        folder = pathlib.Path(folder)
        words = [_program(), "judge", _path_of(model, folder), "--profile", str(profile)]
        for side, arrays, stem in [("inputs", inputs, "input"), ("outputs", outputs, "output")]:
            _write(folder / side, arrays, stem)
            words += [f"--{side}", str(folder / side)]
        for operator, limit in (limits or {}).items():
            words += ["--limit", f"{operator}={limit}"]
        words += ["--out", str(folder / "judged"), "--color", "never"]
        done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode not in (0, 1, 3):
            raise JudgeError(done.stderr.strip() or f"the judge ended with exit code {done.returncode}")
        trace = json.loads((folder / "judged" / "trace.json").read_text(encoding="utf-8"))
    verdict = {0: "pass", 1: "fail", 3: "unsupported"}[done.returncode]
    # Where the files lay says nothing to who reads it.
    text = done.stdout.split("\n\ntrace  ")[0]
    return Judgement(verdict, trace["first_wrong"], trace["nodes"], text)


def assert_conforms(model, inputs, outputs, profile="exact", limits=None):
    """Fails with the judgement in words unless what was computed conforms."""
    __tracebackhide__ = True
    judgement = judge(model, inputs, outputs, profile, limits)
    if judgement.verdict != "pass":
        raise AssertionError(str(judgement))


def _program():
    """The program: the one that ONNX_CONFORMANCE names, that was installed with this package, or on the path."""
    given = os.environ.get("ONNX_CONFORMANCE")
    beside = [sysconfig.get_path("scripts"), str(pathlib.Path(sys.executable).parent)]
    found = given or shutil.which("onnx-conformance", path=os.pathsep.join(beside))
    found = found or shutil.which("onnx-conformance")
    if found is None:
        raise JudgeError("the program onnx-conformance is not installed; `pip install onnx-conformance` does it")
    return found


def _path_of(model, folder):
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    path = folder / "model.onnx"
    path.write_bytes(model if isinstance(model, (bytes, bytearray)) else model.SerializeToString())
    return str(path)


def _write(folder, arrays, stem):
    import numpy

    folder.mkdir()
    if isinstance(arrays, dict):
        named = [(_plain(name), array) for name, array in arrays.items()]
    else:
        named = [(f"{stem}_{place}", array) for place, array in enumerate(arrays)]
    for name, array in named:
        numpy.save(folder / f"{name}.npy", numpy.asarray(array, order="C"), allow_pickle=False)


def _plain(name):
    """A name as a file may have it anywhere."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-._") else "_" for c in name)
