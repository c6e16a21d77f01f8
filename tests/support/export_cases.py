"""Models whose trees are exported, the rows that they are asked about, and the comparison with the model's answers."""

import math
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest

import wekaconf as wc
from support.random_trees import made, random_dataset, random_header, random_tree
from support.written_trees import EQUALS, LE, LT, written_tree
from wekaconf.data import Attribute, ColumnMap, Header
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.thresholds import choose
from wekaconf.methods.second_opinion._side import Cells, Sum, inputs
from wekaconf.methods.second_opinion._sides import sides_of
from wekaconf.model.fitted import Model
from wekaconf.tree._kinds import Routing

POOLS = ("likeliest", "tree", "costs", "below", "lone tree")
"""Second opinions: the kinds of answers, with a threshold at a certainty, and of a tree that answers alone."""
DECIDES_ALONE = "lone tree that decides"
"""Another such kind: the class is the tree's, and its certainty is computed."""
BY_LEAF = ("leaf_frequency", "m_branch", "curtailment", "shrinkage")
"""The methods whose answers depend on the leaf alone."""
SIDES = (
    "laplace+naive_bayes+logistic",
    "naive_bayes",
    "logistic+laplace",
    "laplace",
    "m_branch+naive_bayes",
    "laplace+curtailment+logistic",
)
"""Sides of second opinions that every format holds."""
HOSTILE = (
    "quote ' and \" and '''",
    'triple """ and \\',
    "'''); open('owned', 'w') #",
    '"); DROP TABLE instances; --',
    "line\nbreak\ttab",
    "ünïcode → \u2028 \U0001f600",
    "<a> & ]]> {b} %s $x",
    "\\u0027\\",
)


def model_of(routing, method, seed, *, n=400, max_depth=5, missing=0.15):
    """A model of a random tree, and rows with missing values that it is asked about."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=6)
    train = random_dataset(rng, header, n, 0.1, weights=True)
    tree = random_tree(rng, train, max_depth=max_depth, routing=routing, subsets=bool(seed % 2))
    return Model(made(method).fit(tree, train)), random_dataset(rng, header, 200, missing)


def pooled(tree, train, sides="laplace+naive_bayes+logistic", weights=None, **params):
    """A second opinion of sides that learn beside any tree, with these weights, or drawn ones."""
    kinds = sides_of(sides, "second_opinion")
    arrays = {}
    for i, kind in enumerate(kinds.values()):
        arrays |= {f"{i}/{name}": array for name, array in kind.fit(tree, train).learned().items()}
    if weights is None:
        weights = np.random.default_rng(tree.n_nodes).uniform(0.1, 0.9, len(kinds))
    return wc.SecondOpinion.restore({"sides": sides, **params}, tree, {"weights_": np.asarray(weights), **arrays})


def pooled_model(routing, kind, seed, sides="laplace+naive_bayes+logistic", *, missing=0.15, max_depth=4):
    """A model of second opinions beside a random tree, and rows with missing values, at its ends and beside them."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=6)
    train = random_dataset(rng, header, 150, 0.1, weights=True)
    tree = random_tree(rng, train, max_depth=max_depth, routing=routing, subsets=bool(seed % 2))
    answers = "tree" if kind in ("tree", DECIDES_ALONE) or (kind == "below" and seed % 2) else "likeliest"
    method = pooled(tree, train, sides, [] if kind in ("lone tree", DECIDES_ALONE) else None, answers=answers)
    data = random_dataset(rng, header, 120, missing)
    values = [data.values, *(extreme(data, side, rng) for side in method.members_.values() if isinstance(side, Sum))]
    data = wc.Dataset(header, np.concatenate(values))
    model = Model(method)
    if kind == "costs":
        costs = rng.integers(1, 30, (header.n_classes,) * 2) / 3 * (1 - np.eye(header.n_classes))
        model = replace(model, choice=choose(Aim("cost", (costs, 3.0)), [], []))
    if kind == "below":
        model = replace(model, choice=choose(Aim("below", float(np.median(model.certainty(data)))), [], []))
    return model, data


def asks_tree(model):
    """Whether the tree has a say, so that a value missing on its path matters."""
    method = model.method
    decides = getattr(method, "answers", "") == "tree" and not (model.choice and model.choice.aim.decides)
    return (
        decides
        or any(not isinstance(side, Sum) for side in getattr(method, "members_", {}).values())
        or (not getattr(method, "members_", {}))
    )


