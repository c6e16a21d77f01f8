"""Runs tasks in this process, in several by joblib, or by a backend of joblib's that the user has set.

joblib takes tasks in threads of its own, under its lock. So tasks are made ahead in the main thread, and a thread that
finds none waiting ends joblib's call, after which the next begins: nobody waits for anybody there. After a death joblib
cannot say who died, so what was under way is tried again one by one. One loop over the executors of loky and Dask would
be shorter, but keep the private names that `end_at_exit` needs.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from wekaconf import bridge
from wekaconf.base.errors import BridgeError, OptionError, tell, tell_again
from wekaconf.bridge import code_digest
from wekaconf.experiments.workers._signals import end_at_exit, end_with_parent, starting_workers
from wekaconf.tree import first_use

AHEAD = 8
"""Number of tasks per worker that are made in advance, so that no worker waits for its next one."""
SMALLEST_HEAP = 2**26
"""In bytes: the least heap of a worker's virtual machine."""


class Task(NamedTuple):
    """A call to run in some process.

    Parameters
    ----------
    key : hashable
        Identifies the task's outcome.
    call : callable
        A function without arguments that gives values one by one; sent to other processes by pickle.
    """

    key: Any
    call: Callable[[], Iterable[Any]]


def one_value(call: Callable[[], Any]) -> Iterator[Any]:
    """Give the value that a function returns, as the only one of a task."""
    yield call()


class Outcome(NamedTuple):
    """The outcome of a task, or of a part of it: values, perhaps the error after them, and warnings.

    Parameters
    ----------
    key : hashable
        That of the task.
    values : sequence
        What the task has given; in this process one value at a time, else all together.
    error : Exception or None
        The error that ended the task; a BridgeError if its process died twice.
    caught : sequence of Warning
        The warnings that it gave there; they have been given again here.
    """

    key: Any
    values: Sequence[Any]
    error: Exception | None = None
    caught: Sequence[Warning] = ()


@dataclass(frozen=True)
class _Settings:
    """Settings of a worker, from the process that started it.

    Outcomes go through files in ``folder``, and joblib's pipe carries only their names: a worker that is killed while
    it writes into the pipe leaves all others waiting for ever, and a short name is written at once.
    """

    folder: str
    max_heap: str | None
    java_home: str | None


