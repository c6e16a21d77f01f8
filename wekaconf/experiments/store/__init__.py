"""Results on disk: answers to folds, finished records, and the study they belong to, in one SQLite file."""

from wekaconf.experiments.store._database import sole_run
from wekaconf.experiments.store._store import JOB_OF_STUDY, Job, Store, store_for

__all__ = ["JOB_OF_STUDY", "Job", "Store", "sole_run", "store_for"]
