/**
 * Methods that grow trees for each instance on the training data, which the page then holds: TPCE (Costa, Verwer,
 * Blockeel 2013), and Kukar and Kononenko's reliability (2002).
 */

import { mostProbable, probability } from "../numbers.js";
import { pathOf, withLeaves } from "./at_nodes.js";
import { Inducer } from "./info_gain.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */

/**
 * @param {Context} context
 */
export function tpce(context) {
  const { header, training, params } = context;
  const inducer = new Inducer(training);
  const labels = Array.from(training.labels);
  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const answers = labels.map((label) => laplace(inducer.leafCounts(values, label, true), labels, params.alpha));
      const proba = new Float64Array(header.nClasses);
      for (const answer of answers) for (const c of labels) proba[c] += answer[c];
      for (const c of labels) proba[c] /= labels.length;
      return { proba, explain: () => explain(values, answers) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {Float64Array[]} answers
   */
  function explain(values, answers) {
    const explained = withLeaves(context, values, pathOf(context, values));
    for (const [i, answer] of answers.entries()) {
      const best = mostProbable(answer);
      const text = `assumed ${header.classNames[labels[i]]}, the tree predicts ${header.classNames[best]} ${probability(answer[best])}`;
      explained.steps.push({ node: -1, text });
    }
    explained.steps.push({ node: -1, text: "the answer is the mean of these trees' answers" });
    return explained;
  }
}

/**
 * @param {Context} context
 */
export function kukarKononenko(context) {
  const { router, header, training } = context;
  const inducer = new Inducer(training);
  const labels = Array.from(training.labels);
  const k = header.nClasses;
  const countsAt = (/** @type {number} */ node) => router.tree.class_weight.subarray(node * k, node * k + k);
  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const proba = router.distribution(values);
      const predicted = mostProbable(proba);
      const before = laplace(router.mean(router.paths(values), countsAt), labels, 1);
      const after = laplace(inducer.leafCounts(values, predicted, false), labels, 1);
      let divergence = 0;
      for (const c of labels) divergence += (before[c] - after[c]) * Math.log2(before[c] / after[c]);
      return { proba, certainty: 2 ** -divergence, explain: () => explain(values, predicted, before, after) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {number} predicted
   * @param {Float64Array} before
   * @param {Float64Array} after
   */
  function explain(values, predicted, before, after) {
    const explained = withLeaves(context, values, pathOf(context, values));
    const name = header.classNames[predicted];
    const [from, to] = [before[predicted], after[predicted]].map((p) => probability(p));
    const moves = before[predicted] === after[predicted] ? `leaves the share of ${name} at ${from}` : "";
    const text = `added to the training data as ${name}, it ${moves || `moves the share of ${name} from ${from} to ${to}`}`;
    explained.steps.push({ node: -1, text });
    return explained;
  }
}

/**
 * (count + α) / (sum + α · n_labels) of the labels, 0 of other classes.
 * @param {Float64Array} counts
 * @param {number[]} labels
 * @param {number} alpha
 */
function laplace(counts, labels, alpha) {
  let total = 0;
  for (const c of labels) total += counts[c];
  const answer = new Float64Array(counts.length);
  for (const c of labels) answer[c] = (counts[c] + alpha) / (total + alpha * labels.length);
  return answer;
}
