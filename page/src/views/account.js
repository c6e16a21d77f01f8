/**
 * What speaks for and against an answer, as bars that add up.
 */

import { scaleLinear } from "d3-scale";
import { h, s, table } from "../dom.js";
import { share, written } from "../numbers.js";

/**
 * A sum of log-odds that a tree is right.
 * @typedef {object} Account
 * @property {number} begin the log-odds of an answer of which each side says what it says in the mean
 * @property {{name: string, said: number, part: number}[]} sides the greatest first
 * @property {number} sum
 * @property {number} certainty
 */

const WIDTH = 120,
  HEIGHT = 16;

/**
 * @param {Account} account
 */
export function accountTable({ begin, sides, sum, certainty }) {
  /** @type {[string, string, number, number][]} */
  const bars = [["to begin with", "", 0, begin]];
  let at = begin;
  for (const { name, said, part } of sides) {
    bars.push([name, written(said), at, at + part]);
    at += part;
  }
  const ends = bars.flatMap(([, , from, to]) => [from, to]);
  const scale = scaleLinear([Math.min(...ends, 0), Math.max(...ends, 0)], [2, WIDTH - 2]);
  const rows = bars.map(([name, said, from, to]) => [name, said, bar(scale, from, to, false), signed(to - from)]);
  const caption = "Log-odds that the tree is right: each bar begins where the one above ends";
  const whole = table(caption, ["side", "says", "for or against", "adds"], rows);
  const total = ["together", "", bar(scale, 0, sum, true), signed(sum)].map((cell, i) =>
    h(i ? "td" : "th", i ? {} : { scope: "row" }, cell),
  );
  whole.append(h("tfoot", {}, h("tr", {}, ...total)));
  return [whole, h("p", {}, `So the tree is right with probability ${share(certainty)}.`)];
}

/**
 * @param {(at: number) => number} scale
 * @param {number} from
 * @param {number} to
 * @param {boolean} isSum
 */
function bar(scale, from, to, isSum) {
  const [left, right] = [scale(Math.min(from, to)), scale(Math.max(from, to))];
  const look = { class: "account-bar", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
  const kind = `${to < from ? "against" : "for"}${isSum ? " sum" : ""}`;
  return s(
    "svg",
    look,
    s("line", { class: "zero", x1: scale(0), x2: scale(0), y1: 0, y2: HEIGHT }),
    s("rect", { class: kind, x: left, y: 3, width: Math.max(right - left, 1), height: HEIGHT - 6 }),
  );
}

/** @param {number} part */
function signed(part) {
  return `${part > 0 ? "+" : ""}${written(part)}`;
}