def extreme(data, side, rng):
    """Rows with numbers at the ends of the intervals or lines of a sum, right beside them, and far away."""
    rows = data.values[:40].copy()
    for column in inputs(data.header, "numeric", "date"):
        term = side.term(column)
        ends = term.ends if isinstance(term, Cells) else term.center + term.spread * np.array([-10.0, 0.0, 10.0])
        near = [ends, np.nextafter(ends, -math.inf), np.nextafter(ends, math.inf), [math.inf, -math.inf, 1e308, -1e308]]
        chosen = rng.random(len(rows)) < 0.7
        rows[chosen, column] = rng.choice(np.concatenate(near), chosen.sum())
    return rows


def costly_model(routing, method, seed):
    """The same, whose answers random costs decide; some are rejected, and some are not the likeliest class."""
    model, data = model_of(routing, method, seed)
    rng, k = np.random.default_rng(seed), model.header.n_classes
    costs = rng.integers(1, 30, (k, k)) / 3 * (1 - np.eye(k))
    expected = np.unique((model.predict_proba(data) @ costs).min(axis=1).round(6))
    dearest = max(1, round(0.7 * (len(expected) - 1)))
    aim = Aim("cost", (costs, float(expected[dearest - 1 : dearest + 1].mean())))
    return replace(model, choice=choose(aim, [], [])), data


