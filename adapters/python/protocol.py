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
from typing import BinaryIO, Literal, Protocol

VERSION = 1

Kind = Literal["unsupported", "invalid", "error"]

# So much of an error's message is passed on, in characters.
_MESSAGE_LIMIT = 4000


class Refused(Exception):
    """An orderly refusal, of a kind that the one who raises it knows."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind


class Model(Protocol):
    """A model that a runtime has loaded."""

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Runs on the values in the files `inputs` and writes each of the files `outputs`."""


class Runtime(Protocol):
    """A system under test."""

    name: str
    version: str
    details: Mapping[str, str]

    def load(self, path: str) -> Model:
        """The model in a file."""

    def kind(self, error: Exception) -> Kind:
        """What kind of refusal an exception of the runtime is."""


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
    loaded: tuple[str, Model] | None = None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if hello := request.get("hello"):
            if hello["protocol"] != VERSION:
                sys.exit(f"this adapter speaks version {VERSION} of the protocol, not {hello}")
            _answer(
                backend={
                    "name": runtime.name,
                    "version": runtime.version,
                    "details": dict(runtime.details),
                }
            )
            continue
        run = request["run"]
        stage = "load"
        try:
            if loaded is None or loaded[0] != run["model"]:
                loaded = None
                loaded = (run["model"], runtime.load(run["model"]))
            stage = "run"
            loaded[1].run(run["inputs"], run["outputs"])
        except Exception as error:
            kind = error.kind if isinstance(error, Refused) else runtime.kind(error)
            refusal = {"stage": stage, "kind": kind, "message": _message(error, run)}
            _answer(id=run["id"], refused=refusal)
        else:
            _answer(id=run["id"], ok={})


def _answer(**members: object) -> None:
    _ANSWERS.write(json.dumps(members).encode() + b"\n")
    _ANSWERS.flush()


def _message(error: Exception, run: Mapping[str, object]) -> str:
    """An error's message without what differs from run to run: temporary paths and addresses."""
    message = str(error)
    if not isinstance(error, Refused):
        message = f"{type(error).__name__}: {message}"
    path = str(run["model"])
    message = message.replace(path, "model" + os.path.splitext(path)[1])
    message = re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", message).strip()
    if len(message) > _MESSAGE_LIMIT:
        message = message[:_MESSAGE_LIMIT] + " ..."
    return message
