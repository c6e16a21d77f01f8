"""The reasons of every method, written one instance at a time from its events, its answer and what was learned."""

import math
from collections import Counter

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.base.naming import counted, shown
from wekaconf.base.rounding import most_probable
from wekaconf.data.wording import apart, cells, class_share, class_text, interval, number, percent
from wekaconf.methods.boundary_distance import _regions as regions
from wekaconf.tree._conditions import condition_in_words, listed, split_on
from wekaconf.tree._kinds import Routing, SplitKind

EQUAL = 1e-9
MOST_LIMITS, MOST_NODES, MOST_CHANGES, MOST_ASSUMED = 3, 3, 4, 3


def reasons(method, data):
    """One sentence per instance."""
    answer = method.answer(data)
    write = WRITERS[method.name](method, data, answer)
    return [printable(write(i).strip()) for i in range(len(data))]


# ---- the leaf ----


def leaf_sentence(tree, row, proba, answer_text="", note=""):
    """The leaf that tells most of the answer: of the predicted class, filled, with the largest part, the lowest."""
    predicted = int(most_probable(proba[None])[0])
    ends = ends_of(tree, row)
    node, share = told_end(tree, ends, predicted)
    is_answer = is_of(tree, node, predicted)
    alike = [part for other, part in ends if is_of(tree, other, predicted) == is_answer]
    told = predicted if is_answer else int(tree.class_weight[node].argmax())
    text = describe_node(tree, node, told) + (f"; {condition_in_words(tree, node)}" if node else "")
    agrees = is_answer and sum(alike) > 0.5 - EQUAL
    if len(ends) > 1:
        classes = f"class {class_text(tree.class_names[predicted])}" if is_answer else "other classes"
        where = f"a {text}"
        if len(alike) > 1:
            where = f"{len(alike)} leaves of {classes}, {percent(share)} of it in a {text}"
        part = part_text(sum(alike))
        text = f"{part} of the instance, split by the missing value of {missing_name(tree, row)}, ends in {where}"
    elif not agrees:
        text = f"it ends in a {text}"
    if not agrees:
        text = f"{answer_text or 'the tree answers ' + likeliest(tree, proba)}, although {text}"
    elif answer_text:
        text = f"{text}; {answer_text}"
    return f"{text}; {note}" if note else text


def ends_of(tree, row):
    """The leaves where the parts of an instance end, each with its part."""
    _, nodes, shares = tree.router.paths(row[None])
    return list(zip(nodes.tolist(), shares.tolist(), strict=True))


def told_end(tree, ends, predicted):
    """The end of the predicted class, filled, with the largest part, and the lowest."""
    return min(ends, key=lambda end: (not is_of(tree, end[0], predicted), not is_filled(tree, end[0]), -end[1], end[0]))


def part_text(share):
    if share > 1 - EQUAL:
        return "all"
    return percent(share) if share > 0.5 - EQUAL else f"only {percent(share)}"


def is_filled(tree, node):
    return bool((tree.class_weight[node] > 0).any())


def is_of(tree, node, c):
    weight = tree.class_weight[node] if is_filled(tree, node) else tree.router.answer[node]
    return bool(weight[c] >= weight.max() * (1 - EQUAL))


def counts(total, part):
    """Whole numbers; with a decimal below ten, or more where the part would seem to be all or nothing, and is not."""
    for decimals in range(1 if total < 10 else 0, 4):
        many, few = (round(weight, decimals) for weight in (total, part))
        if (part < total) == (few < many) and (part > 0) == (few > 0):
            return tuple(f"{weight:.{decimals}f}" if weight % 1 else f"{weight:.0f}" for weight in (total, part))
    return apart(total, part)


def describe_node(tree, node, c):
    kind = "leaf" if tree.split_kind[node] == SplitKind.LEAF else "node"
    total, in_class = float(tree.class_weight[node].sum()), float(tree.class_weight[node, c])
    name = class_text(tree.class_names[c])
    if not total > 0:
        return f"{kind} without instances, answered for by the tree above it"
    if tree.routing == Routing.REPTREE:
        return f"{kind} all of class {name}" if in_class >= total else f"{kind} with {number(in_class)} of {name}"
    many, most = counts(total, in_class)
    if many == most == "1":
        return f"{kind} of 1 training instance, of class {name}"
    those = "all" if many == most else most if in_class else "none"
    return f"{kind} of {many} training instance{'' if many == '1' else 's'}, {those} of class {name}"


