/**
 * What each side says of an instance, as bars in the colours of the classes, and what they say together.
 */

import { classBar } from "../shapes.js";
import { cut, table } from "../dom.js";
import { mostProbable, wholePercent } from "../numbers.js";

/**
 * @param {import("../methods/second_opinion.js").Opinion[]} opinions
 * @param {string[]} classNames
 */
export function opinionsTable(opinions, classNames) {
  const rows = opinions.map(({ words, proba }) => {
    const c = mostProbable(proba);
    return [words, classBar(proba, true), `${cut(classNames[c], 16)} ${wholePercent(proba[c])}`];
  });
  return table("", ["who", "classes", "says"], rows);
}
