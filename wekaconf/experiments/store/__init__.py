"""Results on disk: answers to folds, finished records, and the study they belong to, in one SQLite file."""

from wekaconf.experiments.store.database import sole_run
from wekaconf.experiments.store.store import Store, store_for
from wekaconf.experiments.store.studies import Job

__all__ = ["Job", "Store", "sole_run", "store_for"]
