"""An orderly refusal of a model or of values."""

from __future__ import annotations

from typing import Literal

Kind = Literal["unsupported", "invalid", "error"]


class Refused(Exception):
    """An orderly refusal."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind
