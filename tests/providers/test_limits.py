"""Limits of a turn hold while the model is talking."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.e2e.support import streamed_texts
from tests.providers.server import Reply
from tests.providers.support import opened


class Clock:
    """A clock that can be set forward."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


async def test_a_stream_is_stopped_when_the_time_of_the_turn_is_up(tmp_path: Path) -> None:
    clock = Clock()
    async with opened("openai", tmp_path, clock=clock, turn_max_s=60) as live:
        live.server.on_stall = lambda chunks: None  # the model's own time is not up
        live.server.on_request = lambda: setattr(clock, "now", clock.now + timedelta(seconds=59.9))
        told = await live.ask(Reply(text=("A sentence that ", "is not finished", ", "), stall=3))
    assert told.text.startswith("A sentence that is not finished")
    assert "this turn may use 60 seconds" in told.text
    assert streamed_texts(told.events) == [(told.text, told.text)]
    assert (told.one("error")["code"], told.one("error")["limit"]) == ("limit_reached", "wall_s")
    assert told.kinds[-1] == "turn.done"
