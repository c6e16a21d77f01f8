/**
 * What of an instance lies beyond the training data, in the words of `wekaconf.data._training_summary`.
 */

/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("./unpack.js").Numbers} Numbers */

/**
 * @typedef {object} Summary
 * @property {Numbers} least of each attribute; NaN: no limit
 * @property {Numbers} greatest
 * @property {Numbers} start where the values of each attribute begin in `is_seen`
 * @property {Numbers} is_seen whether training had the value
 */

const MOST_TOLD = 3;
export const NOT_SEEN = "not seen in training";

/**
 * The attributes that lie outside, with their limits; empty if none does.
 * @param {Header} header
 * @param {Summary} summary
 * @param {ArrayLike<number>} values
 * @param {Map<number, string>} [unseen] the values, by column, that training did not declare, and that are missing here
 */
export function outsideText(header, { least, greatest, start, is_seen: isSeen }, values, unseen = new Map()) {
  const told = [];
  for (const [column, { name, kind }] of header.attributes.entries()) {
    const value = values[column];
    const undeclared = unseen.get(column);
    if (undeclared !== undefined) told.push(`${name} '${undeclared}', ${NOT_SEEN}`);
    if (Number.isNaN(value)) continue;
    if (kind === "nominal" && start[column + 1] > start[column] && !isSeen[start[column] + value]) {
      told.push(`${name} '${header.text(column, value)}', ${NOT_SEEN}`);
    } else if (value > greatest[column]) {
      told.push(beyond(header, column, value, greatest[column], "most"));
    } else if (value < least[column]) {
      told.push(beyond(header, column, value, least[column], "least"));
    }
  }
  const nMore = told.length - MOST_TOLD;
  return [...told.slice(0, MOST_TOLD), ...(nMore > 0 ? [`and ${nMore} more`] : [])].join("; ");
}

/**
 * @param {Header} header
 * @param {number} column
 * @param {number} value
 * @param {number} limit
 * @param {"most" | "least"} which
 */
function beyond(header, column, value, limit, which) {
  const [found, end] = header.texts(column, value, limit);
  return `${header.attributes[column].name} ${found}, training at ${which} ${end}`;
}
