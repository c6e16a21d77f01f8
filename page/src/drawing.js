/**
 * The drawing of a tree: only what is expanded is laid out, and only what is in view is drawn.
 */

import { hierarchy, tree as layoutOf } from "d3-hierarchy";
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { colourOf, cut, s } from "./dom.js";
import { sumOf, written } from "./numbers.js";
import { boxOf, curve, HEIGHT, WIDTH } from "./shapes.js";

/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./router.js").Router} Router */
/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("./shapes.js").Place} Place */

const ROW = 54, LONGEST_CONDITION = 20;
const FAR = 0.3, MARGIN = 60, FIRST_LEAVES = 14, STEP = 110;

export class Drawing {
  /**
   * @param {SVGSVGElement} svg
   * @param {Header} header
   * @param {Router} router
   * @param {{select: (node: number) => void, changed: () => void}} listener
   */
  constructor(svg, header, router, listener) {
    this.svg = svg;
    this.router = router;
    this.tree = router.tree;
    /** @type {Set<number>} the nodes whose children are shown */
    this.expanded = new Set();
    /** @type {Map<number, Place>} */
    this.places = new Map();
    /** Number of leaves below each node. */
    this.leaves = new Int32Array(0);
    /** Width of a column: box, line and condition. */
    this.column = WIDTH;
    this.header = header;
    this.listener = listener;
    this.layer = s("g", { class: "layer" });
    this.links = this.layer.appendChild(s("g", { class: "links" }));
    this.nodes = this.layer.appendChild(s("g", { class: "nodes" }));
    this.dot = this.layer.appendChild(s("circle", { class: "dot", r: 7, visibility: "hidden" }));
    svg.replaceChildren(this.layer);
    this.transform = zoomIdentity;
    this.zoom = zoom()
      .scaleExtent([0.005, 3])
      .filter((event) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button))
      .on("zoom", (event) => {
        this.transform = event.transform;
        this.layer.setAttribute("transform", String(event.transform));
        this.#draw();
      });
    select(/** @type {Element} */ (svg)).call(this.zoom).on("dblclick.zoom", null);
    /** @type {Map<number, Mark>} */
    this.marks = new Map();
    /** @type {Set<number>} */
    this.found = new Set();
    this.selected = 0;
    this.show(router);
    new ResizeObserver(() => this.#draw()).observe(svg);
  }

  /**
   * Show another tree.
   * @param {Router} router
   */
  show(router) {
    this.router = router;
    this.tree = router.tree;
    this.expanded = new Set();
    this.selected = 0;
    const open = [0];
    let leaves = 1;
    while (open.length && leaves < FIRST_LEAVES) {
      const node = /** @type {number} */ (open.shift()), n = this.tree.n_branches[node];
      if (!n || leaves + n - 1 > 2 * FIRST_LEAVES) continue;
      this.expanded.add(node);
      leaves += n - 1;
      for (let i = 0; i < n; i++) open.push(this.tree.first_child[node] + i);
    }
    this.#countLeaves();
    const lengths = Array.from({ length: Math.min(this.tree.n_nodes, 2000) }, (_, node) => (node ? this.header.branch(this.tree, node).length : 0));
    this.column = WIDTH + 44 + 6.6 * Math.min(Math.max(...lengths), LONGEST_CONDITION);
    this.#arrange();
    this.svg.style.height = "";
    const rows = [...this.places.values()].map(({ y }) => y);
    const needed = 1.1 * (Math.max(...rows) - Math.min(...rows)) + 6 * HEIGHT;
    if (needed < this.size.height) this.svg.style.height = `${needed}px`;
    this.fit(false);
  }