class Pool:
    """The place where tasks run: this process, worker processes, or the workers of a backend of joblib's.

    The backend is what the user has set by joblib's `parallel_config`, such as Dask, Ray or Spark.

    Parameters
    ----------
    jobs : int
        Number of tasks at a time, at least 1. 1: as many as the user has set by `parallel_config`, else in this
        process. More: in processes of their own, each with its own virtual machine if Java is used; they share the size
        that the heap of this process may have.
    uses_java : bool
        Whether tasks need Java. It is then started in this process too.

    Raises
    ------
    BridgeError
        There is no usable Java.
    """

    def __init__(self, jobs: int = 1, *, uses_java: bool = True) -> None:
        self._backend, configured_jobs = _configured()
        self.jobs = jobs if jobs > 1 else configured_jobs
        self._java = bridge.about() if uses_java and self.jobs > 1 and not self._is_elsewhere else None

    @property
    def is_here(self) -> bool:
        """Whether the tasks run in this process, one after another."""
        return self.jobs == 1 and not self._is_elsewhere

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the tasks run where somebody else has started workers."""
        return self._backend is not None

    def outcomes(self, tasks: Iterable[Task]) -> Generator[Outcome, None, None]:
        """The outcomes of the tasks, as soon as they are there, in any order.

        The warnings of a task are given again before its outcome. A task whose process dies is tried once more, alone
        in a process; after that half as many tasks as before run at a time. Tasks are made in this thread, a few in
        advance. Closing the generator early ends the workers.
        """
        for outcome in self._outcomes(iter(tasks)):
            for warning in outcome.caught:
                if isinstance(warning, first_use.Announcement):
                    first_use.announce(str(warning), 1, 1)
                else:
                    tell_again(warning)
            yield outcome

    def _outcomes(self, remaining: Iterator[Task]) -> Iterator[Outcome]:
        if self.is_here:
            for task in remaining:
                yield from _run_here(task)
            return
        death_errors: tuple[type[Exception], ...] = (BrokenExecutor,)
        if self._is_elsewhere and "distributed" in sys.modules:
            death_errors += (sys.modules["distributed"].KilledWorker,)
        with self._folder() as folder:
            n_at_a_time = self.jobs
            waiting: deque[Task] = deque()
            while True:
                started: dict[Any, Task] = {}
                try:
                    yield from self._run_all(n_at_a_time, folder, remaining, waiting, started)
                    return
                except death_errors:
                    n_at_a_time = max(n_at_a_time // 2, 1)
                    tell(f"a worker process died; what was being done is tried again, and then {n_at_a_time} at a time")
                    for task in [*started.values()]:
                        yield self._run_alone(task, folder, death_errors)

    def _run_alone(self, task: Task, folder: str, death_errors: tuple[type[Exception], ...]) -> Outcome:
        """The outcome of a task that runs in a process without others; a BridgeError if this process dies, too."""
        try:
            [outcome] = self._run_all(1, folder, iter(()), deque([task]), {})
        except death_errors:
            error = BridgeError(
                "the process that did this died twice, perhaps for lack of memory; use fewer jobs or a smaller heap"
            )
            return Outcome(task.key, [], error)
        return outcome

    def _run_all(
        self, n_at_a_time: int, folder: str, remaining: Iterator[Task], waiting: deque[Task], started: dict[Any, Task]
    ) -> Iterator[Outcome]:
        """Run all tasks, ``n_at_a_time`` at a time; ``waiting`` and ``started`` are empty at the end."""
        import joblib

        initializer: dict[str, Any] = {}
        if not self._is_elsewhere:
            initializer = {"initializer": end_with_parent, "initargs": (os.getpid(),)}
        gives_at_once = getattr(self._backend, "supports_return_generator", True)
        parallel = joblib.Parallel(
            n_jobs=max(n_at_a_time, 2),  # with 1 joblib would run the tasks in this process
            batch_size=1,
            pre_dispatch=n_at_a_time,
            return_as="generator_unordered" if gives_at_once else "list",
            **initializer,
        )
        settings, code = self._settings(n_at_a_time, folder), code_digest() if self._is_elsewhere else ""
        n_ahead = AHEAD * n_at_a_time if n_at_a_time > 1 else 1

        def refill() -> None:
            while len(waiting) < n_ahead and (task := next(remaining, None)) is not None:
                waiting.append(task)

        def start_tasks() -> Iterator[Any]:
            """The waiting tasks; joblib iterates over them in its threads, so they must be there already."""
            while waiting and (n_at_a_time > 1 or not started):
                task = waiting.popleft()
                started[task.key] = task
                yield joblib.delayed(_run_in_worker)(task, settings, code)

        refill()
        while waiting:
            with ExitStack() as stack:
                with starting_workers():
                    outcomes = parallel(start_tasks()) if gives_at_once else _all_at_last(parallel, start_tasks())
                    stack.callback(_end_workers, outcomes)
                    if not self._is_elsewhere:
                        end_at_exit()
                for outcome_or_path in outcomes:
                    outcome = _take_outcome(outcome_or_path) if isinstance(outcome_or_path, str) else outcome_or_path
                    del started[outcome.key]
                    refill()
                    yield outcome

    def _settings(self, n_workers: int, folder: str) -> _Settings | None:
        if self._is_elsewhere:
            return None
        if self._java is None:
            return _Settings(folder, None, None)
        heap = max(int(self._java["max_heap_bytes"]) // n_workers, SMALLEST_HEAP)
        return _Settings(folder, f"{heap // 1024}k", self._java["java_home"])

    @contextmanager
    def _folder(self) -> Iterator[str]:
        """A folder for the outcomes while the block lasts; it is removed even if this process is killed."""
        if self._is_elsewhere:
            yield ""
            return
        from joblib.externals.loky.backend import resource_tracker

        with starting_workers():  # a signal would leave the folder, or the file by which tempfile tries where it may be
            folder = tempfile.mkdtemp(prefix="wekaconf-")
            resource_tracker.register(folder, "folder")
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            resource_tracker.unregister(folder, "folder")


def _end_workers(outcomes: Generator[Any, None, None]) -> None:
    """End the workers that still run tasks, without joblib's warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.close()


