/**
 * Dates: how they are written, as `wekaconf.data.wording.cells` writes them, and how they may be typed.
 */

import { apart, FLOAT_ROUNDING, isOfFloats, rint } from "./numbers.js";

/**
 * A time zone: the seconds since 1970 at which its clocks change, ascending, and by how many seconds they are ahead of UTC
 * before the first change and after each.
 * @typedef {object} Zone
 * @property {ArrayLike<number>} starts
 * @property {ArrayLike<number>} ahead
 */

const SECOND = 1000,
  MINUTE = 60_000,
  HOUR = 3_600_000,
  DAY = 86_400_000;
/** Milliseconds from which on JavaScript has no date, whatever the zone. */
const LARGEST_DATE = 8.64e15 - DAY;
const DATE = /^(\d{4}|[-+]\d{6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?(Z?)$/i;

/**
 * Moments as dates of one unit in ISO 8601, by the clocks of the zone, which read differently, and in their order, where
 * the moments differ.
 * @param {number[]} values milliseconds since 1970, UTC
 * @param {Zone} [zone] left out: UTC
 */
export function dateTexts(values, zone) {
  if (!values.every((value) => Math.abs(value) < LARGEST_DATE)) return apart(...values);
  const ahead = values.map((value) => SECOND * aheadAt(Math.floor(value / SECOND), zone));
  const exact = values.map((value, i) => rint(value) + ahead[i]);
  const short = values.map((value, i) => withoutFloatRounding(value, exact[i]));
  for (const local of [short, exact]) if (areInOrder(values, local)) return localTexts(local);
  const texts = localTexts(exact).map((text, i) => text + offsetText(ahead[i]));
  return new Set(texts).size === new Set(values).size ? texts : apart(...values);
}

/**
 * Midnight, by the clocks of the zone, of the day of a moment.
 * @param {number} milliseconds since 1970, UTC
 * @param {Zone} [zone]
 */
export function dayOf(milliseconds, zone) {
  const local = milliseconds + SECOND * aheadAt(Math.floor(milliseconds / SECOND), zone);
  return SECOND * momentOf((Math.floor(local / DAY) * DAY) / SECOND, zone);
}

/**
 * The milliseconds since 1970 of a date as `dateTexts` writes one, with T or a space before the time, or in the pattern of
 * the table; NaN for others, and for a time that the clocks of the zone skip. It is the same wherever it is read: the zone
 * of the reader does not count.
 * @param {string} text
 * @param {string} [pattern] such as dd.MM.yyyy
 * @param {Zone} [zone]
 */
export function parsedDate(text, pattern = "", zone = undefined) {
  const iso = DATE.exec(text);
  const found = iso ? iso.slice(1, 8) : partsIn(text, pattern);
  if (!found) return NaN;
  const [year, month, day, hour, minute, second] = found.slice(0, 6).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number((found[6] ?? "").padEnd(3, "0")));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!(isDay && hour < 24 && minute < 60 && second < 60)) return NaN;
  if (iso?.[8]) return date.getTime();
  const local = Math.floor(date.getTime() / SECOND);
  const moment = momentOf(local, zone);
  return moment + aheadAt(moment, zone) === local ? date.getTime() + SECOND * (moment - local) : NaN;
}

/**
 * How many seconds the clocks are ahead of UTC at a moment, in seconds since 1970.
 * @param {number} seconds
 * @param {Zone} [zone]
 */
function aheadAt(seconds, zone) {
  return zone ? zone.ahead[countWhile(zone.starts.length, (i) => zone.starts[i] <= seconds)] : 0;
}

/**
 * The moment at which the clocks show `local`; of two such moments the later one. See `Zone.moment` in Python.
 * @param {number} local seconds since 1970 by these clocks
 * @param {Zone} [zone]
 */
function momentOf(local, zone) {
  if (!zone) return local;
  const { starts, ahead } = zone;
  return local - ahead[countWhile(starts.length, (i) => starts[i] + ahead[i + 1] <= local)];
}

/**
 * The number of places for which a condition holds that holds up to some place, and from there on for none.
 * @param {number} n
 * @param {(i: number) => boolean} holds
 */
