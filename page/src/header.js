/**
 * Names and values of the data, in words.
 */

import { written } from "./numbers.js";

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

export class Header {
  /**
   * @param {{relation: string, attributes: Attribute[], class_index: number}} parts
   */
  constructor({ relation, attributes, class_index: classIndex }) {
    this.relation = relation;
    this.attributes = attributes;
    this.classIndex = classIndex;
    this.classNames = attributes[classIndex].values;
  }

  get nClasses() {
    return this.classNames.length;
  }

  /**
   * A value of an attribute.
   * @param {number} column
   * @param {number} value
   */
  text(column, value) {
    const { kind, values } = this.attributes[column];
    if (Number.isNaN(value)) return "missing";
    if (kind === "nominal") return values[value] ?? "missing";
    return kind === "date" ? dateText(value) : written(value);
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
   */
  branch(tree, node) {
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
        return `${signs[place]} ${this.text(column, tree.split_point[parent])}`;
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
 * A date, without time where it is midnight.
 * @param {number} milliseconds since 1970, UTC
 */
export function dateText(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime())
    ? written(milliseconds)
    : date
        .toISOString()
        .replace(/T00:00:00\.000Z$/, "")
        .replace(/\.000Z$/, "");
}
