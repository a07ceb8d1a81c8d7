// An adapter that computes nothing: it gives back the first operand of every model, whatever the model says. With it the
// pages have something to show that is wrong. `parrot.mjs moody` also refuses, dies, hangs and babbles, by
// the name of the case, which is the last part of the graph's name.

import { copyFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const moody = process.argv[2] === "moody";

/** What a page must show as the text that it is. */
const HOSTILE = [
  `<script>document.title = "taken"</script><img src="https://example.invalid/x">`,
  `"quoted" 'twice' &amp; \u202egnp.exe and a word of a hundred letters: ${"m".repeat(100)}`,
].join("\n");

const moods = {
  subnormal_by_zero() {
    process.stderr.write("last words\n");
    process.exit(3);
  },
  subnormal_by_nan: () => null,
  subnormal_by_infinity: () => "not an answer",
  underflow: () => ({ refused: { stage: "load", kind: "unsupported", message: "not at this hour" } }),
  overflow: () => ({ refused: { stage: "run", kind: "error", message: HOSTILE } }),
};

function answer({ model, inputs, outputs }) {
  const bytes = moody ? readFileSync(model, "latin1") : "";
  const mood = Object.keys(moods).find((name) => bytes.includes(`_${name}`) && !bytes.includes(`_subnormal_${name}`));
  if (mood) return moods[mood]();
  for (const output of outputs) copyFileSync(inputs[0], output);
  return { ok: {} };
}

const say = (words) => process.stdout.write(`${words}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { run } = JSON.parse(line);
  if (!run) {
    say(JSON.stringify({ backend: { name: "parrot", version: "1.0", details: { computes: "nothing" } } }));
    continue;
  }
  const given = answer(run);
  if (typeof given === "string") say(given);
  else if (given) say(JSON.stringify({ id: run.id, ...given }));
}
