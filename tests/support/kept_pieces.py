"""A store's answers of two methods, for tests without Java; and how many folds are answered in a store."""

import sqlite3
from contextlib import closing, contextmanager

from wekaconf.experiments.store import Store


@contextmanager
def answers_in(path, n_classes=3):
    with Store(path) as store:
        yield store.answers({i: store.begin(f"{i:064x}", {"method": i}, n_classes) for i in range(2)}, n_classes)


def n_pieces(path):
    """Number of pieces in a store that another process may be making."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM piece").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
