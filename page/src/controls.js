/**
 * The buttons, keys and fields that belong to no view of their own.
 */

import { $, h } from "./dom.js";
import { search } from "./search.js";

/** @typedef {import("./page.js").Page} Page */

const CLOSER = 1.4;

/** @param {Page} page */
export function attachControls(page) {
  attachTree(page);
  attachSearch(page);
  attachRows(page);
}

/** @param {Page} page */
function attachTree(page) {
  const { drawing, model } = page;
  $("trees").hidden = model.routers.length < 2;
  const named = model.routers.map((_, i) => h("option", { value: i }, `tree ${i + 1} of ${model.routers.length}`));
  $("member").replaceChildren(...named);
  $("member").addEventListener("change", () => {
    page.take(Number($("member").value));
    $("search").dispatchEvent(new Event("input"));
  });
  /** @type {Record<string, () => void>} */
  const acts = {
    expand: () => drawing.toggleAll(true),
    collapse: () => drawing.toggleAll(false),
    fit: () => drawing.fit(),
    closer: () => drawing.camera.magnify(CLOSER),
    farther: () => drawing.camera.magnify(1 / CLOSER),
  };
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  const toggle = () => drawing.toggle(drawing.selected);
  /** @param {import("./layout.js").Arrow} key */
  const go = (key) => {
    if (key === "ArrowRight") drawing.toggle(drawing.selected, true);
    page.choose(drawing.layout.neighbour(drawing.selected, key));
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowUp: () => go("ArrowUp"),
    ArrowDown: () => go("ArrowDown"),
    ArrowLeft: () => go("ArrowLeft"),
    ArrowRight: () => go("ArrowRight"),
    Home: () => page.choose(0),
    End: () => page.choose(Math.max(0, page.end())),
    Enter: toggle,
    " ": toggle,
    "+": acts.closer,
    "=": acts.closer,
    "-": acts.farther,
    0: acts.fit,
  };
  $("tree").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
  });
}

/** @param {Page} page */
function attachSearch(page) {
  const [field, told, next] = [$("search"), $("found"), $("next-found")];
  /** @type {number[]} */
  let found = [];
  let place = -1;
  field.addEventListener("input", () => {
    found = search(page.router, page.model.header, field.value);
    place = -1;
    page.drawing.find(found);
    next.disabled = !found.length;
    told.textContent = field.value.trim() ? `${found.length} node${found.length === 1 ? "" : "s"}` : "";
  });
  const go = (/** @type {number} */ by) => {
    if (!found.length) return;
    place = (place + by + found.length) % found.length;
    page.choose(found[place]);
    told.textContent = `${place + 1} of ${found.length}`;
  };
  field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  });
  next.addEventListener("click", () => go(1));
}

/** @param {Page} page */
function attachRows(page) {
  const { answerView, form } = page;
  $("all-classes").addEventListener("click", () => {
    answerView.isWhole = !answerView.isWhole;
    page.answer();
  });
  const box = $("by-certainty");
  box.addEventListener("change", () => {
    const order = [...page.content.rows.names.keys()];
    if (box.checked) {
      const certainty = page.certainties();
      order.sort((a, b) => certainty[a] - certainty[b] || a - b);
    }
    form.order(order);
    if (box.checked) form.take(order[0]);
  });
}
