"""Small data sets written down where a test needs them."""

import numpy as np

from wekaconf.data import Attribute, Dataset, Header


def small(class_name: str | None = None, *, weights=None, relation: str = "small", **columns) -> Dataset:
    """A data set from its columns, the last one the class unless another is named.

    A column of numbers is numeric, of texts nominal (values in order of appearance), None is missing; a pair
    (declared values, cells) declares values that need not occur.
    """
    attributes, values = [], []
    for name, column in columns.items():
        declared, cells = column if isinstance(column, tuple) else (None, column)
        texts = [cell for cell in cells if isinstance(cell, str)]
        if declared is None and not texts:
            attributes.append(Attribute(name))
            values.append([np.nan if cell is None else cell for cell in cells])
        else:
            declared = tuple(dict.fromkeys(texts)) if declared is None else tuple(declared)
            attributes.append(Attribute(name, "nominal", declared))
            values.append([np.nan if cell is None else declared.index(cell) for cell in cells])
    names = list(columns)
    class_index = len(names) - 1 if class_name is None else names.index(class_name)
    cells = np.array(values, dtype=np.float64).T.reshape(-1, len(names))
    return Dataset(Header(relation, tuple(attributes), class_index), cells, weights)