def likeliest(tree, proba):
    best = int(most_probable(proba[None])[0])
    return class_share(tree.class_names[best], float(proba[best]))


def is_divided(tree, row):
    return len(ends_of(tree, row)) > 1


def missing_name(tree, row):
    """The attribute of the first node whose value is missing."""
    return shown(split_on(tree, int(tree.router.last_whole_nodes(row[None])[0])).name)


# ---- the methods ----


def leaf_frequency(method, data, answer):
    return lambda i: leaf_sentence(method.tree_, data.values[i], answer.proba[i])


def with_answer(words):
    """The writer of a method that tells its answer after the leaf."""

    def writer(method, data, answer):
        tree = method.tree_
        return lambda i: leaf_sentence(tree, data.values[i], answer.proba[i], words + likeliest(tree, answer.proba[i]))

    return writer


def curtailment(method, data, answer):
    tree = method.tree_

    def write(i):
        row, proba = data.values[i], answer.proba[i]
        if is_divided(tree, row):
            return leaf_sentence(tree, row, proba, f"the nodes with enough instances answer {likeliest(tree, proba)}")
        [(leaf, _)] = ends_of(tree, row)
        above = leaf
        while above and method.answer_[tree.parent[above]].tolist() == method.answer_[leaf].tolist():
            above = int(tree.parent[above])
        levels = int(tree.depth[leaf] - tree.depth[above])
        text = describe_node(tree, above, int(answer.predicted[i]))
        told = f"answered by the {text}, {counted(levels, 'level')} above the leaf" if levels else ""
        return leaf_sentence(tree, row, proba, told)

    return write


def shrinkage(method, data, answer):
    """The leaf that is told of is that of `leaf_sentence`, and the weights are those of the path to it."""
    tree = method.tree_

    def write(i):
        row, proba, predicted = data.values[i], answer.proba[i], int(answer.predicted[i])
        leaf, _ = told_end(tree, ends_of(tree, row), predicted)
        name, path = tree.class_names[predicted], []
        for event in answer.explanation[i]:
            path = [event] if event.kind == "uniform" else [*path, event]
            if event.kind == "node" and is_last(method, tree, leaf, event.node):
                break
        weights = [event.details["weight"][name] for event in path]
        heaviest = path[weights.index(max(weights))]
        if heaviest.kind == "uniform":
            place = "the uniform node above the root"
        elif heaviest.node == leaf:
            place = "the leaf"
        else:
            levels = int(tree.depth[leaf] - tree.depth[heaviest.node])
            place = f"the {describe_node(tree, heaviest.node, predicted)}, {counted(levels, 'level')} above the leaf,"
        note = f"for {class_text(name)} {place} weighs most, {number(max(weights))}"
        return leaf_sentence(tree, row, proba, f"interpolated along its path: {likeliest(tree, proba)}", note)

    return write


def is_last(method, tree, leaf, node):
    """Whether the path of a leaf ends at a node, which may lie above the leaf if that is empty."""
    return int(method.paths_.node[method.paths_.end[leaf]]) == node


def confdtree(method, data, answer):
    tree = method.tree_

    def write(i):
        events = answer.explanation[i]
        if not events:
            return leaf_sentence(tree, data.values[i], answer.proba[i])
        parts = []
        for event in events[:MOST_NODES]:
            leading = class_text(event.details["class"])
            value, low, high = cells(split_on(tree, event.node), event.details["value"], *event.details["interval"])
            done = "both branches answer" if event.kind == "route" else f"{leading} is fined"
            outside = f"lies outside {interval(low, high)}, the interval of {leading}"
            parts.append(f"{event.attribute} {value} {outside}, so {done}")
        return "; ".join(parts + more(len(events) - MOST_NODES, " such nodes"))

    return write


def more(n, what):
    return [f"{n} more{what}"] if n > 0 else []


def limits(method, data, answer):
    tree = method.tree_

    def write(i):
        row, events = data.values[i], answer.explanation[i]
        if not events:
            return leaf_sentence(tree, row, answer.proba[i], note="inside all its limits")
        leaf, prefix = "its leaf", ""
        if is_divided(tree, row):
            broken = {event.node for event in events}
            part = float(np.array([share for node, share in ends_of(tree, row) if node in broken]).sum())
            share, leaf = "all" if part > 1 - EQUAL else percent(part), "a leaf"
            missing = missing_name(tree, row)
            prefix = f"{share} of the instance, split by the missing value of {missing}, is outside its limits: "
        parts = [limit_text(event, data, i, leaf) for event in events[:MOST_LIMITS]]
        return prefix + "; ".join(parts + more(len(events) - MOST_LIMITS, " such values"))

    return write


