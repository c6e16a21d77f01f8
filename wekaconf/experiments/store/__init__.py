"""Results on disk: answers to folds, finished records, and the study they belong to, in one SQLite file."""

from wekaconf.experiments.store._database import sole_run
from wekaconf.experiments.store._store import Job, Store, store_for

__all__ = ["Job", "Store", "sole_run", "store_for"]
