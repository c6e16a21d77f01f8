"""Processes that do tasks, on this machine or on those of a Dask scheduler, and their progress."""

from wekaconf.experiments.workers._dask import dask_workers
from wekaconf.experiments.workers._pool import Outcome, Pool, Task, one_value
from wekaconf.experiments.workers._progress import follower

__all__ = ["Outcome", "Pool", "Task", "dask_workers", "follower", "one_value"]
