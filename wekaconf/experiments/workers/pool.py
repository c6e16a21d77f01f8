"""Runs tasks in this process, in several on this machine by joblib and loky, or by joblib on a Dask scheduler."""

from __future__ import annotations

import logging
import os
import pickle
import shutil
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from wekaconf import bridge
from wekaconf.base.errors import BridgeError, OptionError, tell
from wekaconf.base.packages import needed
from wekaconf.bridge.versions import code_digest
from wekaconf.experiments.workers.signals import end_at_exit, end_with, starting_workers

AHEAD = 8
"""So many tasks per worker wait to be taken, so that workers do not wait for the tasks to be made."""
SMALLEST_HEAP = 2**26
"""In bytes."""
CONNECT_SECONDS = 20
"""How long a Dask scheduler may take to answer."""
LOGGERS_OF_DASK = ("distributed", "distributed.client", "distributed.gc", "tornado.application")
"""Those that have a level of their own; their tracebacks of a lost connection come before our one line."""


class Task(NamedTuple):
    """Something to do.

    Parameters
    ----------
    key : hashable
        Its name among the outcomes.
    call : callable
        Without arguments; sent to other processes by pickle.
    """

    key: Any
    call: Callable[[], Any]


class Outcome(NamedTuple):
    """What came of a task.

    Parameters
    ----------
    key : hashable
    value : object
        What the task returned.
    error : Exception or None
        What it raised instead; a BridgeError if its process died twice.
    caught : list of Warning
        What it warned of.
    """

    key: Any
    value: Any
    error: Exception | None
    caught: list[Warning]


@dataclass(frozen=True)
class _Settings:
    """What a worker is told by the process that has started it.

    ``folder`` is for what it gives back. A worker that is killed while it writes into joblib's pipe leaves all others
    waiting for ever; the name of a file is written there at once.
    """

    folder: str
    max_heap: str | None
    java_home: str | None


