"""What the end-to-end tests share: a runtime on a real store, tools that remember, and a few words for events."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from metier.agent import Runtime, TurnRequest
from metier.events import find_event_problems
from metier.json_values import JsonObject, JsonValue
from metier.settings import Settings
from metier.store import Event
from metier.tools import ALWAYS, Tool, function_tool

SKILLS = Path(__file__).with_name("skills")
WEAK = "帮我分析一下东城的弱覆盖问题"
_RESEARCH = """---
name: research
title: 专题研究
description: 就一个专题查资料、核对并写出结论
triggers: [专题研究]
examples: [做一个专题研究]
priority: 60
allowed_tools: [find_terms, refund]
metadata: {delegates: [reader]}
---

# 专题研究

把查资料的工作交办出去，再写结论。
"""
_READER = """---
name: reader
title: 查资料
description: 查资料
priority: 1
allowed_tools: [find_terms, match_scene]
---

# 查资料

只查，不写结论。
"""
RESEARCH_SKILLS = {"research": _RESEARCH, "reader": _READER}  # the first hands work to the second


class Desk:
    """The tools of the fixture skills, and every call that was made of them."""

    def __init__(self, *, idempotent: bool = False) -> None:
        self.idempotent = idempotent
        self.calls: list[tuple[str, JsonObject]] = []
        self.broken: set[str] = set()
        self.instead: dict[str, Callable[..., object]] = {}

    def tools(self) -> tuple[Tool, ...]:
        def find_terms(query: str) -> dict[str, Any]:
            """Find terms."""
            return self._did("find_terms", {"names": ["RSRP", "MR覆盖率"]}, query=query)

        def match_scene(region: str) -> dict[str, Any]:
            """Find the scene of a region."""
            return self._did("match_scene", {"id": "S-7", "region": region}, region=region)

        def query_cause(scene: str, indicators: list[str]) -> dict[str, Any]:
            """Find the cause."""
            rows = [{"cell": "A1", "rsrp": -115, "cause": "下倾角过大"}]
            return self._did("query_cause", {"rows": rows}, scene=scene, indicators=indicators)

        def query_simulation(scene: str) -> dict[str, Any]:
            """Simulate."""
            return self._did("query_simulation", {"rows": [{"cell": "A1", "rsrp": -101}]}, scene=scene)

        def compare_results(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> dict[str, Any]:
            """Compare."""
            return self._did("compare_results", {"rows": after}, before=before, after=after)

        def find_order(number: int) -> dict[str, Any]:
            """Find an order."""
            return self._did("find_order", {"number": number, "customer": "Ann", "state": "sent"}, number=number)

        def refund(number: int) -> dict[str, Any]:
            """Give the money back."""
            return self._did("refund", {"state": "refunded"}, number=number)

        plain: list[Callable[..., object]] = [find_terms, match_scene, query_cause, query_simulation, compare_results]
        made = [function_tool(self.instead.get(function.__name__, function)) for function in plain]
        order = function_tool(find_order, idempotent=self.idempotent)
        return (*made, order, function_tool(refund, approval=ALWAYS))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]

    def _did(self, name: str, result: dict[str, Any], **arguments: Any) -> dict[str, Any]:
        self.calls.append((name, arguments))
        if name in self.broken:
            raise ValueError(f"{name} is broken")
        return result


def settings_in(folder: Path, **more: Any) -> Settings:
    given: dict[str, Any] = {"skills_dir": (SKILLS,), "storage_dir": folder / "storage", "embedder": "none", **more}
    return Settings(**given)


def opened(
    folder: Path, desk: Desk | None = None, model: BaseChatModel | None = None, **more: Any
) -> AbstractAsyncContextManager[Runtime]:
    """A runtime over the fixture skills; without a model it works by the builtin one."""
    options = {
        key: more.pop(key)
        for key in ("clock", "new_id", "exceptions", "middleware", "observers", "recover_turns", "router", "models")
        if key in more
    }
    tools = (desk or Desk()).tools()
    if "settings_models" in more:  # `models` are objects, this is the setting
        more["models"] = more.pop("settings_models")
    return Runtime.open(settings_in(folder, **more), model=model, tools=tools, **options)


def written(folder: Path, **skills: str) -> Path:
    """A folder with these skills."""
    home = folder / "skills"
    for name, text in skills.items():
        (home / name).mkdir(parents=True)
        (home / name / "SKILL.md").write_text(text, "utf-8")
    return home


async def said(runtime: Runtime, message: str, conversation: str | None = None, **more: Any) -> "Told":
    """Send one message and listen to the end; `replaced`: the text that is stored may not be the one streamed."""
    replaced = more.pop("replaced", False)
    return await told(runtime.turn(TurnRequest(message, conversation=conversation, **more)), replaced=replaced)


async def answered(runtime: Runtime, pause: str, answer: JsonValue, **more: Any) -> "Told":
    return await told(runtime.answer(pause, answer, **more))


async def told(events: AsyncIterator[Event], *, replaced: bool = False) -> "Told":
    """Listen to the end. Whatever a test is about, every event must be what the reference says.

    And the text that was streamed must be the text that is stored, unless the caller's middleware replaced it.
    """
    heard = [event async for event in events]
    assert [problem for event in heard for problem in find_event_problems(event.kind, event.data)] == []
    assert replaced or all(streamed in ("", stored) for streamed, stored in streamed_texts(heard))
    return Told(heard)


def streamed_texts(events: Sequence[Event]) -> list[tuple[str, str]]:
    """Each text of a turn as it was streamed and as it was stored."""
    found, pieces = [], ""
    for event in events:
        if event.kind == "text.delta":
            pieces += str(event.data["text"])
        elif event.kind == "text.done":
            found.append((pieces, str(event.data["text"])))
            pieces = ""
    return found


class Told:
    """The events of one turn."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events

    @property
    def conversation(self) -> str:
        return self.events[0].conversation

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def all(self, kind: str) -> list[JsonObject]:
        return [event.data for event in self.events if event.kind == kind]

    def one(self, kind: str) -> JsonObject:
        (found,) = self.all(kind)
        return found

    def find(self, kind: str, that: Callable[[JsonObject], bool]) -> JsonObject:
        return next(data for data in self.all(kind) if that(data))

    @property
    def text(self) -> str:
        return str(self.all("text.done")[-1]["text"])

    @property
    def pause(self) -> str:
        return str(self.one("pause.opened")["pause"])
