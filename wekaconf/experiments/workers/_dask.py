"""Has the workers of a Dask scheduler do the tasks."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from wekaconf.base.errors import BridgeError, OptionError, needed

CONNECT_SECONDS = 20
"""How long a scheduler may take to answer."""


@contextmanager
def dask_workers(address: str) -> Iterator[None]:
    """Have the workers of a Dask scheduler do the tasks of each `Pool` of the block, as many as they have threads.

    The scheduler runs what it is sent, and so do its workers: use one that you trust.

    Raises
    ------
    OptionError
        The scheduler does not answer or has no workers, or distributed is not installed.
    BridgeError
        The scheduler is lost.
    """
    with needed("the backend dask", "dask"):
        from distributed import Client
    import joblib

    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise OptionError(
            f"no Dask scheduler answers at '{address}' ({error}); start one with 'dask scheduler'",
            parameter="scheduler",
        ) from error
    with ExitStack() as stack:
        stack.callback(logging.disable, logging.root.manager.disable)
        logging.disable()  # else Dask prints the traceback of a lost connection before our one line
        stack.enter_context(client)
        stack.enter_context(joblib.parallel_config(backend="dask"))
        if not client.ncores():
            raise OptionError(
                f"the one at '{address}' has no workers; start some with 'dask worker {address} --nthreads 1'",
                parameter="scheduler",
            )
        try:
            yield
        except Exception as error:
            if client.status == "running":
                raise
            raise BridgeError(
                f"the connection to the Dask scheduler at '{address}' was lost; start one again, and then run the same "
                "command again"
            ) from error
