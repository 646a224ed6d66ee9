"""Parsed reply of a model that writes calls as text, and what may be wrong with it."""

from dataclasses import dataclass
from typing import Literal

from metier.tools._calls import ToolCall

ProblemCode = Literal[
    "empty_reply",
    "half_json",
    "broken_json",
    "two_calls",
    "wrong_shape",
    "unknown_tool",
    "misspelt_tool",
    "arguments_not_object",
    "tangled_reply",
    "invented_result",
    "no_call",
]


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Why a reply is not a valid call: code, message for the model, and what to write instead."""

    code: ProblemCode
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TextReply:
    """Parsed reply: its prose without reasoning and invented results, and its calls or a problem if it attempted one.

    `rest` is the part of the prose that a stream has not passed on yet.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    problem: TextProblem | None = None
    reasoning: str = ""
    rest: str = ""
    cut: bool = False

    @property
    def call(self) -> ToolCall | None:
        """The first call."""
        return self.calls[0] if self.calls else None
