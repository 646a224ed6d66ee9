"""A process that dies between any two writes of a turn: the next one comes to the same end, with nothing twice."""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from metier.agent import Runtime
from metier.errors import MetierError, StoreUnavailable
from metier.store import Event
from metier.store.database import _sqlite
from tests.e2e.support import WEAK, Desk, opened, said


def query_cause(scene: str, indicators: list[str]) -> dict[str, Any]:
    """Find the cause."""
    rows = [{"cell": f"A{number}", "rsrp": -116 + number, "cause": "下倾角过大"} for number in range(1, 9)]
    return {"rows": rows, "table": {"title": "根因", "rows": rows}}


def make_desk() -> Desk:
    desk = Desk()
    desk.instead["query_cause"] = query_cause
    return desk


async def say_and_die(folder: Path, conversation: str, message: str, writes: int) -> int:
    """Send a message to a process that dies after so many writes; returns how many it made.

    From then on the database takes nothing any more, as after `kill -9`, also not when the runtime is closed.
    """
    made, begin = -1000, _sqlite.SqliteDatabase._begin

    def begin_or_die(self: _sqlite.SqliteDatabase, wait_s: float) -> Any:
        nonlocal made
        if made >= writes:
            raise StoreUnavailable("the process is dead", hint="")
        made += 1
        return begin(self, wait_s)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sqlite.SqliteDatabase, "_begin", begin_or_die)
        with suppress(MetierError):
            async with opened(folder, make_desk(), recover_turns=False) as runtime:
                made = 0
                with suppress(MetierError):
                    await said(runtime, message, conversation)
                found, made = made, max(made, writes)
    return found


class End(NamedTuple):
    """What a turn came to: texts, what was shown and asked, tools called after the crash, states of all turns."""

    texts: list[str]
    shown: Sequence[str]
    called: list[str]
    turns: Sequence[str]
    waiting: list[str]


async def read_end(folder: Path, conversation: str, before: int) -> End:
    """What a new process makes of the conversation."""
    desk = make_desk()
    async with opened(folder, desk, clock=lambda: datetime.now(UTC) + timedelta(minutes=1)) as runtime:
        await runtime.resume_interrupted()
        await runtime.wait_until_idle()
        events = await read_all(runtime, conversation)
        turns = [turn.state for turn in await runtime.store.turns.list(conversation)]
        waiting = [str(one.payload.get("purpose")) for one in await runtime.store.pauses.list_open(conversation)]
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    new = events[before:]
    texts = [str(one.data["text"]) for one in new if one.kind == "text.done"]
    shown = [one.kind for one in new if one.kind in ("table", "chart", "pause.opened", "turn.done")]
    return End(texts, shown, desk.names, turns, waiting)


async def read_all(runtime: Runtime, conversation: str) -> list[Event]:
    return list(await runtime.store.events.read(conversation, limit=500))


async def die_everywhere(start: Path, conversation: str, message: str, before: int) -> tuple[End, dict[int, End]]:
    """The end of a turn in peace, and its end after each of its writes was the last of its process."""
    folder, ends = start.with_name("dead"), {}
    writes, right = 1000, None
    while right is None or writes > 1:
        shutil.copytree(start, folder)
        made = await say_and_die(folder, conversation, message, writes)
        found = await read_end(folder, conversation, before)
        shutil.rmtree(folder)
        if right is None:
            right = found
        else:
            ends[writes] = found
        writes = made - 1 if writes == 1000 else writes - 1
    return right, ends


async def test_an_answer_and_a_question_about_results_survive_wherever_the_process_dies(tmp_path: Path) -> None:
    start = tmp_path / "start"
    async with opened(start, make_desk()) as runtime:
        conversation = (await said(runtime, WEAK)).conversation
        before = len(await read_all(runtime, conversation))
    right, ends = await die_everywhere(start, conversation, "东城", before)
    assert right.waiting == ["ask"]
    # Texts may come twice, and of a call in flight a person is asked; the answer is never lost.
    wrong: dict[object, End] = {left: one for left, one in ends.items() if one.turns != ["paused"] or not one.waiting}
    async with opened(start, make_desk()) as runtime:
        await said(runtime, "东城", conversation)
        before = len(await read_all(runtime, conversation))
    for message in ("第一个小区的 rsrp 是多少？", "哪个小区的 rsrp 最差？画个图"):
        right, ends = await die_everywhere(start, conversation, message, before)
        assert right.texts
        wrong |= {(message, left): one for left, one in ends.items() if one != right}
    assert wrong == {}
