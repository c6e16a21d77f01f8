/**
 * The tree as a nested list, for screen readers and for print; a branch is made when it is opened.
 */

import { cut, h } from "../dom.js";

/** @typedef {import("../drawing.js").Drawing} Drawing */

const OPEN_AT_ONCE = 60,
  PRINTED = 1000;

export class Outline {
  /**
   * @param {HTMLElement} list
   * @param {Drawing} drawing
   */
  constructor(list, drawing) {
    this.list = list;
    this.drawing = drawing;
    addEventListener("beforeprint", () => this.#print());
    addEventListener("afterprint", () => this.drawing.tree.n_nodes > PRINTED && this.show());
  }

  /** The whole tree, or of a large one the way of the instance. */
  #print() {
    const { tree, way } = this.drawing;
    this.openAll(PRINTED);
    if (tree.n_nodes <= PRINTED) return;
    const told = `The tree has ${tree.n_nodes.toLocaleString("en")} nodes; this is the path of the row.`;
    const nodes = way.length ? way : [0];
    this.list.replaceChildren(
      h("li", {}, told),
      ...nodes.map((node) => h("li", {}, cut(this.drawing.told(node), 300))),
    );
  }

  show() {
    /** @type {Map<number, HTMLElement>} */
    this.items = new Map();
    this.list.replaceChildren(this.#item(0));
    this.openAll(OPEN_AT_ONCE);
  }

  /** @param {number} most nodes */
  openAll(most) {
    if (this.drawing.tree.n_nodes > most) return;
    for (const details of this.list.getElementsByTagName("details")) {
      /** @type {any} */ (details).fill();
      details.open = true;
    }
  }

  /** Mark the way of the instance anew. */
  mark() {
    for (const [node, text] of this.items ?? []) this.#write(node, text);
  }

  /**
   * @param {number} node
   * @param {HTMLElement} text
   */
  #write(node, text) {
    text.textContent = cut(this.drawing.told(node), 300);
    const isOn = this.drawing.marks.get(node)?.line === "path";
    text.classList.toggle("on", isOn);
    if (isOn) text.setAttribute("aria-current", "true");
    else text.removeAttribute("aria-current");
  }

  /** @param {number} node */
  #item(node) {
    const { tree } = this.drawing;
    const text = h("span");
    this.items?.set(node, text);
    this.#write(node, text);
    if (!tree.n_branches[node]) return h("li", {}, text);
    const below = h("ul");
    const details = h("details", {}, h("summary", {}, text), below);
    details.fill = () => {
      if (below.childElementCount) return;
      const first = tree.first_child[node];
      below.append(...Array.from({ length: tree.n_branches[node] }, (_, i) => this.#item(first + i)));
    };
    details.addEventListener("toggle", details.fill);
    return h("li", {}, details);
  }
}
