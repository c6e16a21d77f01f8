/**
 * What the method and the plain tree answer, side by side, and how that came about.
 */

import { bars } from "../shapes.js";
import { $, colourOf, cut, h, s } from "../dom.js";
import { mostProbable, share, written } from "../numbers.js";

/** @typedef {import("../model.js").Explained} Explained */
/** @typedef {import("../header.js").Header} Header */

const MOST_CLASSES = 8;

/**
 * @typedef {object} Shown
 * @property {ArrayLike<number>} proba
 * @property {number} certainty
 * @property {ArrayLike<number>} plain
 * @property {number} actual
 * @property {boolean | null} isRejected
 * @property {Explained} explained
 * @property {string} note
 * @property {number[]} members
 */

export class AnswerView {
  /**
   * @param {Header} header
   * @param {{name: string, label: string, certainty: {high: number, meaning: string, is_probability: boolean}}} method
   * @param {(node: number) => void} select
   */
  constructor(header, method, select) {
    this.header = header;
    this.method = method;
    this.select = select;
    this.isWhole = false;
  }

  /** @param {Shown} shown */
  show(shown) {
    const { header } = this;
    const { proba, plain, certainty, actual, isRejected, explained, note, members } = shown;
    const predicted = mostProbable(proba);
    const isKnown = actual >= 0;
    $("predicted").replaceChildren(swatch(predicted), cut(header.classNames[predicted], 60));
    $("verdict").replaceChildren(h("span", {}, `certainty ${short(certainty)}`));
    if (isRejected !== null) $("verdict").append(h("span", { class: isRejected ? "tag rejected" : "tag" }, isRejected ? "rejected" : "answered"));
    if (isKnown) $("verdict").append(h("span", { class: actual === predicted ? "tag right" : "tag wrong" }, actual === predicted ? "✓ correct" : `✗ is ${cut(header.classNames[actual], 40)}`));
    $("note").textContent = note;
    $("note").hidden = !note;
    this.#table(proba, plain, certainty, predicted);
    $("counterfactual").hidden = !explained.counterfactual;
    $("counterfactual-text").textContent = explained.counterfactual?.text ?? "";
    $("members").hidden = members.length < 2;
    if (members.length > 1) {
      const votes = new Float64Array(header.nClasses);
      for (const c of members) votes[c] += 1;
      $("members-text").textContent = [...votes.keys()].filter((c) => votes[c]).sort((a, b) => votes[b] - votes[a])
        .slice(0, 6).map((c) => `${votes[c]} of ${members.length} trees say ${cut(header.classNames[c], 40)}`).join(", ");
      $("members-bar").replaceChildren(...bars(votes, 300).map(({ c, from, width }) => s("rect", { x: from, y: 0, width, height: 12, fill: colourOf(c) })));
    }
    $("steps").replaceChildren(...explained.steps.map(({ node, text }) =>
      h("li", {}, node < 0 ? text : h("button", { type: "button", class: "step", onclick: () => this.select(node) }, cut(text, 400)))));
  }

  /**
   * @param {ArrayLike<number>} proba
   * @param {ArrayLike<number>} plain
   * @param {number} certainty
   * @param {number} predicted
   */
  #table(proba, plain, certainty, predicted) {
    const { header, method } = this;
    const k = header.nClasses;
    const order = Array.from({ length: k }, (_, c) => c);
    if (k > MOST_CLASSES) order.sort((a, b) => proba[b] - proba[a] || plain[b] - plain[a] || a - b);
    const told = this.isWhole ? order : order.slice(0, MOST_CLASSES);
    if (!told.includes(mostProbable(plain))) told[MOST_CLASSES - 1] = mostProbable(plain);
    const isPlain = method.name === "leaf_frequency" && method.label === "leaf_frequency";
    const rows = told.map((c) => h("tr", { class: c === predicted ? "leading" : null },
      h("th", { scope: "row", title: header.classNames[c] }, swatch(c), cut(header.classNames[c], 30)),
      isPlain ? null : measure(proba[c], c), measure(plain[c], c)));
    const [ours, theirs] = [proba, plain].map((each) => Math.max(0, ...Array.from(each)));
    $("probabilities").replaceChildren(
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "class"), isPlain ? null : h("th", { scope: "col", title: method.label }, method.name), h("th", { scope: "col" }, isPlain ? "leaf_frequency" : "plain tree"))),
      h("tbody", {}, ...rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "certainty"), isPlain ? null : h("td", {}, short(method.certainty.is_probability ? ours : certainty)), h("td", {}, short(theirs)))),
    );
    $("all-classes").hidden = k <= MOST_CLASSES;
    $("all-classes").textContent = this.isWhole ? `Show the ${MOST_CLASSES} most probable classes` : `Show all ${k} classes`;
  }
}

/** @param {number} certainty */
function short(certainty) {
  return written(Number(certainty.toPrecision(4)));
}

/** @param {number} c */
export function swatch(c) {
  return s("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { width: 10, height: 10, rx: 2, fill: colourOf(c) }));
}

/**
 * @param {number} p
 * @param {number} c
 */
function measure(p, c) {
  return h("td", {}, s("svg", { class: "measure", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "track", width: 100, height: 10 }), s("rect", { width: 100 * Math.min(Math.max(p, 0), 1), height: 10, fill: colourOf(c) })), h("span", {}, share(p)));
}
