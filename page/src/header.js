/**
 * Names and values of the data, in words.
 */

import { dateTexts } from "./dates.js";
import { inForm } from "./forms.js";
import { apart, written } from "./numbers.js";

/** @typedef {import("./router.js").Tree} Tree */

/**
 * @typedef {object} Attribute
 * @property {string} name
 * @property {"numeric" | "nominal" | "date" | "string" | "relational"} kind
 * @property {string[]} values
 * @property {import("./dates.js").Zone} [zone] of dates
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
   * A value of an attribute: a number as the table writes it, a date in ISO 8601.
   * @param {number} column
   * @param {number} value
   */
  text(column, value) {
    const { kind, values, zone } = this.attributes[column];
    if (Number.isNaN(value)) return "missing";
    if (kind === "nominal") return values[value] ?? "missing";
    return kind === "date" ? dateTexts([value], zone)[0] : inForm(written(value), this.forms[column]);
  }

  /**
   * Numbers or dates of one attribute, none missing, as `text` writes them, so that different ones read differently.
   * @param {number} column
   * @param {...number} values
   */
  texts(column, ...values) {
    const { kind, zone } = this.attributes[column];
    if (kind === "date") return dateTexts(values, zone);
    return apart(...values).map((text) => inForm(text, this.forms[column]));
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
