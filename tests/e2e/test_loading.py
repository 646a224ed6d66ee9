"""What a turn loads is loaded beside the event loop, so that leases are renewed and other turns go on."""

import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.agent.turn import _resources
from metier.language import BilingualText
from metier.pack import Pack, _late_tools
from metier.routing import Decision, Router
from metier.skills import Catalog
from metier.testing import FakeModel
from metier.tools import Tool
from tests.e2e.support import WEAK, opened, said, settings_in
from tests.e2e.test_stop import Slow, listening


@dataclass(slots=True)
class ThreadRouter(Router):
    """A router that remembers in which threads it was asked and prepared."""

    asked_in: list[threading.Thread] = field(default_factory=list)
    prepared_in: list[threading.Thread] = field(default_factory=list)

    def route(self, message: str, **more: Any) -> Decision:
        self.asked_in.append(threading.current_thread())
        return Router.route(self, message, **more)

    def prepare(self, catalog: Catalog, *, host: str | None = None) -> tuple[str, ...]:
        self.prepared_in.append(threading.current_thread())
        return Router.prepare(self, catalog, host=host)


@pytest.fixture
def counted_in(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads in which the tokenizer was loaded."""
    threads: list[threading.Thread] = []
    monkeypatch.setattr(_resources, "count_tokens", lambda _: threads.append(threading.current_thread()))
    return threads


async def test_every_message_is_routed_beside_the_event_loop(tmp_path: Path) -> None:
    router = ThreadRouter()
    async with opened(tmp_path, router=router) as runtime:
        for message in ("你好", WEAK, "随便聊聊"):
            await said(runtime, message)
    assert len(router.asked_in) == 3
    assert threading.main_thread() not in router.asked_in


async def test_preparing_loads_the_index_and_the_tokenizer_beside_the_event_loop(
    tmp_path: Path, counted_in: list[threading.Thread]
) -> None:
    router = ThreadRouter()
    async with opened(tmp_path, model=FakeModel().say("好"), router=router) as runtime:
        await runtime.prepare()
        await said(runtime, "你好")
    assert len(router.prepared_in) == len(counted_in) == 1
    assert threading.main_thread() not in (*router.prepared_in, *counted_in)


async def test_the_tools_of_packs_are_loaded_once_beside_the_event_loop_by_whoever_needs_them_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded_in: list[threading.Thread] = []

    def load_none(*_: object) -> tuple[Tool, ...]:
        loaded_in.append(threading.current_thread())
        return ()

    monkeypatch.setattr(_late_tools, "load_pack_tools", load_none)
    pack = Pack("garden", BilingualText("", ""), BilingualText("", ""), "1.0.0", tmp_path)
    async with Runtime.open(settings_in(tmp_path), packs=[pack]) as runtime:
        await runtime.prepare(tools=False)
        assert loaded_in == []
        await said(runtime, WEAK)
        await runtime.prepare()
    assert len(loaded_in) == 1
    assert threading.main_thread() not in loaded_in


@pytest.mark.parametrize("message", [WEAK, "你好", "撤销刚才的修改"])
async def test_a_first_message_is_told_its_skill_before_the_tools_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    order: list[str] = []

    def load_none(*_: object) -> tuple[Tool, ...]:
        order.append("tools")
        return ()

    monkeypatch.setattr(_late_tools, "load_pack_tools", load_none)
    pack = Pack("garden", BilingualText("", ""), BilingualText("", ""), "1.0.0", tmp_path)
    observe = [lambda event: order.append(event.kind)]
    async with Runtime.open(settings_in(tmp_path), packs=[pack], observers=observe) as runtime:
        heard = await said(runtime, message)
        await said(runtime, message, conversation=heard.conversation)
    assert order.count("tools") == 1
    assert order.index("turn.started") < order.index("tools")
    if message == WEAK:
        assert order.index("skill.routed") < order.index("tools") < order.index("skill.activated")


async def test_the_built_in_model_needs_no_tokenizer(tmp_path: Path, counted_in: list[threading.Thread]) -> None:
    async with opened(tmp_path) as runtime:
        await runtime.prepare()
        await said(runtime, WEAK)
    assert counted_in == []


async def test_a_lease_is_renewed_while_the_event_loop_is_blocked(tmp_path: Path) -> None:
    model = Slow().say("今天", "天气")
    async with opened(tmp_path, model=model, lease_s=0.1) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("聊聊天气", conversation=talk.id)))
        await model.waits()
        (turn,) = await runtime.store.turns.list(talk.id)
        assert is_renewed(tmp_path / "storage" / "metier.sqlite3", turn.lease_until)
        await runtime.stop(talk.id)
        await reader


def is_renewed(database: Path, until: datetime) -> bool:
    """Wait on the event loop itself, which stands still meanwhile."""
    micros = int(until.timestamp() * 1_000_000)
    give_up = monotonic() + 30
    with closing(sqlite3.connect(database)) as connection:
        while monotonic() < give_up:
            if connection.execute("SELECT lease_until FROM turns").fetchone()[0] > micros + 1:
                return True
    return False


async def test_a_runtime_that_had_no_time_to_renew_a_lease_does_not_give_up_its_own_turn(tmp_path: Path) -> None:
    late = timedelta()
    model = Slow().say("今天", "天气")
    async with opened(tmp_path, model=model, clock=lambda: datetime.now(UTC) + late) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("聊聊天气", conversation=talk.id)))
        await model.waits()
        late = timedelta(minutes=1)
        assert await runtime.resume_interrupted() == ()
        (turn,) = await runtime.store.turns.list(talk.id)
        await runtime.stop(talk.id)
        await reader
    assert turn.state == "running"
