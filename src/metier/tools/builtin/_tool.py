"""What every built-in tool is made of: a spec, a piece of work, and a way to stop with a reason."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from metier.jsons import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolFailure, ToolResult
from metier.tools._spec import ToolSpec

Work: TypeAlias = Callable[[JsonObject, ToolContext], Awaitable[ToolResult]]


class Stopped(Exception):
    """The work cannot go on; the failure is the answer."""

    def __init__(self, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.failure = ToolFailure(code, message, hint)


@dataclass(frozen=True, slots=True)
class BuiltinTool:
    """A tool of the runtime itself."""

    spec: ToolSpec
    work: Work

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        """Do the work; what a caller could expect to go wrong comes back as a failure."""
        try:
            return await self.work(arguments, context)
        except Stopped as stopped:
            return ToolResult(failure=stopped.failure)


def parameters(properties: Mapping[str, JsonObject], required: Iterable[str] = ()) -> JsonObject:
    """The schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in properties.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def text_of(arguments: JsonObject, name: str, default: str = "") -> str:
    """A text argument. The schema was checked, so anything else is a bug."""
    value = arguments.get(name, default)
    assert isinstance(value, str), name
    return value


def whole_of(arguments: JsonObject, name: str, default: int) -> int:
    """A whole number; JSON Schema takes 5.0 for one."""
    value = arguments.get(name, default)
    assert isinstance(value, int | float), name
    return int(value)


def flag_of(arguments: JsonObject, name: str, *, default: bool = False) -> bool:
    """A yes or no."""
    value = arguments.get(name, default)
    assert isinstance(value, bool), name
    return value


def human_bytes(size_bytes: int) -> str:
    """A size as people say it."""
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size_bytes >= factor:
            return f"{size_bytes / factor:.1f} {unit}".replace(".0 ", " ")
    return f"{size_bytes} bytes"


def text_schema(description: str, *, longest: int, shortest: int = 1) -> JsonObject:
    """The schema of a text of bounded length."""
    return {"type": "string", "description": description, "minLength": shortest, "maxLength": longest}


def whole_schema(description: str, *, least: int, most: int, default: int) -> JsonObject:
    """The schema of a whole number between two bounds."""
    found: dict[str, JsonValue] = {"type": "integer", "description": description}
    return {**found, "minimum": least, "maximum": most, "default": default}
