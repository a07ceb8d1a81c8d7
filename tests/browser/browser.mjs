// Chromium, and what it says of a page.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";

import { address } from "./made.mjs";

// The first is the lighter one.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The browser that `CHROMIUM` names, or the first on the path. */
function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = process.env.PATH.split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error(`no ${NAMES.join(", ")} on the path: install Debian's \`chromium-headless-shell\`, or name one in CHROMIUM`);
  return found;
}

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 360, height: 740 };

/** A browser with two tabs, one with a script and one without, which are used again and again: a new one takes a second. */
export async function launch() {
  const browser = await chromium.launch({ executablePath: executable() });
  const tabs = new Map();
  for (const javaScriptEnabled of [true, false]) tabs.set(javaScriptEnabled, await tab(browser, { javaScriptEnabled }));

  /** Opens a page that was made, and gives it to `look` with whatever it did that it should not. */
  async function visit(path, { hash = "", colorScheme = "light", viewport = WIDE, javaScriptEnabled = true }, look) {
    const { page, complaints } = tabs.get(javaScriptEnabled);
    await page.goto("about:blank");
    complaints.length = 0;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, media: "screen" });
    await page.goto(address(path, hash));
    try {
      await look(page, complaints);
    } finally {
      if (javaScriptEnabled) await page.evaluate(() => localStorage.clear());
    }
  }

  return { visit, close: () => browser.close() };
}

async function tab(browser, options) {
  const page = await browser.newPage(options);
  // The page of all cases that fail has 26 MB.
  page.setDefaultTimeout(60_000);
  const complaints = [];
  const complain = (words) => complaints.push(words);
  page.on("console", (message) => complain(`console: ${message.text()}`));
  page.on("pageerror", (error) => complain(`error: ${error.stack}`));
  page.on("dialog", (dialog) => complain(`dialog: ${dialog.message()}`));
  page.on("popup", () => complain("a window"));
  page.on("request", (request) => {
    if (!request.isNavigationRequest() || !request.url().startsWith("file:")) complain(`request: ${request.url()}`);
  });
  if (options.javaScriptEnabled) {
    await page.exposeFunction("complain", complain);
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) =>
        globalThis.complain(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
  }
  return { page, complaints };
}
