"""Readings of Wang and Zhang that were tried on small differences: the tracing of pruned trees, and the records."""

import numpy as np
import pytest
import wang2006_readings as readings
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.replication.writing import BESIDE, RECORDS
from wekaconf.tree.instances import class_weight

LINES = rows_in(readings.TARGET / RECORDS)


def test_weka_sends_the_instances_of_the_parent_down_a_raised_branch(uci, jvm):
    """On every node of pruned trees the tree's own counts are those of the training set sent down."""
    n = 0
    for train, _ in list(readings.folds_of(str(uci), "glass"))[:10]:
        tree = wc.J48().grow(train)
        assert np.array_equal(class_weight(tree, train), tree.class_weight)
        n += tree.n_nodes
    assert n > 500


def test_a_tree_without_raising_is_traced_to_itself(uci, jvm):
    train, _ = next(readings.folds_of(str(uci), "iris"))
    tree = wc.J48("-U").grow(train)
    assert readings.sources(tree, 0, tree, 0) == {node: node for node in range(tree.n_nodes)}
    last = readings.last_nodes(tree, tree, {node: node for node in range(tree.n_nodes)}, train.values)
    assert np.array_equal(last, tree.router.last_whole_nodes(train.values))


def test_instances_of_growing_time_are_those_of_the_tree_before_pruning(uci, jvm):
    """Below the root; a branch that was raised holds fewer than those that are sent down it."""
    fewer = 0
    for train, _ in list(readings.folds_of(str(uci), "glass"))[:10]:
        pruned, grown = wc.J48().grow(train), wc.J48("-U").grow(train)
        origins = readings.sources(pruned, 0, grown, 0)
        copy = train.take(np.arange(len(train)))
        with readings.routed_so(readings.last_nodes(pruned, grown, origins, train.values), copy):
            counts = class_weight(pruned, copy)
        for node, origin in origins.items():
            if node:
                assert counts[node].tolist() == grown.class_weight[origin].tolist()
                fewer += counts[node].sum() < pruned.class_weight[node].sum()
    assert fewer > 0


def test_sent_down_is_what_the_study_measures():
    """The committed readings begin with the committed figures of the study."""
    study = {
        (row["column"], row["dataset"]): float(row["measured"])
        for row in rows_in(readings.TARGET.parent / "wang2006" / f"{RECORDS}.gz")
        if row["reading"] == "table" and row["table"]
    }
    usual = [line for line in LINES if line["reading"] in ("sent down", "ours")]
    assert len(usual) == 3 * 35 + 7
    for line in usual:
        found = study[line["column"], line["dataset"]]
        assert float(line["measured"]) == pytest.approx(found, abs=1e-6), (line["column"], line["dataset"])


def test_the_tables_are_those_of_the_records():
    rows = rows_in(readings.TARGET / BESIDE)
    head, *expected = map(list, readings.beside_rows(readings.tables(LINES)))
    assert list(rows[0]) == head
    assert [row["shown"] for row in rows] == [str(line[-1]) for line in expected]


@pytest.mark.parametrize("name", ["zoo"])
def test_a_set_measured_now(uci, jvm, name):
    now = [*readings.growing_time(str(uci), name), *readings.forms_of_m(str(uci), name, "C45-M")]
    committed = {
        (line["column"], line["reading"]): float(line["measured"]) for line in LINES if line["dataset"] == name
    }
    assert {(line[1], line[2]): pytest.approx(float(line[4]), abs=1e-8) for line in now} == committed
