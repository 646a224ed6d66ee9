"""Parsed reply of a model that writes calls as text, and what may be wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from metier.language import Language, choose
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


class _Sentences(NamedTuple):
    """What is wrong, and what to write instead; each in English and Chinese."""

    message: tuple[str, str]
    hint: tuple[str, str] = ("", "")


# The words of a JSON reader ({why}) are English: a Chinese sentence goes without them.
_SENTENCES: Final[Mapping[ProblemCode, _Sentences]] = MappingProxyType(
    {
        "empty_reply": _Sentences(("the reply is empty", "回复是空的")),
        "half_json": _Sentences(
            ("the JSON object of the call has no end", "调用的 JSON 对象没有写完"),
            ("write the whole object again", "请重新写出完整的对象"),
        ),
        "broken_json": _Sentences(
            ("the JSON object of the call cannot be read: {why}", "调用的 JSON 对象无法读取"),
            ("write the object again", "请重新写出这个对象"),
        ),
        "two_calls": _Sentences(
            ("the reply has {calls} calls, one is allowed", "回复里有 {calls} 个调用，只允许一个"),
            (
                "write the first one alone; its result comes back before the next",
                "请只写第一个；拿到它的结果后再写下一个",
            ),
        ),
        "wrong_shape": _Sentences(
            ("the object has not the shape of a call", "对象的形式不是一个调用"),
            (
                'write {{"name": "…", "arguments": {{…}}}} and nothing else',
                '请只写 {{"name": "…", "arguments": {{…}}}}，不写别的话',
            ),
        ),
        "unknown_tool": _Sentences(
            ("there is no tool {name!r}", "没有名为 {name!r} 的工具"), ("tools: {tools}", "可用的工具：{tools}")
        ),
        "misspelt_tool": _Sentences(
            ("there is no tool {name!r}", "没有名为 {name!r} 的工具"), ("its name is {right!r}", "它的名称是 {right!r}")
        ),
        "arguments_not_object": _Sentences(
            ("the arguments of {name!r} are no JSON object", "{name!r} 的参数不是 JSON 对象"),
            (
                'write "arguments": {{…}} with the parameters by name',
                '请写 "arguments": {{…}}，按参数名逐个给出',
            ),
        ),
        "tangled_reply": _Sentences(
            ("the reply has too many unfinished objects to be read", "回复里没写完的对象太多，无法读取")
        ),
        "invented_result": _Sentences(
            ("the reply has a tool result in it, and no tool was called", "回复里写了工具结果，但并没有调用工具"),
            ("write a call, or answer from the results that you were given", "请写一个调用，或根据已有的结果回答"),
        ),
        "no_call": _Sentences(
            ("the reply is not a call of {wanted}", "回复不是对 {wanted} 的调用"),
            ("write the call alone", "请只写这个调用"),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Why a reply is not a valid call; `values` are the parts of its sentences that differ."""

    code: ProblemCode
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return self.say_message("en")

    @property
    def hint(self) -> str:
        """What to write instead, in English; may be empty."""
        return self.say_hint("en")

    def say_message(self, language: Language) -> str:
        """What is wrong, for the model and for the user."""
        english, chinese = _SENTENCES[self.code].message
        return choose(language, en=english, zh=chinese).format(**self.values)

    def say_hint(self, language: Language) -> str:
        """What to write instead; may be empty."""
        english, chinese = _SENTENCES[self.code].hint
        return choose(language, en=english, zh=chinese).format(**self.values)


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
