"""Numbers, dates and cells as people read them: one at a time, and whole columns at once."""

from wekaconf.data.wording._notation import (
    DAY,
    SECOND,
    apart,
    as_number,
    as_share,
    bound_text,
    cells,
    class_share,
    class_text,
    counted_weight,
    counts_apart,
    decimal_mark,
    interval,
    number,
    percent,
    percent_bound,
    percent_ends,
    the_mark,
    with_mark,
)
from wekaconf.data.wording._text_columns import (
    FEW,
    cell_texts,
    each_distinct,
    each_of,
    numbers,
    numbers_apart,
    text_column,
)

__all__ = [
    "DAY", "FEW", "SECOND", "apart", "as_number", "as_share", "bound_text", "cell_texts", "cells", "class_share",
    "class_text", "counted_weight", "counts_apart", "decimal_mark", "each_distinct", "each_of",
    "interval", "number", "numbers", "numbers_apart", "percent", "percent_bound",
    "percent_ends", "text_column", "the_mark", "with_mark",
]  # fmt: skip
