/**
 * The chosen node: its classes, and how the values of each are spread at its split.
 */

import { scaleLinear } from "d3-scale";
import { $, colourOf, cut, h, s } from "../dom.js";
import { dateText, LT } from "../header.js";
import { sumOf, written } from "../numbers.js";
import { bars } from "../shapes.js";
import { swatch } from "./answer.js";

/** @typedef {import("../router.js").Router} Router */
/** @typedef {import("../header.js").Header} Header */
/** @typedef {Record<string, import("../unpack.js").Numbers>} Histograms */
/** @typedef {{c: number, weight: number, bins: Float64Array | null, assigned: [number, number] | null, other: [number, number] | null}} Spread */

const MOST_CLASSES = 8, N_BINS = 24, WIDTH = 560, LEFT = 120, RIGHT = 12, TALL = 40, TOP = 22;

export class NodeView {
  /**
   * @param {Header} header
   * @param {Histograms[]} histograms of each tree; none where the page was made without training data
   * @param {import("../model.js").Method[]} methods
   * @param {Record<string, any>[]} learned
   */
  constructor(header, histograms, methods, learned) {
    this.header = header;
    this.histograms = histograms;
    this.methods = methods;
    this.learned = learned;
  }

  /**
   * @param {Router} router
   * @param {number} index of the tree
   * @param {number} node
   * @param {Float64Array} values
   */
  show(router, index, node, values) {
    const { header } = this, { tree } = router, k = header.nClasses;
    const weights = tree.class_weight.subarray(node * k, node * k + k), total = sumOf(weights);
    const way = router.nodesTo(node).slice(1).map((at) => header.condition(tree, at));
    $("node-way").textContent = way.length ? cut(way.join(" and "), 600) : "The root: all instances come here.";
    const order = [...weights.keys()].filter((c) => weights[c] > 0).sort((a, b) => weights[b] - weights[a] || a - b);
    $("node-classes").replaceChildren(
      s("svg", { class: "classes", viewBox: "0 0 300 12", preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars(weights, 300).map(({ c, from, width }) => s("rect", { x: from, width, height: 12, fill: colourOf(c) }))),
      h("ul", { class: "legend" }, ...order.slice(0, 12).map((c) => h("li", {}, swatch(c), `${cut(header.classNames[c], 30)} ${tree.keeps_counts ? written(weights[c]) : ""} (${Math.round((100 * weights[c]) / total)} %)`)),
        order.length > 12 ? h("li", {}, `${order.length - 12} more`) : null, total > 0 ? null : h("li", {}, "no training instances")));
    const column = tree.split_attribute[node];
    const figure = $("densities");
    if (column < 0) {
      figure.replaceChildren(...this.#limits(index, router, node, values));
      return;
    }
    const name = header.attributes[column].name;
    $("node-title").textContent = `Split on ${cut(name, 60)}`;
    if (tree.split_kind[node] > LT) figure.replaceChildren(this.#branches(router, node));
    else figure.replaceChildren(...this.#numeric(index, router, node, values[column]));
  }

  /**
   * A leaf; where a method has limits there, these.
   * @param {number} index
   * @param {Router} router
   * @param {number} node
   * @param {Float64Array} values
   */
  #limits(index, router, node, values) {
    $("node-title").textContent = "Leaf";
    const { limitsAt } = this.methods[index];
    if (!limitsAt || !router.stops[node]) return [];
    const limited = [...this.header.attributes.keys()].flatMap((column) => {
      const ends = limitsAt(node, column);
      return ends ? [{ column, low: ends[0], high: ends[1] }] : [];
    });
    if (!limited.length) return [];
    const rows = limited.slice(0, 40).map(({ column, low, high }) => {
      const value = values[column], isOutside = value < low || value > high;
      return h("tr", { class: isOutside ? "outside" : null }, h("th", { scope: "row" }, cut(this.header.attributes[column].name, 40)),
        h("td", {}, `${this.header.text(column, low)} … ${this.header.text(column, high)}`), h("td", {}, this.header.text(column, value) + (isOutside ? " outside" : "")));
    });
    return [h("table", {}, h("caption", {}, `What this leaf accepts${limited.length > 40 ? ` (40 of ${limited.length} attributes)` : ""}`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "attribute"), h("th", { scope: "col" }, "limits"), h("th", { scope: "col" }, "instance"))), h("tbody", {}, ...rows))];
  }

  /**
   * @param {Router} router
   * @param {number} node
   */
  #branches(router, node) {
    const { header } = this, { tree } = router, k = header.nClasses, first = tree.first_child[node], n = tree.n_branches[node];
    const rows = Array.from({ length: Math.min(n, 60) }, (_, i) => {
      const weights = tree.class_weight.subarray((first + i) * k, (first + i) * k + k), total = sumOf(weights);
      return h("tr", {}, h("th", { scope: "row" }, cut(header.branch(tree, first + i), 60)),
        h("td", {}, s("svg", { class: "classes", viewBox: "0 0 300 12", preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars(weights, 300).map(({ c, from, width }) => s("rect", { x: from, width, height: 12, fill: colourOf(c) })))),
        h("td", {}, total > 0 ? (tree.keeps_counts ? written(total) : "") : "none"));
    });
    return h("table", {}, h("caption", {}, `Its branches${n > 60 ? `, 60 of ${n}` : ""}`), h("tbody", {}, ...rows));
  }

  /**
   * What is known of each class at a numeric split: histogram, intervals.
   * @param {number} index
   * @param {Router} router
   * @param {number} node
   * @returns {{spreads: Spread[], low: number, width: number}}
   */
  #spreads(index, router, node) {
    const k = this.header.nClasses, of = this.histograms[index], learned = this.learned[index] ?? {};
    const weights = router.tree.class_weight.subarray(node * k, node * k + k);
    const place = of ? of.node.indexOf(node) : -1;
    const [low, width] = place < 0 ? [NaN, NaN] : [of.low[place], of.width[place]];
    /** @type {Map<number, Spread>} */
    const spreads = new Map();
    const spreadOf = (/** @type {number} */ c) => {
      const known = spreads.get(c) ?? { c, weight: weights[c], bins: null, assigned: null, other: null };
      spreads.set(c, known);
      return known;
    };
    for (let i = place < 0 ? 0 : of.first[place]; place >= 0 && i < of.first[place + 1]; i++) {
      const spread = spreadOf(of.class[i]);
      spread.bins ??= new Float64Array(N_BINS);
      spread.bins[of.bin[i]] = of.weight[i];
    }
    if (learned["intervals_.is_active"]?.[node]) {
      for (let c = 0; c < k; c++) {
        const at = node * k + c;
        if (!learned["intervals_.present"][at]) continue;
        const spread = spreadOf(c);
        spread.assigned = [learned["intervals_.assigned_low"][at], learned["intervals_.assigned_high"][at]];
        const otherLow = learned["intervals_.other_low"][at];
        spread.other = Number.isNaN(otherLow) ? null : [otherLow, learned["intervals_.other_high"][at]];
      }
    }
    return { spreads: [...spreads.values()].sort((a, b) => b.weight - a.weight || a.c - b.c), low, width };
  }

