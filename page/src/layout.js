/**
 * Where the nodes of a tree stand: only what is expanded has a place.
 */

import { hierarchy, tree as layoutOf } from "d3-hierarchy";
import { WIDTH } from "./shapes.js";

/** @typedef {import("./router.js").Router} Router */
/** @typedef {import("./shapes.js").Place} Place */
/** @typedef {"ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight"} Arrow */

const ROW = 54;
const FIRST_LEAVES = 14;
const LOOKED_AT = 2000;
export const LONGEST_CONDITION = 20;

export class Layout {
  /**
   * @param {Router} router
   * @param {import("./header.js").Header} header
   */
  constructor(router, header) {
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
    const n = Math.min(this.tree.n_nodes, LOOKED_AT);
    const longest = Math.max(...Array.from({ length: n }, (_, i) => (i ? header.branch(this.tree, i).length : 0)));
    /** Width of a column: box, line and condition. */
    this.column = WIDTH + 44 + 6.6 * Math.min(longest, LONGEST_CONDITION);
    this.#expandFirst();
    this.arrange();
  }

  /** Expand level by level, until there is enough to see. */
  #expandFirst() {
    const open = [0];
    let leaves = 1;
    while (open.length && leaves < FIRST_LEAVES) {
      const node = /** @type {number} */ (open.shift());
      const n = this.tree.n_branches[node];
      if (!n || leaves + n - 1 > 2 * FIRST_LEAVES) continue;
      this.expanded.add(node);
      leaves += n - 1;
      open.push(...this.childrenOf(node));
    }
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
    const spread = layoutOf()
      .nodeSize([ROW, this.column])
      .separation(() => 1);
    this.places = new Map();
    spread(/** @type {any} */ (root)).each(({ data, x, y }) => {
      this.places.set(Number(data), { node: Number(data), x: y, y: x });
    });
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
    for (let node = 0; isOpen && node < this.tree.n_nodes; node++) {
      if (this.tree.n_branches[node]) this.expanded.add(node);
    }
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
      if (depth[node] === depth[from] && far > 0 && far < gap) [best, gap] = [node, far];
    }
    return best;
  }
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
