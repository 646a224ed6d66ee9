import subprocess
import sys

import numpy as np
import pytest

from metier.routing.ranking import limit_heaps, one_thread, trim_heap

threadpoolctl = pytest.importorskip("threadpoolctl")

CHILD = """
import ctypes, threading
from metier.routing.ranking import limit_heaps
{first}
ready = threading.Barrier(6)
def work():
    held = [bytes(5000) for _ in range(50)]
    ready.wait()
threads = [threading.Thread(target=work) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
ctypes.CDLL(None).malloc_stats()
"""


def heaps(first: str) -> int:
    done = subprocess.run([sys.executable, "-c", CHILD.format(first=first)], check=True, capture_output=True, text=True)
    return done.stderr.count("Arena ")


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc counts its heaps")
def test_threads_share_two_heaps() -> None:
    assert heaps("") > 2
    assert heaps("limit_heaps()") <= 2


def test_both_may_be_asked_for_at_any_time() -> None:
    limit_heaps()
    trim_heap()


def _threads() -> list[int]:
    return [int(pool["num_threads"]) for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]


def test_numpy_is_held_to_one_thread_inside_the_block_and_let_go_after() -> None:
    np.ones((2, 2)) @ np.ones(2)
    before = _threads()
    with one_thread():
        assert set(_threads()) == {1}
    assert _threads() == before
