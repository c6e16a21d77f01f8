"""ARFF files read as Weka reads them, and written, without Java."""

from wekaconf.data._conversions import write_arff_with
from wekaconf.data.arff._files import header_text, load_arff, read_header, read_text, rows_text, save_arff

__all__ = ["header_text", "load_arff", "read_header", "read_text", "rows_text", "save_arff"]

write_arff_with(save_arff)
