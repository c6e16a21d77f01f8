/**
 * The probability that the tree is right, learned from what five methods say of its answers.
 */

import { distributionOf, mostProbable, sumOf } from "../numbers.js";
import { pathOf, withLeaves } from "./at_nodes.js";
import { boundaryDistance } from "./boundary.js";
import { confDTree } from "./confdtree.js";
import { limits } from "./limits.js";
import { lingYan } from "./ling_yan.js";
import { smoothing } from "./smoothing.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Method} Method */
/** @typedef {import("../model.js").Reply} Reply */
/** @typedef {import("../unpack.js").Numbers} Numbers */

const LEAST_LEAD = 1e-9;
/** Sides whose difference is a smaller share of them count as equal; see `scaled` in Python. */
const TIE = 1e-12;

/** @type {Record<string, (context: Context, name: any) => Method>} */
const SIDES = {
  shrinkage_wpe: smoothing,
  boundary_distance: boundaryDistance,
  id3_sd: limits,
  ling_yan: lingYan,
  confdtree: confDTree,
};

/**
 * @param {Context} context
 */
export function combined(context) {
  const { router, header, learned } = context;
  const k = header.nClasses;
  const laplace = learned.laplace_;
  const part = (/** @type {string} */ name) => learned[`learned_.${name}`];
  const quantiles = part("quantiles"),
    weights = part("weights"),
    mean = part("mean"),
    intercept = part("intercept")[0];
  const sides = context.sides.map(({ name, shown, params, threshold, quantile, certainty, learned: [own] }) => ({
    shown,
    isShare: certainty.is_probability,
    method: SIDES[name]({ router, header, learned: own, params, threshold, quantile, sides: [], training: null }, name),
  }));

  /**
   * What each side says of the class that the tree predicts.
   * @param {Float64Array} values
   * @param {number} predicted
   */
  function saidOf(values, predicted) {
    return sides.map(({ isShare, method }) => {
      const { proba, certainty } = method.answer(values);
      return isShare ? distributionOf(proba, () => router.distribution(values))[predicted] : Number(certainty);
    });
  }

  /**
   * What a side adds to the log-odds of a right answer.
   * @param {number} side
   * @param {number} said
   */
  function partOf(side, said) {
    const n = quantiles.length / sides.length;
    let below = 0,
      notAbove = 0;
    for (let i = 0; i < n; i++) {
      const known = quantiles[i * sides.length + side];
      below += Number(known < said * (1 - TIE));
      notAbove += Number(known <= said * (1 + TIE));
    }
    const rank = (below + notAbove) / 2;
    return (Math.log((rank + 0.5) / (n + 0.5 - rank)) - mean[side]) * weights[side];
  }

  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const predicted = mostProbable(router.distribution(values));
      const atNode = (/** @type {number} */ node) => laplace.subarray(node * k, node * k + k);
      const proba = withLargest(router.mean(router.paths(values), atNode), predicted);
      const said = saidOf(values, predicted);
      const parts = said.map((value, i) => partOf(i, value));
      const certainty = sides.length ? 1 / (1 + Math.exp(-sumOf([intercept, ...parts]))) : proba[predicted];
      return { proba, certainty, explain: () => explain(values, said, parts, certainty) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {number[]} said
   * @param {number[]} parts
   * @param {number} certainty
   */
  function explain(values, said, parts, certainty) {
    const explained = withLeaves(context, values, pathOf(context, values));
    if (!sides.length) {
      const text = "too little could be learned, so the certainty is Laplace's probability of the tree's class";
      explained.steps.push({ node: -1, text });
      return explained;
    }
    const order = [...parts.keys()].sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]) || a - b);
    explained.account = {
      begin: intercept,
      sides: order.map((i) => ({ name: sides[i].shown, said: said[i], part: parts[i] })),
      sum: sumOf([intercept, ...parts]),
      certainty,
    };
    return explained;
  }
}

/**
 * The distribution in which the predicted class is the largest, with the least change; see `with_largest` in Python.
 * @param {Float64Array} proba
 * @param {number} predicted
 */
function withLargest(proba, predicted) {
  if (mostProbable(proba) === predicted) return proba;
  const others = [...proba.keys()].filter((c) => c !== predicted).sort((a, b) => proba[b] - proba[a] || a - b);
  let total = proba[predicted],
    height = (total + proba[others[0]]) / 2,
    n = 1;
  for (const [i, c] of others.entries()) {
    total += proba[c];
    if (proba[c] < total / (i + 2)) continue;
    height = total / (i + 2);
    n = i + 1;
  }
  const changed = Float64Array.from(proba);
  for (const c of others.slice(0, n)) changed[c] = height - LEAST_LEAD / n;
  changed[predicted] = height + LEAST_LEAD;
  return changed;
}
