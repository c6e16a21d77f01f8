/**
 * Making elements; texts are always texts.
 */

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] a name that begins with "on" is a listener; null and false: left out
 * @param {...(Node | string | null)} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {any}
 */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null)[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * The element of the page with an identifier.
 * @param {string} id
 * @returns {any}
 */
export function $(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return element;
}

/**
 * The beginning of a long text.
 * @param {string} text
 * @param {number} length
 */
export function cut(text, length) {
  const letters = [...text];
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join("")}…`;
}

const N_COLOURS = 12;

/**
 * The colour of a class; the thirteenth has the first one's, striped.
 * @param {number} c
 */
export function colourOf(c) {
  return c < N_COLOURS ? `var(--c${c})` : `url(#class-${c})`;
}

/**
 * The colour of a class without stripes, for thin lines.
 * @param {number} c
 */
export function plainColourOf(c) {
  return `var(--c${c % N_COLOURS})`;
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
 * A table; the first cell of a row names it.
 * @param {string} caption
 * @param {string[]} head
 * @param {(string | Node)[][]} rows
 */
export function table(caption, head, rows) {
  const named = (/** @type {string} */ name) => h("th", { scope: "col" }, name);
  const row = (/** @type {(string | Node)[]} */ [first, ...cells]) =>
    h("tr", {}, h("th", { scope: "row" }, first), ...cells.map((cell) => h("td", {}, cell)));
  return h(
    "table",
    {},
    caption ? h("caption", {}, caption) : null,
    head.length ? h("thead", {}, h("tr", {}, ...head.map(named))) : null,
    h("tbody", {}, ...rows.map(row)),
  );
}

/**
 * A small square in the colour of a class.
 * @param {number} c
 */
export function swatch(c) {
  const square = s("rect", { width: 10, height: 10, rx: 2, fill: colourOf(c) });
  return s("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, square);
}
