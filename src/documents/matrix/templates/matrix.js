"use strict";
// Filters and links to a requirement. The page is whole without it.
(() => {
  document.addEventListener("DOMContentLoaded", () => {
    // Thousands of rows are shorter without it.
    for (const details of document.querySelectorAll("details[data-at]")) details.dataset.packed = "cases";
    for (const title of document.querySelectorAll("article > div > h4")) {
      const link = document.createElement("a");
      link.href = `#${title.closest("article").id}`;
      link.append(...title.childNodes);
      title.append(link);
    }
    const form = document.getElementById("filters");
    const [text, wanted] = ["text", "document"].map((name) => form.elements.namedItem(name));
    const boxes = [...form.querySelectorAll("[name=status]")];
    const shown = document.getElementById("shown");
    const groups = [...document.querySelectorAll("section[data-document]")].map((section) => ({
      section,
      rows: [...section.querySelectorAll("article")].map((row) => ({
        row,
        status: row.querySelector(".verdict").classList.item(1),
        words: row.textContent.toLowerCase(),
        at: row.querySelector("details[data-at]")?.dataset.at,
      })),
    }));
    const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);

    const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);

    function filter() {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const statuses = chosen();
      let count = 0;
      for (const { section, rows } of groups) {
        const inside = !wanted.value || section.dataset.document === wanted.value;
        let some = false;
        for (const { row, status, words: own } of rows) {
          const visible =
            inside &&
            (!statuses.length || statuses.includes(status)) &&
            words.every((word) => own.includes(word));
          row.hidden = !visible;
          some ||= visible;
          count += visible;
        }
        section.hidden = !some;
      }
      const number = (n) => n.toLocaleString("en");
      shown.value = `${number(count)} of ${number(total)} requirements shown`;
    }

    // The address holds the filters, so that a view can be linked to.

    function fields() {
      const values = [["status", chosen().join()], ["document", wanted.value], ["text", text.value]];
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
      if (hash && !hash.includes("=")) return reveal(hash);
      const given = new URLSearchParams(hash);
      text.value = given.get("text") ?? "";
      wanted.value = given.get("document") ?? "";
      const statuses = (given.get("status") ?? "").split(",");
      for (const box of boxes) box.checked = statuses.includes(box.value);
      filter();
      if (hash) document.getElementById("requirements").scrollIntoView();
    }

    // What is packed is searched, too, once the page is there.
    unpack("cases").then((pieces) => {
      const wordsOf = (piece) => piece.replace(/<[^>]*>/g, "").toLowerCase();
      for (const row of groups.flatMap(({ rows }) => rows)) if (row.at) row.words += wordsOf(pieces[row.at]);
      filter();
    });

    // A requirement that is linked to is shown with what speaks for it, whatever the filters say.
    async function reveal(id) {
      const row = document.getElementById(id);
      if (!row?.matches("article")) return;
      for (const details of row.querySelectorAll("details")) {
        await fill(details);
        details.open = true;
      }
      for (const part of [row, row.closest("section")]) part.hidden = false;
      row.scrollIntoView();
    }

    listen(form, { filter, fields, toAddress, fromAddress });
  });
})();
