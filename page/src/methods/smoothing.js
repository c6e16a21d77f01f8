/**
 * Shrinkage, weighted probability estimation, and both: estimates from the counts at the nodes (Wang, Zhang 2006).
 */

import { mostProbable, sumOf, written } from "../numbers.js";
import { holds, partsOf, pathOf } from "./at_nodes.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */
/** @typedef {import("../model.js").Explained} Explained */

const MOST_TOLD = 5;

/**
 * @param {Context} context
 * @param {"shrinkage" | "wpe" | "shrinkage_wpe"} name
 */
export function smoothing(context, name) {
  const { router, header, learned, params } = context;
  const { tree } = router;
  const k = header.nClasses;
  const estimateAt = estimator(context, name === "shrinkage" && params.local === "naive_bayes");
  const classFirst = learned["counts_.class_first"],
    classWeight = learned["counts_.class_weight"];
  const codesOf = coder(context);

  if (name === "wpe") {
    const answersAt = learned.answers_at_;
    const tell = (/** @type {Explained} */ explained, /** @type {number} */ node, /** @type {Int32Array} */ codes) => {
      const at = answersAt[node];
      if (at !== node) explained.steps.push({ node: at, text: `a node above the leaf answers: ${holds(context, at)}` });
      const sums = estimateAt.sums(at, codes);
      const all = sumOf(sums);
      const most = [...sums.keys()].filter((c) => sums[c] > 0).sort((a, b) => sums[b] - sums[a]);
      for (const c of most.slice(0, MOST_TOLD)) {
        const estimate = written((sums[c] + 1 / k) / (all + 1));
        const text = `${header.classNames[c]}: (likeness ${written(sums[c])} + 1/${k}) / (${written(all)} + 1) = ${estimate}`;
        explained.steps.push({ node: at, text });
      }
    };
    return method((node, codes) => estimateAt(answersAt[node], codes), tell);
  }

  const weight = learned.weight_;
  const { end, first, last } = pathsOf();
  const total = sumOf(classWeight.subarray(0, classFirst[1]));
  const uniform = total > 0 ? 1 / total : 1;
  const scoresAt = (/** @type {number} */ node, /** @type {Int32Array} */ codes) => {
    const path = end[node],
      nodes = router.nodesTo(last[path]);
    const scores = new Float64Array(k);
    for (let c = 0; c < k; c++) scores[c] = weight[first[path] * k + c] * uniform;
    for (const [level, at] of nodes.entries()) {
      const estimate = estimateAt(at, codes);
      const row = (first[path] + level + 1) * k;
      for (let c = 0; c < k; c++) scores[c] += weight[row + c] * estimate[c];
    }
    return scores;
  };
  return method(scoresAt, (explained, node, codes, c) => {
    const path = end[node],
      nodes = router.nodesTo(last[path]);
    const className = header.classNames[c];
    explained.steps.push({
      node: -1,
      text: `for ${className}, above the root: weight ${written(weight[first[path] * k + c])} × ${written(uniform)}`,
    });
    for (const [level, at] of nodes.entries()) {
      const ofNode = weight[(first[path] + level + 1) * k + c];
      const estimate = estimateAt(at, codes)[c];
      const mark = explained.marks.get(at);
      if (mark) mark.text = `× ${written(ofNode)}`;
      explained.steps.push({
        node: at,
        text: `${at === 0 ? "root" : at === node ? "leaf" : "node"}, ${holds(context, at)}: weight ${written(ofNode)} × ${written(estimate)}`,
      });
    }
    const scores = scoresAt(node, codes);
    const all = sumOf(scores);
    explained.steps.push({
      node,
      text: `their sum ${written(scores[c])}, divided by that of all classes, ${written(all)}: ${className} ${written(scores[c] / all)}`,
    });
  });

  /**
   * @param {(node: number, codes: Int32Array) => Float64Array} rawAt
   * @param {(explained: Explained, node: number, codes: Int32Array, c: number) => void} tell
   */
  function method(rawAt, tell) {
    return {
      /** @param {Float64Array} values @returns {Reply} */
      answer(values) {
        const codes = codesOf(values);
        const parts = router.paths(values);
        const proba = router.mean(parts, (node) => {
          const raw = rawAt(node, codes);
          const total = sumOf(raw);
          return raw.map((value) => value / total);
        });
        return {
          proba,
          explain() {
            const explained = pathOf(context, values);
            const c = mostProbable(proba);
            for (const [part, { node }] of partsOf(context, values).entries()) {
              const first = explained.steps.length;
              tell(explained, node, codes, c);
              for (const step of explained.steps.slice(first)) step.part = part;
            }
            return explained;
          },
        };
      },
    };
  }

  /** The paths that have weights; see `wekaconf.methods.smoothing._interpolation.Paths`. */
  function pathsOf() {
    const filled = router.nearestFilled((node) => classFirst[node] === classFirst[node + 1]);
    const isEnd = new Uint8Array(tree.n_nodes);
    for (let node = 0; node < tree.n_nodes; node++) if (router.stops[node]) isEnd[filled[node]] = 1;
    const number = new Int32Array(tree.n_nodes).fill(-1);
    const first = [0];
    /** @type {number[]} */
    const last = [];
    for (let node = 0; node < tree.n_nodes; node++) {
      if (!isEnd[node]) continue;
      number[node] = last.length;
      last.push(node);
      first.push(first[first.length - 1] + router.depth[node] + 2);
    }
    return { end: filled.map((node) => number[node]), first, last };
  }
}

