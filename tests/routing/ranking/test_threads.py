import numpy as np
import pytest

from metier.routing.ranking import one_thread

threadpoolctl = pytest.importorskip("threadpoolctl")


def _threads() -> list[int]:
    return [int(pool["num_threads"]) for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]


def test_numpy_is_held_to_one_thread_inside_the_block_and_let_go_after() -> None:
    np.ones((2, 2)) @ np.ones(2)
    before = _threads()
    with one_thread():
        assert set(_threads()) == {1}
    assert _threads() == before
