/**
 * The threshold below which answers are rejected, and what it costs.
 */

import { scaleLinear } from "d3-scale";
import { swatch } from "../colours.js";
import { $, cut, h, s, table } from "../dom.js";
import { apart, percent, withMark } from "../numbers.js";
import { costText, highestShown, promiseMarks, promiseSource, promiseText } from "./promise.js";

/**
 * @typedef {object} Rejecting
 * @property {number | null} threshold the model's own
 * @property {string} aim
 * @property {"" | "out-of-fold" | "rows" | "calibration"} source of the figures
 * @property {Float64Array} thresholds of the places of the slider, descending
 * @property {Float64Array} accepted
 * @property {Float64Array} wrong
 * @property {Float64Array} class_accepted of each class at each place; empty: unknown
 * @property {Float64Array} class_wrong
 * @property {string[]} [promised] what is promised of the answers of each class at the model's own threshold, in sentences
 * @property {import("./promise.js").Promised} [promise]
 * @property {import("./promise.js").CostBounds} [cost]
 */

const WIDTH = 300,
  HEIGHT = 130,
  LEFT = 40,
  BOTTOM = 26,
  TOP = 18,
  RIGHT = 8;
const MOST_CLASSES = 12;
/** Where curves begin, and how many places of the slider they show as dots; see `plot_risk_coverage` in Python. */
const LEAST_COVERAGE = 0.05,
  MOST_DOTS = 40;
/** Into so many lines a curve is divided between two places of the slider. */
const LINES = 8;
/** How the figures of a threshold are written, here and by the command line. */
const COVERAGE = { decimals: 1 },
  ERROR = { decimals: 2 };

export class RejectingView {
  /**
   * @param {Rejecting} rejecting
   * @param {string[]} classNames
   * @param {() => void} changed
   */
  constructor(rejecting, classNames, changed) {
    this.rejecting = rejecting;
    this.classNames = classNames;
    /** Of the answer that is shown; NaN: the page does not know it. */
    this.certainty = NaN;
    const { thresholds, threshold, source, promise, cost } = rejecting;
    /** The threshold; null: nothing is rejected. @type {number | null} */
    this.threshold = threshold;
    const n = thresholds.length;
    const slider = $("threshold");
    $("slider").hidden = n === 0;
    slider.max = String(n);
    const { accepted } = rejecting;
    const sources = {
      "out-of-fold":
        "These are the model's out-of-fold figures: measured on training rows, answered by trees that had not seen them.",
      rows: "Measured on the rows of this page whose class is known; if the tree was grown on them, the figures are too good.",
      "": "What a threshold does is unknown: the model holds no out-of-fold figures, and the page no rows with known classes. A model keeps such figures if its threshold was chosen when it was saved.",
      calibration: promise
        ? promiseSource(promise)
        : `Measured on the calibration rows, which took no part in training${cost ? "; the bounds of the mean cost hold wherever you put the slider" : ""}.`,
    };
    $("source").textContent = sources[source];
    slider.addEventListener("input", () => {
      const place = n - Number(slider.value) - 1;
      this.threshold = place < 0 ? Infinity : place === n - 1 && !promise ? null : thresholds[place];
      changed();
    });
    $("own-threshold").hidden = threshold === null || n === 0;
    $("own-threshold").addEventListener("click", () => {
      this.#reset();
      changed();
    });
    if (n) this.#curve(accepted[n - 1]);
    this.#reset();
  }

