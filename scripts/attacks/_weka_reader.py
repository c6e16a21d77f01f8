"""The process in which Weka's ArffLoader opens files: reads a path per line of standard input, prints one line on each.

It is another process than that of our reader, since Weka loops for ever on some files.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attacks._digest import digest, digest_of_rows
from attacks._reader import answer_paths
from wekaconf.base.errors import ArffError, BridgeError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._carrier import JavaError
from wekaconf.bridge._instances import unpack
from wekaconf.data import arff


def verdict(path: str) -> str:
    """What became of a file, in one word, and its digest or the reason."""
    try:
        text = arff.read_text(path)
        Path(path).write_text(text, encoding="utf-8", newline="")
    except ArffError:
        return "unasked"
    try:
        return f"reads {digest(unpack(jvm.call('readArff', path)))}"
    except BridgeError as error:
        if "is relational" not in str(error):
            kind = error.__cause__.class_name if isinstance(error.__cause__, JavaError) else ""
            return f"refused {kind} {error}"
    except ValueError as error:  # a weight that our data sets refuse
        return f"reads {error}"
    return f"reads {digest_of_rows(rows_of(instances_in(path)))}"


def instances_in(path: str) -> Any:
    """Weka's instances in a file."""
    import jpype

    loader = jpype.JClass("weka.core.converters.ArffLoader")()
    loader.setFile(jpype.JClass("java.io.File")(path))
    return loader.getDataSet()


def rows_of(instances: Any) -> Iterator[list[Any]]:
    """The cells and the weight of each instance, and whether it is sparse, as `attacks._digest.rows_of` gives ours."""
    import jpype

    sparse_instance = jpype.JClass("weka.core.SparseInstance")
    for i in range(instances.numInstances()):
        instance = instances.instance(i)
        cells: list[Any] = []
        for column in range(instances.numAttributes()):
            attribute = instances.attribute(column)
            if instance.isMissing(column):
                cells.append(None)
            elif attribute.isRelationValued():
                cells.append([*rows_of(instance.relationalValue(column))])
            elif attribute.isNominal() or attribute.isString():
                cells.append(str(attribute.value(int(instance.value(column)))))
            else:
                cells.append(float(instance.value(column)))
        yield [*cells, float(instance.weight()), isinstance(instance, sparse_instance)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    answer_paths(verdict)
