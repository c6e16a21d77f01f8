/**
 * Numbers: what counts as equal, sums and distributions, the tail of the normal distribution, and how numbers are written.
 */

const TWO_52 = 2 ** 52;
const LARGEST_ROUNDING = 1e-9;
/** The largest relative difference between a number of single precision and the digits that stand for it. */
export const FLOAT_ROUNDING = 1e-7;

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
 * The answer made into a distribution; see `Method._distributions`.
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
/** The mark before the decimals of numbers in sentences, see `wekaconf.data.wording.the_mark`. */
let decimalMark = ".";
/** So many digits more tell whether a number lies in the middle of two texts. */
const HALVED = 30;

/**
 * Write numbers with this mark before their decimals from now on.
 * @param {string} mark
 */
export function setDecimalMark(mark) {
  decimalMark = mark;
}

/**
 * The text of a number, which has a point, with the mark that is set.
 * @param {string} text
 */
export function withMark(text) {
  return text.replace(".", decimalMark);
}

/**
 * A number as people write it: about 4 significant digits, whole and short ones as they are; see
 * `wekaconf.data.wording.number`.
 * @param {number} x
 * @param {number} [digits]
 */
export function written(x, digits = DIGITS) {
  if (Number.isNaN(x)) return "unknown";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  return withMark(typed(rounded(x, digits)));
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
  const exact = Number(toPrecision(x, EXACT_DIGITS));
  const rounding = digits > EXACT_DIGITS ? 0 : isOfFloats(x) ? FLOAT_ROUNDING : 1e-12;
  if (Math.abs(exact - x) <= size * rounding) return exact;
  const nWhole = size < 1e9 ? String(Math.trunc(size)).length : 0;
  return Number(toPrecision(x, Math.min(Math.max(digits, nWhole), MOST_DIGITS)));
}

/**
 * Whether a number is a midpoint of two numbers of single precision, which hold no decimal exactly.
 * @param {number} x
 */
export function isOfFloats(x) {
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
 * A share, such as 60 %; only the whole is 100 %, and only nothing 0 %; see `wekaconf.data.wording.percent`.
 * @param {number} share
 * @param {object} [form]
 * @param {number} [form.digits] significant ones, and more where it takes more to tell that
 * @param {number} [form.decimals] in their place
 * @param {number} [form.border] a share on whose side the text stays
 */
export function percent(share, { digits = 3, decimals = NaN, border = NaN } = {}) {
  if (Number.isNaN(share)) return "–";
  const whole = 100 * share;
  const first = Number.isNaN(decimals) ? digits : decimals;
  for (let n = first; ; n++) {
    const text = Number.isNaN(decimals) ? typed(Number(toPrecision(whole, n))) : toFixed(whole, n);
    if (n < MOST_DIGITS && Number(text) >= 100 * border !== whole >= 100 * border) continue;
    const isEnd = Number(text) === 0 || Number(text) === 100;
    return `${isEnd && share !== 0 && share !== 1 ? apart(whole, 0, 100)[0] : withMark(text)} %`;
  }
}

/**
 * A probability, or a share of training rows, as reasons write it.
 * @param {number} p
 * @param {number} [border] see `percent`
 */
export function probability(p, border) {
  return percent(p, { digits: 2, border });
}

/**
 * What an opinion says, in whole per cents; what is not quite nothing or all says so. See `percent_texts` in Python.
 * @param {number} share
 */
export function wholePercent(share) {
  if (share <= 0 || share >= 1) return share <= 0 ? "0 %" : "100 %";
  const whole = Math.floor(100 * share + 0.5);
  return whole === 0 ? "under 1 %" : whole === 100 ? "over 99 %" : `${whole} %`;
}

/**
 * As `Number.toFixed`, but what lies in the middle of two texts becomes the even one, as in Python.
 * @param {number} x
 * @param {number} n decimals
 */
function toFixed(x, n) {
  const text = x.toFixed(n);
  return isOddHalf(text, x.toFixed(Math.min(n + HALVED, 100)), n) ? (x - 0.5 * 10 ** -n).toFixed(n) : text;
}

/**
 * As `Number.toPrecision`, but what lies in the middle of two texts becomes the even one, as in Python.
 * @param {number} x
 * @param {number} n digits
 */
function toPrecision(x, n) {
  const text = x.toExponential(n - 1);
  const [odd, power] = text.split("e");
  const [long] = x.toExponential(n - 1 + HALVED).split("e");
  if (!isOddHalf(odd, long, n - 1)) return text;
  return `${(Number(long) - Math.sign(x) * 0.5 * 10 ** (1 - n)).toFixed(n - 1)}e${power}`;
}

/**
 * Whether a text of n decimals is odd, and was rounded from the middle of it and the one before.
 * @param {string} text
 * @param {string} long the same number with `HALVED` more decimals
 * @param {number} n
 */
function isOddHalf(text, long, n) {
  return /[13579]$/.test(text) && /^50*$/.test(long.split(".")[1].slice(n));
}

/**
 * The weight of instances, as a whole number: parts of instances are those with missing values.
 * @param {number} weight
 */
export function whole(weight) {
  return weight > 0 && weight < 0.5 ? "<1" : String(Math.round(weight));
}
