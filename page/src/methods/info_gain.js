/**
 * Growing a tree by information gain where one further instance goes, as `wekaconf.learners.info_gain.compiled` does.
 */

import { nPresent, predictedClass, Splits } from "./info_gain_splits.js";

/** @typedef {import("../unpack.js").Numbers} Numbers */
/** @typedef {{rows: Int32Array, share: Float64Array}} Entries instances at a node, and the part of each that is there */
/** @typedef {{order: Int32Array[], nKnown: number[]}} Sorted entries by each numeric attribute, missing values last */
/** @typedef {import("./info_gain_splits.js").Split} Split */
/** @typedef {{counts: Float64Array, xShare: number, branches: (Grown | Entries)[]}} Grown */

/**
 * @typedef {object} Training
 * @property {Numbers[]} columns values of all attributes but the class
 * @property {Numbers} attributes the attribute of each column
 * @property {Numbers} n_values of each nominal attribute; 0: a numeric one
 * @property {Numbers} target class of each instance
 * @property {Numbers} weight
 * @property {Numbers} labels the classes that an instance may have
 * @property {number} n_classes
 * @property {"class-boundary" | "with-x" | "all"} cuts
 * @property {boolean} safe_prune
 * @property {number} min_weight
 * @property {number} min_gain
 */

export class Inducer {
  /** @param {Training} training */
  constructor(training) {
    this.training = training;
    const { columns, target, weight, n_values: nValues } = training;
    /** Number of training instances, and the number of the further one. */
    this.n = target.length;
    this.target = Int32Array.from([...target, 0]);
    this.weight = Float64Array.from([...weight, 0]);
    this.columns = columns.map((column) => Float64Array.from([...column, NaN]));
    this.order = this.columns.map((column, a) => (nValues[a] ? new Int32Array(0) : sortedOrder(column, this.n)));
    this.splits = new Splits(training, this.columns, this.target);
  }

  /**
   * Class counts of the leaves that an instance reaches if it joins the training data with weight 1, each times the
   * part of the instance that reaches it.
   * @param {Float64Array} values of all attributes
   * @param {number} label its class
   * @param {boolean} isWithheld whether its values are no cuts, unless the rules say with-x
   * @returns {Float64Array}
   */
  leafCounts(values, label, isWithheld) {
    const { columns, n, training } = this;
    const own = columns.map((column, a) => (column[n] = values[training.attributes[a]]));
    this.target[n] = label;
    this.weight[n] = 1;
    this.splits.take(own, isWithheld);
    const entries = { rows: Int32Array.from({ length: n + 1 }, (_, i) => i), share: new Float64Array(n + 1).fill(1) };
    const root = this.#grown(entries, this.#sortedWith(own));
    if (training.safe_prune) this.#prune(root);
    const sum = new Float64Array(training.n_classes);
    addLeaves(root, sum);
    return sum;
  }

