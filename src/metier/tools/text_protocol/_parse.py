"""Tool calls as text, for models without native tool calls: a JSON object out, a `TOOL_RESULT:` line back.

Replies are not trusted to be well formed. Parsing never raises, takes linear time on any text, and reports problems
with a code, so that the model can be asked to repair its reply.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.names import suggest
from metier.tools._calls import ToolCall, ToolResult
from metier.tools._spec import ToolSpec

RESULT_MARK: Final = "TOOL_RESULT:"
DOCUMENT: Final = "doc_text"
MAX_CHARS: Final = 1_000_000

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
    "no_call",
]

# Spellings that a model could still take for the mark.
_MARK: Final = re.compile(r"TOOL[_ \t-]?RESULT[ \t]*[:：]", re.IGNORECASE)
_MARK_LINE: Final = re.compile(r"^[ \t>*#`]*TOOL[_ \t-]?RESULT[ \t]*[:：]", re.IGNORECASE | re.MULTILINE)
_THOUGHT_END: Final = "</think>"
_CALL_KEYS: Final = ("name", "arguments", "action", "input", "tool_calls")
_OBJECT_START: Final = re.compile(r'\{\s*["}]')
_CALL_START: Final = re.compile(rf'\{{\s*"(?:{"|".join(_CALL_KEYS)})"\s*:')
# Possible start of a call object or of the fence around it, at the end of a partial text too.
_MAY_START: Final = re.compile(r'(?:```[\w-]*\s*)?\{\s*(?:"(?P<key>[a-z_]*)(?P<closed>"?)|\Z)|```[\w-]*\s*\Z|`{1,2}\Z')
_OPENING: Final = re.compile(r"(?:```[\w-]*|~~~[\w-]*|<tool_call>|TOOL_CALL:)\Z")
_CLOSING: Final = re.compile(r"```|~~~|</tool_call>")
_LENIENT: Final = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)
_MAX_SHOWN_CHARS: Final = 80
_MAX_WASTED_READS: Final = 32  # multiple of the text length
_LINE_COUNT_SPEEDUP: Final = (
    16  # JSONDecodeError counts the lines before it, this many times faster than the parser reads
)


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Why a reply is not a valid call: code, message for the model, and what to write instead."""

    code: ProblemCode
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TextReply:
    """Parsed reply: its prose, and a call or a problem if it attempted a call."""

    text: str
    call: ToolCall | None = None
    problem: TextProblem | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _ParsedObject:
    """JSON object found in the reply: its position, and its value unless it is invalid."""

    start: int
    end: int
    value: JsonObject | None
    problem: TextProblem | None = None


def read_reply(
    text: str,
    tools: Mapping[str, ToolSpec],
    *,
    document: str | None = None,
    call_id: str = "call-1",
    any_name: bool = False,
) -> TextReply:
    """Parse the single call of a reply: bare, in a code fence, or inside prose.

    JSON that does not look like a call stays text. Reasoning before `</think>` and anything after a `TOOL_RESULT:`
    written by the model is ignored: results come only from the runtime. With `any_name`, a call of a tool that is not
    in `tools` is returned too, for the gate to refuse and record.
    """
    kept = text[:MAX_CHARS]
    reply = _parse_reply(kept, tools, any_name)
    if reply.call is not None:
        tool = tools.get(reply.call.name)
        arguments = inject_document(reply.call.arguments, tool.parameters if tool else {}, document)
        reply = replace(reply, call=ToolCall(call_id, reply.call.name, arguments))
    return replace(reply, cut=True) if len(kept) < len(text) else reply


def inject_document(arguments: JsonObject, parameters: JsonObject, document: str | None) -> JsonObject:
    """Add the open document as `doc_text` if the tool accepts it and the call omits it."""
    properties = parameters.get("properties")
    takes_it = isinstance(properties, Mapping) and DOCUMENT in properties
    if document is None or not takes_it or DOCUMENT in arguments:
        return arguments
    return {**arguments, DOCUMENT: document}


def format_call(name: str, arguments: JsonObject, *, document: str | None = None) -> str:
    """Format a call as the protocol wants it, without an injected document."""
    kept = {key: value for key, value in arguments.items() if document is None or (key, value) != (DOCUMENT, document)}
    return _dump_json({"name": name, "arguments": kept})


