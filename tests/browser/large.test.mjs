// Pages of thousands of rows answer at once, because what is not on the screen is not laid out. How fast they are depends
// on the machine, and is not asserted; that no single piece of work grows out of hand is.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { launch } from "./browser.mjs";
import { largePages } from "./pages.mjs";

/** A screenful and what the browser prepares around it. */
const LAID_OUT = 150;

/** Longer than this no reader waits, on the slowest machine. */
const SECONDS = 10;

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const shown = (page) => page.locator("#table tbody tr").evaluateAll((all) =>
  all.filter((row) => !row.hidden).map((row) => row.querySelector("th a").textContent));

/** How many rows and details are laid out, hidden ones and those off the screen not being so. */
const laidOut = (page) => page.locator("#table tbody tr > th, #details article > h3").evaluateAll(async (all) => {
  // What comes into view is known with the next frame.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return all.filter((cell) => cell.checkVisibility({ contentVisibilityAuto: true })).length;
});

/** How often the browser laid the page out so far. */
async function layouts(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "LayoutCount").value;
}

for (const one of largePages()) {
  describe(`the page of a large ${one.name}`, () => {
    it("has thousands of rows, of which few are laid out", (t) =>
      browser.visit(one.path, {}, async (page, complaints) => {
        assert.ok(one.rows.length > 1_500);
        assert.deepEqual(await shown(page), one.rows);
        await page.locator("#table tbody tr").nth(100).scrollIntoViewIfNeeded();
        const rows = await laidOut(page);
        t.diagnostic(`${rows} of ${2 * one.rows.length} rows and details are laid out`);
        assert.ok(rows > 5 && rows < LAID_OUT);
        await page.locator("#details").scrollIntoViewIfNeeded();
        assert.ok((await laidOut(page)) < LAID_OUT);
        assert.deepEqual(complaints, []);
      }));

    it("filters and sorts them without laying them all out, once for every letter", (t) =>
      browser.visit(one.path, {}, async (page) => {
        const session = await page.context().newCDPSession(page);
        await session.send("Performance.enable");
        await page.evaluate(() => {
          globalThis.longest = 0;
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
          }).observe({ type: "longtask" });
        });
        const { set, rows: left, shown: words } = one.filters.find(({ set }) => Object.keys(set).join() === "text");
        const search = page.locator("#filters [name=text]");
        await search.focus();
        const before = await layouts(session);
        await search.pressSequentially(set.text);
        assert.deepEqual(await shown(page), left);
        assert.equal(await page.locator("#shown").textContent(), words);
        const often = (await layouts(session)) - before;
        assert.ok(often <= 5 * set.text.length, `${often} layouts for ${set.text.length} letters`);
        assert.ok((await laidOut(page)) < LAID_OUT);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !location.hash);
        assert.deepEqual(await shown(page), one.rows);
        await page.locator("#table thead button").first().click();
        assert.ok((await laidOut(page)) < LAID_OUT);
        const longest = (await page.evaluate(() => globalThis.longest)) / 1000;
        t.diagnostic(`${often} layouts for ${set.text.length} letters, the longest piece of work ${longest.toFixed(2)} s`);
        assert.ok(longest < SECONDS, `the page stood still for ${longest} s`);
      }));

    for (const { hash, shows } of one.links.slice(0, 2)) {
      it(`brings into view what ${hash} names`, () =>
        browser.visit(one.path, { hash }, async (page) => {
          await page.waitForFunction((selector) => {
            const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
            return bottom > 0 && top < innerHeight;
          }, shows);
        }));
    }
  });
}