  /**
   * All entries sorted, the further one behind its equals.
   * @param {number[]} own its values
   * @returns {Sorted}
   */
  #sortedWith(own) {
    const { columns, n } = this;
    const nKnown = columns.map(() => 0);
    const order = this.order.map((before, a) => {
      if (this.training.n_values[a]) return before;
      const column = columns[a];
      let [low, known] = [0, before.length];
      while (known && Number.isNaN(column[before[known - 1]])) known--;
      let high = Number.isNaN(own[a]) ? 0 : known;
      if (Number.isNaN(own[a])) low = high = n;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (column[before[middle]] <= own[a]) low = middle + 1;
        else high = middle;
      }
      nKnown[a] = known + (Number.isNaN(own[a]) ? 0 : 1);
      const whole = new Int32Array(n + 1);
      whole.set(before.subarray(0, low));
      whole[low] = n;
      whole.set(before.subarray(low), low + 1);
      return whole;
    });
    return { order, nKnown };
  }

  /**
   * The entries sorted by each numeric attribute.
   * @param {Int32Array} rows
   * @returns {Sorted}
   */
  #sorted(rows) {
    const nKnown = this.columns.map(() => 0);
    const order = this.columns.map((column, a) => {
      if (this.training.n_values[a]) return new Int32Array(0);
      /** @type {number[]} */
      const known = [];
      /** @type {number[]} */
      const missing = [];
      for (let i = 0; i < rows.length; i++) (Number.isNaN(column[rows[i]]) ? missing : known).push(i);
      known.sort((i, j) => column[rows[i]] - column[rows[j]] || i - j);
      nKnown[a] = known.length;
      return Int32Array.from([...known, ...missing]);
    });
    return { order, nKnown };
  }

  /**
   * The tree on these entries, split only where a part of the further instance goes.
   * @param {Entries} entries
   * @param {Sorted} sorted
   * @returns {Grown}
   */
  #grown({ rows, share }, sorted) {
    const weight = this.#weights(rows, share);
    const counts = this.#counts(rows, weight);
    const at = rows.indexOf(this.n);
    /** @type {Grown} */
    const node = { counts, xShare: share[at], branches: [] };
    const split = this.splits.best(rows, weight, sorted, counts);
    if (!split) return node;
    node.branches = this.#parts(rows, share, weight, split).map((part) => {
      if (!part.entries.rows.includes(this.n)) return part.entries;
      return this.#grown(part.entries, sortedPart(sorted, part.place, part.entries.rows.length));
    });
    return node;
  }

  /**
   * Whether all leaves of the tree on these entries predict a class.
   * @param {Entries} entries
   * @param {number} wanted
   * @param {Sorted} [sorted]
   * @returns {boolean}
   */
  #isAllOf({ rows, share }, wanted, sorted) {
    const weight = this.#weights(rows, share);
    const counts = this.#counts(rows, weight);
    const isWanted = predictedClass(counts) === wanted;
    if (nPresent(counts) <= 1 || (this.splits.exact && !isWanted)) return isWanted;
    const known = sorted ?? this.#sorted(rows);
    const split = this.splits.best(rows, weight, known, counts);
    if (!split) return isWanted;
    return this.#parts(rows, share, weight, split).every(({ entries, place }) =>
      this.#isAllOf(entries, wanted, sortedPart(known, place, entries.rows.length)),
    );
  }

  /**
   * Make a leaf of every node whose leaves all predict one class.
   * @param {Grown} node
   * @returns {number} the class that all its leaves predict; −1: several
   */
  #prune(node) {
    if (!node.branches.length) return predictedClass(node.counts);
    const classes = node.branches.map((branch) => ("counts" in branch ? this.#prune(branch) : -1));
    for (const [b, branch] of node.branches.entries()) {
      const other = classes[1 - b];
      if (!("counts" in branch) && other >= 0 && this.#isAllOf(branch, other)) classes[b] = other;
    }
    if (classes[0] < 0 || classes[0] !== classes[1]) return -1;
    node.branches = [];
    return classes[0];
  }

  /**
   * @param {Int32Array} rows
   * @param {Float64Array} share
   */
  #weights(rows, share) {
    return share.map((part, i) => this.weight[rows[i]] * part);
  }

  /**
   * @param {Int32Array} rows
   * @param {Float64Array} weight
   */
  #counts(rows, weight) {
    const counts = new Float64Array(this.training.n_classes);
    for (let i = 0; i < rows.length; i++) counts[this.target[rows[i]]] += weight[i];
    return counts;
  }

  /**
   * The two branches of a split: their entries, and the place of each entry in them, −1 if it goes elsewhere.
   * @param {Int32Array} rows
   * @param {Float64Array} share
   * @param {Float64Array} weight
   * @param {Split} split
   */
  #parts(rows, share, weight, { attribute, point, flags }) {
    const column = this.columns[attribute];
    const side = new Int8Array(rows.length);
    const sums = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      const value = column[rows[i]];
      if (Number.isNaN(value)) {
        side[i] = 2;
        continue;
      }
      side[i] = (flags ? flags[value] : value <= point) ? 0 : 1;
      sums[side[i]] += weight[i];
    }
    return [0, 1].map((b) => {
      const ofMissing = sums[b] / (sums[0] + sums[1]);
      const place = new Int32Array(rows.length).fill(-1);
      let n = 0;
      for (let i = 0; i < rows.length; i++) if (side[i] === b || (side[i] === 2 && ofMissing > 0)) place[i] = n++;
      const entries = { rows: new Int32Array(n), share: new Float64Array(n) };
      for (let i = 0; i < rows.length; i++) {
        if (place[i] < 0) continue;
        entries.rows[place[i]] = rows[i];
        entries.share[place[i]] = share[i] * (side[i] === 2 ? ofMissing : 1);
      }
      return { entries, place };
    });
  }
}

/**
 * Rows by value, missing ones last.
 * @param {Float64Array} column
 * @param {number} n
 */
function sortedOrder(column, n) {
  const rows = Int32Array.from({ length: n }, (_, i) => i);
  const last = (/** @type {number} */ row) => Number(Number.isNaN(column[row]));
  return rows.sort((i, j) => last(i) - last(j) || (column[i] < column[j] ? -1 : column[i] > column[j] ? 1 : i - j));
}

/**
 * The entries of a branch in the order of the node.
 * @param {Sorted} sorted
 * @param {Int32Array} place
 * @param {number} n
 * @returns {Sorted}
 */
function sortedPart({ order, nKnown }, place, n) {
  const known = nKnown.map(() => 0);
  const parts = order.map((entries, a) => {
    if (!entries.length) return entries;
    const part = new Int32Array(n);
    let at = 0;
    for (let i = 0; i < entries.length; i++) {
      if (place[entries[i]] >= 0) part[at++] = place[entries[i]];
      if (i + 1 === nKnown[a]) known[a] = at;
    }
    return part;
  });
  return { order: parts, nKnown: known };
}

/**
 * Add the counts of the leaves, each times the part of the further instance there.
 * @param {Grown} node
 * @param {Float64Array} sum
 */
function addLeaves(node, sum) {
  if (!node.branches.length) for (let c = 0; c < sum.length; c++) sum[c] += node.xShare * node.counts[c];
  for (const branch of node.branches) if ("counts" in branch) addLeaves(branch, sum);
}
