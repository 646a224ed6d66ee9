"""A background task outlives the failure of a step, and the log says what failed; a loop counts the time it ran."""

import asyncio
import logging
import sys
import time

import pytest

from metier import background
from metier.background import repeat, run_async, step_aside, try_step
from metier.clock import AwakeClock
from metier.errors import StoreUnavailable


class Strange(Exception):
    """Not an error that anybody could have listed."""


@pytest.mark.parametrize(
    ("error", "says", "traceback"),
    [
        (StoreUnavailable("the database is gone"), "the database is gone", False),
        (OSError("no such folder"), "no such folder", False),
        (TimeoutError(), "TimeoutError", False),
        (Strange("odd"), "Strange: odd", True),
        (KeyError("x"), "KeyError: 'x'", True),
    ],
)
async def test_a_step_that_fails_says_why(
    error: Exception, says: str, traceback: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise error

    with caplog.at_level(logging.WARNING):
        assert (await try_step(fail, "it could not be looked at")).startswith(says)
    (record,) = caplog.records
    assert record.getMessage().startswith("it could not be looked at")
    assert bool(record.exc_info) is traceback


async def test_a_task_goes_on_after_a_step_that_failed() -> None:
    done = asyncio.Event()
    tries: list[int] = []

    async def step() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise Strange("odd")
        done.set()

    task = asyncio.create_task(repeat(step, every_s=0, what="it failed"))
    await done.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(tries) >= 3


async def test_cancelling_ends_a_step() -> None:
    task = asyncio.create_task(try_step(asyncio.Event().wait, "it failed"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_who_loads_in_the_background_keeps_others_waiting_for_a_shorter_time() -> None:
    before = sys.getswitchinterval()
    with step_aside():
        assert sys.getswitchinterval() <= before / 5
    assert sys.getswitchinterval() == before


class StoppedClock(AwakeClock):
    """A clock of a process that is stopped for a while; it beats when a test says so."""

    def __init__(self) -> None:
        self.stopped_s = 0.0
        super().__init__(lambda: time.monotonic() + self.stopped_s, lambda: 0.0)
        self.beat()


@pytest.mark.parametrize("stopped_s", [6, 600])
def test_no_limit_on_waiting_is_reached_by_a_stop_of_the_process(
    stopped_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = StoppedClock()
    monkeypatch.setattr(background, "AWAKE", clock)

    async def wait_and_stop() -> list[str]:
        loop, told = asyncio.get_running_loop(), asyncio.Event()
        fired = loop.call_later(5, told.set)
        async with asyncio.timeout(5):
            clock.beat()
            clock.stopped_s += stopped_s  # what came meanwhile is read after the loop has looked at its limits
            reading = asyncio.create_task(asyncio.sleep(0.01, "answer"))
            answer = await asyncio.wait_for(reading, 5)
        clock.beat()
        fired.cancel()
        return [answer, str(told.is_set())]

    assert run_async(wait_and_stop()) == ["answer", "False"]


def test_a_limit_ends_what_does_not_answer_while_the_process_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = StoppedClock()
    monkeypatch.setattr(background, "AWAKE", clock)

    async def wait_in_vain() -> None:
        async with asyncio.timeout(0.02):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        run_async(wait_in_vain())