function countWhile(n, holds) {
  let low = 0,
    high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The day, hour or minute that numbers of single precision turned into these milliseconds, if they did.
 * @param {number} milliseconds
 * @param {number} local the same by the clocks of a zone
 */
function withoutFloatRounding(milliseconds, local) {
  if (local % SECOND === 0 || !isOfFloats(milliseconds)) return local;
  const nearest = [DAY, HOUR, MINUTE].map((unit) => rint(local / unit) * unit);
  return nearest.find((at) => Math.abs(at - local) <= FLOAT_ROUNDING * Math.abs(milliseconds)) ?? local;
}

/**
 * Whether dates are in the order of their moments, and equal only where these are.
 * @param {number[]} values
 * @param {number[]} local
 */
function areInOrder(values, local) {
  return values.every((a, i) => values.every((b, j) => Math.sign(a - b) === Math.sign(local[i] - local[j])));
}

/**
 * Days, or with a time to the second or millisecond, as the most exact of them needs it.
 * @param {number[]} local milliseconds since 1970 by the clocks
 */
function localTexts(local) {
  const end = local.every((at) => at % DAY === 0) ? /T.*/ : local.every((at) => at % SECOND === 0) ? /\.000Z/ : /Z/;
  return local.map((at) => new Date(at).toISOString().replace(end, ""));
}

/**
 * The offset of clocks that are so many milliseconds ahead of UTC, such as +02:00.
 * @param {number} ahead
 */
function offsetText(ahead) {
  const minutes = Math.floor(Math.abs(ahead) / MINUTE);
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return `${ahead < 0 ? "-" : "+"}${whole}:${rest}`;
}

/** A part of a pattern: a text in quotes, a letter that is repeated, or another mark. */
const PART = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g;
const EXAMPLE = ["2024", "05", "31", "14", "30", "00", "000"];
/** The letters of a pattern, in the order of the parts of a date. */
const LETTERS = "yMdHmsS";
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** A year of two digits that is larger is of the century before. */
const LAST_YEAR = 68;

/**
 * The year, month, day, hour, minute, second and its parts of a date in a pattern; null: it does not follow it. See
 * `wekaconf.data.table_files._date_forms`.
 * @param {string} text
 * @param {string} pattern
 */
function partsIn(text, pattern) {
  /** @type {string[]} */
  const letters = [];
  const source = pattern.replace(PART, (part, quoted, letter) => {
    if (!letter) return (quoted ?? part).replace(/[^\w ]/g, "\\$&");
    letters.push(letter);
    return part === "MMM" ? "([a-z]{3})" : part === "yyyy" ? "(\\d{4})" : "(\\d{1,2})";
  });
  const hasTime = letters.some((letter) => "Hms".includes(letter));
  if (!hasTime) letters.push(..."HmsS");
  const time = hasTime ? "" : "(?: (\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{1,3}))?)?)?";
  const found = pattern ? new RegExp(`^${source}${time}$`, "i").exec(text) : null;
  if (!found) return null;
  const parts = ["1900", "1", "1", "0", "0", "0", "0"];
  for (const [i, letter] of letters.entries()) {
    const part = found[i + 1] ?? "0";
    const month = letter === "M" ? MONTHS.indexOf(part.toLowerCase()) : -1;
    const isShort = letter === "y" && part.length < 3;
    const year = isShort ? String(Number(part) + (Number(part) > LAST_YEAR ? 1900 : 2000)) : part;
    parts[LETTERS.indexOf(letter)] = month < 0 ? year : String(month + 1);
  }
  return parts;
}

/**
 * A date, as it may be typed.
 * @param {string} [pattern] of the table
 */
export function dateExample(pattern = "") {
  const inPattern = pattern.replace(PART, (part, quoted, letter) => {
    if (!letter) return quoted ?? part;
    const text = EXAMPLE[LETTERS.indexOf(letter)] ?? "";
    if (part === "MMM") return MONTHS[Number(text) - 1].replace(/^./, (first) => first.toUpperCase());
    return part.length === 1 ? String(Number(text)) : text.slice(-part.length);
  });
  return pattern ? `2024-05-31, 2024-05-31 14:30 or ${inPattern}` : "2024-05-31 or 2024-05-31 14:30";
}
