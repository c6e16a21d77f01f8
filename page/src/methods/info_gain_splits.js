/**
 * The best split of a node by information gain, as in `wekaconf.learners.info_gain.node_splits`.
 */

import { rint, sumOf } from "../numbers.js";

/** @typedef {import("./info_gain.js").Training} Training */
/** @typedef {import("./info_gain.js").Sorted} Sorted */
/** @typedef {{score: number, attribute: number, point: number, flags: Uint8Array | null}} Split */

const SLACK = 1e-9;
const UNIT = 2 ** 30;
const NONE = -Infinity;
const LARGEST_TABLE = 10_000_000;
const LARGEST_SCALE = 36,
  BITS = 52;
/** The classes that a group of equal values has: none that counts, or several. */
const NO_CLASS = -2,
  SEVERAL = -1,
  NO_GROUP = -3;

/** What is split: the training data, and one further instance behind them, which changes from question to question. */
export class Splits {
  /**
   * @param {Training} training
   * @param {Float64Array[]} columns
   * @param {Int32Array} target
   */
  constructor(training, columns, target) {
    this.training = training;
    this.columns = columns;
    this.target = target;
    /** Whether gains are compared as whole numbers. */
    this.exact = false;
    /** Whether the values of the further instance may be cuts, and which cuts there are. */
    this.isOther = false;
    this.cuts = training.cuts;
    const { weight } = training;
    const total = sumOf(weight) + 1;
    const isComplete = training.columns.every((column) => !column.some(Number.isNaN));
    this.isExact = isComplete && weight.every(Number.isInteger) && total <= LARGEST_TABLE;
    const { table, scale } = logTable(this.isExact ? total : 0);
    this.table = table;
    this.scale = scale;
  }

  /**
   * Take the further instance.
   * @param {number[]} own its values
   * @param {boolean} isWithheld
   */
  take(own, isWithheld) {
    const { cuts } = this.training;
    this.isOther = !isWithheld;
    this.cuts = !isWithheld && cuts === "all" ? "with-x" : cuts;
    this.exact = this.isExact && !own.some(Number.isNaN);
  }

  /**
   * The best split; the lowest attribute of equals. Null where none is worth it.
   * @param {Int32Array} rows
   * @param {Float64Array} weight
   * @param {Sorted} sorted
   * @param {Float64Array} counts
   * @returns {Split | null}
   */
  best(rows, weight, sorted, counts) {
    if (nPresent(counts) <= 1) return null;
    /** @type {Split | null} */
    let best = null;
    for (let a = 0; a < this.columns.length; a++) {
      const known = this.exact ? counts : this.#knownCounts(a, rows, weight);
      const split = this.training.n_values[a]
        ? this.#bestSubset(a, rows, weight, known)
        : this.#bestCut(a, rows, weight, sorted.order[a], sorted.nKnown[a], known);
      if (split.score > (best?.score ?? NONE)) best = split;
    }
    return best;
  }

