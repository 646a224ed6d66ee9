import subprocess
import sys
import threading

import numpy as np
import pytest

from metier.routing.ranking import (
    _native,
    count_free_processors,
    limit_heaps,
    map_parallel,
    one_thread,
    reserve_processors,
    trim_heap,
)

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


@pytest.mark.parametrize(("processors", "together"), [(1, 1), (2, 2), (64, 4)])
def test_work_is_done_in_order_on_as_many_processors_as_there_are(
    processors: int, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_native, "count_processors", lambda: processors)
    ready = threading.Barrier(together)

    def work(item: int) -> int:
        ready.wait(9)  # passes only if so many are at work
        return item * item

    assert map_parallel(work, range(2 * together)) == [item * item for item in range(2 * together)]
    assert map_parallel(lambda item: item, []) == []


def test_what_work_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_native, "count_processors", lambda: 2)
    with pytest.raises(ZeroDivisionError):
        map_parallel(lambda item: 1 // item, [1, 0, 1])


def test_threads_of_numpy_are_as_before_after_work_on_several_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_native, "count_processors", lambda: 2)

    def work(_: int) -> None:
        with one_thread():
            np.ones((8, 8)) @ np.ones((8, 8))

    before = [one["num_threads"] for one in threadpoolctl.threadpool_info()]
    map_parallel(work, range(20))
    assert [one["num_threads"] for one in threadpoolctl.threadpool_info()] == before


def test_reserved_processors_are_left_to_others_and_one_always_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_native, "count_processors", lambda: 4)
    with reserve_processors(1):
        assert count_free_processors() == 3
        with reserve_processors(9):
            assert count_free_processors() == 1
            main = threading.get_ident()
            assert set(map_parallel(lambda _: threading.get_ident(), range(3))) == {main}
        assert count_free_processors() == 3
    assert count_free_processors() == 4
