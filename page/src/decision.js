/**
 * Costs that decide the answers: the class of least expected cost; see `wekaconf.evaluation.aims` in Python.
 */

import { mostProbable, written } from "./numbers.js";

/** The largest number of other classes whose expected cost is told, the cheapest first. */
const MOST_NAMED = 3;

/**
 * @typedef {object} Costs of each answer, a column, to each actual class, a row; a row follows another
 * @property {Float64Array} savings the share of the largest cost that each answer saves
 * @property {Float64Array} costs
 * @property {number} rejection
 */

/**
 * What an answer is, and how certain, where costs decide.
 * @param {Costs} costs
 * @param {ArrayLike<number>} proba
 */
export function decided({ savings }, proba) {
  const saved = expected(savings, proba);
  return { predicted: mostProbable(saved), certainty: Math.max(0, ...saved) };
}

/**
 * What the answer is expected to cost, and the others, in a sentence.
 * @param {Costs} decision
 * @param {ArrayLike<number>} proba
 * @param {number} predicted
 * @param {string[]} classNames
 */
export function costSentence({ costs, rejection }, proba, predicted, classNames) {
  const all = expected(costs, proba);
  const others = [...all.keys()].filter((c) => c !== predicted).sort((a, b) => all[a] - all[b]);
  const named = others.slice(0, MOST_NAMED).map((c) => `${classNames[c]} would cost ${written(all[c], 3)}`);
  if (others.length > MOST_NAMED) named.push(`${others.length - MOST_NAMED} more classes no less`);
  const beside = [...named, `a human ${written(rejection, 3)}`].join(", ");
  return `${classNames[predicted]}: least expected cost ${written(all[predicted], 3)} (${beside}).`;
}

/**
 * The sum of the rows of a table, each times the probability of its class.
 * @param {Float64Array} rows
 * @param {ArrayLike<number>} proba
 */
function expected(rows, proba) {
  const k = proba.length;
  const total = new Float64Array(k);
  for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) total[j] += proba[i] * rows[i * k + j];
  return total;
}
