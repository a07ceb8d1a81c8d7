"""The adapter's side of the adapter protocol (docs/adapter-protocol.md), for any runtime.

Import this module before the runtime: from then on standard output belongs to the answers, and
whatever a runtime prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Protocol

from onnx_conformance.refusal import Kind, Refused

__all__ = ["Kind", "Model", "Refused", "Runtime", "serve"]

VERSION = 1

# So much of an error's message is passed on, in characters.
MESSAGE_LIMIT = 4000


class Model(Protocol):
    """A model that a runtime has loaded."""

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Runs on the values in the files `inputs` and writes each of the files `outputs`."""


class Runtime(Protocol):
    """A system under test."""

    name: str
    version: str
    details: Mapping[str, str]
    # How the names of model files end that it reads: `.onnx`, `.xml` (OpenVINO's IR).
    formats: Sequence[str]

    def load(self, path: str) -> Model:
        """The model in a file."""

    def refusal(self, error: Exception) -> Refused:
        """What refusal an exception is that came out of `load` or `run`."""


def _take_stdout() -> BinaryIO:
    """What was standard output; file descriptor 1 is standard error from now on."""
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


_ANSWERS = _take_stdout()


def serve(runtime: Runtime) -> None:
    """Answers requests until the end of standard input."""
    # Python shows a warning once in a process: it would depend on what ran before.
    warnings.simplefilter("ignore")
    last = _Last(runtime)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "hello" in request:
            if request["hello"]["protocol"] != VERSION:
                sys.exit(f"this adapter speaks version {VERSION} of the protocol")
            identity = {"name": runtime.name, "version": runtime.version}
            _answer({"backend": identity | {"details": runtime.details}})
        else:
            run = request["run"]
            _answer({"id": run["id"], **last.run(run["model"], run["inputs"], run["outputs"])})


class _Last:
    """The model that ran last, kept for the data sets that follow."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.path: str | None = None
        self.model: Model | None = None

    def run(self, path: str, inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, object]:
        stage = "load"
        try:
            if self.path != path:
                self.path = self.model = None
                if not path.endswith(tuple(self.runtime.formats)):
                    ending = os.path.splitext(path)[1]
                    raise Refused("unsupported", f"{self.runtime.name} reads no {ending} models")
                self.model = self.runtime.load(path)
                self.path = path
            stage = "run"
            self.model.run(inputs, outputs)
        except Exception as error:
            refused = error if isinstance(error, Refused) else self.runtime.refusal(error)
            message = _steady(str(refused), path)
            return {"refused": {"stage": stage, "kind": refused.kind, "message": message}}
        return {"ok": {}}


def _answer(message: Mapping[str, object]) -> None:
    _ANSWERS.write(json.dumps(message).encode() + b"\n")
    _ANSWERS.flush()


def _steady(message: str, model: str) -> str:
    """A message without what differs from run to run, the model's path and addresses, and not
    without end."""
    message = message.replace(model, "model" + os.path.splitext(model)[1])
    message = re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", message).strip()
    return message if len(message) <= MESSAGE_LIMIT else message[:MESSAGE_LIMIT] + " ..."
