/**
 * The page of a model: the tree, an instance on its way down, and what the method says.
 */

import { attachControls } from "./controls.js";
import { colourLeading, greySwatch, patterns, swatch } from "./colours.js";
import { $, cut, h } from "./dom.js";
import { costSentence } from "./decision.js";
import { Drawing } from "./drawing.js";
import { Model } from "./model.js";
import { NOT_SEEN, outsideText } from "./outside.js";
import { AnswerView } from "./views/answer.js";
import { InstanceForm } from "./views/instance.js";
import { NodeView } from "./views/node.js";
import { Outline } from "./views/outline.js";
import { RejectingView } from "./views/rejecting.js";

export class Page {
  /**
   * @param {any} content see `wekaconf.report._model_page.gathering`
   */
  constructor(content) {
    this.content = content;
    this.model = new Model(content);
    const { header, routers, methods } = this.model;
    const { rows, method } = content;
    $("patterns").replaceChildren(...patterns(header.nClasses));
    /** The number of the tree that is drawn. */
    this.index = 0;
    /** @type {Float64Array} */
    this.values = new Float64Array(header.attributes.length).fill(NaN);
    /** The number of the row that is shown; −1: none of the page's. */
    this.row = -1;
    const select = (/** @type {number} */ node) => this.choose(node);
    const changed = () => this.say(this.drawing.selected);
    this.drawing = new Drawing($("tree"), header, routers[0], $("marks-legend"), { select, changed });
    this.outline = new Outline($("outline-list"), this.drawing);
    this.nodeView = new NodeView(header, content.histograms, methods, method.learned);
    this.answerView = new AnswerView(header, { ...method, label: content.label }, select);
    this.rejecting = new RejectingView(content.rejecting, header.classNames, () => this.answer());
    const opinionsRead = Boolean(method.opinions?.sides.some((/** @type {any} */ { start }) => start));
    this.form = new InstanceForm(header, rows, this.model.tested(), opinionsRead, (values, row) => {
      [this.values, this.row] = [values, row];
      this.answer(row >= 0);
    });
    attachControls(this);
    this.#printAll();
    this.drawing.show(this.router);
    this.outline.show();
    if (rows && rows.names.length) this.form.take(0);
    else this.form.type(content.start ?? this.values);
    this.answer(true);
  }

