/**
 * Numbers in the form of the table that the model was made from; see `wekaconf.data.table_files._number_forms`.
 */

/**
 * How a column is written.
 * @typedef {object} Form
 * @property {string} [decimal] mark of a column of numbers
 * @property {string} [thousands] another mark
 * @property {string} [currency]
 * @property {string} [pattern] of a column of dates
 */

const NUMBER = /^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?$|^[-+]?Infinity$|^[-+]?∞$/i;
const ONE_GROUP = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * A number in the form of its column, or with a point or a comma; NaN for others, and for one whose mark may stand before
 * thousands.
 * @param {string} text
 * @param {Form} [form]
 */
export function numberIn(text, form) {
  const { decimal = "", thousands = "", currency = "" } = form ?? {};
  const bare = text
    .replace(currency, "")
    .replace(/[\u00a0\u2009\u202f]/g, " ")
    .replaceAll("’", "'")
    .trim();
  const mark = ONE_GROUP.exec(bare)?.[1];
  if (mark && mark !== (decimal || ".")) return NaN;
  const groups = thousands || (decimal === "," ? "." : ",");
  const whole = bare.split(decimal || ".")[0];
  if (new RegExp(`^[-+]?[1-9]\\d{0,2}(\\${groups}\\d{3})+$`).test(whole)) {
    const digits = bare.replaceAll(groups, "").replace(decimal || ".", ".");
    return decimal && NUMBER.test(digits) ? Number(digits) : NaN;
  }
  return NUMBER.test(bare) ? Number(bare.replace(",", ".").replace(/∞|infinity/i, "Infinity")) : NaN;
}

/**
 * The text of a number with the decimal mark of its column.
 * @param {string} text
 * @param {Form} [form]
 */
export function inForm(text, form) {
  return text.replace(/[.,]/, form?.decimal || ".");
}

/**
 * What is expected in place of a text that is no number.
 * @param {string} text
 * @param {Form} [form]
 */
export function numberExample(text, form) {
  if (/\d[.,]\d{3}/.test(text)) return "number without a mark for thousands";
  return form?.decimal === "," ? "number such as 1,5" : "number";
}
