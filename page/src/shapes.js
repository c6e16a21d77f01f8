/**
 * The shapes of the drawing: the box of a node, the line of a branch, the bar of class weights.
 */

import { colourOf, cut, s } from "./dom.js";
import { sumOf } from "./numbers.js";

/** @typedef {{node: number, x: number, y: number}} Place */

/**
 * @typedef {object} Look
 * @property {number} node
 * @property {number} x
 * @property {number} y
 * @property {string} name
 * @property {import("./unpack.js").Numbers} weights
 * @property {string} counted
 * @property {string} told
 * @property {import("./model.js").Mark | undefined} mark
 * @property {string[]} classes
 * @property {string | null} toggler
 * @property {() => void} onSelect
 * @property {() => void} onToggle
 */

export const WIDTH = 164,
  HEIGHT = 40;

/**
 * @param {Look} look
 */
export function boxOf({ node, x, y, name, weights, counted, told, mark, classes, toggler, onSelect, onToggle }) {
  const marked = mark ? `on ${mark.kind} to-${mark.line}` : "";
  const group = s(
    "g",
    {
      class: ["node", marked, ...classes].join(" "),
      transform: `translate(${x},${y - HEIGHT / 2})`,
      "data-node": node,
      onclick: onSelect,
    },
    s("rect", { class: "box", width: WIDTH, height: HEIGHT, rx: toggler === null ? 12 : 4 }),
    s("text", { class: "name", x: 9, y: 17 }, cut(name, 18 - counted.length)),
    s("text", { class: "weight", x: WIDTH - (toggler === null ? 9 : 13), y: 17, "text-anchor": "end" }, counted),
    ...bars(weights, WIDTH - 18).map(({ c, from, width }) =>
      s("rect", { x: 9 + from, y: 25, width, height: 8, fill: colourOf(c) }),
    ),
    s("title", {}, told),
  );
  if (toggler !== null) {
    const width = toggler.length === 1 ? 18 : 12 + 8 * toggler.length;
    const onclick = (/** @type {Event} */ event) => {
      event.stopPropagation();
      onToggle();
    };
    group.append(
      s(
        "g",
        { class: "toggle", transform: `translate(${WIDTH},${HEIGHT / 2})`, onclick },
        s("rect", { x: -9, y: -10, width, height: 20, rx: 10 }),
        s("text", { x: width / 2 - 9, y: 4, "text-anchor": "middle" }, toggler),
      ),
    );
  }
  if (mark?.text) {
    const text = cut(mark.text, 26),
      wide = 6.4 * text.length + 12;
    group.append(
      s(
        "g",
        { class: "badge", transform: `translate(${WIDTH - wide + 6},-13)` },
        s("rect", { width: wide, height: 17, rx: 8 }),
        s("text", { x: wide / 2, y: 12.5, "text-anchor": "middle" }, text),
      ),
    );
  }
  return group;
}

/**
 * @param {Place} parent
 * @param {Place} child
 */
export function curve(parent, child) {
  const from = parent.x + WIDTH,
    middle = from + 34;
  return `M${from},${parent.y}C${middle},${parent.y} ${from},${child.y} ${middle},${child.y}H${child.x}`;
}

/**
 * The parts of a bar, the largest class first; parts that nobody would see are left out.
 * @param {ArrayLike<number>} weights
 * @param {number} width
 */
export function bars(weights, width) {
  const total = sumOf(weights);
  const parts = [];
  for (let c = 0; c < weights.length; c++) if (weights[c] > 0) parts.push({ c, weight: weights[c] });
  parts.sort((a, b) => b.weight - a.weight || a.c - b.c);
  let from = 0;
  const drawn = [];
  for (const { c, weight } of parts) {
    const wide = (weight / total) * width;
    if (wide < 0.4) break;
    drawn.push({ c, from, width: wide });
    from += wide;
  }
  return drawn;
}

/**
 * A bar of class weights as wide as what it stands in.
 * @param {ArrayLike<number>} weights
 */
export function classBar(weights) {
  const parts = bars(weights, 300).map(({ c, from, width }) => {
    return s("rect", { x: from, width, height: 12, fill: colourOf(c) });
  });
  const look = { class: "classes", viewBox: "0 0 300 12", preserveAspectRatio: "none", "aria-hidden": "true" };
  return s("svg", look, ...parts);
}
