"""Conformance of ONNX operators: what Python needs of the tool `onnx-conformance`."""
