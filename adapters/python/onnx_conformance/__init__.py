"""What Python needs of the tool `onnx-conformance`.

- `backend`: any adapter as a backend of ONNX's own interface
- `protocol`: the adapter's side of the adapter protocol, for a runtime with an interface in Python
- `values`: values in files, from and to NumPy: elements of every type, sequences and optionals
- `refusal`: an orderly refusal of a model or of values
- `judging`: what was computed, judged: `judge`, and `assert_conforms` for tests

`backend` and `values` need `onnx`, `judging` needs NumPy, `protocol` needs Python alone.
"""

__all__ = ["Judgement", "JudgeError", "assert_conforms", "judge"]


def __getattr__(name):
    # Adapters need none of it.
    if name in __all__:
        from . import judging

        return getattr(judging, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
