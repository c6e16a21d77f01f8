"""A small tree with awkward names, and a reader of Graphviz's language that takes what we write of it."""

import re

from support.written_trees import EACH, LE, written_tree
from wekaconf.data import Attribute, Header

ODD_NAMES = Header(
    "odd",
    (
        Attribute('a "b" \\N & &lt; c'),
        Attribute("n", "nominal", ("x\ny", "->", "};")),
        Attribute("class", "nominal", ("yes\\", 'n"o')),
    ),
    2,
)


def tree_of(header=ODD_NAMES, **changes):
    """Root numeric at 0.1; left a leaf; right a split on n: two leaves, the third empty."""
    right = (1, EACH, None, [0.0, 2.126], [1.0, 0.874], [0.0, 0.0])
    return written_tree(header, (0, LE, 0.1 + 0.2, [4.0, 0.0], right), **changes)


def unquote(text):
    """The text that Graphviz shows for a quoted string."""
    shown = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])
    assert re.search(r"&(?!amp;)", shown) is None
    return shown.replace("&amp;", "&")


STRING = r'"(?:[^"\\\n]|\\[n"\\])*"'


def parse_dot(text):
    """Labels of the nodes, names of the boxes, and edges with their labels; fails on any other line."""
    labels, boxes, edges, clusters = {}, set(), {}, []
    first, *lines, last = text.rstrip("\n").split("\n")
    assert (first, last) == ("digraph tree {", "}")
    assert sum(line.endswith(" {") for line in lines) == sum(line.strip() == "}" for line in lines)
    for line in map(str.strip, lines):
        if found := re.fullmatch(
            rf"(t?\d*n\d+(?:t\d+|r)?) \[(?:style=rounded, shape=box, |(shape=box, ))?label=({STRING})\];", line
        ):
            assert found[1] not in labels
            labels[found[1]] = unquote(found[3])
            boxes |= {found[1]} if found[2] else set()
        elif found := re.fullmatch(rf"(\w+) -> (\w+) \[label=({STRING})\];", line):
            edges[found[1], found[2]] = unquote(found[3])
        elif found := re.fullmatch(rf"label=({STRING});", line):
            clusters.append(unquote(found[1]))
        else:
            assert re.fullmatch(rf"(graph|node|edge) \[fontname={STRING}\];|subgraph cluster_\d+ {{|}}", line), line
    return labels, boxes, edges, clusters
