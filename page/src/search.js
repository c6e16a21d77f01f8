/**
 * Finding nodes by attribute, value, class or number.
 */

import { bare } from "./header.js";

/**
 * The nodes that a text is about, in the order of their numbers: it is in the attribute or the class in their box, in
 * the value of the branch to them, or is their number.
 * @param {import("./router.js").Router} router
 * @param {import("./header.js").Header} header
 * @param {string} text
 */
export function search({ tree }, header, text) {
  const wanted = bare(text).trim().toLowerCase();
  const has = (/** @type {string} */ name) => bare(name).toLowerCase().includes(wanted);
  if (!wanted) return [];
  const found = [];
  const k = header.nClasses;
  const number = /^#\d+$/.test(wanted) ? Number(wanted.slice(1)) : -1;
  const classes = header.classNames.map(has);
  const names = header.attributes.map(({ name }) => has(name));
  for (let node = 0; node < tree.n_nodes; node++) {
    let isFound = node === number;
    if (node && !isFound && !names[tree.split_attribute[tree.parent[node]]])
      isFound = has(header.condition(tree, node));
    if (!isFound && tree.n_branches[node]) isFound = names[tree.split_attribute[node]];
    else if (!isFound) {
      let best = 0;
      for (let c = 1; c < k; c++) if (tree.answer[node * k + c] > tree.answer[node * k + best]) best = c;
      isFound = classes[best];
    }
    if (isFound) found.push(node);
  }
  return found;
}
