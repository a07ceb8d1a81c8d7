// What every page must do, in light and dark, wide and narrow, with and without a script, a mouse or a screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";

import axe from "axe-core";

import { launch, visit } from "./browser.mjs";
import { pages } from "./pages.mjs";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/** The texts of the row headers that are shown. */
const rows = (page) => page.locator("#table tbody tr").evaluateAll((all) =>
  all.filter((row) => row.checkVisibility()).map((row) => row.querySelector("th a").textContent));

/** Sets fields of the form as a reader would. */
async function fill(page, set) {
  for (const [name, value] of Object.entries(set)) {
    const field = page.locator(`#filters [name="${name}"]`);
    if (Array.isArray(value)) {
      for (const one of value) await page.locator(`#filters [name="${name}"][value="${one}"]`).check();
    } else if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") {
      await field.selectOption(value);
    } else {
      await field.pressSequentially(value);
    }
  }
}

/** Waits until the page has an address with this end. */
const atHash = (page, hash) => page.waitForFunction((hash) => location.hash === hash, hash, { timeout: 5_000 });

/** Whether an element is there to see: shown, laid out, nothing folded around it, and on the screen. */
const isInView = (locator) => locator.evaluate(async (element) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { top, bottom } = element.getBoundingClientRect();
  const visible = element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true });
  return visible && bottom > 0 && top < innerHeight;
});

