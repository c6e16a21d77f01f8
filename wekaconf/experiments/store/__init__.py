"""Results on disk: pieces of evaluations, finished records, and the studies they belong to, in one SQLite file."""

from wekaconf.experiments.store.store import Store, store_for

__all__ = ["Store", "store_for"]
