/**
 * What the method and the plain tree answer, side by side, and how that came about.
 */

import { classBar } from "../shapes.js";
import { colourOf, greySwatch, swatch } from "../colours.js";
import { $, cut, h, s } from "../dom.js";
import { apart, mostProbable, percent, probability, sumOf } from "../numbers.js";
import { opinionsTable } from "./opinions.js";
import { certaintyScale } from "./scale.js";

/** @typedef {import("../model.js").Explained} Explained */
/** @typedef {import("../header.js").Header} Header */

/** The largest number of classes that are all listed, and of leading ones among more. */
const MOST_LISTED = 8;
const MOST_LEADING = 5;
/** The largest number of parts of an instance that are told. */
const MOST_PARTS = 12;
/** Of many classes those less probable are not listed. */
const LEAST = 0.0005;

/**
 * @typedef {object} Shown
 * @property {ArrayLike<number>} proba
 * @property {number} predicted
 * @property {number} certainty
 * @property {ArrayLike<number>} plain
 * @property {number[]} order of the classes, the likeliest first
 * @property {number} actual
 * @property {boolean | null} isRejected null: the method did not answer
 * @property {number | null} threshold null: nothing is rejected
 * @property {number} most the largest certainty that is known
 * @property {string} promised in a sentence; empty: nothing is
 * @property {Explained} explained
 * @property {string} title of the steps
 * @property {string} note
 * @property {number[]} members
 */

