/**
 * The shapes of the drawing: the box of a node, the line of a branch, the bar of class weights.
 */

import { colourOf, isGrey } from "./colours.js";
import { cut, cutTo, s } from "./dom.js";
import { sumOf } from "./numbers.js";

/** @typedef {{node: number, x: number, y: number}} Place */

/**
 * @typedef {object} Look
 * @property {number} node
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {string} name
 * @property {string} condition of the branch to the node
 * @property {string} on how the line to the node is drawn
 * @property {import("./unpack.js").Numbers} weights
 * @property {string} counted
 * @property {string} told
 * @property {import("./model.js").Mark | undefined} mark
 * @property {string[]} classes
 * @property {string | null} toggler
 * @property {() => void} onSelect
 * @property {() => void} onToggle
 */

export const HEIGHT = 38;
/** Room on both sides of the words in a box. */
export const PADDING = 9;
const BESIDE_TOGGLE = 5;

/**
 * @param {Look} look
 */
export function boxOf(look) {
  const { node, x, y, width, name, condition, on, weights, counted, told, mark, toggler, onSelect } = look;
  const marked = mark ? `on ${mark.kind} to-${mark.line}` : "";
  const room = width - 2 * PADDING;
  const end = toggler === null ? 0 : BESIDE_TOGGLE;
  const ofBar = room - end - (counted ? 7 * counted.length + 6 : 0);
  const group = s(
    "g",
    {
      class: ["node", marked, ...look.classes].join(" "),
      transform: `translate(${x},${y - HEIGHT / 2})`,
      "data-node": node,
      onclick: onSelect,
    },
    condition ? s("text", { class: `condition ${on}`, x: 2, y: -4 }, cutTo(condition, width, on !== "")) : null,
    s("rect", { class: "box", width, height: HEIGHT, rx: toggler === null ? 12 : 4 }),
    s("text", { class: "name", x: PADDING, y: 15.5 }, cutTo(name, room, toggler === null)),
    s("text", { class: "weight", x: width - PADDING - end, y: 31, "text-anchor": "end" }, counted),
    ...bars(weights, ofBar).map(({ fill, from, width: wide }) =>
      s("rect", { x: PADDING + from, y: 23, width: wide, height: 8, fill }),
    ),
    s("title", {}, told),
  );
  if (toggler !== null) group.append(toggle(width, toggler, look.onToggle));
  if (mark?.text) group.append(badge(width, cut(mark.text, 30)));
  return group;
}

/**
 * What expands or collapses a node, at the right end of its box.
 * @param {number} at
 * @param {string} text
 * @param {() => void} act
 */
function toggle(at, text, act) {
  const width = text.length === 1 ? 18 : 12 + 8 * text.length;
  const onclick = (/** @type {Event} */ event) => {
    event.stopPropagation();
    act();
  };
  return s(
    "g",
    { class: "toggle", transform: `translate(${at},${HEIGHT / 2})`, onclick },
    s("rect", { x: -9, y: -10, width, height: 20, rx: 10 }),
    s("text", { x: width / 2 - 9, y: 4, "text-anchor": "middle" }, text),
  );
}

/**
 * What the method does at a node, below the right end of its box.
 * @param {number} end
 * @param {string} text
 */
function badge(end, text) {
  const width = 6.4 * text.length + 12;
  return s(
    "g",
    { class: "badge", transform: `translate(${Math.max(0, end - width + 6)},${HEIGHT - 4})` },
    s("rect", { width, height: 16, rx: 8 }),
    s("text", { x: width / 2, y: 12, "text-anchor": "middle" }, text),
  );
}

/**
 * The line of a branch: from the right end of the parent's box, or from below where the child is merely indented.
 * @param {Place} parent
 * @param {Place} child
 * @param {number} width of a box
 */
export function curve(parent, child, width) {
  const from = parent.x + width,
    middle = from + 28;
  if (child.x < from) return `M${parent.x + PADDING},${parent.y + HEIGHT / 2}V${child.y}H${child.x}`;
  return `M${from},${parent.y}C${middle},${parent.y} ${from},${child.y} ${middle},${child.y}H${child.x}`;
}

/**
 * The parts of a bar, the largest class first and the grey ones together at the end; parts that nobody would see are
 * left out.
 * @param {ArrayLike<number>} weights
 * @param {number} width
 * @param {boolean} [isInOrder] whether the classes keep their order, so that bars can be compared
 */
export function bars(weights, width, isInOrder = false) {
  const total = sumOf(weights);
  const parts = [];
  let rest = 0;
  for (let c = 0; c < weights.length; c++) {
    if (isGrey(c)) rest += weights[c];
    else if (weights[c] > 0) parts.push({ c, weight: weights[c] });
  }
  if (!isInOrder) parts.sort((a, b) => b.weight - a.weight || a.c - b.c);
  const filled = parts.map(({ c, weight }) => ({ fill: colourOf(c), weight }));
  let from = 0;
  const drawn = [];
  for (const { fill, weight } of [...filled, { fill: "var(--rest)", weight: rest }]) {
    const wide = (weight / total) * width;
    if (wide >= 0.4) drawn.push({ fill, from, width: wide });
    from += wide;
  }
  return drawn;
}

/**
 * A bar of class weights as wide as what it stands in.
 * @param {ArrayLike<number>} weights
 * @param {boolean} [isInOrder] see `bars`
 */
export function classBar(weights, isInOrder) {
  const parts = bars(weights, 300, isInOrder).map(({ fill, from, width }) => {
    return s("rect", { x: from, width, height: 12, fill });
  });
  const look = { class: "classes", viewBox: "0 0 300 12", preserveAspectRatio: "none", "aria-hidden": "true" };
  return s("svg", look, ...parts);
}
