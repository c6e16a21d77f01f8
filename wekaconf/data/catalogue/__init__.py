"""Public data sets by name: where they are, how they come here, and where they are then found."""

from wekaconf.data.catalogue._conversion import values_digest
from wekaconf.data.catalogue._finding import VARIABLE, at_hand, find, in_folder, is_name
from wekaconf.data.catalogue._index import COLLECTIONS, Entry, entries, entry, openml_entry
from wekaconf.data.catalogue._listing import data_files, is_pattern
from wekaconf.data.catalogue._set_folder import existing_shelf, shelf, whole

__all__ = [
    "COLLECTIONS", "VARIABLE", "Entry", "at_hand", "data_files", "entries", "entry", "existing_shelf", "find",
    "in_folder", "is_name", "is_pattern", "openml_entry", "shelf", "values_digest", "whole",
]  # fmt: skip