def format_result(result: ToolResult) -> str:
    """Format a result as one line for the model. JSON escapes line breaks, so data cannot start a new line."""
    if result.failure is not None:
        return format_error(f"{result.failure.message}. {result.failure.hint}".strip(". ") or result.failure.code)
    return f"{RESULT_MARK} {_dump_json({'result': {'data': dict(result.data or {})}})}"


def format_error(message: str) -> str:
    """Format an error as one `TOOL_RESULT:` line."""
    return f"{RESULT_MARK} {_dump_json({'error': {'message': message}})}"


def escape_result_mark(text: str) -> str:
    """Escape result marks in text of a user, a document or the model, so that it cannot pass for a result."""
    return _MARK.sub("TOOL_RESULT (quoted)", text)


def find_call_start(text: str, start: int = 0) -> int:
    """Return where a call may start in a streamed reply, or its length if all of it is surely prose.

    Text from that position on must be held back until more arrives.
    """
    for match in _MAY_START.finditer(text, start):
        key, closed = match.group("key"), match.group("closed")
        if key is None or (key in _CALL_KEYS if closed else match.end() == len(text) and _is_key_prefix(key)):
            return match.start()
    return len(text)


def _parse_reply(text: str, tools: Mapping[str, ToolSpec], any_name: bool) -> TextReply:
    if not text.strip():
        return TextReply(text, problem=TextProblem("empty_reply", "the reply is empty"))
    readable = _extract_readable(text)
    found, tangled = _find_objects(readable)
    calls = [one for one in found if one.value is not None and _looks_like_a_call(one.value, tools)]
    if len(calls) == 1:
        return _build_reply(readable, calls[0], tools, any_name)
    return TextReply(text, problem=_explain_missing_call(len(calls), found, tangled))


def _explain_missing_call(calls: int, found: list[_ParsedObject], tangled: bool) -> TextProblem | None:
    if calls > 1:
        hint = "write the first one alone; its result comes back before the next"
        return TextProblem("two_calls", f"the reply has {calls} calls, one is allowed", hint)
    broken = next((one.problem for one in found if one.problem is not None), None)
    if broken is None and tangled:
        return TextProblem("tangled_reply", "the reply has too many unfinished objects to be read")
    return broken


def _extract_readable(text: str) -> str:
    start = _find_reply_start(text)
    invented = _MARK_LINE.search(text, start)
    return text[start : invented.start() if invented else len(text)]


def _find_reply_start(text: str) -> int:
    """Return the position after the model's reasoning.

    Some models omit `<think>`. `</think>` may also occur inside the arguments of a call, so without the opening tag it
    counts only before any object.
    """
    end = text.find(_THOUGHT_END)
    if text.lstrip().startswith("<think>"):
        return len(text) if end < 0 else end + len(_THOUGHT_END)
    return 0 if end < 0 or "{" in text[:end] else end + len(_THOUGHT_END)


def _find_objects(text: str) -> tuple[list[_ParsedObject], bool]:
    """Return every top-level object, and whether the search was aborted.

    After an invalid object, parsing restarts at each inner brace. The total cost is bounded: without the bound, the
    time for nested unfinished objects grows with the square of their length.
    """
    found: list[_ParsedObject] = []
    left = max(len(text), 100_000) * _MAX_WASTED_READS
    start = _OBJECT_START.search(text)
    while start:
        one, spent = _parse_object(text, start.start())
        if one is not None:
            found.append(one)
        left -= spent
        if left < 0:
            return found, True
        start = _OBJECT_START.search(text, one.end if one else start.start() + 1)
    return found, False


def _parse_object(text: str, at: int) -> tuple[_ParsedObject | None, int]:
    """Return the object at this brace, or None, and the number of characters read in vain."""
    try:
        value, end = _LENIENT.raw_decode(text, at)
    except json.JSONDecodeError as error:
        unended = error.msg.startswith("Unterminated")
        spent = (len(text) if unended else error.pos) - at + error.pos // _LINE_COUNT_SPEEDUP
        if not _CALL_START.match(text, at):
            return None, spent
        half = unended or not text[error.pos :].strip(" \t\r\n`")
        return _ParsedObject(at, at + 1, None, _json_problem(half, error.msg)), spent
    except RecursionError:
        return None, len(text) - at
    try:
        strict = load_json(text[at:end])
    except JsonInvalid as error:
        return _ParsedObject(at, end, None, _json_problem(False, str(error)) if _has_call_keys(value) else None), 0
    return _ParsedObject(at, end, strict if isinstance(strict, Mapping) else None), 0


