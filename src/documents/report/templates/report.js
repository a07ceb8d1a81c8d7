"use strict";
// Filters, sorting and the way from case to case. The page is whole without it.
(() => {
  document.addEventListener("DOMContentLoaded", cases);

  function cases() {
    const form = document.getElementById("filters");
    const { text } = form.elements;
    const shown = document.getElementById("shown");
    const body = document.querySelector("#table tbody");
    const table = body.parentElement;
    const headers = [...table.tHead.rows[0].cells];
    // Every control but the search filters by the columns whose headers have its name.
    const names = new Set([...form.elements].map(({ name }) => name));
    const filters = [...names].filter((name) => name && name !== "text").map((name) => ({
      name,
      fields: [...form.querySelectorAll(`[name=${name}]`)],
      columns: headers.flatMap((header, at) => (header.dataset.filter === name ? [at] : [])),
    }));
    const all = [...body.rows].map(read);
    table.setAttribute("role", "table");
    for (const group of [table.tHead, body]) group.setAttribute("role", "rowgroup");
    roles(table.tHead.rows[0], "columnheader");
    let order = all;

    function read(row) {
      roles(row, "cell");
      const part = document.getElementById(row.querySelector("th a").hash.slice(1));
      const values = filters.map(({ columns }) => columns.flatMap((at) => {
        const cell = row.cells[at];
        return (cell.dataset.values ?? cell.textContent).split(", ");
      }));
      const messages = [...part.querySelectorAll(".message")].map((message) => message.textContent);
      const words = [row.textContent, ...messages].join(" ").toLowerCase();
      return { row, part, visible: true, values, words };
    }

    // Rows laid out on their own are no table rows to all browsers, unless they say so.
    function roles(row, role) {
      row.setAttribute("role", "row");
      for (const cell of row.cells) cell.setAttribute("role", cell.scope === "row" ? "rowheader" : role);
    }

    // Filters

    function filter() {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = filters.map(wanted);
      let count = 0;
      for (const entry of all) {
        const visible =
          chosen.every((any, at) => !any.length || any.some((value) => entry.values[at].includes(value))) &&
          words.every((word) => entry.words.includes(word));
        count += visible;
        if (visible === entry.visible) continue;
        entry.visible = visible;
        entry.row.hidden = entry.part.hidden = !visible;
      }
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
      if (/^r\d+$/.test(hash)) {
        if (document.getElementById(hash)?.hidden) form.scrollIntoView();
        // Without filters the row keeps its address: the browser has yet to bring it into view.
        if (fields()) toAddress();
        return;
      }
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

    // From case to case, in the order of the table

    const way = document.createElement("nav");
    way.setAttribute("aria-label", "Cases");

    function open(id) {
      const at = order.findIndex((entry) => entry.part.id === id);
      if (at < 0) return;
      const { part } = order[at];
      const beside = (step) => {
        let i = at + step;
        while (order[i] && !order[i].visible) i += step;
        return order[i];
      };
      const link = (entry, words) => {
        if (!entry) return [];
        const a = document.createElement("a");
        a.href = `#${entry.part.id}`;
        a.textContent = words;
        a.title = entry.part.querySelector("h3").textContent;
        return [a];
      };
      way.replaceChildren(...link(beside(-1), "Previous case"), ...link(beside(1), "Next case"));
      part.append(way);
      if (part.hidden) {
        part.hidden = false;
        part.scrollIntoView();
      }
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

    function sort(header, column) {
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

    // Events

    listen(form, { filter, fields, toAddress, fromAddress });
  }
})();
