/**
 * Second opinions: the logarithmic pool of the tree and of sums, such as naive Bayes (Genest, Zidek 1986).
 */

import { mostProbable, sumOf } from "../numbers.js";
import { pathOf, withLeaves } from "./at_nodes.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */

/**
 * What the values of an attribute add to each class: a row of `adds` for each nominal value or interval, the last one
 * where it is missing; or a number in standard deviations times `slope`. See `Cells` and `Line` in Python.
 * @typedef {object} Term
 * @property {number} column
 * @property {Float64Array | null} [ends] the largest number of each interval but the last; null: nominal values
 * @property {Float64Array} [adds]
 * @property {number} center
 * @property {number} spread
 * @property {number} furthest
 * @property {Float64Array} [slope]
 */

/** @typedef {{words: string, start: Float64Array | null, terms: Term[]}} Side a sum; without a start, the tree */
/** @typedef {{words: string, proba: ArrayLike<number>}} Opinion */

/**
 * @param {Context} context
 */
export function secondOpinion(context) {
  const { router, learned, params, opinions } = context;
  const { least, sides } = /** @type {{least: number, sides: Side[]}} */ (opinions);
  const weights = learned.weights_;

  /** @param {Float64Array} values */
  const ofTree = (values) => asShares(router.distribution(values, 0, true));

  /** @param {Float64Array[]} said */
  function pooled(said) {
    const logs = new Float64Array(said[0].length);
    for (const [i, proba] of said.entries()) {
      for (let c = 0; c < logs.length; c++) logs[c] += Number(weights[i]) * Math.log(Math.max(proba[c], least));
    }
    return softmax(logs);
  }

  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const said = sides.map((side) => (side.start ? softmax(totalOf(side, side.start, values)) : ofTree(values)));
      const proba = sides.length ? pooled(said) : ofTree(values);
      const predicted = mostProbable(params.answers === "tree" ? router.distribution(values) : proba);
      return { proba, certainty: proba[predicted], predicted, explain: () => explain(values, said, proba) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {Float64Array[]} said
   * @param {Float64Array} proba
   */
  function explain(values, said, proba) {
    const explained = withLeaves(context, values, pathOf(context, values));
    if (sides.length) {
      explained.opinions = sides.map(({ words }, i) => ({ words, proba: said[i] }));
      explained.opinions.push({ words: "together", proba });
    } else explained.steps.push({ node: -1, text: "too little to learn from: the tree answers alone" });
    return explained;
  }
}

/**
 * What a sum gives each class before it becomes a distribution.
 * @param {Side} side
 * @param {Float64Array} start
 * @param {Float64Array} values
 */
function totalOf({ terms }, start, values) {
  const total = Float64Array.from(start);
  const k = total.length;
  for (const { column, ends, adds, center, spread, furthest, slope } of terms) {
    const value = values[column];
    if (slope) {
      const deviation = Number.isNaN(value) ? 0 : Math.min(Math.max((value - center) / spread, -furthest), furthest);
      for (let c = 0; c < k; c++) total[c] += deviation * slope[c];
    } else if (adds) {
      const missing = adds.length / k - 1;
      const known = ends ? ends.reduce((n, end) => n + Number(end < value), 0) : value;
      const row = Number.isNaN(value) ? missing : known;
      for (let c = 0; c < k; c++) total[c] += adds[row * k + c];
    }
  }
  return total;
}

/**
 * The distribution in proportion to the exponentials of numbers.
 * @param {Float64Array} logs
 */
function softmax(logs) {
  const highest = Math.max(...logs);
  const powers = logs.map((log) => Math.exp(log - highest));
  const total = sumOf(powers);
  return powers.map((power) => power / total);
}

/**
 * An answer of the tree as a distribution; equal shares where it has none. See `as_shares` in Python.
 * @param {Float64Array} proba
 */
function asShares(proba) {
  const shares = proba.map((p) => Math.max(p, 0));
  const total = sumOf(shares);
  return shares.map((p) => (total > 0 ? p / total : 1 / shares.length));
}
