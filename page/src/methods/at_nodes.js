/**
 * The plain tree, and the methods that have a distribution for each node: m-Branch and curtailment.
 */

import { EACH } from "../header.js";
import { percent, probability, sumOf, whole, written } from "../numbers.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */
/** @typedef {import("../model.js").Explained} Explained */

/** A share of a row in whole per cents. */
const WHOLE = { decimals: 0 };

/**
 * The parts of an instance, the largest first.
 * @param {Context} context
 * @param {Float64Array} values
 */
export function partsOf({ router }, values) {
  return router.paths(values).sort((a, b) => b.share - a.share);
}

/**
 * The tests on the way of an instance, as steps; and where its parts stop. A test is told with the largest part that
 * comes there.
 * @param {Context} context
 * @param {Float64Array} values
 * @returns {Explained}
 */
export function pathOf(context, values) {
  const { router, header } = context;
  const parts = partsOf(context, values);
  /** @type {Explained} */
  const explained = { steps: [], shares: parts.map(({ share }) => share), marks: new Map() };
  for (const { node: end, share } of parts) {
    for (const node of router.nodesTo(end)) {
      const mark = explained.marks.get(node);
      const text = node === end && parts.length > 1 ? percent(share, WHOLE) : "";
      explained.marks.set(node, { kind: "path", line: "path", share: (mark?.share ?? 0) + share, text });
    }
  }
  const told = new Set([0]);
  for (const [part, { node: end }] of parts.entries()) {
    for (const node of router.nodesTo(end)) {
      const ofRow = explained.marks.get(node)?.share ?? 1;
      if (!told.has(node)) explained.steps.push({ node, part, text: testAt(router.tree, header, node, values, ofRow) });
      told.add(node);
    }
  }
  return explained;
}

/**
 * The test that led an instance, or a part of one, to a node.
 * @param {import("../router.js").Tree} tree
 * @param {import("../header.js").Header} header
 * @param {number} node
 * @param {Float64Array} values
 * @param {number} share of the instance that comes to the node
 */
function testAt(tree, header, node, values, share) {
  const parent = tree.parent[node];
  const column = tree.split_attribute[parent];
  const { name, kind } = header.attributes[column];
  const value = values[column];
  const isWhole = tree.down[node] * tree.up[node] === 1;
  if (Number.isNaN(value))
    return `${name} is missing: ${isWhole ? "it goes" : `${percent(share, WHOLE)} of the row goes`} to ${header.branch(tree, node)}`;
  if (kind === "nominal") {
    const branch = header.branch(tree, node);
    const isNamed = tree.split_kind[parent] === EACH || branch === `= ${header.text(column, value)}`;
    return isNamed ? `${name} ${branch}` : `${name} = ${header.text(column, value)}, ${branch}`;
  }
  const [own, point] = header.texts(column, value, tree.split_point[parent]);
  return `${name} ${own} ${header.branch(tree, node, point)}`;
}

/**
 * What a leaf holds, in words.
 * @param {Context} context
 * @param {number} node
 * @param {(weight: number) => string} [count] writes a number of instances
 */
export function holds({ router, header }, node, count = whole) {
  const { tree } = router;
  const weights = [...header.classNames.keys()].map((c) => Number(tree.class_weight[node * header.nClasses + c]));
  const total = sumOf(weights);
  if (!(total > 0)) return "without instances";
  const most = weights
    .map((weight, c) => ({ weight, c }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.c - b.c);
  const told = most
    .slice(0, 3)
    .map(
      ({ weight, c }) => `${header.classNames[c]} ${tree.keeps_counts ? count(weight) : probability(weight / total)}`,
    );
  return told.join(", ") + (most.length > 3 ? `, ${most.length - 3} more` : "");
}

/**
 * What the leaves hold where an instance ends, told after the way there.
 * @param {Context} context
 * @param {Float64Array} values
 * @param {Explained} explained
 */
export function withLeaves(context, values, explained) {
  for (const [part, { node }] of partsOf(context, values).entries())
    explained.steps.push({ node, part, text: `leaf: ${holds(context, node)}`, title: holds(context, node, written) });
  return explained;
}

/**
 * @param {Context} context
 */
export function leafFrequency(context) {
  const { router } = context;
  return {
    isRaw: true,
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      return {
        proba: router.distribution(values, 0, true),
        explain() {
          return withLeaves(context, values, pathOf(context, values));
        },
      };
    },
  };
}

/**
 * @param {Context} context
 * @param {"m_branch" | "curtailment"} name
 */
export function answersAtNodes(context, name) {
  const { router, header, learned } = context;
  const k = header.nClasses;
  const answer = learned.answer_;
  /** @param {number} node */
  const at = (node) => answer.subarray(node * k, node * k + k);
  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const proba = router.mean(router.paths(values), at);
      return { proba, explain: () => explain(values, proba) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {Float64Array} proba
   */
  function explain(values, proba) {
    const explained = pathOf(context, values);
    const c = proba.indexOf(Math.max(...proba));
    const said = (/** @type {number} */ node) => `${header.classNames[c]} ${probability(at(node)[c])}`;
    if (name === "m_branch") {
      for (const step of explained.steps) step.text += ` → ${said(step.node)}`;
      explained.steps.unshift({ node: 0, text: `all training rows → ${said(0)}` });
      return withLeaves(context, values, explained);
    }
    for (const [part, { node }] of partsOf(context, values).entries()) {
      let above = node;
      while (above && equal(at(above), at(router.tree.parent[above]))) above = router.tree.parent[above];
      const mark = explained.marks.get(above);
      if (mark) Object.assign(mark, { kind: "answers", text: "answers" });
      const where =
        above === node ? "the node has enough instances" : `the leaf has too few instances, so a node above it answers`;
      explained.steps.push({ node: above, part, text: `${where}: ${said(above)}` });
    }
    return explained;
  }
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function equal(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
