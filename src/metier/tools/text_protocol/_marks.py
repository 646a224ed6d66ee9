"""Marks that models write into their text: reasoning, invented results, ends of a turn, starts of calls.

Marks right after a quote or a backtick are quoted, not meant. All searches take linear time.
"""

import re
from typing import Final

from metier.patterns import compile_later

RESULT_MARK: Final = "TOOL_RESULT:"
# Keys that a call may begin with; the first seven say that it is one.
CALL_KEYS: Final = (
    *("name", "arguments", "action", "input", "tool_calls", "tool", "function"),
    *("parameters", "tool_name", "type", "id", "thought", "reasoning"),
)

# Spellings that a model could still take for the mark.
_QUOTED_MARK: Final = compile_later(r"TOOL[_ \t-]?RESULT[ \t]*[:：]", re.IGNORECASE)
_RESULT_LINE: Final = (
    r"(?:^|(?<=[>\]]))[ \t>*#`]{0,40}(?i:TOOL[_-]RESULT[ \t]{0,9}[:：]|TOOL[ \t]?RESULT[ \t]{0,9}[:：][ \t]{0,9}[\[{])"
)
_RESULTS: Final = (
    *("<tool_response>", "<tool_result>", "<tool_output>", "<|tool_response|>", "[TOOL_RESULTS]"),
    *("<｜tool▁outputs▁begin｜>", "<｜tool▁output▁begin｜>", "<|tool_outputs_begin|>", "<|tool_output_begin|>"),
)
# What follows the end of a turn is the model's guess at the next one.
_ENDS: Final = (
    *("<|im_end|>", "<|im_start|>", "<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|endoftext|>"),
    *("<|end_of_text|>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<|user|>", "<|end|>"),
)
_THOUGHTS: Final = ("<think>", "<thinking>", "<reasoning>", "[THINK]")
_THOUGHT_ENDS: Final = ("</think>", "</thinking>", "</reasoning>", "[/THINK]")
_TAGS: Final = (
    *("<tool_call>", "<tool_calls>", "<function_call>", "<function=", '<invoke name="', "<function_calls>"),
    *("[TOOL_CALLS]", "<|python_tag|>", "<｜DSML｜invoke", "<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"),
    *("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<|tool_calls_begin|>", "<|tool_call_begin|>"),
    *("<|tool_calls_section_begin|>",),
)
_OBJECT: Final = rf'\{{\s{{0,200}}"(?:{"|".join(CALL_KEYS)})"\s{{0,40}}:'
_CALL_MARK: Final = "TOOL_CALL:"
# The mark of our own text protocol, which models also write where they have tools of their own. In this spelling it
# counts anywhere, in others at the beginning of a line.
CALL_LINE: Final = rf"{_CALL_MARK}|(?:^|(?<=[>\]]))[ \t>*#]{{0,40}}(?i:TOOL[_-]CALL)\*{{0,2}}[ \t]{{0,9}}[:：]\*{{0,2}}"
_FENCED_OBJECT: Final = rf"(?:{_CALL_MARK}\s{{0,40}})?(?:```[\w-]{{0,20}}\s{{0,200}})?(?:\[\s{{0,200}})?{_OBJECT}"


def _any_of(literals: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, literals))


_MEANT: Final = "(?<![`\"'])"
_ALWAYS: Final = (
    rf"{_MEANT}(?P<thought>{_any_of(_THOUGHTS)})|(?:{_MEANT}|(?<=```))(?P<thought_end>{_any_of(_THOUGHT_ENDS)})"
    rf"|(?P<result>{_RESULT_LINE}|{_MEANT}(?:{_any_of(_RESULTS)}))|{_MEANT}(?P<end>{_any_of(_ENDS)})"
    rf"|{_MEANT}(?P<tag>{_any_of(_TAGS)}|{CALL_LINE})"
)
MARKS: Final = compile_later(_ALWAYS, re.MULTILINE)
MARKS_AND_CALLS: Final = compile_later(rf"{_ALWAYS}|(?P<object>{_FENCED_OBJECT})", re.MULTILINE)
MARKS_AND_OBJECTS: Final = compile_later(rf'{_ALWAYS}|(?P<object>\{{\s{{0,200}}["}}])', re.MULTILINE)
THOUGHT_END: Final = compile_later(_any_of(_THOUGHT_ENDS))
MAX_MARK_CHARS: Final = max(map(len, (*_RESULTS, *_ENDS, *_THOUGHTS, *_THOUGHT_ENDS, *_TAGS)))

