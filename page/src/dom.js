/**
 * Making elements; texts are always texts.
 */

const MOST_LETTERS = 80;

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

/** @type {CanvasRenderingContext2D | null} */
let pen = null;
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * The width of a name in the drawing, in pixels.
 * @param {string} text
 * @param {boolean} isBold
 */
export function widthOf(text, isBold) {
  const key = `${isBold ? 600 : 400}${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    pen ??= document.createElement("canvas").getContext("2d");
    if (pen) pen.font = `${isBold ? 600 : 400} 12.5px ${getComputedStyle(document.body).fontFamily}`;
    width = pen ? pen.measureText(text).width : 8 * text.length;
    widths.set(key, width);
  }
  return width;
}

/**
 * The beginning of a text that is wider than its place.
 * @param {string} text
 * @param {number} width in pixels
 * @param {boolean} isBold
 */
export function cutTo(text, width, isBold) {
  const short = cut(text, MOST_LETTERS);
  const wide = widthOf(short, isBold);
  if (wide <= width) return short;
  let n = Math.min([...short].length - 1, Math.ceil(([...short].length * width) / wide) + 2);
  while (n > 2 && widthOf(cut(short, n), isBold) > width) n--;
  return cut(short, n);
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