def filtered_model(routing, method, seed):
    """A model whose filters fill, cut, drop and reorder columns, in any order; and rows at every cut, some missing."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=8)
    train = random_dataset(rng, header, 300, 0.1)
    filters, filtered = [], train
    for step in (*rng.permutation(["fill", "cut", "drop"]), "fill"):
        filters.append(column_map(rng, filtered, step))
        filtered = filters[-1].apply(filtered)
    tree = random_tree(rng, filtered, max_depth=4, routing=routing, subsets=bool(seed % 2))
    fitted = pooled(tree, filtered) if method == "second_opinion" else made(method).fit(tree, filtered)
    model = Model(fitted, tuple(filters))
    rows = [random_dataset(rng, header, 60, 0.3).values]
    for step in filters:
        for column in np.flatnonzero(step.is_cut):
            place = header.attributes.index(step.input_header.attributes[step.source[column]])
            for cut in step.cut_points[step.cut_start[column] : step.cut_start[column + 1]]:
                rows.append(np.repeat(rows[0][rng.integers(60, size=1)], 3, axis=0))
                rows[-1][:, place] = (np.nextafter(cut, -math.inf), cut, np.nextafter(cut, math.inf))
    return model, wc.Dataset(header, np.concatenate(rows))


def column_map(rng, data, step):
    """A filter of one kind, fitted on data."""
    attributes, target = list(data.attributes), data.class_index
    n = len(attributes)
    source, fill, is_cut = np.arange(n), np.full(n, np.nan), np.zeros(n, dtype=bool)
    cuts = [np.zeros(0)] * n
    if step == "fill":
        is_filled = rng.random(n) < 0.6
        fill = np.where(is_filled & (np.arange(n) != target), data.typical_values(), np.nan)
    elif step == "cut":
        is_cut = data.header.is_ordered & (rng.random(n) < 0.7)
        for column in np.flatnonzero(is_cut):
            cuts[column] = np.sort(rng.normal(size=rng.integers(6)).round(1))  # none, or some of them equal
            values = tuple(f"bin {i}" for i in range(len(cuts[column]) + 1))
            attributes[column] = Attribute(attributes[column].name, "nominal", values)
    else:
        source = rng.permutation(n)
        source = source[(rng.random(n) < 0.8) | (source == target)]
        attributes = [attributes[column] for column in source]
        fill, is_cut, cuts = fill[source], is_cut[source], [cuts[column] for column in source]
        target = int(np.flatnonzero(source == target)[0])
    start = np.concatenate(([0], np.cumsum([len(each) for each in cuts]))).astype(np.int32)
    header = Header(data.relation, tuple(attributes), target)
    return ColumnMap(data.header, header, source.astype(np.int32), fill, start, np.concatenate(cuts), is_cut)


def hostile_model(name, *, is_pooled=False):
    """A model whose every name is this text, with a row per branch."""
    header = Header(
        name,
        (
            Attribute(f"x{name}"),
            Attribute(name, "nominal", (name, f"{name}2", "plain")),
            Attribute(f"class {name}", "nominal", (f"{name}3", f"{name}4")),
        ),
        2,
    )
    rng = np.random.default_rng(1)
    train = random_dataset(rng, header, 120, 0.1)
    tree = random_tree(rng, train, max_depth=3)
    method = pooled(tree, train) if is_pooled else wc.LeafFrequency().fit(tree, train)
    return Model(method), random_dataset(rng, header, 40, 0.1)


def chain(depth):
    """A tree that is a chain of numeric splits, one leaf at each."""
    below = [1.0, 2.0]
    for i in range(depth):
        below = (0, LE, i / 10 - depth / 20, [float(i % 7), float(i % 5 + 1)], below)
    header = Header("chain", (Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    tree = written_tree(header, below)
    return Model(wc.LeafFrequency.restore({}, tree, {}))


def balanced(depth):
    """A tree with 2 ** depth leaves, numeric and nominal splits, and classes that alternate."""
    nominal = Attribute("n", "nominal", ("p", "q", "r"))
    header = Header("balanced", (Attribute("x"), Attribute("y"), nominal, Attribute("class", "nominal", ("a", "b"))), 3)
    rng = np.random.default_rng(depth)

    def spec(level):
        if level == depth:
            return [float(rng.integers(1, 9)), float(rng.integers(9))]
        if level % 5 == 4:
            return (2, EQUALS, int(rng.integers(3)), spec(level + 1), spec(level + 1))
        return (level % 2, LE, float(rng.normal()), spec(level + 1), spec(level + 1))

    return Model(wc.LeafFrequency.restore({}, written_tree(header, spec(0)), {}))


def odd_points():
    """A model whose split points are infinite, or none of the numbers, and rows with such cells."""
    header = Header("odd", (Attribute("x"), Attribute("y"), Attribute("class", "nominal", ("a", "b"))), 2)
    never = (0, LE, math.nan, [2.0, 3.0], [3.0, 5.0])
    lowest = (0, LE, -math.inf, [1.0, 6.0], (1, LT, -math.inf, [4.0, 3.0], never))
    highest = (0, LT, math.inf, lowest, [7.0, 1.0])
    tree = written_tree(header, (0, LE, math.inf, highest, [1.0, 1.0]))
    cells = np.array([-math.inf, -1e308, 0.0, 1e308, math.inf, math.nan])
    rows = [[x, y, math.nan] for x in cells for y in cells]
    return Model(wc.LeafFrequency.restore({}, tree, {})), wc.Dataset(header, np.array(rows))


def at_edges(model):
    """The model, and some random rows, each with the split point of a node in its column, or one of its neighbours."""
    tree = model.method.tree_
    data = random_dataset(np.random.default_rng(9), model.header, 30, 0.05)
    parts = []
    for node in np.flatnonzero(~np.isnan(tree.split_point)):
        point = tree.split_point[node]
        for value in (np.nextafter(point, -math.inf), point, np.nextafter(point, math.inf), *single(point)):
            values = data.values.copy()
            values[:, tree.split_attribute[node]] = value
            parts.append(values)
    return model, wc.Dataset(model.header, np.concatenate(parts))


def single(point):
    """The largest double that single precision rounds to at most ``point``, as CART does, and the one above."""
    low = float(np.float32(point))
    half = (low + float(np.nextafter(np.float32(point), np.float32(np.inf)))) / 2
    return half, np.nextafter(half, math.inf)


def rows_of(model, data):
    """The rows as mappings of Python's values, without the class; missing values are None."""
    attributes = [(i, known) for i, known in enumerate(model.header.attributes) if i != model.header.class_index]
    return [
        {
            known.name: None if math.isnan(row[i]) else known.values[int(row[i])] if known.is_nominal else row[i]
            for i, known in attributes
        }
        for row in data.values.tolist()
    ]


def unseen_rows(model):
    """Rows in which a fifth of the nominal values is unknown to the model, and the same with missing values there."""
    data = random_dataset(np.random.default_rng(3), model.header, 200, 0.0)
    values, rng = data.values.copy(), np.random.default_rng(4)
    is_nominal = model.header.is_nominal & (np.arange(len(model.header.attributes)) != model.header.class_index)
    values[(rng.random(values.shape) < 0.2) & is_nominal] = np.nan
    missing = wc.Dataset(model.header, values)
    rows = rows_of(model, missing)
    return [{name: "never seen" if cell is None else cell for name, cell in row.items()} for row in rows], missing


