/**
 * The chosen node: its classes, and how the values of each are spread at its split.
 */

import { swatch } from "../colours.js";
import { $, cut, h, table } from "../dom.js";
import { LT } from "../header.js";
import { probability, sumOf, whole, written } from "../numbers.js";
import { classBar } from "../shapes.js";
import { densities } from "./densities.js";
import { spreadsAt } from "./spreads.js";

/** @typedef {import("../router.js").Router} Router */
/** @typedef {import("../header.js").Header} Header */

const MOST_CLASSES = 8;
const MOST_LISTED = 12;
const MOST_BRANCHES = 60;
const MOST_LIMITS = 40;
const NARROWEST = 320;
const WIDEST = 620;

export class NodeView {
  /**
   * @param {Header} header
   * @param {import("./spreads.js").Histograms[]} histograms of each tree; none where there were no training data
   * @param {import("../model.js").Method[]} methods
   * @param {Record<string, any>[]} learned
   */
  constructor(header, histograms, methods, learned) {
    this.header = header;
    this.histograms = histograms;
    this.methods = methods;
    this.learned = learned;
    /** @type {number | undefined} looked up when it is needed, since every look makes the browser lay out the page */
    this.room = undefined;
    addEventListener("resize", () => (this.room = undefined));
  }

  /**
   * @param {Router} router
   * @param {number} index of the tree
   * @param {number} node
   * @param {Float64Array} values
   * @param {number} end the node where the instance stops; −1: there is none
   * @param {boolean} isOnWay whether the instance comes to the node, so that its way is told with the answer
   */
  show(router, index, node, values, end, isOnWay) {
    const { header } = this;
    const { tree } = router;
    const way = router.nodesTo(node).slice(1);
    const conditions = way.map((at) => header.condition(tree, at)).join(" and ");
    $("node-way").textContent = cut(conditions, 600);
    $("node-way").hidden = isOnWay || !conditions;
    this.#classes(tree, node);
    const column = tree.split_attribute[node];
    const isNumeric = column >= 0 && tree.split_kind[node] <= LT;
    $("node-title").textContent =
      column < 0 ? "A leaf: no further test" : `Split on ${cut(header.attributes[column].name, 60)}`;
    if (column < 0) $("densities").replaceChildren(...this.#limits(index, router, node, values));
    else if (isNumeric) $("densities").replaceChildren(...this.#numeric(index, router, node, values[column], end));
    else $("densities").replaceChildren(this.#branches(router, node));
  }

  /**
   * @param {import("../router.js").Tree} tree
   * @param {number} node
   */
  #weights(tree, node) {
    const k = this.header.nClasses;
    return tree.class_weight.subarray(node * k, node * k + k);
  }

  /**
   * @param {import("../router.js").Tree} tree
   * @param {number} node
   */
  #classes(tree, node) {
    const weights = this.#weights(tree, node);
    const total = sumOf(weights);
    const order = [...weights.keys()].filter((c) => weights[c] > 0).sort((a, b) => weights[b] - weights[a] || a - b);
    const told = order.slice(0, MOST_LISTED).map((c) => {
      const counted = tree.keeps_counts ? `${whole(weights[c])} ` : "";
      return h(
        "li",
        { title: tree.keeps_counts ? written(weights[c]) : null },
        swatch(c),
        `${cut(this.header.classNames[c], 30)} ${counted}(${probability(weights[c] / total)})`,
      );
    });
    if (order.length > MOST_LISTED) told.push(h("li", {}, `${order.length - MOST_LISTED} more`));
    if (!(total > 0)) told.push(h("li", {}, "no training rows"));
    $("node-classes").replaceChildren(classBar(weights), h("ul", { class: "legend" }, ...told));
  }

  /** The width of a picture: as wide as its place, so that its letters are as large as others. */
  #room() {
    this.room ??= Math.min(Math.max($("densities").clientWidth, NARROWEST), WIDEST);
    return this.room;
  }

