/**
 * The page of a model: the tree, an instance on its way down, and what the method says.
 */

import { $, cut, h, patterns } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Model } from "./model.js";
import { mostProbable } from "./numbers.js";
import { search } from "./search.js";
import { unpack } from "./unpack.js";
import { AnswerView, swatch } from "./views/answer.js";
import { InstanceForm } from "./views/instance.js";
import { NodeView } from "./views/node.js";
import { Outline } from "./views/outline.js";
import { RejectingView } from "./views/rejecting.js";

async function start() {
  const content = await unpack($("content").textContent);
  const model = new Model(content);
  const { header } = model;
  const { rows, method } = content;
  document.body.prepend(patterns(header.nClasses));
  let index = 0;
  /** @type {Float64Array} */
  let values;
  let row = -1;

  const drawing = new Drawing($("tree"), header, model.routers[0], { select: choose, changed: () => say(drawing.selected) });
  const outline = new Outline($("outline-list"), drawing);
  const nodeView = new NodeView(header, content.histograms, model.methods, method.learned);
  const answerView = new AnswerView(header, { name: method.name, label: content.label, certainty: method.certainty }, choose);
  const rejecting = new RejectingView(content.rejecting, answer);
  const form = new InstanceForm(header, rows, testedIn(model), (typed, of) => {
    [values, row] = [typed, of];
    answer();
  });

  /** Answer for the instance, and show it everywhere. */
  function answer() {
    if (!values) return;
    const own = model.answer(values);
    const plain = model.plain(values);
    const k = header.nClasses;
    const isPythons = !model.isComputed && row >= 0 && rows.proba;
    const proba = isPythons ? rows.proba.subarray(row * k, row * k + k) : own.proba;
    const certainty = isPythons ? rows.certainty[row] : own.certainty;
    const explained = own.explain(index);
    let note = "";
    if (!model.isComputed) {
      note = isPythons
        ? `${method.name} grows trees for each instance, which a page cannot; this is what wekaconf answered for this one: ${rows.reasons[row]}.`
        : `${method.name} grows trees for each instance, which a page cannot; what you see is the plain tree's answer.`;
    }
    answerView.show({
      proba, certainty, plain, note, explained,
      actual: row >= 0 ? rows.actual[row] : -1,
      isRejected: model.isComputed || isPythons ? rejecting.rejects(certainty) : null,
      members: model.votes === null ? [] : model.members(values),
    });
    const ends = model.routers[index].paths(values).sort((a, b) => b.share - a.share);
    drawing.light(explained.marks, ends.length ? model.routers[index].nodesTo(ends[0].node) : []);
    nodeView.show(model.routers[index], index, drawing.selected, values);
    outline.mark();
  }

  /**
   * Choose a node.
   * @param {number} node
   */
  function choose(node) {
    drawing.choose(node);
    nodeView.show(model.routers[index], index, node, values);
    say(node);
  }

  /** @param {number} node */
  function say(node) {
    $("said").textContent = drawing.told(node);
  }

  // -- the tree --

  $("trees").hidden = model.routers.length < 2;
  if (model.routers.length > 1) {
    $("member").append(...model.routers.map((_, i) => h("option", { value: i }, `tree ${i + 1} of ${model.routers.length}`)));
    $("member").addEventListener("change", () => {
      index = Number($("member").value);
      drawing.show(model.routers[index]);
      find();
      outline.show();
      answer();
    });
  }
  for (const [id, act] of /** @type {[string, () => void][]} */ ([
    ["expand", () => drawing.expandAll()], ["collapse", () => drawing.collapseAll()], ["fit", () => drawing.fit()],
    ["closer", () => drawing.magnify(1.4)], ["farther", () => drawing.magnify(1 / 1.4)],
  ])) $(id).addEventListener("click", act);
  $("tree").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "ArrowUp" || key === "ArrowDown" || key === "ArrowLeft" || key === "ArrowRight") choose(drawing.neighbour(key));
    else if (key === "Home") choose(0);
    else if (key === "End") {
      const [end] = model.routers[index].paths(values).sort((a, b) => b.share - a.share);
      if (end) choose(end.node);
    } else if (key === "Enter" || key === " ") drawing.toggle(drawing.selected);
    else if (key === "+" || key === "=") drawing.magnify(1.4);
    else if (key === "-") drawing.magnify(1 / 1.4);
    else if (key === "0") drawing.fit();
    else return;
    event.preventDefault();
  });

  // -- search --

  /** @type {number[]} */
  let found = [];
  let place = -1;
  function find() {
    found = search(model.routers[index], header, $("search").value);
    place = -1;
    drawing.found = new Set(found);
    $("next-found").disabled = !found.length;
    $("found").textContent = $("search").value.trim() ? `${found.length} node${found.length === 1 ? "" : "s"}` : "";
    drawing.choose(drawing.selected, false);
  }
  /** @param {number} by */
  function goTo(by) {
    if (!found.length) return;
    place = (place + by + found.length) % found.length;
    choose(found[place]);
    $("found").textContent = `${place + 1} of ${found.length}`;
  }
  $("search").addEventListener("input", find);
  $("search").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    goTo(event.shiftKey ? -1 : 1);
  });
  $("next-found").addEventListener("click", () => goTo(1));

  // -- rows --

  $("all-classes").addEventListener("click", () => {
    answerView.isWhole = !answerView.isWhole;
    answer();
  });
  const nAttributes = header.attributes.length;
  const valuesOf = (/** @type {number} */ i) => rows.values.subarray(i * nAttributes, i * nAttributes + nAttributes);
  $("by-certainty").addEventListener("change", () => {
    const order = [...rows.names.keys()];
    if ($("by-certainty").checked) {
      const certainty = model.isComputed ? order.map((i) => model.answer(valuesOf(i)).certainty) : rows.certainty;
      order.sort((a, b) => certainty[a] - certainty[b] || a - b);
    }
    form.order(order);
    if ($("by-certainty").checked) form.take(order[0]);
  });

  $("class-legend").replaceChildren(...header.classNames.slice(0, 26).map((name, c) => h("li", {}, swatch(c), cut(name, 30))),
    ...(header.nClasses > 26 ? [h("li", {}, `${header.nClasses - 26} more`)] : []));
  addEventListener("beforeprint", () => drawing.fit());
  for (const element of document.querySelectorAll(".with-script")) /** @type {any} */ (element).hidden = false;
  $("without-script").hidden = true;
  drawing.show(model.routers[0]);
  outline.show();
  if (rows && rows.names.length) form.take(0);
  else form.type(content.start ?? new Float64Array(header.attributes.length).fill(NaN));
  say(0);

  // For scripts: what the page answers for values, or for its own instances.
  Object.assign(globalThis, {
    wekaconf: {
      model, drawing,
      /** @param {number[]} typed */
      answer: (typed) => told(model.answer(Float64Array.from(typed))),
      answerRows: () => rows.names.map((/** @type {string} */ _, /** @type {number} */ i) => told(model.answer(valuesOf(i)))),
    },
  });
  document.documentElement.dataset.ready = "yes";
}

/** @param {import("./model.js").Answer} answer */
function told({ proba, certainty }) {
  return { proba: Array.from(proba), certainty, predicted: mostProbable(proba) };
}

/**
 * The attributes that the trees test, the highest first.
 * @param {Model} model
 */
function testedIn({ routers }) {
  /** @type {Map<number, number>} */
  const highest = new Map();
  for (const { tree, depth } of routers) {
    for (let node = 0; node < tree.n_nodes; node++) {
      const column = tree.split_attribute[node];
      if (column >= 0) highest.set(column, Math.min(highest.get(column) ?? Infinity, depth[node]));
    }
  }
  return [...highest.keys()].sort((a, b) => Number(highest.get(a)) - Number(highest.get(b)) || a - b);
}

start().catch((error) => {
  document.documentElement.dataset.failed = "yes";
  $("without-script").hidden = false;
  $("without-script").textContent = `The page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  throw error;
});
