/**
 * What the method and the plain tree answer, side by side, and how that came about.
 */

import { classBar } from "../shapes.js";
import { $, colourOf, cut, h, s, swatch } from "../dom.js";
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
 * @property {string} title of the steps
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
    const { proba, plain, certainty, actual, isRejected, explained, title, note, members } = shown;
    const predicted = mostProbable(proba);
    const isKnown = actual >= 0;
    const actualName = header.classNames[actual];
    $("predicted").replaceChildren(swatch(predicted), cut(header.classNames[predicted], 60));
    const isRight = actual === predicted;
    $("verdict").replaceChildren(
      h("span", {}, `certainty ${short(certainty)}`),
      ...(isRejected === null ? [] : [isRejected ? tag("rejected", "rejected") : tag("", "answered")]),
      ...(isKnown ? [isRight ? tag("right", "✓ correct") : tag("wrong", `✗ the class is ${cut(actualName, 40)}`)] : []),
    );
    $("note").textContent = note;
    $("note").hidden = !note;
    this.#table(proba, plain, certainty, predicted);
    $("counterfactual").hidden = !explained.counterfactual;
    $("counterfactual-text").textContent = explained.counterfactual?.text ?? "";
    this.#members(members);
    $("steps-title").textContent = title;
    $("steps").replaceChildren(
      ...explained.steps.map(({ node, text }) => {
        const look = { type: "button", class: "step", onclick: () => this.select(node) };
        return h("li", {}, node < 0 ? text : h("button", look, cut(text, 400)));
      }),
    );
  }

  /**
   * How the trees of a forest agree.
   * @param {number[]} members what each predicts
   */
  #members(members) {
    $("members").hidden = members.length < 2;
    const votes = new Float64Array(this.header.nClasses);
    for (const c of members) votes[c] += 1;
    const most = [...votes.keys()].filter((c) => votes[c]).sort((a, b) => votes[b] - votes[a]);
    const told = most.slice(0, MOST_CLASSES).map((c) => {
      return `${votes[c]} of ${members.length} trees say ${cut(this.header.classNames[c], 40)}`;
    });
    $("members-text").textContent = told.join(", ");
    $("members-bar").replaceChildren(classBar(votes));
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
    const rows = told.map((c) =>
      h(
        "tr",
        { class: c === predicted ? "leading" : null },
        h("th", { scope: "row", title: header.classNames[c] }, swatch(c), cut(header.classNames[c], 30)),
        isPlain ? null : measure(proba[c], c),
        measure(plain[c], c),
      ),
    );
    const [ours, theirs] = [proba, plain].map((each) => Math.max(0, ...Array.from(each)));
    $("probabilities").replaceChildren(
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "class"),
          isPlain ? null : h("th", { scope: "col", title: method.label }, method.name.replaceAll("_", "_\u200b")),
          h("th", { scope: "col" }, isPlain ? "leaf_frequency" : "plain tree"),
        ),
      ),
      h("tbody", {}, ...rows),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "row" }, "certainty"),
          isPlain ? null : h("td", {}, short(method.certainty.is_probability ? ours : certainty)),
          h("td", {}, short(theirs)),
        ),
      ),
    );
    $("all-classes").hidden = k <= MOST_CLASSES;
    $("all-classes").textContent = this.isWhole
      ? `Show the ${MOST_CLASSES} most probable classes`
      : `Show all ${k} classes`;
  }
}

/** @param {number} certainty */
function short(certainty) {
  return written(Number(certainty.toPrecision(4)));
}

/**
 * @param {number} p
 * @param {number} c
 */
function measure(p, c) {
  return h(
    "td",
    {},
    s(
      "svg",
      { class: "measure", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "track", width: 100, height: 10 }),
      s("rect", { width: 100 * Math.min(Math.max(p, 0), 1), height: 10, fill: colourOf(c) }),
    ),
    h("span", {}, share(p)),
  );
}

/**
 * @param {string} kind
 * @param {string} text
 */
function tag(kind, text) {
  return h("span", { class: `tag ${kind}` }, text);
}
