/**
 * Where the nodes of a tree stand: only what is expanded has a place.
 */

import { hierarchy, tree as layoutOf } from "d3-hierarchy";
import { widthOf, cut } from "./dom.js";
import { LT } from "./header.js";
import { HEIGHT, PADDING } from "./shapes.js";

/** @typedef {import("./router.js").Router} Router */
/** @typedef {import("./shapes.js").Place} Place */
/** @typedef {"ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight"} Arrow */

const ROW = 60;
/** Room between a box and its children, and how far they are indented where there is no room beside it. */
const GAP = 36,
  INDENT = 22;
const NARROWEST = 96,
  WIDEST = 230;
const FIRST_LEAVES = 12;
const FIRST_LEAVES_INDENTED = 4;
const LOOKED_AT = 2000;

export class Layout {
  /**
   * @param {Router} router
   * @param {import("./header.js").Header} header
   * @param {boolean} isIndented whether children stand below their parents, for want of room beside them
   */
  constructor(router, header, isIndented) {
    this.router = router;
    this.tree = router.tree;
    /** @type {Set<number>} the nodes that the reader has expanded, or a search has */
    this.expanded = new Set();
    /** @type {Set<number>} the nodes that are expanded while an instance is shown, since they are on its way */
    this.lit = new Set();
    /** @type {Map<number, Place>} */
    this.places = new Map();
    /** Number of leaves below each node. */
    this.leaves = countedLeaves(this.tree);
    this.isIndented = isIndented;
    /** Width of a box: that of the longest name, or number or date above it, within limits. */
    this.width = widthOfBoxes(this.tree, header);
    this.#expandFirst();
    this.arrange();
  }

  /** Expand a small tree whole, another one level by level, until there is enough to see. */
  #expandFirst() {
    const open = [0];
    const most = this.isIndented ? FIRST_LEAVES_INDENTED : FIRST_LEAVES;
    if (this.leaves[0] <= 2 * most) {
      this.#expandAll();
      return;
    }
    let leaves = 1;
    while (open.length && leaves < most) {
      const node = /** @type {number} */ (open.shift());
      const n = this.tree.n_branches[node];
      if (!n || leaves + n - 1 > 2 * most) continue;
      this.expanded.add(node);
      leaves += n - 1;
      open.push(...this.childrenOf(node));
    }
  }

  #expandAll() {
    for (let node = 0; node < this.tree.n_nodes; node++) if (this.tree.n_branches[node]) this.expanded.add(node);
  }

  /** @param {number} node */
  childrenOf(node) {
    return Array.from({ length: this.tree.n_branches[node] }, (_, i) => this.tree.first_child[node] + i);
  }

  /**
   * Whether the children of a node are shown.
   * @param {number} node
   */
  isOpen(node) {
    return this.expanded.has(node) || this.lit.has(node);
  }

  arrange() {
    const root = hierarchy(0, (node) => (this.isOpen(node) ? this.childrenOf(node) : null));
    this.places = new Map();
    if (this.isIndented) {
      let row = 0;
      root.eachBefore(({ data, depth }) => this.places.set(data, { node: data, x: INDENT * depth, y: ROW * row++ }));
      return;
    }
    const spread = layoutOf()
      .nodeSize([ROW, this.width + GAP])
      .separation(() => 1);
    spread(/** @type {any} */ (root)).each(({ data, x, y }) => {
      this.places.set(Number(data), { node: Number(data), x: y, y: x });
    });
  }

  /**
   * The rectangle that places take, with what stands above and below boxes.
   * @param {Iterable<Place>} places
   */
  extent(places) {
    let [right, top, bottom] = [0, 0, 0];
    for (const { x, y } of places) [right, top, bottom] = [Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    return { right: right + this.width, top: top - HEIGHT, bottom: bottom + HEIGHT };
  }

  /**
   * @param {number} node
   * @param {boolean} isOpen
   */
  toggle(node, isOpen) {
    this.lit.delete(node);
    if (isOpen) this.expanded.add(node);
    else this.expanded.delete(node);
    this.arrange();
  }

  /** @param {boolean} isOpen */
  toggleAll(isOpen) {
    this.expanded.clear();
    this.lit.clear();
    if (isOpen) this.#expandAll();
    this.arrange();
  }

  /**
   * The nodes above others.
   * @param {Iterable<number>} nodes
   */
  #above(nodes) {
    /** @type {Set<number>} */
    const above = new Set();
    for (const node of nodes) {
      for (let at = this.tree.parent[node]; at >= 0 && !above.has(at); at = this.tree.parent[at]) above.add(at);
    }
    return above;
  }

  /**
   * Expand what leads to a node.
   * @param {number} node
   */
  reveal(node) {
    if (this.places.has(node)) return;
    for (const at of this.#above([node])) this.expanded.add(at);
    this.arrange();
  }

  /**
   * Expand what leads to nodes for as long as an instance is shown; what was expanded for the one before collapses.
   * @param {Iterable<number>} nodes
   */
  light(nodes) {
    const before = this.lit;
    this.lit = this.#above(nodes);
    if (before.size !== this.lit.size || [...before].some((node) => !this.lit.has(node))) this.arrange();
  }

  /**
   * The next node in a direction, as the arrow keys go; a node must be expanded to have one to its right.
   * @param {number} from
   * @param {Arrow} key
   */
  neighbour(from, key) {
    const { tree, places } = this;
    if (key === "ArrowRight") return this.isOpen(from) ? tree.first_child[from] : from;
    if (key === "ArrowLeft") return Math.max(0, tree.parent[from]);
    const { depth } = this.router;
    const here = /** @type {Place} */ (places.get(from));
    const sign = key === "ArrowUp" ? -1 : 1;
    let best = from;
    let gap = Infinity;
    for (const { node, y } of places.values()) {
      const far = sign * (y - here.y);
      const isBeside = this.isIndented || depth[node] === depth[from];
      if (isBeside && far > 0 && far < gap) [best, gap] = [node, far];
    }
    return best;
  }
}

/**
 * @param {import("./router.js").Tree} tree
 * @param {import("./header.js").Header} header
 */
function widthOfBoxes(tree, header) {
  const names = new Set();
  let widestNumber = 0;
  for (let node = 0; node < Math.min(tree.n_nodes, LOOKED_AT); node++) {
    if (tree.n_branches[node]) names.add(header.splitName(tree, node));
    if (!node || tree.split_kind[tree.parent[node]] > LT) continue;
    widestNumber = Math.max(widestNumber, widthOf(header.branch(tree, node), true));
  }
  const wide = (/** @type {string} */ name, /** @type {boolean} */ isBold) => widthOf(cut(name, WIDEST / 4), isBold);
  const widest = Math.max(
    ...Array.from(names, (name) => wide(name, false)),
    ...header.classNames.slice(0, LOOKED_AT).map((name) => wide(name, true)),
  );
  return Math.round(Math.min(Math.max(widest + 2 * PADDING + 2, widestNumber + 2, NARROWEST), WIDEST));
}

/** @param {import("./router.js").Tree} tree */
function countedLeaves({ n_nodes: n, parent, n_branches: branches }) {
  const leaves = new Int32Array(n);
  for (let node = n - 1; node >= 0; node--) {
    if (!branches[node]) leaves[node] = 1;
    if (node) leaves[parent[node]] += leaves[node];
  }
  return leaves;
}
