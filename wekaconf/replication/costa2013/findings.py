"""Sentences on the figures of Costa et al. 2013, and our tables beside the printed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wekaconf.replication._cells import Figure, Place, p_cell
from wekaconf.replication._runner import Record
from wekaconf.replication._study import Beside, Finding
from wekaconf.replication.costa2013.comparing import (
    DECIMALS,
    Comparison,
    comparisons,
    complete_sets,
    means,
    methods_of,
    of_first_seed,
)
from wekaconf.replication.costa2013.measurement import BATCH_METHODS

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
    "tpce_all": "TPCE, all cuts",
    "plain_boundary": "plain, class-boundary cuts",
    "plain_laplace_boundary": "Laplace, class-boundary cuts",
}
"""Names of measures and methods."""
PRINTED = {"tpce": "Clus-TPCE", "plain": "Clus-Orig", "bagging": "Clus-Ens", "kukar_kononenko": "Clus-K&K"}
"""The names of the methods in the paper."""
IN_WORDS = {
    "plain": "the plain tree",
    "plain_laplace": "the plain tree with Laplace's correction",
    "bagging": "bagging",
    "kukar_kononenko": "Kukar and Kononenko's reliability",
    "plain_boundary": "the plain tree with its own cuts",
    "plain_laplace_boundary": "the plain tree with its own cuts and Laplace's correction",
}
SAME_CUTS = {
    "class-boundary": ("plain_boundary", "plain_laplace_boundary", "tpce"),
    "all": ("plain", "plain_laplace", "tpce_all"),
}
"""The plain tree, the same with Laplace's correction, and TPCE, by the cuts that all three have."""
MEASURE_OF = {"table 1": "brier", "table 2": "auc", "table 3": "auc_reliability"}
LEVEL = 0.05
N_RESAMPLES = 10_000
FEWEST_RESAMPLED = 10
"""With fewer data sets an interval over resampled ones is not given."""
WINS = "wins/ties/losses of Clus-TPCE"
Selection = Mapping[str, Sequence[Record]]
"""The records of selections of data sets, by their names."""


def protocol(records: Sequence[Record], n_seeds: int) -> list[Finding]:
    """Sentences on the protocol of Tables 1 to 3, and of the other sentences."""
    first = of_first_seed(records)[0]
    seeds = f"seed {first['seed']}" if n_seeds == 1 else f"seeds {first['seed']} to {first['seed'] + n_seeds - 1}"
    tables = Finding(
        "",
        f"{first['protocol'].capitalize()}; trees by information gain; seed {first['seed']} of the bags beside the "
        "published figures. TPCE cuts at class boundaries only, Clus-Orig at every value; bagging (Clus-Ens) has as "
        "many trees as classes. Beside a published p stands that of Wilcoxon's signed-rank test, not "
        "corrected, as in the paper. The paper does not name its 48 data sets: its figures are of others, and "
        "differences come from that too.",
    )
    sentences = Finding(
        "",
        f"In sentences: {seeds} of the bags. plain: class shares at the leaf of one tree; Laplace: the same tree, "
        "(count + 1) / (sum + classes); K&K: Kukar and Kononenko's reliability of plain's answers. Advantages are "
        "means over the data sets with the 95 % interval of Student's t; p is that of Wilcoxon's signed-rank test, "
        "corrected by Holm for all comparisons of TPCE on these sets with this seed; significant: corrected p ≤ "
        f"{LEVEL:g}.",
    )
    return [tables, sentences]


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
            rows[f"{_sets(name, records, [one])}: {NAMES[one.rival]}{seed}"] = _row(one)
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


def claims(part: str, selections: Selection) -> Iterator[Finding]:
    """Sentences on the rivals than which TPCE is significantly better or worse, for every selection and seed."""
    compared = {name: _of_measure(part, records) for name, records in selections.items()}
    for rival in methods_of(MEASURE_OF[part])[1:]:
        parts = []
        for name, records in selections.items():
            with_rival = [one for one in compared[name] if one.rival == rival]
            parts.append(f"on {_sets(name, records, with_rival)} {claim(with_rival)}")
        text = f"{NAMES[MEASURE_OF[part]]}: compared with {IN_WORDS[rival]}, TPCE is {'; '.join(parts)}."
        yield Finding(part, text)


def _sets(name: str, records: Sequence[Record], compared: Sequence[Comparison]) -> str:
    """A selection in words, such as ``45 of the 46 sets`` where both methods have a figure on so many of them."""
    return _of_sets(max(one.wins + one.ties + one.losses for one in compared), name, records)


