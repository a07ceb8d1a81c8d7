"""Reads a pack's statement and list of dependencies with tools that are not this project's.

Prints `ok` where both take them; ends with an error where one does not.
"""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement

pack = Path(sys.argv[1])

statement = json.loads((pack / "statement.json").read_text())
read = json_format.ParseDict(statement, statement_pb2.Statement())
Statement.copy_from_pb(read).validate()
if read.predicate_type != "https://in-toto.io/attestation/test-result/v0.1":
    sys.exit(f"the predicate is a {read.predicate_type}")
result = json_format.ParseDict(statement["predicate"], test_result_pb2.TestResult())
if result.result not in ("PASSED", "WARNED", "FAILED") or not result.configuration:
    sys.exit(f"the predicate is no test result: {result}")

bom = (pack / "tool" / "sbom.cdx.json").read_text()
if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(bom):
    sys.exit(f"the list of dependencies is not valid: {error}")
print("ok")
