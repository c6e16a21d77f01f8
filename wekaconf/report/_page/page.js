"use strict";
(() => {
  const NUMBER = /^[-−+]?(\d|\.\d|inf\b)/;
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  // What a cell is sorted by: a number, a text, or null if it is empty or undefined.
  const keyOf = (cell) => {
    const text = cell.textContent.trim();
    if (text === "" || text === "–") return null;
    if (cell.tagName === "TH" || !NUMBER.test(text)) return text;
    const written = text.replace("−", "-");
    return /^[-+]?inf/.test(written) ? (written[0] === "-" ? -Infinity : Infinity) : Number.parseFloat(written);
  };

  // Numbers come before texts; what has no value is last in either order.
  const compare = (a, b, turned) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const sign = turned ? -1 : 1;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return typeof a === "number" ? sign * (a < b ? -1 : a > b ? 1 : 0) : sign * collator.compare(a, b);
  };

  const sort = (table, heading, place) => {
    const turned = heading.getAttribute("aria-sort") === "ascending";
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [keyOf(row.cells[place]), row]);
    rows.sort(([a], [b]) => compare(a, b, turned));
    body.append(...rows.map(([, row]) => row));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", turned ? "descending" : "ascending");
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sort(table, heading, place));
    });
  }

  // Rows of tables, or data sets, whose name contains a text.
  const filter = (input) => {
    const wanted = input.value.trim().toLowerCase();
    const output = input.closest("p").querySelector("output");
    let shown = 0, all = 0;
    document.querySelectorAll(`[data-group="${input.dataset.filters}"]`).forEach((group, at) => {
      const rows = group.tBodies ? [...group.tBodies[0].rows] : [...group.children];
      for (const row of rows) {
        const where = group.tBodies ? row.cells[0] : row.querySelector("summary");
        row.hidden = !where.textContent.toLowerCase().includes(wanted);
        if (at === 0) { all += 1; shown += row.hidden ? 0 : 1; }
      }
    });
    output.textContent = wanted === "" ? "" : `${shown} of ${all}`;
  };
  for (const input of document.querySelectorAll("input[data-filters]")) input.addEventListener("input", () => filter(input));

  for (const box of document.querySelectorAll("input[data-scheme]")) {
    box.disabled = false;
    box.addEventListener("change", () => {
      const part = box.closest(".part");
      for (const drawn of part.querySelectorAll(`[data-of="${box.dataset.scheme}"]`)) drawn.toggleAttribute("hidden", !box.checked);
    });
  }
  for (const element of document.querySelectorAll(".with-script")) element.hidden = false;
})();
