/**
 * Boundary distance: the nearest region of another class, by branch and bound (Tóth, Pataki 2006).
 */

import { mostProbable, written } from "../numbers.js";
import { EACH, EQUALS, LT, SUBSET } from "../header.js";
import { pathOf, withLeaves } from "./at_nodes.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */

const VOID = -2;

/**
 * @param {Context} context
 */
export function boundaryDistance(context) {
  const { router, header, learned, params } = context;
  const { tree } = router;
  const unit = learned.unit_,
    singleClass = learned.single_class;
  const { norm, nominal } = params;

  /** @param {Float64Array} offset */
  function length(offset) {
    let largest = 0,
      total = 0,
      squares = 0;
    for (const o of offset) {
      if (o > largest) largest = o;
      total += o;
    }
    if (norm === "l1") return total;
    if (norm === "linf" || largest === 0) return largest;
    for (const o of offset) if (o > 0) squares += (o / largest) * (o / largest);
    return largest * Math.sqrt(squares);
  }

  /**
   * @param {number} bound
   * @param {number} before
   * @param {number} after
   */
  function grown(bound, before, after) {
    if (norm === "l2") return bound + (after * after - before * before);
    return norm === "l1" ? bound + (after - before) : Math.max(bound, after);
  }

  /**
   * Distance and node of the nearest region of a class other than `own`; node −1 if there is none.
   * @param {Float64Array} values
   * @param {number} own
   */
  function nearest(values, own) {
    const offset = new Float64Array(values.length);
    let distance = Infinity,
      best = -1,
      reach = Infinity;
    const skips = (/** @type {number} */ node) => singleClass[node] === own || singleClass[node] === VOID;
    /**
     * @param {number} node
     * @param {number} bound
     */
    function search(node, bound) {
      /** @type {{child: number, column: number, gap: number, bound: number}[]} */
      const farther = [];
      while (node >= 0) {
        const column = tree.attribute[node];
        if (column < 0) {
          const to = length(offset);
          if (to < distance || (to === distance && to < Infinity && node < best)) {
            distance = to;
            best = node;
            reach = (norm === "l2" ? distance * distance : distance) * (1 + 1e-9) + 1e-290;
          }
          break;
        }
        const value = values[column],
          first = tree.first_child[node];
        let near = first,
          gap = 0;
        if (Number.isNaN(value)) near = first;
        else if (Number.isNaN(tree.equals[node])) {
          const split = tree.split_point[node];
          near = value <= split ? first : first + 1;
          if (near === first && value < split) gap = (split - value) / unit[column];
          else if (near > first && value > split) gap = (value - split) / unit[column];
        } else {
          near = router.childOf(node, value);
          gap = nominal;
        }
        gap = Math.max(gap, offset[column]);
        if (gap < Infinity) {
          const beyond = gap === offset[column] ? bound : grown(bound, offset[column], gap);
          if (!(beyond > reach)) {
            for (let child = first; child < first + tree.n_branches[node]; child++) {
              if (child !== near && !skips(child))
                farther.push({ child, column: gap === offset[column] ? -1 : column, gap, bound: beyond });
            }
          }
        }
        node = near;
        if (skips(node) || (distance === 0 && node > best)) break;
      }
      while (farther.length) {
        const next = /** @type {{child: number, column: number, gap: number, bound: number}} */ (farther.pop());
        if (next.bound > reach || (distance === 0 && next.child > best)) continue;
        const before = next.column < 0 ? 0 : offset[next.column];
        if (next.column >= 0) offset[next.column] = next.gap;
        search(next.child, next.bound);
        if (next.column >= 0) offset[next.column] = before;
      }
    }
    if (!skips(0)) search(0, 0);
    return { distance, node: best };
  }

  /**
   * The box of a node: the bounds of the numbers, by split point and as compared, and the values allowed.
   * @param {number} node
   */
  function boxOf(node) {
    /** @type {Map<number, {low: number, high: number, after: number, upTo: number, allowed: boolean[] | null}>} */
    const box = new Map();
    for (let at = node; at > 0; at = tree.parent[at]) {
      const parent = tree.parent[at],
        place = at - tree.first_child[parent],
        column = tree.split_attribute[parent];
      const kind = tree.split_kind[parent],
        { values } = header.attributes[column];
      const side = box.get(column) ?? {
        low: -Infinity,
        high: Infinity,
        after: -Infinity,
        upTo: Infinity,
        allowed: kind > LT ? values.map(() => true) : null,
      };
      box.set(column, side);
      if (side.allowed) {
        const named = tree.split_value[parent];
        side.allowed = side.allowed.map((allowed, value) => {
          const isNamed =
            kind === EACH
              ? value === place
              : kind === EQUALS
                ? value === named
                : Boolean(kind === SUBSET && tree.split_subset[named + value]);
          return allowed && isNamed === (kind === EACH || place === 0);
        });
      } else if (place === 0) {
        side.high = Math.min(side.high, tree.split_point[parent]);
        side.upTo = Math.min(side.upTo, tree.limit[parent]);
      } else {
        side.low = Math.max(side.low, tree.split_point[parent]);
        side.after = Math.max(side.after, tree.limit[parent]);
      }
    }
    return box;
  }

  /**
   * The changes that lead to the nearest point of a region.
   * @param {Float64Array} values
   * @param {number} node
   */
  function changesTo(values, node) {
    const point = Float64Array.from(values);
    /** @type {{column: number, text: string}[]} */
    const changes = [];
    for (const [column, side] of [...boxOf(node)].sort(([a], [b]) => a - b)) {
      const value = values[column],
        { name } = header.attributes[column];
      if (Number.isNaN(value)) {
        const isBounded = side.allowed ? side.allowed.includes(false) : side.low > -Infinity || side.high < Infinity;
        if (isBounded) changes.push({ column, text: `${name} missing → a known value` });
        continue;
      }
      if (side.allowed) {
        if (!side.allowed[value]) point[column] = side.allowed.indexOf(true);
      } else point[column] = Math.min(Math.max(value, side.low), side.high);
      const beyond = side.allowed
        ? ""
        : point[column] > side.upTo
          ? "below "
          : point[column] <= side.after
            ? "above "
            : "";
      if (point[column] !== value || beyond) {
        const [before, after] = side.allowed
          ? [value, point[column]].map((at) => header.text(column, at))
          : header.texts(column, value, point[column]);
        changes.push({
          column,
          text: `${name} ${before} → ${beyond}${after}`,
        });
      }
    }
    return { point, changes };
  }

  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      const proba = router.distribution(values);
      const found = nearest(values, mostProbable(proba));
      return { proba, certainty: found.distance, explain: () => explain(values, found) };
    },
  };

  /**
   * @param {Float64Array} values
   * @param {{distance: number, node: number}} found
   */
  function explain(values, { distance, node }) {
    const explained = withLeaves(context, values, pathOf(context, values));
    if (node < 0) {
      explained.counterfactual = { text: "No change gives another class.", values: null };
      return explained;
    }
    const k = header.nClasses;
    const other = header.classNames[mostProbable(tree.answer.subarray(node * k, node * k + k))];
    const { point, changes } = changesTo(values, node);
    const told =
      changes
        .slice(0, 5)
        .map(({ text }) => text)
        .join(", ") + (changes.length > 5 ? `, and ${changes.length - 5} more` : "");
    explained.counterfactual = changes.length
      ? { text: `${told}: then ${other}. Distance ${written(distance)}.`, values: point }
      : { text: `It lies on the boundary to ${other}.`, values: null };
    for (const at of router.nodesTo(node))
      if (!explained.marks.has(at)) explained.marks.set(at, { kind: "nearest", line: "nearest", share: 1, text: "" });
    const mark = explained.marks.get(node);
    if (mark) mark.text = `nearest ${other}`;
    return explained;
  }
}
