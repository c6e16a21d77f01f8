"""Results on disk: answers to folds, finished records, and the study they belong to, in one SQLite file."""

from wekaconf.experiments.store._database import sole_run
from wekaconf.experiments.store._store import Store, store_for
from wekaconf.experiments.store._studies import Job

__all__ = ["Job", "Store", "sole_run", "store_for"]
