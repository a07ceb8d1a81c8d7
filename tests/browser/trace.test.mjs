// What the page of a trace alone has: the graph, its size, and the panel that shows a node.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { NARROW, launch } from "./browser.mjs";
import { read } from "./made.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

describe("the page of a trace", () => {
  const { nodes, inputs, outputs } = read("trace/trace.json");
  const wrong = nodes.findIndex(({ verdict }) => verdict === "fail");
  const open = (options, look) => browser.visit("trace/trace.html", options, look);
  const box = (page, at) => page.locator(`#canvas a[href="#node-${at}"]`);
  const width = (page) => page.locator("#canvas svg").evaluate((svg) => svg.getBoundingClientRect().width);
  const isShown = (page, at) => page.locator(`#node-${at}`).isVisible();

  it("draws each node once with all it says, and no initialiser", () =>
    open({ javaScriptEnabled: false }, async (page) => {
      const titles = await page.locator("#canvas :is(.node, .port) > title").allTextContents();
      const told = nodes.map(({ node, operator, since_version: since, verdict }) => `${node} (${operator}-${since}): ${verdict}`);
      const ports = [...inputs.map(({ name }) => `input ${name}`), ...outputs.map(({ name, verdict }) => `output ${name}: ${verdict}`)];
      assert.deepEqual(titles.toSorted(), [...told, ...ports].toSorted());
      assert.equal(await page.locator("#canvas path").count(), nodes.length + inputs.length);
      assert.ok(await page.locator("#canvas svg").isVisible());
      assert.equal(await page.locator("#larger").isVisible(), false, "no buttons that do nothing");
    }));

  it("keeps names within their boxes", () =>
    open({}, async (page) => {
      const beside = await page.locator("#canvas text").evaluateAll((texts) => texts.filter((text) => {
        const [{ x, width }, room] = [text.getBBox(), text.parentElement.querySelector("rect").getBBox()];
        return x < room.x || x + width > room.x + room.width;
      }).map((text) => text.textContent));
      assert.deepEqual(beside, []);
    }));

  it("has a wrong node in sight first", () =>
    open({}, async (page) => {
      const [inner, outer] = [await box(page, wrong).boundingBox(), await page.locator("#canvas").boundingBox()];
      assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width);
      assert.ok(inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height);
    }));

  it("zooms by buttons, keys and the wheel with Ctrl, and pans without", () =>
    open({}, async (page, complaints) => {
      const whole = await width(page);
      await page.locator("#larger").click();
      assert.equal(Math.round(await width(page)), Math.round(whole * 1.25));
      await page.keyboard.press("0");
      assert.equal(await width(page), whole);
      await page.keyboard.press("-");
      assert.equal(Math.round(await width(page)), Math.round(whole / 1.25));
      await page.keyboard.press("+");
      await page.locator("#smaller").click();
      await page.locator("#full").click();
      assert.equal(await width(page), whole);
      await page.locator("#canvas").hover();
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -120);
      await page.waitForFunction((whole) => document.querySelector("#canvas svg").getBoundingClientRect().width > whole, whole);
      await page.keyboard.up("Control");
      const [zoomed, before] = [await width(page), await page.locator("#canvas").evaluate((canvas) => canvas.scrollTop)];
      await page.mouse.wheel(0, before > 0 ? -60 : 60);
      await page.waitForFunction((before) => document.querySelector("#canvas").scrollTop !== before, before);
      assert.equal(await width(page), zoomed);
      await page.locator("#fit").click();
      const canvas = await page.locator("#canvas").boundingBox();
      const svg = await page.locator("#canvas svg").boundingBox();
      assert.ok(svg.height <= canvas.height && svg.width <= canvas.width);
      assert.deepEqual(complaints, []);
    }));

  it("leaves the keys of zoom to the search", () =>
    open({}, async (page) => {
      const whole = await width(page);
      await page.keyboard.press("/");
      await page.keyboard.type("-0+");
      assert.equal(await width(page), whole);
      assert.equal(await page.locator("#filters [name=text]").inputValue(), "-0+");
    }));

  it("has boxes step back that the search does not mean", () =>
    open({}, async (page) => {
      await page.locator("#filters [name=text]").fill("sqrt");
      const meant = await page.locator("#canvas a:not(.other)").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
      assert.deepEqual(meant, nodes.flatMap(({ operator }, at) => (operator === "Sqrt" ? [`#node-${at}`] : [])));
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !document.querySelector("#canvas .other"));
    }));

  for (const [kind, options] of [["wide", {}], ["narrow", { viewport: NARROW }]]) {
    it(`opens a node with Enter and closes it with Escape, back where it was, ${kind}`, () =>
      open(options, async (page, complaints) => {
        await box(page, wrong).focus();
        await page.keyboard.press("Enter");
        const panel = page.locator(`#node-${wrong}`);
        await panel.waitFor();
        const { worst } = nodes[wrong];
        for (const told of [nodes[wrong].node, nodes[wrong].message, worst.actual, worst.expected, "onnx-conformance explain"]) {
          assert.ok((await panel.textContent()).includes(told), told);
        }
        // The panel leaves the box that it was opened from in sight.
        const [{ x, y }, over] = [await box(page, wrong).boundingBox(), await panel.boundingBox()];
        assert.ok(x < over.x || y < over.y);
        await page.keyboard.press("Escape");
        assert.equal(await isShown(page, wrong), false);
        assert.ok(await box(page, wrong).evaluate((element) => element === document.activeElement));
        assert.equal(await page.evaluate(() => location.hash), "");
        assert.deepEqual(complaints, []);
      }));
  }

  it("opens one node at a time by a click, and the same again", () =>
    open({}, async (page) => {
      await box(page, wrong).click();
      await page.locator(`#node-${wrong}`).waitFor();
      await page.locator(`.nodes a[href="#node-0"]`).evaluate((link) => link.click());
      await page.locator("#node-0").waitFor();
      assert.equal(await isShown(page, wrong), false);
      await page.locator("#node-0 .close").click();
      assert.equal(await isShown(page, 0), false);
      await page.locator(`.nodes a[href="#node-0"]`).click();
      await page.locator("#node-0").waitFor();
    }));

  it("prints the table and not the graph", () =>
    open({}, async (page) => {
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("#canvas").isVisible(), false);
      assert.equal(await page.locator(".nodes tbody tr:visible").count(), nodes.length);
    }));
});
