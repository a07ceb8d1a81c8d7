"""Gathers seeds for the fuzz targets into fuzz/corpus: files of the suites, of the fetched corpora
where there are any, the catalogues, lines of the adapter protocol, and documents that the tool
writes. Run in the root of the checkout: `python3 fuzz/seeds.py`."""

import fnmatch
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Large seeds make slow executions; what large ones hold, small ones hold as well.
LARGEST = 4096


def seed(target, data):
    folder = ROOT / "fuzz/corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def files(folder, pattern, largest=LARGEST):
    for path in sorted((ROOT / folder).rglob(pattern)):
        if path.is_file() and path.stat().st_size <= largest:
            yield path.read_bytes()
    for path in sorted((ROOT / folder).rglob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                name = pathlib.PurePath(member.filename).name
                if fnmatch.fnmatch(name, pattern) and member.file_size <= largest:
                    yield archive.read(member)


def tool(*arguments):
    done = subprocess.run(["cargo", "run", "--quiet", "--", *arguments], cwd=ROOT,
                          stdout=subprocess.DEVNULL)
    # Where nothing was compared (3), there is a document all the same.
    if done.returncode not in (0, 3):
        raise SystemExit(f"failed: {arguments}")


def documents():
    with tempfile.TemporaryDirectory() as out:
        for name, case in [("pass", "sqrt/float32/example_1"), ("none", "div/int32/.*zero.*")]:
            tool("run", "--suite", "sonnx", "--filter", f"^sonnx/{case}$", "--out", f"{out}/{name}")
        for operator, dtype in [("Div", "int8"), ("Sqrt", "float16")]:
            folder = f"{out}/{operator}"
            tool("campaign", "--op", operator, "--type", dtype, "--out", folder)
        tool("scoreboard", f"{out}/pass/report.json", f"{out}/none/report.json", "--out",
             f"{out}/board")
        for path in sorted(pathlib.Path(out).rglob("*.json")):
            yield path.read_bytes()
    baseline = json.loads((ROOT / "reports/baseline/sonnx.json").read_text())
    case = baseline["cases"][0]
    baseline["cases"] = [case]
    elements = sum(output["elements"] for output in case["outputs"])
    for member in baseline["summary"]:
        baseline["summary"][member] = int(member in ("cases", case["verdict"]))
    baseline["summary"]["elements_compared"] = elements
    yield json.dumps(baseline).encode()


def main():
    for pattern in ("*.pb", "model.onnx"):
        for folder in ("testdata/suites", "testdata/corpora/onnx-1.22.0"):
            for data in files(folder, pattern):
                seed("protobuf", data)
    for data in files("testdata/suites", "model.xml"):
        seed("openvino_ir", data)
    for kind, folder, pattern in [
        (b"r", "crates/reference/src/operators", "*.toml"),
        (b"p", "crates/judge/profiles", "*.toml"),
        (b"e", "testdata/expectations", "*.toml"),
        (b"l", "testdata/locks", "onnx-1.1.2.toml"),
        (b"b", "adapters", "backends.toml"),
        (b"m", "testdata/suites", "case.json"),
        (b"t", "testdata/corpora", "data.json"),
    ]:
        for data in files(folder, pattern, largest=1 << 16):
            seed("catalogues", kind + data)
    for text in ('{"rtol": 1e-3, "atol": 0, "model_name": "m"}', "{}"):
        seed("catalogues", b"t" + text.encode())
    told = (ROOT / "docs/adapter-protocol.md").read_text()
    for line in re.findall(r"^(?:<- |-> )?(\{\".*\})$", told, re.MULTILINE):
        seed("adapter_lines", line.encode() + b"\n")
    for line in (
        '{"backend":{"name":"n","version":"1","details":{"k":"v"}}}',
        '{"id":1,"ok":{}}',
        '{"id":2,"refused":{"stage":"load","kind":"unsupported","message":"no Abs"}}',
        '{"run":{"id":3,"model":"/m.onnx","inputs":["/i"],"outputs":["/o"]}}',
    ):
        seed("adapter_lines", line.encode() + b"\n")
    for data in documents():
        seed("documents", data)
    # Edits of true campaigns and of a true pack: of each kind, which document, how many, what and where.
    for kind in range(12):
        for place in range(0, 250, 50):
            edit = bytes([kind * 21, 0, 0, 0, place, kind, place, 1, 0x80, 0, 0, 0]) * 4
            seed("campaign", bytes([place, 0, kind * 21]) + edit)
            seed("pack", bytes([kind % 2, place]) + edit)
    # What was found before comes first of all.
    for path in sorted((ROOT / "testdata/malformed").rglob("*")):
        if path.is_file() and path.parent.name != "malformed":
            seed(path.parent.name, path.read_bytes())


if __name__ == "__main__":
    main()
