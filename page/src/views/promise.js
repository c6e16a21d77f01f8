/**
 * What a model promises about the answers that it gives, in words and around the curve.
 */

import { s } from "../dom.js";
import { percent, written } from "../numbers.js";

/**
 * @typedef {object} Promised
 * @property {number} confidence
 * @property {number} target the largest error at the model's own threshold
 * @property {Float64Array} bounds of the error at each place of the slider; NaN: none is known
 * @property {string} refusal why nothing is promised for all answers; empty: something is
 * @property {Float64Array | null} class_thresholds the threshold of each predicted class; null: one for all
 */

/** @typedef {{bound: number, answered: number, wrong: number, n: number}} Place */
/** @typedef {import("d3-scale").ScaleLinear<number, number>} Scale */

/**
 * The error that is promised at a place, and the counts that show it.
 * @param {Promised} promise
 * @param {boolean} isOwn whether the place is the model's own threshold
 * @param {boolean} isTold whether that promise stands beside the answer
 * @param {Place} place
 */
export function promiseText({ confidence, target, refusal }, isOwn, isTold, { bound, answered, wrong, n }) {
  if (isOwn && refusal) return refusal;
  const counted = `of ${n} calibration row${n === 1 ? "" : "s"} it answers ${answered}, ${wrong || "none"} of them wrong`;
  if (isOwn && isTold) return counted;
  const promised = isOwn
    ? `of the answers given at most ${percent(target)} are wrong, ${sure(confidence)}`
    : bound < 1
      ? `at most ${boundPercents(bound)} of the answers are wrong (an upper bound wherever you put the slider, ${sure(confidence)})`
      : "nothing is promised";
  return answered ? `${promised}; ${counted}` : "nothing is answered";
}

/**
 * A bound of the mean cost per row at each place of the slider.
 * @typedef {object} CostBounds
 * @property {number} confidence
 * @property {number} most what a rejection costs, so that a bound of as much says nothing
 * @property {Float64Array} bounds NaN: none is known
 */

/**
 * What a bound of the mean cost promises; empty: nothing.
 * @param {CostBounds} costs
 * @param {number} place
 */
export function costText({ confidence, most, bounds }, place) {
  const bound = bounds[place];
  if (!(bound < most)) return "";
  const text = `${sure(confidence)}, the mean cost per row is at most ${written(roundedUp(bound))}`;
  return `${text[0].toUpperCase()}${text.slice(1)} (an upper bound wherever you put the slider).`;
}

/** @param {number} confidence */
function sure(confidence) {
  return `with confidence ${percent(confidence)}`;
}

/**
 * What the figures of a promise are.
 * @param {Promised} promise
 */
export function promiseSource({ confidence, refusal, bounds, class_thresholds: byClass }) {
  const counted = "The counts are those of the model's calibration rows, which took no part in training.";
  if (byClass) return `An answer is rejected by the threshold of its predicted class. ${counted}`;
  const together = `All bounds hold at once with confidence ${percent(confidence)}, so you may put the slider anywhere`;
  if (!bounds.some((bound) => bound < 1)) return counted;
  const alone = refusal ? "" : "; the promise at the model's own threshold has this confidence by itself";
  return `${counted} ${together}${alone}.`;
}

/**
 * The highest error that the curve shows: the bounds of few answers are left out.
 * @param {Promised} promise
 */
export function highestShown({ target, bounds, refusal }) {
  const known = bounds.filter((bound) => bound < 1);
  return Math.max(refusal ? 0 : 1.3 * target, Math.min(3 * Math.min(...known), Math.max(...known)));
}

/**
 * The band between error and bound, and the promised error at the model's own threshold.
 * @param {Promised} promise
 * @param {number[]} coverage
 * @param {number[]} error
 * @param {[number, number][]} points of the curve
 * @param {number} own the place of the model's own threshold
 * @param {Scale} x
 * @param {Scale} y
 */
export function promiseMarks({ bounds, target, refusal }, coverage, error, points, own, x, y) {
  const [left, right] = x.range();
  const [bottom, top] = y.range();
  const known = [...bounds.keys()].filter((place) => bounds[place] <= 1);
  const upper = known.map((place) => `${x(coverage[place])},${y(bounds[place])}`).join("L");
  const ends = [coverage[known[0]], coverage[known[known.length - 1]]];
  const lower = points.filter(([c]) => c >= ends[0] && c <= ends[1]).map(([c, at]) => `${x(c)},${y(at)}`);
  const [width, height] = [right - left, bottom - top];
  const frame = { x: left, y: top, width, height, viewBox: `${left} ${top} ${width} ${height}` };
  const at = x(coverage[own]);
  const band = { class: "band", d: `M${[upper, ...lower.reverse()].join("L")}z` };
  const line = { class: "bound", d: `M${upper}` };
  const promised = { class: "promised", d: `M${at - 5},${y(target)}h10M${at},${y(target)}V${y(error[own])}` };
  return [
    ...(known.length ? [s("svg", frame, s("path", band), s("path", line))] : []),
    ...(refusal ? [] : [s("path", promised)]),
  ];
}

/**
 * A bound in percent with three digits, rounded up, so that it holds as written; see `wekaconf.data.wording.bound_text`.
 * @param {number} bound
 */
function boundPercents(bound) {
  return `${written(roundedUp(100 * bound))} %`;
}

/**
 * A number with three digits, rounded up.
 * @param {number} bound
 */
function roundedUp(bound) {
  const exact = Number(bound.toPrecision(12));
  const near = Number(exact.toPrecision(3));
  const step = near < exact ? 10 ** (Math.floor(Math.log10(exact)) - 2) : 0;
  return Number((near + step).toPrecision(3));
}
