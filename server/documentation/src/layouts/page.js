
"use strict";
const search = document.querySelector("nav input");
const found = document.querySelector("nav p");
const lines = [...document.querySelectorAll("nav li")];
const sections = [...document.querySelectorAll("main section")];
const paths = sections.map((section) => section.id.toLowerCase());
let texts = [];

/* What contains a value that is found stays in the tree, so that one sees where it belongs. */
function show() {
  /* Pages are read more often than searched. */
  if (texts.length === 0) texts = sections.map((section) => section.textContent.toLowerCase());
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = texts.map((text, at) => words.every((word) => paths[at].includes(word) || text.includes(word)));
  let child = 0;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const depth = Number(lines[at].dataset.depth);
    const isShown = isFound[at] || depth < child;
    if (lines[at].hidden === isShown) lines[at].hidden = !isShown;
    if (sections[at].hidden === isFound[at]) sections[at].hidden = !isFound[at];
    if (isShown) child = depth;
  }
  const count = isFound.filter(Boolean).length;
  found.textContent = words.length === 0 ? "" : `${count} of ${sections.length} values`;
}

function current() {
  const fragment = location.hash;
  const at = lines.findIndex((line) => line.firstElementChild.getAttribute("href") === fragment);
  if (at >= 0 && sections[at].hidden) {
    sections[at].hidden = false;
    sections[at].scrollIntoView();
  }
  for (const line of lines) {
    const link = line.firstElementChild;
    if (link.getAttribute("href") === fragment) {
      link.setAttribute("aria-current", "true");
      if (document.activeElement !== link) line.scrollIntoView({ block: "nearest" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

search.addEventListener("input", show);
addEventListener("hashchange", current);
addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === "Escape" && isTyping) {
    search.value = "";
    show();
  }
});
if (search.value !== "") show();
current();
