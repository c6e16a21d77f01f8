/**
 * Begins: reads what the page holds, and shows it.
 */

import { $ } from "./dom.js";
import { percent, setDecimalMark, wholePercent } from "./numbers.js";
import { Page } from "./page.js";
import { unpack } from "./unpack.js";

async function start() {
  const content = await unpack($("content").textContent);
  for (const element of document.querySelectorAll(".with-script")) /** @type {any} */ (element).hidden = false;
  $("without-script").hidden = true;
  setDecimalMark(content.decimal);
  const page = new Page(content);
  const { model, drawing } = page;
  // For scripts: what the page answers for values, or for its own instances, and what it shows.
  Object.assign(globalThis, {
    wekaconf: {
      model,
      drawing,
      percent,
      wholePercent,
      rejecting: content.rejecting,
      /** @param {number[]} values */
      answer: (values) => plainly(model.answer(Float64Array.from(values))),
      /** @param {number[]} values */
      outside: (values) => page.outside(Float64Array.from(values)),
      /** The values of the instance that is shown. */
      values: () => Array.from(page.values),
      answerRows: () => page.answerRows().map(plainly),
    },
  });
  document.documentElement.dataset.ready = "yes";
}

/** @param {{proba: Float64Array, certainty: number, predicted: number}} answer */
function plainly({ proba, certainty, predicted }) {
  return { proba: Array.from(proba), certainty, predicted };
}

start().catch((error) => {
  document.documentElement.dataset.failed = "yes";
  $("without-script").hidden = false;
  $("without-script").textContent = `The page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  throw error;
});
