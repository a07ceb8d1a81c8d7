// Every document that was made is valid by the committed schemas, to a JSON Schema implementation in another language.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { made, root } from "./made.mjs";

const SCHEMAS = join(root, "reports/schema");
const BASELINE = join(root, "reports/baseline");
const COMMITTED = [BASELINE, join(root, "reports/qualification")];

const json = (path) => JSON.parse(readFileSync(path, "utf8"));

// Widths and signs of integers are no formats of JSON Schema's own, but of the generator's.
const formats = Object.fromEntries(["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64", "double"].map((name) => [name, true]));

const under = (folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
const documents = [made, ...COMMITTED].flatMap(under).filter((path) => path.endsWith(".json"));

/** The documents of a kind, which are named after it, or lie in a folder that is; those of sites say it. */
function documentsOf(kind) {
  if (kind.startsWith("site")) return documents.filter((path) => json(path).kind === kind);
  const own = kind.replace(/^evidence-/, "");
  return documents.filter((path) =>
    path.startsWith(BASELINE)
      ? kind === "baseline"
      : basename(path, ".json") === own || basename(dirname(path)) === `${own}s`);
}

for (const file of readdirSync(SCHEMAS)) {
  const kind = basename(file, ".schema.json");
  describe(`the schema of a ${kind}`, () => {
    const schema = json(join(SCHEMAS, file));
    const validate = new Ajv2020({ allErrors: true, strict: true, formats }).compile(schema);
    const errors = (document) => (validate(document) ? [] : validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`));

    for (const path of documentsOf(kind)) {
      it(`accepts ${path.slice(root.length + 1)}`, () => assert.deepEqual(errors(json(path)), []));
    }

    it("refuses a member that is missing, one too many, and another version", () => {
      // Of messages the first one of a run has the version.
      const valid = documentsOf(kind).map(json).find((document) => "format_version" in document);
      assert.ok(valid, `nothing of the kind ${kind} was made`);
      const { format_version: value, ...others } = valid;
      assert.equal(Object.keys(valid).find((name) => name !== "event"), "format_version");
      assert.notDeepEqual(errors(others), []);
      assert.notDeepEqual(errors({ ...valid, extra: 1 }), []);
      assert.notDeepEqual(errors({ ...valid, format_version: value + 1 }), []);
    });
  });
}
