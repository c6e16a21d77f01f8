"""Preprocessings, named or written as Weka writes filters: fitted on one data set and applied to others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list, nearest, quoted
from wekaconf.bridge import FittedFilter, fit_filter
from wekaconf.data import ColumnMap, Dataset, check_trainable

ATTRIBUTE_FILTERS = "weka.filters.unsupervised.attribute"

Filters = tuple[FittedFilter | ColumnMap, ...]


@dataclass(frozen=True, eq=False)
class Preprocessing:
    """Filters that have been fitted on training data, to be applied one after the other.

    Parameters
    ----------
    name : str
        A key of `PREPROCESSINGS`, or Weka's filters as they were written.
    filters : tuple of FittedFilter or ColumnMap
        The filters in the order of their use; ``Model(method, filters)`` holds them with a method.
    output : Dataset
        The filtered training data, under the name of the training data's relation.
    """

    name: str
    filters: Filters
    output: Dataset

    def __repr__(self) -> str:
        """The name of the preprocessing and of the data it was fitted on."""
        return f"Preprocessing({self.name!r} fitted on {self.output.relation!r})"

    def apply(self, data: Dataset) -> Dataset:
        """Filter further instances; their number, order and classes stay the same.

        Raises
        ------
        HeaderMismatchError
            The attributes of ``data`` are not those of the training data.
        """
        n = len(data)
        for fitted_filter in self.filters:
            data = fitted_filter.apply(data)
        if len(data) != n:
            raise OptionError(
                f"{self.name}: it makes {len(data)} of {n} instances, but those that are asked about must stay; use it "
                "on the file, with Weka",
                value_of="preprocess",
            )
        return replace(data, header=self.output.header)


def fit_preprocessing(train: Dataset, name: str) -> Preprocessing:
    """Fit a named preprocessing.

    ``median``: missing values become the median of the attribute's known values or, for a nominal attribute, the most
    frequent value, ties to the first declared; needs no Weka.

    ``wang2006``, as Wang and Zhang did: missing values become the attribute's mean or most frequent value
    (ReplaceMissingValues), numeric and date attributes are cut into ten bins of equal width (Discretize), and
    attributes that nearly identify the instance are removed (Remove): the nominal attributes with at least .8 · n
    distinct values among the n instances of ``train``. The class is neither read nor changed.

    Parameters
    ----------
    train : Dataset
        Data with a nominal class; instances whose class is missing count like the others. An attribute without a known
        value becomes constant: 0 if it is numeric, its first value if it is nominal.
    name : str
        A key of `PREPROCESSINGS`: median, wang2006.

    Returns
    -------
    Preprocessing
        Cost: O(n_instances · n_attributes), for ``wang2006`` in three passes through Weka.

    Raises
    ------
    OptionError
        The name is unknown; no tree can be grown on the data, which have string attributes, say; for ``wang2006`` also
        if the range of an attribute is infinite or too narrow for ten bins, or if no attribute would remain.

    References
    ----------
    B. Wang and H. Zhang (2006). Improving the ranking performance of decision trees. Proceedings of the 17th
    European Conference on Machine Learning, 461-472. Section 6.
    **Departures**: "almost equal to the number of instances" is read as at least .8 times that number, which removes
    the hospital number of colic.ORIG, the instance name of splice and the animal of zoo. Where the labels of two bins
    would agree in all their six decimals, which Weka refuses, labels get more decimals; the bins stay the same.
    """
    check_preprocessing(name)
    check_trainable(train)
    filters, output = PREPROCESSINGS[name](train)
    return Preprocessing(name, filters, replace(output, header=replace(output.header, relation=train.relation)))


def check_preprocessing(name: object) -> None:
    """Raise OptionError for a name that `fit_preprocessing` does not know."""
    if not isinstance(name, str) or name not in PREPROCESSINGS:
        known, hint = ", ".join(PREPROCESSINGS), nearest(str(name), PREPROCESSINGS)
        raise OptionError(
            f"no preprocessing {quoted(str(name))}; the preprocessings are {known}{hint}", value_of="preprocess"
        )


def fit_filters(train: Dataset, texts: Sequence[str]) -> Preprocessing:
    """Fit Weka's filters, each on what the one before makes of the training data, as FilteredClassifier does.

    Parameters
    ----------
    train : Dataset
        Data with a nominal class; instances whose class is missing count like the others.
    texts : sequence of str
        A filter's full name and its options, such as ``weka.filters.unsupervised.attribute.Discretize -B 10``.

    Raises
    ------
    OptionError
        A filter or an option is unknown, a filter cannot work on these data, or it changes the class.
    """
    filters: list[FittedFilter | ColumnMap] = []
    output = train
    for text in texts:
        class_name, _, options = text.strip().partition(" ")
        fitted = fit_filter(output, class_name, options.strip())
        output = fitted.output
        if output.class_index < 0 or output.header.class_attribute != train.header.class_attribute:
            raise OptionError(
                f"{text}: it changes or removes the class, {train.header.class_attribute.name}", value_of="filters"
            )
        filters.append(fitted)
    header = replace(output.header, relation=train.relation)
    return Preprocessing(", ".join(texts), tuple(filters), replace(output, header=header))


def _median(train: Dataset) -> tuple[Filters, Dataset]:
    n = len(train.attributes)
    fill = train.typical_values()
    fill[train.class_index] = np.nan
    is_cut = np.zeros(n, dtype=np.bool_)
    start = np.zeros(n + 1, dtype=np.int32)
    column_map = ColumnMap(train.header, train.header, np.arange(n, dtype=np.int32), fill, start, np.zeros(0), is_cut)
    return (column_map,), column_map.apply(train)


def _wang2006(train: Dataset) -> tuple[Filters, Dataset]:
    replacement = fit_filter(train, f"{ATTRIBUTE_FILTERS}.ReplaceMissingValues")
    _check_bins(replacement.output, train.relation)
    try:
        discretization = fit_filter(replacement.output, f"{ATTRIBUTE_FILTERS}.Discretize", "-B 10")
    except OptionError:  # two labels agree in all six decimals; longer labels change no bin
        discretization = fit_filter(replacement.output, f"{ATTRIBUTE_FILTERS}.Discretize", "-B 10 -precision 17")
    near_unique = _near_unique(train)
    if not near_unique:
        return (replacement, discretization), discretization.output
    if len(near_unique) == len(train.attributes) - 1:
        names = name_list(train.attributes[column].name for column in near_unique)
        raise OptionError(
            f"'{train.relation}': there are nearly as many values of {names} as instances ({len(train)}), so no "
            "attribute would remain; give more instances, or leave the preprocessing out",
            value_of="preprocess",
        )
    columns = ",".join(str(column + 1) for column in near_unique)
    removal = fit_filter(discretization.output, f"{ATTRIBUTE_FILTERS}.Remove", f"-R {columns}")
    return (replacement, discretization, removal), removal.output


def _check_bins(data: Dataset, relation: str) -> None:
    """Raise OptionError if Weka's cut points would not be nine ascending numbers; a constant attribute has none."""
    numeric = [column for column, attribute in enumerate(data.attributes) if not attribute.is_nominal]
    cells = data.values[:, numeric]
    low = cells.min(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        width = cells.max(axis=0) - low
        cuts = low + width / 10 * np.arange(1, 10)[:, None]
        fits = (width == 0) | (np.diff(cuts, axis=0) > 0).all(axis=0)
    if not fits.all():
        names = name_list(data.attributes[numeric[i]].name for i in np.flatnonzero(~fits))
        raise OptionError(
            f"'{relation}': the range of {names} is infinite or too narrow for ten bins; leave them out, or make "
            "infinite values missing (?)",
            value_of="preprocess",
        )


def _near_unique(data: Dataset) -> list[int]:
    """Columns of the nominal attributes, except the class, that have at least .8 distinct values per instance."""
    columns = []
    for column, attribute in enumerate(data.attributes):
        if attribute.is_nominal and column != data.class_index:
            cells = data.values[:, column]
            if 5 * len(np.unique(cells[~np.isnan(cells)])) >= 4 * len(data):
                columns.append(column)
    return columns


PREPROCESSINGS: dict[str, Callable[[Dataset], tuple[Filters, Dataset]]] = {"median": _median, "wang2006": _wang2006}
"""Every named preprocessing: a function that fits its filters, in the order of their use, and returns their output."""
