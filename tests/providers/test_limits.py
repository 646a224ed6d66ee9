"""Limits of a turn hold while the model is talking."""

import asyncio
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from metier.agent.loop import _model_call
from tests.e2e.support import streamed_texts
from tests.providers.server import Reply
from tests.providers.support import Waits, opened


class TurnTime:
    """The time of a turn, which is up when the server stalls and all it sent is read."""

    def __init__(self, waits: Waits) -> None:
        self._waits = waits
        self._limit = asyncio.timeout(None)
        self.given_s: list[float | None] = []

    def timeout(self, delay_s: float | None) -> asyncio.Timeout:
        self.given_s.append(delay_s)
        return self._limit

    def stall(self, loop: asyncio.AbstractEventLoop, chunks: int) -> None:
        """Called by the server, from its own thread, when it has sent this many chunks and sends no more."""

        def stop() -> None:
            if self._waits.gaps > chunks:
                self._limit.reschedule(loop.time())
            else:
                loop.call_soon(stop)

        loop.call_soon_threadsafe(stop)


async def test_a_stream_is_stopped_when_the_time_of_the_turn_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened("openai", tmp_path, turn_max_s=60) as live:
        time = TurnTime(live.waits)
        monkeypatch.setattr(_model_call, "asyncio", SimpleNamespace(timeout=time.timeout))
        live.server.on_stall = partial(time.stall, asyncio.get_running_loop())  # the model's own time is not up
        told = await live.ask(Reply(text=("A sentence that ", "is not finished", ", "), stall=3))
    assert [0 < (given or 0) <= 60 for given in time.given_s] == [True]
    assert told.text.startswith("A sentence that is not finished")
    assert "this turn may use 60 seconds" in told.text
    assert streamed_texts(told.events) == [(told.text, told.text)]
    assert (told.one("error")["code"], told.one("error")["limit"]) == ("limit_reached", "wall_s")
    assert told.kinds[-1] == "turn.done"
