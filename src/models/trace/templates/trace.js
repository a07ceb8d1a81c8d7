"use strict";
// Search, zoom, and the panel that shows what is known of a node. The page is whole without it.
(() => {
  document.addEventListener("DOMContentLoaded", () => {
    const form = document.getElementById("filters");
    const { text } = form.elements;
    const shown = document.getElementById("shown");
    const canvas = document.getElementById("canvas");
    const boxes = new Map([...document.querySelectorAll("#canvas a")].map((box) => [box.getAttribute("href").slice(1), box]));
    const lines = new Map([...document.querySelectorAll("#canvas path[data-node]")].map((line) => [`node-${line.dataset.node}`, line]));
    const rows = [...document.querySelectorAll(".nodes tbody tr")].map((row) => {
      const id = row.querySelector("th a").hash.slice(1);
      const words = [...row.cells].slice(0, 3).map((cell) => cell.textContent).join(" ").toLowerCase();
      return { row, box: boxes.get(id), words };
    });

    // Search: rows that are not meant are hidden, boxes step back.

    function filter() {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      let first = null;
      for (const { row, box, words: own } of rows) {
        const isMeant = words.every((word) => own.includes(word));
        row.hidden = !isMeant;
        box?.classList.toggle("other", !isMeant);
        count += isMeant;
        if (isMeant) first ??= box;
      }
      if (words.length && first) show(first);
      const number = (n) => n.toLocaleString("en");
      shown.value = `${number(count)} of ${number(rows.length)} nodes shown`;
    }

    const fields = () => (text.value ? new URLSearchParams({ text: text.value }).toString() : "");

    function toAddress() {
      // Whoever follows a link leaves the search when the address names a node already.
      if (!namesNode()) addressSearch();
    }

    const namesNode = () => location.hash.startsWith("#node-");

    function addressSearch() {
      const hash = fields();
      try {
        history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
      } catch { /* a page in a frame may not have an address of its own */ }
    }

    function fromAddress() {
      const hash = location.hash.slice(1);
      if (namesNode()) return open(hash);
      close();
      if (hash && !hash.includes("=")) return;
      text.value = new URLSearchParams(hash).get("text") ?? "";
      filter();
      if (hash) form.scrollIntoView();
    }

    // The panel

    let opened = null;
    let opener = null;

    function open(id) {
      const article = document.getElementById(id);
      if (!article || article === opened) return;
      leave();
      opened = article;
      article.classList.add("open");
      article.scrollTop = 0;
      if (!article.querySelector(".close")) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "close";
        button.textContent = "Close";
        button.addEventListener("click", () => close(true));
        article.prepend(button);
      }
      for (const part of [boxes.get(id), lines.get(id)]) part?.classList.add("current");
      const box = boxes.get(id);
      if (box && (box !== opener || isCovered(box))) show(box);
      article.querySelector(".close").focus({ preventScroll: true });
    }

    function leave() {
      opened?.classList.remove("open");
      for (const part of document.querySelectorAll("#canvas .current")) part.classList.remove("current");
      opened = null;
    }

    /** Closes the panel, and goes back to where it was opened. */
    function close(isDone = false) {
      if (!opened) return;
      leave();
      if (!isDone) return;
      addressSearch();
      opener?.focus({ preventScroll: true });
    }

    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !opened) return;
      event.stopImmediatePropagation();
      close(true);
    });

    // Where the address leads to an element, no link has the focus any more.
    document.addEventListener("click", ({ target }) => {
      opener = target.closest("a[href^='#node-']") ?? opener;
    });

    // Zoom

    let scale = 1;

    /** Where the panel leaves room: all of the canvas, or what is left or above of it. */
    function room() {
      const { left, top } = canvas.getBoundingClientRect();
      const panel = opened?.getBoundingClientRect();
      const between = (from, size, to) => (to > from + 50 && to < from + size ? to - from : size);
      return {
        width: between(left, canvas.clientWidth, panel?.left ?? 0),
        height: between(top, canvas.clientHeight, panel?.top ?? 0),
      };
    }

    /** Whether the panel is over a box. */
    function isCovered(box) {
      const [{ right, bottom }, canvasAt, { width, height }] = [box.getBoundingClientRect(), canvas.getBoundingClientRect(), room()];
      return right > canvasAt.left + width || bottom > canvasAt.top + height;
    }

    /** Brings a box to the middle of the canvas. */
    function show(box) {
      const { x, y, width, height } = box.getBBox();
      const free = room();
      canvas.scrollTo((x + width / 2) * scale - free.width / 2, (y + height / 2) * scale - free.height / 2);
    }

    if (canvas) {
      const svg = canvas.querySelector("svg");
      const { width, height } = svg.viewBox.baseVal;
      const said = document.getElementById("zoom");

      /** Changes the size around a point of the canvas, its middle if there is none. */
      const zoom = (wanted, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
        const before = scale;
        scale = Math.min(Math.max(wanted, 0.02), 4);
        const [left, top] = [canvas.scrollLeft, canvas.scrollTop].map((at, axis) => (at + [x, y][axis]) * (scale / before));
        svg.setAttribute("width", width * scale);
        svg.setAttribute("height", height * scale);
        canvas.scrollTo(left - x, top - y);
        said.value = `${Math.round(100 * scale)} %`;
      };
      const ways = {
        smaller: () => zoom(scale / 1.25),
        larger: () => zoom(scale * 1.25),
        full: () => zoom(1),
        fit: () => zoom(Math.min(canvas.clientWidth / width, canvas.clientHeight / height)),
      };
      for (const [id, act] of Object.entries(ways)) document.getElementById(id).addEventListener("click", act);

      const keys = { "+": ways.larger, "=": ways.larger, "-": ways.smaller, 0: ways.full };
      addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
      });
      canvas.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const { left, top } = canvas.getBoundingClientRect();
        zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
      }, { passive: false });

      // What is wrong is in sight first.
      const first = canvas.querySelector("a:is(.fail, .crash, .timeout, .fault)") ?? canvas.querySelector("a");
      if (first) show(first);
    }

    listen(form, { filter, fields, toAddress, fromAddress });
  });
})();
