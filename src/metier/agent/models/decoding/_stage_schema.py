"""Schema of everything that a model may say now: a call of one of the tools that are offered, or an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.agent.models.decoding._decoder_schema import DecoderSchema, Dialect, to_decoder_schema
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolSpec

TOOL: Final = "tool"
ARGUMENTS: Final = "arguments"
CALLS: Final = "calls"
ANSWER: Final = "answer"
REPLY: Final = "reply"


@dataclass(frozen=True, slots=True)
class StageSchema:
    """Compiled schema of one stage.

    `{"tool": "<name>", "arguments": {…}}` for each tool, `{"calls": […]}` if several may be called at once, and
    `{"answer": "…"}` unless a call is demanded. In the dialect `strict` the whole stands under `reply`, because its
    root must be an object. Where one tool must be called, `demanded` is its name and the reply is its arguments alone:
    with the name of the tool before them, a small model takes a skill where it should say that none fits.
    """

    schema: JsonObject
    tools: Mapping[str, DecoderSchema]
    demanded: str = ""


def compile_stage(
    tools: Sequence[ToolSpec],
    *,
    must: str | None = None,
    max_calls: int = 1,
    dialect: Dialect = "open",
) -> StageSchema:
    """Compile what may be said now. `must` demands a call: of the tool of that name, or of any if it is empty."""
    offered = [tool for tool in tools if not must or tool.name == must] or list(tools)
    written = {tool.name: to_decoder_schema(tool.parameters, dialect) for tool in offered}
    if must and must in written:
        return StageSchema(written[must].schema, written, must)
    calls = [_close({TOOL: {"type": "string", "enum": [name]}, ARGUMENTS: one.schema}) for name, one in written.items()]
    said: list[JsonObject] = [_close({ANSWER: {"type": "string"}})] if must is None or not calls else []
    said += calls
    if calls and max_calls > 1:
        limits: dict[str, JsonValue] = {"minItems": 1, "maxItems": max_calls} if dialect == "open" else {}
        said.append(_close({CALLS: {"type": "array", "items": _one_of(calls), **limits}}))
    whole = _one_of(said)
    return StageSchema(_close({REPLY: whole}) if dialect != "open" and len(said) > 1 else whole, written)


def _close(properties: Mapping[str, JsonValue]) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _one_of(schemas: Sequence[JsonObject]) -> JsonObject:
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
