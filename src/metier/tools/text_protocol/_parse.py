"""Text protocol for models without native tool calls: a JSON object out, a `TOOL_RESULT:` line back."""

import json
from collections.abc import Iterable, Mapping, Sequence

from metier.json_values import JsonObject, JsonValue
from metier.tools._calls import ToolResult
from metier.tools._document import DOCUMENT
from metier.tools._spec import ToolSpec
from metier.tools.text_protocol._marks import RESULT_MARK, begins_in_thought
from metier.tools.text_protocol._problems import TextReply
from metier.tools.text_protocol._read import ReadingRules, UnknownName
from metier.tools.text_protocol._stream import ReplyStream


def read_reply(
    text: str,
    tools: Mapping[str, ToolSpec],
    *,
    document: str | None = None,
    call_id: str = "call-1",
    unknown: UnknownName = "problem",
    several: bool = False,
    quoted: Sequence[str] = (),
) -> TextReply:
    """Parse the calls of a reply: bare, in a code fence, in a family's marks, or inside prose.

    JSON that does not look like a call stays text. Reasoning and anything after a result written by the model is
    ignored: results come only from the runtime. `ReadingRules` explains the parameters.
    """
    rules = ReadingRules(tools, unknown, several, quoted, document, call_id)
    stream = ReplyStream(rules, thinking=begins_in_thought(text))
    stream.add(text)
    return stream.finish()


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


def _dump_json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_json_default)


def _json_default(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, Iterable) else str(value)
