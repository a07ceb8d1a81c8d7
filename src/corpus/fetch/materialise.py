"""Writes the node cases of the installed onnx into a folder, as the releases up to 1.22 shipped them.

    python -I materialise.py FOLDER

The folder gets `node/CASE/model.onnx`, `node/CASE/test_data_set_N/input_K.pb` and `output_K.pb`, a
`data.json` where a case's tolerance is not the default, and the schema in `schema/`. The order of
fields and map entries does not vary from run to run.
"""

import json
import sys
from pathlib import Path
from shutil import copyfile

import onnx
from onnx import OptionalProto, SequenceProto, TensorProto, numpy_helper
from onnx.backend.test.loader import load_model_tests

SCHEMA = ["onnx.proto", "onnx-data.proto", "onnx-ml.proto"]
TOLERANCE = {"rtol": 1e-3, "atol": 1e-7}
ENCODERS = {
    "tensor_type": numpy_helper.from_array,
    "sequence_type": numpy_helper.from_list,
    "optional_type": numpy_helper.from_optional,
    "map_type": numpy_helper.from_dict,
}


def serialised(message):
    return message.SerializeToString(deterministic=True)


def encoded(value, port):
    """The message for a value of a graph's input or output."""
    if isinstance(value, (TensorProto, SequenceProto, OptionalProto)):
        return value
    return ENCODERS[port.type.WhichOneof("value")](value, port.name)


def write_values(folder, kind, values, ports):
    for index, (value, port) in enumerate(zip(values, ports, strict=True)):
        path = folder / f"{kind}_{index}.pb"
        path.write_bytes(serialised(encoded(value, port)))


def write_case(folder, case):
    folder.mkdir()
    (folder / "model.onnx").write_bytes(serialised(case.model))
    tolerance = {"rtol": case.rtol, "atol": case.atol}
    if tolerance != TOLERANCE:
        (folder / "data.json").write_text(json.dumps(tolerance, sort_keys=True), encoding="ascii")
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data_set = folder / f"test_data_set_{number}"
        data_set.mkdir()
        write_values(data_set, "input", inputs, case.model.graph.input)
        write_values(data_set, "output", outputs, case.model.graph.output)


def main():
    root = Path(sys.argv[1])
    schema, node = root / "schema", root / "node"
    schema.mkdir()
    for name in SCHEMA:
        copyfile(Path(onnx.__file__).with_name(name), schema / name)
    node.mkdir()
    for case in load_model_tests(kind="node"):
        if not case.name.isidentifier():
            sys.exit(f"the case's name {case.name!r} is not fit for a folder")
        write_case(node / case.name, case)


main()