def _all_at_last(parallel: Any, tasks: Iterable[Any]) -> Generator[Any, None, None]:
    """The outcomes of a backend that gives none before all are there."""
    yield from parallel(tasks)


def _configured() -> tuple[Any, int]:
    """The backend that the user has set by joblib's `parallel_config`, if it is none of joblib's own processes.

    Returns
    -------
    backend : object or None
    jobs : int
        The number of tasks at a time that the user has set there; 1 if there is none.
    """
    if "joblib" not in sys.modules:  # so nothing is set
        return None, 1
    from joblib import parallel

    backend, n_jobs = parallel.get_active_backend()
    if backend.nesting_level:  # joblib itself runs us
        return None, 1
    if type(backend) in map(parallel.BACKENDS.get, ("loky", "multiprocessing", "sequential")):  # Java cannot be forked
        return None, backend.effective_n_jobs(n_jobs or 1)
    return backend, max(backend.effective_n_jobs(n_jobs or -1), 1)


def _portable(error: Exception) -> Exception:
    """The error, or one with the same text if it cannot be sent to another process.

    A worker's lack of memory becomes a BridgeError, which like a worker's death does not stop the other tasks.
    """
    if isinstance(error, MemoryError):
        return BridgeError(f"a worker had not enough memory ({str(error) or 'for Python'}); use fewer jobs")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever a library's error does when it is pickled and made anew
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _write_outcome(outcome: Outcome, folder: str) -> str | Outcome:
    """Write the outcome to a file in the folder; the path, or an outcome with the error if that fails."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            pickle.dump(outcome, file, protocol=pickle.HIGHEST_PROTOCOL)
    except OSError as error:
        return Outcome(outcome.key, [], error)
    return file.name


def _take_outcome(path: str) -> Outcome:
    """Read the outcome in a file, and remove the file."""
    with open(path, "rb") as file:
        outcome: Outcome = pickle.load(file)
    os.unlink(path)
    return outcome


def _run_here(task: Task) -> Iterator[Outcome]:
    """The values of a task one by one, in this process."""
    remaining: Iterator[Any] | None = None
    is_over = False
    while not is_over:
        values, raised = [], None
        with _recorded() as caught:
            try:
                remaining = iter(task.call()) if remaining is None else remaining
                values = [next(remaining)]
            except StopIteration:
                is_over = True
            except Exception as error:
                is_over, raised = True, error
        if values or raised or caught:
            yield Outcome(task.key, values, raised, caught)


def _run_in_worker(task: Task, settings: _Settings | None, code: str) -> str | Outcome:
    """The outcome of a task in a worker, or a file with it where there are ``settings``.

    ``code`` is the digest that the code of others' workers must have; empty elsewhere.
    """
    if settings is not None and settings.java_home is not None:
        with suppress(BridgeError):  # raised if this worker already runs Java
            bridge.configure(max_heap=settings.max_heap, java_home=settings.java_home)
    values: list[Any] = []
    raised = None
    with _recorded() as caught, first_use.announce_to(first_use.record):
        try:
            if code and code != code_digest():
                raise OptionError("a worker has another version of wekaconf; install the same one everywhere")
            values.extend(task.call())  # keeps what comes before an error
        except Exception as error:
            raised = _portable(error)
    outcome = Outcome(task.key, values, raised, caught)
    return outcome if settings is None else _write_outcome(outcome, settings.folder)


@contextmanager
def _recorded() -> Iterator[list[Warning]]:
    """A list that gets the warnings of the block at its end."""
    found: list[Warning] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield found
    found += [each.message for each in caught if isinstance(each.message, Warning)]
