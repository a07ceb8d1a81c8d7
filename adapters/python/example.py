"""NumPy's division and square root behind the adapter protocol: a complete adapter."""

import json
import os
import sys

# Standard output is for answers alone; whatever else is printed goes to standard error.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import numpy as np
import onnx
from onnx.numpy_helper import from_array, to_array

FUNCTIONS = {"Div": lambda a, b: a // b if a.dtype.kind in "iu" else a / b, "Sqrt": np.sqrt}


def load(path):
    if not path.endswith(".onnx"):
        raise NotImplementedError("only ONNX models are read")
    graph = onnx.load(path).graph
    for node in graph.node:
        if len(graph.node) > 1 or node.domain or node.op_type not in FUNCTIONS or node.attribute:
            raise NotImplementedError("only one Div or Sqrt without attributes is computed")
    return graph


def run(request):
    stage = "load"
    try:
        graph = load(request["model"])
        stage = "run"
        values = {tensor.name: to_array(tensor) for tensor in graph.initializer}
        names = [port.name for port in graph.input if port.name not in values]
        values |= {n: to_array(onnx.load_tensor(p)) for n, p in zip(names, request["inputs"])}
        operands = [values[name] for name in graph.node[0].input]
        result = np.asarray(FUNCTIONS[graph.node[0].op_type](*operands))
        onnx.save_tensor(from_array(result), request["outputs"][0])
        return {"id": request["id"], "ok": {}}
    except Exception as error:
        kind = "unsupported" if isinstance(error, NotImplementedError) else "error"
        refused = {"stage": stage, "kind": kind, "message": f"{type(error).__name__}: {error}"}
        return {"id": request["id"], "refused": refused}


np.seterr(all="ignore")
hello = {"backend": {"name": "numpy", "version": np.__version__, "details": {}}}
for request in map(json.loads, sys.stdin):
    answer = run(request["run"]) if "run" in request else hello
    print(json.dumps(answer), file=answers, flush=True)
