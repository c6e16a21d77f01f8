/**
 * Numbers: what counts as equal, sums and distributions, the tail of the normal distribution, and how numbers are written.
 */

const TWO_52 = 2 ** 52;
const LARGEST_ROUNDING = 1e-9;

/**
 * The nearest whole number, halves to even, as numpy's rint.
 * @param {number} x
 */
export function rint(x) {
  const size = Math.abs(x);
  if (!(size < TWO_52)) return x;
  return Math.sign(x) * (size + TWO_52 - TWO_52);
}

/**
 * The most probable class after rounding to 12 decimals, ties to the lowest index.
 * @param {ArrayLike<number>} proba
 */
export function mostProbable(proba) {
  let best = 0;
  for (let c = 1; c < proba.length; c++) if (rint(proba[c] * 1e12) > rint(proba[best] * 1e12)) best = c;
  return best;
}

/**
 * The sum from left to right.
 * @param {ArrayLike<number>} numbers
 */
export function sumOf(numbers) {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += numbers[i];
  return total;
}

/**
 * The answer made into a distribution; see `PostProcessor._distributions`.
 * @param {Float64Array} proba
 * @param {() => Float64Array} plain
 */
export function distributionOf(proba, plain) {
  const isWhole = Math.abs(sumOf(proba) - 1) < LARGEST_ROUNDING / 2;
  if (isWhole && !proba.some((p) => p < 0)) return proba;
  let answer = proba.map((p) => (p < 0 ? 0 : p));
  if (!answer.some((p) => p !== 0)) answer = plain().map((p) => Math.max(p, 0));
  const total = sumOf(answer);
  return Math.abs(total - 1) > LARGEST_ROUNDING && total > 0 ? answer.map((p) => p / total) : answer;
}

/**
 * The complementary error function for x >= 0, with an error of less than 1e-15: 1 − erf by its series of positive
 * terms for small x, the continued fraction (from its 120th level up) for large x.
 * @param {number} x
 */
export function erfc(x) {
  if (Number.isNaN(x)) return NaN;
  if (x < 2.5) {
    let term = x,
      sum = x;
    for (let n = 1; term > sum * 1e-18; n++) sum += term *= (2 * x * x) / (2 * n + 1);
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = x;
  for (let n = 120; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/** Significant digits of most numbers, of those that are written as they are, and at most. */
const DIGITS = 4,
  EXACT_DIGITS = 6,
  MOST_DIGITS = 17;

/**
 * A number as people write it: about 4 significant digits, whole and short ones as they are; see
 * `wekaconf.data.wording.number`.
 * @param {number} x
 * @param {number} [digits]
 */
export function written(x, digits = DIGITS) {
  if (Number.isNaN(x)) return "unknown";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  return typed(rounded(x, digits));
}

/**
 * The numbers, none NaN, with so many digits that different ones read differently, and in their order.
 * @param {...number} numbers
 */
export function apart(...numbers) {
  for (let digits = DIGITS; ; digits++) {
    const read = numbers.map((x) => (Number.isFinite(x) ? rounded(x, digits) : x));
    const isTold = (/** @type {number} */ x, /** @type {number} */ i) =>
      read.every((other, j) => Math.sign(numbers[i] - numbers[j] || 0) === Math.sign(x - other || 0));
    if (digits === MOST_DIGITS || read.every(isTold)) return numbers.map((x) => written(x, digits));
  }
}

/**
 * The number that is written: whole ones, and what 6 digits hold, as they are.
 * @param {number} x
 * @param {number} digits
 */
function rounded(x, digits) {
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e9) return x;
  const exact = Number(x.toPrecision(EXACT_DIGITS));
  const rounding = digits > EXACT_DIGITS ? 0 : isOfFloats(x) ? 1e-7 : 1e-12;
  if (Math.abs(exact - x) <= size * rounding) return exact;
  const nWhole = size < 1e9 ? String(Math.trunc(size)).length : 0;
  return Number(x.toPrecision(Math.min(Math.max(digits, nWhole), MOST_DIGITS)));
}

/**
 * Whether a number is a midpoint of two numbers of single precision, which hold no decimal exactly.
 * @param {number} x
 */
function isOfFloats(x) {
  return Number.isInteger(x * 2 ** (25 - Math.floor(Math.log2(Math.abs(x)))));
}

/**
 * @param {number} short
 */
function typed(short) {
  const size = Math.abs(short);
  const text = size !== 0 && (size < 1e-4 || size >= 1e15) ? short.toExponential() : String(short);
  return text.replace("-", "−").replace("e+", "e");
}

/**
 * A number with so many decimals, or as many more as keep it on its side of a border.
 * @param {number} x
 * @param {number} decimals
 * @param {number} border NaN: there is none
 */
function fixed(x, decimals, border) {
  let n = decimals;
  while (n < MOST_DIGITS && Number(x.toFixed(n)) >= border !== x >= border) n++;
  return x.toFixed(n);
}

/**
 * A probability with three decimals, or as many more as keep it on its side of a border.
 * @param {number} p
 * @param {number} [border]
 */
export function share(p, border = NaN) {
  if (p > 0 && p < 0.0005) return "<.001";
  if (p < 1 && p >= 0.9995 && !(border > 0.999)) return ">.999";
  return fixed(p, 3, border);
}

/**
 * A share in whole percent, or as many decimals as keep it on its side of a border; only nothing is 0 %, and only all
 * 100 %.
 * @param {number} p
 * @param {number} [border]
 */
export function wholePercent(p, border = NaN) {
  if (p > 0 && p < 0.005) return "<1 %";
  if (p < 1 && p >= 0.995 && !(border > 0.99)) return ">99 %";
  return `${fixed(100 * p, 0, 100 * border)} %`;
}

/**
 * The weight of instances, as a whole number: parts of instances are those with missing values.
 * @param {number} weight
 */
export function whole(weight) {
  return weight > 0 && weight < 0.5 ? "<1" : String(Math.round(weight));
}

/**
 * @param {number} p
 */
export function percent(p) {
  return Number.isNaN(p) ? "–" : `${(100 * p).toFixed(p > 0 && p < 0.1 ? 2 : 1)} %`;
}
