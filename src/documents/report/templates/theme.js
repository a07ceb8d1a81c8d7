"use strict";
// The theme switch, and the mark that there is a script. The page is whole without it.
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Storage may be refused, as for a file opened from a disk.
  const THEME = "onnx-conformance-theme";
  const remembered = () => { try { return localStorage.getItem(THEME); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem(THEME, theme); } catch { /* not kept */ } };
  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();

  document.addEventListener("DOMContentLoaded", () => {
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
  });
})();
