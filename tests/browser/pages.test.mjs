// What every page must do, in light and dark, wide and narrow, with and without a script, a mouse or a screen.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { inflateRawSync } from "node:zlib";

import axe from "axe-core";

import { NARROW, WIDE, launch } from "./browser.mjs";
import { address } from "./made.mjs";
import { pages } from "./pages.mjs";

/** So many stops of the keyboard are made from either end of a page. */
const STOPS = 150;

/** So many stops are made at once: fewer, or more, come to where all is laid out already. */
const HELD = 90;

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/** Numbers the stops of the keyboard, in `data-stop`, and says how many there are. */
const numberStops = (page) => page.evaluate(async () => {
  const candidates = "a[href], button, input, select, summary, [tabindex='0']";
  const all = () => [...document.querySelectorAll(candidates)].filter((element) => element.checkVisibility());
  let stops = all();
  // What is packed comes some frames after the page.
  for (let frame = 0; frame < 20; frame += 1) {
    await new Promise(requestAnimationFrame);
    const now = all();
    if (now.length !== stops.length) frame = 0;
    stops = now;
  }
  stops.forEach((element, at) => { element.dataset.stop = at; });
  return stops.length;
});

/** The labels of the rows that are shown. */
const shownRows = (page, { all, label }) => page.locator(all).evaluateAll((all, label) =>
  all.filter((row) => row.checkVisibility()).map((row) => row.querySelector(label).textContent), label);

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