  #reset() {
    const { threshold, thresholds } = this.rejecting;
    this.threshold = threshold;
    const place = thresholds.findLastIndex((at) => at >= (threshold ?? -Infinity));
    $("threshold").value = String(
      threshold === null ? 0 : threshold === Infinity ? thresholds.length : thresholds.length - 1 - place,
    );
  }

  /**
   * Whether an answer is rejected.
   * @param {number} certainty
   * @param {number} predicted
   */
  rejects(certainty, predicted) {
    const threshold = this.thresholdOf(predicted);
    return threshold !== null && (certainty < threshold || threshold === Infinity);
  }

  /**
   * The threshold of the answers of a class; null: none is rejected.
   * @param {number} predicted
   */
  thresholdOf(predicted) {
    return this.rejecting.promise?.class_thresholds?.[predicted] ?? this.threshold;
  }

  /** The largest certainty that is known; 0: none is. */
  get most() {
    return this.rejecting.thresholds.find(Number.isFinite) ?? 0;
  }

  /**
   * What is promised of the answers of a class at the model's own threshold, in a sentence; empty if nothing is, or the
   * slider is elsewhere.
   * @param {number} predicted
   */
  promised(predicted) {
    const { promised, threshold } = this.rejecting;
    return this.threshold === threshold ? (promised?.[predicted] ?? "") : "";
  }

  /** The place of the threshold; −1: everything is rejected. */
  #place() {
    const at = this.threshold ?? -Infinity;
    return at === Infinity ? -1 : this.rejecting.thresholds.findLastIndex((each) => each >= at);
  }

  /** What the threshold accepts, and how much of that is wrong. */
  figures() {
    const { accepted, wrong } = this.rejecting;
    const place = this.#place();
    const all = accepted[accepted.length - 1];
    return place < 0
      ? { coverage: 0, error: NaN }
      : { coverage: accepted[place] / all, error: wrong[place] / accepted[place] };
  }

  /**
   * What the threshold does, written so that it is on its side of the certainty of the answer that is shown.
   * @param {number} certainty
   * @param {boolean} isPromiseTold whether what is promised stands beside the answer
   */
  show(certainty, isPromiseTold) {
    this.certainty = certainty;
    $("class-figures").replaceChildren(...this.#byClass());
    const { coverage, error } = this.figures();
    const told = this.#told(isPromiseTold);
    $("figures").textContent = told;
    $("threshold").setAttribute("aria-valuetext", told);
    if (this.mark && this.x && this.y) {
      this.mark.setAttribute("cx", String(this.x(coverage)));
      this.mark.setAttribute("cy", String(Math.max(this.y(Number.isNaN(error) ? 0 : error), TOP)));
    }
  }

  /** What the threshold does to the answers of each class: a table; empty where that is unknown. */
  #byClass() {
    const { class_accepted: accepted, class_wrong: wrong } = this.rejecting;
    const { classNames } = this;
    const k = classNames.length;
    if (!accepted.length) return [];
    const [last, place] = [accepted.length - k, this.#place()];
    const at = (/** @type {Float64Array} */ counts, /** @type {number} */ c) => (place < 0 ? 0 : counts[place * k + c]);
    const order = [...classNames.keys()].sort((a, b) => accepted[last + b] - accepted[last + a] || a - b);
    const rows = order.slice(0, MOST_CLASSES).map((c) => {
      const [all, given] = [accepted[last + c], at(accepted, c)];
      const name = h("span", {}, swatch(c), cut(classNames[c], 30));
      if (!given) return [name, all ? "never answered" : "never predicted", ""];
      return [name, percent(given / all, COVERAGE), percent(at(wrong, c) / given, ERROR)];
    });
    const nMore = k - rows.length;
    const caption = `The answers of each class${nMore > 0 ? `; ${nMore} more classes are left out` : ""}`;
    return [...table(caption, ["predicted class", "answered", "of these wrong"], rows).children];
  }

  /**
   * What the threshold does, in a sentence.
   * @param {boolean} isPromiseTold
   */
  #told(isPromiseTold) {
    const { source, aim, threshold, accepted, wrong, promise, cost } = this.rejecting;
    if (promise?.class_thresholds) return "";
    const at =
      (this.threshold ?? -Infinity) === -Infinity
        ? "Nothing is rejected"
        : this.threshold === Infinity
          ? "Everything is rejected"
          : `Rejects below ${apart(Number(this.threshold), this.certainty || 0)[0]}`;
    const isOwn = this.threshold === threshold && threshold !== null;
    if (promise) {
      const place = this.#place();
      const [bound, answered, errors] = [promise.bounds, accepted, wrong].map((each) => each[place] ?? 0);
      const counts = { bound, answered, wrong: errors, n: accepted[accepted.length - 1] };
      return `${at}${isOwn ? " (the model's own)" : ""}: ${promiseText(promise, isOwn, isPromiseTold, counts)}.`;
    }
    const { coverage, error } = this.figures();
    const own = isOwn ? ` (the model's own${aim ? `: ${aim}` : ""})` : "";
    const does = coverage
      ? `answers ${percent(coverage, COVERAGE)}, and ${percent(error, ERROR)} of its answers are wrong`
      : "answers nothing";
    const bound = cost && !isOwn ? costText(cost, this.#place()) : "";
    return `${at}${own}${source ? `: ${does}` : ""}.${bound ? ` ${bound}` : ""}`;
  }

  /** @param {number} all */
  #curve(all) {
    const { accepted, wrong, promise } = this.rejecting;
    const coverage = [...accepted].map((each) => each / all),
      error = [...wrong].map((each, i) => each / accepted[i]);
    const points = curveOf(accepted, wrong);
    const highest = Math.max(...points.map(([, at]) => at), 0.01, promise ? highestShown(promise) : 0);
    this.x = scaleLinear([0, 1], [LEFT, WIDTH - RIGHT]);
    this.y = scaleLinear([0, highest], [HEIGHT - BOTTOM, TOP]).nice(3);
    const { x, y } = this;
    const reached = [...coverage.keys()].filter((i) => coverage[i] >= LEAST_COVERAGE);
    const xLabel = reached.length < coverage.length ? "answered (below 5 % not drawn)" : "answered";
    const hasDots = coverage.length <= MOST_DOTS;
    this.mark = s("circle", { class: "mark", r: 4.5 });
    $("curve").replaceChildren(
      ...[0, 0.5, 1].map((at) =>
        s(
          "text",
          { class: "tick", x: x(at), y: HEIGHT - 12, "text-anchor": at === 1 ? "end" : "middle" },
          `${100 * at} %`,
        ),
      ),
      ...y
        .ticks(3)
        .map((at) =>
          s(
            "g",
            {},
            s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(at), y2: y(at) }),
            s(
              "text",
              { class: "tick", x: LEFT - 5, y: y(at) + 3, "text-anchor": "end" },
              `${withMark(String(Number((100 * at).toFixed(2))))} %`,
            ),
          ),
        ),
      s("text", { class: "tick", x: (LEFT + WIDTH) / 2, y: HEIGHT - 1, "text-anchor": "middle" }, xLabel),
      s("text", { class: "tick", x: LEFT, y: TOP - 2 }, "wrong among the answered"),
      ...(promise ? promiseMarks(promise, coverage, error, points, this.#place(), x, y) : []),
      s("path", { class: "risk", d: `M${points.map(([c, at]) => `${x(c)},${y(at)}`).join("L")}` }),
      ...(hasDots
        ? reached.map((i) => s("circle", { class: "reached", cx: x(coverage[i]), cy: y(error[i]), r: 2 }))
        : []),
      this.mark,
    );
  }
}

/**
 * The share that is answered, and the error: at the places of the slider, and between them that of answers of equal
 * certainty in random order.
 * @param {Float64Array} accepted
 * @param {Float64Array} wrong
 * @returns {[number, number][]}
 */
function curveOf(accepted, wrong) {
  const all = accepted[accepted.length - 1];
  const begin = Math.max(accepted[0], LEAST_COVERAGE * all);
  /** @type {[number, number][]} */
  const points = [];
  let [fromAccepted, fromWrong] = [0, 0];
  for (const [i, toAccepted] of accepted.entries()) {
    for (let line = 1; line <= LINES; line++) {
      const part = line / LINES;
      const at = part === 1 ? toAccepted : fromAccepted + part * (toAccepted - fromAccepted);
      const wrongAt = fromWrong + part * (wrong[i] - fromWrong);
      if (at >= begin) points.push([at / all, wrongAt / at]);
    }
    [fromAccepted, fromWrong] = [toAccepted, wrong[i]];
  }
  return points;
}
