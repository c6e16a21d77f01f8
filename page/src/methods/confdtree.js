/**
 * ConfDTree: routes and fines on the way up from the leaf (Katz et al. 2012).
 */

import { mostProbable, percent, probability } from "../numbers.js";
import { pathOf, withLeaves } from "./at_nodes.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */

/** A smaller change of a probability is not told in numbers. */
const HARDLY = 0.001;

/**
 * @typedef {object} Event
 * @property {number} node
 * @property {"route" | "fine"} kind
 * @property {number} leading
 * @property {Float64Array} before
 * @property {Float64Array} after
 * @property {[number, number]} weights of the branches of a route
 */

/**
 * @param {Context} context
 */
export function confDTree(context) {
  const { router, header, learned, params } = context;
  const { tree } = router;
  const k = header.nClasses;
  const part = (/** @type {string} */ name) => learned[`intervals_.${name}`];
  const present = part("present"),
    isActive = part("is_active"),
    routeWeight = part("route_weight");
  const assignedLow = part("assigned_low"),
    assignedHigh = part("assigned_high");
  const otherLow = part("other_low"),
    otherHigh = part("other_high");

  /**
   * @param {Float64Array} values
   * @param {number} node
   * @param {Event[]} events
   * @returns {Float64Array}
   */
  function answerFrom(values, node, events) {
    /** @type {number[]} */
    const path = [];
    while (tree.attribute[node] >= 0) {
      const value = values[tree.attribute[node]];
      if (Number.isNaN(value)) break;
      if (isActive[node]) path.push(node);
      node = router.childOf(node, value);
    }
    /** @type {Float64Array} */
    let proba = router.distribution(values, node);
    for (const at of path.reverse()) proba = doubted(values, at, proba, events);
    return proba;
  }

  /**
   * @param {Float64Array} values
   * @param {number} at
   * @param {Float64Array} proba
   * @param {Event[]} events
   */
  function doubted(values, at, proba, events) {
    const value = values[tree.attribute[at]];
    const leading = mostProbable(proba);
    const own = at * k + leading;
    if (!present[own] || (assignedLow[own] <= value && value <= assignedHigh[own])) return proba;
    const first = tree.first_child[at];
    let hasAlternative = false,
      zero = 0,
      one = 0,
      nOthers = 0;
    for (let c = 0; c < k; c++) {
      const other = at * k + c;
      if (!present[other] || c === leading) continue;
      nOthers++;
      if (otherLow[other] <= value && value <= otherHigh[other]) {
        hasAlternative = true;
        zero += routeWeight[first * k + c];
        one += routeWeight[(first + 1) * k + c];
      }
    }
    const after = Float64Array.from(proba);
    if (hasAlternative && params.routes) {
      const taken = router.childOf(at, value) - first;
      const place = events.push({
        node: at,
        kind: "route",
        leading,
        before: proba,
        after,
        weights: [zero / (zero + one), one / (zero + one)],
      });
      const [ofZero, ofOne] = events[place - 1].weights;
      const other = answerFrom(values, first + 1 - taken, events);
      const [left, right] = taken === 0 ? [proba, other] : [other, proba];
      for (let c = 0; c < k; c++) after[c] = ofZero * left[c] + ofOne * right[c];
      return after;
    }
    if (!hasAlternative && params.fines && nOthers > 0) {
      const fine = params.fine * proba[leading];
      for (let c = 0; c < k; c++) if (c !== leading && present[at * k + c]) after[c] += fine / nOthers;
      after[leading] -= fine;
      events.push({ node: at, kind: "fine", leading, before: proba, after, weights: [0, 0] });
      return after;
    }
    return proba;
  }

  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      /** @type {Event[]} */
      const events = [];
      const proba = answerFrom(values, 0, events);
      return { proba, explain: () => explain(values, events) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {Event[]} events
   */
  function explain(values, events) {
    const explained = withLeaves(context, values, pathOf(context, values));
    for (const event of events) {
      const { node, kind, leading } = event;
      const column = tree.attribute[node],
        own = node * k + leading;
      const name = header.classNames[leading];
      const [value, low, high] = header.texts(column, values[column], assignedLow[own], assignedHigh[own]);
      const outside = `${header.attributes[column].name} ${value} lies outside ${low} to ${high}, the interval of ${name}`;
      const change = changed(name, event.before[leading], event.after[leading]);
      const first = tree.first_child[node];
      if (kind === "route") {
        const [zero, one] = event.weights;
        explained.steps.push({
          node,
          text: `alternative branch: ${outside}, and inside that of another class, so both branches answer, to ${probability(zero)} that of ${header.branch(tree, first)} and to ${probability(one)} that of ${header.branch(tree, first + 1)}: ${change}`,
        });
        const other = first + 1 - (router.childOf(node, values[column]) - first);
        for (const at of router.nodesTo(router.walk(values, other))) {
          if (!explained.marks.has(at)) explained.marks.set(at, { kind: "path", line: "route", share: 1, text: "" });
        }
      } else {
        explained.steps.push({
          node,
          text: `penalty: ${outside}, and inside that of no other, so ${name} loses ${percent(params.fine)} of its probability: ${change}`,
        });
      }
      const line = explained.marks.get(node)?.line ?? "route";
      explained.marks.set(node, { kind, line, share: 1, text: kind === "route" ? "alternative branch" : "penalty" });
    }
    return explained;
  }
}

/**
 * How a probability changes, in words.
 * @param {string} name
 * @param {number} before
 * @param {number} after
 */
function changed(name, before, after) {
  const [from, to] = [before, after].map((p) => probability(p));
  if (from === to || Math.abs(after - before) < HARDLY) return `${name} hardly changes`;
  return `${name} ${after < before ? "falls" : "rises"} from ${from} to ${to}`;
}