def limit_text(event, data, i, leaf):
    if event.kind == "empty leaf":
        return f"{leaf} has no training instances, and therefore accepts none"
    column = [attribute.name for attribute in data.attributes].index(event.attribute)
    attribute, value, accepts = data.attributes[column], event.details["value"], event.details["accepts"]
    if attribute.is_nominal:
        return f"{shown(attribute.name)} {shown(value)} is none of {listed(accepts)}, the values at {leaf}"
    low, high = accepts
    value_text, lower, upper = cells(attribute, value, low, high)
    if low == high:
        return f"{shown(attribute.name)} {value_text} differs from {lower}, the only value at {leaf}"
    place = "at the edge of" if low <= value <= high else "outside"
    return f"{shown(attribute.name)} {value_text} lies {place} {interval(lower, upper)}, the limits at {leaf}"


def boundary_distance(method, data, answer):
    nearest, tree, boxes = method.nearest(data), method.tree_, method.regions_
    values = data.without_class_values().values

    def write(i):
        if nearest.node[i] < 0:
            return "no change gives another class"
        row, point, node = values[i], nearest.point[i], nearest.node[i : i + 1]
        (low,), (high,) = regions.bounds(tree, node, tree.router.limit)
        bounded = regions.is_bounded(boxes, np.searchsorted(boxes.node, node))[0]
        changes = []
        for column, attribute in enumerate(data.attributes):
            if np.isnan(row[column]):
                if bounded[column]:
                    changes.append(f"{attribute.name} missing → a known value")
                continue
            side = "below " if point[column] > high[column] else "above " if point[column] <= low[column] else ""
            if point[column] != row[column] or side:
                before, after = cells(attribute, float(row[column]), float(point[column]))
                changes.append(f"{attribute.name} {before} → {side}{after}")
        name = class_text(tree.class_names[nearest.class_index[i]])
        *first, last = [*changes[:MOST_CHANGES], *more(len(changes) - MOST_CHANGES, "")] or [""]
        if not last:
            return f"lies on the boundary to {name}"
        return f"{', '.join(first)} and {last} give {name}" if first else f"{last} gives {name}"

    return write


def tpce(method, data, answer):
    names = method.tree_.class_names

    def write(i):
        [summed] = answer.explanation.account(i).steps.parts
        told = []
        for event, part in zip(answer.explanation[i], summed.parts, strict=True):
            share = part.result[names.index(event.details["predicts"])]
            told.append((class_text(event.details["assumed"]), class_text(event.details["predicts"]), share))
        shares, predicts = [share for *_, share in told], Counter(name for _, name, _ in told)
        if len(predicts) == 1 and len(told) > 1:
            low, high = apart(min(shares), max(shares))
            between = low if low == high else f"{low} to {high}"
            return f"whichever of {len(told)} classes is assumed, the tree predicts {told[0][1]} ({between})"
        if len(told) <= MOST_ASSUMED:
            return "; ".join(f"assumed {label}, the tree predicts {name} ({number(p)})" for label, name, p in told)
        (largest, n), *others = predicts.most_common(MOST_ASSUMED)
        rest = len(told) - n - sum(count for _, count in others)
        parts = [f"{count} to {name}" for name, count in others] + ([f"{rest} to others"] if rest else [])
        return f"of {len(told)} assumed classes {n} lead to {largest}, {', '.join(parts)}"

    return write


def kukar_kononenko(method, data, answer):
    def write(i):
        c = int(answer.predicted[i])
        before, after = (part.result[c] for part in answer.explanation.account(i).certainty.parts)
        name, (old, new) = class_text(method.tree_.class_names[c]), apart(before, after)
        share = f"the share of {name}"
        change = f"leaves {share} at {old}" if before == after else f"moves {share} from {old} to {new}"
        return f"added to the training data as {name}, it {change}"

    return write


def in_percent(share):
    """A share in whole percent."""
    whole = math.floor(100 * share + 0.5)
    if share in (0, 1):
        return f"{whole} %"
    return "under 1 %" if whole == 0 else "over 99 %" if whole == 100 else f"{whole} %"


