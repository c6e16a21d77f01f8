/**
 * How the values of each class are spread at a numeric split: from the training data, and by the method's intervals.
 */

/** @typedef {import("../unpack.js").Numbers} Numbers */
/** @typedef {Record<string, Numbers>} Histograms see `wekaconf.report._model_page.densities` */
/** @typedef {[number, number]} Range */

/**
 * @typedef {object} Spread
 * @property {number} c the class
 * @property {number} weight
 * @property {Float64Array | null} bins
 * @property {Range | null} assigned the interval for when the class leads
 * @property {Range | null} other the interval for when another class leads
 */

/** @typedef {{spreads: Spread[], low: number, width: number}} Spreads with the low end and the width of the bins */

const N_BINS = 24;

/**
 * @param {number} node
 * @param {ArrayLike<number>} weights of the classes at the node
 * @param {Histograms | undefined} histograms
 * @param {Record<string, Numbers>} learned
 * @returns {Spreads} the class with most instances first
 */
export function spreadsAt(node, weights, histograms, learned) {
  /** @type {Map<number, Spread>} */
  const spreads = new Map();
  const spreadOf = (/** @type {number} */ c) => {
    const spread = spreads.get(c) ?? { c, weight: weights[c], bins: null, assigned: null, other: null };
    spreads.set(c, spread);
    return spread;
  };
  const bins = { low: NaN, width: NaN };
  const place = histograms ? histograms.node.indexOf(node) : -1;
  if (histograms && place >= 0) {
    [bins.low, bins.width] = [histograms.low[place], histograms.width[place]];
    for (let i = histograms.first[place]; i < histograms.first[place + 1]; i++) {
      const spread = spreadOf(histograms.class[i]);
      spread.bins ??= new Float64Array(N_BINS);
      spread.bins[histograms.bin[i]] = histograms.weight[i];
    }
  }
  if (learned["intervals_.is_active"]?.[node]) {
    const of = (/** @type {string} */ name, /** @type {number} */ c) =>
      learned[`intervals_.${name}`][node * weights.length + c];
    for (let c = 0; c < weights.length; c++) {
      if (!of("present", c)) continue;
      const spread = spreadOf(c);
      spread.assigned = [of("assigned_low", c), of("assigned_high", c)];
      spread.other = Number.isNaN(of("other_low", c)) ? null : [of("other_low", c), of("other_high", c)];
    }
  }
  return { spreads: [...spreads.values()].sort((a, b) => b.weight - a.weight || a.c - b.c), ...bins };
}
