// Makes the pages and documents that the tests read, with the tool itself.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { made, root } from "./made.mjs";
import { model } from "./model.mjs";

const PARROT = "node tests/browser/parrot.mjs";

/** Runs the tool from the root of the checkout, and gives what it prints; some runs are meant to find failures. */
function tool(...words) {
  const command = ["run", "--quiet", "--locked", "--", ...words];
  try {
    return execFileSync("cargo", command, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw new Error(`\`cargo ${command.join(" ")}\` ended with ${error.status}: ${error.stderr}`);
  }
}

const out = (name) => ["--out", join(made, name)];
const document = (name) => join(made, name, "report.json");

/** A matrix of the requirements that something names, and of a few others: all of them make a page of megabytes. */
function cutMatrix(whole, cut) {
  const matrix = JSON.parse(readFileSync(join(made, whole, "matrix.json"), "utf8"));
  const isNamed = ({ cases, campaigns }) => cases.length + campaigns.length > 0;
  const others = matrix.requirements.filter((one) => !isNamed(one));
  const few = new Set(["uncovered", "untestable"].flatMap((wanted) => others.filter(({ status }) => status === wanted).slice(0, 20)));
  const sqrt = others.filter(({ id }) => /SQRT/.test(id)).slice(0, 20);
  matrix.requirements = matrix.requirements.filter((one) => isNamed(one) || few.has(one) || sqrt.includes(one));
  const kept = new Set(matrix.requirements.map(({ id }) => id));
  const page = readFileSync(join(made, whole, "matrix.html"), "utf8")
    .replace(/<article id="([^"]*)"><p class="verdict[^]*?<\/article>\n*/g, (article, id) => (kept.has(id) ? article : ""))
    .replace(/<section class="document"((?!<article)[^])*?<\/section>\n*/g, "");
  mkdirSync(join(made, cut));
  writeFileSync(join(made, cut, "matrix.json"), JSON.stringify(matrix));
  writeFileSync(join(made, cut, "matrix.html"), page);
}

/** Beside a pack's page of a thousand defects, one of every tenth: a page of megabytes takes minutes to look at. */
function cutQualification(folder) {
  const path = (file) => join(made, folder, "qualification", file);
  const document = JSON.parse(readFileSync(path("qualification.json"), "utf8"));
  document.defects = document.defects.reverse().filter((_, at) => at % 10 === 0).reverse();
  const kept = new Set(document.defects.map(({ id }) => id));
  const few = (part, id) => (kept.has(id) ? part : "");
  const page = readFileSync(path("qualification.html"), "utf8")
    .replace(/<tr id="row-([^"]*)"[^]*?<\/tr>\n*/g, few)
    .replace(/<article id="defect-([^"]*)"[^]*?<\/article>\n*/g, few);
  writeFileSync(path("few.json"), JSON.stringify(document));
  writeFileSync(path("few.html"), page);
}

rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });

// A few cases with every verdict.
const FEW = "/(div/int8|(div|sqrt)/float16)/.*(flow|normal_by|exact|example|by_minus|nan_by_zero|ties)";
const few = ["run", "--suite", "sonnx", "--filter", FEW];
tool(...few, ...out("builtin"));
tool(...few, ...out("moody"), "--adapter", `${PARROT} moody`, "--timeout", "2", "--expectations", "tests/browser/known.toml");
tool("scoreboard", document("builtin"), document("moody"), ...out("scoreboard"));

// The history of two backends, one of which got moody.
tool(...few, ...out("parrot"), "--adapter", PARROT);
const earlier = JSON.parse(readFileSync(document("parrot"), "utf8"));
earlier.provenance.clock = "2026-01-01T00:00:00Z";
writeFileSync(document("parrot"), JSON.stringify(earlier));
tool("site", document("moody"), document("builtin"), document("parrot"), ...out("site"));

mkdirSync(join(made, "messages"));
const lines = tool(...few, "--message-format", "json", ...out("told")).trimEnd().split("\n");
lines.forEach((line, at) => writeFileSync(join(made, "messages", `${at}.json`), line));

// All cases of the tool's own, and thousands that failed.
tool("run", "--own", "--suite", "onnx", "--suite", "sonnx", "--suite", "sonnx-draft", "--suite", "openvino", ...out("all"));
tool("run", "--suite", "sonnx", "--suite", "sonnx-draft", "--suite", "openvino", ...out("all-wrong"), "--adapter", PARROT);
// The text is edited, as numbers beyond 2^53 would not survive being read.
const whole = readFileSync(document("all"), "utf8");
const others = ["second", "third", "fourth"].map((name) => {
  mkdirSync(join(made, name));
  writeFileSync(document(name), whole.replace(/("backend": \{\s*"name": ")[^"]*/, `$1${name}`));
  return document(name);
});
tool("scoreboard", document("all"), ...others, document("all-wrong"), ...out("scoreboard-all"));

// Sums of one operator.
tool("sums", "--op", "ReduceSum", "--type", "bfloat16", ...out("sums"));

// Campaigns that find nothing, and much.
tool("campaign", "--op", "Sqrt", "--type", "float16", ...out("campaign"));
tool("campaign", "--op", "Div", "--type", "int8", "--adapter", PARROT, ...out("campaign-wrong"));
tool("campaign", "--op", "Div", "--type", "float32", "--strategy", "stratified", "--count", "20", "--adapter", PARROT, ...out("campaign-parts"));

// An atlas, with a row of nothing but errors.
tool("atlas", "--op", "Exp,Sigmoid", "--type", "float16", ...out("atlas-builtin"));
tool("atlas", "--op", "Div,Exp", "--type", "int8", "--adapter", PARROT, ...out("atlas-wrong"));
tool("merge", join(made, "atlas-builtin/atlas.json"), join(made, "atlas-wrong/atlas.json"), ...out("atlas"));

// The trace of a model that is wrong in most of its nodes.
writeFileSync(join(made, "model.onnx"), model());
tool("trace", join(made, "model.onnx"), "--input", "x=uniform(1,2)", ...out("trace"), "--adapter", `${PARROT} moody`);

// What there is to know of that model's uses of operators.
tool("inspect", join(made, "model.onnx"), ...out("inspect"));

// What speaks for the requirements, with pages to link to; and a pack of it all.
const parrots = ["--report", document("moody"), "--campaign", join(made, "campaign-wrong"), join(made, "campaign-parts")];
tool("matrix", ...parrots, ...out("matrix-all"));
cutMatrix("matrix-all", "matrix");
tool("spec-check", "--json", join(made, "findings.json"));
tool("audit", "--corpus", "testdata/suites/onnx", "--filter", "exp", ...out("audit"));
tool("evidence", ...parrots, ...out("evidence"));
cutQualification("evidence");
