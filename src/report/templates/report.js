"use strict";
// Filters, sorting, the way from case to case and the theme switch. The page is whole without it.
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Storage may be refused, as for a file opened from a disk.
  const THEME = "onnx-conformance-theme";
  const remembered = () => { try { return localStorage.getItem(THEME); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem(THEME, theme); } catch { /* not kept */ } };
  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();

  document.addEventListener("DOMContentLoaded", () => {
    themeSwitch();
    cases();
  });

  function themeSwitch() {
    const button = document.getElementById("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
    const show = () => button.setAttribute("aria-pressed", isDark());
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      show();
    });
    system.addEventListener("change", show);
    show();
    button.hidden = false;
  }

  function cases() {
    const form = document.getElementById("filters");
    const { text, operator, type } = form.elements;
    const boxes = [...form.querySelectorAll("[name=verdict]")];
    const shown = document.getElementById("shown");
    const body = document.querySelector("#table tbody");
    const all = [...body.rows].map(read);
    let order = all;

    function read(row) {
      const [verdict, name, operators, types] = row.cells;
      const part = document.getElementById(name.firstChild.hash.slice(1));
      return {
        row, part, visible: true,
        verdict: verdict.textContent,
        operators: operators.textContent.split(", "),
        types: types.textContent.split(", "),
        text: `${row.textContent} ${part.querySelector(".message")?.textContent ?? ""}`.toLowerCase(),
      };
    }

    // Filters

    function filter() {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
      let count = 0;
      for (const entry of all) {
        const visible =
          (!operator.value || entry.operators.includes(operator.value)) &&
          (!type.value || entry.types.includes(type.value)) &&
          (!verdicts.length || verdicts.includes(entry.verdict)) &&
          words.every((word) => entry.text.includes(word));
        count += visible;
        if (visible === entry.visible) continue;
        entry.visible = visible;
        entry.row.hidden = entry.part.hidden = !visible;
      }
      const number = (n) => n.toLocaleString("en");
      shown.value = `${number(count)} of ${number(all.length)} cases shown`;
    }

    // The address holds the filters, so that a view can be linked to.

    function toAddress() {
      const fields = new URLSearchParams();
      if (text.value) fields.set("text", text.value);
      if (operator.value) fields.set("operator", operator.value);
      if (type.value) fields.set("type", type.value);
      const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
      let hash = fields.toString();
      if (verdicts.length) hash += `${hash && "&"}verdict=${verdicts.join(",")}`;
      try {
        history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
      } catch { /* a page in a frame may not have an address of its own */ }
    }

    function fromAddress() {
      const hash = location.hash.slice(1);
      if (hash.startsWith("case-")) return open(hash);
      if (/^r\d+$/.test(hash)) return toAddress();
      if (hash && !hash.includes("=")) return;
      const fields = new URLSearchParams(hash);
      text.value = fields.get("text") ?? "";
      operator.value = fields.get("operator") ?? "";
      type.value = fields.get("type") ?? "";
      const verdicts = (fields.get("verdict") ?? "").split(",");
      for (const box of boxes) box.checked = verdicts.includes(box.value);
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

    const headers = [...document.querySelectorAll("#table thead th")];
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

    let pending;
    form.addEventListener("input", () => {
      filter();
      clearTimeout(pending);
      pending = setTimeout(toAddress, 200);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { filter(); toAddress(); }));
    addEventListener("hashchange", fromAddress);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.matches("input[type=search], select, textarea");
      if (event.key === "/" && !typing) {
        event.preventDefault();
        text.focus();
        text.select();
      } else if (event.key === "Escape") {
        form.reset();
      }
    });

    filter();
    fromAddress();
  }
})();
