"""The Java virtual machine, which no other room knows: Weka grows trees, makes folds, filters data and reads files."""

from wekaconf.bridge.filters import FittedFilter, fit_filter
from wekaconf.bridge.folds import folds, shuffle
from wekaconf.bridge.instances import load_arff_with_weka
from wekaconf.bridge.jvm import about, configure
from wekaconf.bridge.zones import find_zone
from wekaconf.data.zones import find_zones_with

__all__ = ["FittedFilter", "about", "configure", "fit_filter", "folds", "load_arff_with_weka", "shuffle"]

find_zones_with(find_zone)