  #countLeaves() {
    const { n_nodes: n, parent, n_branches: branches } = this.tree;
    this.leaves = new Int32Array(n);
    for (let node = n - 1; node >= 0; node--) {
      if (!branches[node]) this.leaves[node] = 1;
      if (node) this.leaves[parent[node]] += this.leaves[node];
    }
  }

  /** Lay out what is expanded. */
  #arrange() {
    const { tree, expanded } = this;
    const root = hierarchy(0, (node) => (expanded.has(node) ? Array.from({ length: tree.n_branches[node] }, (_, i) => tree.first_child[node] + i) : null));
    this.places = new Map();
    layoutOf().nodeSize([ROW, this.column]).separation(() => 1)(/** @type {any} */ (root)).each(({ data, x, y }) => {
      const node = Number(data);
      this.places.set(node, { node, x: y, y: x });
    });
    this.#draw();
  }

  get size() {
    const { clientWidth: width, clientHeight: height } = this.svg;
    return { width: width || 800, height: height || 500 };
  }

  #draw() {
    const { width, height } = this.size;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { k } = this.transform;
    const left = this.transform.invertX(0) - MARGIN, right = this.transform.invertX(width) + MARGIN;
    const top = this.transform.invertY(0) - MARGIN, bottom = this.transform.invertY(height) + MARGIN;
    /** @type {Place[]} */
    const shown = [];
    /** @type {[Place, Place][]} */
    const links = [];
    for (const place of this.places.values()) {
      const { node, x, y } = place;
      if (x + WIDTH >= left && x <= right && y + HEIGHT >= top && y - HEIGHT <= bottom) shown.push(place);
      if (!node) continue;
      const parent = /** @type {Place} */ (this.places.get(this.tree.parent[node]));
      if (x >= left && parent.x + WIDTH <= right && Math.max(y, parent.y) >= top && Math.min(y, parent.y) <= bottom) links.push([parent, place]);
    }
    if (k < FAR) this.#drawFar(shown, links);
    else this.#drawNear(shown, links);
  }

  /**
   * Boxes without words, in one path for each class.
   * @param {Place[]} shown
   * @param {[Place, Place][]} links
   */
  #drawFar(shown, links) {
    /** @type {Map<string, string[]>} */
    const lines = new Map([["link", []]]);
    for (const [parent, child] of links) {
      const kind = this.marks.get(child.node)?.kind ?? "";
      const on = kind && kind !== "weight" ? `link on ${kind === "nearest" || kind === "route" ? kind : "path"}` : "link";
      if (!lines.has(on)) lines.set(on, []);
      /** @type {string[]} */ (lines.get(on)).push(curve(parent, child));
    }
    /** @type {Map<number, string[]>} */
    const boxes = new Map();
    for (const { node, x, y } of shown) {
      const c = this.tree.n_branches[node] ? -1 : this.#leading(node);
      if (!boxes.has(c)) boxes.set(c, []);
      /** @type {string[]} */ (boxes.get(c)).push(`M${x},${y - HEIGHT / 2}h${WIDTH}v${HEIGHT}h${-WIDTH}z`);
    }
    const selected = this.places.get(this.selected);
    this.links.replaceChildren(...[...lines].map(([name, d]) => s("path", { class: `${name} far`, d: d.join("") })));
    this.nodes.replaceChildren(...[...boxes].map(([c, d]) => s("path", { class: "far-box", fill: c < 0 ? "var(--soft)" : colourOf(c), d: d.join("") })),
      ...(selected ? [s("rect", { class: "far-selected", x: selected.x, y: selected.y - HEIGHT / 2, width: WIDTH, height: HEIGHT })] : []));
  }

  /**
   * @param {Place[]} shown
   * @param {[Place, Place][]} links
   */
  #drawNear(shown, links) {
    this.links.replaceChildren(...links.map(([parent, child]) => {
      const mark = this.marks.get(child.node);
      const on = mark && mark.kind !== "weight" ? ` on ${mark.kind === "nearest" || mark.kind === "route" ? mark.kind : "path"}` : "";
      return s("g", {}, s("path", { class: `link${on}`, d: curve(parent, child) }),
        s("text", { class: `condition${on}`, x: child.x - 8, y: child.y - 6, "text-anchor": "end" }, cut(this.header.branch(this.tree, child.node), LONGEST_CONDITION)));
    }));
    this.nodes.replaceChildren(...shown.map((place) => this.#box(place)));
  }

  /**
   * @param {Place} place
   */
  #box({ node, x, y }) {
    const { tree, header } = this;
    const isInner = tree.n_branches[node] > 0, weights = this.#weights(node), total = sumOf(weights);
    const name = isInner ? header.splitName(tree, node) : total > 0 ? header.classNames[this.#leading(node)] : "(empty)";
    return boxOf({
      node, x, y, name, weights,
      counted: total > 0 && tree.keeps_counts ? written(total) : "",
      told: this.told(node),
      mark: this.marks.get(node),
      classes: [isInner ? "inner" : "leaf", node === this.selected ? "selected" : "", this.found.has(node) ? "found" : ""],
      toggler: !isInner ? null : this.expanded.has(node) ? "−" : `+${this.leaves[node] > 9999 ? "…" : this.leaves[node]}`,
      onSelect: () => this.listener.select(node),
      onToggle: () => this.toggle(node),
    });
  }

  /**
   * @param {number} node
   */
  #weights(node) {
    const k = this.header.nClasses;
    return this.tree.class_weight.subarray(node * k, node * k + k);
  }

  /**
   * @param {number} node
   */
  #leading(node) {
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
    const weights = this.#weights(node), total = sumOf(weights);
    const way = header.condition(tree, node);
    const most = [...weights.keys()].filter((c) => weights[c] > 0).sort((a, b) => weights[b] - weights[a]).slice(0, 3);
    const held = total > 0 ? most.map((c) => `${header.classNames[c]} ${Math.round((100 * weights[c]) / total)} %`).join(", ") : "no instances";
    const what = tree.n_branches[node] ? `splits on ${header.splitName(tree, node)}, ${this.leaves[node]} leaves below` : `leaf: ${header.classNames[this.#leading(node)]}`;
    const mark = this.marks.get(node);
    return `${way}: ${what}; ${held}${mark ? `; on the way of the instance${mark.text ? ` (${mark.text})` : ""}` : ""}`;
  }

  /**
   * @param {number} node
   * @param {boolean} [isOpen]
   */
  toggle(node, isOpen = !this.expanded.has(node)) {
    if (!this.tree.n_branches[node]) return;
    if (isOpen) this.expanded.add(node);
    else this.expanded.delete(node);
    this.#keepingInPlace(node);
  }

  /**
   * Lay out anew, and leave a node where it is on the screen.
   * @param {number} node
   */
  #keepingInPlace(node) {
    const before = this.places.get(node);
    this.#arrange();
    const after = this.places.get(node);
    if (before && after) this.#move(this.transform.translate(before.x - after.x, before.y - after.y), false);
    this.listener.changed();
  }

  expandAll() {
    for (let node = 0; node < this.tree.n_nodes; node++) if (this.tree.n_branches[node]) this.expanded.add(node);
    this.#arrange();
    this.fit();
  }

  collapseAll() {
    this.expanded.clear();
    this.#arrange();
    this.fit();
  }

  /**
   * Expand what leads to nodes.
   * @param {Iterable<number>} nodes
   */
  reveal(nodes) {
    const n = this.expanded.size;
    for (const node of nodes) for (let at = this.tree.parent[node]; at >= 0 && !this.expanded.has(at); at = this.tree.parent[at]) this.expanded.add(at);
    if (this.expanded.size > n) this.#arrange();
  }

  /**
   * Choose a node, and bring it into view.
   * @param {number} node
   * @param {boolean} [isCentred]
   */
  choose(node, isCentred = true) {
    this.selected = node;
    this.reveal([node]);
    if (isCentred) this.centre(node);
    else this.#draw();
  }

  /**
   * @param {number} node
   */
  centre(node) {
    const place = this.places.get(node);
    if (!place) return;
    const { width, height } = this.size, k = Math.max(this.transform.k, 0.6);
    const x = this.transform.applyX(place.x), y = this.transform.applyY(place.y);
    const isSeen = this.transform.k >= 0.6 && x > 10 && x + WIDTH * k < width - 10 && y > 30 && y < height - 30;
    if (isSeen) this.#draw();
    else this.#move(zoomIdentity.translate(width / 2, height / 2).scale(k).translate(-place.x - WIDTH / 2, -place.y));
  }

  /**
   * Show all that is expanded, but no smaller than can be read unless asked to.
   * @param {boolean} [isWhole]
   */
  fit(isWhole = true) {
    let [left, right, top, bottom] = [0, 0, 0, 0];
    for (const { x, y } of this.places.values()) {
      [right, top, bottom] = [Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
    const { width, height } = this.size;
    const whole = Math.min(width / (right - left + WIDTH + 80), height / (bottom - top + 2 * HEIGHT), 1.1);
    const k = isWhole ? whole : Math.max(whole, 0.62);
    const isWider = k > whole;
    const x = isWider ? 20 : (width - k * (right + WIDTH + 30)) / 2;
    this.#move(zoomIdentity.translate(x, isWider && k * (bottom - top) > height ? height / 2 : height / 2 - (k * (top + bottom)) / 2).scale(k), false);
  }

  /**
   * Bring the way of an instance into view unless it is; where it is too long, its end.
   * @param {number[]} way
   */
  #frame(way) {
    const places = way.flatMap((node) => this.places.get(node) ?? []);
    const { width, height } = this.size;
    const isSeen = places.every(({ x, y }) => {
      const [left, top] = this.transform.apply([x, y]), [right] = this.transform.apply([x + WIDTH, y]);
      return left >= 0 && right <= width && top > 10 && top < height - 10;
    });
    if (isSeen && this.transform.k > 0.2) {
      this.#draw();
      return;
    }
    const right = Math.max(...places.map(({ x }) => x + WIDTH)) + 30;
    const ys = places.map(({ y }) => y), top = Math.min(...ys) - HEIGHT, bottom = Math.max(...ys) + HEIGHT;
    const k = Math.min(Math.max(Math.min(width / (right + 20), height / (bottom - top)), 0.6), 1.1);
    const end = places[places.length - 1];
    const x = k * (right + 20) > width ? width - k * right : 20 * k;
    const y = k * (bottom - top) > height ? height / 2 - k * end.y : height / 2 - (k * (top + bottom)) / 2;
    this.#move(zoomIdentity.translate(x, y).scale(k));
  }

  /**
   * @param {number} factor
   */
  magnify(factor) {
    this.zoom.scaleBy(/** @type {any} */ (select(/** @type {Element} */ (this.svg))), factor);
  }

  /**
   * @param {import("d3-zoom").ZoomTransform} transform
   * @param {boolean} [isSmooth]
   */
  #move(transform, isSmooth = true) {
    const selection = /** @type {any} */ (select(/** @type {Element} */ (this.svg)));
    selection.interrupt();
    this.zoom.transform(isSmooth && !isCalm() ? selection.transition().duration(250) : selection, transform);
  }

  /**
   * Light up the way of an instance, and let it travel.
   * @param {Map<number, Mark>} marks
   * @param {number[]} way the nodes from the root to where most of the instance ends
   */
  light(marks, way) {
    this.marks = marks;
    const worth = [...marks].filter(([, { kind, share }]) => kind !== "weight" || share > 0.05).map(([node]) => node);
    this.reveal(worth.length > 300 ? way : worth);
    this.#frame(way);
    cancelAnimationFrame(this.frame ?? 0);
    this.dot.setAttribute("visibility", "hidden");
    if (isCalm() || way.length < 2) return;
    const began = performance.now();
    const move = (/** @type {number} */ now) => {
      const at = Math.max(0, (now - began) / STEP), i = Math.floor(at);
      const from = this.places.get(way[i]), to = this.places.get(way[i + 1]);
      if (!from || !to) {
        this.dot.setAttribute("visibility", "hidden");
        return;
      }
      const part = at - i;
      this.dot.setAttribute("cx", String(from.x + WIDTH / 2 + (to.x - from.x) * part));
      this.dot.setAttribute("cy", String(from.y + (to.y - from.y) * part));
      this.dot.setAttribute("visibility", "visible");
      this.frame = requestAnimationFrame(move);
    };
    this.frame = requestAnimationFrame(move);
  }

  /**
   * The next node in a direction, as the arrow keys go.
   * @param {"ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight"} key
   */
  neighbour(key) {
    const { tree, selected, expanded } = this;
    if (key === "ArrowRight") {
      if (!tree.n_branches[selected]) return selected;
      if (!expanded.has(selected)) this.toggle(selected, true);
      return tree.first_child[selected];
    }
    if (key === "ArrowLeft") return Math.max(0, tree.parent[selected]);
    const depth = this.router.depth;
    const here = /** @type {Place} */ (this.places.get(selected)), sign = key === "ArrowUp" ? -1 : 1;
    let best = selected, gap = Infinity;
    for (const { node, y } of this.places.values()) {
      const far = sign * (y - here.y);
      if (depth[node] === depth[selected] && far > 0 && far < gap) [best, gap] = [node, far];
    }
    return best;
  }
}

function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
