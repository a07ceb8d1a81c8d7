"""What Python needs of the tool `onnx-conformance`.

- `backend`: any adapter as a backend of ONNX's own interface
- `protocol`: the adapter's side of the adapter protocol, for a runtime with an interface in Python
- `values`: values in files, from and to NumPy: elements of every type, sequences and optionals
- `refusal`: an orderly refusal of a model or of values

`backend` and `values` need `onnx`, `protocol` needs Python alone.
"""