def _of_sets(n: int, name: str, records: Sequence[Record]) -> str:
    return name if n == len({record["dataset"] for record in records}) else f"{n} of the {name}"


def claim(compared: Sequence[Comparison]) -> str:
    """Comparisons with one rival, one per seed, in words."""
    signs = [one.sign(LEVEL) for one in compared]
    if len(compared) == 1:
        [one] = compared
        words = {1: "significantly better", 0: "not significantly different", -1: "significantly worse"}[signs[0]]
        triple = f"{one.wins}/{one.ties}/{one.losses}"
        return f"{words} ({triple}, {_p('p', one.p)}, {_p('corrected', one.corrected)})"
    better, worse = signs.count(1), signs.count(-1)
    least, most = (f(one.corrected for one in compared) for f in (min, max))
    wins = sorted({one.wins for one in compared})
    span = f"{wins[0]} to {wins[-1]}" if len(wins) > 1 else f"{wins[0]}"
    words = (
        "not significantly different with any of"
        if not better and not worse
        else f"significantly better with {better} and worse with {worse} of"
    )
    p = f"{least:.2g}" if f"{least:.2g}" == f"{most:.2g}" else f"{least:.2g} to {most:.2g}"
    return f"{words} {len(compared)} seeds ({span} wins, corrected p {p})"


def _p(name: str, value: float) -> str:
    """A p-value in a sentence, with another digit where it would round to the level."""
    short = f"{value:.2g}"
    return f"{name} < .0001" if value < 0.0001 else f"{name} = {f'{value:.3g}' if short == f'{LEVEL:g}' else short}"


def cuts(part: str, selections: Selection) -> tuple[Beside, list[Finding]]:
    """The table and the sentences that take Laplace's correction and the rule of cuts apart."""
    measure = MEASURE_OF[part]
    rows: dict[str, list[Figure | None]] = {}
    sentences = []
    every = [method for methods in SAME_CUTS.values() for method in methods]
    for name, records in selections.items():
        n, mean = means(of_first_seed(records), measure, every)
        if not mean:
            continue
        sets, clauses = complete_sets(of_first_seed(records), measure, every), []
        on_sets = _of_sets(n, name, records)
        for rule, (plain, laplace, tpce) in SAME_CUTS.items():
            share = _share(measure, mean[plain], mean[laplace], mean[tpce])
            rows[f"{on_sets}: {rule}"] = [mean[plain], mean[laplace], mean[tpce], share]
            has = "TPCE has no advantage over plain"
            if share:
                has = f"Laplace alone has {share} of TPCE's advantage{_interval_of_share(sets, plain, laplace, tpce)}"
            clauses.append(
                f"Cuts {rule}: plain {mean[plain]:.3f}, Laplace {mean[laplace]:.3f}, TPCE {mean[tpce]:.3f}; {has}."
            )
        (own, _, tpce), (plain, laplace, _) = SAME_CUTS.values()
        whole, by_cuts, by_laplace = (_gain(measure, mean[each] - mean[plain]) for each in (tpce, own, laplace))
        clauses.append(
            f"In the paper's pairing, cuts class-boundary for TPCE and all for the plain tree, TPCE gains {whole}; the "
            f"plain tree gains {by_cuts} by TPCE's cuts alone, {by_laplace} by Laplace's correction alone."
        )
        sentences.append(Finding(part, f"{NAMES[measure]}, means of {on_sets}. {' '.join(clauses)}"))
        for first, rivals in (("tpce", SAME_CUTS["class-boundary"][:2]), ("tpce_all", SAME_CUTS["all"][:2])):
            of_rule = [
                one for one in comparisons(of_first_seed(records), first=first, rivals=rivals) if one.measure == measure
            ]
            told = "; ".join(f"against {NAMES[one.rival]} {claim([one])}" for one in of_rule)
            text = (
                f"{NAMES[measure]} on {_sets(name, records, of_rule)}, the same cuts, corrected for both rivals in all"
            )
            sentences.append(Finding(part, f"{text} measures: {NAMES[first]} {told}."))
    title = f"{NAMES[measure]}: plain, Laplace and TPCE with the same cuts"
    columns = ("plain", "Laplace", "TPCE", "share of Laplace alone")
    return Beside(part, title, columns, rows, 4), sentences