  /**
   * @param {number} a
   * @param {Int32Array} rows
   * @param {Float64Array} weight
   */
  #knownCounts(a, rows, weight) {
    const counts = new Float64Array(this.training.n_classes);
    for (let i = 0; i < rows.length; i++)
      if (!Number.isNaN(this.columns[a][rows[i]])) counts[this.target[rows[i]]] += weight[i];
    return counts;
  }

  /**
   * The best cut of a numeric attribute, the highest of equals.
   * @param {number} attribute
   * @param {Int32Array} rows
   * @param {Float64Array} weight
   * @param {Int32Array} order
   * @param {number} nKnown
   * @param {Float64Array} counts
   * @returns {Split}
   */
  #bestCut(attribute, rows, weight, order, nKnown, counts) {
    const { target, cuts, table, exact } = this;
    const column = this.columns[attribute];
    const atBoundary = cuts === "class-boundary";
    const total = sumOf(counts);
    const whole = this.#spread(counts, total);
    const left = new Float64Array(counts.length),
      right = Float64Array.from(counts);
    let [nLeft, nRight, leftTerms, rightTerms] = [0, total, 0, whole + this.#term(total)];
    let [best, point] = [NONE, NaN];
    let [before, beforePoint, beforeClass] = [NONE, NaN, NO_GROUP];
    let i = 0;
    while (i < nKnown) {
      const value = column[rows[order[i]]];
      let [onlyClass, here] = [NO_CLASS, 0];
      for (; i < nKnown && column[rows[order[i]]] === value; i++) {
        const row = rows[order[i]],
          w = weight[order[i]],
          c = target[row];
        if (exact) {
          leftTerms += table[left[c] + w] - table[left[c]];
          rightTerms += table[right[c] - w] - table[right[c]];
        }
        left[c] += w;
        right[c] -= w;
        nLeft += w;
        nRight -= w;
        here += w;
        if (row < target.length - 1 || this.isOther)
          onlyClass = onlyClass === NO_CLASS || onlyClass === c ? c : SEVERAL;
      }
      if (onlyClass === NO_CLASS && (cuts !== "with-x" || here === 0)) continue;
      if (atBoundary) {
        const isBoundary = beforeClass !== NO_GROUP && (onlyClass === SEVERAL || onlyClass !== beforeClass);
        if (isBoundary && before >= best) [best, point] = [before, beforePoint];
        [before, beforePoint, beforeClass] = [NONE, value, onlyClass];
      }
      if (i === nKnown || !this.#isAdmissible(nLeft, nRight)) continue;
      const gain = exact
        ? leftTerms - table[nLeft] + rightTerms - table[nRight] - whole
        : this.#spread(left, nLeft) + this.#spread(right, nRight) - whole;
      const score = this.#scoreOf(gain, total);
      if (atBoundary) before = score;
      else if (score > NONE && score >= best) [best, point] = [score, value];
    }
    return { score: best, attribute, point, flags: null };
  }

  /**
   * The subset of a nominal attribute's values that grows by the best value while that helps.
   * @param {number} attribute
   * @param {Int32Array} rows
   * @param {Float64Array} weight
   * @param {Float64Array} counts
   * @returns {Split}
   */
  #bestSubset(attribute, rows, weight, counts) {
    const nValues = this.training.n_values[attribute],
      k = counts.length;
    const byValue = new Float64Array(nValues * k),
      ofValue = new Float64Array(nValues);
    for (let i = 0; i < rows.length; i++) {
      const value = this.columns[attribute][rows[i]];
      if (Number.isNaN(value)) continue;
      byValue[value * k + this.target[rows[i]]] += weight[i];
      ofValue[value] += weight[i];
    }
    const total = sumOf(counts);
    const whole = this.#spread(counts, total);
    const flags = new Uint8Array(nValues);
    const left = new Float64Array(k),
      inside = new Float64Array(k),
      outside = new Float64Array(k);
    let [nLeft, best] = [0, NONE];
    for (;;) {
      let [bestValue, step] = [-1, NONE];
      for (let value = 0; value < nValues; value++) {
        if (flags[value] || ofValue[value] <= 0) continue;
        let nOutside = 0;
        for (let c = 0; c < k; c++) {
          inside[c] = left[c] + byValue[value * k + c];
          outside[c] = Math.max(counts[c] - inside[c], 0);
          nOutside += outside[c];
        }
        const nInside = nLeft + ofValue[value];
        if (!this.#isAdmissible(nInside, nOutside)) continue;
        const gain = this.#spread(inside, nInside) + this.#spread(outside, nOutside) - whole;
        const score = this.#scoreOf(gain, total);
        if (score > step) [step, bestValue] = [score, value];
      }
      if (bestValue < 0 || step <= best) return { score: best, attribute, point: NaN, flags };
      best = step;
      flags[bestValue] = 1;
      nLeft += ofValue[bestValue];
      for (let c = 0; c < k; c++) left[c] += byValue[bestValue * k + c];
    }
  }

  /** @param {number} weight */
  #term(weight) {
    if (this.exact) return this.table[weight];
    return weight > 0 ? weight * Math.log2(weight) : 0;
  }

  /**
   * Minus weight times entropy.
   * @param {Float64Array} counts
   * @param {number} total
   */
  #spread(counts, total) {
    let result = -this.#term(total);
    for (let c = 0; c < counts.length; c++) result += this.#term(counts[c]);
    return result;
  }

  /**
   * @param {number} gain times weight
   * @param {number} known
   */
  #scoreOf(gain, known) {
    const { min_gain: least } = this.training;
    if (this.exact) return gain >= least * known * this.scale ? gain : NONE;
    return gain / known >= least ? rint((gain / known) * UNIT) : NONE;
  }

  /**
   * @param {number} left
   * @param {number} right
   */
  #isAdmissible(left, right) {
    const least = Math.min(left, right);
    return least > SLACK && least >= this.training.min_weight - SLACK;
  }
}

/**
 * The class of largest weight, ties to the lowest.
 * @param {Float64Array} counts
 */
export function predictedClass(counts) {
  let best = 0;
  for (let c = 1; c < counts.length; c++) if (counts[c] > counts[best] + SLACK) best = c;
  return best;
}

/** @param {Float64Array} counts */
export function nPresent(counts) {
  let n = 0;
  for (const count of counts) n += Number(count > 0);
  return n;
}

/**
 * Terms w · log2 w of whole weights as whole numbers, so that equal gains are equal numbers; see
 * `wekaconf.learners.info_gain.rules.log_table`.
 * @param {number} total the largest weight
 */
function logTable(total) {
  const size = Math.trunc(total) + 2;
  const scale = 2 ** Math.min(LARGEST_SCALE, Math.floor(BITS - Math.log2(size * Math.max(Math.log2(size), 1))));
  const rest = Float64Array.from({ length: size }, (_, w) => Math.max(w, 1)),
    logarithm = new Float64Array(size);
  for (let p = 2; p * p <= size; p++) {
    if (rest[p] !== p) continue;
    for (let power = p; power < size; power *= p) {
      for (let w = power; w < size; w += power) {
        rest[w] /= p;
        logarithm[w] += rint(Math.log2(p) * scale);
      }
    }
  }
  return { table: logarithm.map((sum, w) => w * (sum + rint(Math.log2(rest[w]) * scale))), scale };
}
