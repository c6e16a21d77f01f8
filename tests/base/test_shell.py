"""Words that are pasted into a shell arrive as they were."""

import os
import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.needs import BASH

from wekaconf.base.shell import shell_word

NAMES = st.lists(
    st.binary().map(lambda name: os.fsdecode(name.replace(b"\0", b""))) | st.text("aö–'\\$! \n\t%"), min_size=1
)


def read_by(bash, line):
    done = subprocess.run([bash, "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True)
    return done.stdout.split(b"\0")[:-1]


@pytest.mark.skipif(os.name == "nt", reason="names of files that are any bytes")
@given(names=NAMES, encoding=st.sampled_from(["utf-8", "ascii", "cp1252"]))
def test_bash_reads_what_was_meant(program, names, encoding):
    line = " ".join(shell_word(name, encoding) for name in names)
    line.encode(encoding)
    assert line.isprintable() and read_by(program(BASH), line) == [os.fsencode(name) for name in names]


@pytest.mark.parametrize("name", ["iris.arff", "my iris.arff", "it's.arff", "größe.arff", ""])
def test_what_a_terminal_shows_is_quoted_as_usual(name):
    assert shell_word(name) == shlex.quote(name)


def test_what_it_cannot_show_is_escaped():
    assert shell_word("größe.arff", "ascii") == r"$'gr\303\266\303\237e.arff'"
    assert shell_word(os.fsdecode(b"gr\xf6.arff")) == r"$'gr\366.arff'"


def test_what_can_be_seen_stands_there_as_it_is():
    assert shell_word("a ~'\\\x1f\x7f") == r"$'a ~\047\134\037\177'"
