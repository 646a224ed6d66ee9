"""Shared by middleware that reads tool results: extract data for the user, leave a digest for the model, emit events.

The user gets the data, the model a digest. Code that needs the data itself, such as a plan, calls `result_data`.
"""

import asyncio
import json
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    AsyncToolHandler,
    OnEvent,
    ToolHandler,
    get_metier_artifact,
    tool_message,
    update_metier_artifact,
)
from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.store import EventDraft
from metier.tools import MAX_RESULT_BYTES, Language, language_of

LanguageOption: TypeAlias = Language | Literal["auto"]

T = TypeVar("T")

# Longer texts are not parsed; the limits cut them, with a note.
_MAX_PARSED_CHARS: Final = 64 * 1_048_576


@dataclass(frozen=True, slots=True)
class PerRun(Generic[T]):
    """Value that is built from the agent's runtime at each use, for an agent that serves many runs.

    `on_event=PerRun(lambda runtime: runtime.context.emit)` sends each run's events to that run alone.
    """

    factory: Callable[[Any], T]


EventSink: TypeAlias = OnEvent | PerRun[OnEvent]


@dataclass(frozen=True, slots=True)
class Extraction:
    """Data extracted from a result: `data` replaces the result for the model, `drafts` are the events to emit."""

    data: JsonValue
    drafts: Iterable[EventDraft]


Extractor: TypeAlias = Callable[[JsonValue, str, Language], Extraction | None]


class ResultMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Extracts data from tool results: emitted in full through `on_event`, left as a digest for the model."""

    keys: tuple[str, str] = ("", "")

    def __init__(self, on_event: EventSink | None, language: LanguageOption, name: str) -> None:
        super().__init__()
        self._on_event = on_event
        self._language = language
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @abstractmethod
    def extract(self, data: JsonValue, call: str, language: Language) -> Extraction | None:
        """Extract from this result; None if it holds nothing for this middleware."""

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        result = handler(request)
        if not isinstance(result, ToolMessage):
            return result
        message, drafts = self._extract(result, request)
        emit_events(self._on_event, drafts, request.runtime)
        return message

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        result = await handler(request)
        if not isinstance(result, ToolMessage):
            return result
        message, drafts = self._extract(result, request)
        await aemit_events(self._on_event, drafts, request.runtime)
        return message

    def _extract(self, message: ToolMessage, request: ToolCallRequest) -> tuple[ToolMessage, Iterable[EventDraft]]:
        return extract(message, self.keys, self.extract, resolve_language(request.state, self._language))


def extract(
    message: ToolMessage, keys: tuple[str, str], extractor: Extractor, language: Language
) -> tuple[ToolMessage, Iterable[EventDraft]]:
    """Return the message as the model reads it after `look` has extracted these keys, and the events to emit."""
    if message.status == "error":
        return message, ()
    beside = message.artifact if isinstance(message.artifact, Mapping) else {}
    if any(key in beside for key in keys):  # the tool has written the model's text itself
        shown = extractor(beside, message.tool_call_id, language)
        return message, shown.drafts if shown else ()
    try:
        data = _parse_result(message.content, keys)
    except JsonInvalid as error:
        return _unusable_message(message, str(error), language), ()
    shown = None if data is None else extractor(data, message.tool_call_id, language)
    return (message, ()) if shown is None else (_replace_with_digest(message, data, shown.data), shown.drafts)


def resolve_per_run(given: T | PerRun[T], runtime: object) -> T:
    """Return the given value, or the one that `PerRun` builds for this run."""
    return given.factory(runtime) if isinstance(given, PerRun) else given


def emit_events(sink: EventSink | None, drafts: Iterable[EventDraft], runtime: object) -> None:
    """Emit events from a synchronous hook; an async callback runs in its own event loop."""
    if sink is None:
        return
    on_event = resolve_per_run(sink, runtime)
    for draft in drafts:
        told = on_event(draft)
        if isawaitable(told):
            run_sync(told)


async def aemit_events(sink: EventSink | None, drafts: Iterable[EventDraft], runtime: object) -> None:
    """Emit events one after the other."""
    if sink is None:
        return
    on_event = resolve_per_run(sink, runtime)
    for draft in drafts:
        told = on_event(draft)
        if isawaitable(told):
            await told


def run_sync(work: Awaitable[T]) -> T:
    """Run an awaitable from synchronous code, in its own event loop; in a thread if this one has a loop (notebooks)."""

    async def run() -> T:
        return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run())
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, run()).result()


def resolve_language(state: object, language: LanguageOption) -> Language:
    """The given language, or with `auto` that of the last user message."""
    if language != "auto":
        return language
    messages = state.get("messages") if isinstance(state, Mapping) else state
    listed = messages if isinstance(messages, Sequence) else ()
    said = next((one.text for one in reversed(listed) if isinstance(one, HumanMessage)), "")
    return language_of(said)


def json_line(value: JsonValue) -> str:
    """One line of JSON, with Chinese characters unescaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_json_default)


def _json_default(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _parse_result(content: object, keys: Sequence[str]) -> JsonValue:
    """Parse a result that may hold one of the keys; None for any other text."""
    if not isinstance(content, str) or len(content) > _MAX_PARSED_CHARS:
        return None
    start = content.lstrip()[:1]
    if start != "[" and not (start == "{" and any(f'"{key}"' in content for key in keys)):
        return None
    try:
        return load_json(content)
    except JsonInvalid as error:
        if error.line is not None:  # not JSON: ordinary text
            return None
        raise


def _replace_with_digest(message: ToolMessage, whole: JsonValue, digest: JsonValue) -> ToolMessage:
    # Only the first middleware sees the whole result.
    keep = "data" not in get_metier_artifact(message) and len(str(message.content)) <= MAX_RESULT_BYTES
    return update_metier_artifact(message, json_line(digest), **({"data": whole} if keep else {}))


def _unusable_message(message: ToolMessage, why: str, language: Language) -> ToolMessage:
    tool = message.name or "tool"
    if language == "zh":
        text = f"工具 {tool!r} 已执行，但结果无法使用：{why}。缺失的数值请写成 null。"
    else:
        text = f"Tool {tool!r} ran, but its result cannot be used: {why}. A missing number is null."
    return tool_message(message.tool_call_id, tool, text, error="invalid_result").model_copy(update={"id": message.id})


def replace_each(
    data: Mapping[str, JsonValue], keys: tuple[str, str], replace: Callable[[JsonValue, str], JsonValue]
) -> dict[str, JsonValue]:
    """Copy of `data` with the value under the first key, and each value listed under the second, replaced.

    `replaced` gets the value and its path. A value under the second key that is no list counts as a list of one.
    """
    one, many = keys
    made = dict(data)
    if one in data:
        made[one] = replace(data[one], one)
    if many in data:
        listed = data[many]
        several = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else [listed]
        made[many] = [replace(value, f"{many}[{at}]") for at, value in enumerate(several)]
    return made
