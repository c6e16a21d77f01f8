"""Databases that tests ask: SQLite and DuckDB in memory; PostgreSQL and MariaDB as servers of their own, if installed.

A server runs as long as the process, on a socket in a folder of its own, and as nobody, since both refuse root.
"""

import atexit
import glob
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import wekaconf as wc
from support.needs import MARIADB, POSTGRESQL
from wekaconf.model.export._sql_dialects import DIALECTS
from wekaconf.model.export._sql_query import TABLE

DATABASES = tuple(DIALECTS)
"""The dialects; the database of ``mysql`` is MariaDB."""
SERVERS = {
    "postgresql": (POSTGRESQL, "postgres", "initdb", "psql"),
    "mysql": (MARIADB, "mariadbd", "mariadb-install-db", "mariadb"),
}
"""What a machine needs for a database, and its programs."""
_NAMES = count(1)


def require(database, lacks):
    """End the test where the server of a database is not installed."""
    need, *programs = SERVERS.get(database, (None,))
    if not all(map(_path_of, programs)):
        lacks(need)


def connected(database):
    """An empty database."""
    if database == "sqlite":
        return sqlite3.connect(":memory:")
    if database == "duckdb":
        return pytest.importorskip("duckdb").connect()
    return _Connection(database)


PLACE = "the place of the row"
"""A column that says so, since a database may give rows in any order."""


def fill(connection, database, columns, rows):
    """Make the table that a query reads; each column has a name, and a type that all databases know."""
    named = "".join(f", {DIALECTS[database].name(name)} {kind}" for name, kind in columns)
    connection.execute(f"CREATE TABLE {TABLE} ({DIALECTS[database].name(PLACE)} INTEGER{named})")
    marks = ", ".join("?" * (1 + len(columns)))
    connection.executemany(f"INSERT INTO {TABLE} VALUES ({marks})", [[i, *row] for i, row in enumerate(rows)])


def rows_in_order(cursor):
    """The rows that a query gives, in the order in which they were put into the table, without its number and place."""
    rows = sorted(cursor.fetchall(), key=lambda row: row[1])
    assert sorted(row[0] for row in rows) == [*range(1, len(rows) + 1)]
    return [row[2:] for row in rows]


def storable(database, data):
    """The data with the largest numbers in place of infinite ones, which MariaDB does not hold."""
    if database != "mysql":
        return data
    return wc.Dataset(data.header, np.clip(data.values, -1e308, 1e308))


class _Connection:
    """An empty database of a server, asked as those of SQLite and DuckDB are."""

    def __init__(self, database):
        name = f"t{next(_NAMES)}"
        if database == "postgresql":
            driver = pytest.importorskip("pg8000.dbapi")
            self._connection = driver.connect(
                user="tester", database="postgres", unix_sock=f"{_postgres()}/.s.PGSQL.5432"
            )
            self._connection.autocommit = True
            self._orders = (f"CREATE SCHEMA {name}", f"SET search_path TO {name}")
        else:
            driver = pytest.importorskip("pymysql")
            self._connection = driver.connect(
                user="root", unix_socket=f"{_mariadb()}/socket", charset="utf8mb4", autocommit=True
            )
            self._orders = (f"CREATE DATABASE {name} CHARACTER SET utf8mb4", f"USE {name}")
        for order in self._orders:
            self.execute(order)
        self._database, self._name = database, name

    def load(self, order, folder):
        """Have the client of the server, in a folder, carry out an order that is for it."""
        if self._database == "postgresql":
            command = [
                _path_of("psql"),
                "-X",
                "-q",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                _postgres(),
                "-U",
                "tester",
                "postgres",
            ]
            options = {**os.environ, "PGOPTIONS": f"-c search_path={self._name}"}
            subprocess.run([*command, "-c", order], check=True, cwd=folder, env=options)
        else:
            command = [
                _path_of("mariadb"),
                "--no-defaults",
                "-u",
                "root",
                "-S",
                f"{_mariadb()}/socket",
                "--local-infile=1",
            ]
            subprocess.run([*command, self._name, "-e", order], check=True, cwd=folder)

    def execute(self, query, cells=None):
        """The cursor with the rows."""
        cursor = self._connection.cursor()
        if cells is None:
            cursor.execute(query)
        else:
            cursor.execute(query.replace("?", "%s"), cells)
        return cursor

    def executemany(self, query, rows):
        """Insert rows."""
        for row in rows:
            self.execute(query, row)

    def close(self):
        """Let the server forget it."""
        self._connection.close()


def _folder(name):
    """A folder that nobody else writes, of the user who runs servers, and that user for a process."""
    folder = tempfile.mkdtemp(prefix=f"{name}-")
    user = {}
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
        user = {"user": "nobody", "group": "nogroup", "extra_groups": []}
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder, user


def _path_of(program):
    """The path of a program of a server; None: it is not installed."""
    folders = ["/usr/sbin", *sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)]
    return shutil.which(program, path=os.pathsep.join([os.environ["PATH"], *folders]))


def _started(command, folder, user, is_ready):
    """Start a server that ends with this process, and wait until it answers."""
    with open(f"{folder}/log", "w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **user)
    atexit.register(server.wait)
    atexit.register(server.terminate)
    for _ in range(600):
        if is_ready():
            return folder
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(Path(folder, "log").read_text())


@cache
def _postgres():
    """The folder of a server of PostgreSQL."""
    initdb, postgres = _path_of("initdb"), _path_of("postgres")
    folder, user = _folder("postgresql")
    order = [
        initdb,
        "-D",
        f"{folder}/data",
        "-U",
        "tester",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "--no-sync",
    ]
    subprocess.run(order, check=True, capture_output=True, cwd=folder, **user)
    command = [postgres, "-D", f"{folder}/data", "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
    return _started(command, folder, user, lambda: Path(folder, "log").read_text().count("ready to accept connections"))


@cache
def _mariadb():
    """The folder of a server of MariaDB."""
    install, server = _path_of("mariadb-install-db"), _path_of("mariadbd")
    folder, user = _folder("mariadb")
    order = [
        install,
        "--no-defaults",
        f"--datadir={folder}/data",
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
    ]
    subprocess.run(order, check=True, capture_output=True, cwd=folder, **user)
    command = [server, "--no-defaults", f"--datadir={folder}/data", f"--socket={folder}/socket", "--skip-networking",
               f"--pid-file={folder}/pid", f"--tmpdir={folder}"]  # fmt: skip
    return _started(command, folder, user, lambda: os.path.exists(f"{folder}/socket"))
