"""Trees that a test writes down."""

import numpy as np

from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import TreeMirror

LE, LT, EACH, EQUALS, SUBSET = list(SplitKind)[1:]


def written_tree(header, spec, *, routing=Routing.J48, **changes):
    """A mirror of nested tuples (column, kind, point or value, branch 0, branch 1, …).

    A leaf is a list of the weights of its classes, or the number of the class of its one instance. The value of a
    subset is one flag a declared value. ``changes`` are arrays, or texts, that take the place of those that follow.
    """
    flags: list[bool] = []
    specs, parents = [spec], [-1]
    for i, own in enumerate(specs):
        if isinstance(own, tuple):
            specs += own[3:]
            parents += [i] * len(own[3:])
    kinds = [own[1] if isinstance(own, tuple) else SplitKind.LEAF for own in specs]
    weight = np.zeros((len(specs), header.n_classes))
    for i in reversed(range(len(specs))):
        if not isinstance(specs[i], tuple):
            weight[i] += specs[i] if isinstance(specs[i], list) else np.arange(header.n_classes) == specs[i]
        if i:
            weight[parents[i]] += weight[i]
    split_value = np.full(len(specs), -1)
    for i, (own, kind) in enumerate(zip(specs, kinds, strict=True)):
        if kind == EQUALS:
            split_value[i] = own[2]
        if kind == SUBSET:
            split_value[i] = len(flags)
            flags += own[2]
    n_branches = [len(own) - 3 if isinstance(own, tuple) else 0 for own in specs]
    after, total = 1 + np.cumsum(n_branches), weight.sum(axis=1)
    is_j48 = Routing(routing).is_j48
    arrays = {
        "parent": parents,
        "first_child": np.where(np.array(n_branches) > 0, after - n_branches, -1),
        "n_branches": n_branches,
        "split_kind": kinds,
        "split_attribute": [own[0] if isinstance(own, tuple) else -1 for own in specs],
        "split_point": [own[2] if kind in (LE, LT) else np.nan for own, kind in zip(specs, kinds, strict=True)],
        "split_value": split_value,
        "split_subset": flags,
        "class_weight": weight,
        "total": total,
        "branch_weight": [np.nan, *(total[1:] if is_j48 else total[1:] / total[parents[1:]])],
        "branch_class_weight": np.where((np.arange(len(specs)) > 0)[:, None] & is_j48, weight, np.nan),
        "is_empty": [kind == SplitKind.LEAF and not any(own) for kind, own in zip(kinds, weight, strict=True)],
    }
    return TreeMirror(**{"header": header, "routing": routing, **arrays, **changes})
