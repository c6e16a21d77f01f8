/**
 * Ling and Yan's mean over all leaves.
 */

import { mostProbable, probability, written } from "../numbers.js";
import { pathOf } from "./at_nodes.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */

const MOST_TOLD = 6;

/**
 * @param {Context} context
 */
export function lingYan(context) {
  const { router, header, learned, params } = context;
  const { tree } = router;
  const k = header.nClasses;
  const leafAnswer = learned.leaf_answer_;
  const missingFactor = new Float64Array(tree.n_nodes);
  for (let node = 0; node < tree.n_nodes; node++) {
    const ofNode = tree.down[node] * tree.up[node];
    const parent = tree.parent[node];
    let part = tree.enters[node] && ofNode > 0 ? ofNode : 0;
    if (node && tree.attribute[parent] >= 0 && router.stops[parent]) part = 1 / tree.n_branches[parent];
    missingFactor[node] = part + (1 - part) * params.confusion;
  }

  /**
   * @param {Float64Array} values
   */
  function weightsOf(values) {
    const weight = new Float64Array(tree.n_nodes);
    weight[0] = 1;
    for (let node = 0; node < tree.n_nodes; node++) {
      if (tree.attribute[node] < 0 || weight[node] === 0) continue;
      const value = values[tree.attribute[node]];
      const isMissing = Number.isNaN(value);
      const taken = isMissing ? -1 : router.childOf(node, value);
      const first = tree.first_child[node];
      for (let child = first; child < first + tree.n_branches[node]; child++) {
        weight[child] = weight[node] * (isMissing ? missingFactor[child] : child === taken ? 1 : params.confusion);
      }
    }
    return weight;
  }

  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const weight = weightsOf(values);
      const proba = new Float64Array(k);
      let total = 0;
      for (let node = 0; node < tree.n_nodes; node++) {
        if (tree.attribute[node] >= 0 || weight[node] === 0) continue;
        for (let c = 0; c < k; c++) proba[c] += weight[node] * leafAnswer[node * k + c];
      }
      for (let c = 0; c < k; c++) total += proba[c];
      for (let c = 0; c < k; c++) proba[c] /= total;
      return { proba, explain: () => explain(values, weight, proba) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {Float64Array} weight
   * @param {Float64Array} proba
   */
  function explain(values, weight, proba) {
    const explained = pathOf(context, values);
    const leaves = [...weight.keys()].filter((node) => tree.attribute[node] < 0 && weight[node] > 0);
    let total = 0;
    for (const node of leaves) total += weight[node];
    leaves.sort((a, b) => weight[b] - weight[a] || a - b);
    const c = mostProbable(proba);
    for (const node of leaves.slice(0, 100)) {
      const text = written(weight[node] / total);
      const mark = explained.marks.get(node);
      if (mark) mark.text = text;
      else explained.marks.set(node, { kind: "weight", line: "", share: weight[node] / total, text });
    }
    for (const node of leaves.slice(0, MOST_TOLD)) {
      explained.steps.push({
        node,
        text: `leaf ${header.condition(tree, node)}: weight ${written(weight[node] / total)} × ${header.classNames[c]} ${probability(leafAnswer[node * k + c])}`,
      });
    }
    if (leaves.length > MOST_TOLD)
      explained.steps.push({ node: -1, text: `and ${leaves.length - MOST_TOLD} more leaves` });
    return explained;
  }
}
