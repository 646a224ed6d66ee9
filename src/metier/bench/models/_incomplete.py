"""Calls that broke off, through the real runtime: how many of them were executed."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from metier.agent import RecordedReply, Runtime, TurnRequest, replay_model
from metier.bench.models._answers import Answers
from metier.bench.models._data import read_arguments, read_tools
from metier.bench.models._recordings import Mode
from metier.json_values import JsonObject
from metier.settings import Settings
from metier.tools import Tool, ToolContext, ToolResult, ToolSpec

# How endpoints say that a reply is not whole: length, filter, no word at all, and the lie that it is.
ENDS: Final = ("length", "content_filter", "", "stop")
CUTS: Final = 4
_ATTEMPTS: Final = 4  # a broken reply is asked for again; it breaks off each time
_USER: Final = "bench"


@dataclass(slots=True)
class _CountingTool:
    """Tool that counts how often it ran."""

    spec: ToolSpec
    ran: list[JsonObject] = field(default_factory=list)

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        self.ran.append(arguments)
        return ToolResult({"ok": True})


@dataclass(frozen=True, slots=True)
class CutCalls:
    """Turns in which every call broke off, and calls that ran in them."""

    turns: int = 0
    executed: int = 0


async def run_cut_calls(answers: Answers, modes: Sequence[Mode] = ("native", "schema", "text")) -> CutCalls:
    """Cut the replies to the requests for arguments in several places, and run each in a turn of its own."""
    turns = executed = 0
    for mode in modes:
        cuts = tuple(_iter_cuts(answers, mode))
        turns += len(cuts)
        executed += await count_executed(mode, cuts) if cuts else 0
    return CutCalls(turns, executed)


async def count_executed(mode: Mode, cuts: Sequence[RecordedReply]) -> int:
    """Calls that ran, over one turn for each broken reply."""
    counted = [_CountingTool(_to_spec(name)) for name in read_tools()]
    tools: list[Tool] = [*counted]
    stage = replay_model(mode, ())
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(skills_dir=(), storage_dir=Path(folder), embedder="none", model="builtin")
        async with Runtime.open(settings, model=stage.model, tools=tools) as runtime:
            for reply in cuts:
                stage.recorded.take_replies()
                stage.recorded.add(*[reply] * _ATTEMPTS)
                async for _ in runtime.turn(TurnRequest("Go on", user=_USER)):
                    pass
    return sum(len(tool.ran) for tool in counted)


def _iter_cuts(answers: Answers, mode: Mode) -> Iterator[RecordedReply]:
    for case in read_arguments():
        model = answers.model_for("arguments", case.id, mode)
        if model is None:
            continue
        for number, reply in enumerate(model.recorded.take_replies()):
            yield from _cut(reply, number)


def _cut(reply: RecordedReply, number: int) -> Iterator[RecordedReply]:
    """The reply up to several places inside its JSON, with the ends in turn."""
    text = reply.calls[0][1] if reply.calls else reply.text
    last = text.rfind("}")
    for cut in range(1, CUTS + 1):
        part = text[: max(1, last * cut // CUTS)]
        end = ENDS[(number + cut) % len(ENDS)]
        if reply.calls:
            yield replace(reply, calls=((reply.calls[0][0], part),), end=end)
        elif last > 0:
            yield replace(reply, text=part, end=end)


def _to_spec(name: str) -> ToolSpec:
    function = read_tools()[name]["function"]
    return ToolSpec(name=name, description=function["description"], parameters=function["parameters"])