for (const one of pages()) {
  const open = (options, look) => visit(browser, one.path, options, look);

  describe(`the page of a ${one.name}`, () => {
    it("loads nothing, breaks no policy and says nothing on the console", () =>
      open({}, async (page, complaints) => {
        await page.mouse.wheel(0, 100_000);
        await page.waitForTimeout(100);
        assert.deepEqual(complaints, []);
        assert.match(await page.title(), /ONNX conformance/);
      }));

    it("has every link lead somewhere", () =>
      open({}, async (page) => {
        const dead = await page.locator("a[href]").evaluateAll((links) =>
          links.map((link) => link.getAttribute("href")).filter((href) =>
            href.startsWith("#")
              ? !href.includes("=") && !document.getElementById(decodeURIComponent(href.slice(1)))
              : !href.startsWith("https://")));
        assert.deepEqual(dead, []);
      }));

    it("has its content without JavaScript", () =>
      open({ javaScriptEnabled: false }, async (page, complaints) => {
        if (one.rows) {
          assert.equal(await page.locator("#table tbody tr").count(), one.rows.length);
          assert.equal(await page.locator("#filters").isVisible(), false, "no filters that do nothing");
          assert.equal(await page.locator("#theme").isVisible(), false, "no switch that does nothing");
        }
        for (const { shows, says } of one.links) assert.match(await page.locator(shows).textContent(), literally(says));
        assert.deepEqual(complaints, []);
      }));

    for (const [kind, options] of [
      ["light and wide", { colorScheme: "light", viewport: WIDE }],
      ["dark and narrow", { colorScheme: "dark", viewport: NARROW }],
    ]) {
      it(`has no finding of axe, ${kind}`, () =>
        open(options, async (page) => {
          await page.evaluate(axe.source);
          const findings = await page.evaluate(async () => {
            for (const details of document.querySelectorAll("details")) details.open = true;
            const { violations } = await globalThis.axe.run({ resultTypes: ["violations"] });
            return violations.map(({ id, impact, help, nodes }) =>
              ({ id, impact, help, at: nodes.slice(0, 3).map(({ html }) => html), count: nodes.length }));
          });
          assert.deepEqual(findings, []);
        }));
    }

    it("is dark where the reader's system is", () =>
      open({ colorScheme: "light" }, async (page) => {
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await paper();
        await page.emulateMedia({ colorScheme: "dark" });
        assert.notEqual(await paper(), light);
      }));

    it("does not scroll sideways on a narrow screen", () =>
      open({ viewport: NARROW }, async (page) => {
        const wide = await page.evaluate(() => {
          for (const details of document.querySelectorAll("details")) details.open = true;
          const room = document.documentElement.clientWidth;
          const sticksOut = (element) =>
            element.getBoundingClientRect().right > room + 1 && !element.closest(".wide, .scroll, .skip, .unseen");
          const culprits = [...document.querySelectorAll("body *")].filter(sticksOut).slice(0, 3);
          return document.scrollingElement.scrollWidth > room
            ? culprits.map((element) => element.outerHTML.slice(0, 200))
            : [];
        });
        assert.deepEqual(wide, []);
      }));

    it("prints, without its controls and in dark ink", () =>
      open({ colorScheme: "dark" }, async (page) => {
        await page.emulateMedia({ media: "print" });
        for (const control of ["header nav", "#filters", "#theme"]) {
          assert.equal(await page.locator(control).first().isVisible().catch(() => false), false, control);
        }
        if (one.rows) assert.deepEqual(await rows(page), one.rows);
        const ink = await page.evaluate(() => getComputedStyle(document.body).color);
        assert.ok(ink.match(/\d+/g).every((part) => Number(part) < 64), ink);
        const pdf = (await page.pdf()).toString("latin1");
        assert.ok(pdf.startsWith("%PDF-"));
        assert.ok(pdf.match(/\/Type\s*\/Page\b/g)?.length >= 1);
      }));

    for (const { hash, shows, says } of one.links) {
      it(`brings into view what ${hash} names`, () =>
        open({ hash }, async (page) => {
          const target = page.locator(shows);
          assert.match(await target.textContent(), literally(says));
          assert.ok(await isInView(target));
        }));
    }

    it("can be walked through with the keyboard alone, and shows where one is", () =>
      open({}, async (page) => {
        const expected = await page.evaluate(() => {
          const candidates = "a[href], button, input, select, summary, [tabindex='0']";
          const stops = [...document.querySelectorAll(candidates)].filter((element) => element.checkVisibility());
          stops.forEach((element, at) => { element.dataset.stop = at; });
          return stops.length;
        });
        assert.ok(expected > 5);
        for (let stop = 0; stop < expected; stop += 1) {
          await page.keyboard.press("Tab");
          const seen = await page.evaluate(() => {
            const element = document.activeElement;
            // A box is too small for an outline of its own: its label has it.
            const shown = element.matches("input[type=checkbox]") ? element.closest("label") : element;
            const { outlineStyle, outlineWidth } = getComputedStyle(shown);
            // The middle of what of it is on the screen.
            const [{ left, top, right, bottom }] = shown.getClientRects();
            const middle = (low, high, room) => (Math.max(low, 0) + Math.min(high, room)) / 2;
            const hit = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
            return {
              stop: Number(element.dataset.stop),
              html: element.outerHTML.slice(0, 200),
              outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
              covered: !(hit && (shown.contains(hit) || hit.contains(shown))),
            };
          });
          assert.equal(seen.stop, stop, `out of order: ${seen.html}`);
          assert.ok(seen.outlined, `no visible focus: ${seen.html}`);
          assert.ok(!seen.covered, `focus out of sight: ${seen.html}`);
        }
      }));

    it("skips to its content from the first stop of the keyboard", () =>
      open({}, async (page) => {
        await page.keyboard.press("Tab");
        const skip = page.locator(".skip");
        assert.ok(await skip.evaluate((element) => element === document.activeElement));
        const target = page.locator(await skip.getAttribute("href"));
        await page.keyboard.press("Enter");
        assert.ok(await isInView(target));
        await page.keyboard.press("Tab");
        const isWithin = await target.evaluate((element) =>
          document.activeElement === document.body || // nothing follows
          (element.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
        assert.ok(isWithin, "the next stop is in the content");
      }));

    it("unfolds with Enter and with the space bar", () =>
      open({}, async (page) => {
        for (const summary of (await page.locator("summary").all()).slice(0, 3)) {
          const isOpen = () => summary.evaluate((element) => element.parentElement.open);
          const was = await isOpen();
          await summary.focus();
          await page.keyboard.press("Enter");
          assert.equal(await isOpen(), !was);
          await page.keyboard.press("Space");
          assert.equal(await isOpen(), was);
        }
      }));

    if (!one.filters) return;

    it("shows every row, and says so", () =>
      open({}, async (page) => {
        assert.deepEqual(await rows(page), one.rows);
        const [first] = one.filters;
        assert.equal(await page.locator("#shown").textContent(), first.shown.replace(/^\S+/, first.shown.split(" ")[2]));
      }));

    for (const { set, hash, rows: left, shown } of one.filters) {
      it(`filters by ${JSON.stringify(set)}, and the address says so`, () =>
        open({}, async (page, complaints) => {
          await fill(page, set);
          assert.deepEqual(await rows(page), left);
          assert.equal(await page.locator("#shown").textContent(), shown);
          await atHash(page, hash);
          await page.locator("#filters [type=reset]").click();
          assert.deepEqual(await rows(page), one.rows, "cleared");
          await atHash(page, "");
          // As a link that someone was sent.
          await page.goto(page.url().replace(/#.*/, "") + hash);
          await page.reload();
          assert.deepEqual(await rows(page), left);
          assert.equal(await page.locator("#shown").textContent(), shown);
          assert.ok(await isInView(page.locator("#shown")));
          assert.deepEqual(complaints, []);
        }));
    }

    it("goes back and forward between filters and what was linked to", () =>
      open({}, async (page) => {
        const { set, hash, rows: left } = one.filters.find(({ rows }) => rows.length);
        await fill(page, set);
        await atHash(page, hash);
        await page.locator("#table tbody tr:not([hidden]) th a").first().click();
        const linked = await page.evaluate(() => location.hash);
        assert.ok(linked.startsWith("#case-"), linked);
        await page.goBack();
        await atHash(page, hash);
        assert.deepEqual(await rows(page), left);
        await page.goForward();
        await atHash(page, linked);
        assert.ok(await isInView(page.locator(`[id="${linked.slice(1)}"]`)));
        assert.deepEqual(await rows(page), left);
      }));

    it("opens what a filter hides where a link names it", () =>
      open({}, async (page) => {
        const { set, hash, rows: left } = one.filters.find(({ rows }) => rows.length);
        await fill(page, set);
        await atHash(page, hash);
        const hidden = one.rows.find((row) => !left.includes(row));
        await page.evaluate((hidden) => { location.hash = `#case-${hidden}`; }, hidden);
        await page.waitForTimeout(100);
        assert.ok(await isInView(page.locator(`[id="case-${hidden}"]`)));
      }));

    it("keeps the address of a link that is followed while a search is typed", () =>
      open({}, async (page) => {
        await page.locator("#filters [name=text]").fill("div");
        await page.locator("#table tbody tr:not([hidden]) th a").first().click();
        await page.waitForTimeout(400);
        assert.match(await page.evaluate(() => location.hash), /^#case-/);
      }));

    it("has keys to search and to clear", () =>
      open({}, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("int8");
        assert.notDeepEqual(await rows(page), one.rows);
        await page.keyboard.press("Escape");
        assert.deepEqual(await rows(page), one.rows);
      }));

    it("sorts by a column with the keyboard, up, down and not", () =>
      open({}, async (page) => {
        const header = page.locator("#table thead th", { hasText: new RegExp(`^${one.sorted.column}$`) });
        const at = await header.evaluate((element) => element.cellIndex);
        const cells = async () => (await page.locator("#table tbody tr").evaluateAll((all, at) =>
          all.map(({ cells }) => (cells[at].querySelector("a") ?? cells[at]).textContent), at)).filter(Boolean);
        for (const [direction, expected] of [
          ["ascending", one.sorted.cells],
          ["descending", one.sorted.cells.toReversed()],
        ]) {
          await header.locator("button").focus();
          await page.keyboard.press("Enter");
          assert.equal(await header.getAttribute("aria-sort"), direction);
          assert.deepEqual(await cells(), expected);
        }
        await page.keyboard.press("Space");
        assert.equal(await header.getAttribute("aria-sort"), "none");
        assert.deepEqual(await rows(page), one.rows);
      }));

    it("switches between light and dark, and remembers", () =>
      open({ colorScheme: "light" }, async (page) => {
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await paper();
        const button = page.locator("#theme");
        assert.equal(await button.getAttribute("aria-pressed"), "false");
        await button.focus();
        await page.keyboard.press("Enter");
        assert.equal(await button.getAttribute("aria-pressed"), "true");
        const dark = await paper();
        assert.notEqual(dark, light);
        await page.reload();
        assert.equal(await paper(), dark);
      }));
  });
}

/** A pattern that finds just this text. */
function literally(text) {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
