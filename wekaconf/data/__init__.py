"""Instances in: the dataset and its header, ARFF, table files, data frames, costs; public data sets in `catalogue/`."""

from wekaconf.data import arff as _arff  # noqa: F401 - by which data sets are written
from wekaconf.data._advice import note_class
from wekaconf.data._cells import BOOLEANS, csv_text, family_of, is_number, value_text
from wekaconf.data._column_map import ColumnMap, check_chain
from wekaconf.data._columns import DATE_FORMAT, library
from wekaconf.data._conversions import read_instances_with
from wekaconf.data._cost_matrix import CostMatrix, load_cost_matrix
from wekaconf.data._dataset import Dataset, flags_of, header_of
from wekaconf.data._declared_values import places_meant
from wekaconf.data._header import Attribute, Header, Kind
from wekaconf.data._matching import Unseen, UnseenValues, match_padded_names
from wekaconf.data._tables import (
    DELIMITED,
    Loaded,
    check_columns,
    is_table,
    join_parts,
    loaded_like,
    note_no_id,
    note_repeated,
    open_table,
    read_parts_like,
    read_table,
    stem,
)
from wekaconf.data._training import check_trainable, fold_numbers, folds_of, training_part
from wekaconf.data._training_summary import (
    ABOVE,
    BELOW,
    MOST_ROWS,
    NOT_SEEN,
    Outside,
    TrainingSummary,
    bin_cuts,
    counted_as,
    summarise,
)

__all__ = [
    "ABOVE", "BELOW", "BOOLEANS", "DATE_FORMAT", "DELIMITED", "MOST_ROWS", "NOT_SEEN", "Attribute", "ColumnMap",
    "CostMatrix", "Dataset", "Header", "Kind", "Loaded", "Outside", "TrainingSummary", "Unseen", "UnseenValues",
    "bin_cuts", "check_chain", "check_columns", "check_trainable", "counted_as", "csv_text", "family_of", "flags_of",
    "fold_numbers", "folds_of", "header_of", "is_number", "is_table", "join_parts", "library", "load_cost_matrix",
    "loaded_like", "match_padded_names", "note_class", "note_no_id", "note_repeated", "open_table", "places_meant",
    "read_instances_with", "read_parts_like", "read_table", "stem", "summarise", "training_part", "value_text",
]  # fmt: skip
