/**
 * Names and values of the data, in words.
 */

import { inForm } from "./forms.js";
import { apart, FLOAT_ROUNDING, isOfFloats, written } from "./numbers.js";

/** @typedef {import("./router.js").Tree} Tree */

/**
 * @typedef {object} Attribute
 * @property {string} name
 * @property {"numeric" | "nominal" | "date" | "string" | "relational"} kind
 * @property {string[]} values
 */

export const LEAF = 0,
  LE = 1,
  LT = 2,
  EACH = 3,
  EQUALS = 4,
  SUBSET = 5;
const MOST_SHOWN = 4;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const ISOLATE = "\u2068",
  END_OF_ISOLATE = "\u2069";
const DATE = /^(\d{4}|[-+]\d{6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?Z?$/i;

export class Header {
  /**
   * @param {{relation: string, attributes: Attribute[], class_index: number}} parts
   * @param {Record<number, import("./forms.js").Form>} [forms] how the table writes numbers and dates, by attribute
   */
  constructor({ relation, attributes, class_index: classIndex }, forms = {}) {
    this.forms = forms;
    this.relation = relation;
    this.attributes = attributes.map((attribute) => ({
      ...attribute,
      name: isolated(attribute.name),
      values: attribute.values.map(isolated),
    }));
    this.classIndex = classIndex;
    this.classNames = this.attributes[classIndex].values;
  }

  get nClasses() {
    return this.classNames.length;
  }

  /**
   * A value of an attribute, as the table writes it.
   * @param {number} column
   * @param {number} value
   */
  text(column, value) {
    const { kind, values } = this.attributes[column];
    if (Number.isNaN(value)) return "missing";
    if (kind === "nominal") return values[value] ?? "missing";
    return kind === "date" ? dateText(value, this.forms[column]?.pattern) : inForm(written(value), this.forms[column]);
  }

  /**
   * Numbers or dates of one attribute, none missing, as the table writes them, so that different ones read differently.
   * @param {number} column
   * @param {...number} values
   */
  texts(column, ...values) {
    const form = this.forms[column];
    if (this.attributes[column].kind !== "date") return apart(...values).map((text) => inForm(text, form));
    const [texts, iso] = [form?.pattern, ""].map((pattern) => values.map((value) => dateText(value, pattern)));
    return texts.some((text, i) => text === iso[i]) ? iso : texts;
  }

  /**
   * The attribute that an inner node splits on, or the class that most instances of a leaf have.
   * @param {Tree} tree
   * @param {number} node
   */
  splitName(tree, node) {
    return this.attributes[tree.split_attribute[node]].name;
  }

  /**
   * The condition of the branch to a node, without the name of the attribute.
   * @param {Tree} tree
   * @param {number} node
   * @param {string} [point] the split point as it shall be written
   */
  branch(tree, node, point) {
    const parent = tree.parent[node];
    const place = node - tree.first_child[parent];
    const column = tree.split_attribute[parent];
    const { values } = this.attributes[column];
    switch (tree.split_kind[parent]) {
      case EACH:
        return `= ${values[place]}`;
      case EQUALS:
        return `${place ? "≠" : "="} ${values[tree.split_value[parent]]}`;
      case SUBSET:
        return membership(
          values,
          (value) => Boolean(tree.split_subset[tree.split_value[parent] + value]) === (place === 0),
        );
      default: {
        const signs = tree.split_kind[parent] === LT ? ["<", "≥"] : ["≤", ">"];
        return `${signs[place]} ${point ?? this.text(column, tree.split_point[parent])}`;
      }
    }
  }

  /**
   * The condition of the branch to a node; of the root, its name.
   * @param {Tree} tree
   * @param {number} node
   */
  condition(tree, node) {
    return node ? `${this.splitName(tree, tree.parent[node])} ${this.branch(tree, node)}` : "root";
  }
}

/**
 * @param {string[]} values
 * @param {(value: number) => boolean} isIn
 */
function membership(values, isIn) {
  const named = values.filter((_, i) => isIn(i));
  const others = values.filter((_, i) => !isIn(i));
  if (named.length <= MOST_SHOWN) return `in {${named.join(", ")}}`;
  if (others.length <= MOST_SHOWN) return `not in {${others.join(", ")}}`;
  return `in {${named.slice(0, MOST_SHOWN).join(", ")}, … ${named.length} in all}`;
}

/**
 * A date, in the pattern of the table, with a time where it has one; without a pattern in ISO 8601. Midnight and seconds
 * that are 0 are left out.
 * @param {number} milliseconds since 1970, UTC
 * @param {string} [pattern] such as dd.MM.yyyy
 */
export function dateText(milliseconds, pattern = "") {
  const date = new Date(withoutFloatRounding(milliseconds));
  if (Number.isNaN(date.getTime())) return written(milliseconds);
  const iso = date.toISOString();
  const short = iso
    .replace(/T00:00:00\.000Z$/, "")
    .replace(/(:00)?\.000Z$/, "")
    .replace(/Z$/, "");
  const inPattern = pattern ? patterned(iso, pattern) : "";
  const [, time = ""] = short.split("T");
  const isAll = (/** @type {string} */ text) => parsedDate(text, pattern) === date.getTime();
  return [inPattern, `${inPattern} ${time}`].find((text) => inPattern && isAll(text)) ?? short;
}

/**
 * The day, hour or minute that numbers of single precision turned into these milliseconds, if they did.
 * @param {number} milliseconds
 */
function withoutFloatRounding(milliseconds) {
  const exact = Math.round(milliseconds);
  if (exact % 1000 === 0 || !isOfFloats(milliseconds)) return exact;
  const nearest = [86_400_000, 3_600_000, 60_000].map((unit) => Math.round(exact / unit) * unit);
  return nearest.find((at) => Math.abs(at - exact) <= FLOAT_ROUNDING * Math.abs(milliseconds)) ?? exact;
}

/**
 * A date in a pattern.
 * @param {string} iso
 * @param {string} pattern
 */
function patterned(iso, pattern) {
  const parts = DATE.exec(iso)?.slice(1) ?? [];
  return pattern.replace(PART, (part, quoted, letter) => {
    if (!letter) return quoted ?? part;
    const text = parts[LETTERS.indexOf(letter)] ?? "";
    if (part === "MMM") return MONTHS[Number(text) - 1].replace(/^./, (first) => first.toUpperCase());
    return part.length === 1 ? String(Number(text)) : text.slice(-part.length);
  });
}

/**
 * The milliseconds since 1970 of a date as `dateText` writes it, with T or a space before the time, or in the pattern of
 * the table; NaN for others. It is the same wherever it is read: dates have no time zone.
 * @param {string} text
 * @param {string} [pattern] such as dd.MM.yyyy
 */
export function parsedDate(text, pattern = "") {
  const iso = DATE.exec(text);
  const found = iso ? iso.slice(1, 8) : partsIn(text, pattern);
  if (!found) return NaN;
  const [year, month, day, hour, minute, second] = found.slice(0, 6).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number((found[6] ?? "").padEnd(3, "0")));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay && hour < 24 && minute < 60 && second < 60 ? date.getTime() : NaN;
}

/** A part of a pattern: a text in quotes, a letter that is repeated, or another mark. */
const PART = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g;
const EXAMPLE = "2024-05-31T14:30:00.000Z";
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
  return `${pattern ? `${patterned(EXAMPLE, pattern)}, ` : ""}2024-05-31 or 2024-05-31 14:30`;
}

/**
 * A name that is written from right to left, kept from what stands beside it: else their digits change places.
 * @param {string} name
 */
function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? ISOLATE + name + END_OF_ISOLATE : name;
}

/**
 * A text without what keeps names apart, and without joiners, which nobody sees.
 * @param {string} text
 */
export function bare(text) {
  return text.replace(/[\u2068\u2069\u200c\u200d]/g, "");
}
