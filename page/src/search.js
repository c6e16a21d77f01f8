/**
 * Finding nodes by attribute, value, class or number.
 */

/**
 * The nodes whose condition, attribute, class or number contains a text, in the order of their numbers.
 * @param {import("./router.js").Router} router
 * @param {import("./header.js").Header} header
 * @param {string} text
 */
export function search({ tree }, header, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const found = [];
  const k = header.nClasses;
  const number = /^#\d+$/.test(wanted) ? Number(wanted.slice(1)) : -1;
  const classes = header.classNames.map((name) => name.toLowerCase().includes(wanted));
  for (let node = 0; node < tree.n_nodes; node++) {
    let isFound = node === number;
    if (node && !isFound) isFound = header.condition(tree, node).toLowerCase().includes(wanted);
    if (!isFound && !tree.n_branches[node]) {
      let best = 0;
      for (let c = 1; c < k; c++) if (tree.answer[node * k + c] > tree.answer[node * k + best]) best = c;
      isFound = classes[best];
    }
    if (isFound) found.push(node);
  }
  return found;
}
