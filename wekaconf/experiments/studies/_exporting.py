"""The export of a store, fold by fold, to files for other programs."""

from __future__ import annotations

import os

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write
from wekaconf.base.packages import needed
from wekaconf.experiments.store import Store
from wekaconf.report.evaluation import per_fold_rows, write_experimenter_arff, write_fold_rows


def export(store: Store, path: str | os.PathLike[str]) -> None:
    """Write one row per data set, method, learner, run and fold, with every measure.

    Parameters
    ----------
    store : Store
    path : path
        The file, which appears when it is complete: Parquet by the endings .parquet and .pq, the results of Weka's
        Experimenter by .arff and .arff.gz, else CSV.

    Raises
    ------
    OptionError
        Nothing is finished yet, or a package is not installed.
    """
    if not store.records():
        raise OptionError(f"{store.path}: nothing is finished yet, so there is nothing to write", value_of="store")
    path = os.fspath(path)
    ending = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    {".parquet": _parquet, ".pq": _parquet, ".arff": _arff}.get(ending, _csv)(store, path)


def _csv(store: Store, path: str) -> None:
    with atomic_write(path, "w") as file:
        write_fold_rows(store.results(), file)


def _parquet(store: Store, path: str) -> None:
    with needed("Parquet", "tables"):
        import pyarrow
        from pyarrow import parquet
    table = pyarrow.Table.from_pylist([*per_fold_rows(store.results())])
    with atomic_write(path, "wb") as file:
        parquet.write_table(table, file)


def _arff(store: Store, path: str) -> None:
    write_experimenter_arff(path, store.results())