  /**
   * @param {number} index
   * @param {Router} router
   * @param {number} node
   * @param {number} value of the instance
   */
  #numeric(index, router, node, value) {
    const { header } = this, { tree } = router;
    const column = tree.split_attribute[node], point = tree.split_point[node];
    const { spreads: all, low, width } = this.#spreads(index, router, node);
    if (!all.length) return [h("p", {}, this.histograms.length ? "The method compares nothing here." : "The model holds nothing about the values here; wekaconf show -t draws class densities from the training data.")];
    const spreads = all.slice(0, MOST_CLASSES);
    const ends = spreads.flatMap(({ bins, assigned, other }) => [...(bins ? [low + width * bins.findIndex((n) => n > 0), low + width * (1 + bins.findLastIndex((n) => n > 0))] : []), ...(assigned ?? []), ...(other ?? [])]).concat(point, Number.isNaN(value) ? [] : [value]).filter(Number.isFinite);
    const scale = scaleLinear([Math.min(...ends), Math.max(...ends)], [LEFT, WIDTH - RIGHT]);
    const x = (/** @type {number} */ at) => Math.min(Math.max(scale(at), LEFT - 4), WIDTH - RIGHT + 4);
    const height = TOP + TALL * spreads.length + 26, bottom = TOP + TALL * spreads.length;
    const rows = spreads.map((spread, i) => {
      const base = TOP + TALL * (i + 1) - 13;
      const most = Math.max(...(spread.bins ?? [1]));
      const shape = spread.bins && `M${x(low)},${base}${[...spread.bins].map((n, b) => `V${base - (22 * n) / most}H${x(low + width * (b + 1))}`).join("")}V${base}z`;
      return s("g", {}, s("text", { x: LEFT - 10, y: base - 4, "text-anchor": "end" }, cut(header.classNames[spread.c], 15)),
        shape ? s("path", { d: shape, fill: colourOf(spread.c), class: "density" }) : null,
        s("line", { class: "base", x1: LEFT, x2: WIDTH - RIGHT, y1: base, y2: base }),
        ...interval(spread.assigned, x, base + 4.5, "assigned", spread.c), ...interval(spread.other, x, base + 8.5, "other", spread.c));
    });
    const format = header.attributes[column].kind === "date" ? (/** @type {number} */ at) => dateText(at).slice(0, 10) : written;
    const ticks = scale.ticks(header.attributes[column].kind === "date" ? 3 : 6).map((at) => s("g", { class: "tick", transform: `translate(${scale(at)},${bottom})` }, s("line", { y2: 5 }), s("text", { y: 18, "text-anchor": "middle" }, format(at))));
    const hasIntervals = all.some(({ assigned }) => assigned), isMissing = Number.isNaN(value);
    const picture = s("svg", { class: "densities", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `Values of ${header.attributes[column].name} by class, split at ${header.text(column, point)}` },
      ...rows, ...ticks,
      s("line", { class: "split", x1: x(point), x2: x(point), y1: TOP - 4, y2: bottom }), s("text", { class: "split-label", x: x(point), y: TOP - 8, "text-anchor": x(point) > WIDTH - 120 ? "end" : x(point) < LEFT + 60 ? "start" : "middle" }, `split ${header.text(column, point)}`),
      isMissing ? null : s("line", { class: "value", x1: x(value), x2: x(value), y1: TOP - 2, y2: bottom + 4 }), isMissing ? null : s("path", { class: "value-mark", d: `M${x(value)},${bottom}l6,9h-12z` }));
    const text = (/** @type {[number, number] | null} */ range) => (range ? `${header.text(column, range[0])} … ${header.text(column, range[1])}` : "none");
    const table = h("table", {}, h("thead", {}, h("tr", {}, ...["class", "if it leads", "if another leads"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...all.map(({ c, assigned, other }) => h("tr", {}, h("th", { scope: "row" }, cut(header.classNames[c], 30)), h("td", {}, text(assigned)), h("td", {}, text(other))))));
    const told = [
      isMissing ? "The instance has no value here." : `▲ the instance, ${header.text(column, value)}.`,
      hasIntervals ? "Thick: the interval of a class when it leads; thin: when another leads." : "",
      all.some(({ bins }) => bins) ? "" : "The model keeps no training data, so there are intervals, but no densities; wekaconf show -t draws them.",
      all.length > MOST_CLASSES ? `${all.length - MOST_CLASSES} more classes are not drawn.` : "",
    ];
    return [h("figure", {}, picture, h("figcaption", {}, told.filter(Boolean).join(" "))), ...(hasIntervals ? [h("details", {}, h("summary", {}, "The intervals as numbers"), table)] : [])];
  }
}

/**
 * @param {[number, number] | null} range
 * @param {(at: number) => number} x
 * @param {number} y
 * @param {string} name
 * @param {number} c
 */
function interval(range, x, y, name, c) {
  if (!range) return [];
  const [from, to] = range.map(x);
  return [s("line", { class: name, x1: from - (to - from < 2 ? 1.5 : 0), x2: to + (to - from < 2 ? 1.5 : 0), y1: y, y2: y, stroke: colourOf(c) })];
}
