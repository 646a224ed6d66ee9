"""How far a tool is: the newest word wins, the last is never lost, and nobody waits."""

import asyncio
import threading

import pytest

from metier.agent.turn._progress import ProgressReporter
from metier.store import EventDraft
from metier.tools import ToolCall

CALL = ToolCall("c1", "optimise", {})


class Ear:
    """Somebody to tell, who can be slow."""

    def __init__(self) -> None:
        self.heard: list[EventDraft] = []
        self.ready = asyncio.Event()
        self.ready.set()
        self.listening, self.both = asyncio.Event(), asyncio.Event()

    async def __call__(self, draft: EventDraft) -> None:
        self.listening.set()
        await self.ready.wait()
        self.heard.append(draft)
        if len(self.heard) == 2:
            self.both.set()

    @property
    def texts(self) -> list[object]:
        return [draft.data["text"] for draft in self.heard]


async def test_between_two_tellings_only_the_newest_word_is_kept() -> None:
    ear = Ear()
    ear.ready.clear()
    progress = ProgressReporter(ear, CALL, interval_s=0)
    progress(0, "a")
    await ear.listening.wait()
    progress(0.2, "b")
    progress(0.3, "c")
    ear.ready.set()
    await ear.both.wait()
    assert await progress.close() is None
    assert ear.texts == ["a", "c"]


async def test_the_last_word_is_handed_over_when_it_was_not_told() -> None:
    ear = Ear()
    progress = ProgressReporter(ear, CALL, interval_s=3600)
    progress(0, "a")
    await ear.listening.wait()
    progress(0.9, "b")
    progress(1, "c")
    last = await progress.close()
    assert last == EventDraft("tool.progress", {"call": "c1", "tool": "optimise", "share": 1.0, "text": "c"})
    assert ear.texts == ["a"]


async def test_a_tool_that_is_done_at_once_loses_nothing() -> None:
    ear = Ear()
    progress = ProgressReporter(ear, CALL)
    progress(1, "全部完成")
    last = await progress.close()
    assert last is not None
    assert (last.data["text"], ear.texts) == ("全部完成", [])


async def test_what_a_thread_says_after_the_answer_is_not_heard() -> None:
    ear = Ear()
    progress = ProgressReporter(ear, CALL)
    assert await progress.close() is None
    late = threading.Thread(target=progress, args=(1, "late"))
    late.start()
    await asyncio.to_thread(late.join)
    assert await progress.close() is None
    assert ear.heard == []


async def test_many_threads_may_speak_at_once() -> None:
    ear = Ear()
    progress = ProgressReporter(ear, CALL, interval_s=0)
    await asyncio.gather(*(asyncio.to_thread(progress, number / 50, str(number)) for number in range(50)))
    last = await progress.close()
    assert 1 <= len(ear.heard) + (last is not None) <= 50


@pytest.mark.parametrize(
    ("share", "told"), [(-1, 0.0), (2, 1.0), (float("nan"), 0.0), (float("inf"), 0.0), (1 / 3, 0.3333), (True, 1.0)]
)
async def test_a_share_is_between_nothing_and_all(share: float, told: float) -> None:
    progress = ProgressReporter(Ear(), CALL)
    progress(share, "x" * 1000 + "\ud800")
    last = await progress.close()
    assert last is not None
    assert last.data["share"] == told
    assert len(str(last.data["text"])) == 200
