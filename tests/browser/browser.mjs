// Chromium, and what it says of a page.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";

import { address } from "./made.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser that `CHROMIUM` names, or the first on the path. */
function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = process.env.PATH.split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error(`no ${NAMES.join(", ")} on the path: install Debian's \`chromium\`, or name one in CHROMIUM`);
  return found;
}

export const launch = () => chromium.launch({ executablePath: executable() });

/** Opens a page that was made, gives it to `look` with whatever it did that it should not, and closes it. */
export async function visit(browser, path, options, look) {
  const { hash = "", ...rest } = options;
  const context = await browser.newContext(rest);
  try {
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on("popup", () => complaints.push("a window"));
    page.on("request", (request) => {
      if (!request.isNavigationRequest() || !request.url().startsWith("file:")) complaints.push(`request: ${request.url()}`);
    });
    if (rest.javaScriptEnabled !== false) {
      await page.exposeFunction("complain", (words) => complaints.push(words));
      await page.addInitScript(() => {
        addEventListener("securitypolicyviolation", (event) =>
          globalThis.complain(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
      });
    }
    await page.goto(address(path, hash));
    return await look(page, complaints);
  } finally {
    await context.close();
  }
}