class Pool:
    """Where tasks are done.

    Parameters
    ----------
    jobs : int
        Number of tasks at a time, at least 1. 1: in this process. More: in processes of their own, each with its own
        virtual machine if Java is used; they share the size that the heap of this process may have.
    uses_java : bool
        Whether tasks need Java. It is then started in this process too.
    scheduler : str, optional
        The address of a Dask scheduler, whose workers do the tasks instead, as many as they have threads.

    Raises
    ------
    OptionError
        The scheduler does not answer or has no workers, or distributed is not installed.
    BridgeError
        There is no usable Java, or the scheduler is lost.
    """

    def __init__(self, jobs: int = 1, *, uses_java: bool = True, scheduler: str | None = None) -> None:
        self.jobs = jobs
        self._java = bridge.about() if uses_java and jobs > 1 and scheduler is None else None
        self._scheduler = scheduler

    def outcomes(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """What came of each task, as soon as it is done, in any order.

        A task whose process dies is tried once more, alone in a process, and half as many tasks as before are then done
        at a time. Tasks are made in this thread, a few ahead of their use. Ends the workers if it is closed early.
        """
        more = iter(tasks)
        if self._scheduler is None and self.jobs == 1:
            yield from (_run(task, None, "") for task in more)
            return
        with self._backend() as (n_workers, deaths), self._folder() as folder:
            lanes = n_workers
            waiting: deque[Task] = deque()
            while True:
                started: dict[Any, Task] = {}
                try:
                    yield from self._in_lanes(lanes, folder, more, waiting, started)
                    return
                except deaths:
                    lanes = max(lanes // 2, 1)
                    tell(f"a worker process died; what was being done is tried again, and then {lanes} at a time")
                    for task in [*started.values()]:
                        yield self._alone(task, folder, deaths)

    def _alone(self, task: Task, folder: str, deaths: tuple[type[BaseException], ...]) -> Outcome:
        try:
            [outcome] = self._in_lanes(1, folder, iter(()), deque([task]), {})
        except deaths:
            error = BridgeError(
                "the process that did this died twice, perhaps for lack of memory; use fewer jobs or a smaller heap"
            )
            return Outcome(task.key, None, error, [])
        return outcome

    def _in_lanes(
        self, lanes: int, folder: str, more: Iterator[Task], waiting: deque[Task], started: dict[Any, Task]
    ) -> Iterator[Outcome]:
        """Do all tasks, ``lanes`` at a time; ``waiting`` and ``started`` then hold none."""
        import joblib

        watched: dict[str, Any] = {}  # of a worker that waits for its first task
        if self._scheduler is None:
            watched = {"initializer": end_with, "initargs": (os.getpid(),)}
        parallel = joblib.Parallel(
            n_jobs=max(lanes, 2), batch_size=1, pre_dispatch=lanes, return_as="generator_unordered", **watched
        )  # with n_jobs=1 joblib would do it in this process
        settings, code = self._settings(lanes, folder), "" if self._scheduler is None else code_digest()

        def refill() -> None:
            while len(waiting) < (AHEAD * lanes if lanes > 1 else 1) and (task := next(more, None)) is not None:
                waiting.append(task)

        def taken() -> Iterator[Any]:
            """The tasks that wait; joblib asks for them in threads of its own, so it must not wait here."""
            while waiting and (lanes > 1 or not started):
                task = waiting.popleft()
                started[task.key] = task
                yield joblib.delayed(_in_worker)(task, settings, code)

        refill()
        while waiting:
            with ExitStack() as stack:
                with starting_workers():
                    outcomes = parallel(taken())
                    stack.callback(_give_up, outcomes)
                    if self._scheduler is None:
                        end_at_exit()
                for given in outcomes:
                    outcome = _taken(given) if isinstance(given, str) else given
                    del started[outcome.key]
                    refill()
                    yield outcome
            refill()

    def _settings(self, lanes: int, folder: str) -> _Settings | None:
        if self._scheduler is not None:
            return None
        if self._java is None:
            return _Settings(folder, None, None)
        heap = max(int(self._java["max_heap_bytes"]) // lanes, SMALLEST_HEAP)
        return _Settings(folder, f"{heap // 1024}k", self._java["java_home"])

    @contextmanager
    def _folder(self) -> Iterator[str]:
        """A folder while the block lasts, which goes even if this process is killed."""
        if self._scheduler is not None:
            yield ""
            return
        from joblib.externals.loky.backend import resource_tracker

        folder = tempfile.mkdtemp(prefix="wekaconf-")
        with starting_workers():
            resource_tracker.register(folder, "folder")
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            resource_tracker.unregister(folder, "folder")

    @contextmanager
    def _backend(self) -> Iterator[tuple[int, tuple[type[BaseException], ...]]]:
        """Joblib's backend while the block lasts: how many tasks at a time, and what is raised when a worker dies."""
        if self._scheduler is None:
            yield self.jobs, (BrokenExecutor,)
            return
        import joblib

        with needed("the backend dask", "dask"):
            from distributed import Client, KilledWorker
        try:
            client = Client(self._scheduler, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise OptionError(
                f"scheduler: no Dask scheduler answers at '{self._scheduler}' ({error}); start one with "
                "'dask scheduler'"
            ) from error
        with _silence(*LOGGERS_OF_DASK), client, joblib.parallel_config(backend="dask"):
            threads = sum(client.ncores().values())
            if not threads:
                raise OptionError(
                    f"scheduler: the one at '{self._scheduler}' has no workers; start some with "
                    f"'dask worker {self._scheduler} --nthreads 1'"
                )
            try:
                yield threads, (KilledWorker,)
            except Exception as error:
                if client.status == "running":
                    raise
                raise BridgeError(
                    f"the connection to the Dask scheduler at '{self._scheduler}' was lost; start one again, and then "
                    "run the same command again"
                ) from error


@contextmanager
def _silence(*names: str) -> Iterator[None]:
    """Have loggers of libraries, and those below them that have no level of their own, say nothing in the block."""
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _give_up(outcomes: Generator[Any, None, None]) -> None:
    """End the workers that are not finished, without joblib's warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.close()


def _portable(error: Exception) -> Exception:
    """The error, or if it cannot go to another process one that says the same.

    That a worker has not enough memory stops the others no more than that it dies.
    """
    if isinstance(error, MemoryError):
        return BridgeError(f"a worker had not enough memory ({error or 'for Python'}); use fewer jobs")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever somebody else's error does when it is made anew
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _put(outcome: Outcome, folder: str) -> str | Outcome:
    """The name of a file with the outcome."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            pickle.dump(outcome, file, protocol=pickle.HIGHEST_PROTOCOL)
    except OSError as error:
        return Outcome(outcome.key, None, error, [])
    return file.name


def _taken(path: str) -> Outcome:
    """The outcome in a file, which goes."""
    with open(path, "rb") as file:
        outcome: Outcome = pickle.load(file)
    os.unlink(path)
    return outcome


def _in_worker(task: Task, settings: _Settings | None, code: str) -> str | Outcome:
    outcome = _run(task, settings, code)
    return outcome if settings is None else _put(outcome, settings.folder)


def _run(task: Task, settings: _Settings | None, code: str) -> Outcome:
    """What comes of a task; runs in this process or in a worker."""
    if settings is not None and settings.java_home is not None:
        with suppress(BridgeError):  # raised if this worker already runs Java
            bridge.configure(max_heap=settings.max_heap, java_home=settings.java_home)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value, problem = None, None
        try:
            if code and code != code_digest():
                raise OptionError("a Dask worker has another version of wekaconf; install the same one everywhere")
            value = task.call()
        except Exception as error:
            problem = error if settings is None and not code else _portable(error)
    return Outcome(task.key, value, problem, [each.message for each in caught if isinstance(each.message, Warning)])