/** Waits until what is looked at is as expected. */
async function eventually(look, expected, why) {
  const deadline = Date.now() + 5_000;
  let seen = await look();
  while (!isDeepStrictEqual(seen, expected) && Date.now() < deadline) seen = await look();
  assert.deepEqual(seen, expected, why);
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
  const open = (options, look) => browser.visit(one.path, options, look);
  const shows = (page, expected, why) => eventually(() => shownRows(page, one.row), expected, why);
  const firstLink = (page) => page.locator(`${one.row.all} >> visible=true`).first().locator(one.row.link);

  describe(`the page of a ${one.name}`, () => {
    it("loads nothing, breaks no policy and says nothing on the console", () =>
      open({}, async (page, complaints) => {
        await page.mouse.wheel(0, 100_000);
        await page.waitForTimeout(100);
        assert.deepEqual(complaints, []);
        assert.match(await page.title(), /ONNX.conformance/i);
      }));

    it("has every link lead somewhere", () =>
      open({}, async (page) => {
        const hrefs = await page.locator("a[href]").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
        assert.deepEqual([...new Set(hrefs)].filter((href) => !isAlive(href, one.path)), []);
      }));

    for (const { unfold, link, shows, says } of one.leads) {
      it(`leads to another page by ${link}`, () =>
        open({}, async (page, complaints) => {
          if (unfold) for (const details of await page.locator(unfold).all()) await details.locator("summary").click();
          const address = page.url();
          await page.locator(link).click();
          await page.waitForURL((url) => url.pathname !== new URL(address).pathname);
          assert.match(await page.locator(shows).textContent(), literally(says));
          assert.ok(await isInView(page.locator(shows)));
          await page.goBack();
          assert.equal(page.url(), address);
          assert.deepEqual(complaints, []);
        }));
    }

    it("has its content without JavaScript", () =>
      open({ javaScriptEnabled: false }, async (page, complaints) => {
        if (one.rows) {
          assert.deepEqual(await shownRows(page, one.row), one.unscripted ?? one.rows);
          assert.equal(await page.locator("#filters").isVisible(), false, "no filters that do nothing");
          assert.equal(await page.locator("#theme").isVisible(), false, "no switch that does nothing");
        }
        for (const { shows, says } of one.links.filter(({ folded, packed }) => !folded && !packed)) {
          assert.match(await page.locator(shows).textContent(), literally(says));
          assert.ok(await page.locator(shows).isVisible(), shows);
        }
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

    if (one.row?.label === "th a") {
      it("breaks the name of a case behind a separator alone", () =>
        open({ viewport: { width: 1200, height: 900 } }, async (page) => {
          const broken = await page.locator(one.row.all).evaluateAll((rows) => rows.flatMap((row) => {
            row.style.contentVisibility = "visible";
            const texts = document.createTreeWalker(row.querySelector("th a"), NodeFilter.SHOW_TEXT);
            const broken = [];
            while (texts.nextNode()) {
              const range = document.createRange();
              range.selectNode(texts.currentNode);
              if (range.getClientRects().length > 1) broken.push(texts.currentNode.data);
            }
            return broken;
          }));
          assert.deepEqual(broken, []);
        }));
    }

    it("prints, without its controls and in dark ink", () =>
      open({ colorScheme: "dark" }, async (page) => {
        await page.emulateMedia({ media: "print" });
        for (const control of [".parts", "#filters", "#theme"]) {
          assert.equal(await page.locator(control).first().isVisible().catch(() => false), false, control);
        }
        if (one.printed) {
          const printed = page.locator("article >> visible=true").evaluateAll((all) => all.map(({ id }) => id));
          assert.deepEqual(await printed, one.printed, "what did not pass, and nothing else");
          assert.equal(await page.locator("#table").isVisible(), false);
        } else if (one.rows) {
          await shows(page, one.rows);
        }
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
          await eventually(() => isInView(target), true);
        }));
    }

    it("can be walked through with the keyboard alone, and shows where one is", () =>
      open({}, async (page) => {
        const expected = await numberStops(page);
        assert.ok(expected > 5);
        // From the first stop on, and of a long page from some way before the last.
        const walk = async (from, to) => {
          for (let stop = from; stop < to; stop += 1) await step(stop);
        };
        const step = async (stop) => {
          await page.keyboard.press("Tab");
          const seen = await page.evaluate(async () => {
            const element = document.activeElement;
            // A box is too small for an outline of its own: its label has it.
            const shown = element.matches("input[type=checkbox]") ? element.closest("label") : element;
            const { outlineStyle, outlineWidth } = getComputedStyle(shown);
            const isCovered = () => {
              // The middle of what of it is on the screen.
              const [{ left, top, right, bottom }] = shown.getClientRects();
              const middle = (low, high, room) => (Math.max(low, 0) + Math.min(high, room)) / 2;
              const hit = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
              return !(hit && (shown.contains(hit) || hit.contains(shown)));
            };
            // What comes into sight is laid out then, and moves what has the focus for some frames.
            for (let frame = 0; frame < 10 && isCovered(); frame += 1) await new Promise(requestAnimationFrame);
            return {
              stop: Number(element.dataset.stop),
              html: element.outerHTML.slice(0, 200),
              outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
              covered: isCovered(),
            };
          });
          assert.equal(seen.stop, stop, `out of order: ${seen.html}`);
          assert.ok(seen.outlined, `no visible focus: ${seen.html}`);
          assert.ok(!seen.covered, `focus out of sight: ${seen.html}`);
        };
        const middle = Math.min(STOPS, expected);
        await walk(0, middle);
        const last = Math.max(middle, expected - STOPS);
        if (last > middle) await page.locator(`[data-stop="${last - 1}"]`).focus();
        await walk(last, expected);
      }));

    it("keeps what has the focus in sight of whoever holds Tab down", () =>
      open({}, async (page) => {
        const stops = Math.min(HELD, await numberStops(page));
        // Many come before the page is laid out again.
        await Promise.all(Array.from({ length: stops }, () => page.keyboard.press("Tab")));
        const last = page.locator(`[data-stop="${stops - 1}"]`);
        assert.ok(await last.evaluate((element) => element === document.activeElement));
        await eventually(() => isInView(last), true, "the focus is in sight");
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
        // Those within what is folded cannot be focused.
        for (const summary of (await page.locator("summary:visible").all()).slice(0, 3)) {
          const isOpen = () => summary.evaluate((element) => element.parentElement.open);
          const was = await isOpen();
          await summary.focus();
          await page.keyboard.press("Enter");
          assert.equal(await isOpen(), !was);
          await page.keyboard.press("Space");
          assert.equal(await isOpen(), was);
        }
      }));

    it("switches between light and dark, and remembers", () =>
      open({ colorScheme: "light" }, async (page) => {
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const light = await paper();
        const button = page.locator("#theme");
        const switched = async () => {
          assert.equal(await button.getAttribute("aria-pressed"), "false");
          await button.focus();
          await page.keyboard.press("Enter");
          assert.equal(await button.getAttribute("aria-pressed"), "true");
          const dark = await paper();
          assert.notEqual(dark, light);
          await page.reload();
          return await paper() === dark;
        };
        // What is stored is written behind the page's back: on a busy machine a page may load before, or the clearing of an
        // earlier visit may come after. A page that does not remember never does.
        let isRemembered = false;
        for (let tries = 0; tries < 5 && !isRemembered; tries += 1) isRemembered = await switched();
        assert.ok(isRemembered);
      }));

    it("keeps its navigation in sight, in one row", () =>
      open({ viewport: NARROW }, async (page) => {
        const nav = page.locator(".parts");
        for (const to of [0, 1, 0.5]) {
          await page.evaluate((to) => scrollTo(0, to * document.documentElement.scrollHeight), to);
          const { top, bottom } = await nav.evaluate((element) => element.getBoundingClientRect().toJSON());
          assert.ok(top >= 0 && bottom < 64, `${top} to ${bottom}`);
        }
      }));

    it("says first what came out, and then of what, on a narrow screen", () =>
      open({ viewport: NARROW }, async (page) => {
        const places = await page.evaluate(() => [".tallies", ".facts"].map((name) =>
          document.querySelector(`#summary ${name}`)?.getBoundingClientRect().top ?? null));
        if (places.includes(null)) return;
        const [tallies, facts] = places;
        assert.ok(tallies < facts && tallies < NARROW.height, `${places}`);
      }));

    it("has words in its pictures that can be read on a narrow screen", () =>
      open({ viewport: NARROW }, async (page) => {
        const sizes = await page.locator("svg text").evaluateAll((texts) =>
          texts.map((text) => {
            // Some are turned.
            const { c, d } = text.getScreenCTM();
            return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(c, d);
          }));
        assert.deepEqual(sizes.filter((size) => size < 10), []);
        const cut = await page.locator("svg text").evaluateAll((texts) => texts
          .filter((text) => text.checkVisibility() && !text.closest(".wide, .scroll"))
          .filter((text) => text.getBoundingClientRect().right > innerWidth || text.getBoundingClientRect().left < 0)
          .map((text) => text.textContent));
        assert.deepEqual(cut, []);
      }));

    for (const { table, viewport } of one.whole ?? []) {
      it(`cuts no column of ${table} off at ${viewport.width} pixels`, () =>
        open({ viewport }, async (page) => {
          await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
          const boxes = await page.locator(`.wide:has(${table})`).evaluateAll((boxes) => boxes.map((box) => {
            const article = box.closest("article");
            if (article) article.style.contentVisibility = "visible";
            return [box.scrollWidth, box.clientWidth];
          }));
          assert.ok(boxes.length > 0);
          assert.deepEqual(boxes.filter(([whole, seen]) => whole > seen), []);
        }));
    }

    if (one.results) it("shows what came of a case beside its name on a narrow screen", () =>
      open({ viewport: { width: 390, height: 844 } }, async (page) => {
        const rights = await page.locator(one.results).evaluateAll((cells) =>
          cells.map((cell) => cell.getBoundingClientRect().right));
        assert.ok(rights.length > 1 && rights.every((right) => right > 0 && right <= 390), `${rights}`);
      }));

    if (!one.filters) return;

    it("shows every row, and says so", () =>
      open({}, async (page) => {
        await shows(page, one.rows);
        const [first] = one.filters;
        assert.equal(await page.locator("#shown").textContent(), first.shown.replace(/^\S+/, first.shown.split(" ")[2]));
      }));

    for (const { set, hash, rows: left, shown } of one.filters) {
      it(`filters by ${JSON.stringify(set)}, and the address says so`, () =>
        open({}, async (page, complaints) => {
          await fill(page, set);
          await shows(page, left);
          await eventually(() => page.locator("#shown").textContent(), shown);
          await atHash(page, hash);
          await page.locator("#filters [type=reset]").click();
          await shows(page, one.rows, "cleared");
          await atHash(page, "");
          // As a link that someone was sent.
          await page.goto(page.url().replace(/#.*/, "") + hash);
          await page.reload();
          await shows(page, left);
          await eventually(() => page.locator("#shown").textContent(), shown);
          assert.ok(await isInView(page.locator("#shown")));
          assert.deepEqual(complaints, []);
        }));
    }

    it("goes back and forward between filters and what was linked to", () =>
      open({}, async (page) => {
        const { set, hash, rows: left } = one.filters.find(({ rows }) => rows.length);
        await fill(page, set);
        await atHash(page, hash);
        await firstLink(page).click();
        const linked = await page.evaluate(() => location.hash);
        assert.equal(decodeURIComponent(linked), `#${one.row.id(left[0])}`);
        await page.goBack();
        await atHash(page, hash);
        await shows(page, left);
        await page.goForward();
        await atHash(page, linked);
        assert.ok(await isInView(page.locator(`[id="${one.row.id(left[0])}"]`)));
        await shows(page, left);
      }));

    it("goes back from a view that was linked to", () =>
      open({}, async (page) => {
        const { hash, rows: left } = one.filters[0];
        await page.goto(page.url() + hash);
        await shows(page, left);
        await page.goBack();
        await shows(page, one.rows);
        await page.goForward();
        await shows(page, left);
      }));

    it("opens what a filter hides where a link names it", () =>
      open({}, async (page) => {
        const { set, hash, rows: left } = one.filters.find(({ rows }) => rows.length);
        await fill(page, set);
        await atHash(page, hash);
        const hidden = one.rows.find((row) => !left.includes(row));
        await page.evaluate((id) => { location.hash = id; }, one.row.id(hidden));
        await page.waitForTimeout(100);
        assert.ok(await isInView(page.locator(`[id="${one.row.id(hidden)}"]`)));
      }));

    it("keeps the address of a link that is followed while a search is typed", () =>
      open({}, async (page) => {
        await page.locator("#filters [name=text]").fill("div");
        await firstLink(page).click();
        await page.waitForTimeout(400);
        assert.ok((await page.evaluate(() => location.hash)).startsWith(`#${one.row.id("")}`));
        await page.goBack();
        await atHash(page, "#text=div");
      }));

    it("has keys to search and to clear", () =>
      open({}, async (page) => {
        const { set, rows: left } = one.filters.find(({ set }) => Object.keys(set).join() === "text");
        await page.keyboard.press("/");
        await page.keyboard.type(set.text);
        await shows(page, left);
        await page.keyboard.press("Escape");
        await shows(page, one.rows);
        await fill(page, one.filters[0].set);
        await shows(page, one.filters[0].rows);
        await page.locator("h1").click();
        await page.keyboard.press("Escape");
        await shows(page, one.rows);
      }));

    if (one.sorted) it("sorts by a column with the keyboard, up, down and not", () =>
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
          // It sorts when all rows are there.
          await header.and(page.locator(`[aria-sort=${direction}]`)).waitFor();
          assert.deepEqual(await cells(), expected);
        }
        await page.keyboard.press("Space");
        await header.and(page.locator("[aria-sort=none]")).waitFor();
        await shows(page, one.rows);
      }));
  });
}

/** Whether a link of a page that was made leads to a page that was made too, and to an element that is there. */
function isAlive(href, from) {
  const { protocol, pathname, hash } = new URL(href, address(from));
  if (protocol === "https:") return true;
  const file = decodeURIComponent(pathname);
  if (protocol !== "file:" || !existsSync(file)) return false;
  return !hash || hash.includes("=") || idsOf(file).has(decodeURIComponent(hash.slice(1)));
}

/** A page with what is packed in it. */
function unpacked(page) {
  return page.replace(/<script type="application\/octet-stream" id="[^"]*">([^<]*)<\/script>/g, (_, packed) => {
    const list = JSON.parse(inflateRawSync(Buffer.from(packed, "base64")).toString());
    return (Array.isArray(list) ? list : list.parts).join("\n");
  });
}

const known = new Map();
function idsOf(file) {
  if (!known.has(file)) {
    const found = unpacked(readFileSync(file, "utf8")).matchAll(/ id="([^"]*)"/g);
    known.set(file, new Set(Array.from(found, ([, id]) => id)));
  }
  return known.get(file);
}

/** A pattern that finds just this text. */
function literally(text) {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
