// What a form of filters listens to: its fields, the address, and the keys / and Esc. The page says how it
// filters, which fields are set, and how they go to the address and come from there.
function listen(form, { filter, fields, toAddress, fromAddress }) {
  const { text } = form.elements;
  let pending;
  form.addEventListener("input", () => {
    filter();
    clearTimeout(pending);
    pending = setTimeout(toAddress, 200);
  });
  // Whoever leaves the search to follow a link comes back to it.
  form.addEventListener("change", () => {
    clearTimeout(pending);
    toAddress();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); toAddress(); }));
  addEventListener("hashchange", fromAddress);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("select")) return;
    if (event.key === "/" && event.target !== text) {
      event.preventDefault();
      text.focus();
      text.select();
    } else if (event.key === "Escape" && fields()) {
      form.reset();
    }
  });

  filter();
  fromAddress();
}
