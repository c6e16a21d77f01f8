/**
 * The drawing of a tree: only what is in view is drawn, and from afar boxes have no words.
 */

import { Camera, isCalm } from "./camera.js";
import { colourOf } from "./colours.js";
import { s } from "./dom.js";
import { Layout } from "./layout.js";
import { probability, sumOf, whole, written } from "./numbers.js";
import { boxOf, curve, HEIGHT } from "./shapes.js";

/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./router.js").Router} Router */
/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("./shapes.js").Place} Place */

const FAR = 0.3;
const MARGIN = 60;
/** A drawing of less room has the children of a node below it, indented. */
const ROOM_BESIDE = 560;
/** The largest share of the window's height that a tree takes to be shown whole. */
const TALLEST = 0.8;
const LEAST_HEIGHT = 220;
/** How much wider the line of all instances is than that of none. */
const WIDER = 7;
/** The largest number of boxes that paper has all of, however small. */
const MOST_PRINTED = 60;
const STEP = 110;
const MOST_REVEALED = 300;

/** @type {Record<import("./model.js").Line, string>} */
const WAYS = {
  path: "on the path of this row",
  route: "on an alternative branch",
  nearest: "on the way to the nearest region of another class",
  "": "weighs in",
};

export class Drawing {
  /**
   * @param {SVGSVGElement} svg
   * @param {Header} header
   * @param {Router} router
   * @param {HTMLElement} legend of the marks; those that are not there are hidden
   * @param {{select: (node: number) => void, changed: () => void}} listener
   */
  constructor(svg, header, router, legend, listener) {
    this.svg = svg;
    this.legend = legend;
    this.header = header;
    this.listener = listener;
    this.layout = new Layout(router, header, false);
    /** The nodes from the root to where most of the instance ends. @type {number[]} */
    this.way = [];
    /** @type {Map<number, Mark>} */
    this.marks = new Map();
    /** @type {Set<number>} the nodes that a search has found */
    this.found = new Set();
    this.selected = 0;
    this.layer = s("g", { class: "layer" });
    this.links = this.layer.appendChild(s("g", { class: "links" }));
    this.nodes = this.layer.appendChild(s("g", { class: "nodes" }));
    this.dot = this.layer.appendChild(s("circle", { class: "dot", r: 7, visibility: "hidden" }));
    svg.replaceChildren(this.layer);
    this.camera = new Camera(svg, () => {
      this.layer.setAttribute("transform", String(this.camera.transform));
      this.#draw();
    });
    new ResizeObserver(() => {
      const place = this.places.get(this.selected);
      const wasInView = place && this.camera.shows([place], this.layout.width);
      this.camera.measure();
      if (this.#isTight() !== this.layout.isIndented) this.show(this.layout.router, this.selected);
      else if (!wasInView || !this.camera.centre(place, this.layout.width)) this.#draw();
    }).observe(svg);
  }

  get tree() {
    return this.layout.tree;
  }

  get places() {
    return this.layout.places;
  }

  #isTight() {
    return this.camera.size.width < ROOM_BESIDE;
  }

  /**
   * Show another tree, a small one in as much room as it needs.
   * @param {Router} router
   * @param {number} [selected]
   */
  show(router, selected = 0) {
    if (router !== this.layout.router) [this.marks, this.way] = [new Map(), []];
    this.svg.style.height = "";
    this.camera.measure();
    this.layout = new Layout(router, this.header, this.#isTight());
    this.selected = selected;
    this.#lightUp();
    const height = this.camera.heightFor(this.layout.extent(this.places.values()), TALLEST * innerHeight);
    if (height !== null) {
      this.svg.style.height = `${Math.max(height, LEAST_HEIGHT)}px`;
      this.camera.measure();
    }
    this.open();
  }

  /** Show everything, however small. */
  fit() {
    this.camera.fit(this.layout.extent(this.places.values()));
  }

  /** Show the root, and what fits beside it. */
  open() {
    this.camera.open(this.layout.extent(this.places.values()), this.#wayPlaces(), this.layout.width);
  }

  /** Show on paper everything, if that is little, else the root and what fits beside it. */
  print() {
    if (this.places.size <= MOST_PRINTED) this.fit();
    else this.open();
  }

  #wayPlaces() {
    return this.way.flatMap((node) => this.places.get(node) ?? []);
  }

  #draw() {
    const { width, height } = this.camera.size;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { left, right, top, bottom } = this.camera.view(MARGIN);
    const { width: wide } = this.layout;
    /** @type {Place[]} */
    const shown = [];
    /** @type {[Place, Place][]} */
    const links = [];
    for (const place of this.places.values()) {
      const { node, x, y } = place;
      if (x + wide >= left && x <= right && y + HEIGHT >= top && y - HEIGHT <= bottom) shown.push(place);
      if (!node) continue;
      const parent = /** @type {Place} */ (this.places.get(this.tree.parent[node]));
      const isBetween = Math.max(y, parent.y) >= top && Math.min(y, parent.y) <= bottom;
      if (isBetween && x >= left && parent.x <= right) links.push([parent, place]);
    }
    if (this.camera.transform.k < FAR) this.#drawFar(shown, links);
    else this.#drawNear(shown, links);
  }

