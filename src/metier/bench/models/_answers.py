"""Where the replies of a column come from: a script, a recording, or a model that is asked now."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Final, Literal, Protocol, TypeAlias

from metier.agent import (
    CapabilityStore,
    KeptReplies,
    ModelConfig,
    RecordedReply,
    StageModel,
    record_model,
    replay_model,
)
from metier.bench.models._data import ArgumentCase, read_arguments, read_choices, read_refusals
from metier.bench.models._recordings import MAX_TOKENS, Kind, Mode, find_recording, is_asked
from metier.json_values import JsonObject

Column = Literal["scripted", "recorded", "live"]
Say: TypeAlias = Callable[[str], object]
USE_SKILL: Final = "use_skill"
NO_SKILL: Final = "none"
_SMALL_TALK: Final = "OK."
_CONVERSATIONS: Final = Path(__file__).parent / "data" / "conversations.json"


def say_nothing(text: str) -> None:
    """Say to nobody what is being asked."""


class Answers(Protocol):
    """Models of one column."""

    column: Column

    def model_for(self, kind: Kind, question: str, mode: Mode) -> StageModel | None:
        """Model that answers this question; None if it has no answer to it."""


@dataclass(slots=True)
class ScriptedAnswers:
    """A model that makes no mistakes: what the runtime itself costs shows against it."""

    column: Column = "scripted"

    def model_for(self, kind: Kind, question: str, mode: Mode) -> StageModel | None:
        return replay_model(mode, script_replies(kind, question, mode))


@dataclass(slots=True)
class RecordedAnswers:
    """Answers that a real model gave."""

    column: Column = "recorded"

    def model_for(self, kind: Kind, question: str, mode: Mode) -> StageModel | None:
        found = find_recording(kind, question, mode)
        return None if found is None else replay_model(mode, found.replies, found.model)


@dataclass(slots=True)
class LiveAnswers:
    """The configured model, asked now; answers of earlier runs are not asked for again.

    After `until`, on the monotonic clock, nothing new is asked.
    """

    config: ModelConfig
    kept: KeptReplies
    capabilities: CapabilityStore = field(default_factory=CapabilityStore)
    until: float | None = None
    say: Say = say_nothing
    column: Column = "live"
    _models: dict[tuple[Kind, Mode], StageModel] = field(default_factory=dict)

    def model_for(self, kind: Kind, question: str, mode: Mode) -> StageModel | None:
        name = f"{kind} {mode} {question}"
        is_new = not self.kept.has_answer(self.config.name, name)
        if not is_asked(kind, question, mode) or (is_new and self.until is not None and monotonic() >= self.until):
            return None
        if is_new:
            self.say(name)
        if (kind, mode) not in self._models:
            options = {**self.config.options, "max_tokens": MAX_TOKENS[kind]}
            config = replace(self.config, options=options)
            self._models[kind, mode] = record_model(mode, config, kept=self.kept, capabilities=self.capabilities)
        self.kept.question = name
        return self._models[kind, mode]


def script_replies(kind: Kind, question: str, mode: Mode) -> tuple[RecordedReply, ...]:
    """The right reply to a question, written as a model of this mode writes it."""
    if kind == "conversations":
        listed = json.loads(_CONVERSATIONS.read_text("utf-8"))
        return tuple(RecordedReply(text) for text in listed[question])
    if kind == "choice":
        skill = next(one.skill for one in read_choices() if one.id == question)
        if mode == "schema":  # the reply is the choice alone
            return (RecordedReply(json.dumps({"skill": skill or NO_SKILL})),)
        return (write_call(USE_SKILL, {"skill": skill}, mode) if skill else write_answer(_SMALL_TALK, mode),)
    if kind == "arguments":
        case = next(one for one in read_arguments() if one.id == question)
        return (write_call(case.tool, case.arguments, mode),)
    refused = next(one for one in read_refusals() if one.id == question)
    return (write_answer(f"There is no tool {refused.forbidden} here.", mode),)


def write_call(tool: str, arguments: JsonObject, mode: Mode) -> RecordedReply:
    """A call in the form of a mode."""
    if mode == "native":
        return RecordedReply("", ((tool, json.dumps(arguments, ensure_ascii=False)),), "tool_calls")
    key = "tool" if mode == "schema" else "name"
    return RecordedReply(json.dumps({key: tool, "arguments": arguments}, ensure_ascii=False))


def write_answer(text: str, mode: Mode) -> RecordedReply:
    """An answer in words in the form of a mode."""
    return RecordedReply(json.dumps({"answer": text}, ensure_ascii=False) if mode == "schema" else text)


def has_arguments(case: ArgumentCase, arguments: JsonObject) -> bool:
    """Whether all arguments that were asked for are there, with their values; words may differ in case."""
    return all(_fold(arguments.get(name)) == _fold(value) for name, value in case.arguments.items())


def _fold(value: object) -> object:
    if isinstance(value, str):
        return value.strip().casefold()
    if isinstance(value, list | tuple):
        return [_fold(one) for one in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
