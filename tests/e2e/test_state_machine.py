"""Turns, leases, questions, reloads and restarts in any order: no effect twice, none without a yes, no stuck turn."""

import asyncio
import shutil
import tempfile
from collections import Counter
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from metier.errors import AlreadyDecided, InvalidInput, RecordNotFound
from metier.json_values import JsonValue
from metier.testing import FakeModel
from tests.e2e.support import SKILLS, Desk, answered, opened, said

if TYPE_CHECKING:
    from metier.agent import Runtime

T = TypeVar("T")
PICK = st.integers(min_value=0, max_value=10)


class Conversations(RuleBasedStateMachine):
    """Each turn asks for one refund with a number of its own; `agreed` are the numbers that a person agreed to."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp())
        self.desk, self.model = Desk(), FakeModel()
        self.number = 0
        self.agreed: list[int] = []
        self.waiting: dict[str, tuple[str, int]] = {}  # pause and number by conversation
        self.settled: dict[str, tuple[str, JsonValue]] = {}  # pause and answer by conversation

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(work)

    @initialize()
    def open(self) -> None:
        shutil.copytree(SKILLS, self.folder / "skills")
        self.run(self._open())

    async def _open(self) -> None:
        self.stack = AsyncExitStack()
        opening = opened(self.folder, self.desk, self.model, skills_dir=(self.folder / "skills",), lease_s=30)
        self.runtime: Runtime = await self.stack.enter_async_context(opening)

    def script(self, model: FakeModel) -> None:
        """What the model says next, and nothing that was left over."""
        self.model._script.replies.clear()
        self.model._script.replies.extend(model._script.replies)

    def pick(self, number: int) -> str:
        return sorted(self.waiting)[number % len(self.waiting)]

    @rule(again=st.booleans(), at=PICK)
    def ask(self, again: bool, at: int) -> None:
        self.number += 1
        self.script(FakeModel().call("use_skill", skill="none").call("refund", number=self.number).say("done"))
        earlier = sorted(self.settled)
        conversation = earlier[at % len(earlier)] if again and earlier else None
        told = self.run(said(self.runtime, f"hello {self.number}", conversation))
        if "pause.opened" in told.kinds:  # else the model was asked for something else, as a conversation goes on
            self.settled.pop(told.conversation, None)
            self.waiting[told.conversation] = (told.pause, self.number)

    def decide(self, conversation: str, answer: JsonValue, effect: int | None) -> None:
        pause, _ = self.waiting.pop(conversation)
        self.script(FakeModel().say("done"))
        if effect is not None:
            self.agreed.append(effect)
        self.run(answered(self.runtime, pause, answer))
        self.settled[conversation] = (pause, answer)

    @precondition(lambda self: self.waiting)
    @rule(at=PICK)
    def approve(self, at: int) -> None:
        conversation = self.pick(at)
        self.decide(conversation, {"decision": "approve"}, self.waiting[conversation][1])

    @precondition(lambda self: self.waiting)
    @rule(at=PICK)
    def edit(self, at: int) -> None:
        conversation = self.pick(at)
        other = self.waiting[conversation][1] + 1000
        self.decide(conversation, {"decision": "edit", "arguments": {"number": other}}, other)

    @precondition(lambda self: self.waiting)
    @rule(at=PICK)
    def reject(self, at: int) -> None:
        self.decide(self.pick(at), {"decision": "reject"}, None)

    @precondition(lambda self: self.waiting)
    @rule(at=PICK)
    def answer_nonsense(self, at: int) -> None:
        pause, _ = self.waiting[self.pick(at)]
        for wrong in ({"decision": "edit", "arguments": {"number": "x"}}, "perhaps"):
            with pytest.raises(InvalidInput):
                self.run(answered(self.runtime, pause, wrong))  # type: ignore[arg-type]

    @precondition(lambda self: self.settled)
    @rule(at=PICK)
    def answer_again(self, at: int) -> None:
        pause, answer = self.settled[sorted(self.settled)[at % len(self.settled)]]
        self.script(FakeModel())
        self.run(answered(self.runtime, pause, answer))
        with pytest.raises(AlreadyDecided):
            self.run(answered(self.runtime, pause, {"decision": "approve", "note": "another answer"}, answer_key="k"))

    @precondition(lambda self: self.waiting)
    @rule(at=PICK, told=st.booleans())
    def die_while_asking(self, at: int, told: bool) -> None:
        """Another process took the turn up and is gone; somebody may have noticed."""
        conversation = self.pick(at)
        store = self.runtime.store
        (turn, *_) = [one for one in self.run(store.turns.list(conversation)) if one.state in ("paused", "interrupted")]
        self.run(store.turns.resume(turn.id, "a process that died", 1e-6))
        if told:
            self.run(self.runtime.resume_interrupted(go_on=False))

    @rule()
    def restart(self) -> None:
        self.run(self.stack.aclose())
        self.run(self._open())

    @rule()
    def reload(self) -> None:
        for path in (self.folder / "skills").rglob("SKILL.md"):
            path.write_text(path.read_text("utf-8") + "\n", "utf-8")

    @precondition(lambda self: self.settled)
    @rule(at=PICK)
    def delete(self, at: int) -> None:
        conversation = sorted(self.settled)[at % len(self.settled)]
        pause, answer = self.settled.pop(conversation)
        self.run(self.runtime.store.conversations.delete(conversation))
        with pytest.raises(RecordNotFound):
            self.run(answered(self.runtime, pause, answer))

    @invariant()
    def effects_are_those_that_were_agreed_to(self) -> None:
        done = Counter(int(str(arguments["number"])) for name, arguments in self.desk.calls if name == "refund")
        assert done == Counter(self.agreed)

    @invariant()
    def events_have_no_gaps_and_no_turn_is_stuck(self) -> None:
        for conversation in (*self.waiting, *self.settled):
            events = self.run(self.runtime.store.events.read(conversation, limit=1000))
            assert [one.seq for one in events] == list(range(1, len(events) + 1))
        for conversation in self.settled:
            states = {one.state for one in self.run(self.runtime.store.turns.list(conversation))}
            assert "running" not in states

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.run(self.stack.aclose())
        self.loop.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def test_in_any_order_nothing_runs_twice_or_unasked_and_no_turn_is_stuck() -> None:
    run_state_machine_as_test(
        Conversations,
        settings=settings(
            max_examples=12, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
