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
    distinct_places,
    each_distinct,
    each_of,
    intervals,
    numbers,
    numbers_apart,
    numbers_beside,
    text_column,
)

__all__ = [
    "DAY", "FEW", "SECOND", "apart", "as_number", "as_share", "bound_text", "cell_texts", "cells", "class_share",
    "class_text", "counted_weight", "counts_apart", "decimal_mark", "distinct_places", "each_distinct", "each_of",
    "interval", "intervals", "number", "numbers", "numbers_apart", "numbers_beside", "percent", "percent_bound",
    "percent_ends", "text_column", "the_mark", "with_mark",
]  # fmt: skip
