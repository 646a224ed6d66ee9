"""A test that hangs fails, so that the rest of a run is not lost with it.

This is no threshold: the slowest test takes a hundredth of the limit on a quiet machine.
"""

import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

MAX_PHASE_S = 600.0


@contextmanager
def limit_time(limit_s: float) -> Iterator[None]:
    """Fail what runs in the main thread when the time is up; nothing is limited where there is no such signal."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"the test did not end within {limit_s:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def limit_cpu(limit_s: float) -> Iterator[None]:
    """Fail what computes for longer in the main thread, however loaded the machine is: work that grows too fast."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(_number: int, _frame: FrameType | None) -> None:
        pytest.fail(f"more than {limit_s:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    with limit_time(MAX_PHASE_S):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    with limit_time(MAX_PHASE_S):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    with limit_time(MAX_PHASE_S):
        return (yield)
