"""Convert MCP tools and call results to Metier's types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.errors import InvalidTool
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools._calls import ToolResult
from metier.tools._names import tool_name_problem
from metier.tools._spec import SideEffect, ToolSpec
from metier.tools.mcp._pins import ToolDefinition
from metier.tools.schema import check_parameters

if TYPE_CHECKING:
    import mcp_types

_MAX_DESCRIPTION_CHARS: Final = 4000
_MAX_DEFINITION_CHARS: Final = 20_000
_MAX_MESSAGE_CHARS: Final = 2000
_MAX_TEXT_CHARS: Final = 1_000_000
_MAX_NOTES: Final = 20


@dataclass(frozen=True, slots=True)
class McpProblem:
    """Server or tool that cannot be used, and why."""

    server: str
    tool: str
    code: str
    message: str


def definition_from_mcp(tool: "mcp_types.Tool") -> ToolDefinition:
    """Return what a person approves: name, description, parameters and annotations."""
    annotations = tool.annotations.model_dump(mode="json", exclude_none=True) if tool.annotations else {}
    return ToolDefinition(tool.name, (tool.description or tool.title or "").strip(), tool.input_schema, annotations)


def spec_from_mcp(tool: "mcp_types.Tool", *, name: str, server: str, timeout_s: float) -> ToolSpec:
    """Build the spec of an MCP tool; raise `InvalidTool` if its name or schema is invalid."""
    if why := tool_name_problem(name):
        raise InvalidTool(f"{name[:80]!r} is no name for a tool: {why}", hint="rename the tool on its server")
    said = tool.description or tool.title or ""
    if len(said) > _MAX_DEFINITION_CHARS:  # nobody could read what they approve
        message = f"its description has {len(said)} characters; the most is {_MAX_DEFINITION_CHARS}"
        raise InvalidTool(message, hint="shorten the description on its server")
    check_parameters(tool.input_schema)
    hints = tool.annotations
    reads_only = bool(hints and hints.read_only_hint)
    effects: set[SideEffect] = {"reads"} if reads_only else {"writes"}
    if hints is None or hints.open_world_hint is not False:  # the default of the MCP specification is true
        effects.add("network")
    return ToolSpec(
        name=name,
        description=said.strip()[:_MAX_DESCRIPTION_CHARS],
        parameters=tool.input_schema,
        origin="mcp",
        idempotent=reads_only or bool(hints and hints.idempotent_hint),
        timeout_s=timeout_s,
        effects=frozenset(effects),
        source=server,
    )


def result_from_mcp(answer: "mcp_types.CallToolResult") -> ToolResult:
    """Return structured content as data, else the text; images and audio are replaced by a note."""
    text = "\n".join(part for block in answer.content if (part := _extract_text(block)))
    notes = tuple(note for block in answer.content[:_MAX_NOTES] if (note := _describe_omitted(block)))
    if len(text) > _MAX_TEXT_CHARS:
        notes = (*notes, f"the first {_MAX_TEXT_CHARS} of {len(text)} characters")
        text = text[:_MAX_TEXT_CHARS]
    if answer.is_error:
        return ToolResult.fail("tool_failed", text[:_MAX_MESSAGE_CHARS] or "the server gave no reason")
    return ToolResult(data=_extract_data(answer.structured_content, text), notes=notes)


def _extract_data(structured: JsonValue, text: str) -> JsonObject:
    if isinstance(structured, Mapping):
        return structured
    if structured is not None:
        return {"value": structured}
    try:
        read = load_json(text)
    except JsonInvalid:
        read = None
    return read if isinstance(read, Mapping) else {"text": text}


def _extract_text(block: "mcp_types.ContentBlock") -> str:
    if block.type == "text":
        return block.text
    if block.type == "resource":
        return str(getattr(block.resource, "text", ""))
    return f"{block.name}: {block.uri}" if block.type == "resource_link" else ""


def _describe_omitted(block: "mcp_types.ContentBlock") -> str:
    if block.type in ("image", "audio"):
        return f"{block.type} {block.mime_type} of {len(block.data) * 3 // 4} bytes left out"
    return ""
