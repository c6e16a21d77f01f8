"""The Java virtual machine, which no other room knows: Weka grows trees, makes folds, filters data and reads files."""

from wekaconf.bridge._explorer import explore
from wekaconf.bridge._filters import FittedFilter, fit_filter
from wekaconf.bridge._folds import check_seed, folds, shuffle
from wekaconf.bridge._instances import dataset_of, from_weka, load_arff_with_weka
from wekaconf.bridge._java import check_paths, find_java, own_jar, usual_weka_home, weka_jars
from wekaconf.bridge._jvm import about, configure
from wekaconf.bridge._meta_learners import is_meta_learner, take_apart
from wekaconf.bridge._objects import BACKQUOTED, new_classifier, split_options
from wekaconf.bridge._versions import code_digest, digest_of_class, environment, versions
from wekaconf.bridge._zones import find_zone
from wekaconf.data import read_instances_with
from wekaconf.data.dates import find_zones_with

__all__ = [
    "BACKQUOTED", "FittedFilter", "about", "check_paths", "check_seed", "code_digest", "configure",
    "dataset_of", "digest_of_class", "environment", "explore", "find_java", "find_zone", "fit_filter", "folds",
    "is_meta_learner", "load_arff_with_weka", "new_classifier", "own_jar", "shuffle", "split_options", "take_apart",
    "usual_weka_home", "versions", "weka_jars",
]  # fmt: skip

find_zones_with(find_zone)
read_instances_with(from_weka)