  /**
   * How the line to a node is drawn.
   * @param {number} node
   */
  #lineTo(node) {
    const line = this.marks.get(node)?.line;
    return line ? `on ${line}` : "";
  }

  /**
   * Boxes without words, in one path for each class.
   * @param {Place[]} shown
   * @param {[Place, Place][]} links
   */
  #drawFar(shown, links) {
    const lines = grouped(links, ([, { node }]) => this.#lineTo(node));
    const boxes = grouped(shown, ({ node }) => (this.tree.n_branches[node] ? -1 : this.leading(node)));
    const selected = this.places.get(this.selected);
    const { width } = this.layout;
    this.links.replaceChildren(
      ...[...lines].map(([name, of]) => {
        return s("path", {
          class: `link far ${name}`,
          d: of.map(([parent, child]) => curve(parent, child, width)).join(""),
        });
      }),
    );
    this.nodes.replaceChildren(
      ...[...boxes].map(([c, of]) => {
        const d = of.map(({ x, y }) => `M${x},${y - HEIGHT / 2}h${width}v${HEIGHT}h${-width}z`).join("");
        return s("path", { class: "far-box", fill: c < 0 ? "var(--soft)" : colourOf(c), d });
      }),
    );
    if (!selected) return;
    const { x, y } = selected;
    this.nodes.append(s("rect", { class: "far-selected", x, y: y - HEIGHT / 2, width, height: HEIGHT }));
  }

  /**
   * @param {Place[]} shown
   * @param {[Place, Place][]} links
   */
  #drawNear(shown, links) {
    const total = sumOf(this.#weights(0));
    this.links.replaceChildren(
      ...links.map(([parent, child]) => {
        const d = curve(parent, child, this.layout.width);
        const width = 1 + WIDER * (sumOf(this.#weights(child.node)) / total || 0);
        return s("path", { class: `link ${this.#lineTo(child.node)}`, d, "stroke-width": width.toFixed(2) });
      }),
    );
    this.nodes.replaceChildren(...shown.map((place) => this.#box(place)));
  }

  /** @param {Place} place */
  #box({ node, x, y }) {
    const { tree, header } = this;
    const isInner = tree.n_branches[node] > 0;
    const isOpen = this.layout.isOpen(node);
    const leaves = this.layout.leaves[node];
    const weights = this.#weights(node);
    const total = sumOf(weights);
    return boxOf({
      node,
      x,
      y,
      width: this.layout.width,
      condition: node ? header.branch(tree, node) : "",
      on: this.#lineTo(node),
      name: isInner ? header.splitName(tree, node) : header.classNames[this.leading(node)],
      weights,
      counted: total > 0 ? (tree.keeps_counts ? whole(total) : "") : "none",
      told: `${this.toldWithWay(node)}${tree.keeps_counts && total > 0 ? `; training rows: ${written(total)}` : ""}`,
      mark: this.marks.get(node),
      classes: [
        isInner ? "inner" : "leaf",
        node === this.selected ? "selected" : "",
        this.found.has(node) ? "found" : "",
      ],
      toggler: isInner ? (isOpen ? "−" : `+${leaves > 9999 ? "…" : leaves}`) : null,
      onSelect: () => this.listener.select(node),
      onToggle: () => this.toggle(node),
    });
  }

  /** @param {number} node */
  #weights(node) {
    const k = this.header.nClasses;
    return this.tree.class_weight.subarray(node * k, node * k + k);
  }

  /**
   * The class that a leaf answers, or that most instances of an inner node have.
   * @param {number} node
   */
  leading(node) {
    const k = this.header.nClasses;
    const of = this.tree.n_branches[node] ? this.#weights(node) : this.tree.answer.subarray(node * k, node * k + k);
    let best = 0;
    for (let c = 1; c < k; c++) if (of[c] > of[best]) best = c;
    return best;
  }

  /**
   * A node in one sentence.
   * @param {number} node
   */
  told(node) {
    const { tree, header } = this;
    const weights = this.#weights(node);
    const total = sumOf(weights);
    const most = [...weights.keys()].filter((c) => weights[c] > 0).sort((a, b) => weights[b] - weights[a]);
    const shares = most.slice(0, 3).map((c) => `${header.classNames[c]} ${probability(weights[c] / total)}`);
    const what = tree.n_branches[node]
      ? `splits on ${header.splitName(tree, node)}, ${this.layout.leaves[node]} leaves below`
      : `leaf: ${header.classNames[this.leading(node)]}`;
    return `${header.condition(tree, node)}: ${what}; ${shares.join(", ") || "no training rows"}`;
  }

  /**
   * A node in one sentence, and how the instance comes there.
   * @param {number} node
   */
  toldWithWay(node) {
    const mark = this.marks.get(node);
    const way = mark ? `; ${WAYS[mark.line]}${mark.text ? ` (${mark.text})` : ""}` : "";
    return `${this.told(node)}${way}`;
  }

  /**
   * Expand or collapse a node, which stays where it is on the screen.
   * @param {number} node
   * @param {boolean} [isOpen]
   */
  toggle(node, isOpen = !this.layout.isOpen(node)) {
    if (!this.tree.n_branches[node]) return;
    const before = this.places.get(node);
    this.layout.toggle(node, isOpen);
    const after = this.places.get(node);
    if (before && after) this.camera.follow(before, after);
    this.listener.changed();
  }

  /** @param {boolean} isOpen */
  toggleAll(isOpen) {
    this.layout.toggleAll(isOpen);
    this.fit();
  }

  /**
   * Choose a node, and bring it into view.
   * @param {number} node
   */
  choose(node) {
    this.selected = node;
    this.layout.reveal(node);
    const place = this.places.get(node);
    if (!place || !this.camera.centre(place, this.layout.width)) this.#draw();
  }

  /** @param {number[]} nodes */
  find(nodes) {
    this.found = new Set(nodes);
    this.#draw();
  }

  /**
   * Light up the way of an instance, and let it travel.
   * @param {Map<number, Mark>} marks
   * @param {number[]} way the nodes from the root to where most of the instance ends
   * @param {boolean} isChosen whether the end of the way becomes the chosen node, and comes into view
   */
  light(marks, way, isChosen) {
    const isSame = way.length === this.way.length && way.every((node, i) => node === this.way[i]);
    this.marks = marks;
    this.way = way;
    if (isChosen) this.selected = way.at(-1) ?? 0;
    const lines = new Set([...marks.values()].map(({ line }) => String(line)));
    for (const item of this.legend.getElementsByTagName("li")) item.hidden = !lines.has(item.dataset.line ?? "");
    this.#lightUp();
    if ((isSame && !isChosen) || this.camera.shows(this.#wayPlaces(), this.layout.width)) this.#draw();
    else this.open();
    cancelAnimationFrame(this.frame ?? 0);
    this.dot.setAttribute("visibility", "hidden");
    if (!isCalm()) this.#travel(way, performance.now());
  }

  /** Expand what the instance passes, or the method weighs. */
  #lightUp() {
    const worth = [...this.marks]
      .filter(([, { kind, share }]) => kind !== "weight" || share > 0.05)
      .map(([node]) => node);
    this.layout.light([this.selected, ...(worth.length > MOST_REVEALED ? this.way : worth)]);
  }

  /**
   * @param {number[]} way
   * @param {number} began
   */
  #travel(way, began) {
    this.frame = requestAnimationFrame((now) => {
      const at = Math.max(0, (now - began) / STEP);
      const i = Math.floor(at);
      const [from, to] = [this.places.get(way[i]), this.places.get(way[i + 1])];
      this.dot.setAttribute("visibility", from && to ? "visible" : "hidden");
      if (!from || !to) return;
      this.dot.setAttribute("cx", String(from.x + this.layout.width / 2 + (to.x - from.x) * (at - i)));
      this.dot.setAttribute("cy", String(from.y + (to.y - from.y) * (at - i)));
      this.#travel(way, began);
    });
  }
}

/**
 * @template Item, Key
 * @param {Item[]} items
 * @param {(item: Item) => Key} keyOf
 */
function grouped(items, keyOf) {
  /** @type {Map<Key, Item[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
