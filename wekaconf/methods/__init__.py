"""The published methods, one file or folder each, independent of one another; `contract/` says what a method is."""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")  # each method registers itself, so that whoever knows one knows them all
