"""Reads calls from the text of a reply, in the protocol's own form and in those of model families.

Replies are not trusted to be well formed. Reading never raises, takes linear time on any text, and reports problems
with a code, so that the model can be asked to repair its reply.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from metier.tools._calls import ToolCall
from metier.tools._document import inject_document
from metier.tools._spec import ToolSpec
from metier.tools.text_protocol._call_shapes import list_calls, looks_like_a_call, parse_call
from metier.tools.text_protocol._families import read_tagged
from metier.tools.text_protocol._marks import MARKS_AND_OBJECTS, THOUGHT_END
from metier.tools.text_protocol._objects import ReadingBudget, parse_object
from metier.tools.text_protocol._problems import TextProblem, TextReply

UnknownName = Literal["problem", "call", "prose"]

_OPENING: Final = re.compile(r"(?:```[\w-]*|~~~[\w-]*|TOOL_CALL:|\[)\Z")
_CLOSING: Final = re.compile(r"[\],\s]*(?:```|~~~)|[\],\s]*\Z|[\],]")
_MAX_FENCE_CHARS: Final = 80
_NAME_START: Final = re.compile(r'"(?:name|tool|action|function)"\s{0,9}:\s{0,9}"([^"\n]{1,120})"')
_BLANK: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """What counts as a call.

    `unknown` says what becomes of a call whose name is not one of `tools`: a problem, a call (for the gate to refuse
    and record) or prose. With `several`, a reply may have more than one call. A call that stands word for word in one
    of the `quoted` texts (of users and tools) is a quotation.
    """

    tools: Mapping[str, ToolSpec]
    unknown: UnknownName = "problem"
    several: bool = False
    quoted: Sequence[str] = ()
    document: str | None = None
    call_id: str = "call-1"


@dataclass(slots=True)
class _Findings:
    """Findings in a text, in order."""

    prose: list[str] = field(default_factory=list)
    calls: list[ToolCall | TextProblem] = field(default_factory=list)
    broken: TextProblem | None = None
    broken_at: int = 0
    reasoning: list[str] = field(default_factory=list)
    invented: bool = False


def read_calls(text: str, rules: ReadingRules, *, before: str = "") -> TextReply:
    """Read a text from a possible call on; its prose is without calls, reasoning and invented results.

    `before` is the prose that came before and was shown already.
    """
    reader = _Reader(text, rules)
    reader.read()
    found = reader.found
    calls = tuple(one for one in found.calls if isinstance(one, ToolCall))
    problem = _find_problem(found, len(calls), reader.budget.spent, rules)
    prose = _join([before + found.prose[0], *found.prose[1:]]) if len(found.prose) > 1 else before + text
    if problem is not None and problem is found.broken:
        prose = _join([before + text[: found.broken_at], ""])
    rest = prose[len(before) :] if prose.startswith(before) else prose.removeprefix(before.strip())
    return TextReply(prose, () if problem else _number(calls, rules), problem, "".join(found.reasoning), rest)


def _find_problem(found: _Findings, calls: int, tangled: bool, rules: ReadingRules) -> TextProblem | None:
    refused = next((one for one in found.calls if isinstance(one, TextProblem)), None)
    if refused is not None and not (rules.several and calls):
        return refused
    if calls > 1 and not rules.several:
        return TextProblem("two_calls", {"calls": calls})
    if calls:
        return None
    if found.broken is None and tangled:
        return TextProblem("tangled_reply")
    return found.broken or (invented_problem() if found.invented else None)


def invented_problem() -> TextProblem:
    """Problem of a reply that writes a tool's result itself."""
    return TextProblem("invented_result")


