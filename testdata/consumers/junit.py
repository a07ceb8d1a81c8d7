"""Prints what junitparser reads of a junit.xml: the counts of its suites, and of its cases by their result."""

import json
import sys

import junitparser

xml = junitparser.JUnitXml.fromfile(sys.argv[1])
kinds = {"Failure": "failures", "Error": "errors", "Skipped": "skipped"}
stated = dict.fromkeys(["tests", "failures", "errors", "skipped"], 0)
counted = dict(stated)
for suite in xml:
    for name in stated:
        stated[name] += getattr(suite, name)
    for case in suite:
        counted["tests"] += 1
        for result in case.result:
            counted[kinds[type(result).__name__]] += 1
whole = {name: getattr(xml, name) for name in stated}
print(json.dumps({"whole": whole, "stated": stated, "counted": counted}))
