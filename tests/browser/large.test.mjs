// Pages of thousands of rows are small, as most of them is packed, and answer at once, because what is not on the screen is
// not laid out. How fast they are depends on the machine, and is not asserted; that no single piece of work grows out of hand
// is.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { launch } from "./browser.mjs";
import { made } from "./made.mjs";
import { largePages, wholeMatrix } from "./pages.mjs";

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

/** Waits until the rows that are packed are there. */
const whole = (page, one) => page.waitForFunction((rows) =>
  document.querySelectorAll("#table tbody tr").length === rows, one.rows.length);

/** The page is no larger than it may be, and takes what is typed at once. */
function opens(one) {
  it(`has at most ${one.most / 1e6} MB`, (t) => {
    const { size } = statSync(join(made, one.path));
    t.diagnostic(`${(size / 1e6).toFixed(2)} MB`);
    assert.ok(size <= one.most, `${size}`);
  });

  it("takes what is typed as soon as it is there", (t) =>
    browser.visit(one.path, {}, async (page, complaints) => {
      const search = page.locator("#filters [name=text]");
      await search.pressSequentially("zq no words");
      await page.waitForFunction(() => document.querySelector("#shown").value.startsWith("0 of "));
      const [took, ready] = await page.evaluate(() =>
        [performance.now(), performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd]);
      t.diagnostic(`ready after ${ready.toFixed()} ms, 11 letters answered after ${took.toFixed()} ms`);
      assert.ok(took < 1000 * SECONDS, `it took ${took} ms`);
      assert.deepEqual(complaints, []);
    }));
}

describe("the page of a whole matrix", () => opens(wholeMatrix()));

for (const one of largePages()) {
  describe(`the page of a large ${one.name}`, () => {
    opens(one);

    it("has thousands of rows, of which few are laid out", (t) =>
      browser.visit(one.path, {}, async (page, complaints) => {
        assert.ok(one.rows.length > 1_500);
        await whole(page, one);
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
        await whole(page, one);
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
            const { top, bottom } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
            return bottom > 0 && top < innerHeight;
          }, shows);
        }));
    }
  });
}