  /**
   * What a leaf accepts, where the method has limits there.
   * @param {number} index
   * @param {Router} router
   * @param {number} node
   * @param {Float64Array} values
   */
  #limits(index, router, node, values) {
    const { header } = this;
    const { limitsAt } = this.methods[index];
    if (!limitsAt || !router.stops[node]) return [];
    const rows = [...header.attributes.keys()].flatMap((column) => {
      const ends = limitsAt(node, column);
      if (!ends) return [];
      const value = values[column];
      const isOutside = value < ends[0] || value > ends[1];
      const [low, high, own] = [...ends, value].map((at) => header.text(column, at));
      return [[cut(header.attributes[column].name, 40), `${low} … ${high}`, isOutside ? `${own}, outside` : own]];
    });
    const more = rows.length > MOST_LIMITS ? ` (${MOST_LIMITS} of ${rows.length} attributes)` : "";
    const head = ["attribute", "limits", "this row"];
    return rows.length ? [table(`What this leaf accepts${more}`, head, rows.slice(0, MOST_LIMITS))] : [];
  }

  /**
   * @param {Router} router
   * @param {number} node
   */
  #branches({ tree }, node) {
    const n = tree.n_branches[node];
    const rows = Array.from({ length: Math.min(n, MOST_BRANCHES) }, (_, i) => {
      const child = tree.first_child[node] + i;
      const weights = this.#weights(tree, child);
      const total = sumOf(weights);
      const counted = tree.keeps_counts ? h("span", { title: written(total) }, whole(total)) : "";
      return [cut(this.header.branch(tree, child), 60), classBar(weights), total > 0 ? counted : "none"];
    });
    return table(n > MOST_BRANCHES ? `${MOST_BRANCHES} of its ${n} branches` : "Its branches", [], rows);
  }

  /**
   * @param {number} index
   * @param {Router} router
   * @param {number} node
   * @param {number} value of the instance
   * @param {number} end
   */
  #numeric(index, { tree }, node, value, end) {
    const { header } = this;
    const column = tree.split_attribute[node];
    const weights = this.#weights(tree, node);
    const found = spreadsAt(node, weights, this.histograms[index], this.learned[index] ?? {});
    const all = found.spreads;
    if (!all.length) return [h("p", {}, this.histograms.length ? "No finite value is known here." : WITHOUT_TRAINING)];
    const text = (/** @type {[number, number] | null} */ range) =>
      range ? range.map((at) => header.text(column, at)).join(" … ") : "none";
    const hasIntervals = all.some(({ assigned }) => assigned);
    const point = tree.split_point[node];
    const ofLeaf = end < 0 ? null : (this.methods[index].limitsAt?.(end, column) ?? null);
    /** @type {[number, number] | null} */
    const limits = ofLeaf ? [ofLeaf[0], ofLeaf[1]] : null;
    const told = [
      Number.isNaN(value) ? "This row has no value here." : `▲ this row: ${header.text(column, value)}.`,
      hasIntervals ? "Thick: the interval of a class when it leads; thin: when another leads." : "",
      limits ? `Shaded: the limits at the leaf of this row, ${text(limits)}.` : "",
      all.some(({ bins }) => bins) ? "" : ONLY_INTERVALS,
      all.length > MOST_CLASSES ? `${all.length - MOST_CLASSES} more classes are not drawn.` : "",
    ];
    const spreads = all.slice(0, MOST_CLASSES);
    const picture = densities({ ...found, spreads }, header, { column, point, value, limits }, this.#room());
    const shown = [h("figure", {}, picture, h("figcaption", {}, told.filter(Boolean).join(" ")))];
    if (!hasIntervals) return shown;
    const rows = all.map(({ c, assigned, other }) => [cut(header.classNames[c], 30), text(assigned), text(other)]);
    const numbers = table("", ["class", "if it leads", "if another leads"], rows);
    return [...shown, h("details", {}, h("summary", {}, "The intervals as numbers"), numbers)];
  }
}

const WITHOUT_TRAINING =
  "The model holds nothing about the values here; wekaconf show -t draws class densities from the training data.";
const ONLY_INTERVALS =
  "The model keeps no training data, so there are intervals, but no densities; wekaconf show -t draws them.";
