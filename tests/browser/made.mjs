// Where the pages and documents lie that `make.mjs` makes.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The root of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What was made, ignored by git. */
export const made = join(root, "target/browser");

/** Reads a JSON document that was made. */
export const read = (path) => JSON.parse(readFileSync(join(made, path), "utf8"));

/** The address of a page that was made. */
export const address = (path, hash = "") => pathToFileURL(join(made, path)).href + hash;
