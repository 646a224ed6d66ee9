"""A background task outlives the failure of a step, and the log says what failed."""

import asyncio
import logging
import sys

import pytest

from metier.background import repeat, step_aside, try_step
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