def majority_answer(tree, header, row):
    """What the exported tree answers for a row whose missing values take the branch of the largest share."""
    node = 0
    while (split := tree.nodes[node]) is not None:
        cell = row[header.attributes.index(tree.columns[split.column])]
        branch = split.shares.index(max(split.shares))
        if not math.isnan(cell):
            branch = split.branch_of_value[int(cell)] if split.operator == "in" else int(not cell <= split.limit)
        node = split.branches[branch]
    return tree.sides[0].answers[node]


def assert_same(answers, model, data):
    """That the answers, each as `standalone.answer_of` gives it, are those of the model."""
    answer, names = model.answer(data), model.method.tree_.class_names
    assert len(answers) == len(data)
    proba = np.array([[one["distribution"][name] for name in names] for one in answers])
    np.testing.assert_allclose(proba, answer.proba, rtol=0, atol=1e-12)
    np.testing.assert_allclose([one["certainty"] for one in answers], answer.certainty, rtol=0, atol=1e-12)
    assert [one["predicted"] for one in answers] == [names[c] for c in answer.predicted]
    if model.thresholds is None:
        assert {one["rejected"] for one in answers} == {None}
    else:
        assert [one["rejected"] for one in answers] == answer.rejected(model.thresholds).tolist()


def rejecting(model, data, share):
    """The model with the threshold below which so large a share of its answers lies, 1: all; and the data."""
    below = math.inf if share == 1 else float(np.quantile(model.certainty(data), share))
    return replace(model, choice=choose(Aim("below", below), [], [])), data


def kinds():
    """For each kind of model that formats hold: a function of routing and seed, for it and the data that it is asked.

    A third result are the rows, where these hold more than data can.
    """
    found = {}
    for method in BY_LEAF:
        found[method] = partial(model_of, method=method)
        found[f"{method}, costs"] = partial(costly_model, method=method)
        found[f"{method}, filters"] = partial(filtered_model, method=method)
        found[f"{method}, half rejected"] = lambda method=method, **drawn: rejecting(
            *model_of(method=method, **drawn), 0.5
        )
    for sides, kind in product(SIDES, POOLS):
        found[f"pool of {sides}, {kind}"] = partial(pooled_model, kind=kind, sides=sides)
    for number, name in enumerate(HOSTILE):
        found[f"names {number}"] = lambda routing, seed, name=name: hostile_model(name, is_pooled=bool(seed % 2))
    return found | {
        "pool, filters": partial(filtered_model, method="second_opinion"),
        "all rejected": lambda **drawn: rejecting(*model_of(method="m_branch", **drawn), 1),
        "split points and their neighbours": lambda **drawn: at_edges(model_of(method="leaf_frequency", **drawn)[0]),
        "infinite split points": lambda routing, seed: odd_points(),
        "large tree": lambda routing, seed: asked_at_random(balanced(13)),
        "deep tree": lambda routing, seed: asked_at_random(chain(200)),
        "unseen values": lambda **drawn: with_unseen(*model_of(method="m_branch", **drawn)),
        "unseen values, filters": lambda **drawn: with_unseen(*filtered_model(method="m_branch", **drawn)),
        "unseen values, pool": lambda seed, routing: with_unseen(*pooled_model(routing, POOLS[seed % 2], seed)),
    }  # fmt: skip


KINDS = kinds()
COSTLY = [kind for kind in KINDS if "costs" in kind]


def case_of(kind, routing, seed):
    """A model, the data that it is asked about, and their rows."""
    model, data, *rows = KINDS[kind](routing=routing, seed=seed)
    return model, data, rows[0] if rows else rows_of(model, data)


def each_case(kinds, n_seeds=3):
    """A decorator for a test of models of some kinds, with every routing."""

    def decorated(test):
        for name, values in {"seed": range(n_seeds), "routing": list(Routing), "kind": [*kinds]}.items():
            test = pytest.mark.parametrize(name, values)(test)
        return test

    return decorated


def asked_at_random(model):
    """The model, and rows drawn at random."""
    return model, random_dataset(np.random.default_rng(5), model.header, 100, 0.02)


def with_unseen(model, data):
    """The model, and rows with values that it does not know; see `unseen_rows`."""
    rows, missing = unseen_rows(model)
    return model, missing, rows
