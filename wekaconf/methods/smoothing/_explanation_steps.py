"""The steps by which the answers of smoothing methods follow from numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray
from wekaconf.data.wording import class_text, counted_weight, number
from wekaconf.methods.contract import Step, node_words
from wekaconf.methods.smoothing._counts import Codes
from wekaconf.methods.smoothing._estimates import LocalEstimate
from wekaconf.methods.smoothing._interpolation import Paths, nodes_above, uniform_estimate
from wekaconf.tree import TreeMirror


def estimate_step(tree: TreeMirror, local: LocalEstimate, node: int, codes: Codes, class_index: int) -> Step:
    """The estimate of a node for one instance: Equation 6, Equation 1 where no attribute is compared, or naive Bayes.

    ``codes`` is (1, n_columns); a class that is not −1 is compared as one more attribute.
    """
    at = np.array([node], dtype=np.int32)
    classes = np.array([class_index]) if class_index >= 0 else None
    instance = local.coded(codes, classes=classes)
    result = local(at, instance, compares_class=True)[:, 0]
    place = node_words(tree, node)
    if local.naive_bayes:
        return Step.given(f"{place}: naive Bayes on its instances", result, kind="node", node=node)
    weight = local.class_weights(at)[:, 0]
    sums = local.sums(at, instance, compares_class=True)[:, 0]
    total = 0.0
    for class_sum in sums.tolist():
        total += class_sum
    words = f"{place}: {counted_weight(float(weight.sum()))}"
    if len(local.n_values):
        known = int(instance.n_known[0])
        words += f", each counted 1 + the number of equal values among {known}: {number(total)}"
    values = {"instances": weight.tolist(), "node": place}
    return Step.frequency(
        words, sums, add=1.0 / local.n_classes, total=total + 1.0, kind="node", node=node, values=values
    )


def path_step(tree: TreeMirror, paths: Paths, weight: FloatArray, local: LocalEstimate, node: int, codes: Codes,
              class_index: int) -> Step:  # fmt: skip
    """Equation 2 for an instance that stops at a node, with the scores divided by their sum."""
    path = int(paths.end[node])
    weights = weight[paths.first[path] : paths.first[path + 1]]
    nodes: NDArray[np.int32] = nodes_above(tree, paths.node[[path]])[:, 0]
    uniform = np.full(local.n_classes, uniform_estimate(local.counts))
    parts = [Step.given("the uniform node above the root, 1 / number of training instances", uniform, kind="uniform")]
    parts += [estimate_step(tree, local, at, codes, class_index) for at in nodes.tolist()]
    scores = Step.weighted("", list(weights), parts, kind="interpolation", node=node)
    shown = class_text(tree.class_names[int(scores.array.argmax())])
    words = f"the estimates of the path, each times its weight for the class, below for {shown}"
    scores = replace(scores, words=words)
    return Step.shares("the scores, in shares that sum to 1", scores, kind="shares", node=node)
