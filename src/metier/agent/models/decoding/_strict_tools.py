"""Native tools in a provider's strict mode: it holds the model to the names and schemas of the tools that are sent."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from metier.agent.models.decoding._decoder_schema import DecoderSchema, Dialect, to_decoder_schema
from metier.json_values import JsonObject, JsonValue, to_plain_json
from metier.tools import ToolSpec

# Anthropic's limits of one request; OpenAI's are far beyond any list of tools.
_MAX_STRICT: Final = 20
_MAX_OPTIONAL: Final = 24
_MAX_UNIONS: Final = 16


@dataclass(frozen=True, slots=True)
class StrictTools:
    """Tools to send, and the decoder's schema of each that is strict."""

    tools: tuple[dict[str, Any], ...]
    strict: Mapping[str, DecoderSchema]

    def restore(self, name: str, arguments: JsonValue) -> JsonValue:
        """Arguments of a call as the tool wants them."""
        known = self.strict.get(name)
        return known.restore(arguments) if known else arguments


def to_strict_tools(specs: Sequence[ToolSpec], dialect: Dialect) -> StrictTools:
    """Tools in OpenAI's or Anthropic's format, strict where the schema can be expressed and the limits allow it."""
    tools: list[dict[str, Any]] = []
    strict: dict[str, DecoderSchema] = {}
    optional, unions = _MAX_OPTIONAL, _MAX_UNIONS
    for spec in specs:
        made = to_decoder_schema(spec.parameters, dialect)
        more_optional, more_unions = _count_optional(made.schema), _count_unions(made.schema)
        fits = len(strict) < _MAX_STRICT and more_optional <= optional and more_unions <= unions
        if made.expressible and (fits or dialect != "claude"):
            strict[spec.name] = made
            optional, unions = optional - more_optional, unions - more_unions
        tools.append(_format(spec, strict.get(spec.name), dialect))
    return StrictTools(tuple(tools), strict)


def _format(spec: ToolSpec, made: DecoderSchema | None, dialect: Dialect) -> dict[str, Any]:
    schema = to_plain_json(made.schema if made else spec.parameters)
    mode = {"strict": True} if made else {}
    if dialect == "claude":
        return {"name": spec.name, "description": spec.description, "input_schema": schema, **mode}
    function = {"name": spec.name, "description": spec.description, "parameters": schema, **mode}
    return {"type": "function", "function": function}


def _count_optional(schema: JsonValue) -> int:
    if isinstance(schema, Mapping):
        return _count_own(schema) + sum(_count_optional(one) for one in schema.values())
    return sum(_count_optional(one) for one in schema) if isinstance(schema, list) else 0


def _count_unions(schema: JsonObject) -> int:
    text = json.dumps(to_plain_json(schema))
    return text.count('"anyOf": [') + text.count('"type": [')


def _count_own(schema: JsonObject) -> int:
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return 0
    return len(properties) - len(required)
