/**
 * A fitted method and its tree, or forest, which answer as wekaconf's Python does.
 */

import { decided } from "./decision.js";
import { Header } from "./header.js";
import { answersAtNodes, leafFrequency } from "./methods/at_nodes.js";
import { boundaryDistance } from "./methods/boundary.js";
import { confDTree } from "./methods/confdtree.js";
import { limits } from "./methods/limits.js";
import { lingYan } from "./methods/ling_yan.js";
import { secondOpinion } from "./methods/second_opinion.js";
import { smoothing } from "./methods/smoothing.js";
import { distributionOf, mostProbable, sumOf } from "./numbers.js";
import { Router } from "./router.js";

/** @typedef {import("./unpack.js").Numbers} Numbers */

/**
 * What a method on one tree reads.
 * @typedef {object} Context
 * @property {Router} router
 * @property {Header} header
 * @property {Record<string, Numbers>} learned
 * @property {Record<string, any>} params
 * @property {number} threshold the method's own
 * @property {number} quantile z(1 − α/2) of the limits of id3_sd
 * @property {{least: number, sides: import("./methods/second_opinion.js").Side[]} | null} opinions the sides of a pool
 */

/** @typedef {"path" | "route" | "fine" | "weight" | "outside" | "nearest" | "answers"} Kind */
/** @typedef {"path" | "route" | "nearest" | ""} Line what leads to a node: the instance, an alternative route, a change */
/** @typedef {{kind: Kind, line: Line, share: number, text: string}} Mark */
/** @typedef {{node: number, text: string, title?: string, part?: number}} Step with a title that has the exact numbers; a row whose missing values divide it takes several ways, its parts, of which 0 is the largest */
/** @typedef {{steps: Step[], shares: number[], marks: Map<number, Mark>, counterfactual?: {text: string, values: Float64Array | null}, opinions?: import("./methods/second_opinion.js").Opinion[]}} Explained */
/** @typedef {{proba: Float64Array, certainty?: number, predicted?: number, explain: () => Explained}} Reply */
/** @typedef {{proba: Float64Array, certainty: number, predicted: number, explain: (tree: number) => Explained}} Answer */
/** @typedef {{isRaw?: boolean, answer: (values: Float64Array) => Reply, limitsAt?: (node: number, column: number) => number[] | null}} Method */

/** @type {Record<string, (context: Context, name: any) => Method>} */
const METHODS = {
  leaf_frequency: leafFrequency,
  confdtree: confDTree,
  shrinkage: smoothing,
  wpe: smoothing,
  shrinkage_wpe: smoothing,
  m_branch: answersAtNodes,
  curtailment: answersAtNodes,
  ling_yan: lingYan,
  id3_sd: limits,
  id3_max: limits,
  boundary_distance: boundaryDistance,
  second_opinion: secondOpinion,
};

export class Model {
  /**
   * @param {any} content see `wekaconf.report._model_page.gathering`
   */
  constructor(content) {
    this.header = new Header(content.header, content.forms);
    this.decision = /** @type {import("./decision.js").Costs | null} */ (content.decision);
    this.votes = /** @type {string | null} */ (content.votes);
    /** @type {Router[]} */
    this.routers = content.trees.map((/** @type {any} */ tree) => new Router(tree, this.header.nClasses));
    const { name, params, threshold, quantile, opinions, is_computed: isComputed } = content.method;
    /** Whether the page computes what the method answers; else Python answered the rows, the plain tree other values. */
    this.isComputed = name in METHODS && isComputed;
    this.name = name;
    const make = this.isComputed ? METHODS[name] : leafFrequency;
    this.methods = /** @type {Method[]} */ (
      this.routers.map((/** @type {Router} */ router, /** @type {number} */ i) =>
        make(
          {
            router,
            header: this.header,
            learned: content.method.learned[i] ?? {},
            params,
            threshold,
            quantile,
            opinions,
          },
          name,
        ),
      )
    );
  }

  /**
   * The plain tree's answer.
   * @param {Float64Array} values
   * @returns {Float64Array}
   */
  plain(values) {
    return this.#combined(this.routers.map((router) => router.distribution(values)));
  }

  /**
   * The method's answer.
   * @param {Float64Array} values
   * @returns {Answer}
   */
  answer(values) {
    const replies = this.methods.map((method) => method.answer(values));
    const isRaw = this.methods[0].isRaw === true;
    const own = replies.map(({ proba }, i) =>
      isRaw ? proba : distributionOf(proba, () => this.routers[i].distribution(values)),
    );
    const combined = this.#combined(own);
    const proba = isRaw || own.length === 1 ? combined : distributionOf(combined, () => this.plain(values));
    const [{ certainty = Math.max(0, ...proba), predicted = mostProbable(proba) }] =
      this.votes === null ? replies : [{}];
    return {
      proba,
      ...(this.decision === null ? { predicted, certainty } : decided(this.decision, proba)),
      explain: (tree) => replies[tree].explain(),
    };
  }

  /**
   * Which class each tree of a forest predicts.
   * @param {Float64Array} values
   */
  members(values) {
    return this.methods.map((method, i) =>
      mostProbable(distributionOf(method.answer(values).proba, () => this.routers[i].distribution(values))),
    );
  }

  /** The attributes that the trees test, the highest first. */
  tested() {
    /** @type {Map<number, number>} */
    const highest = new Map();
    for (const { tree, depth } of this.routers) {
      for (let node = 0; node < tree.n_nodes; node++) {
        const column = tree.split_attribute[node];
        if (column >= 0) highest.set(column, Math.min(highest.get(column) ?? Infinity, depth[node]));
      }
    }
    return [...highest].sort(([a, high], [b, higher]) => high - higher || a - b).map(([column]) => column);
  }

  /**
   * @param {Float64Array[]} answers
   */
  #combined(answers) {
    if (this.votes === null) return answers[0];
    const total = new Float64Array(this.header.nClasses);
    if (this.votes === "hard") {
      for (const answer of answers) total[mostProbable(answer)] += 1;
      return total.map((votes) => votes / answers.length);
    }
    for (const answer of answers) for (let c = 0; c < total.length; c++) total[c] += answer[c];
    const sum = this.votes === "average" ? answers.length : sumOf(total);
    return Math.abs(sum) >= 1e-6 ? total.map((value) => value / sum) : total;
  }
}