def _json_problem(half: bool, why: str) -> TextProblem:
    if half:
        return TextProblem("half_json", "the JSON object of the call has no end", "write the whole object again")
    return TextProblem("broken_json", f"the JSON object of the call cannot be read: {why}", "write the object again")


def _has_call_keys(value: object) -> bool:
    return isinstance(value, dict) and any({*pair} <= value.keys() for pair in (_CALL_KEYS[:2], _CALL_KEYS[2:4]))


def _looks_like_a_call(value: JsonObject, tools: Mapping[str, ToolSpec]) -> bool:
    if {"name", "arguments"} <= value.keys() or {"action", "input"} <= value.keys():
        return True
    name = value.get("name", value.get("action"))
    return (isinstance(name, str) and name in tools) or isinstance(value.get("tool_calls"), list)


def _build_reply(text: str, found: _ParsedObject, tools: Mapping[str, ToolSpec], any_name: bool) -> TextReply:
    read = _parse_call(found.value or {}, tools, any_name)
    if isinstance(read, TextProblem):
        return TextReply(text, problem=read)
    return TextReply(_join_prose(text[: found.start], text[found.end :]), call=read)


def _parse_call(value: JsonObject, tools: Mapping[str, ToolSpec], any_name: bool) -> ToolCall | TextProblem:
    legacy = "action" in value and "name" not in value
    name = value.get("action" if legacy else "name")
    given = value.get("input" if legacy else "arguments")
    other = value.keys() - {"name", "action", "id", "type"}
    if not isinstance(name, str) or (other and ("input" if legacy else "arguments") not in value):
        hint = 'write {"name": "…", "arguments": {…}} and nothing else'
        return TextProblem("wrong_shape", "the object has not the shape of a call", hint)
    if name not in tools:
        problem = _unknown_tool_problem(name, tools)
        if problem.code == "misspelt_tool" or not any_name:
            return problem
    arguments = _parse_arguments(given, tools.get(name))
    if arguments is None:
        hint = 'write "arguments": {…} with the parameters by name'
        return TextProblem(
            "arguments_not_object", f"the arguments of {name[:_MAX_SHOWN_CHARS]!r} are no JSON object", hint
        )
    return ToolCall("", name, arguments)


def _parse_arguments(given: JsonValue, tool: ToolSpec | None) -> JsonObject | None:
    """Return the arguments as an object.

    A string may hold JSON, or be the value of the tool's only text parameter.
    """
    if given is None or given == "":
        return {}
    if isinstance(given, Mapping):
        return given
    if not isinstance(given, str):
        return None
    try:
        inner = load_json(given)
    except JsonInvalid:
        inner = None
    if isinstance(inner, Mapping):
        return inner
    only = _find_only_text_parameter(tool) if tool else None
    return None if only is None else {only: given}


def _find_only_text_parameter(tool: ToolSpec) -> str | None:
    properties = tool.parameters.get("properties")
    if not isinstance(properties, Mapping):
        return None
    names = [name for name in properties if name != DOCUMENT]
    schema = properties[names[0]] if len(names) == 1 else None
    return names[0] if isinstance(schema, Mapping) and schema.get("type") == "string" else None


def _unknown_tool_problem(name: str, tools: Mapping[str, ToolSpec]) -> TextProblem:
    shown = name[:_MAX_SHOWN_CHARS]
    bare = re.split(r"[.:/]", shown)[-1].strip().casefold().replace("-", "_")
    same = [known for known in tools if known.casefold().replace("-", "_") == bare]
    if len(same) == 1:
        return TextProblem("misspelt_tool", f"there is no tool {shown!r}", f"its name is {same[0]!r}")
    listed = f"tools: {', '.join(sorted(tools)) or 'none'}"
    hint = f"{suggest(shown, tools)} {listed}".lstrip()
    return TextProblem("unknown_tool", f"there is no tool {shown!r}", hint)


def _join_prose(before: str, after: str) -> str:
    """Join the text around a call, without the fence or tags that enclosed it."""
    before, after = before.strip(), after.strip()
    if opening := _OPENING.search(before, max(0, len(before) - _MAX_SHOWN_CHARS)):
        before = before[: opening.start()].rstrip()
    if closing := _CLOSING.match(after):
        after = after[closing.end() :].lstrip()
    return "\n".join(part for part in (before, after) if part)


def _is_key_prefix(part: str) -> bool:
    return any(key.startswith(part) for key in _CALL_KEYS)


def _dump_json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_json_default)


def _json_default(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, Iterable) else str(value)
