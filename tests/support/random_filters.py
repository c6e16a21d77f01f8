"""Weka's filters with random options, strings for them to read, and where ours differ from Weka's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from support.java_classes import JavaException
from support.live_weka import read_by_weka
from wekaconf.base.errors import ArffError, BridgeError, OptionError
from wekaconf.bridge import fit_filter
from wekaconf.bridge._instances import from_java, to_java
from wekaconf.data import Attribute, Dataset, Header

RANGES = ("first", "last", "first-last", "1,last", "2-last", "last-first", "3,1", "first,first")
NUMBERS = ("0", "-0.0", "0.5", "1", "-1", "3", "1e-6", "1e300")
SEEDS = ("0", "1", "7", "-3")
COUNTS = ("1", "2", "3", "10")
LABELS = ("p", "v0", "v1,v0", "z,y,x", "'a b'")
FILTER = "weka.filters.unsupervised.attribute"
SIMPLE = (
    f"{FILTER}.ReplaceMissingValues", f"{FILTER}.Standardize", f"{FILTER}.Center", f"{FILTER}.Normalize",
    f"{FILTER}.Discretize -B 3", f"{FILTER}.NominalToBinary", f"{FILTER}.Remove -R last",
    "weka.filters.unsupervised.instance.NonSparseToSparse", "weka.filters.unsupervised.instance.SparseToNonSparse",
    "weka.filters.supervised.instance.ClassBalancer",
)  # fmt: skip
"""Filters that stand in the options of others."""

CLASS, CHOICE, INVERT = ("unset-class-temporarily",), ("R", RANGES), ("V",)
BINS = (CHOICE, INVERT, ("D",), ("Y",), ("precision", ("2", "17")), ("spread-attribute-weight",))
EQUAL = (*BINS, ("B", COUNTS), ("M", ("2", "5")), ("F",), ("O",), CLASS)
SERIES = (CHOICE, INVERT, ("I", ("-2", "-1", "1", "3")), ("M",))
Options = tuple[tuple[str] | tuple[str, tuple[str, ...]], ...]
FILTERS: dict[str, Options] = {
    "AllFilter": (),
    "MultiFilter": (("F", SIMPLE), ("F", SIMPLE), ("F", SIMPLE), ("S", SEEDS)),
    "RenameRelation": (("modify", ("x", "y z")), ("mod-type", ("REPLACE", "PREPEND", "APPEND"))),
    "supervised.attribute.AddClassification": (
        ("W", ("weka.classifiers.trees.J48", "weka.classifiers.rules.ZeroR", "weka.classifiers.trees.RandomTree")),
        ("classification",), ("remove-old-class",), ("distribution",), ("error",),
    ),
    "supervised.attribute.AttributeSelection": (
        ("E", ("weka.attributeSelection.InfoGainAttributeEval", "weka.attributeSelection.CfsSubsetEval")),
        ("S", ("weka.attributeSelection.Ranker -N 2", "weka.attributeSelection.BestFirst")),
    ),
    "supervised.attribute.ClassConditionalProbabilities": (
        ("N",), ("C",), ("spread-attribute-weight",), ("min-values", ("-1", "2", "3")),
    ),
    "supervised.attribute.ClassOrder": (("R", SEEDS), ("C", ("0", "1", "2"))),
    "supervised.attribute.Discretize": (*BINS, ("E",), ("K",)),
    "supervised.attribute.MergeNominalValues": (("L", ("0.05", "0.5", "1e-9")), CHOICE, INVERT, ("O",)),
    "supervised.attribute.NominalToBinary": (("N",), ("A",), ("spread-attribute-weight",)),
    "supervised.attribute.PartitionMembership": (("W", ("weka.classifiers.trees.J48",)),),
    "supervised.instance.ClassBalancer": (("num-intervals", COUNTS),),
    "supervised.instance.Resample": (
        ("S", SEEDS), ("Z", ("20", "100", "150")), ("B", ("0", "0.5", "1")), ("no-replacement",), INVERT,
    ),
    "supervised.instance.SpreadSubsample": (("S", SEEDS), ("M", ("0", "1", "2.5")), ("W",), ("X", ("0", "3"))),
    "supervised.instance.StratifiedRemoveFolds": (INVERT, ("N", ("2", "3")), ("F", ("1", "2")), ("S", ("0", "5"))),
    "unsupervised.attribute.Add": (
        ("T", ("NUM", "NOM", "STR", "DAT")), ("C", ("first", "last", "2")), ("N", ("new",)), ("L", LABELS),
        ("F", ("yyyy", "'yyyy-MM-dd HH:mm'")), ("W", ("1.0",)),
    ),
    "unsupervised.attribute.AddCluster": (
        ("W", ('"weka.clusterers.SimpleKMeans -N 2"', "weka.clusterers.FarthestFirst")), ("I", RANGES),
    ),
    "unsupervised.attribute.AddExpression": (("E", ("a1^2", "a1*a2-1", "0*a1")), ("N", ("new",))),
    "unsupervised.attribute.AddID": (("C", ("first", "last", "2")), ("N", ("id",))),
    "unsupervised.attribute.AddNoise": (("C", ("first", "last")), ("M",), ("P", ("10", "90")), ("S", SEEDS)),
    "unsupervised.attribute.AddUserFields": (
        ("A", ("new@numeric@0", "new@numeric@3", "new@nominal@p", "new@string@text")),
    ),
    "unsupervised.attribute.AddValues": (("C", ("first", "last")), ("L", LABELS), ("S",)),
    "unsupervised.attribute.CartesianProduct": (CHOICE,),
    "unsupervised.attribute.Center": (CLASS,),
    "unsupervised.attribute.ChangeDateFormat": (("C", ("first", "last", "2")), ("F", ("yyyy", "yyyy-MM-dd"))),
    "unsupervised.attribute.ClassAssigner": (("C", ("first", "last", "0", "2")),),
    "unsupervised.attribute.ClusterMembership": (
        ("W", ("weka.clusterers.MakeDensityBasedClusterer", "weka.clusterers.EM -I 2 -N 2")), ("I", RANGES),
    ),
    "unsupervised.attribute.Copy": (CHOICE, INVERT),
    "unsupervised.attribute.DateToNumeric": (CHOICE, INVERT),
    "unsupervised.attribute.Discretize": EQUAL,
    "unsupervised.attribute.FirstOrder": (CHOICE,),
    "unsupervised.attribute.InterquartileRange": (
        CHOICE, ("O", ("0.5", "3")), ("E", ("1", "6")), ("E-as-O",), ("P",), ("M",),
    ),
    "unsupervised.attribute.KernelFilter": (
        ("K", ('"weka.classifiers.functions.supportVector.RBFKernel -G 0.5"',)),
        ("P", (SIMPLE[1], "weka.filters.AllFilter")),
    ),
    "unsupervised.attribute.MakeIndicator": (("C", ("first", "last", "2")), ("V", RANGES), ("N", ("true", "false"))),
    "unsupervised.attribute.MathExpression": (
        ("E", ("A+1", "A*0", "(A-MIN)/(MAX-MIN)", "0-A", "ifelse(A>MEAN,A,0)")), CHOICE, INVERT, CLASS,
    ),
    "unsupervised.attribute.MergeInfrequentNominalValues": (("N", ("2", "10", "50")), CHOICE, INVERT, ("S",)),
    "unsupervised.attribute.MergeManyValues": (("C", ("first", "last", "2")), ("L", ("both",)), CHOICE, CLASS),
    "unsupervised.attribute.MergeTwoValues": (("C", ("first", "last", "2")), ("F", ("first", "2")), ("S", ("last",))),
    "unsupervised.attribute.NominalToBinary": (("N",), ("A",), CHOICE, INVERT, ("spread-attribute-weight",)),
    "unsupervised.attribute.NominalToString": (("C", RANGES),),
    "unsupervised.attribute.Normalize": (("S", NUMBERS), ("T", NUMBERS), CLASS),
    "unsupervised.attribute.NumericCleaner": (
        ("min", NUMBERS), ("min-default", NUMBERS), ("max", NUMBERS), ("max-default", NUMBERS), ("closeto", NUMBERS),
        ("closeto-default", NUMBERS), ("closeto-tolerance", NUMBERS), ("decimals", ("-1", "0", "2")), CHOICE, INVERT,
        ("include-class",),
    ),
    "unsupervised.attribute.NumericToBinary": (CHOICE, INVERT, CLASS),
    "unsupervised.attribute.NumericToDate": (CHOICE, INVERT, ("F", ("yyyy-MM-dd",))),
    "unsupervised.attribute.NumericToNominal": (CHOICE, INVERT),
    "unsupervised.attribute.NumericTransform": (CHOICE, INVERT, ("M", ("abs", "floor", "rint", "cbrt", "cos"))),
    "unsupervised.attribute.Obfuscate": (),
    "unsupervised.attribute.OrdinalToNumeric": (CLASS, CHOICE),
    "unsupervised.attribute.PKIDiscretize": EQUAL,
    "unsupervised.attribute.PartitionedMultiFilter": (
        ("F", SIMPLE[1:4]), ("R", ("first-2", "1,last")), ("F", SIMPLE[1:4]), ("R", ("first-2", "2-last")), ("U",),
    ),
    "unsupervised.attribute.PrincipalComponents": (
        ("C",), ("R", ("0.5", "0.95")), ("A", ("-1", "2")), ("M", ("-1", "2")),
    ),
    "unsupervised.attribute.RandomProjection": (
        ("N", COUNTS), ("D", ("SPARSE1", "SPARSE2", "GAUSSIAN")), ("P", ("50",)), ("M",), ("R", SEEDS),
    ),
    "unsupervised.attribute.RandomSubset": (("N", ("0.5", "2")), INVERT, ("S", SEEDS)),
    "unsupervised.attribute.Remove": (CHOICE, INVERT),
    "unsupervised.attribute.RemoveByName": (("E", ("a[0-2]", "class", "nothing")), INVERT),
    "unsupervised.attribute.RemoveType": (("T", ("nominal", "numeric", "string", "date")), INVERT),
    "unsupervised.attribute.RemoveUseless": (("M", ("10", "50", "99")),),
    "unsupervised.attribute.RenameAttribute": (("find", ("a", "[0-9]")), ("replace", ("b",)), ("all",), CHOICE, INVERT),
    "unsupervised.attribute.RenameNominalValues": (CHOICE, INVERT, ("N", ("v0:w,v1:v9", "c0:k")), ("I",)),
    "unsupervised.attribute.Reorder": (("R", (*RANGES, "last-first,first", "2,1,last")),),
    "unsupervised.attribute.ReplaceMissingValues": (CLASS,),
    "unsupervised.attribute.ReplaceMissingWithUserConstant": (
        ("A", RANGES), ("N", ("v0", "v1", "c1")), ("R", NUMBERS), ("D", ("2020-02-02",)), ("F", ("yyyy-MM-dd",)), CLASS,
    ),
    "unsupervised.attribute.ReplaceWithMissingValue": (CHOICE, INVERT, ("S", SEEDS), ("P", ("0.1", "0.9")), CLASS),
    "unsupervised.attribute.SortLabels": (CHOICE, INVERT, ("S", ("CASE", "NON-CASE"))),
    "unsupervised.attribute.Standardize": (CLASS,),
    "unsupervised.attribute.StringToNominal": (CHOICE, INVERT),
    "unsupervised.attribute.StringToWordVector": (
        ("C",), ("T",), ("I",), ("N", ("0", "1", "2")), ("L",), ("O",), ("M", ("1", "2")), ("W", ("2", "1000")),
        ("P", ("w_",)),
    ),
    "unsupervised.attribute.SwapValues": (("C", ("first", "last", "2")), ("F", ("first", "2")), ("S", ("last",))),
    "unsupervised.attribute.TimeSeriesDelta": SERIES,
    "unsupervised.attribute.TimeSeriesTranslate": SERIES,
    "unsupervised.attribute.Transpose": (),
    "unsupervised.instance.NonSparseToSparse": (("M",),),
    "unsupervised.instance.Randomize": (("S", SEEDS),),
    "unsupervised.instance.RemoveDuplicates": (),
    "unsupervised.instance.RemoveFolds": (INVERT, ("N", ("2", "3")), ("F", ("1", "2")), ("S", ("0", "5"))),
    "unsupervised.instance.RemoveFrequentValues": (
        ("C", ("first", "last", "2")), ("N", COUNTS), ("L",), ("H",), INVERT,
    ),
    "unsupervised.instance.RemoveMisclassified": (
        ("W", ("weka.classifiers.trees.J48", "weka.classifiers.trees.RandomTree")), ("C", ("-1", "1")),
        ("F", ("0", "2")), ("T", ("0.1",)), ("I", ("0", "1")), INVERT,
    ),
    "unsupervised.instance.RemovePercentage": (("P", ("0", "30", "100")), INVERT),
    "unsupervised.instance.RemoveRange": (("R", ("1", "first-last", "2-last")), INVERT),
    "unsupervised.instance.RemoveWithValues": (
        ("C", ("first", "last", "2")), ("S", NUMBERS), ("L", RANGES), ("M",), INVERT, ("H",), ("F",),
    ),
    "unsupervised.instance.Resample": (("S", SEEDS), ("Z", ("20", "100", "150")), ("no-replacement",), INVERT),
    "unsupervised.instance.ReservoirSample": (("S", SEEDS), ("Z", ("3", "100"))),
    "unsupervised.instance.SparseToNonSparse": (),
    "unsupervised.instance.SubsetByExpression": (
        ("E", ("true", "ATT1 > 0", "ismissing(ATT1)", "ATT2 is 'v0'")), ("F",),
    ),
}  # fmt: skip
"""Each filter with its options: a flag alone, or an option with values to choose from."""
NOT_DRAWN = {"unsupervised.attribute.FixedDictionaryStringToWordVector": "it reads its words from a file"}


WORDS = ("b", "a", "a b", "it's, so", "c d b")


def random_filter(rng: Generator, name: str = "") -> tuple[str, str]:
    """Full name and options of that filter, or of any."""
    name = name or str(rng.choice([*FILTERS]))
    share = rng.choice([0.0, 0.3, 0.6, 1.0])
    parts = []
    for option, *values in FILTERS[name]:
        if rng.random() < share:
            parts += [f"-{option}", *(_quoted(str(rng.choice(choices))) for choices in values)]
    return f"weka.filters.{name}", " ".join(parts)


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text and text[0] not in "\"'" else text


def with_strings(rng: Generator, train: Dataset, test: Dataset) -> tuple[Dataset, Dataset]:
    """The data with a string attribute, whose values are in their order of appearance."""
    at = int(rng.integers(len(train.attributes) + 1))
    return _with_strings(rng, train, at), _with_strings(rng, test, at)


def _with_strings(rng: Generator, data: Dataset, at: int) -> Dataset:
    texts = rng.choice(WORDS, len(data)).tolist()
    place = {text: float(i) for i, text in enumerate(dict.fromkeys(texts))}
    attributes = list(data.attributes)
    attributes.insert(at, Attribute("text", "string", tuple(place)))
    header = Header(data.relation, tuple(attributes), data.class_index + (at <= data.class_index))
    return replace(data, header=header, values=np.insert(data.values, at, [place[text] for text in texts], axis=1))


MOST_WEIGHT = 1e7
"""Of instances that are put into intervals of a certain weight, see `filter_differences`."""


def filter_differences(java: Any, class_name: str, options: str, train: Dataset, test: Dataset) -> list[str] | None:
    """Where our filter, fitted on training data and applied to others, differs from Weka's own; None: both refuse it.

    Weka reads the data from files, unless ARFF cannot hold them. It is not asked for what it cannot do: its AddNoise
    never ends where it has no value to replace a missing one with, which we refuse; and its Discretize has one place
    for each -M of weight, so that Java runs out of memory where the weights are large.
    """
    if class_name.endswith(".AddNoise") and "-M" in options and any(each.values == () for each in train.attributes):
        return None
    if class_name.endswith("Discretize") and "-M" in options and train.weights.sum() > MOST_WEIGHT:
        return None
    ours, theirs = list(_ours(class_name, options, train, test)), list(_wekas(java, class_name, options, train, test))
    if len(ours) == len(theirs) == 1:
        return None
    batches = ("training data", "further data")
    compared = [(batch, _unlike(*pair)) for batch, *pair in zip(batches, ours, theirs, strict=False)]
    return [f"{batch}: {unlike}" for batch, unlike in compared if unlike]


def _ours(class_name: str, options: str, train: Dataset, test: Dataset) -> Iterator[Dataset | str]:
    """What our filter makes of the training data and of the others, or why it refuses."""
    try:
        fitted = fit_filter(train, class_name, options)
        yield fitted.output
        yield fitted.apply(test)
    except OptionError as error:
        yield f"refused: {error}"


def _wekas(java: Any, class_name: str, options: str, train: Dataset, test: Dataset) -> Iterator[Any]:
    """The same of Weka's own objects."""
    try:
        sent = [read_by_weka(java, data) for data in (train, test)]
    except ArffError:
        sent = [to_java(data) for data in (train, test)]
    own = java(class_name)()
    try:
        own.setOptions(java("weka.core.Utils").splitOptions(options))
        own.setInputFormat(sent[0])
        for instances in sent:
            made = java("weka.filters.Filter").useFilter(instances, own)
            from_java(made)
            yield made
    except (JavaException, ValueError, BridgeError) as error:  # ValueError: Weka's data contradict their header
        yield f"refused: {error}"


