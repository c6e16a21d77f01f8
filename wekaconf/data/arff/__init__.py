"""ARFF files read as Weka reads them, and written, without Java."""

from wekaconf.data.arff.reading import load_arff, read_header, read_text
from wekaconf.data.arff.writing import save_arff

__all__ = ["load_arff", "read_header", "read_text", "save_arff"]
