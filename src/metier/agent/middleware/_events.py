"""Shared by the middleware: where events go, values that differ from run to run, and the language of a run."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from langchain_core.messages import HumanMessage

from metier.agent.adapters import OnEvent
from metier.language import Language
from metier.language import resolve_language as of_message
from metier.store import EventDraft

LanguageOption: TypeAlias = Language | Literal["auto"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PerRun(Generic[T]):
    """Value that is built from the agent's runtime at each use, for an agent that serves many runs.

    `on_event=PerRun(lambda runtime: runtime.context.emit)` sends each run's events to that run alone.
    """

    factory: Callable[[Any], T]


EventSink: TypeAlias = OnEvent | PerRun[OnEvent]


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
    return of_message("auto", said)