/**
 * What makes the compared values of an instance small whole numbers, −1 where missing.
 * @param {Context} context
 */
function coder({ learned }) {
  const column = learned["columns_.column"],
    nValues = learned["columns_.n_values"];
  const isNumeric = learned["columns_.is_numeric"],
    cutPoint = learned["columns_.cut_point"];
  const nCuts = column.length ? cutPoint.length / column.length : 0;
  return (/** @type {Float64Array} */ values) =>
    Int32Array.from(column, (c, i) => {
      const value = values[c];
      if (Number.isNaN(value)) return -1;
      if (!isNumeric[i]) return value;
      let bin = 0;
      while (bin < nValues[i] - 1 && cutPoint[i * nCuts + bin] < value) bin++;
      return bin;
    });
}

/**
 * P(c | e) at a node; see `wekaconf.methods.smoothing._estimates.LocalEstimate`.
 * @param {Context} context
 * @param {boolean} isNaiveBayes
 */
function estimator({ header, learned }, isNaiveBayes) {
  const k = header.nClasses;
  const nValues = learned["columns_.n_values"],
    n = nValues.length;
  const part = (/** @type {string} */ name) => learned[`counts_.${name}`];
  const classFirst = part("class_first"),
    classes = part("classes"),
    classWeight = part("class_weight");
  const rowFirst = part("row_first"),
    rowValue = part("row_value"),
    cellFirst = part("cell_first"),
    cells = part("cells");

  /**
   * Where the counts of a value begin at a node; −1 if it does not occur there.
   * @param {number} node
   * @param {number} column
   * @param {number} code
   */
  function cellOf(node, column, code) {
    const group = node * n + column;
    let low = rowFirst[group],
      high = rowFirst[group + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rowValue[middle] < code) low = middle + 1;
      else high = middle;
    }
    if (low === rowFirst[group + 1] || rowValue[low] !== code) return -1;
    return cellFirst[node] + (low - rowFirst[node * n]) * (classFirst[node + 1] - classFirst[node]);
  }

  /**
   * The summed likeness of the instances of each class.
   * @param {number} node
   * @param {Int32Array} codes
   */
  function sums(node, codes) {
    const sum = new Float64Array(k);
    const begin = classFirst[node],
      width = classFirst[node + 1] - begin;
    for (let i = 0; i < n; i++) {
      const cell = codes[i] < 0 ? -1 : cellOf(node, i, codes[i]);
      if (cell < 0) continue;
      for (let j = 0; j < width; j++) sum[classes[begin + j]] += cells[cell + j];
    }
    for (let j = 0; j < width; j++) sum[classes[begin + j]] += classWeight[begin + j];
    return sum;
  }

  /**
   * @param {number} node
   * @param {Int32Array} codes
   */
  function frequencies(node, codes) {
    const estimate = sums(node, codes);
    const total = sumOf(estimate);
    for (let c = 0; c < k; c++) estimate[c] = (estimate[c] + 1 / k) / (total + 1);
    return estimate;
  }

  /**
   * @param {number} node
   * @param {Int32Array} codes
   */
  function naiveBayes(node, codes) {
    const weight = new Float64Array(k),
      log = new Float64Array(k);
    const begin = classFirst[node],
      width = classFirst[node + 1] - begin;
    for (let j = 0; j < width; j++) weight[classes[begin + j]] = classWeight[begin + j];
    let smoothing = 0,
      nKnown = 0;
    for (let i = 0; i < n; i++) {
      if (codes[i] < 0) continue;
      nKnown++;
      smoothing += Math.log(1 / Math.max(nValues[i], 1));
    }
    for (let c = 0; c < k; c++) log[c] = Math.log(weight[c] + 1 / k) + smoothing - nKnown * Math.log(weight[c] + 1);
    for (let i = 0; i < n; i++) {
      const cell = codes[i] < 0 ? -1 : cellOf(node, i, codes[i]);
      if (cell < 0) continue;
      for (let j = 0; j < width; j++) log[classes[begin + j]] += Math.log1p(cells[cell + j] * Math.max(nValues[i], 1));
    }
    const most = Math.max(...log);
    const proba = log.map((value) => Math.exp(value - most));
    const total = sumOf(proba);
    return proba.map((value) => value / total);
  }

  return Object.assign(isNaiveBayes ? naiveBayes : frequencies, { sums });
}
