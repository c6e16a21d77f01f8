/**
 * The plain tree, and the methods that have a distribution for each node: m-Branch and curtailment.
 */

import { EACH } from "../header.js";
import { percent, share, sumOf, whole, written } from "../numbers.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */
/** @typedef {import("../model.js").Explained} Explained */

/**
 * The tests on the way of an instance, as steps; and where its parts stop.
 * @param {Context} context
 * @param {Float64Array} values
 * @returns {Explained}
 */
export function pathOf({ router, header }, values) {
  /** @type {Explained} */
  const explained = { steps: [], marks: new Map() };
  const parts = router.paths(values);
  for (const { node: end, share } of parts) {
    for (const node of router.nodesTo(end)) {
      const mark = explained.marks.get(node);
      if (node && !mark) explained.steps.push({ node, text: testAt(router.tree, header, node, values) });
      const text = node === end && parts.length > 1 ? percent(share) : "";
      explained.marks.set(node, { kind: "path", line: "path", share: (mark?.share ?? 0) + share, text });
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
 */
function testAt(tree, header, node, values) {
  const parent = tree.parent[node];
  const column = tree.split_attribute[parent];
  const { name, kind } = header.attributes[column];
  const value = values[column];
  const part = tree.down[node] * tree.up[node];
  if (Number.isNaN(value))
    return `${name} is missing: ${part === 1 ? "it goes" : `${percent(part)} go`} to ${header.branch(tree, node)}`;
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
    .map(({ weight, c }) => `${header.classNames[c]} ${tree.keeps_counts ? count(weight) : share(weight / total)}`);
  return told.join(", ") + (most.length > 3 ? `, ${most.length - 3} more` : "");
}

/**
 * What the leaves hold where an instance ends, told after the way there.
 * @param {Context} context
 * @param {Float64Array} values
 * @param {Explained} explained
 */
export function withLeaves(context, values, explained) {
  for (const { node } of context.router.paths(values))
    explained.steps.push({ node, text: `leaf: ${holds(context, node)}`, title: holds(context, node, written) });
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
      const parts = router.paths(values);
      const proba = router.mean(parts, at);
      return { proba, explain: () => explain(values, parts, proba) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {import("../router.js").Part[]} parts
   * @param {Float64Array} proba
   */
  function explain(values, parts, proba) {
    const explained = pathOf(context, values);
    const c = proba.indexOf(Math.max(...proba));
    const className = header.classNames[c];
    for (const { node } of parts) {
      if (name === "curtailment") {
        let above = node;
        while (above && equal(at(above), at(router.tree.parent[above]))) above = router.tree.parent[above];
        const mark = explained.marks.get(above);
        if (mark) Object.assign(mark, { kind: "answers", text: "answers" });
        const where =
          above === node
            ? "the node has enough instances"
            : `the leaf has too few instances, so a node above it answers`;
        explained.steps.push({ node: above, text: `${where}: ${className} ${share(at(above)[c])}` });
        continue;
      }
      for (const on of router.nodesTo(node)) {
        const mark = explained.marks.get(on);
        if (mark) mark.text = `${className} ${share(at(on)[c])}`;
        explained.steps.push({
          node: on,
          text: `${on === node ? "leaf" : on ? "node" : "root"}, ${holds(context, on)}: estimate ${className} ${share(at(on)[c])}`,
        });
      }
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
