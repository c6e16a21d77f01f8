/**
 * The picture of a numeric split: the values of each class, the method's intervals, the split and the instance.
 */

import { scaleLinear } from "d3-scale";
import { colourOf, plainColourOf } from "../colours.js";
import { dayOf } from "../dates.js";
import { cut, cutTo, s, widthOf } from "../dom.js";

/** @typedef {import("./spreads.js").Spreads} Spreads */
/** @typedef {import("./spreads.js").Spread} Spread */
/** @typedef {import("./spreads.js").Range} Range */
/** @typedef {(at: number) => number} Scale */

/** Room for the names of classes. */
const WIDEST_NAMES = 170,
  BESIDE_NAMES = 10;
const RIGHT = 12;
const ROW = 40;
const TOP = 22;
const TALLEST = 22;
const SHORTEST = 3;

/**
 * What is drawn beside the values.
 * @typedef {object} Marks
 * @property {number} column
 * @property {number} point where the node splits
 * @property {number} value of the instance
 * @property {Range | null} limits of the attribute at the leaf of the instance
 */

/**
 * @param {Spreads} of
 * @param {import("../header.js").Header} header
 * @param {Marks} marks
 * @param {number} room the width of the picture
 */
export function densities({ spreads, low, width }, header, { column, point, value, limits }, room) {
  const end = room - RIGHT;
  const names = spreads.map(({ c }) => header.classNames[c]);
  const forNames = Math.min(Math.max(...names.map((name) => widthOf(cut(name, 40), false))), WIDEST_NAMES, room / 3);
  const left = Math.ceil(forNames) + BESIDE_NAMES;
  const scale = scaleLinear(extent(spreads, low, width, [point, value, ...(limits ?? [])]), [left, end]);
  const x = (/** @type {number} */ at) => Math.min(Math.max(scale(at), left - 4), end + 4);
  const bottom = TOP + ROW * spreads.length;
  const { name, kind, zone } = header.attributes[column];
  const told = `Values of ${name} by class, split at ${header.text(column, point)}`;
  const mark = Number.isNaN(value)
    ? []
    : [
        s("line", { class: "value", x1: x(value), x2: x(value), y1: TOP - 2, y2: bottom + 4 }),
        s("path", { class: "value-mark", d: `M${x(value)},${bottom}l6,9h-12z` }),
      ];
  const side = x(point) > end - 60 ? "end" : x(point) < left + 40 ? "start" : "middle";
  return s(
    "svg",
    { class: "densities", viewBox: `0 0 ${room} ${bottom + 26}`, role: "img", "aria-label": told },
    limits ? band(limits, x, bottom) : null,
    ...spreads.map((spread, i) => {
      const base = TOP + ROW * (i + 1) - 13;
      return s(
        "g",
        {},
        s("text", { x: left - BESIDE_NAMES, y: base - 4, "text-anchor": "end" }, cutTo(names[i], forNames, false)),
        spread.bins ? histogram(spread.bins, spread.c, (b) => x(low + width * b), base) : null,
        s("line", { class: "base", x1: left, x2: end, y1: base, y2: base }),
        interval(spread.assigned, x, base + 4.5, "assigned", spread.c),
        interval(spread.other, x, base + 8.5, "other", spread.c),
      );
    }),
    ...(kind === "date" ? dates(scale.ticks(room / 150), zone) : scale.ticks(room / 80)).map((at) => {
      const text = header.text(column, at);
      const place = { class: "tick", transform: `translate(${scale(at)},${bottom})` };
      const beyond = Math.max(scale(at) + widthOf(text, false) / 2 - room, 0);
      return s("g", place, s("line", { y2: 5 }), s("text", { x: -beyond, y: 18, "text-anchor": "middle" }, text));
    }),
    s("line", { class: "split", x1: x(point), x2: x(point), y1: TOP - 4, y2: bottom }),
    s(
      "text",
      { class: "split-label", x: x(point), y: TOP - 8, "text-anchor": side },
      `split ${header.text(column, point)}`,
    ),
    ...mark,
  );
}

/**
 * The marks of an axis of dates: days, if these differ, else seconds.
 * @param {number[]} ticks
 * @param {import("../dates.js").Zone} [zone]
 */
function dates(ticks, zone) {
  const days = ticks.map((at) => dayOf(at, zone));
  return new Set(days).size === days.length ? days : ticks.map((at) => Math.round(at / 1000) * 1000);
}

/**
 * The ends of the axis: all values, intervals and marks are between them.
 * @param {Spread[]} spreads
 * @param {number} low
 * @param {number} width
 * @param {number[]} marks
 * @returns {Range}
 */
function extent(spreads, low, width, marks) {
  const ends = [...marks];
  for (const { bins, assigned, other } of spreads) {
    ends.push(...(assigned ?? []), ...(other ?? []));
    if (!bins) continue;
    ends.push(low + width * bins.findIndex((n) => n > 0), low + width * (1 + bins.findLastIndex((n) => n > 0)));
  }
  const finite = ends.filter(Number.isFinite);
  return [Math.min(...finite), Math.max(...finite)];
}

/**
 * @param {Float64Array} bins
 * @param {number} c
 * @param {Scale} x of the lower end of each bin
 * @param {number} base
 */
function histogram(bins, c, x, base) {
  const most = Math.max(...bins);
  const steps = Array.from(bins, (n, b) => `V${base - (TALLEST * n) / most}H${x(b + 1)}`);
  return s("path", { class: "density", fill: colourOf(c), d: `M${x(0)},${base}${steps.join("")}V${base}z` });
}

/**
 * @param {Range | null} range
 * @param {Scale} x
 * @param {number} y
 * @param {string} name
 * @param {number} c
 */
function interval(range, x, y, name, c) {
  if (!range) return null;
  const [from, to] = range.map(x);
  const more = Math.max(0, (SHORTEST - (to - from)) / 2);
  return s("line", { class: name, x1: from - more, x2: to + more, y1: y, y2: y, stroke: plainColourOf(c) });
}

/**
 * @param {Range} limits
 * @param {Scale} x
 * @param {number} bottom
 */
function band([low, high], x, bottom) {
  const more = Math.max(0, (SHORTEST - (x(high) - x(low))) / 2);
  const width = x(high) - x(low) + 2 * more;
  return s("rect", { class: "limits", x: x(low) - more, y: TOP - 2, width, height: bottom - TOP + 2 });
}
