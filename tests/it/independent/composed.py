"""Holds the expected outputs of own cases against ONNX's evaluator, which is given float64 in the place of every float type.

The first argument is the folder of the suites, the others the operators. Of each case one line is printed: its path, how many elements
agree, how many do not, and why the evaluator refused the case, if it did.
"""

import pathlib
import sys

import numpy
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

# Precision and least exponent of the float types, by their numbers.
FLOATS = {1: (24, -126), 10: (11, -14), 11: (53, -1022), 16: (8, -126)}
DOUBLE = 11


def tensors(folder, kind):
    paths = sorted(folder.glob(f"{kind}_*.pb"), key=lambda path: int(path.stem.split("_")[1]))
    return [onnx.TensorProto.FromString(path.read_bytes()) for path in paths]


def agreeing(expected, dtype, actual):
    """Which elements are the nearest to the evaluator's, or, of float64, next to them."""
    if dtype not in FLOATS:
        return expected == actual
    precision, least = FLOATS[dtype]
    expected, actual = expected.astype(numpy.float64), actual.astype(numpy.float64)
    distance = numpy.abs(expected - actual)
    if dtype == DOUBLE:
        largest = numpy.max(numpy.abs(expected[numpy.isfinite(expected)]), initial=0.0)
        near = distance <= largest * 2.0**-44
    else:
        exponents = numpy.floor(numpy.log2(numpy.maximum(numpy.abs(expected), 2.0**least)))
        near = distance <= 0.5001 * numpy.exp2(exponents - precision + 1)
        beyond = numpy.abs(actual) >= numpy.exp2(-least + 2.0) * (1.0 - 2.0 ** (-precision - 1))
        near |= numpy.isinf(expected) & beyond & (expected * actual > 0)
    return near | (expected == actual) | (numpy.isnan(expected) & numpy.isnan(actual))


def checked(path):
    model = onnx.load(path)
    data = path.parent / "test_data_set_0"
    inputs, outputs = tensors(data, "input"), tensors(data, "output")
    given = [numpy_helper.to_array(tensor) for tensor in inputs]
    given = [
        array.astype(numpy.float64) if tensor.data_type in FLOATS else array
        for tensor, array in zip(inputs, given)
    ]
    for port in [*model.graph.input, *model.graph.output]:
        if port.type.tensor_type.elem_type in FLOATS:
            port.type.tensor_type.elem_type = DOUBLE
    for attribute in model.graph.node[0].attribute:
        # The evaluator names this one type of the stage, and computes in that of the operands.
        if attribute.name == "stash_type":
            attribute.i = 1
    names = [port.name for port in model.graph.input]
    results = ReferenceEvaluator(model).run(None, dict(zip(names, given)))
    right, wrong = 0, 0
    for tensor, result in zip(outputs, results):
        expected, result = numpy_helper.to_array(tensor), numpy.asarray(result)
        if expected.shape != result.shape:
            wrong += max(expected.size, 1)
            continue
        agree = numpy.sum(agreeing(expected, tensor.data_type, result))
        right, wrong = right + agree, wrong + expected.size - agree
    return right, wrong


def main():
    numpy.seterr(all="ignore")
    root, operators = pathlib.Path(sys.argv[1]), sys.argv[2:]
    for path in sorted(root.glob("*/*/*/*/model.onnx")):
        case = path.parent.relative_to(root)
        has_outputs = any((path.parent / "test_data_set_0").glob("output_*.pb"))
        if case.parts[1].split("_")[0] not in operators or not has_outputs:
            continue
        try:
            right, wrong = checked(path)
            print(case.as_posix(), right, wrong, sep="\t")
        except Exception as error:
            print(case.as_posix(), 0, 0, " ".join(str(error).split()), sep="\t")


main()