export class AnswerView {
  /**
   * @param {Header} header
   * @param {{name: string, shown: string, label: string, certainty: {high: number, meaning: string, is_probability: boolean}}} method
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
    const { predicted, certainty, actual, isRejected, explained, title, note, members } = shown;
    const actualName = header.classNames[actual];
    $("verdict").replaceChildren(
      ...(isRejected === null ? [] : [isRejected ? tag("rejected", "rejected") : tag("answered", "answered")]),
      isRejected ? "refer to a human" : "",
      ...(actual < 0
        ? []
        : [actual === predicted ? tag("right", "✓ correct") : tag("wrong", `✗ the class is ${cut(actualName, 40)}`)]),
    );
    $("predicted").replaceChildren(swatch(predicted), cut(header.classNames[predicted], 60));
    $("probability").textContent = this.#probability(shown);
    $("certainty").textContent = certaintyText(certainty, shown.threshold, isRejected);
    $("scale").replaceChildren(
      ...(isRejected === null ? [] : [certaintyScale(certainty, shown.threshold, shown.most)]),
    );
    $("promised").textContent = shown.promised;
    $("promised").hidden = !shown.promised;
    $("note").textContent = note;
    $("note").hidden = !note;
    this.#table(shown);
    $("counterfactual").hidden = !explained.counterfactual;
    $("counterfactual-text").textContent = explained.counterfactual?.text ?? "";
    this.#members(members);
    const { opinions } = explained;
    $("opinions").hidden = !opinions;
    const border = this.#border(shown.threshold);
    $("opinions-table").replaceChildren(...(opinions ? [opinionsTable(opinions, header.classNames, border)] : []));
    $("steps-title").textContent = title;
    this.#steps(explained);
  }

  /**
   * The way to the answer; of an instance that missing values divide that of the largest part, and the others folded.
   * @param {Explained} explained
   */
  #steps({ steps, shares }) {
    const of = (/** @type {number} */ wanted) =>
      steps
        .filter(({ part = 0 }) => part === wanted)
        .map(({ node, text, title = null }) => {
          const look = { type: "button", class: "step", title, onclick: () => this.select(node) };
          return h("li", {}, node < 0 ? text : h("button", look, cut(text, 400)));
        });
    $("steps").replaceChildren(...of(0));
    const others = shares.slice(1, MOST_PARTS);
    const rest = percent(sumOf(shares.slice(1)), { decimals: 0 });
    const [nOthers, nMore] = [shares.length - 1, shares.length - 1 - others.length];
    $("parts").hidden = !others.length;
    $("parts-title").textContent = `The other ${rest} of the row: ${nOthers} more ${nOthers === 1 ? "leaf" : "leaves"}`;
    $("parts-list").replaceChildren(
      ...others.map((share, i) => h("li", {}, percent(share, { decimals: 0 }), h("ul", {}, ...of(i + 1)))),
      nMore > 0 ? h("li", {}, `and ${nMore} smaller parts`) : "",
    );
  }

  /**
   * The threshold, where the certainty is the probability of the answer; else NaN.
   * @param {number | null} threshold
   */
  #border(threshold) {
    return this.method.certainty.is_probability ? (threshold ?? NaN) : NaN;
  }

  /**
   * The probability of the answer; where costs or the tree chose it against a more probable class, that one, too.
   * @param {Shown} shown
   */
  #probability({ proba, predicted, threshold }) {
    const likeliest = mostProbable(proba);
    const beside = probability(proba[likeliest]);
    return (
      probability(proba[predicted], this.#border(threshold)) +
      (likeliest === predicted ? "" : `, ${cut(this.header.classNames[likeliest], 60)} ${beside}`)
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
    const told = most.slice(0, MOST_LISTED).map((c) => {
      return `${votes[c]} of ${members.length} trees say ${cut(this.header.classNames[c], 40)}`;
    });
    $("members-text").textContent = told.join(", ");
    $("members-bar").replaceChildren(classBar(votes));
  }

  /**
   * @param {Shown} shown
   */
  #table({ proba, predicted, plain, certainty, order, threshold, isRejected }) {
    const { header, method } = this;
    const border = isRejected === null ? NaN : this.#border(threshold);
    const k = header.nClasses;
    const isShown = (/** @type {number} */ c) => c === predicted || proba[c] >= LEAST || plain[c] >= LEAST;
    const most = order.slice(0, MOST_LEADING).filter(isShown);
    if (!most.includes(mostProbable(plain))) most.splice(MOST_LEADING - 1, 1, mostProbable(plain));
    const told = k <= MOST_LISTED ? [...order].sort((a, b) => a - b) : this.isWhole ? order : most;
    const others = order.filter((c) => !told.includes(c));
    const isPlain = method.name === "leaf_frequency" && method.label === "leaf_frequency";
    const rows = told.map((c) =>
      h(
        "tr",
        { class: c === predicted ? "leading" : null },
        h("th", { scope: "row", title: header.classNames[c] }, swatch(c), cut(header.classNames[c], 40)),
        isPlain ? null : measure(proba[c], colourOf(c), border),
        measure(plain[c], colourOf(c), isPlain ? border : NaN),
      ),
    );
    if (others.length) {
      const [rest, ofPlain] = [proba, plain].map((each) => sumOf(others.map((c) => each[c])));
      const named = h("th", { scope: "row" }, greySwatch(), `${others.length} others`);
      rows.push(h("tr", {}, named, isPlain ? null : measure(rest, "var(--rest)"), measure(ofPlain, "var(--rest)")));
    }
    $("probabilities").replaceChildren(
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "class"),
          isPlain ? null : h("th", { scope: "col", title: method.label }, method.shown),
          h("th", { scope: "col" }, isPlain ? method.shown : "plain tree"),
        ),
      ),
      h("tbody", {}, ...rows),
    );
    $("probabilities-text").textContent = isPlain
      ? "The shares of the classes among the training rows of the leaf."
      : `From ${method.shown}, and from the plain tree.`;
    $("all-classes").hidden = k <= MOST_LISTED;
    $("all-classes").textContent = this.isWhole ? "Show the most probable classes" : `Show all ${k} classes`;
  }
}

/**
 * The certainty against the threshold, in a sentence.
 * @param {number} certainty
 * @param {number | null} threshold
 * @param {boolean | null} isRejected null: it is not the method's
 */
function certaintyText(certainty, threshold, isRejected) {
  const [own, limit] = apart(certainty, threshold ?? -Infinity);
  if (isRejected === null) return `The certainty ${own} is that of the plain tree.`;
  if (isRejected) {
    const why = threshold === Infinity ? "is not enough: none is" : `is below the threshold ${limit}`;
    return `would be the answer, but its certainty ${own} ${why}.`;
  }
  return threshold === null || threshold === -Infinity
    ? `The certainty ${own} is enough, since nothing is rejected.`
    : `The certainty ${own} reaches the threshold ${limit}.`;
}

/**
 * @param {number} p
 * @param {string} fill
 * @param {number} [border] see `percent`
 */
function measure(p, fill, border) {
  return h(
    "td",
    {},
    s(
      "svg",
      { class: "measure", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "track", width: 100, height: 10 }),
      s("rect", { width: 100 * Math.min(Math.max(p, 0), 1), height: 10, fill }),
    ),
    h("span", {}, probability(p, border)),
  );
}

/**
 * @param {string} kind
 * @param {string} text
 */
function tag(kind, text) {
  return h("span", { class: `tag ${kind}` }, text);
}
