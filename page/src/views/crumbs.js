/**
 * The way of an instance from the root to its leaf, above the drawing, wherever that is moved.
 */

import { $, cut, h } from "../dom.js";

const LONGEST = 40;

/**
 * @param {import("../drawing.js").Drawing} drawing
 * @param {(node: number) => void} select
 */
export function showCrumbs(drawing, select) {
  const { way, tree, header } = drawing;
  const end = way[way.length - 1];
  const told = way.slice(1).map((node) => ({ node, text: header.condition(tree, node) }));
  if (way.length) told.push({ node: end, text: header.classNames[drawing.leading(end)] });
  $("crumbs").hidden = !way.length;
  $("crumbs").replaceChildren(
    ...told.map(({ node, text }, i) => {
      const look = { type: "button", title: text.length > LONGEST ? text : null, onclick: () => select(node) };
      return h("li", { class: i === told.length - 1 ? "end" : null }, h("button", look, cut(text, LONGEST)));
    }),
  );
}
