"""Common parts of the built-in tools: tool class, schema and argument helpers."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._spec import ToolSpec

ToolFunction: TypeAlias = Callable[[JsonObject, ToolContext], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class BuiltinTool:
    """Tool of the runtime itself."""

    spec: ToolSpec
    function: ToolFunction

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        """Run the tool; a `ToolError` becomes a failure."""
        try:
            return await self.function(arguments, context)
        except ToolError as stopped:
            return stopped.to_result()


def object_schema(properties: Mapping[str, JsonObject], required: Iterable[str] = ()) -> JsonObject:
    """Build the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in properties.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def get_text(arguments: JsonObject, name: str, default: str = "") -> str:
    """Return a string argument. The schema was checked before, so any other type is a bug."""
    value = arguments.get(name, default)
    assert isinstance(value, str), name
    return value


def get_integer(arguments: JsonObject, name: str, default: int) -> int:
    """Return an integer argument; JSON Schema also accepts 5.0 as an integer."""
    value = arguments.get(name, default)
    assert isinstance(value, int | float), name
    return int(value)


def get_flag(arguments: JsonObject, name: str, *, default: bool = False) -> bool:
    """Return a boolean argument."""
    value = arguments.get(name, default)
    assert isinstance(value, bool), name
    return value


def format_bytes(size_bytes: int) -> str:
    """Format a size for people, such as 1.5 MiB."""
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size_bytes >= factor:
            return f"{size_bytes / factor:.1f} {unit}".replace(".0 ", " ")
    return f"{size_bytes} bytes"


def text_schema(description: str, *, longest: int, shortest: int = 1) -> JsonObject:
    """Build the schema of a string of limited length."""
    return {"type": "string", "description": description, "minLength": shortest, "maxLength": longest}


def integer_schema(description: str, *, least: int, most: int, default: int) -> JsonObject:
    """Build the schema of an integer within bounds."""
    found: dict[str, JsonValue] = {"type": "integer", "description": description}
    return {**found, "minimum": least, "maximum": most, "default": default}
