/**
 * The instance that is asked about: one of the page's, or typed.
 */

import { dateExample, parsedDate } from "../dates.js";
import { $, cut, h } from "../dom.js";
import { inForm, numberExample, numberIn } from "../forms.js";
import { NOT_SEEN } from "../outside.js";

/** @typedef {import("../header.js").Header} Header */
/** @typedef {{names: string[], values: Float64Array, actual: Int8Array, outside: [number, string][], unseen: [number, number, string][], proba?: Float64Array, certainty?: Float64Array, reasons?: string[]}} Rows */

const MANY_VALUES = 60;
/** The option of a value that training did not have. */
const UNSEEN = "unseen";

export class InstanceForm {
  /**
   * @param {Header} header
   * @param {Rows | null} rows
   * @param {number[]} first the attributes that the tree tests, in the order in which they are shown
   * @param {boolean} opinionsRead whether opinions beside the tree read all attributes
   * @param {(values: Float64Array, row: number) => void} changed
   */
  constructor(header, rows, first, opinionsRead, changed) {
    this.header = header;
    this.rows = rows;
    this.changed = changed;
    /** @type {Float64Array} */
    this.values = new Float64Array(header.attributes.length).fill(NaN);
    this.row = -1;
    /** The values that training did not have, by column. @type {Map<number, string>} */
    this.unseen = new Map();
    /** @type {Map<number, any>} */
    this.inputs = new Map();
    /** The columns whose values are all among the options; others are filled when they are opened. @type {Set<number>} */
    this.filled = new Set();
    const others = [...header.attributes.keys()].filter((column) => {
      const { kind } = header.attributes[column];
      return column !== header.classIndex && kind !== "string" && kind !== "relational" && !first.includes(column);
    });
    $("tested").replaceChildren(...first.map((column) => this.#field(column)));
    $("untested").hidden = !others.length;
    $("untested-count").textContent =
      `${others.length} attribute${others.length === 1 ? "" : "s"} that the tree does not test` +
      (opinionsRead ? "; the other opinions read them" : "");
    const fill = () => {
      if (!$("untested-fields").childElementCount)
        $("untested-fields").replaceChildren(...others.map((column) => this.#field(column)));
      this.#write();
    };
    if (others.length <= 30) fill();
    $("untested").addEventListener("toggle", fill);
    this.select = $("row");
    $("rows").hidden = !rows;
    if (rows) {
      this.select.replaceChildren(...rows.names.map((name, i) => h("option", { value: i }, cut(name, 60))));
      this.select.addEventListener("change", () => this.take(Number(this.select.value)));
      $("previous").addEventListener("click", () => this.#step(-1));
      $("next").addEventListener("click", () => this.#step(1));
    }
    $("clear").addEventListener("click", () => this.type(this.values.map(() => NaN)));
  }

  /**
   * Take values that are none of the page's rows.
   * @param {Float64Array} values
   */
  type(values) {
    this.values = Float64Array.from(values);
    this.unseen = new Map();
    this.#typed();
    this.#write();
  }

  /**
   * Order the rows anew.
   * @param {number[]} order
   */
  order(order) {
    const options = [...this.select.options].sort((a, b) => Number(a.value) - Number(b.value));
    const at = (/** @type {number} */ i) => options[i - Number(options[0].value)];
    this.select.replaceChildren(...(options[0].value === "-1" ? [options[0]] : []), ...order.map(at));
    this.select.value = String(this.row);
  }

  /** @param {number} by */
  #step(by) {
    const { select } = this,
      n = select.options.length;
    const first = select.options[0].value === "-1" ? 1 : 0;
    select.selectedIndex = first + ((select.selectedIndex - first + by + (n - first)) % (n - first));
    this.take(Number(select.value));
  }

  /**
   * Take one of the page's instances.
   * @param {number} row
   */
  take(row) {
    if (!this.rows || row < 0) return;
    const n = this.header.attributes.length;
    this.row = row;
    this.values = this.rows.values.slice(row * n, row * n + n);
    this.unseen = new Map(this.rows.unseen.filter(([at]) => at === row).map(([, column, text]) => [column, text]));
    this.select.value = String(row);
    this.#write();
    this.changed(this.values, row);
  }

  /** Values that are none of the page's rows. */
  #typed() {
    this.row = -1;
    if (this.rows) {
      if (this.select.options[0].value !== "-1") this.select.prepend(h("option", { value: -1 }, "typed values"));
      this.select.value = "-1";
    }
    this.changed(this.values, -1);
  }

  #write() {
    for (const [column, input] of this.inputs) {
      const value = this.values[column],
        { kind } = this.header.attributes[column];
      if (input.tagName === "SELECT") this.#writeChoice(column, input);
      else if (Number.isNaN(value)) input.value = "";
      else
        input.value =
          kind === "date" ? this.header.text(column, value) : inForm(String(value), this.header.forms[column]);
      input.removeAttribute("aria-invalid");
    }
    $("complaint").textContent = "";
  }

  /**
   * Show the value among the options, of which one is that it is missing, and one the value that training did not have.
   * @param {number} column
   * @param {HTMLSelectElement} select
   */
  #writeChoice(column, select) {
    const value = this.values[column],
      unseen = this.unseen.get(column);
    const isFilled = this.filled.has(column);
    const [missing] = [...select.options].filter((option) => option.value === "");
    select.replaceChildren(
      missing,
      ...[...select.options].filter((option) => Number(option.value) >= 0 && option !== missing),
    );
    missing.textContent = isFilled || unseen !== undefined ? "missing" : this.header.text(column, value);
    if (unseen !== undefined) select.prepend(h("option", { value: UNSEEN }, `${cut(unseen, 60)} (${NOT_SEEN})`));
    select.value = unseen !== undefined ? UNSEEN : isFilled && !Number.isNaN(value) ? String(value) : "";
  }

  /** @param {number} column */
  #field(column) {
    const { name, kind, values } = this.header.attributes[column];
    const id = `attribute-${column}`;
    /** @type {any} */
    let input;
    if (kind === "nominal") {
      const fill = () => {
        if (this.filled.has(column)) return;
        this.filled.add(column);
        input.append(...values.map((value, i) => h("option", { value: i }, cut(value, 60))));
        this.#writeChoice(column, input);
      };
      const choose = () => {
        if (input.value !== UNSEEN) this.#set(column, input.value === "" ? NaN : Number(input.value));
      };
      const look = { id, onpointerdown: fill, onfocus: fill, onchange: choose };
      input = h("select", look, h("option", { value: "" }, "missing"));
      if (values.length <= MANY_VALUES) fill();
    } else {
      input = h("input", {
        id,
        type: "text",
        inputmode: kind === "numeric" ? "decimal" : "text",
        autocomplete: "off",
        placeholder: "missing",
        "aria-describedby": "complaint",
        oninput: () => this.#type(column, input),
      });
    }
    this.inputs.set(column, input);
    return h("p", { class: "field" }, h("label", { for: id, title: name }, cut(name, 40)), input);
  }

  /**
   * @param {number} column
   * @param {HTMLInputElement} input
   */
  #type(column, input) {
    const text = input.value.trim().replaceAll("−", "-"),
      { kind, name, zone } = this.header.attributes[column];
    const isMissing = text === "" || text === "?";
    const form = this.header.forms[column];
    const value = isMissing ? NaN : kind === "date" ? parsedDate(text, form?.pattern, zone) : numberIn(text, form);
    const isWrong = !isMissing && Number.isNaN(value);
    input.toggleAttribute("aria-invalid", isWrong);
    if (isWrong) input.setAttribute("aria-invalid", "true");
    const wanted = kind === "date" ? `date such as ${dateExample(form?.pattern)}` : numberExample(text, form);
    const still = this.header.text(column, this.values[column]);
    $("complaint").textContent = isWrong
      ? `${cut(name, 40)}: expected a ${wanted}, got “${cut(text, 30)}”; the answer is still that for ${cut(still, 30)}`
      : "";
    if (!isWrong) this.#set(column, value);
  }

  /**
   * @param {number} column
   * @param {number} value
   */
  #set(column, value) {
    this.values = Float64Array.from(this.values);
    this.values[column] = value;
    if (this.unseen.delete(column)) this.#write();
    this.#typed();
  }
}
