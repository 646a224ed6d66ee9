"""The shapes in which models write a call as JSON, and the call that each one means."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.names import find_nearest
from metier.tools._calls import ToolCall
from metier.tools._document import DOCUMENT
from metier.tools._spec import ToolSpec
from metier.tools.schema import argument_problems
from metier.tools.text_protocol._problems import TextProblem

MAX_SHOWN_CHARS: Final = 80
_NAME_KEYS: Final = ("name", "tool", "tool_name", "action")
_ARGUMENT_KEYS: Final = ("arguments", "parameters", "args", "input")
_OTHER_KEYS: Final = frozenset({*_NAME_KEYS, "id", "type", "thought", "reasoning", "index"})


def list_calls(value: JsonObject) -> Iterator[JsonObject]:
    """Objects of one call each: the value itself, or the entries of a `tool_calls` list."""
    inner = value.get("tool_calls", value.get("calls"))
    if isinstance(inner, Sequence) and not isinstance(inner, str) and inner:
        yield from (one for one in inner if isinstance(one, Mapping))
    else:
        yield value


def looks_like_a_call(value: JsonObject, tools: Mapping[str, ToolSpec]) -> bool:
    """Whether an object is meant as a call; a person with a `name` is not."""
    value = _unwrap_function(value)
    if {"name", "arguments"} <= value.keys() or {"action", "input"} <= value.keys():
        return True
    if isinstance(value.get("tool_calls"), list):
        return True
    name = _find_name(value)
    return isinstance(name, str) and name in tools


def parse_call(value: JsonObject, tools: Mapping[str, ToolSpec], any_name: bool) -> ToolCall | TextProblem:
    """The call that an object means. With `any_name` the name need not be one of `tools`."""
    value = _unwrap_function(value)
    name = _find_name(value)
    given = next((value[key] for key in _ARGUMENT_KEYS if key in value), None)
    if not isinstance(name, str) or (value.keys() - _OTHER_KEYS and not value.keys() & {*_ARGUMENT_KEYS}):
        return TextProblem("wrong_shape")
    if name not in tools:
        problem = unknown_tool_problem(name, tools)
        if problem.code == "misspelt_tool" or not any_name:
            return problem
    arguments = _parse_arguments(given, tools.get(name))
    if arguments is None:
        return TextProblem("arguments_not_object", {"name": name[:MAX_SHOWN_CHARS]})
    return ToolCall("", name, arguments)


def parse_text_values(values: Mapping[str, str], tool: ToolSpec | None) -> JsonObject:
    """Arguments given as texts: each parsed as JSON where the tool's schema wants something else than a text."""
    properties = tool.parameters.get("properties") if tool else None
    schemas = properties if isinstance(properties, Mapping) else {}
    return {name: _parse_text_value(text, schemas.get(name)) for name, text in values.items()}


def unknown_tool_problem(name: str, tools: Mapping[str, ToolSpec]) -> TextProblem:
    """Problem of a name that is not offered; a misspelt one comes with the right name."""
    shown = name[:MAX_SHOWN_CHARS]
    bare = re.split(r"[.:/]", shown)[-1].strip().casefold().replace("-", "_")
    same = [known for known in tools if known.casefold().replace("-", "_") == bare]
    if len(same) == 1:
        return TextProblem("misspelt_tool", {"name": shown, "right": same[0]})
    near = find_nearest(shown, tools)
    ordered = sorted(tools, key=lambda known: (known != near, known))  # the one that is meant first
    return TextProblem("unknown_tool", {"name": shown, "tools": ", ".join(ordered) or "–"})


def _unwrap_function(value: JsonObject) -> JsonObject:
    """OpenAI's own form: `{"type":"function","function":{"name":…,"arguments":"…"}}`."""
    inner = value.get("function")
    if isinstance(inner, Mapping):
        return inner
    return {**value, "name": inner} if isinstance(inner, str) and "name" not in value else value


def _find_name(value: JsonObject) -> JsonValue:
    return next((value[key] for key in _NAME_KEYS if key in value), None)


def _parse_arguments(given: JsonValue, tool: ToolSpec | None) -> JsonObject | None:
    """Return the arguments as an object.

    A string may hold JSON; it or another single value may be meant for one parameter of the tool.
    """
    if given is None or given == "":
        return {}
    if isinstance(given, Mapping):
        return given
    inner = _load_text(given) if isinstance(given, str) else None
    if isinstance(inner, Mapping):
        return inner
    shapes = tool.parameters.get("properties", {"input": {"type": "string"}}) if tool else None
    if tool is None or not isinstance(shapes, Mapping):
        return None
    is_text = isinstance(given, str)
    values = {name: _parse_text_value(str(given), shape) if is_text else given for name, shape in shapes.items()}
    fitting = [name for name, value in values.items() if _fits_schema(value, shapes[name])]
    only = _find_parameter(tool, fitting, [name for name in fitting if _is_text_schema(shapes[name])])
    return None if only is None else {only: values[only]}


def _find_parameter(tool: ToolSpec, fitting: Sequence[str], texts: Sequence[str]) -> str | None:
    """The parameter that a single value is meant for, of those that it fits.

    It is the only required one, a text before others; else the only text; else the only one. The open document is
    considered last: it is filled in by the runtime.
    """
    required = tool.parameters.get("required")
    needed = [name for name in fitting if isinstance(required, list | tuple) and name in required]
    needed_texts = [name for name in needed if name in texts]
    for listed in (*map(_without_document, (needed_texts, needed, texts, fitting)), texts):
        if len(listed) == 1:
            return listed[0]
    return None


def _fits_schema(value: JsonValue, schema: JsonValue) -> bool:
    if isinstance(value, str) or _is_text_schema(schema):
        return isinstance(value, str) and _is_text_schema(schema)
    return not argument_problems({"type": "object", "properties": {"value": schema}}, {"value": value})


def _without_document(names: Sequence[str]) -> list[str]:
    return [name for name in names if name != DOCUMENT]


def _load_text(text: str) -> JsonValue:
    try:
        return load_json(text)
    except JsonInvalid:
        return None


def _is_text_schema(schema: JsonValue) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "string"


def _parse_text_value(text: str, schema: JsonValue) -> JsonValue:
    if _is_text_schema(schema):
        return text
    try:
        return load_json(text.strip())
    except JsonInvalid:
        return text
