"use strict";
// Keeps the keyboard's focus in sight. What comes into sight is laid out only then, and moves what is below it: far out of
// sight where someone holds Tab down and is many stops ahead of that.
document.addEventListener("focusin", ({ target }) => {
  let frames = 10;
  const keep = () => {
    if (!target.matches(":focus-visible")) return;
    const { top, bottom } = target.getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight) target.scrollIntoView({ block: "center" });
    frames -= 1;
    if (frames > 0) requestAnimationFrame(keep);
  };
  requestAnimationFrame(keep);
});