def _unlike(ours: Dataset | str, made: Any) -> str:
    """How a data set differs from Weka's instances, to the bit and in the text of its rows; empty if it does not.

    A text instead of either is a refusal.
    """
    if isinstance(ours, str) or isinstance(made, str):
        both = isinstance(ours, str) and isinstance(made, str)
        return "" if both else f"{ours}, but by Weka: {made if isinstance(made, str) else 'taken'}"
    theirs = from_java(made)
    one, other = _texts_in_order(ours), _texts_in_order(theirs)
    if one.header != other.header:
        return f"header {one.header}, expected {other.header}"
    wrong = np.argwhere(_bits(one) != _bits(other))
    if len(wrong):
        place = tuple(wrong[0])
        return f"{len(wrong)} cells, first {one.values[place]} at {place}, expected {other.values[place]}"
    if one != other:
        return "weights or sparse rows"
    has_strings = any(attribute.kind == "string" for attribute in ours.attributes)
    return "" if has_strings or _row_texts(to_java(ours)) == _row_texts(made) else "the text of rows"


def _bits(data: Dataset) -> np.ndarray:
    return np.where(np.isnan(data.values), np.nan, data.values).view(np.int64)


def _texts_in_order(data: Dataset) -> Dataset:
    """The same data with the values of strings in their order of appearance; Weka keeps others, too."""
    values, attributes = data.values.copy(), list(data.attributes)
    for column, attribute in enumerate(data.attributes):
        if attribute.kind == "string":
            known = ~np.isnan(values[:, column])
            texts = [attribute.values[int(cell)] for cell in values[known, column]]
            place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
            values[known, column] = [place[text] for text in texts]
            attributes[column] = replace(attribute, values=tuple(place))
    return replace(data, header=replace(data.header, attributes=tuple(attributes)), values=values)


def _row_texts(instances: Any) -> list[str]:
    return [str(instances.instance(i).toStringNoWeight(17)) for i in range(instances.numInstances())]
