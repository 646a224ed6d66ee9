"""JSON objects inside a text that may be broken: each read once, with a bound on what is read in vain."""

import json
import re
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.tools.text_protocol._marks import CALL_KEYS
from metier.tools.text_protocol._problems import TextProblem

_CALL_START: Final = re.compile(rf'\{{\s*"(?:{"|".join(CALL_KEYS[:7])})"\s*:')
_LENIENT: Final = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)
_MAX_WASTED_READS: Final = 32  # multiple of the text length
# JSONDecodeError counts the lines before it, this many times faster than the parser reads.
_LINE_COUNT_SPEEDUP: Final = 16


@dataclass(frozen=True, slots=True)
class ParsedObject:
    """JSON value found in the reply: its position, and its value unless it is invalid."""

    start: int
    end: int
    value: JsonValue
    problem: TextProblem | None = None


@dataclass(slots=True)
class ReadingBudget:
    """Characters that may still be read in vain.

    After an invalid object, reading restarts at each inner brace. Without a bound the time for nested unfinished
    objects grows with the square of their length.
    """

    left: int
    spent: bool = field(default=False)

    @classmethod
    def for_text(cls, text: str) -> "ReadingBudget":
        return cls(max(len(text), 100_000) * _MAX_WASTED_READS)

    def waste(self, chars: int) -> None:
        self.left -= chars
        self.spent = self.spent or self.left < 0


def parse_object(text: str, at: int, budget: ReadingBudget, *, meant: bool = False) -> ParsedObject | None:
    """Parse the JSON object or list at this position; None if it is broken and does not look like a call.

    With `meant` it is surely a call, so a broken one always has a problem.
    """
    try:
        value, end = _LENIENT.raw_decode(text, at)
    except json.JSONDecodeError as error:
        unended = error.msg.startswith("Unterminated")
        budget.waste((len(text) if unended else error.pos) - at + error.pos // _LINE_COUNT_SPEEDUP)
        if not meant and not _CALL_START.match(text, at):
            return None
        half = unended or not text[error.pos : error.pos + 400].strip(" \t\r\n`")
        return ParsedObject(at, at + 1, None, json_problem(half, error.msg))
    except RecursionError:
        budget.waste(len(text) - at)
        return ParsedObject(at, len(text), None, json_problem(False, "it is nested too deep")) if meant else None
    try:
        strict = load_json(text[at:end])
    except JsonInvalid as error:
        is_call = meant or _has_call_keys(value)
        return ParsedObject(at, end, None, json_problem(False, str(error)) if is_call else None)
    return ParsedObject(at, end, strict)


def json_problem(half: bool, why: str) -> TextProblem:
    """Problem of a call whose JSON is cut off or invalid."""
    if half:
        return TextProblem("half_json")
    return TextProblem("broken_json", {"why": why})


def _has_call_keys(value: object) -> bool:
    return isinstance(value, dict) and any({*pair} <= value.keys() for pair in (CALL_KEYS[:2], CALL_KEYS[2:4]))
