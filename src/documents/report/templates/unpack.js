"use strict";
// What the page does not show at once is packed: lists of pieces of HTML, each list compressed. A list is unpacked when
// something in it is needed, or a part that is folded around it is opened. Pieces that share parts name runs of them.
const unpack = (() => {
  const lists = new Map();

  async function read(name) {
    const packed = document.getElementById(`packed-${name}`);
    if (!packed) return [];
    const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const list = JSON.parse(await new Response(stream).text());
    return Array.isArray(list) ? list : list.pieces.map((runs) => joined(list.parts, runs));
  }

  /** The piece that runs of parts make: of each run the place of the first one, and how many there are. */
  function joined(parts, runs) {
    let piece = "";
    for (let at = 0; at < runs.length; at += 2) piece += parts.slice(runs[at], runs[at] + runs[at + 1]).join("");
    return piece;
  }

  return (name) => {
    if (!lists.has(name)) lists.set(name, read(name));
    return lists.get(name);
  };
})();

/** Fills a folded part with what is packed of it: the piece that it names, or all. */
async function fill(details) {
  const { packed, at } = details.dataset;
  if (!packed) return;
  const pieces = await unpack(packed);
  if (!details.dataset.packed) return;
  delete details.dataset.packed;
  const into = details.querySelector(".into, tbody, ul, dl") ?? details.appendChild(document.createElement("div"));
  into.innerHTML = at ? pieces[at] : pieces.join("");
}

document.addEventListener("toggle", ({ target }) => {
  if (target.open) fill(target);
}, true);

/** Goes to where the address leads again, now that it is there. */
function arrive() {
  location.replace(location.hash);
}

// An address may name what is packed in a folded part: one of those whose ids begin with what the part says.
(() => {
  async function reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const isWithin = ({ dataset: { ids } }) => id.startsWith(ids);
    const details = id && !document.getElementById(id) && [...document.querySelectorAll("details[data-ids]")].find(isWithin);
    if (!details) return;
    await fill(details);
    details.open = true;
    arrive();
  }
  addEventListener("hashchange", reveal);
  addEventListener("DOMContentLoaded", reveal);
})();
