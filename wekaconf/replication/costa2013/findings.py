"""Sentences on the figures of Costa et al. 2013, and our tables beside the printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wekaconf.base.naming import counted
from wekaconf.replication.cells import Figure, Place, p_cell
from wekaconf.replication.costa2013.comparing import DECIMALS, Comparison, comparisons, means, methods_of, of_first_seed
from wekaconf.replication.costa2013.measurement import BATCH_METHODS
from wekaconf.replication.runner import Record
from wekaconf.replication.study import Beside, Finding

NAMES = {
    "brier": "Brier score",
    "auc": "AUC",
    "auc_reliability": "AUC reliability",
    "tpce": "TPCE",
    "tpce_batch": "TPCE, batch",
    "plain": "plain",
    "plain_laplace": "Laplace",
    "bagging": "bagging",
    "kukar_kononenko": "K&K",
}
"""Names of measures and methods."""
PRINTED = {"tpce": "Clus-TPCE", "plain": "Clus-Orig", "bagging": "Clus-Ens", "kukar_kononenko": "Clus-K&K"}
"""The names of the methods in the paper."""
IN_WORDS = {
    "plain": "the plain tree",
    "plain_laplace": "the plain tree with Laplace's correction",
    "bagging": "bagging",
    "kukar_kononenko": "Kukar and Kononenko's reliability",
}
MEASURE_OF = {"table 1": "brier", "table 2": "auc", "table 3": "auc_reliability"}
LEVEL = 0.05
WINS = "wins/ties/losses of Clus-TPCE"
Selection = Mapping[str, Sequence[Record]]
"""The records of selections of data sets, by their names."""


def protocol(records: Sequence[Record], n_seeds: int) -> Finding:
    """A sentence on the protocol of Tables 1 to 3."""
    first = of_first_seed(records)[0]
    seeds = f"seed {first['seed']}" if n_seeds == 1 else f"seeds {first['seed']} to {first['seed'] + n_seeds - 1}"
    return Finding(
        "",
        f"{first['protocol']}; trees by information gain; {seeds} of the bags. plain: class shares at the leaf of one "
        "tree, every value a cut point; Laplace: the same tree, (count + 1) / (sum + classes); bagging: as many trees "
        "as classes; K&K: Kukar and Kononenko's reliability of plain's answers. Advantages are means over the data "
        "sets with the 95 % interval of Student's t; p is that of Wilcoxon's signed-rank test, corrected by Holm for "
        f"all comparisons of TPCE on these sets with this seed; significant: corrected p ≤ {LEVEL:g}. The paper does "
        "not name its 48 data sets: its figures are of others, and differences come from that too.",
    )


def cells_of(part: str, records: Sequence[Record]) -> dict[Place, Figure | None]:
    """Our figures for the printed ones of a table, with the first seed of the bags."""
    measure = MEASURE_OF[part]
    _, mean = means(of_first_seed(records), measure)
    ours: dict[Place, Figure | None] = {
        (part, PRINTED[method], "average"): value for method, value in mean.items() if method in PRINTED
    }
    for one in comparisons(of_first_seed(records)):
        if one.measure == measure and one.rival in PRINTED:
            ours[part, PRINTED[one.rival], WINS] = one.wins, one.ties, one.losses
            ours[part, PRINTED[one.rival], "p-value"] = "<0.0001" if one.p < 0.0001 else one.p
    return ours


def figures(part: str, records: Sequence[Record], methods: Sequence[str] = (), measure: str = "") -> Beside:
    """The table of every method on every data set, with the first seed."""
    measure = measure or MEASURE_OF[part]
    methods = methods or methods_of(measure)
    first = of_first_seed(records)
    by_place = {(record["dataset"], record["method"]): record[measure] for record in first}
    names = list(dict.fromkeys(record["dataset"] for record in first))
    n, mean = means(first, measure, methods)
    rows: dict[str, list[Figure | None]] = {
        name: [by_place.get((name, method)) for method in methods] for name in names
    }
    rows[f"mean of {n}"] = [mean.get(method) for method in methods]
    return Beside(part, f"{NAMES[measure]}, seed {first[0]['seed']}", [NAMES[method] for method in methods], rows, 4)


def rivals(part: str, selections: Selection, n_seeds: int) -> Beside:
    """The table of TPCE against every rival, for every selection and seed."""
    rows: dict[str, list[Figure | None]] = {}
    for name, records in selections.items():
        for one in _of_measure(part, records):
            seed = f", seed {one.seed}" if one.rival == "bagging" and n_seeds > 1 else ""
            rows[f"{name}: {NAMES[one.rival]}{seed}"] = _row(one)
    return Beside(part, f"TPCE against it in {NAMES[MEASURE_OF[part]]}", COLUMNS, rows, 4)


COLUMNS = ("wins/ties/losses", "advantage", "from", "to", "p", "p, Holm")


def _row(one: Comparison) -> list[Figure | None]:
    triple: Figure = (one.wins, one.ties, one.losses)
    return [triple, one.difference, one.low, one.high, p_cell(one.p), p_cell(one.corrected)]


def _of_measure(part: str, records: Sequence[Record]) -> list[Comparison]:
    """The comparisons of a table: with every seed for bagging, with the first for methods that draw nothing."""
    of_table = [one for one in comparisons(records) if one.measure == MEASURE_OF[part]]
    first = min(one.seed for one in of_table)
    order = methods_of(MEASURE_OF[part])
    return sorted(
        (one for one in of_table if one.rival == "bagging" or one.seed == first), key=lambda one: order.index(one.rival)
    )


def claims(part: str, selections: Selection) -> list[Finding]:
    """Sentences on the rivals than which TPCE is significantly better or worse, for every selection and seed."""
    sentences = []
    for rival in methods_of(MEASURE_OF[part])[1:]:
        parts = []
        for name, records in selections.items():
            compared = [one for one in _of_measure(part, records) if one.rival == rival]
            parts.append(f"on {_sets(name, records, compared)} {claim(compared)}")
        text = f"{NAMES[MEASURE_OF[part]]}, TPCE against {IN_WORDS[rival]}: {'; '.join(parts)}."
        sentences.append(Finding(part, text))
    return sentences


def _sets(name: str, records: Sequence[Record], compared: Sequence[Comparison]) -> str:
    """A selection in words, such as ``45 of the 46 sets`` where both methods have a figure on so many of them."""
    n = max(one.wins + one.ties + one.losses for one in compared)
    return name if n == len({record["dataset"] for record in records}) else f"{n} of the {name}"


def claim(compared: Sequence[Comparison]) -> str:
    """Comparisons with one rival, one per seed, in words."""
    signs = [one.sign(LEVEL) for one in compared]
    if len(compared) == 1:
        [one] = compared
        words = {1: "significantly better", 0: "no significant difference", -1: "significantly worse"}[signs[0]]
        triple = f"{one.wins}/{one.ties}/{one.losses}"
        return f"{words} ({triple}, {_p('p', one.p)}, {_p('corrected', one.corrected)})"
    better, worse = signs.count(1), signs.count(-1)
    least, most = (f(one.corrected for one in compared) for f in (min, max))
    wins = sorted({one.wins for one in compared})
    span = f"{wins[0]} to {wins[-1]}" if len(wins) > 1 else f"{wins[0]}"
    words = (
        "no significant difference with any of"
        if not better and not worse
        else f"significantly better with {better}, worse with {worse} of"
    )
    p = f"{least:.2g}" if f"{least:.2g}" == f"{most:.2g}" else f"{least:.2g} to {most:.2g}"
    return f"{words} {len(compared)} seeds ({span} wins, corrected p {p})"


def _p(name: str, value: float) -> str:
    """A p-value in a sentence."""
    return f"{name} < .0001" if value < 0.0001 else f"{name} = {value:.2g}"


def smoothing(part: str, records: Sequence[Record]) -> Finding:
    """A sentence on the share of TPCE's advantage over the plain tree that Laplace's correction has alone."""
    measure = MEASURE_OF[part]
    n, mean = means(of_first_seed(records), measure)
    gain = mean["tpce"] - mean["plain"] if mean else 0.0
    name = NAMES[measure]
    if round(-gain if measure == "brier" else gain, DECIMALS) <= 0:
        return Finding(part, f"{name}: TPCE has no advantage over the plain tree, in the means of {n} data sets.")
    share = (mean["plain_laplace"] - mean["plain"]) / gain
    has = f"{'all of it and more, ' if share > 1 else ''}{100 * share:.0f} %"
    return Finding(
        part,
        f"{name}: of TPCE's advantage over the plain tree ({mean['plain']:.3f} to {mean['tpce']:.3f}, means of "
        f"{counted(n, 'data set')}) the plain tree with Laplace's correction alone already has {has} "
        f"({mean['plain_laplace']:.3f}).",
    )


# -- section 5 -----------------------------------------------------------------------------------------------------

BATCH = "section 5"
_BATCH_RIVALS = {"AUC against a standard tree": "plain", "AUC against bagging": "bagging"}


def batch(selections: Selection) -> tuple[list[Beside], list[Finding], dict[Place, Figure | None]]:
    """Tables, sentences and our figures on the extension to batches; the figures are those of the first selection."""
    rows: dict[str, list[Figure | None]] = {}
    sentences: list[Finding] = []
    ours: dict[Place, Figure | None] = {}
    for name, records in selections.items():
        compared = comparisons(records, first="tpce_batch", rivals=BATCH_METHODS, measures=("auc",))
        for one in compared:
            rows[f"{name}: {NAMES[one.rival]}, seed {one.seed}"] = _row(one)
        parts = []
        for rival in BATCH_METHODS[1:]:
            with_rival = [one for one in compared if one.rival == rival]
            parts.append(f"against {IN_WORDS[rival]} {claim(with_rival)}")
        sentences.append(Finding(BATCH, f"AUC of the extension to batches on {name}: {'; '.join(parts)}."))
        if name == next(iter(selections)):
            for column, rival in _BATCH_RIVALS.items():
                gains = [one.difference for one in compared if one.rival == rival]
                ours[BATCH, "batch extension", column] = _word(sum(gains))
    first = next(iter(selections.values()))
    tables = [
        figures(BATCH, first, BATCH_METHODS, "auc"),
        Beside(BATCH, "TPCE in batches against it in AUC", COLUMNS, rows, 4),
    ]
    kind = of_first_seed(first)[0]["protocol"]
    return tables, [Finding(BATCH, f"The extension to batches is measured by {kind}."), *sentences], ours


def _word(gain: float) -> str:
    return "better" if gain > 0 else "worse" if gain < 0 else "equal"
