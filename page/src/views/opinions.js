/**
 * What each side says of an instance, as bars in the colours of the classes, and what they say together.
 */

import { classBar } from "../shapes.js";
import { cut, table } from "../dom.js";
import { mostProbable, probability, wholePercent } from "../numbers.js";

/**
 * @param {import("../methods/second_opinion.js").Opinion[]} opinions
 * @param {string[]} classNames
 * @param {number} border of the certainty, on whose side what they say together is written; NaN: there is none
 */
export function opinionsTable(opinions, classNames, border) {
  const rows = opinions.map(({ words, proba }, i) => {
    const c = mostProbable(proba);
    const said = i === opinions.length - 1 ? probability(proba[c], border) : wholePercent(proba[c]);
    return [words, classBar(proba, true), `${cut(classNames[c], 16)} ${said}`];
  });
  return table("", ["who", "classes", "says"], rows);
}
