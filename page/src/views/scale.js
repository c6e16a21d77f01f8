/**
 * The certainty of an answer beside the threshold, on one scale.
 */

import { scaleLinear } from "d3-scale";
import { s } from "../dom.js";
import { apart, written } from "../numbers.js";

const WIDTH = 340,
  HEIGHT = 46,
  SIDE = 14,
  LINE = 22;
/** How far beyond the largest known certainty an open scale goes. */
const BEYOND = 1.05;

/**
 * @param {number} certainty
 * @param {number | null} threshold null: nothing is rejected; Infinity: everything
 * @param {number} most the largest certainty there is, or that is known where there is none
 */
export function certaintyScale(certainty, threshold, most) {
  const known = [certainty, threshold ?? 0, most].filter(Number.isFinite);
  const high = most === 1 ? 1 : BEYOND * Math.max(...known, 1e-12);
  const scale = scaleLinear([0, high], [SIDE, WIDTH - SIDE]).clamp(true);
  const at = scale(certainty);
  const hasThreshold = threshold !== null && threshold > -Infinity;
  const from = hasThreshold ? scale(threshold) : SIDE;
  const [own, limit] = apart(certainty, threshold ?? 0);
  const told = hasThreshold
    ? threshold === Infinity
      ? "everything is rejected"
      : `rejected below ${limit}`
    : "nothing is rejected";
  const shown = hasThreshold && threshold !== Infinity ? "threshold" : told;
  const anchor = from < 90 ? "start" : from > WIDTH - 90 ? "end" : "middle";
  const place = { start: Math.max(from - 6, SIDE - 8), middle: from, end: Math.min(from + 6, WIDTH - SIDE + 8) }[
    anchor
  ];
  return s(
    "svg",
    {
      class: "certainty-scale",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `Certainty ${own} on a scale from 0 to ${most === 1 ? 1 : written(high, 2)}: ${told}`,
    },
    s("rect", { class: "accepting", x: from, width: WIDTH - SIDE - from, y: LINE - 4, height: 8 }),
    hasThreshold ? s("rect", { class: "rejecting", x: SIDE, width: from - SIDE, y: LINE - 4, height: 8 }) : null,
    hasThreshold ? s("line", { class: "limit", x1: from, x2: from, y1: LINE - 7, y2: LINE + 8 }) : null,
    s("text", { class: "tick", x: hasThreshold ? place : SIDE - 8, y: HEIGHT - 3, "text-anchor": anchor }, shown),
    s("path", { class: "certainty", d: `M${at},${LINE - 4}l-6,-10h12z` }),
    certainty === Infinity
      ? s("text", { class: "tick", x: WIDTH - SIDE, y: LINE - 16, "text-anchor": "middle" }, "∞")
      : null,
  );
}
