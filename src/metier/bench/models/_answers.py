"""Where the replies of a column come from: a script, a recording, or a model that is asked now."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

from metier.agent import ModelConfig, RecordedReply, StageModel, record_model, replay_model
from metier.bench.models._data import ArgumentCase, read_arguments, read_choices, read_refusals
from metier.bench.models._recordings import Kind, Mode, find_recording
from metier.json_values import JsonObject

Column = Literal["scripted", "recorded", "live"]
USE_SKILL: Final = "use_skill"
NO_SKILL: Final = "none"
_SMALL_TALK: Final = "OK."
_CONVERSATIONS: Final = Path(__file__).parent / "data" / "conversations.json"


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
        return None if found is None else replay_model(mode, found.replies)


@dataclass(slots=True)
class LiveAnswers:
    """The configured model, asked now."""

    config: ModelConfig
    column: Column = "live"
    _models: dict[Mode, StageModel] = field(default_factory=dict)

    def model_for(self, kind: Kind, question: str, mode: Mode) -> StageModel | None:
        if mode not in self._models:
            self._models[mode] = record_model(mode, self.config)
        return self._models[mode]


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
