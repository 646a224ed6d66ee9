import asyncio
import re
import signal
import threading

import pytest

from tests.time_limit import limit_cpu, limit_time

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such signal here")


def test_what_hangs_fails_when_the_time_is_up() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"did not end within 0\.05 s"), limit_time(0.05):
        threading.Event().wait()


def test_an_event_loop_that_hangs_fails_too() -> None:
    with pytest.raises(pytest.fail.Exception, match="did not end"), limit_time(0.05):
        asyncio.run(asyncio.Event().wait())


def test_what_ends_in_time_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with limit_time(60):
        pass
    assert signal.getsignal(signal.SIGALRM) is before


def test_what_computes_for_too_long_fails_inside_an_expression_too() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"more than 0\.05 s of processor time"), limit_cpu(0.05):
        re.search("(a+)+b", "a" * 40)


def test_what_waits_does_not_compute() -> None:
    with limit_cpu(0.05):
        threading.Event().wait(0.1)
