/**
 * Sending an instance down a tree, as wekaconf.tree._router does.
 */

/** @typedef {import("./unpack.js").Numbers} Numbers */

/**
 * A tree's arrays: those of the mirror, and those of its router (see `wekaconf.tree._router.Router`).
 * @typedef {object} Tree
 * @property {number} n_nodes
 * @property {Numbers} parent
 * @property {Numbers} first_child
 * @property {Numbers} n_branches
 * @property {Numbers} split_kind
 * @property {Numbers} split_attribute
 * @property {Float64Array} split_point
 * @property {Numbers} split_value
 * @property {Numbers} split_subset
 * @property {Numbers} class_weight
 * @property {Numbers} attribute
 * @property {Float64Array} limit
 * @property {Numbers} equals
 * @property {Numbers} enters
 * @property {Numbers} down
 * @property {Numbers} up
 * @property {Numbers} answer
 * @property {Numbers | null} part
 * @property {number} correction
 * @property {Numbers | null} own_answer the answers of leaf_frequency with Laplace's correction of its own
 * @property {Numbers | null} own_part
 * @property {number} own_correction
 * @property {boolean} keeps_counts
 */

/** @typedef {{node: number, share: number}} Part */

export class Router {
  /**
   * @param {Tree} tree
   * @param {number} nClasses
   */
  constructor(tree, nClasses) {
    this.tree = tree;
    this.nClasses = nClasses;
    /** Whether an instance, or a part of one, may stop at the node. */
    this.stops = new Uint8Array(tree.n_nodes);
    /** Number of splits above each node. */
    this.depth = new Int32Array(tree.n_nodes);
    for (let node = 0; node < tree.n_nodes; node++) {
      if (node) this.depth[node] = this.depth[tree.parent[node]] + 1;
      const first = tree.first_child[node];
      let takes = false;
      for (let child = first; child < first + tree.n_branches[node] && !takes; child++) {
        takes = tree.enters[child] === 1 && tree.down[child] * tree.up[child] > 0;
      }
      this.stops[node] = tree.attribute[node] < 0 || !takes ? 1 : 0;
    }
  }

  /**
   * The child that a known value leads to.
   * @param {number} node
   * @param {number} value
   */
  childOf(node, value) {
    const { first_child: first, limit, equals, split_subset: inSubset } = this.tree;
    const wanted = equals[node];
    if (Number.isNaN(wanted)) return first[node] + (value <= limit[node] ? 0 : 1);
    if (wanted >= 0) return first[node] + (value === wanted ? 0 : 1);
    if (wanted < -1) return first[node] + (inSubset[-2 - wanted + value] ? 0 : 1);
    return first[node] + value;
  }

  /**
   * The node where an instance stops, or the first node where its value is missing.
   * @param {Float64Array} values
   * @param {number} [node]
   */
  walk(values, node = 0) {
    const { attribute } = this.tree;
    while (attribute[node] >= 0) {
      const value = values[attribute[node]];
      if (Number.isNaN(value)) break;
      node = this.childOf(node, value);
    }
    return node;
  }

  /**
   * The distribution of an instance that starts at a node.
   * @param {Float64Array} values
   * @param {number} [start]
   * @param {boolean} [isOwn] whether with the correction of leaf_frequency's own
   */
  distribution(values, start = 0, isOwn = false) {
    const { tree, nClasses: k } = this;
    const own = isOwn && tree.own_answer !== null;
    const answer = own ? /** @type {Numbers} */ (tree.own_answer) : tree.answer;
    const part = (own ? tree.own_part : tree.part) ?? answer;
    const correction = own ? tree.own_correction : tree.correction;
    const node = this.walk(values, start);
    const proba = new Float64Array(k);
    if (tree.attribute[node] < 0) {
      for (let c = 0; c < k; c++) proba[c] = answer[node * k + c];
      return proba;
    }
    this.#mix(values, node, 1, part, proba);
    if (correction >= 0) {
      let total = 0;
      for (let c = 0; c < k; c++) total += proba[c];
      for (let c = 0; c < k; c++) proba[c] = (proba[c] + correction) / (total + correction * k);
    }
    return proba;
  }

  /**
   * Add to `sums` what the children of a node, whose value is missing, answer; nested as in Weka's recursion.
   * @param {Float64Array} values
   * @param {number} node
   * @param {number} weight
   * @param {Numbers} part
   * @param {Float64Array} sums
   */
  #mix(values, node, weight, part, sums) {
    const { tree, nClasses: k } = this;
    const first = tree.first_child[node];
    for (let child = first; child < first + tree.n_branches[node]; child++) {
      if (!tree.enters[child]) continue;
      const ofChild = tree.down[child] * weight;
      const end = this.walk(values, child);
      if (tree.attribute[end] < 0) {
        for (let c = 0; c < k; c++) sums[c] += tree.up[child] * (part[end * k + c] * ofChild);
      } else {
        const below = new Float64Array(k);
        this.#mix(values, end, ofChild, part, below);
        for (let c = 0; c < k; c++) sums[c] += tree.up[child] * below[c];
      }
    }
  }

  /**
   * Every node where a part of an instance stops, with its share; the shares sum to 1.
   * @param {Float64Array} values
   * @returns {Part[]}
   */
  paths(values) {
    const { tree } = this;
    /** @type {Part[]} */
    const parts = [];
    /** @type {Part[]} */
    let open = [{ node: 0, share: 1 }];
    while (open.length) {
      /** @type {Part[]} */
      const next = [];
      for (const { node: start, share } of open) {
        const node = this.walk(values, start);
        if (this.stops[node]) {
          parts.push({ node, share });
          continue;
        }
        const first = tree.first_child[node];
        for (let child = first; child < first + tree.n_branches[node]; child++) {
          const ofChild = share * (tree.down[child] * tree.up[child]);
          if (tree.enters[child] && ofChild > 0) next.push({ node: child, share: ofChild });
        }
      }
      open = next;
    }
    let total = 0;
    for (const part of parts) total += part.share;
    for (const part of parts) part.share /= total;
    return parts;
  }

  /**
   * The mean of what the parts of an instance answer.
   * @param {Part[]} parts
   * @param {(node: number) => ArrayLike<number>} answerAt
   */
  mean(parts, answerAt) {
    const mean = new Float64Array(this.nClasses);
    for (const { node, share } of parts) {
      const answer = answerAt(node);
      for (let c = 0; c < mean.length; c++) mean[c] += parts.length === 1 ? answer[c] : share * answer[c];
    }
    return mean;
  }

  /**
   * The nodes from the root to a node.
   * @param {number} node
   */
  nodesTo(node) {
    const nodes = [];
    for (let at = node; at >= 0; at = this.tree.parent[at]) nodes.push(at);
    return nodes.reverse();
  }

  /**
   * Each node itself, or its nearest ancestor that is not empty, or the root.
   * @param {(node: number) => boolean} isEmpty
   */
  nearestFilled(isEmpty) {
    const filled = new Int32Array(this.tree.n_nodes);
    for (let node = 1; node < filled.length; node++)
      filled[node] = isEmpty(node) ? filled[this.tree.parent[node]] : node;
    return filled;
  }
}