  /** Unfold everything on paper, and fold it again after. */
  #printAll() {
    /** @type {HTMLDetailsElement[]} */
    let folded = [];
    addEventListener("beforeprint", () => {
      folded = [
        .../** @type {NodeListOf<HTMLDetailsElement>} */ (
          document.querySelectorAll("details:is(.part, #parts):not([open])")
        ),
      ];
      for (const part of folded) part.open = true;
      this.drawing.print();
    });
    addEventListener("afterprint", () => {
      for (const part of folded) part.open = false;
    });
  }

  get router() {
    return this.model.routers[this.index];
  }

  /**
   * The values of one of the page's rows.
   * @param {number} row
   * @returns {Float64Array}
   */
  valuesOf(row) {
    const n = this.model.header.attributes.length;
    return this.content.rows.values.subarray(row * n, row * n + n);
  }

  /** The certainties of all rows. */
  certainties() {
    return this.answerRows().map(({ certainty }) => certainty);
  }

  /**
   * What the method answers for all rows.
   * @returns {{proba: Float64Array, certainty: number, predicted: number}[]}
   */
  answerRows() {
    return this.content.rows.names.map((/** @type {string} */ _, /** @type {number} */ row) =>
      this.model.isComputed ? this.model.answer(this.valuesOf(row)) : this.#pythonAnswer(row),
    );
  }

  /**
   * What Python answered for a row, of a method that the page does not compute.
   * @param {number} row
   */
  #pythonAnswer(row) {
    const { proba, certainty, predicted } = this.content.rows;
    const k = this.model.header.nClasses;
    return { proba: proba.subarray(row * k, row * k + k), certainty: certainty[row], predicted: predicted[row] };
  }

  /**
   * Draw another tree of the forest.
   * @param {number} index
   */
  take(index) {
    this.index = index;
    this.drawing.show(this.router);
    this.outline.show();
    this.answer(true);
  }

  /**
   * Answer for the instance, and show it everywhere.
   * @param {boolean} [isNew] whether the node where it ends becomes the chosen one
   */
  answer(isNew = false) {
    const { model, content, values, row } = this;
    const { rows, method } = content;
    const own = model.answer(values);
    const isPythons = !model.isComputed && row >= 0;
    const { proba, certainty, predicted } = isPythons ? this.#pythonAnswer(row) : own;
    const explained = own.explain(this.index);
    const plain = model.plain(values);
    const isKnown = model.isComputed || isPythons;
    const order = this.#leadingFirst(proba, plain);
    this.#colour(order);
    const isRejected = isKnown ? this.rejecting.rejects(certainty, predicted) : null;
    const promised = isKnown && row >= 0 && !isRejected ? this.rejecting.promised(predicted) : "";
    this.rejecting.show(isKnown ? certainty : NaN, promised !== "");
    this.answerView.show({
      proba,
      predicted,
      certainty,
      plain,
      order,
      explained: { ...explained, steps: withUnseen(explained.steps, model.header, this.form?.unseen) },
      title: this.#stepsTitle(),
      note: [
        model.isComputed
          ? ""
          : pythonNote(method, isPythons ? rows.names[row] : "", isPythons ? rows.reasons[row] : ""),
        isKnown && model.decision ? costSentence(model.decision, proba, predicted, model.header.classNames) : "",
        this.outside(values, row, this.form?.unseen),
      ]
        .filter(Boolean)
        .join(" "),
      actual: row >= 0 ? rows.actual[row] : -1,
      isRejected,
      threshold: this.rejecting.thresholdOf(predicted),
      most: Number.isFinite(method.certainty.high) ? method.certainty.high : this.rejecting.most,
      promised,
      members: model.votes === null ? [] : model.members(values),
    });
    const end = this.end();
    this.drawing.light(explained.marks, end < 0 ? [] : this.router.nodesTo(end), isNew);
    this.#showNode(end);
    this.outline.mark();
    this.say(this.drawing.selected);
  }

  /**
   * The classes that the answer, then the plain tree, then the training data find likely, the likeliest first.
   * @param {ArrayLike<number>} proba
   * @param {ArrayLike<number>} plain
   */
  #leadingFirst(proba, plain) {
    const { class_weight: weight } = this.router.tree;
    const order = Array.from({ length: this.model.header.nClasses }, (_, c) => c);
    return order.sort((a, b) => proba[b] - proba[a] || plain[b] - plain[a] || weight[b] - weight[a] || a - b);
  }

  /** @param {number[]} order of the classes */
  #colour(order) {
    const { classNames } = this.model.header;
    const coloured = colourLeading(order);
    const nOthers = order.length - coloured.length;
    $("class-legend").replaceChildren(
      ...coloured.map((c) => h("li", {}, swatch(c), cut(classNames[c], 40))),
      nOthers ? h("li", {}, greySwatch(), `${nOthers} other classes`) : "",
    );
  }

  /**
   * What of the values lies beyond the training data; empty if nothing does, or the model keeps no summary.
   * @param {Float64Array} values
   * @param {number} [row] of the page that has them, of which Python has said it where the page cannot; −1: none
   * @param {Map<number, string>} [unseen] see `outsideText`
   */
  outside(values, row = -1, unseen = new Map()) {
    const { summary, rows } = this.content;
    /** @type {[number, string][]} */
    const told = rows?.outside ?? [];
    const text = summary
      ? outsideText(this.model.header, summary, values, unseen)
      : (told.find(([at]) => at === row)?.[1] ?? "");
    return text && `Outside the training data: ${text}.`;
  }

  /** Whose way to an answer is told: that of the method, of one tree of a forest, or of the plain tree. */
  #stepsTitle() {
    const { model } = this;
    const of = model.routers.length > 1 ? ` in tree ${this.index + 1} of ${model.routers.length}` : "";
    return model.isComputed ? `How it came about${of}` : `How the plain tree answers${of}`;
  }

  /** The node where most of the instance stops; −1 if it stops nowhere. */
  end() {
    const parts = this.router.paths(this.values);
    return parts.length ? parts.reduce((best, part) => (part.share > best.share ? part : best)).node : -1;
  }

  /**
   * Choose a node.
   * @param {number} node
   */
  choose(node) {
    this.drawing.choose(node);
    this.#showNode(this.end());
    this.say(node);
  }

  /** @param {number} end the node where the instance stops; −1: there is none */
  #showNode(end) {
    const { selected, marks } = this.drawing;
    const isOnWay = marks.get(selected)?.line === "path";
    this.nodeView.show(this.router, this.index, selected, this.values, end, isOnWay);
  }

  /** @param {number} node */
  say(node) {
    $("said").textContent = this.drawing.toldWithWay(node);
  }
}

/**
 * Steps with values that training did not have, by column, in the place of "missing".
 * @param {import("./model.js").Explained["steps"]} steps
 * @param {import("./header.js").Header} header
 * @param {Map<number, string>} [unseen]
 */
function withUnseen(steps, header, unseen = new Map()) {
  return steps.map((step) => {
    for (const [column, text] of unseen) {
      const { name } = header.attributes[column];
      const lacks = `${name} is missing`;
      if (step.text.startsWith(lacks))
        return { ...step, text: `${name} is ${text}, ${NOT_SEEN}${step.text.slice(lacks.length)}` };
    }
    return step;
  });
}

/**
 * Why the page does not compute what a method answers, and whose answer it shows.
 * @param {{shown: string, lacks: string}} method
 * @param {string} row that is shown; empty: typed values
 * @param {string} reason what Python said of the instance
 */
function pythonNote({ shown, lacks }, row, reason) {
  const whose = row
    ? `this is what wekaconf answered for ${row}: ${reason}.`
    : `you see the plain tree's answer; what-if answers of ${shown} need Python: wekaconf predict MODEL FILE.`;
  return `${shown} ${lacks}; ${whose}`;
}
