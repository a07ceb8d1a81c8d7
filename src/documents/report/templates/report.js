"use strict";
// Filters, sorting and the way from case to case. Rows and details that are packed come once the page is there: rows some at
// a time, so that the page answers meanwhile, and the details of a case when it is opened.
(() => {
  document.addEventListener("DOMContentLoaded", cases);

  /** So many rows are added at once. */
  const ROWS = 500;

  function cases() {
    const form = document.getElementById("filters");
    const { text } = form.elements;
    const shown = document.getElementById("shown");
    const body = document.querySelector("#table tbody");
    const details = document.getElementById("details");
    const table = body.parentElement;
    const headers = [...table.tHead.rows[0].cells];
    // Every control but the search filters by the columns whose headers have its name.
    const names = new Set([...form.elements].map(({ name }) => name));
    const filters = [...names].filter((name) => name && name !== "text").map((name) => ({
      name,
      fields: [...form.querySelectorAll(`[name=${name}]`)],
      columns: headers.flatMap(({ dataset }, at) =>
        (dataset.filter === name || (name === "missed" && dataset.backend !== undefined) ? [at] : [])),
    }));
    const all = [...body.rows].map(read);
    table.setAttribute("role", "table");
    for (const group of [table.tHead, body]) group.setAttribute("role", "rowgroup");
    roles(table.tHead.rows[0], "columnheader");
    let order = all;

    function read(row) {
      roles(row, "cell");
      const id = row.querySelector("th a").hash.slice(1);
      const part = document.getElementById(id);
      const values = filters.map(({ name, columns }) => columns.flatMap((at) => {
        const cell = row.cells[at];
        // Who was run on the case and did not pass.
        if (name === "missed") return cell.querySelector(".verdict:not(.pass)") ? [headers[at].dataset.backend] : [];
        return (cell.dataset.values ?? cell.textContent).split(", ");
      }));
      const messages = [...part?.querySelectorAll(".message") ?? []].map((message) => message.textContent);
      const words = [row.textContent, row.dataset.words, ...messages].join(" ").toLowerCase();
      return { row, id, part, visible: true, values, words };
    }

    /** Adds the rows that are packed. */
    async function addRows() {
      const pieces = await unpack("rows");
      const template = document.createElement("template");
      for (let at = 0; at < pieces.length; at += ROWS) {
        template.innerHTML = pieces.slice(at, at + ROWS).join("");
        const entries = [...template.content.children].map(read);
        all.push(...entries);
        filter(entries);
        body.append(template.content);
        // What a reader does meanwhile comes first.
        await new Promise((done) => globalThis.requestIdleCallback?.(done, { timeout: 200 }) ?? setTimeout(done));
      }
    }

    // Rows laid out on their own are no table rows to all browsers, unless they say so.
    function roles(row, role) {
      row.setAttribute("role", "row");
      for (const cell of row.cells) cell.setAttribute("role", cell.scope === "row" ? "rowheader" : role);
    }

    // Filters

    function filter(entries = all) {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = filters.map(wanted);
      for (const entry of entries) {
        const visible =
          chosen.every((any, at) => !any.length || any.some((value) => entry.values[at].includes(value))) &&
          words.every((word) => entry.words.includes(word));
        if (visible === entry.visible) continue;
        entry.visible = visible;
        entry.row.hidden = !visible;
        if (entry.part) entry.part.hidden = !visible;
      }
      const count = all.filter(({ visible }) => visible).length;
      const number = (n) => n.toLocaleString("en");
      shown.value = `${number(count)} of ${number(all.length)} cases shown`;
    }

    // The address holds the filters, so that a view can be linked to.

    const isBox = (field) => field.type === "checkbox";

    function wanted({ fields }) {
      return fields.filter((field) => (isBox(field) ? field.checked : field.value)).map(({ value }) => value);
    }

    function fields() {
      const values = [["text", text.value], ...filters.map((one) => [one.name, wanted(one).join()])];
      const set = values.filter(([, value]) => value);
      return new URLSearchParams(set).toString().replaceAll("%2C", ",");
    }

    function toAddress() {
      const hash = fields();
      try {
        history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
      } catch { /* a page in a frame may not have an address of its own */ }
    }

    function fromAddress() {
      const hash = location.hash.slice(1);
      if (hash.startsWith("case-")) return open(hash);
      if (/^r\d+$/.test(hash)) return toRow(hash);
      if (hash && !hash.includes("=")) return;
      const given = new URLSearchParams(hash);
      text.value = given.get("text") ?? "";
      for (const { name, fields } of filters) {
        const value = given.get(name) ?? "";
        for (const field of fields) {
          if (isBox(field)) field.checked = value.split(",").includes(field.value);
          else field.value = value;
        }
      }
      filter();
      if (hash) document.getElementById("cases").scrollIntoView();
    }

    async function toRow(id) {
      if (!document.getElementById(id)) {
        await complete;
        if (location.hash.slice(1) === id) arrive();
      }
      if (document.getElementById(id)?.hidden) form.scrollIntoView();
      // Without filters the row keeps its address: the browser has yet to bring it into view.
      if (fields()) toAddress();
    }

    // From case to case, in the order of the table

    const way = document.createElement("nav");
    way.setAttribute("aria-label", "Cases");

    async function open(id) {
      const isMeant = () => location.hash.slice(1) === id;
      const part = () => document.getElementById(id);
      if (!part()) {
        const pieces = await unpack("details");
        const piece = pieces.find((piece) => piece.startsWith(`<article id="${id}"`));
        if (!piece || part() || !isMeant()) return;
        details.insertAdjacentHTML("beforeend", piece);
        arrive();
      }
      // Those beside it are known when all rows are there, which are above it and move it.
      const stays = stay();
      await complete;
      const at = order.findIndex((entry) => entry.id === id);
      if (at < 0 || !isMeant()) return;
      const entry = order[at];
      entry.part ??= part();
      step(at);
      if (entry.part.hidden || stays()) {
        entry.part.hidden = false;
        entry.part.scrollIntoView();
      }
    }

    /** Whether the reader has done nothing from now on. */
    function stay() {
      let stays = true;
      const acts = () => { stays = false; };
      for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
        addEventListener(kind, acts, { once: true, passive: true });
      }
      return () => stays;
    }

    /** Adds the ways on from a case. */
    function step(at) {
      const beside = (step) => {
        let i = at + step;
        while (order[i] && !order[i].visible) i += step;
        return order[i];
      };
      const link = (entry, words) => {
        if (!entry) return [];
        const a = document.createElement("a");
        a.href = `#${entry.id}`;
        a.textContent = words;
        a.title = entry.row.querySelector("th a").textContent;
        return [a];
      };
      way.replaceChildren(...link(beside(-1), "Previous case"), ...link(beside(1), "Next case"));
      order[at].part.append(way);
    }

    /** Adds details that are packed; their places are those of the rows. */
    function add(entries, pieces) {
      const missing = entries.filter(({ part }) => !part);
      const html = missing.map(({ row }) => pieces[row.id.slice(1) - 1]);
      details.insertAdjacentHTML("beforeend", html.join(""));
      for (const entry of missing) entry.part = document.getElementById(entry.id);
    }

    // Sorting: up, down, and back to the order of the report

    headers.forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(header, column));
    });

    async function sort(header, column) {
      await complete;
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const direction = next[header.getAttribute("aria-sort")];
      for (const other of headers) other.setAttribute("aria-sort", "none");
      header.setAttribute("aria-sort", direction);
      order = direction === "none" ? all : sorted(column, direction, header.classList.contains("n"));
      body.append(...order.map((entry) => entry.row));
    }

    function sorted(column, direction, isNumber) {
      const { compare } = new Intl.Collator("en", { numeric: true });
      const sign = direction === "ascending" ? 1 : -1;
      const key = ({ row }) => {
        const cell = row.cells[column];
        const words = (cell.firstElementChild ?? cell).textContent;
        return isNumber && words ? Number(words.replaceAll(",", "")) : words;
      };
      // A cell without a number stays at the end either way.
      return all
        .map((entry) => ({ entry, key: key(entry) }))
        .sort(({ key: a }, { key: b }) =>
          (a === "") - (b === "") || sign * (isNumber ? a - b : compare(a, b)))
        .map(({ entry }) => entry);
    }

    // What failed is printed in full, as far as it is known by then.

    const hasFailed = ({ row, part }) => !part && row.querySelector(".fail, .crash, .timeout, .fault");
    if (all.some(hasFailed) && table.classList.contains("verdicts")) {
      unpack("details").then((pieces) => {
        addEventListener("beforeprint", () => add(all.filter(hasFailed), pieces));
      });
    }

    // Events

    const complete = addRows();
    listen(form, { filter, fields, toAddress, fromAddress });
  }
})();
