"""What `test_threads` runs in a process of its own: everything for the first time, and by several threads at once.

Arguments: how many instances are asked about, the methods to ask, all when none is named, and learners to leave out,
each after a minus sign.
"""

import sys
import threading
import warnings
from pathlib import Path

import numpy as np

import wekaconf as wc
from wekaconf.bridge import fit_filter

N_THREADS = 4
"""More than cores; each does all the work."""
ARFF = Path(__file__).parents[2] / "arff"
LEARNERS = {
    "J48": "",
    "C44": "",
    "REPTree": "",
    "RandomTree": "",
    "RandomForest": "-I 3",
    "Bagging": "-I 3",
    "CART": "",
    "info_gain": "",
}
METHODS = {"wpe": {"numeric": "bins"}, "shrinkage_wpe": {"numeric": "bins"}}
"""Parameters without which a method would refuse numbers."""
SLOW = {"tpce": 30, "kukar_kononenko": 30}
"""How many instances a method is asked about that grows a tree for each."""
ALONE = "weka.filters.unsupervised.attribute.NumericToNominal"
"""A filter that has no arrays, so that all threads ask one object in Java."""


def at_once(work, n_threads=8):
    """What each of the threads makes of its number; they begin together."""
    together, made = threading.Barrier(n_threads), [None] * n_threads

    def begin(number):
        together.wait()
        try:
            made[number] = work(number)
        except Exception as error:
            made[number] = error

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return made


def turned(items, number):
    """The items from another one on for each thread, so that they come to the same ones at different times."""
    items = list(items)
    return items[number % len(items) :] + items[: number % len(items)]


def answers(asked, data):
    """All that a tree or a method tells of instances, for comparing."""
    if isinstance(asked, wc.Method):
        data = data.take(slice(SLOW.get(asked.name)))
        explained = asked.explain(data)
        return [
            asked.predict_proba(data),
            asked.ranking(data),
            asked.certainty(data),
            explained.instance,
            explained.node,
            explained.kind,
        ]
    return [asked.predict_proba(data)]


def many(data, n):
    """Rows drawn from ``data``, a tenth of the cells missing."""
    rng = np.random.default_rng(1)
    drawn = data.take(rng.integers(len(data), size=n))
    values = drawn.values.copy()
    values[rng.random(values.shape) < 0.1] = np.nan
    return wc.Dataset(data.header, values)


def same(ours, theirs):
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list | tuple):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, np.ndarray):
        return isinstance(theirs, np.ndarray) and np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f")
    return type(ours) is type(theirs) and ours == theirs


def everything(number, data, asked, methods):
    """Folds, filters, trees, methods and an evaluation, each made by the thread itself."""

    def fitted(name):
        method = wc.method(name, **METHODS.get(name, {}))
        return answers(method.fit(wc.grow(data, *(method.learner or ("J48", ""))), data), asked)

    work = {
        ("learner", name): lambda name=name: answers(wc.grow(data, name, LEARNERS[name]), asked) for name in LEARNERS
    }
    work |= {("method", name): lambda name=name: fitted(name) for name in methods}
    work["folds"] = lambda: wc.folds(data, 5, 1)
    work["filter"] = lambda: fit_filter(data, ALONE, "-R first").apply(data).values
    work["evaluation"] = lambda: [
        [record["pooled"], given.proba] for record, given in wc.evaluate(data, ["confdtree", "leaf_frequency"], folds=3)
    ]
    return {name: work[name]() for name in turned(work, 3 * number)}


def shared(data, asked, methods):
    """The same objects, asked by all threads for the first time."""
    wanted = []
    for name in methods:
        method = wc.method(name, **METHODS.get(name, {}))
        tree = wc.grow(data, *(method.learner or ("J48", "")))
        wanted += [method.fit(tree, data), tree]
    wanted += [wc.grow(data, name, options) for name, options in LEARNERS.items()]
    fitted = fit_filter(data, ALONE, "-R first")

    def ask(number):
        told = {place: answers(wanted[place], asked) for place in turned(range(len(wanted)), 5 * number)}
        return told | {"filter": [fitted.apply(data.take(slice(rows))).values for rows in range(20, 150, 10)]}

    return [*at_once(ask, N_THREADS), ask(0)]


def differing(made):
    """What a thread made otherwise than the one that came last, alone."""
    return [
        f"{number} {name}"
        for number, own in enumerate(made[:-1])
        for name in made[-1]
        if isinstance(own, Exception) or not same(own[name], made[-1][name])
    ] + [repr(own) for own in made if isinstance(own, Exception)]


if __name__ == "__main__":
    warnings.simplefilter("ignore", wc.Note)
    iris = wc.load_arff(ARFF / "iris.arff")
    large = many(iris, int(sys.argv[1]))
    for name in [word for word in sys.argv[2:] if word.startswith("-")]:
        del LEARNERS[name[1:]]
    names = [word for word in sys.argv[2:] if not word.startswith("-")] or list(wc.available_methods())
    made = at_once(lambda number: everything(number, iris, large, names), N_THREADS)
    print(differing([*made, everything(0, iris, large, names)]))
    print(differing(shared(iris, large, names)))
