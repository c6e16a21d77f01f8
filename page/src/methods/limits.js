/**
 * ID3-SD and ID3-Max: limits of all attributes at the leaf (Davidsson 1996).
 */

import { erfc, written } from "../numbers.js";
import { holds, partsOf, pathOf } from "./at_nodes.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../model.js").Reply} Reply */

/**
 * @param {Context} context
 */
export function limits(context) {
  const { router, header, learned, threshold } = context;
  const part = (/** @type {string} */ name) => learned[`limits_.${name}`];
  const numeric = part("numeric"),
    ranged = part("ranged"),
    nominal = part("nominal"),
    firstValue = part("first_value");
  const row = part("row"),
    center = part("center"),
    halfScale = part("half_scale");
  const lower = part("lower"),
    upper = part("upper"),
    accepts = part("accepts"),
    rejects = part("rejects");
  const nValues = firstValue[nominal.length];

  /** @param {number} furthest */
  const tail = (furthest) => (numeric.length ? erfc(furthest / Math.SQRT2) : Number(furthest === 0));
  /**
   * @param {number} value
   * @param {number} at
   */
  const deviation = (value, at) => Math.abs(0.5 * value - 0.5 * center[at]) / halfScale[at];

  /**
   * @param {Float64Array} values
   * @param {number} node
   */
  function certaintyAt(values, node) {
    const r = row[node];
    let furthest = rejects[r] ? Infinity : 0;
    for (let j = 0; j < numeric.length; j++) {
      const far = deviation(values[numeric[j]], r * numeric.length + j);
      if (far > furthest) furthest = far;
    }
    for (let j = 0; j < ranged.length; j++) {
      const value = values[ranged[j]],
        at = r * ranged.length + j;
      if (value < lower[at] || value > upper[at]) furthest = Infinity;
    }
    for (let j = 0; j < nominal.length; j++) {
      const value = values[nominal[j]];
      if (!Number.isNaN(value) && !accepts[r * nValues + firstValue[j] + value]) furthest = Infinity;
    }
    return tail(furthest);
  }

  return {
    /** @param {Float64Array} values @returns {Reply} */
    answer(values) {
      let certainty = 0;
      for (const { node, share } of router.paths(values)) certainty += share * certaintyAt(values, node);
      return { proba: router.distribution(values), certainty: Math.min(certainty, 1), explain: () => explain(values) };
    },
    /**
     * The limits of a numeric attribute at a node, for the drawing of a split.
     * @param {number} node
     * @param {number} column
     */
    limitsAt(node, column) {
      const r = row[node];
      if (r < 0) return null;
      let j = numeric.indexOf(column);
      if (j >= 0) {
        const at = r * numeric.length + j;
        const reach = 2 * context.quantile * halfScale[at];
        return Number.isFinite(reach) ? [center[at] - reach, center[at] + reach] : null;
      }
      j = ranged.indexOf(column);
      const at = r * ranged.length + j;
      return j >= 0 && lower[at] > -Infinity && upper[at] < Infinity ? [lower[at], upper[at]] : null;
    },
  };

  /**
   * @param {Float64Array} values
   */
  function explain(values) {
    const explained = pathOf(context, values);
    for (const [part, { node }] of partsOf(context, values).entries()) {
      const broken = brokenAt(values, node);
      const mark = explained.marks.get(node);
      if (mark && broken.length) Object.assign(mark, { kind: "outside", text: `${broken.length} outside` });
      for (const text of broken.slice(0, 12)) explained.steps.push({ node, part, text });
      if (broken.length > 12)
        explained.steps.push({ node, part, text: `and ${broken.length - 12} more values outside` });
      if (!broken.length)
        explained.steps.push({ node, part, text: `leaf: ${holds(context, node)}; inside all its limits` });
    }
    return explained;
  }

  /**
   * @param {Float64Array} values
   * @param {number} node
   */
  function brokenAt(values, node) {
    const r = row[node];
    if (rejects[r]) return ["no training instance is at this leaf, which therefore accepts none"];
    /** @type {[number, string][]} */
    const broken = [];
    for (let j = 0; j < numeric.length; j++) {
      const column = numeric[j],
        at = r * numeric.length + j,
        far = deviation(values[column], at);
      if (!(tail(Math.max(far, 0)) < threshold)) continue;
      const name = header.attributes[column].name;
      const reach = 2 * context.quantile * halfScale[at];
      const [value, middle, low, high] = header.texts(
        column,
        values[column],
        center[at],
        center[at] - reach,
        center[at] + reach,
      );
      broken.push([
        column,
        halfScale[at] === 0
          ? `${name} ${value} differs from ${middle}, the only value at the leaf`
          : `${name} ${value} lies outside ${low} to ${high}, ${written(far)} deviations from the mean of the leaf`,
      ]);
    }
    for (let j = 0; j < ranged.length; j++) {
      const column = ranged[j],
        value = values[column],
        at = r * ranged.length + j;
      if (!(value < lower[at] || value > upper[at])) continue;
      const [own, low, high] = header.texts(column, value, lower[at], upper[at]);
      broken.push([column, `${header.attributes[column].name} ${own} lies outside ${low} to ${high}`]);
    }
    for (let j = 0; j < nominal.length; j++) {
      const column = nominal[j],
        value = values[column];
      if (Number.isNaN(value) || accepts[r * nValues + firstValue[j] + value]) continue;
      broken.push([
        column,
        `${header.attributes[column].name} ${header.text(column, value)} does not occur at the leaf`,
      ]);
    }
    return broken.sort(([a], [b]) => a - b).map(([, text]) => text);
  }
}
