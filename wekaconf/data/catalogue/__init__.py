"""Public data sets by name: where they are, how they come here, and where they are then found."""

from wekaconf.data.catalogue._conversion import values_digest
from wekaconf.data.catalogue._finding import (
    COLLECTIONS,
    VARIABLE,
    Entry,
    data_files,
    entries,
    entry,
    existing_set_folder,
    find,
    find_in_folder,
    find_locally,
    is_name,
    is_pattern,
    make_set_folder,
    openml_entry,
    unchanged_file,
)

__all__ = [
    "COLLECTIONS", "VARIABLE", "Entry", "data_files", "entries", "entry", "existing_set_folder", "find",
    "find_in_folder", "find_locally", "is_name", "is_pattern", "make_set_folder", "openml_entry",
    "unchanged_file", "values_digest",
]  # fmt: skip
