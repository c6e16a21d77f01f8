"""``.sql``: a query that answers for the rows of a table, in the dialect of a database.

A row without missing values finds its leaf by one CASE per test of the tree, nested as deep as the database allows; the
next table goes on below. A row with a missing value on its path walks down the tree in parts, by a recursive query. A
row with a cell that the model refuses is not answered.

The table may have columns of any name. So its cells stand beside one name of the query only, the number of the row, and
the names of that and of the answers begin as no column of the training data does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import quoted
from wekaconf.data import Attribute, value_text
from wekaconf.data.wording import cells
from wekaconf.model.export._exported_model import LEFT_OUT, ExportedModel, Pool, Split
from wekaconf.model.export._exported_parts import LeafSide
from wekaconf.model.export._sql_cells import CellReading, not_missing, reading
from wekaconf.model.export._sql_dialects import (
    BLANKS,
    DEFAULT_DIALECT,
    DIALECTS,
    Dialect,
    fill_template,
    join_expressions,
)
from wekaconf.model.export._sql_tables import pooled, shares, sum_of_terms

_DATE = Attribute("", "date")
TABLE = "instances"
"""The name of the table that is read."""
BRANCH = ("node", "col", "child", "share", "low", "high")
"""The child for cells above ``low`` and up to ``high``, NULL being unbounded; ``share`` is that of a missing cell."""
NOT_ANSWERED = -1
"""The node of a row that is not answered."""


def sql_text(tree: ExportedModel, dialect: str = DEFAULT_DIALECT) -> str:
    """The query.

    Raises
    ------
    OptionError
        A column, or a value, that the tree tests has a name that the database does not allow, or does not tell from
        another.
    """
    return _Query(tree, DIALECTS[dialect]).text()


def check_text(tree: ExportedModel, dialect: str = DEFAULT_DIALECT) -> str:
    """A query for the cells that the model refuses, or takes for missing since training did not have such a value."""
    return _Query(tree, DIALECTS[dialect]).check_text()


class _Query:
    """A query about a model, in a dialect."""

    def __init__(self, tree: ExportedModel, dialect: Dialect) -> None:
        check_names(tree, dialect)
        self.tree, self.dialect = tree, dialect
        self.prefix = _prefix(tree)
        self.row = dialect.name(f"{self.prefix}instance")
        self.classes = range(len(tree.class_names))
        self.readings = [
            reading(column, f"wekaconf_input.{dialect.name(column.name)}", i, dialect)
            for i, column in enumerate(tree.columns)
        ]

    def text(self) -> str:
        """The query for answers."""
        tree = self.tree
        parts = self._cells()
        parts |= self._leaves_of_rows()
        parts |= self._distributions()
        parts |= self._answer_tables()
        what = printable(f"{tree.method} on {tree.learner}, trained on {tree.header.relation}")
        heading = f"-- Answers for the table {self.dialect.name(TABLE)} as a model of wekaconf does: {what}\n"
        if tree.pool is not None:
            heading += f"-- The answer is the pool of {printable(', '.join(_sides_in_words(tree.pool)))}.\n"
        heading += f"-- For {self.dialect.title}. Left out: {', '.join(LEFT_OUT)}.\n"
        return (
            f"{heading}{self._with(parts)}"
            f"SELECT wekaconf_input.*,\n  {self._output()}\nFROM wekaconf_input\n"
            f"LEFT JOIN wekaconf_answered answered ON answered.instance = wekaconf_input.{self.row}\n"
            f"ORDER BY wekaconf_input.{self.row};\n"
        )

    def check_text(self) -> str:
        """The query for cells that cannot be used."""
        name, found = self.dialect.name, []
        for i, (column, read) in enumerate(zip(self.tree.columns, self.readings, strict=True)):
            cases = [(read.is_unread, "the row is not answered: it is no " + column.kind.replace("numeric", "number"))]
            if column.is_nominal:
                unseen = f"meant{i} IS NULL AND {not_missing(f'text{i}', self.dialect)}"
                cases = [
                    (read.is_unread, "the row is not answered: it may mean several values"),
                    (unseen, "not seen in training, so missing"),
                ]
            found += [
                f"SELECT instance AS {name('instance')}, {self.dialect.text_of(column.name)} AS {name('column')},"
                f" {fill_template(self.dialect.text, f'text{i}')} AS {name('cell')}, {self.dialect.text_of(why)} AS"
                f" {name('problem')}\n  FROM wekaconf_meanings WHERE {condition}"
                for condition, why in cases
            ]
        if not found:
            found = [f"SELECT 0 AS {name('instance')} FROM wekaconf_input WHERE 1 = 0"]
        union = "\nUNION ALL ".join(found)
        return (
            f"-- The cells of the table {name(TABLE)} that the model cannot use, by the number of the row.\n"
            f"{self._with(self._cells())}{union}\nORDER BY 1;\n"
        )

    def _with(self, parts: dict[str, str]) -> str:
        def made(name: str, text: str) -> str:
            if name.startswith("part("):
                return f" wekaconf_{name} AS (\n  {text}\n )"
            end = "" if "(" in name else self.dialect.whole
            return f" wekaconf_{name} AS{self.dialect.materialized} (\n  {text}{end}\n )"

        ctes = ",\n".join(made(name, text) for name, text in parts.items())
        return f"WITH RECURSIVE\n{ctes}\n"

    # -- cells -------------------------------------------------------------------------------------------------------

    def _cells(self) -> dict[str, str]:
        """The tables up to ``cells``: a number for each cell, NULL where it is missing or not known from training."""
        dialect = self.dialect
        blanks = fill_template(dialect.blanks, BLANKS)
        cells = "".join(
            f"{fill_template(dialect.text, f'wekaconf_rows.{dialect.name(column.name)}')}, "
            for column in self.tree.columns
        )
        parts = {
            "blanks(blanks)": dialect.table([[dialect.text_of(blanks)]]),
            "input": f"SELECT {fill_template(dialect.row_number, cells)} AS {self.row}, wekaconf_rows.*\n"
            f"  FROM {dialect.name(TABLE)} wekaconf_rows",
            "texts": f"SELECT wekaconf_input.{self.row} AS instance"
            f"{_step_columns(self.readings, 'texts')}\n  FROM wekaconf_input CROSS JOIN wekaconf_blanks",
        }
        last = "texts"
        for step in ("zone", "date"):
            if named := _step_columns(self.readings, step):
                parts[f"{step}s"] = f"SELECT wekaconf_{last}.*{named}\n  FROM wekaconf_{last}"
                last = f"{step}s"
        meant = "".join(f",\n  {each.meant} AS meant{i}, text{i}" for i, each in enumerate(self.readings))
        parts["meanings"] = f"SELECT instance{meant}\n  FROM wekaconf_{last}"
        refusals = join_expressions([f"({each.is_unread})" for each in self.readings], "\n   OR ") or "1 = 0"
        named = "".join(f",\n  {cell} AS c{i}" for i, cell in enumerate(self._filled_cells()))
        parts["cells"] = (
            f"SELECT instance,\n  CASE WHEN {refusals} THEN 1 ELSE 0 END AS is_refused{named}\n  FROM wekaconf_meanings"
        )
        return parts

    def _filled_cells(self) -> Iterator[str]:
        for i, (column, fill) in enumerate(zip(self.tree.columns, self.tree.fills, strict=True)):
            if math.isnan(fill):
                yield f"meant{i}"
            else:
                number = str(int(fill)) if column.is_nominal else self.dialect.number_of(fill)
                yield f"coalesce(meant{i}, {number})"

    # -- leaves ------------------------------------------------------------------------------------------------------

    def _leaves_of_rows(self) -> dict[str, str]:
        """The tables up to ``whole``, the leaf of each row, and ``part``, where a missing value divides it."""
        if len(self.tree.nodes) == 1:
            whole = f"CASE WHEN is_refused = 1 THEN {NOT_ANSWERED} ELSE 0 END"
            return {"whole": f"SELECT wekaconf_cells.*, {whole} AS node\n  FROM wekaconf_cells"}
        parts, table, steps = {}, "cells", [*self._steps()]
        for i, step in enumerate(steps, 1):
            after, node = ("whole", "node") if i == len(steps) else (f"above{i}", f"node{i}")
            parts[after] = f"SELECT wekaconf_{table}.*,\n  {step} AS {node}\n  FROM wekaconf_{table}"
            table = after
        rows = self._cast_first_row(self._branch_rows(), 3)
        parts[f"branch({', '.join(BRANCH)})"] = self.dialect.table(rows)
        parts["part(instance, node, share)"] = self._walk()
        return parts

    def _steps(self) -> Iterator[str]:
        """Each a CASE that goes down so many levels; NULL where a missing value divides the row."""
        below: list[int] = []
        yield self._case(0, 1, below, f"WHEN is_refused = 1 THEN {NOT_ANSWERED}")
        for i in count(1):
            if not below:
                return
            roots, below = below, []
            whens = "".join(f"\n   WHEN {root} THEN {self._case(root, 2, below)}" for root in roots)
            yield f"CASE node{i}{whens}\n   ELSE node{i} END"

    def _case(self, at: int, level: int, below: list[int], first: str = "") -> str:
        """The node to which the subtree at a node leads; the nodes where it is cut off are added to ``below``."""
        split = self.tree.nodes[at]
        if split is None:
            return str(at)
        if level > self.dialect.most_nested:
            below.append(at)
            return str(at)
        margin = "\n" + " " * (2 + level)
        text = f"CASE{margin}{first}" if first else "CASE"
        for condition, words, child in self._branches(split):
            comment = printable(f"{self.tree.columns[split.column].name} {words}{self._answer_in_words(child)}")
            text += f"{margin}-- {comment}{margin}WHEN {condition} THEN {self._case(child, level + 1, below)}"
        return f"{text}{margin[:-1]}END"

    def _branches(self, split: Split) -> Iterator[tuple[str, str, int]]:
        """For each branch its condition, the same in words, and the node that it leads to."""
        cell, column = f"c{split.column}", self.tree.columns[split.column]
        if split.operator == "in":
            for branch, child in enumerate(split.branches):
                places = [value for value, taken in enumerate(split.branch_of_value) if taken == branch]
                names = [column.values[place] for place in places]
                if len(places) == 1:
                    yield f"{cell} = {places[0]}", f"= {names[0]}", child
                elif places:
                    yield f"{cell} IN ({', '.join(map(str, places))})", f"in {', '.join(names)}", child
            return

        def bound(operator: str, point: float) -> tuple[str, str]:
            shown = cells(_DATE, point)[0] if column.kind == "date" and math.isfinite(point) else value_text(point)
            return f"{cell} {operator} {self.dialect.number_of(point)}", f"{operator} {shown}"

        if split.operator == "bins":
            for point, branch in zip(split.points, split.branch_of_value, strict=False):
                yield *bound("<=", point), split.branches[branch]
            rest = bound(">", split.points[-1])[1] if split.points else "is known"
            yield f"{cell} IS NOT NULL", rest, split.branches[split.branch_of_value[-1]]
        elif math.isnan(split.point):
            yield f"{cell} IS NOT NULL", "is known", split.branches[1]
        else:
            yield *bound(split.operator, split.point), split.branches[0]
            yield *bound(">=" if split.operator == "<" else ">", split.point), split.branches[1]

    def _answer_in_words(self, node: int) -> str:
        """What the model answers at a leaf, where it only looks up."""
        side = self.tree.lookup
        if side is None or self.tree.nodes[node] is not None or self.tree.savings is not None:
            return ""
        answer = side.answers[node]
        return f": {self.tree.class_names[answer.index(max(answer))]}"

    def _branch_rows(self) -> Iterator[tuple[str, ...]]:
        """The rows of ``branch``; an inner node where a missing value stops has a leaf of its own, below it."""
        number_of, near = self.dialect.number_of, self.dialect.near
        none = near(1.0), near(0.0)
        for i, split in enumerate(self.tree.nodes):
            if split is None:
                continue
            column, shares = str(split.column), [near(share) if share > 0 else "NULL" for share in split.shares]
            if not any(split.shares):
                yield str(i), column, str(self._stop(i)), near(1.0), *none
            if split.operator in ("in", "bins"):
                for child, share in zip(split.branches, shares, strict=True):
                    yield str(i), column, str(child), share, *none
                ends = [near(float(value)) for value in range(-1, len(split.branch_of_value))]
                if split.operator == "bins":
                    ends = ["NULL", *map(number_of, split.points), "NULL"]
                for branch, (low, high) in zip(split.branch_of_value, pairwise(ends), strict=True):
                    yield str(i), column, str(split.branches[branch]), "NULL", low, high
                continue
            limit, bound = split.limit, "NULL"
            if not math.isnan(limit):
                bound = number_of(limit)
                yield str(i), column, str(split.branches[0]), shares[0], "NULL", bound
            else:
                yield str(i), column, str(split.branches[0]), shares[0], *none
            yield str(i), column, str(split.branches[1]), shares[1], bound, "NULL"

    def _stop(self, node: int) -> int:
        return len(self.tree.nodes) + node

    def _cast_first_row(self, rows: Iterable[Sequence[str]], first: int) -> Iterator[Sequence[str]]:
        """Literal rows whose columns from ``first`` on are doubles, as the first row says."""
        for i, row in enumerate(rows):
            yield row if i else [*row[:first], *map(self.dialect.as_double, row[first:])]

    def _walk(self) -> str:
        """The parts of the rows that a missing value divides, at every node that they reach."""
        one = self.dialect.as_double("1")
        cell = f"CASE b.col {' '.join(f'WHEN {i} THEN c.c{i}' for i in range(len(self.tree.columns)))} END"
        return (
            f"SELECT instance, 0, {one} FROM wekaconf_whole WHERE node IS NULL\n  UNION ALL\n"
            f"  SELECT p.instance, b.child, p.share * CASE WHEN {cell} IS NULL THEN b.share ELSE 1 END\n"
            "  FROM wekaconf_part p JOIN wekaconf_branch b ON b.node = p.node\n"
            "  JOIN wekaconf_whole c ON c.instance = p.instance\n"
            f"  WHERE ({cell} IS NULL AND b.share IS NOT NULL) OR (({cell} > b.low OR b.low IS NULL)\n"
            f"    AND ({cell} <= b.high OR b.high IS NULL) AND {cell} IS NOT NULL)"
        )

    # -- distributions -----------------------------------------------------------------------------------------------

    def _distributions(self) -> dict[str, str]:
        """The tables up to ``proba``, with the columns ``p0`` and so on, and ``decider`` where there is one."""
        tree, n_classes = self.tree, len(self.classes)
        parts: dict[str, str] = {}
        for i, side in enumerate(tree.sides):
            said, suffix = ("proba", "") if tree.pool is None else (f"said{i}", str(i))
            if isinstance(side, LeafSide):
                parts |= self._leaf_distributions(side, f"leaf{suffix}", said)
            else:
                parts |= sum_of_terms(side, str(i), self.dialect) | shares(f"sum{i}", said, n_classes, self.dialect)
        if tree.pool is not None:
            parts["pool"] = pooled(tree.pool, n_classes, self.dialect)
            parts |= shares("pool", "proba", n_classes, self.dialect)
        if tree.decider is not None:
            parts |= self._leaf_distributions(tree.decider, "leaf_that_decides", "decider")
        return parts

    def _leaf_distributions(self, side: LeafSide, leaves: str, said: str) -> dict[str, str]:
        """A row per leaf, and one per instance."""
        dialect, classes = self.dialect, self.classes
        has_parts = side.division != "mean" and len(self.tree.nodes) > 1
        rows = self._cast_first_row(self._leaf_rows(side, has_parts=has_parts), 1)
        columns = ["node", *(f"p{c}" for c in classes), *(f"q{c}" for c in classes if has_parts)]
        proba = "".join(f", l.p{c}" for c in classes)
        at_leaves = f"SELECT w.instance{proba}\n  FROM wekaconf_whole w JOIN wekaconf_{leaves} l ON l.node = w.node"
        if len(self.tree.nodes) > 1:
            at_leaves += f"\n  UNION ALL\n  {self._divided(side, leaves)}"
        return {f"{leaves}({', '.join(columns)})": dialect.table(rows), said: at_leaves}

    def _divided(self, side: LeafSide, leaves: str) -> str:
        """The distributions of the rows that a missing value divides."""
        near, classes = self.dialect.near, self.classes
        if side.division == "mean":
            totals = [f"sum(p.share * l.p{c}) / sum(p.share)" for c in classes]
        else:
            correction = f" + {near(side.correction)}" if side.division == "counts" else ""
            totals = [f"coalesce(sum(p.share * l.q{c}), 0){correction}" for c in classes]
        named = "".join(f",\n    {total} AS p{c}" for c, total in enumerate(totals))
        rows = (
            f"SELECT d.instance{named}\n  FROM wekaconf_whole d\n"
            f"  LEFT JOIN (wekaconf_part p JOIN wekaconf_{leaves} l ON l.node = p.node) ON p.instance = d.instance\n"
            "  WHERE d.node IS NULL GROUP BY d.instance"
        )
        if side.division != "counts":
            return rows
        whole = f"nullif({join_expressions([f'p{c}' for c in classes], ' + ')}, 0)"
        equal = near(1 / len(classes))
        shares = "".join(f", coalesce(p{c} / {whole}, {equal})" for c in classes)
        return f"SELECT instance{shares}\n  FROM ({rows}) divided"

    def _leaf_rows(self, side: LeafSide, *, has_parts: bool) -> Iterator[tuple[str, ...]]:
        for i, (split, answers, parts) in enumerate(zip(self.tree.nodes, side.answers, side.parts, strict=True)):
            if answers:
                at = i if split is None else self._stop(i)
                more = map(self.dialect.near, parts) if has_parts else ()
                yield str(at), *map(self.dialect.number_of, answers), *more

    # -- answers -----------------------------------------------------------------------------------------------------

    def _answer_tables(self) -> dict[str, str]:
        """The tables up to ``answered``: the number of the class, its certainty and the distribution."""
        tree, classes, dialect = self.tree, self.classes, self.dialect
        parts, table, score = {}, "proba", "p"
        proba = "".join(f", a.p{c}" for c in classes)
        if tree.savings is not None:
            saved = ""
            for s, of_answer in enumerate(zip(*tree.savings, strict=True)):
                shares = [f"p{c} * {dialect.number_of(share)}" for c, share in enumerate(of_answer)]
                saved += f",\n  {join_expressions(shares, ' + ')} AS s{s}"
            parts["savings"] = f"SELECT wekaconf_proba.*{saved}\n  FROM wekaconf_proba"
            table, score = "savings", "s"
        scores = [f"{score}{c}" for c in range(len(classes) if tree.savings is None else len(tree.savings[0]))]
        if tree.decider is not None:
            parts["best"] = f"SELECT wekaconf_decider.*, {dialect.largest(scores)} AS most\n  FROM wekaconf_decider"
            certainty = " ".join(f"WHEN {c} THEN a.p{c}" for c in classes)
            parts["class"] = f"SELECT instance, {self._first_of(scores)} AS class\n  FROM wekaconf_best"
            parts["answered"] = (
                f"SELECT a.instance, b.class, CASE b.class {certainty} END AS certainty{proba}\n"
                "  FROM wekaconf_proba a JOIN wekaconf_class b ON b.instance = a.instance"
            )
            return parts
        parts["best"] = f"SELECT wekaconf_{table}.*, {dialect.largest(scores)} AS most\n  FROM wekaconf_{table}"
        parts["answered"] = (
            f"SELECT a.instance, {self._first_of(scores)} AS class, most AS certainty{proba}\n  FROM wekaconf_best a"
        )
        return parts

    def _first_of(self, scores: Sequence[str]) -> str:
        """The first score that is the largest, rounded to twelve decimals."""
        whens = (f"WHEN round({score} * 1e12) = round(most * 1e12) THEN {c}" for c, score in enumerate(scores))
        return f"CASE {' '.join(whens)} END"

    def _output(self) -> str:
        """The columns of the answers; their names differ in more than case."""
        names, dialect = self.tree.class_names, self.dialect
        predicted = " ".join(f"WHEN {c} THEN {dialect.text_of(name)}" for c, name in enumerate(names))
        columns = {
            self.prefix + "predicted": f"CASE answered.class {predicted} END",
            self.prefix + "certainty": "answered.certainty",
        }
        if self.tree.thresholds is not None:
            columns[self.prefix + "rejected"] = self._is_rejected(self.tree.thresholds)
        for c, name in enumerate(names):
            columns[self._unique_name(f"{self.prefix}distribution_{name}", columns)] = f"answered.p{c}"
        return ",\n  ".join(f"{value} AS {dialect.name(name)}" for name, value in columns.items())

    def _is_rejected(self, thresholds: Sequence[float]) -> str:
        """Whether an answer is rejected; a row without an answer is."""
        cases = [f"WHEN {self._rule(each)} THEN TRUE" for each in thresholds]
        if len({*thresholds}) > 1:
            cases = [f"WHEN answered.class = {c} AND {self._rule(each)} THEN TRUE" for c, each in enumerate(thresholds)]
        return f"CASE WHEN answered.class IS NULL THEN TRUE {' '.join(dict.fromkeys(cases))} ELSE FALSE END"

    def _rule(self, threshold: float) -> str:
        if math.isinf(threshold):
            return "1 = 1" if threshold > 0 else "1 = 0"
        return f"answered.certainty < {self.dialect.number_of(threshold)}"

    def _unique_name(self, name: str, taken: Iterable[str]) -> str:
        """The name, cut as the database needs it, or with the first number behind it that no other has in any case."""
        known = {each.lower() for each in taken}
        if not self.dialect.has_plane:
            name = "".join(c if c <= "\uffff" else "_" for c in name)
        endings = ("" if i == 1 else f"_{i}" for i in count(1))
        names = (_cut(name, self.dialect.longest_name - len(ending)) + ending for ending in endings)
        return next(each for each in names if each.lower() not in known)


def _step_columns(readings: Sequence[CellReading], step: str) -> str:
    """The columns of a step of all readings."""
    columns = (item for each in readings for item in getattr(each, step).items())
    return "".join(f",\n  {value} AS {name}" for name, value in columns)


def _cut(name: str, n_bytes: int) -> str:
    return name.encode()[:n_bytes].decode(errors="ignore").rstrip()


def _sides_in_words(pool: Pool) -> Iterator[str]:
    for i, name in enumerate(pool.sides):
        yield f"{name} (wekaconf_said{i})"


def _prefix(tree: ExportedModel) -> str:
    """How the names begin that stand beside those of the table, in any case."""
    known = [attribute.name.lower() for attribute in tree.header.attributes]
    prefixes = ("wekaconf_" if i == 1 else f"wekaconf{i}_" for i in count(1))
    return next(prefix for prefix in prefixes if not any(name.startswith(prefix) for name in known))


def check_names(tree: ExportedModel, dialect: Dialect) -> None:
    """Raise OptionError where the database does not allow a name, or does not tell it from another."""

    def refuse(why: str) -> None:
        raise OptionError(f"{why}; rename it, or take another dialect", value_of="model")

    names = Counter(attribute.name.lower() for attribute in tree.header.attributes)
    database = dialect.title.split()[0]
    for column in tree.columns:
        if names[column.name.lower()] > 1 and not dialect.tells_case:
            refuse(
                f"{database} does not tell the names of two columns apart, one of them {quoted(column.name)}, which "
                "differ by case only"
            )
        if column.name.lower() in dialect.refuses.split():
            refuse(f"{database} does not find a column of the name {quoted(column.name)} in a query")
        if not dialect.has_plane and max(column.name, default="") > "\uffff":
            refuse(f"{database} allows no character beyond U+FFFF in a name, as in {quoted(column.name)}")
        if not dialect.tells_blanks and len({value.rstrip(" ") for value in column.values}) < len(column.values):
            refuse(f"{database} does not tell two values of {quoted(column.name)} apart, which differ by a blank only")
    texts = [text for column in tree.columns for text in (column.name, *column.values)]
    if any("\0" in text for text in (*texts, *tree.class_names)):
        refuse("SQL does not allow the NUL in a name of this model")
