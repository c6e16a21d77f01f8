"""Processes of an evaluation: what they leave behind, and what watching their parent costs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.fresh_python import environment, python
from support.processes import wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

KILLED = """
import signal, sys
from wekaconf.experiments.workers._pool import Pool
with Pool(2)._folder() as folder:
    print(folder, flush=True)
    signal.pause()
"""


def test_a_killed_process_leaves_no_folder(tmp_path):
    env = environment(TMPDIR=str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", KILLED], env=env, stdout=subprocess.PIPE, text=True) as running:
        folder = Path(running.stdout.readline().strip())
        assert folder.is_dir() and folder.parent == tmp_path
        running.send_signal(signal.SIGKILL)
    wait_until(lambda: not folder.exists())


def test_watching_the_parent_takes_no_processor():
    code = """
import os, time
from wekaconf.experiments.workers._signals import end_with_parent
end_with_parent(os.getppid())
began = time.process_time()
time.sleep(1)
print(time.process_time() - began < 0.1)
"""
    assert python(code)[1].strip() == "True"  # a worker prints to standard error
