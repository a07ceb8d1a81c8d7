"""An adapter of onnx-conformance as a backend of ONNX's own interface, `onnx.backend.base.Backend`.

With it whatever speaks the adapter protocol (docs/adapter-protocol.md) takes part where such backends do: in the
official test suite of ONNX, and on its scoreboard.

    import onnx.backend.test
    from onnx_conformance.backend import adapter

    backend_test = onnx.backend.test.BackendTest(adapter("path/to/my-adapter --option"), __name__)
    globals().update(backend_test.enable_report().test_cases)

The module itself is a backend, too: of the command in the environment variable `ONNX_CONFORMANCE_ADAPTER`.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import shlex
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from onnx import ModelProto, load_model_from_string
from onnx.backend.base import Backend, BackendRep

from onnx_conformance import refusal
from onnx_conformance.values import Kinds, decode, encode, kinds_of

VERSION = 1

# Where the command stands that the module itself is a backend of.
VARIABLE = "ONNX_CONFORMANCE_ADAPTER"

# Seconds that an adapter has to introduce itself, and to answer.
TIMEOUT = 60.0


class AdapterError(RuntimeError):
    """The adapter refused, ended, was too late, or broke the protocol."""


class Refused(AdapterError):
    """The adapter refused a model or its inputs: `kind` is `invalid` or `error`."""

    def __init__(self, stage: str, kind: str, message: str) -> None:
        super().__init__(f"{stage}: {kind}: {message}")
        self.stage, self.kind = stage, kind


def adapter(command: str | Sequence[str], timeout: float = TIMEOUT) -> type[Backend]:
    """The backend that an adapter's command makes; its words are split as a shell would."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise ValueError("the adapter's command is empty")
    process = _Process(words, timeout)

    class AdapterBackend(Backend):
        """A backend behind the adapter protocol."""

        @classmethod
        def prepare(cls, model: ModelProto | bytes, device: str = "CPU", **_: Any) -> BackendRep:
            return _Prepared(process, model)

        @classmethod
        def supports_device(cls, device: str) -> bool:
            return device == "CPU"

    return AdapterBackend


class _Prepared(BackendRep):
    """A model, which the adapter loads when it runs."""

    def __init__(self, process: _Process, model: ModelProto | bytes) -> None:
        self.process = process
        if isinstance(model, bytes):
            model = load_model_from_string(model)
        self.model = model.SerializeToString()
        initialisers = {tensor.name for tensor in model.graph.initializer}
        initialisers |= {sparse.values.name for sparse in model.graph.sparse_initializer}
        self.inputs = [port for port in model.graph.input if port.name not in initialisers]
        self.outputs = list(model.graph.output)

    def run(self, inputs: Any, **_: Any) -> tuple[Any, ...]:
        values = [inputs[port.name] for port in self.inputs] if isinstance(inputs, dict) else inputs
        if len(values) > len(self.inputs):
            raise ValueError(f"{len(values)} inputs for {len(self.inputs)}")
        kinds = [kinds_of(port.type) for port in self.inputs]
        contents = [_encoded(*pair) for pair in zip(values, kinds, strict=False)]
        kinds = [kinds_of(port.type) for port in self.outputs]
        for of in kinds:
            _exchanged(of)
        results = self.process.run(self.model, contents, len(kinds))
        return tuple(_decoded(*pair) for pair in zip(results, kinds, strict=True))


def _exchanged(kinds: Kinds) -> None:
    """Values of other kinds do not go through the protocol."""
    for kind in kinds:
        if kind not in ("tensor", "sequence", "optional"):
            raise _not_supposed(f"the adapter protocol has no {kind} values")


def _encoded(value: Any, kinds: Kinds) -> bytes:
    _exchanged(kinds)
    try:
        return encode(np.asarray(value) if kinds == ("tensor",) else value, kinds)
    except refusal.Refused as refused:
        raise ValueError(f"an input is no {' of '.join(kinds)}: {refused}") from refused


def _decoded(content: bytes, kinds: Kinds) -> Any:
    try:
        return decode(content, kinds)
    except refusal.Refused as refused:
        raise AdapterError(f"the adapter wrote no {' of '.join(kinds)}: {refused}") from refused


def _not_supposed(message: str) -> Exception:
    """What the official runner counts as not implemented, and skips."""
    # It imports pytest, which only those have who run tests.
    from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

    return BackendIsNotSupposedToImplementIt(message)


