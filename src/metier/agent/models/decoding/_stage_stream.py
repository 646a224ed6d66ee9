"""Reads a reply that was decoded under the schema of a stage: its answer as it arrives, its calls when complete."""

import json
import re
from collections.abc import Mapping
from typing import Final, Literal

from metier.agent.models.decoding._answer_text import AnswerText
from metier.agent.models.decoding._stage_schema import ANSWER, ARGUMENTS, CALLS, REPLY, TOOL, StageSchema
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.patterns import compile_later
from metier.tools import ReadingRules, ReplyStream, TextProblem, TextReply, ToolCall

_DECODER: Final = json.JSONDecoder()
_LEAD: Final = compile_later(r"\s*(?:```[\w-]{0,20}\s*)?")
_SPACE: Final = r"[ \t\r\n]{0,200}"
_ANSWER_START: Final = compile_later(
    rf'\{{{_SPACE}(?:"{REPLY}"{_SPACE}:{_SPACE}\{{{_SPACE})?"{ANSWER}"{_SPACE}:{_SPACE}"'
)
_FORM_START: Final = compile_later(rf'\s*\{{{_SPACE}"(?:{REPLY}|{ANSWER}|{TOOL}|{CALLS})"')
_OBJECT_START: Final = compile_later(rf'\s*\{{{_SPACE}"')
_THOUGHT: Final = compile_later(r"(?:<think>|<thinking>|<reasoning>|\[THINK\])")
_THOUGHT_STARTS: Final = ("<think>", "<thinking>", "<reasoning>", "[THINK]")
_THOUGHT_END: Final = compile_later(r"</think>|</thinking>|</reasoning>|\[/THINK\]")
_MAX_START_CHARS: Final = 1200
_MAX_END_CHARS: Final = 12