def second_opinion(method, data, answer):
    tree, header = method.tree_, data.header
    names = [class_text(name) for name in header.class_names]
    kinds = ("numeric", "date", "nominal")
    columns = [i for i, one in enumerate(header.attributes) if i != header.class_index and one.kind in kinds]
    spoken = np.maximum((tree.with_laplace(True) if tree.routing.keeps_counts else tree).predict_proba(data), 0)
    spoken = np.array([row / sum(row) if sum(row) else np.full(len(row), 1 / len(row)) for row in spoken])
    of_tree = tree.predict_proba(data) if method.answers == "tree" else spoken
    weights = dict(zip(method.members_, method.weights_.tolist(), strict=True))
    said = {name: side.proba(data) for name, side in method.members_.items() if weights[name] > 0}

    def leaf(i, c):
        node, share = int(tree.apply(data.take([i]))[0]), in_percent(float(spoken[i, c]))
        if not tree.routing.keeps_counts or node < 0 or tree.is_empty[node]:
            return share
        total, n = counts(float(tree.class_weight[node].sum()), float(tree.class_weight[node, c]))
        return f"{share}, {n} of {total} training {'instance' if total == '1' else 'instances'} in its leaf"

    def most(i, c, against, who):
        total = [0.0] * len(columns)
        for name in who:
            side = method.members_[name]
            if hasattr(side, "log_odds"):
                adds = side.log_odds(data.values[[i]], np.array([c]), np.array([against]))[0]
                total = [a + weights[name] * b for a, b in zip(total, adds.tolist(), strict=True)]
        for_it = sorted((j for j in range(len(columns)) if total[j] > 0), key=lambda j: -total[j])
        told, whole, reached = [], sum(total[j] for j in for_it), 0.0
        for j in for_it[:3]:
            attribute, value = header.attributes[columns[j]], float(data.values[i, columns[j]])
            told.append(f"{shown(attribute.name)} {'missing' if math.isnan(value) else value_text(attribute, value)}")
            reached += total[j]
            if reached >= whole / 2:
                break
        *before, last = told or [""]
        return f", mostly for {', '.join(before) + ' and ' if before else ''}{last}" if told else ""

    def write(i):
        c, t = int(answer.predicted[i]), best_class(of_tree[i])
        no_part = "" if not weights or "laplace" in weights else ", which is not asked,"
        clauses = [f"the tree{no_part} says {names[t]} ({leaf(i, t)})"]
        verb = "agrees" if c == t else f"says {names[t]}, too"
        if not weights:
            return clauses[0] + "; too little to learn from: the tree answers alone"
        says = {name: best_class(proba[i]) for name, proba in said.items() if name != "laplace"}
        shares = {name: in_percent(float(said[name][i, k])) for name, k in says.items()}
        words = {name: method.members_[name].words for name in says}
        if agreeing := [f"{words[name]} {verb} ({shares[name]})" for name, k in says.items() if k == t]:
            clauses.append(", ".join(agreeing))
        for k in dict.fromkeys(k for k in says.values() if k != t):
            who = [name for name in says if says[name] == k]
            parts = [f"{words[name]} {names[k]} ({shares[name]})" for name in who]
            parts[0] = f"{words[who[0]]} says {names[k]} ({shares[who[0]]})"
            clauses.append(", ".join(parts) + most(i, k, t, who))
        return "; ".join(clauses)

    return write


def best_class(proba):
    """The most probable class after rounding to 12 decimals, ties to the first."""
    return max(range(len(proba)), key=lambda c: (round(float(proba[c]), 12), -c))


def value_text(attribute, value):
    """A value in words."""
    return shown(attribute.values[int(value)]) if attribute.is_nominal else cells(attribute, value)[0]


WRITERS = {
    "leaf_frequency": leaf_frequency,
    "m_branch": with_answer("smoothed by the nodes above the leaf: "),
    "ling_yan": with_answer("the mean of all leaves: "),
    "wpe": with_answer("weighted by likeness: "),
    "curtailment": curtailment,
    "shrinkage": shrinkage,
    "shrinkage_wpe": shrinkage,
    "confdtree": confdtree,
    "id3_sd": limits,
    "id3_max": limits,
    "boundary_distance": boundary_distance,
    "tpce": tpce,
    "kukar_kononenko": kukar_kononenko,
    "second_opinion": second_opinion,
}