class _Process:
    """The adapter's process, started when it is first needed, and anew after it broke."""

    def __init__(self, words: list[str], timeout: float) -> None:
        self.words, self.timeout = words, timeout
        self.child: subprocess.Popen[bytes] | None = None
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.next = 0
        self.lock = threading.Lock()
        atexit.register(self.end)

    def run(self, model: bytes, inputs: Sequence[bytes], outputs: int) -> list[bytes]:
        """The contents of the outputs' files, for those of the model's and the inputs'."""
        with self.lock, tempfile.TemporaryDirectory(prefix="onnx-conformance-") as folder:
            self._start()
            path = os.path.join(folder, "model.onnx")
            ports = [os.path.join(folder, f"input_{at}.pb") for at in range(len(inputs))]
            for file, content in zip([path, *ports], [model, *inputs], strict=True):
                with open(file, "xb") as opened:
                    opened.write(content)
            results = [os.path.join(folder, f"output_{at}.pb") for at in range(outputs)]
            number, self.next = self.next, self.next + 1
            request = {"id": number, "model": path, "inputs": ports, "outputs": results}
            answer = self._ask({"run": request})
            if answer.get("id") != number or not {"ok", "refused"} & answer.keys():
                self._fail(f"answered {answer} to request {number}")
            if "refused" in answer:
                refused = answer["refused"]
                if refused["kind"] == "unsupported":
                    raise _not_supposed(refused["message"])
                raise Refused(refused["stage"], refused["kind"], refused["message"])
            return [_content(file) for file in results]

    def _start(self) -> None:
        if self.child is not None and self.child.poll() is None:
            return
        self.end()
        self.child = subprocess.Popen(
            self.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=os.name == "posix",
        )
        self.answers, self.next = queue.Queue(), 0
        reading = (self.child.stdout, self.answers)
        threading.Thread(target=_read_lines, args=reading, daemon=True).start()
        greeting = self._ask({"hello": {"protocol": VERSION}})
        if "backend" not in greeting:
            self._fail(f"introduced itself as {greeting}")

    def _ask(self, request: dict[str, object]) -> dict[str, Any]:
        assert self.child is not None and self.child.stdin is not None
        try:
            self.child.stdin.write(json.dumps(request).encode() + b"\n")
            self.child.stdin.flush()
        except OSError:
            pass  # What it wrote before it closed its input, or how it ended, tells more.
        try:
            line = self.answers.get(timeout=self.timeout)
        except queue.Empty:
            self._fail(f"did not answer within {self.timeout} s")
        if not line:
            try:
                self._fail(f"ended with status {self.child.wait(timeout=1)}")
            except subprocess.TimeoutExpired:
                self._fail("closed its standard output")
        try:
            answer = json.loads(line)
        except ValueError:
            self._fail(f"wrote what is no JSON: {line[:200]!r}")
        if not isinstance(answer, dict):
            self._fail(f"wrote what is no object: {line[:200]!r}")
        return answer

    def _fail(self, what: str) -> NoReturn:
        self.end()
        raise AdapterError(f"the adapter `{shlex.join(self.words)}` {what}")

    def end(self) -> None:
        """Ends the process, and what it has started."""
        child, self.child = self.child, None
        if child is None:
            return
        if child.stdin is not None:
            try:
                child.stdin.close()
            except OSError:
                pass
        try:
            child.wait(timeout=1)
        except subprocess.TimeoutExpired:
            if os.name == "posix":
                os.killpg(child.pid, 9)
            else:
                child.kill()
            child.wait()


def _read_lines(source: Any, answers: queue.Queue[bytes]) -> None:
    for line in source:
        answers.put(line)
    answers.put(b"")


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except FileNotFoundError as error:
        raise AdapterError(f"the adapter did not write {os.path.basename(file)}") from error


_of_environment: type[Backend] | None = None


def _default() -> type[Backend]:
    global _of_environment
    if _of_environment is None:
        command = os.environ.get(VARIABLE)
        if not command:
            raise AdapterError(f"name the adapter's command in the environment variable {VARIABLE}")
        _of_environment = adapter(command)
    return _of_environment


def prepare(model: ModelProto | bytes, device: str = "CPU", **options: Any) -> BackendRep:
    """A model for the adapter in `ONNX_CONFORMANCE_ADAPTER`."""
    return _default().prepare(model, device, **options)


def run_model(model: ModelProto, inputs: Any, device: str = "CPU", **options: Any) -> tuple[Any, ...]:
    """The outputs of a model by the adapter in `ONNX_CONFORMANCE_ADAPTER`."""
    return _default().run_model(model, inputs, device, **options)


def supports_device(device: str) -> bool:
    """Whether a device is there: an adapter chooses its own, and is asked as `CPU`."""
    return device == "CPU"
