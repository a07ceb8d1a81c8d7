"""The official runner's verdict on each of its cases of a kind: lines of `name pass|fail|skip`.

Usage: official_runner.py onnxruntime|onnx-reference KIND
"""

import os
import sys
import unittest

import onnx.backend.base
import onnx.backend.test
from onnx.reference import ReferenceEvaluator


KINDS = {
    "node": "OnnxBackendNodeModelTest",
    "simple": "OnnxBackendSimpleModelTest",
    "pytorch-operator": "OnnxBackendPyTorchOperatorModelTest",
    "pytorch-converted": "OnnxBackendPyTorchConvertedModelTest",
}


class ReferenceBackend(onnx.backend.base.Backend):
    """The ReferenceEvaluator as the official runner asks for it."""

    class Rep(onnx.backend.base.BackendRep):
        def __init__(self, evaluator):
            self.evaluator = evaluator

        def run(self, inputs, **kwargs):
            return self.evaluator.run(None, dict(zip(self.evaluator.input_names, inputs)))

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        return cls.Rep(ReferenceEvaluator(model))


def backend(name):
    if name == "onnx-reference":
        return ReferenceBackend
    import onnxruntime
    import onnxruntime.backend

    onnxruntime.set_default_logger_severity(4)
    return onnxruntime.backend


class Verdicts(unittest.TestResult):
    """Verdicts by name of the case."""

    def __init__(self):
        super().__init__()
        self.verdicts = {}

    def record(self, test, verdict):
        self.verdicts[test.id().rsplit(".", 1)[1].removesuffix("_cpu")] = verdict

    def addSuccess(self, test):
        self.record(test, "pass")

    def addFailure(self, test, err):
        self.record(test, "fail")

    def addError(self, test, err):
        self.record(test, "fail")

    def addSkip(self, test, reason):
        self.record(test, "skip")


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    runner = onnx.backend.test.BackendTest(backend(sys.argv[1]), __name__)
    cases = unittest.defaultTestLoader.loadTestsFromTestCase(
        runner.test_cases[KINDS[sys.argv[2]]]
    )
    result = Verdicts()
    for case in cases:
        if case.id().endswith("_cpu"):
            case.run(result)
    for name, verdict in sorted(result.verdicts.items()):
        print(name, verdict, file=answers)


if __name__ == "__main__":
    main()
