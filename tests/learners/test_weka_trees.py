"""Weka's trees as the objects of a model file: what they become, and parts of them that do not fit together."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from wekaconf.base.errors import HeaderMismatchError, ModelFileError
from wekaconf.data import Attribute, Header
from wekaconf.learners.foreign import weka_models
from wekaconf.learners.foreign._java_stream import (
    DEEPEST,
    MAGIC,
    Budget,
    JavaClass,
    JavaObject,
    RefusedError,
    StreamError,
    contents,
    doubles,
    unpacked,
)
from wekaconf.learners.foreign._weka_filters import MOST_FILTERS, HeaderReader, column_maps
from wekaconf.learners.foreign._weka_trees import arrays_of
from wekaconf.learners.foreign._weka_wrappers import MOST_TREES, costs_of, mapped_header, members_of
from wekaconf.learners.foreign.weka_models import OPTIONS, _inside, _options, is_weka_model
from wekaconf.tree._kinds import Routing, SplitKind

FOLDER = Path(__file__).parents[1] / "golden" / "models"
MODEL, BAGS, WEIGHTS = "m_localModel", "m_perClassPerBag", "m_localModel m_distribution"


def read(name):
    """The classifier in a golden file, the root of its tree and its header."""
    classifier, instances = contents((FOLDER / f"weka-3.9.5-{name}.model").read_bytes(), 2)
    root = classifier.fields["m_root" if name.startswith("j48") else "m_Tree"]
    return classifier, root, HeaderReader(Budget(10**6)).header(instances)


@pytest.mark.parametrize(
    ("file_size", "count", "most"),
    [
        (1000, "declare", 1000),
        (1000, "unpack", 4_194_304), (65_537, "unpack", 4_194_368),
        (1000, "fill", 524_288), (65_537, "fill", 524_296),
    ],
)  # fmt: skip
def test_what_a_file_may_hold_at_most(file_size, count, most):
    """At once, and in two parts."""
    for parts in ((most,), (most - 1, 1)):
        budget = Budget(file_size)
        for n in parts:
            getattr(budget, count)(n)
        with pytest.raises(StreamError):
            getattr(budget, count)(1)


def part(of, path):
    """The part of an object that the names of fields lead to."""
    for name in path.split():
        of = of.fields[name]
    return of


def an_object(name, **fields):
    return JavaObject(JavaClass(name, lineage=(JavaClass(name),)), fields)


MISFITS = [
    ("j48", WEIGHTS, BAGS, lambda bags: bags[:1], "a split has more branches than weights"),
    ("j48", WEIGHTS, BAGS, lambda bags: [bags[0], bags[1][:2]], "m_perClassPerBag has 2 numbers, expected 3"),
    ("j48", WEIGHTS, "m_perBag", lambda bags: bags[:1], "m_perBag has 1 numbers, expected 2"),
    ("j48", WEIGHTS, "m_perClass", lambda weights: weights[:2], "m_perClass has 2 numbers, expected 3"),
    ("j48", WEIGHTS, "totaL", int, "'totaL' of a weka.classifiers.trees.j48.Distribution holds a int"),
    ("j48", MODEL, "m_attIndex", lambda _: -1, "a node splits on column 0 of 6"),
    ("j48", MODEL, "m_attIndex", lambda _: 6, "a node splits on column 7 of 6"),
    ("j48", "", MODEL, lambda _: an_object("x.Y"), "'m_localModel' of a weka.classifiers.trees.j48.C45PruneableClass"),
    ("j48", "", "m_sons", lambda sons: [sons[0], None], "a node leads to something that is no node"),
    ("j48", "", "m_sons", lambda sons: [sons[0], an_object("x.Y")], "a node leads to something that is no node"),
    ("j48", "", "m_sons", lambda sons: [sons[0], sons[0]], "two branches lead to the same node"),
    ("j48", "", "m_isLeaf", lambda _: 0, "'m_isLeaf' of a weka.classifiers.trees.j48.C45PruneableClassifierTree holds"),
    ("reptree", "", "m_Prop", lambda shares: shares[:3], "m_Prop has 3 numbers, expected 4"),
    ("reptree", "", "m_ClassProbs", lambda shares: shares[:2], "m_ClassProbs has 2 numbers, expected 3"),
    ("reptree", "", "m_HoldOutDist", lambda weights: weights[:2], "m_HoldOutDist has 2 numbers, expected 3"),
    ("reptree", "", "m_Attribute", lambda _: 6, "a node splits on column 7 of 6"),
    ("randomtree", "", "m_ClassDistribution", lambda weights: weights[:2], "m_ClassDistribution has 2 numbers, expe"),
    ("randomtree", "", "m_Attribute", lambda _: 6, "a node splits on column 7 of 6"),
]


@pytest.mark.parametrize(("tree", "path", "field", "change", "message"), MISFITS)
def test_parts_that_do_not_fit(tree, path, field, change, message):
    classifier, root, header = read(tree)
    assert len(header.attributes) == 6
    owner = part(root, path)
    owner.fields[field] = change(owner.fields[field])
    with pytest.raises(StreamError, match=f"^{re.escape(message)}"):
        arrays_of(classifier, header, Budget(10**6))


def test_a_split_of_another_kind():
    classifier, root, header = read("j48")
    model = root.fields[MODEL]
    base = JavaClass("weka.classifiers.trees.j48.ClassifierSplitModel")
    root.fields[MODEL] = JavaObject(JavaClass("x" * 200, lineage=(base,)), model.fields)
    with pytest.raises(StreamError, match=f"^a split of kind {'x' * 100}$"):
        arrays_of(classifier, header, Budget(10**6))


def test_bags_beyond_the_sons_are_left_out():
    classifier, root, header = read("j48")
    expected, _ = arrays_of(classifier, header, Budget(10**6))
    weights = part(root, WEIGHTS).fields
    weights[BAGS] = [*weights[BAGS], weights[BAGS][0]]
    weights["m_perBag"] = np.append(weights["m_perBag"], 7.0)
    found, _ = arrays_of(classifier, header, Budget(10**6))
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def test_a_split_may_have_one_branch():
    classifier, root, header = read("reptree")
    root.fields |= {"m_Successors": root.fields["m_Successors"][:1], "m_Prop": np.ones(1)}
    arrays, _ = arrays_of(classifier, header, Budget(10**6))
    assert (arrays["n_branches"][0], arrays["first_child"][0], arrays["parent"][1]) == (1, 1, 0)
    assert arrays["branch_weight"][1] == 1


def test_the_arrays_of_a_small_tree_by_hand():
    """One split on a number, whose second son is a leaf without instances."""
    j48 = "weka.classifiers.trees.j48."

    def node(model, per_class, **fields):
        weights = an_object(f"{j48}Distribution", totaL=float(sum(per_class)), m_perClass=np.array(per_class), **model)
        base = JavaClass(f"{j48}ClassifierSplitModel")
        kind = JavaClass(f"{j48}C45Split", lineage=(base,))
        split = JavaObject(kind, {"m_distribution": weights, "m_attIndex": 1, "m_splitPoint": 2.5})
        return an_object(f"{j48}ClassifierTree", m_localModel=split, **fields)

    leaves = [node({}, [3.0, 1.0], m_isLeaf=True, m_isEmpty=False), node({}, [0.0, 0.0], m_isLeaf=True, m_isEmpty=True)]
    bags = {"m_perClassPerBag": [np.array([3.0, 1.0]), np.array([0.0, 0.0])], "m_perBag": np.array([4.0, 0.0])}
    root = node(bags, [3.0, 1.0], m_isLeaf=False, m_isEmpty=False, m_sons=leaves)
    classifier = an_object("weka.classifiers.trees.J48", m_root=root, m_useLaplace=False)
    header = Header("h", (Attribute("k", "nominal", ("a", "b")), Attribute("x")), 0)
    arrays, routing = arrays_of(classifier, header, Budget(10**6))
    nan = np.nan
    expected = {
        "parent": [-1, 0, 0],
        "first_child": [1, -1, -1],
        "n_branches": [2, 0, 0],
        "split_kind": [SplitKind.NUMERIC_LE, 0, 0],
        "split_attribute": [1, -1, -1],
        "split_point": [2.5, nan, nan],
        "split_value": [-1, -1, -1],
        "split_subset": [],
        "class_weight": [[3, 1], [3, 1], [0, 0]],
        "total": [4, 4, 0],
        "branch_weight": [nan, 4, 0],
        "branch_class_weight": [[nan, nan], [3, 1], [0, 0]],
        "is_empty": [False, False, True],
    }
    assert routing == Routing.J48 and arrays.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(arrays[name], array, err_msg=name)


@pytest.mark.parametrize(
    ("learner", "field"), [("REPTree", "m_zeroR"), ("RandomTree", "m_zeroR"), ("DecisionStump", "m_ZeroR")]
)
def test_what_stands_in_for_a_tree(learner, field):
    header = Header("h", (Attribute("k", "nominal", ("a", "b")),), 0)
    zero_r = an_object("weka.classifiers.rules.ZeroR", m_Counts=np.array([0.25, 0.75]))
    classifier = an_object(f"weka.classifiers.trees.{learner}", **{field: zero_r})
    arrays, routing = arrays_of(classifier, header, Budget(10**6))
    assert routing == Routing.REPTREE
    assert (arrays["total"].tolist(), arrays["class_weight"].tolist()) == ([1.0], [[0.25, 0.75]])
    classifier.fields[field] = an_object("weka.classifiers.rules.OneR")
    with pytest.raises(StreamError, match=r"^a weka\.classifiers\.rules\.OneR in place of a ZeroR$"):
        arrays_of(classifier, header, Budget(10**6))


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (
            {"m_AttIndex": 1, "m_SplitPoint": 2.5},
            {"split_kind": SplitKind.NUMERIC_LE, "split_point": 2.5, "split_value": -1},
        ),
        (
            {"m_AttIndex": 2, "m_SplitPoint": 1.0},
            {"split_kind": SplitKind.NOMINAL_EQUALS, "split_point": np.nan, "split_value": 1},
        ),
    ],
)
def test_the_arrays_of_a_stump_by_hand(split, expected):
    """A missing value takes the third bag at the root, and at the second split the first branch."""
    bags = [np.array([3.0, 1.0]), np.array([0.5, 2.0]), np.array([3.5, 3.0])]
    stump = an_object("weka.classifiers.trees.DecisionStump", m_Distribution=bags, **split)
    k, values = Attribute("k", "nominal", ("a", "b")), Attribute("v", "nominal", ("p", "q"))
    header = Header("h", (k, Attribute("x"), values), 0)
    arrays, routing = arrays_of(stump, header, Budget(10**6))
    assert routing == Routing.REPTREE
    for name, value in (expected | {"split_attribute": split["m_AttIndex"]}).items():
        np.testing.assert_array_equal(arrays[name][[0, 2]], [value] * 2, err_msg=name)
    assert arrays["parent"].tolist() == [-1, 0, 0, 2, 2] and arrays["first_child"].tolist() == [1, -1, 3, -1, -1]
    assert arrays["n_branches"].tolist() == [2, 0, 2, 0, 0] and arrays["total"].tolist() == [1] * 5
    assert arrays["class_weight"].tolist() == [[3.5, 3], [3, 1], [0.5, 2], [3.5, 3], [0.5, 2]]
    np.testing.assert_array_equal(arrays["branch_weight"], [np.nan, 0, 1, 1, 0])
    for wrong in (bags[:2], [*bags, bags[0]]):
        stump.fields["m_Distribution"] = wrong
        with pytest.raises(StreamError, match=f"^m_Distribution has {len(wrong)} rows, expected 3$"):
            arrays_of(stump, header, Budget(10**6))


def test_a_tree_may_cost_as_much_as_its_budget():
    """Two tables of 8 bytes per node and class, four of REPTree: 2^22 bytes for small files."""
    for tree, tables in (("j48", 2), ("reptree", 4)):
        classifier, _, header = read(tree)
        n_cells = tables * len(arrays_of(classifier, header, Budget(0))[0]["parent"]) * header.n_classes
        arrays_of(classifier, header, Budget(0, n_cells=2**19 - n_cells))
        with pytest.raises(StreamError, match="it has more nodes and classes than a file of its size may"):
            arrays_of(classifier, header, Budget(0, n_cells=2**19 - n_cells + 1))


def test_members_of_a_forest():
    def forest(*members):
        outer = an_object("weka.classifiers.trees.RandomForest", m_Classifiers=list(members))
        return [member.classifier for member in members_of(outer, HeaderReader(Budget(100)))]

    trees = [an_object("weka.classifiers.trees.RandomTree") for _ in range(2)]
    assert forest(*trees) == trees
    with pytest.raises(StreamError, match=r"^a tree is there twice$"):
        forest(*trees, trees[0])
    with pytest.raises(RefusedError, match=r"^holds a RandomForest of something that is no tree; its members"):
        forest(trees[0], None)
    with pytest.raises(RefusedError, match=r"^holds a RandomForest of x\.Y; its members"):
        forest(trees[0], an_object("x.Y"))
    with pytest.raises(RefusedError, match=r"^holds a x\.Y, which has no mirror; only J48, REPTree, RandomTree, "):
        members_in(an_object("x.Y"))
    with pytest.raises(RefusedError, match=r"^holds 100,001 trees; at most 100,000 are read$"):
        forest(*trees[:1] * (MOST_TREES + 1))
    with pytest.raises(StreamError, match=r"^a tree is there twice$"):
        forest(*trees[:1] * MOST_TREES)


def named(name, kind=0, **info):
    attribute = an_attribute(kind, **info)
    attribute.fields["m_Name"] = name
    return attribute


META, REMOVE = "weka.classifiers.meta.", "weka.filters.unsupervised.attribute.Remove"


def chosen(columns, inside, attributes=3):
    """A classifier behind a choice of columns, as FilteredClassifier holds it."""
    numbers = [named(f"x{i}") for i in range(attributes - 1)]
    before = instances_of(*numbers, named("c", 1, m_Values=a_list("p")), class_index=attributes - 1)
    names = ["c" if i == attributes - 1 else f"x{i}" for i in columns or []]
    after = None if columns is None else instances_of(*map(named, names))
    remove = an_object(REMOVE, m_InputFormat=before, m_OutputFormat=after)
    return an_object(f"{META}FilteredClassifier", m_Filter=remove, m_Classifier=inside)


def members_in(outer, size=100):
    return members_of(outer, HeaderReader(Budget(size)))


def test_members_behind_choices_of_columns():
    tree = an_object("weka.classifiers.trees.J48")
    [member] = members_in(an_object(f"{META}Bagging", m_Classifiers=[chosen([2, 0], tree)]))
    assert member.classifier is tree and member.columns.tolist() == [2, 0]
    assert [one.name for one in member.tree_header(member.header).attributes] == ["c", "x0"]
    [member] = members_in(chosen([2, 0], chosen([1], tree, attributes=2)))
    assert member.columns.tolist() == [0] and len(member.header.attributes) == 3
    with pytest.raises(StreamError, match=r"^a Remove has columns in its output that its input lacks$"):
        members_in(chosen([3], tree))
    with pytest.raises(StreamError, match=r"^a choice of columns follows one of other columns$"):
        members_in(chosen([2, 0], chosen([1], tree)))
    with pytest.raises(RefusedError, match=r"FilteredClassifier that was not trained; build it before saving it$"):
        members_in(chosen(None, tree))
    with pytest.raises(StreamError, match=r"^its header declares more values than the file has bytes$"):
        members_in(chosen([0] * 200, tree))


def test_wrappers_that_are_inside_themselves():
    wrapper = an_object(f"{META}CostSensitiveClassifier")
    wrapper.fields["m_Classifier"] = wrapper
    with pytest.raises(RefusedError, match=r"^holds more than 100 classifiers inside one another$"):
        members_in(wrapper)


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({}, RefusedError, "holds a RandomSubSpace that was not trained"),
        ({"m_ZeroR": an_object("weka.classifiers.rules.ZeroR")}, RefusedError, "holds a RandomSubSpace of a ZeroR"),
        (
            {"m_Classifiers": [an_object(f"{META}Bagging")]},
            RefusedError,
            "holds a RandomSubSpace of weka.classifiers.meta",
        ),
        (
            {"m_Classifiers": [an_object(f"{META}CostSensitiveClassifier", m_MinimizeExpectedCost=True)]},
            RefusedError,
            "holds a CostSensitiveClassifier -M inside a RandomSubSpace; it is read only outside of these, so build",
        ),
        (
            {"m_Classifiers": [an_object(f"{META}AttributeSelectedClassifier")]},
            RefusedError,
            "holds an AttributeSelecte",
        ),
        ({"m_Classifiers": [an_object(f"{META}CostSensitiveClassifier")]}, StreamError, "a weka.classifiers.meta.Cost"),
    ],
)
def test_ensembles_that_are_refused(fields, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        members_in(an_object(f"{META}RandomSubSpace", **fields))


def a_cost(value):
    return an_object("java.lang.Double", value=value)


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([], StreamError, "m_matrix is no square"),
        ([[a_cost(0.0)], [a_cost(0.0)]], StreamError, "m_matrix is no square"),
        (
            [[a_cost(0.0), 1.0], [a_cost(1.0)] * 2],
            RefusedError,
            "holds a CostSensitiveClassifier -M whose costs depend",
        ),
        ([[a_cost(0.0), a_cost(-1.0)]] * 2, RefusedError, "holds a CostSensitiveClassifier -M with costs below 0; add"),
        ([[a_cost(0.0)] * 11] * 11, StreamError, "its header declares more values than the file has bytes"),
    ],
)
def test_costs_that_are_refused(rows, error, message):
    matrix = an_object("weka.classifiers.CostMatrix", m_matrix=rows)
    decides = an_object(f"{META}CostSensitiveClassifier", m_MinimizeExpectedCost=True, m_CostMatrix=matrix)
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        costs_of(decides, HeaderReader(Budget(100)))
    decides.fields["m_MinimizeExpectedCost"] = False
    assert costs_of(decides, HeaderReader(Budget(100))) is None


def test_a_file_may_hold_as_many_costs_as_bytes():
    costs = (1 - np.eye(10)).tolist()
    assert costs_of(deciding(None, *costs), HeaderReader(Budget(100))).costs == tuple(map(tuple, costs))


def test_columns_that_weka_maps_to_one_another():
    header = instances_of(named("w"), named("X "), named("x"), named("c", 1, m_Values=a_list("p")))
    mapped = an_object("weka.classifiers.misc.InputMappedClassifier", m_modelHeader=header, m_ignoreCase=False)
    assert mapped_header(mapped, HeaderReader(Budget(100))) is header
    mapped.fields["m_ignoreCase"] = True
    with pytest.raises(
        RefusedError, match=r"^holds an InputMappedClassifier that takes several columns for 'x'; rename"
    ):
        mapped_header(mapped, HeaderReader(Budget(100)))
    mapped.fields["m_modelHeader"] = None
    assert mapped_header(mapped, HeaderReader(Budget(100))) is None


NO_ATTRIBUTE, NO_TEXT = "its header holds something that is no attribute", "its header declares a value that is no text"
NO_CLASS = "its header has no class; save it with one, or in Python give header= or train="
VALUES = "m_AttributeInfo m_Values"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda fields, _: fields.update(m_ClassIndex=-1), NO_CLASS),
        (lambda fields, _: fields.update(m_ClassIndex=6), NO_CLASS),
        (lambda fields, _: fields.pop("m_RelationName"), "a weka.core.Instances has no 'm_RelationName'; it may be of"),
        (lambda fields, _: fields.update(m_Attributes=an_object("x.Y")), "expected a java.util.ArrayList, got a x.Y"),
        (lambda _, attributes: attributes.append(3), NO_ATTRIBUTE),
        (lambda _, attributes: attributes.append(an_object("x.Y")), NO_ATTRIBUTE),
        (lambda _, attributes: attributes[1].fields.update(m_Type=-1), "its attribute 'temperature' is of a type (n"),
        (lambda _, attributes: part(attributes[2], VALUES).written.append(3), NO_TEXT),
    ],
)
def test_headers_that_are_none(change, message):
    _, instances = contents((FOLDER / "weka-3.9.5-j48.model").read_bytes(), 2)
    change(instances.fields, instances.fields["m_Attributes"].written)
    with pytest.raises((RefusedError, StreamError), match=f"^{re.escape(message)}"):
        HeaderReader(Budget(10**6)).header(instances)


def test_only_attributes_have_names():
    reader = HeaderReader(Budget(100))
    assert reader.names(instances_of(named("x"), named("y"))) == ["x", "y"]
    with pytest.raises(StreamError, match=f"^{NO_ATTRIBUTE}$"):
        reader.names(instances_of(named("x"), 3))


def an_attribute(kind, **info):
    return an_object("weka.core.Attribute", m_Name="a", m_Type=kind, m_AttributeInfo=an_object("x.Info", **info))


def a_list(*values):
    return JavaObject(JavaClass("java.util.ArrayList"), written=[b"size", *values])


def instances_of(*attributes, class_index=0):
    return an_object("weka.core.Instances", m_RelationName="r", m_Attributes=a_list(*attributes),
                     m_ClassIndex=class_index)  # fmt: skip


def test_attributes_of_every_kind():
    """The class may be the first of them, or the last."""
    kinds = [
        an_attribute(1, m_Values=a_list("p", "q")),
        an_attribute(0),
        an_attribute(2, m_Values=a_list("t")),
        an_attribute(3, m_DateFormat=an_object("java.text.SimpleDateFormat", pattern="yyyy")),
        an_attribute(1, m_Values=a_list("u", "v", "w")),
    ]
    for i, attribute in enumerate(kinds):
        attribute.fields["m_Name"] = f"a{i}"
    for class_index in (0, 4):
        header = HeaderReader(Budget(100)).header(instances_of(*kinds, class_index=class_index))
        assert (header.relation, header.class_index) == ("r", class_index)
        assert header.attributes == (
            Attribute("a0", "nominal", ("p", "q")), Attribute("a1"), Attribute("a2", "string", ("t",)),
            Attribute("a3", "date", date_format="yyyy"), Attribute("a4", "nominal", ("u", "v", "w")),
        )  # fmt: skip


def packed(content, dtype="i1"):
    """A text as Weka keeps a long one."""
    array = np.frombuffer(gzip.compress(content), "i1").astype(dtype)
    return an_object("weka.core.SerializedObject", m_storedObjectArray=array)


def test_long_values_are_packed():
    text = MAGIC + b"\x74\0\xfa" + b"x" * 250
    budget = Budget(100)
    instances = instances_of(an_attribute(1, m_Values=a_list("p", packed(text + b"\x7byyy"))))
    assert HeaderReader(budget).header(instances).class_names == ("p", "x" * 250)
    assert (budget.n_declared, budget.n_unpacked) == (3, len(text) + 4)
    with pytest.raises(StreamError, match="its texts unpack to more"):
        HeaderReader(Budget(100, n_unpacked=2**22 - len(text) - 3)).header(instances)
    for wrong in (packed(MAGIC + b"\x70"), packed(text, "i2"), an_object("weka.core.SerializedObject")):
        with pytest.raises(StreamError, match=f"^{NO_TEXT}$"):
            HeaderReader(Budget(100)).header(instances_of(an_attribute(1, m_Values=a_list("p", wrong))))


def test_a_header_of_an_old_weka():
    fields = {"m_ClassIndex": 0, "m_RelationName": "old"}
    old = an_object("weka.core.Instances", m_Attributes=an_object("weka.core.FastVector"), **fields)
    with pytest.raises(RefusedError, match=r"^was saved by Weka 3\.6 or older; build the classifier again"):
        HeaderReader(Budget(100)).header(old)


def test_what_is_gzipped_is_unpacked():
    assert unpacked(b"plain") == b"plain"
    assert unpacked(gzip.compress(b"plain")) == b"plain"
    assert len(unpacked(gzip.compress(bytes(2**22)))) == 2**22
    with pytest.raises(StreamError, match=r"^it would unpack to more than the 4 MB that a file of its size may$"):
        unpacked(gzip.compress(bytes(2**22 + 1)))
    with pytest.raises(StreamError, match=r"^it is cut short$"):
        unpacked(gzip.compress(b"plain")[:-9])
    with pytest.raises(StreamError, match=r"^its bytes are damaged: "):
        unpacked(gzip.compress(b"plain")[:10] + bytes([255]) * 20)


def test_headers_use_up_their_budget():
    _, instances = contents((FOLDER / "weka-3.9.5-j48.model").read_bytes(), 2)
    header = HeaderReader(Budget(10**6)).header(instances)
    n_declared = int(header.n_values.sum()) + len(header.attributes)
    HeaderReader(Budget(n_declared)).header(instances)
    with pytest.raises(StreamError, match="declares more values than the file has bytes"):
        HeaderReader(Budget(n_declared - 1)).header(instances)
    reader = HeaderReader(Budget(n_declared))
    assert reader.header(instances) is reader.header(instances)  # as the members of an ensemble share one


@pytest.mark.parametrize("n", [0, 1, 255, 256, 70_000])
def test_loose_bytes_come_in_short_and_in_long_blocks(n):
    """The length of a short one has one byte, that of a long one four; a text follows."""
    data = bytes(i % 251 for i in range(n))
    if n < 256:
        assert contents(MAGIC + b"\x77" + bytes([n]) + data + b"\x74\0\1a", 2) == [data, "a"]
    assert contents(MAGIC + b"\x7a" + n.to_bytes(4, "big") + data + b"\x74\0\1a", 2) == [data, "a"]


@pytest.mark.parametrize("tag", [b"\x73", b"\x75", b"\x76", b"\x7e"])
@pytest.mark.parametrize(
    "class_of_it",
    [b"\x70", b"\x74\0\1a", b"\x72\0\1A" + bytes(8) + b"\x02\0\0" + b"\x73\x71\x00\x7e\x00\x00"],
    ids=["null", "a text", "a class that is still being read"],
)
def test_an_object_has_a_class(tag, class_of_it):
    with pytest.raises(StreamError, match=r"^an object without a class before byte [0-9]+$"):
        contents(MAGIC + tag + class_of_it, 1)


def a_class(name=b"A", flags=2, base=b"\x70"):
    """What Java serialises of a class without fields."""
    return b"\x72" + len(name).to_bytes(2, "big") + name + bytes(8) + bytes([flags]) + b"\0\0\x78" + base


def reference(handle):
    return b"\x71" + (0x7E0000 + handle).to_bytes(4, "big")


@pytest.mark.parametrize(
    ("value", "handle", "n_handles"),
    [
        (b"\x74\0\0", 0, 1),
        (b"\x7c" + bytes(8), 0, 1),
        (a_class(), 0, 1),
        (b"\x73" + a_class(), 1, 2),
        (b"\x75" + a_class(b"[D") + bytes(4), 1, 2),
        (b"\x75" + a_class(b"[LA;") + bytes(4), 1, 2),
        (b"\x75" + a_class(b"[LA;") + b"\0\0\0\1\x70", 1, 2),
        (b"\x76" + a_class(), 1, 2),
        (b"\x7e" + a_class() + b"\x74\0\1e", 1, 3),
    ],
    ids=["text", "long text", "class", "object", "numbers", "no objects", "objects", "class object", "enum"],
)
def test_a_reference_names_a_value_before_it(value, handle, n_handles):
    first, second = contents(MAGIC + value + reference(handle), 2)
    assert first is second
    for beyond in (-1, n_handles):
        with pytest.raises(StreamError, match=r"^a reference before byte [0-9]+ leads nowhere$"):
            contents(MAGIC + value + reference(beyond), 2)
    with pytest.raises(StreamError, match=r"^it is cut short at byte [0-9]+$|^an array of 1 elements at byte"):
        contents(MAGIC + value[:-1], 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x75" + a_class(b"[LA;") + b"\xff\xff\xff\xff", "an array of -1 elements at byte"),
        (b"\x75" + a_class(b"[LA;") + b"\0\0\0\2\x70", "an array of 2 elements at byte"),
        (b"\x75" + a_class(b"[D") + b"\xff\xff\xff\xff" + bytes(9), "it is cut short at byte"),
        (b"\x75" + a_class(b"[LA;") + b"\0\0\0\1\x77\1a", "loose bytes instead of a value before byte"),
        (b"\x75" + a_class(b"[LA;") + b"\0\0\0\1\x78", "loose bytes instead of a value before byte"),
        (b"\x7e" + a_class() + b"\x70", "expected a text before byte"),
        (b"\x72\0\1A" + bytes(8) + b"\2\0\1X\0\1x\x78\x70", "a field of unknown type before byte"),
        (b"\x72\0\1A" + bytes(8) + b"\2\0\1L\0\1x\x70\x78\x70", "expected a text before byte"),
        (a_class(base=b"\x74\0\1A"), "the class A is derived from nothing that could be its base"),
        (a_class(base=reference(0)), "the class A is derived from nothing that could be its base"),
        (b"\x73" + a_class(flags=4), "A writes itself in a form of its own"),
        (b"\x73" + a_class(flags=5), "A writes itself in a form of its own"),
        (b"\x7b", "unexpected byte 0x7b at 4"),
    ],
)
def test_streams_that_java_does_not_write(data, message):
    with pytest.raises(StreamError, match=f"^{re.escape(message)}"):
        contents(MAGIC + data, 1)


def test_a_stream_may_hold_fewer_values_than_are_read():
    assert contents(MAGIC, 1) == []
    with pytest.raises(StreamError, match=r"^it does not begin as what Java serialises$"):
        contents(MAGIC[:3] + b"\4\x70", 1)
    assert contents(MAGIC + b"\x70\x74\0\1a", 3) == [None, "a"]
    assert contents(MAGIC + b"\x70\x74\0\1a", 1) == [None]


def test_what_an_object_writes_beside_its_fields():
    for flags in (3, 12):
        [written] = contents(MAGIC + b"\x73" + a_class(flags=flags) + b"\x77\1a\x70\x78", 1)
        assert written.written == [b"a", None]
    [plain, rest] = contents(MAGIC + b"\x73" + a_class() + b"\x77\1a", 2)
    assert (plain.written, rest) == ([], b"a")


def test_what_is_written_about_a_class_is_passed_over():
    annotated = b"\x72\0\1A" + bytes(8) + b"\2\0\0" + b"\x77\1a\x74\0\1b\x78" + b"\x70"
    java_class, text = contents(MAGIC + annotated + reference(1), 2)
    assert (java_class.name, text) == ("A", "b")


@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"\xc0\x80a", "\0a"), (b"\xc3\xa4", "ä"), (b"\xed\xa0\xbd\xed\xb8\x80", "\U0001f600")],
    ids=["null", "umlaut", "surrogates"],
)
def test_texts_in_java_s_utf_8(raw, text):
    assert contents(MAGIC + b"\x74\0" + bytes([len(raw)]) + raw, 1) == [text]
    for wrong in (b"\xff", b"\xed\xa0\xbd"):
        with pytest.raises(StreamError, match=r"^a text before byte [0-9]+ is not in Java's UTF-8$"):
            contents(MAGIC + b"\x74\0" + bytes([len(wrong)]) + wrong, 1)


def test_classes_are_derived_from_one_another_in_a_chain_of_64():
    chain = b"\x70"
    for _ in range(64):
        chain = a_class(base=chain)
    [java_class] = contents(MAGIC + chain, 1)
    assert len(java_class.lineage) == 64 and java_class.lineage[-1] is java_class
    with pytest.raises(StreamError, match=r"^the class A is derived from nothing that could be its base$"):
        contents(MAGIC + a_class(base=chain), 1)


@pytest.mark.parametrize(
    ("learner", "others"),
    [
        ("J48", "-O -U -S -R -C 1.25 -N 4 -Q 2 -B -M 3 -A -J -doNotMakeSplitPointActualValue"),
        ("REPTree", "-M 3.0 -V 1.001 -N 4 -S 2 -P -L 0 -I 1.0 -R"),
        ("RandomTree", "-M 2.0 -V 1.001 -S 2 -depth 1 -N 1 -U -B"),
        ("RandomForest", "-P 101 -I 101 -S 2"),
        ("Bagging", "-P 101 -I 11 -S 2"),
        ("RandomCommittee", "-I 11 -S 2"),
        ("RandomSubSpace", "-P 1.5 -I 11 -S 2"),
    ],
)
def test_options_tell_what_is_not_weka_s_default(learner, others):
    defaults = {name: default for name, _, default in OPTIONS[learner]}
    assert _options(an_object("x.Y", **defaults), learner) == ""
    changed = {name: not value if isinstance(value, bool) else value + 1 for name, value in defaults.items()}
    assert _options(an_object("x.Y", **changed), learner) == others


def test_which_files_begin_as_weka_s(tmp_path):
    path = tmp_path / "x.model"
    for data, is_weka_s in (
        (MAGIC, True), (MAGIC[:3], False), (b"", False), (gzip.compress(MAGIC), True), (gzip.compress(b"abcd"), False),
        (gzip.compress(MAGIC)[:2] + b"damaged.....", False), (gzip.compress(MAGIC)[:12], False),
        (gzip.compress(MAGIC)[:10] + b"\xff\xff\xff\xff", False), (MAGIC + b"\x70", True),
    ):  # fmt: skip
        path.write_bytes(data)
        assert is_weka_model(path) is is_weka_s
    assert not is_weka_model(tmp_path / "absent")
    assert not is_weka_model(tmp_path)


def nested_arrays(depth):
    """What Java serialises of arrays of one object each, one inside the other; the innermost holds null."""
    described = b"\x72\x00\x13[Ljava.lang.Object;" + bytes(8) + b"\x02\x00\x00\x78\x70"
    inner = b"\x75\x71\x00\x7e\x00\x00" + b"\x00\x00\x00\x01"
    return MAGIC + b"\x75" + described + b"\x00\x00\x00\x01" + (depth - 1) * inner + b"\x70"


def test_values_that_are_nested_too_deep():
    [value] = contents(nested_arrays(DEEPEST), 1)
    depth = 0
    while value is not None:
        [value], depth = value, depth + 1
    assert depth == DEEPEST
    with pytest.raises(StreamError, match=r"^its values are nested more than 20,000 deep, which Java itself cannot"):
        contents(nested_arrays(DEEPEST + 1), 1)


def test_filters_that_do_not_fit():
    reader = HeaderReader(Budget(10**6))
    [classifier] = contents((FOLDER / "weka-3.9.5-filtered.model").read_bytes(), 1)
    several = classifier.fields["m_Filter"]
    replacer, discretizer, remover = parts = several.fields["m_Filters"]
    assert len([*column_maps(several, reader)]) == 3
    known = next(column_maps(replacer, reader))
    assert np.flatnonzero(np.isnan(known.fill)).tolist() == [known.input_header.class_index]
    replacer.fields |= {"m_IgnoreClass": True, "m_ClassIndex": known.input_header.class_index}
    assert not np.isnan(next(column_maps(replacer, reader)).fill).any()
    replacer.fields["m_IgnoreClass"] = False
    several.fields["m_Filters"] = parts[:1] * MOST_FILTERS
    assert next(column_maps(several, reader)).input_header.n_classes == 3
    several.fields["m_Filters"] = parts[:1] * (MOST_FILTERS + 1)
    with pytest.raises(RefusedError, match=r"^holds 1,001 filters; at most 1,000 are read$"):
        next(column_maps(several, reader))
    several.fields["m_Filters"] = [replacer, None]
    with pytest.raises(StreamError, match=r"^a MultiFilter holds something that is no filter$"):
        [*column_maps(several, reader)]
    selected, cuts = remover.fields["m_SelectedAttributes"], discretizer.fields["m_CutPoints"]
    for wrong in (selected[:4], selected.astype("f4")):
        reorder = JavaObject(JavaClass("weka.filters.unsupervised.attribute.Reorder"), dict(remover.fields))
        reorder.fields["m_SelectedAttributes"] = wrong
        with pytest.raises(StreamError, match=r"^m_SelectedAttributes does not select the columns of the output$"):
            [*column_maps(reorder, reader)]
    discretizer.fields["m_CutPoints"] = cuts[:5]
    with pytest.raises(StreamError, match=r"^m_CutPoints has 5 columns, expected 6$"):
        [*column_maps(discretizer, reader)]


def test_filters_that_are_not_read():
    reader = HeaderReader(Budget(10**6))
    [classifier] = contents((FOLDER / "weka-3.9.5-filtered.model").read_bytes(), 1)
    replacer, discretizer, _ = classifier.fields["m_Filter"].fields["m_Filters"]
    discretizer.fields["m_MakeBinary"] = True
    with pytest.raises(RefusedError, match=r"Discretize -D, which makes several columns of one; only without -D it is"):
        next(column_maps(discretizer, reader))
    with pytest.raises(RefusedError, match=r"^holds a FilteredClassifier, whose tree .* have passed x\.Y; only"):
        next(column_maps(an_object("x.Y", **replacer.fields), reader))
    narrower = an_object(replacer.name, **{**replacer.fields, "m_OutputFormat": instances_of(an_attribute(0))})
    with pytest.raises(RefusedError, match=r"ReplaceMissingValues, which makes several columns of one; only filters"):
        next(column_maps(narrower, reader))
    for name in ("m_InputFormat", "m_OutputFormat"):
        with pytest.raises(RefusedError, match=r"^holds a FilteredClassifier that was not trained; build it before"):
            next(column_maps(an_object(replacer.name, **{**replacer.fields, name: None}), reader))


def test_a_filter_may_ignore_that_one_column_is_the_class():
    """Its headers then have none, and its own number counts; a filter before a class was set needs none."""
    header = instances_of(an_attribute(0), an_attribute(1, m_Values=a_list("p", "q")), class_index=-1)
    fields = {"m_InputFormat": header, "m_OutputFormat": header, "m_ModesAndMeans": np.array([2.5, 1.0])}
    header.fields["m_Attributes"].written[2].fields["m_Name"] = "b"
    name = "weka.filters.unsupervised.attribute.ReplaceMissingValues"
    ignoring = an_object(name, **fields, m_IgnoreClass=True, m_ClassIndex=1)
    [found] = column_maps(ignoring, HeaderReader(Budget(100)))
    assert (found.input_header.class_index, found.output_header.class_index) == (1, 1)
    assert found.fill.tolist() == [2.5, 1.0]


def test_a_classifier_of_ours_holds_what_was_fitted():
    for fitted, error, message in ((None, RefusedError, "that was not trained"), (3, StreamError, "is no object")):
        with pytest.raises(error, match=message):
            _inside(an_object("weka.classifiers.trees.ConfDTree", m_Outcome=an_object("x.Y", fitted=fitted)), ())
    outcome = an_object("x.Y", fitted=an_object("x.Z", model=np.frombuffer(b"bytes", "i1")))
    for reject, shown in (({}, "nan"), ({"m_Reject": 0.25}, "0.25")):
        inside = _inside(an_object("weka.classifiers.trees.ConfDTree", m_Outcome=outcome, **reject), ())
        assert (inside.model, str(inside.reject), inside.filters) == (b"bytes", shown, ())


def test_kinds_of_numbers():
    numbers = np.array([1.0, 2.0], dtype=">f8")
    assert doubles(numbers, 2, "m_X") is numbers
    for wrong in (numbers.astype("f4"), numbers.astype("i8"), [1.0, 2.0], None):
        with pytest.raises(StreamError, match=r"^m_X is no array of doubles$"):
            doubles(wrong, 2, "m_X")


# ---- classifiers around a tree ----


def mirrored(monkeypatch, classifier, header=None, size=1000):
    """What a file that holds only this classifier becomes."""
    monkeypatch.setattr(weka_models, "contents", lambda *_: [classifier])
    return weka_models._mirror(bytes(size), header)


def deciding(inside, *costs, decides=True):
    """A CostSensitiveClassifier."""
    matrix = an_object("weka.classifiers.CostMatrix", m_matrix=[[a_cost(cost) for cost in row] for row in costs])
    fields = {"m_MinimizeExpectedCost": decides, "m_CostMatrix": matrix, "m_Classifier": inside}
    return an_object(f"{META}CostSensitiveClassifier", **fields)


def test_costs_around_a_tree(monkeypatch):
    """Those that decide, wherever they stand among others that have only weighed; as many as classes, and once."""
    tree, _, header = read("j48")
    square, weighing, larger = ((1 - np.eye(n)).tolist() for n in (3, 2, 4))
    for outer in (
        deciding(tree, *square),
        deciding(deciding(tree, *weighing, decides=False), *square),
        deciding(deciding(tree, *square), *weighing, decides=False),
    ):
        found = mirrored(monkeypatch, outer, header)
        assert found.costs.costs == ((0, 1, 1), (1, 0, 1), (1, 1, 0)) and (found.filters, found.tree.learner) == (
            (),
            "J48",
        )
    with pytest.raises(RefusedError, match=r"^holds a CostSensitiveClassifier -M inside another; build it with one of"):
        mirrored(monkeypatch, deciding(deciding(tree, *square), *square), header)
    for costs in (weighing, larger):
        with pytest.raises(StreamError, match=f"^its tree has 3 classes and its costs {len(costs)} rows$"):
            mirrored(monkeypatch, deciding(tree, *costs), header)
    ours = an_object("weka.classifiers.trees.ConfDTree", m_Outcome=an_object("x.Y", fitted=None))
    with pytest.raises(RefusedError, match=r"^holds a CostSensitiveClassifier -M of a weka\.classifiers\.trees\.Conf"):
        mirrored(monkeypatch, deciding(ours, *square), header)
    circle = deciding(None, decides=False)
    circle.fields["m_Classifier"] = circle
    with pytest.raises(RefusedError, match=r"^holds more than 100 classifiers inside one another$"):
        mirrored(monkeypatch, circle, header)


def test_filters_around_a_tree(monkeypatch):
    """Each takes what the one around it gives, and the outermost what the data have."""
    [inner] = contents((FOLDER / "weka-3.9.5-filtered.model").read_bytes(), 1)
    several = inner.fields["m_Filter"]
    replacer, *_ = several.fields["m_Filters"]
    found = mirrored(monkeypatch, inner)
    given, filtered = found.filters[0].input_header, found.filters[-1].output_header
    assert given != filtered == found.tree.header
    again = mirrored(monkeypatch, an_object(f"{META}FilteredClassifier", m_Filter=replacer, m_Classifier=inner), given)
    first, *others = (one.output_header for one in again.filters)
    assert first.attributes == given.attributes and others == [one.output_header for one in found.filters]
    assert again.tree.header == filtered
    with pytest.raises(HeaderMismatchError, match=r"^the given header"):
        mirrored(monkeypatch, inner, filtered)
    with pytest.raises(HeaderMismatchError, match=r"^the output of a filter"):
        mirrored(monkeypatch, an_object(f"{META}FilteredClassifier", m_Filter=several, m_Classifier=inner))


def selecting(tree, *attributes):
    """An AttributeSelectedClassifier that has kept every column."""
    header = instances_of(*attributes, class_index=1)
    chosen = an_object(REMOVE, m_InputFormat=header, m_OutputFormat=header)
    selection = an_object("weka.attributeSelection.AttributeSelection", m_attributeFilter=chosen)
    return an_object(f"{META}AttributeSelectedClassifier", m_AttributeSelection=selection, m_Classifier=tree)


def test_choices_of_columns_around_trees(monkeypatch):
    """All choices in an ensemble are made of the same columns, and the options are those of the tree inside."""
    counts = an_object("weka.classifiers.rules.ZeroR", m_Counts=np.array([0.25, 0.75]))
    trees = [an_object("weka.classifiers.trees.RandomTree", m_zeroR=counts, m_MaxDepth=4) for _ in range(2)]
    columns = named("x"), named("k", 1, m_Values=a_list("p", "q"))
    found = mirrored(monkeypatch, selecting(trees[0], *columns)).tree
    assert (found.learner, found.options) == (
        "AttributeSelectedClassifier", "-W weka.classifiers.trees.RandomTree -- -depth 4",
    )  # fmt: skip
    stump = selecting(an_object("weka.classifiers.trees.DecisionStump", m_ZeroR=counts), *columns)
    assert mirrored(monkeypatch, stump).tree.options == "-W weka.classifiers.trees.DecisionStump"
    turned = selecting(trees[0], *columns)
    turned.fields["m_AttributeSelection"].fields["m_transformer"] = an_object("x.Components")
    with pytest.raises(RefusedError, match=r"AttributeSelectedClassifier with trees behind x\.Components, where only"):
        mirrored(monkeypatch, turned)
    for other in (columns, (named("y"), columns[1])):
        members = [selecting(trees[0], *columns), selecting(trees[1], *other)]
        bagging = an_object(f"{META}Bagging", m_Classifiers=members)
        if other is columns:
            assert len(mirrored(monkeypatch, bagging).tree.trees) == 2
        else:
            with pytest.raises(HeaderMismatchError, match=r"^what a choice of columns was fitted on, attribute 1"):
                mirrored(monkeypatch, bagging)


def test_a_tree_behind_a_choice_of_columns_asks_about_those_of_the_data(monkeypatch):
    """The first column of the tree is the second of the data."""
    bags = [np.array([0.75, 0.25]), np.array([0.25, 0.75]), np.array([0.5, 0.5])]
    stump = an_object("weka.classifiers.trees.DecisionStump", m_Distribution=bags, m_AttIndex=0, m_SplitPoint=2.5)
    before = named("x"), named("y"), named("k", 1, m_Values=a_list("p", "q"))
    outer = selecting(stump, *before)
    chosen = outer.fields["m_AttributeSelection"].fields["m_attributeFilter"].fields
    chosen["m_InputFormat"] = instances_of(*before, class_index=2)
    chosen["m_OutputFormat"] = instances_of(*before[1:], class_index=1)
    assert mirrored(monkeypatch, outer).tree.split_attribute.tolist() == [1, -1, 1, -1, -1]


def test_a_file_that_cannot_be_opened_is_no_model_of_weka_s(tmp_path, monkeypatch):
    path = tmp_path / "x.model"
    path.write_bytes(MAGIC)

    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr("builtins.open", refuse)
    assert not is_weka_model(path)


def test_any_other_error_says_that_the_file_is_damaged(tmp_path, monkeypatch):
    """In one line of at most 300 characters of the error."""
    path = tmp_path / "x.model"
    path.write_bytes(MAGIC)

    def fail(*_):
        raise IndexError("a\n b" + 400 * "c")

    monkeypatch.setattr(weka_models, "_mirror", fail)
    with pytest.raises(ModelFileError, match=rf"x\.model: damaged or invalid \(a b{297 * 'c'}\)$"):
        weka_models.load(path)