def _share(measure: str, plain: float, laplace: float, tpce: float) -> str:
    """The share of TPCE's advantage over the plain tree that Laplace's correction alone has; empty without one."""
    sign = -1 if measure == "brier" else 1
    if round(sign * (tpce - plain), DECIMALS) <= 0:
        return ""
    return f"{100 * (laplace - plain) / (tpce - plain):.0f} %"


def _interval_of_share(sets: Sequence[Mapping[str, float]], plain: str, laplace: str, tpce: str) -> str:
    """The interval of the share over resampled data sets; empty where there are few."""
    if len(sets) < FEWEST_RESAMPLED:
        return ""
    by_laplace, by_tpce = (np.array([of[name] - of[plain] for of in sets]) for name in (laplace, tpce))
    picks = np.random.default_rng(1).integers(0, len(sets), (N_RESAMPLES, len(sets)))
    part, whole = by_laplace[picks].mean(axis=1), by_tpce[picks].mean(axis=1)
    if np.quantile(whole * np.sign(by_tpce.mean()), 0.025) <= 0:
        return " (which may itself be 0)"
    low, high = 100 * np.quantile(part / whole, (0.025, 0.975))
    return f" (95 % interval {low:.0f} to {high:.0f} %)"


def _gain(measure: str, difference: float) -> str:
    """A difference as an advantage: positive where it is better."""
    return f"{(-difference if measure == 'brier' else difference):+z.3f}"


def disagreements(part: str, selections: Selection) -> list[Finding]:
    """A sentence on the comparisons in which the interval of the mean and Wilcoxon's test disagree."""
    clauses = []
    for name, records in selections.items():
        for one in _of_measure(part, records):
            has_interval, has_rank = one.low > 0 or one.high < 0, one.p <= LEVEL
            if has_interval != has_rank:
                seed = f" (seed {one.seed})" if one.rival == "bagging" else ""
                clauses.append(
                    f"{IN_WORDS[one.rival]}{seed} on {_sets(name, records, [one])}: mean {one.difference:+.4f} "
                    f"[{one.low:+.4f}, {one.high:+.4f}], {_p('p', one.p)}, {one.wins} wins, {one.losses} losses"
                )
    if not clauses:
        return []
    return [
        Finding(
            part,
            f"{NAMES[MEASURE_OF[part]]}: Student's interval of the mean and Wilcoxon's test, neither corrected, "
            f"disagree against {'; '.join(clauses)}. A few large differences move the mean and not the ranks; the "
            "sentences here go by the ranks.",
        )
    ]


# -- section 5 -----------------------------------------------------------------------------------------------------

BATCH = "section 5"
_BATCH_RIVALS = {"AUC against a standard tree": "plain", "AUC against bagging": "bagging"}


def batch(selections: Selection) -> tuple[list[Beside], list[Finding], dict[Place, Figure | None]]:
    """Tables, sentences and our figures on the extension to batches; a figure is a word for all selections."""
    rows: dict[str, list[Figure | None]] = {}
    sentences: list[Finding] = []
    gains: dict[str, list[float]] = {rival: [] for rival in _BATCH_RIVALS.values()}
    for name, records in selections.items():
        compared = comparisons(records, first="tpce_batch", rivals=BATCH_METHODS, measures=("auc",))
        for one in compared:
            rows[f"{name}: {NAMES[one.rival]}, seed {one.seed}"] = _row(one)
        parts = []
        for rival in BATCH_METHODS[1:]:
            with_rival = [one for one in compared if one.rival == rival]
            parts.append(f"against {IN_WORDS[rival]} {claim(with_rival)}")
        sentences.append(Finding(BATCH, f"AUC of the extension to batches on {name}: {'; '.join(parts)}."))
        for rival, of_rival in gains.items():
            of_rival += [one.difference for one in compared if one.rival == rival]
    ours: dict[Place, Figure | None] = {
        (BATCH, "batch extension", column): _word(gains[rival]) for column, rival in _BATCH_RIVALS.items()
    }
    first = next(iter(selections.values()))
    tables = [
        figures(BATCH, first, BATCH_METHODS, "auc"),
        Beside(BATCH, "TPCE in batches against it in AUC", COLUMNS, rows, 4),
    ]
    kind = of_first_seed(first)[0]["protocol"]
    return tables, [Finding(BATCH, f"The extension to batches is measured by {kind}."), *sentences], ours


def _word(gains: Sequence[float]) -> str:
    """The direction of mean advantages, where all of them have the same."""
    return "better" if min(gains) > 0 else "worse" if max(gains) < 0 else "not clear"