class _Reader:
    """One pass over a text, from mark to mark."""

    def __init__(self, text: str, rules: ReadingRules) -> None:
        self._text = text
        self._rules = rules
        self._prose_start = 0
        self.budget = ReadingBudget.for_text(text)
        self.found = _Findings()
        self._quoted: list[str] | None = None

    def read(self) -> None:
        at, text = 0, self._text
        while (mark := MARKS_AND_OBJECTS.search(text, at)) is not None and not self.budget.spent:
            kind = mark.lastgroup
            if kind in ("result", "end"):
                self.found.invented = self.found.invented or kind == "result"
                self._end_prose(mark.start(), len(text))
                break
            if kind == "thought":
                at = self._read_thought(mark)
            elif kind == "thought_end":
                at = mark.end()
                self._drop_thought(mark.start(), at)
            else:
                at = self._read_tag(mark) if kind == "tag" else self._read_object(mark)
        self._end_prose(len(text), len(text))

    def _end_prose(self, end: int, next_start: int) -> None:
        self.found.prose.append(self._text[self._prose_start : end])
        self._prose_start = next_start

    def _read_thought(self, mark: re.Match[str]) -> int:
        closing = THOUGHT_END.search(self._text, mark.end())
        inside = closing.start() if closing else len(self._text)
        end = closing.end() if closing else len(self._text)
        self.found.reasoning.append(self._text[mark.end() : inside])
        self._end_prose(mark.start(), end)
        return end

    def _drop_thought(self, end: int, next_start: int) -> None:
        """Text before an end of reasoning that has no beginning was reasoning: no call in it counts."""
        self.found = _Findings(prose=[""], reasoning=[self._text[:end]])
        self._prose_start = next_start

    def _read_tag(self, mark: re.Match[str]) -> int:
        tagged = read_tagged(self._text, mark, self._rules.tools, self.budget)
        if tagged is None or (tagged.values and self._is_quoted(self._text[mark.start() : tagged.end])):
            return mark.end()
        any_name = self._rules.unknown == "call"
        self.found.calls += [parse_call(one, self._rules.tools, any_name) for one in tagged.values]
        self.found.calls += [tagged.problem] if tagged.problem else []
        self._end_prose(mark.start(), tagged.end)
        return tagged.end

    def _read_object(self, mark: re.Match[str]) -> int:
        one = parse_object(self._text, mark.start(), self.budget)
        if one is None:
            return mark.start() + 1
        if one.problem is not None and self.found.broken is None and self._is_meant(one.start):
            self.found.broken, self.found.broken_at = one.problem, one.start
        value = one.value
        if isinstance(value, Mapping) and looks_like_a_call(value, self._rules.tools):
            read = [parse_call(call, self._rules.tools, self._rules.unknown == "call") for call in list_calls(value)]
            if not self._is_prose(read) and not self._is_quoted(self._text[one.start : one.end]):
                self.found.calls += read
                self._end_prose(one.start, one.end)
        return one.end

    def _is_meant(self, start: int) -> bool:
        """Whether a broken object is meant as a call: where unknown names are prose, only with the name of a tool."""
        if self._rules.unknown != "prose":
            return True
        name = _NAME_START.search(self._text, start, start + 400)
        return name is not None and name.group(1) in self._rules.tools

    def _is_prose(self, read: list[ToolCall | TextProblem]) -> bool:
        """Whether an object without marks of a call names no tool, where unknown names are prose."""
        refused = [one for one in read if isinstance(one, TextProblem)]
        return self._rules.unknown == "prose" and any(one.code in ("unknown_tool", "wrong_shape") for one in refused)

    def _is_quoted(self, call: str) -> bool:
        if not self._rules.quoted:
            return False
        if self._quoted is None:
            self._quoted = [_BLANK.sub("", text) for text in self._rules.quoted]
        squeezed = _BLANK.sub("", call)
        return any(squeezed in text for text in self._quoted)


def _number(calls: tuple[ToolCall, ...], rules: ReadingRules) -> tuple[ToolCall, ...]:
    numbered = []
    for number, call in enumerate(calls):
        tool = rules.tools.get(call.name)
        arguments = inject_document(call.arguments, tool.parameters if tool else {}, rules.document)
        call_id = rules.call_id if number == 0 else f"{rules.call_id}-{number + 1}"
        numbered.append(ToolCall(call_id, call.name, arguments))
    return tuple(numbered)


def _join(pieces: list[str]) -> str:
    """Join the prose around calls, without the fences or brackets that enclosed them."""
    kept = []
    for number, piece in enumerate(pieces):
        text = piece.strip()
        if number > 0 and (closing := _CLOSING.match(text)):
            text = text[closing.end() :].lstrip()
        if number < len(pieces) - 1 and (opening := _OPENING.search(text, max(0, len(text) - _MAX_FENCE_CHARS))):
            text = text[: opening.start()].rstrip()
        kept.append(text)
    return "\n".join(text for text in kept if text)