_PREFIXES: Final = frozenset(
    mark[:size]
    for mark in (*_RESULTS, *_ENDS, *_THOUGHTS, *_THOUGHT_ENDS, *_TAGS, _CALL_MARK)
    for size in range(1, len(mark))
)
_TAIL_CHARS: Final = 700
_RESULT_ATOMS: Final = (*"TOOL", r"[_ \t-]?", *"RESULT", r"[ \t]{0,9}", "[:：]", r"[ \t]{0,9}")
_CALL_ATOMS: Final = (*"TOOL", "[_-]", *"CALL", r"\*{0,2}", r"[ \t]{0,9}", "[:：]")


def _start_of_line(atoms: tuple[str, ...]) -> str:
    """Pattern of the beginning of a line's mark, however little of it has arrived."""
    return rf"(?:^|(?<=[>\]]))(?=.)[ \t>*#`]{{0,40}}{'(?:'.join(['', *atoms])}{')?' * len(atoms)}\Z"


_LINE_START: Final = compile_later(
    rf"{_start_of_line(_RESULT_ATOMS)}|{_start_of_line(_CALL_ATOMS)}", re.IGNORECASE | re.MULTILINE
)
_CALL_START: Final = compile_later(
    rf"{_CALL_MARK}\s{{0,40}}(?:```[\w-]{{0,20}}\s{{0,40}})?\Z|(?:{_CALL_MARK}\s{{0,40}})?"
    r"(?:```[\w-]{0,20}\s{0,200})?(?:\[\s{0,200})?\{\s{0,200}"
    r'(?:"(?P<key>[a-z_]{0,12})(?P<closed>"\s{0,40})?)?\Z'
    r"|```[\w-]{0,20}\s{0,200}(?:\[\s{0,200})?\Z|`{1,2}\Z|\[\s{0,200}\Z"
)


def escape_result_mark(text: str) -> str:
    """Escape result marks in text of a user, a document or the model, so that it cannot pass for a result."""
    return _QUOTED_MARK.sub("TOOL_RESULT (quoted)", text)


def begins_in_thought(text: str) -> bool:
    """Whether a whole reply begins inside its reasoning: some templates write `<think>` themselves.

    `</think>` may also occur inside the arguments of a call, so it counts only before any object.
    """
    ending = THOUGHT_END.search(text)
    if ending is None:
        return False
    before = text[: ending.start()]
    return "{" not in before and not any(mark in before for mark in _THOUGHTS) and before[-1:] not in ("`", '"', "'")


def find_partial_mark(text: str, start: int, *, calls: bool) -> int:
    """Return where a mark may begin whose end has not arrived yet, or the length of the text."""
    found = len(text)
    for at in range(max(start, len(text) - MAX_MARK_CHARS), len(text)):
        if text[at:] in _PREFIXES:
            found = at
            break
    tail = max(start, len(text) - _TAIL_CHARS)
    line = _LINE_START.search(text, tail)
    if line is not None:
        found = min(found, line.start())
    if calls and (call := _find_partial_call(text, tail)) is not None:
        found = min(found, call)
    return found


def _find_partial_call(text: str, start: int) -> int | None:
    for match in _CALL_START.finditer(text, start):
        key = match.group("key")
        if key is None or (key in CALL_KEYS if match.group("closed") else _is_key_prefix(key)):
            return match.start()
    return None


def _is_key_prefix(part: str) -> bool:
    return any(key.startswith(part) for key in CALL_KEYS)
