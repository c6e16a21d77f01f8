/**
 * The colours of the classes; of many classes only the leading ones have their own, and the others share a grey.
 */

import { s } from "./dom.js";

const N_COLOURS = 12;
/** The largest number of classes that all have their colours, and of leading ones among more. */
const MOST_COLOURED = 8;
const MOST_LEADING = 6;

/** @type {Set<number> | null} the classes that have their colours; null: all */
let leading = null;

/**
 * Let the leading ones of many classes have their colours.
 * @param {number[]} order of all classes, the leading one first
 * @returns {number[]} the classes with colours; of few classes all, in their own order
 */
export function colourLeading(order) {
  if (order.length <= MOST_COLOURED) return [...order].sort((a, b) => a - b);
  const first = order.slice(0, MOST_LEADING);
  leading = new Set(first);
  return first;
}

/**
 * Whether a class is one of those that share a grey.
 * @param {number} c
 */
export function isGrey(c) {
  return leading !== null && !leading.has(c);
}

/**
 * The colour of a class; the thirteenth has the first one's, striped.
 * @param {number} c
 */
export function colourOf(c) {
  if (isGrey(c)) return "var(--rest)";
  return c < N_COLOURS ? `var(--c${c})` : `url(#class-${c})`;
}

/**
 * The colour of a class without stripes, for thin lines.
 * @param {number} c
 */
export function plainColourOf(c) {
  return isGrey(c) ? "var(--rest)" : `var(--c${c % N_COLOURS})`;
}

/**
 * The stripes of the classes after the twelfth.
 * @param {number} nClasses
 */
export function patterns(nClasses) {
  const all = [];
  for (let c = N_COLOURS; c < nClasses; c++) {
    const cycle = Math.floor(c / N_COLOURS);
    all.push(
      s(
        "pattern",
        {
          id: `class-${c}`,
          width: 5 + cycle,
          height: 5 + cycle,
          patternUnits: "userSpaceOnUse",
          patternTransform: `rotate(${45 * cycle})`,
        },
        s("rect", { width: 5 + cycle, height: 5 + cycle, fill: `var(--c${c % N_COLOURS})` }),
        s("rect", { width: 1.5 + cycle / 2, height: 5 + cycle, fill: "var(--page)" }),
      ),
    );
  }
  return all;
}

/**
 * A small square in the colour of a class.
 * @param {number} c
 */
export function swatch(c) {
  return square(colourOf(c));
}

/** A small square in the grey that many classes share. */
export function greySwatch() {
  return square("var(--rest)");
}

/** @param {string} fill */
function square(fill) {
  return s(
    "svg",
    { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
    s("rect", { width: 10, height: 10, rx: 2, fill }),
  );
}