class StageStream:
    """As `ReplyStream`, for a reply in the form of a `StageSchema`.

    The model may think first. A reply that is no such JSON, from an endpoint that ignores the schema, is read as text:
    only tools of the stage can be called there.
    """

    def __init__(self, stage: StageSchema, rules: ReadingRules, *, thinking: bool = False) -> None:
        self._stage = stage
        self._rules = rules
        self._state: Literal["thought", "start", "answer", "held", "text"] = "thought" if thinking else "start"
        self._untagged: list[str] | None = [] if thinking else None  # no reasoning after all if no end of it comes
        self._raw: list[str] = []  # all of it after the reasoning, unless it is an answer
        self._start = ""
        self._reasoning: list[str] = []
        self._taken_reasoning = 0
        self._answer = AnswerText()
        self._text = ReplyStream(ReadingRules({}, "prose"))

    def add(self, piece: str) -> str:
        """Add a piece; returns the text that may be shown now."""
        if self._state == "answer":
            return self._text.add(self._answer.add(piece))
        if self._state == "text":
            return self._text.add(piece)
        if self._state == "held":
            self._raw.append(piece)
            return ""
        self._start += piece
        if self._state == "thought" and not self._read_thought():
            return ""
        return self._begin()

    def take_reasoning(self) -> str:
        """Reasoning that arrived since the last call of this method."""
        new = "".join(self._reasoning[self._taken_reasoning :])
        self._taken_reasoning = len(self._reasoning)
        return new + self._text.take_reasoning()

    def finish(self) -> TextReply:
        """End the reply. A call is returned only if its JSON is complete."""
        rest = self._finish_start()
        if self._state == "answer":
            rest += self._text.add(self._answer.finish())
        read = self._text.finish()
        reasoning = "".join(self._reasoning)
        if self._state in ("answer", "text"):
            problem = read.problem if not read.text.strip() or self._state == "text" else None
            return TextReply(read.text, read.calls, problem, reasoning + read.reasoning, rest + read.rest, read.cut)
        held = self._read_held("".join(self._raw))
        return TextReply(held.text, held.calls, held.problem, reasoning + held.reasoning, held.text)

    def _begin(self) -> str:
        """Decide what the reply is, as soon as that is certain."""
        self._start = self._start.lstrip()
        if (mark := _THOUGHT.match(self._start)) is not None:
            self._start, self._state = self._start[mark.end() :], "thought"
            return self._begin() if self._read_thought() else ""
        lead = _LEAD.match(self._start)
        body = self._start[lead.end() if lead else 0 :]
        if not body or any(one.startswith(body) for one in _THOUGHT_STARTS) or set(self._start) == {"`"}:
            return ""
        if body[0] != "{":
            return self._read_as_text()
        if (answer := _ANSWER_START.match(body)) is not None:
            self._state, self._start = "answer", ""
            return self._text.add(self._answer.add(body[answer.end() :]))
        if not _may_become_answer(body):
            self._hold()
        return ""

    def _hold(self) -> None:
        self._state = "held"
        self._raw.append(self._start)
        self._start = ""

    def _read_as_text(self) -> str:
        self._state = "text"
        self._text = ReplyStream(self._rules)
        text, self._start = self._start, ""
        return self._text.add(text)

    def _read_thought(self) -> bool:
        """Read the reasoning; True if it has ended, or if the reply turns out to have none."""
        form = _OBJECT_START if self._stage.demanded else _FORM_START
        if self._untagged == [] and form.match(self._start):
            self._state, self._untagged = "start", None
            return True
        ending = _THOUGHT_END.search(self._start)
        kept = max(0, len(self._start) - _MAX_END_CHARS)
        inside = self._reasoning if self._untagged is None else self._untagged
        if ending is None and (self._untagged != [] or kept > _MAX_START_CHARS):
            inside.append(self._start[:kept])
            self._start = self._start[kept:]
        if ending is None:
            return False
        inside.append(self._start[: ending.start()])
        self._reasoning += self._untagged or ()
        self._start, self._state, self._untagged = self._start[ending.end() :], "start", None
        return True

    def _finish_start(self) -> str:
        if self._state == "thought" and self._untagged is None:
            self._reasoning.append(self._start)
            self._state = "text"
            return ""
        if self._state in ("thought", "start"):
            self._start = "".join(self._untagged or ()) + self._start
            if not self._start.startswith("{"):
                return self._read_as_text()
            self._hold()
        return ""

    def _read_held(self, text: str) -> TextReply:
        lead = _LEAD.match(text)
        start = lead.end() if lead else 0
        try:
            _, end = _DECODER.raw_decode(text, start)
            value = load_json(text[start:end])
        except (JsonInvalid, ValueError, RecursionError):
            return TextReply("", problem=TextProblem("half_json"))
        if isinstance(value, Mapping):
            inner = value.get(REPLY)
            value = inner if isinstance(inner, Mapping) else value
            if (reply := self._read_object(value)) is not None:
                return reply
        stream = ReplyStream(self._rules)
        stream.add(text)
        return stream.finish()

    def _read_object(self, value: JsonObject) -> TextReply | None:
        """Reply in the form of the stage; None if it has another form."""
        if self._stage.demanded and not (TOOL in value and ARGUMENTS in value) and set(value) != {ANSWER}:
            value = {TOOL: self._stage.demanded, ARGUMENTS: value}
        given = value.get(CALLS) if CALLS in value else [value] if TOOL in value else None
        if isinstance(given, list) and given:
            read = [self._read_call(one, number) for number, one in enumerate(given)]
            problem = next((one for one in read if isinstance(one, TextProblem)), None)
            calls = tuple(one for one in read if isinstance(one, ToolCall))
            return TextReply("", () if problem else calls, problem)
        if isinstance(answer := value.get(ANSWER), str):
            text = ReplyStream(ReadingRules({}, "prose"))
            text.add(answer)
            return text.finish()
        return None

    def _read_call(self, value: JsonValue, number: int) -> ToolCall | TextProblem:
        name = value.get(TOOL) if isinstance(value, Mapping) else None
        tool = self._stage.tools.get(name) if isinstance(name, str) else None
        if not isinstance(value, Mapping) or not isinstance(name, str) or tool is None:
            return TextProblem("unknown_tool", {"name": str(name)[:80], "tools": ", ".join(self._stage.tools)})
        arguments = tool.restore(value.get(ARGUMENTS))
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, Mapping):
            return TextProblem("arguments_not_object", {"name": name})
        return ToolCall(self._rules.call_id if number == 0 else f"{self._rules.call_id}-{number + 1}", name, arguments)


def _may_become_answer(body: str) -> bool:
    """Whether a partial object may still turn out to be an answer."""
    if len(body) > _MAX_START_CHARS:
        return False
    squeezed = re.sub(r"\s", "", body)
    return any(form.startswith(squeezed) for form in (f'{{"{ANSWER}":"', f'{{"{REPLY}":{{"{ANSWER}":"'))
