"""Tools of installed packages: entry-point group `metier.tools`, which the built-in tools use as well."""

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, is_dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Final, cast

from metier.errors import InvalidTool, MetierError
from metier.json_values import JsonObject
from metier.settings import Settings
from metier.tools._calls import Tool, ToolContext, ToolResult
from metier.tools._preview import Preview, PreviewableTool
from metier.tools._spec import ToolSpec

TOOLS_GROUP: Final = "metier.tools"
_BUILTIN: Final = "builtin"
_log = logging.getLogger(__name__)


def load_tools(settings: Settings) -> tuple[Tool, ...]:
    """Load the tools of every entry point in `metier.tools`, the built-in ones first.

    An entry point names a function that takes the settings and returns tools, or one tool. One that fails, and a tool
    whose name is taken, are logged and left out.
    """
    entries = sorted(entry_points(group=TOOLS_GROUP), key=lambda entry: (entry.name != _BUILTIN, entry.name))
    if all(entry.name != _BUILTIN for entry in entries):
        _log.error("the built-in tools are not registered: install Metier again")
    tools: dict[str, Tool] = {}
    for entry in entries:
        for tool in _load_or_log(entry, settings):
            if tool.spec.name in tools:
                _log.warning("tools of %s: there is a tool %s already", entry.name, tool.spec.name)
            else:
                tools[tool.spec.name] = with_source(tool, entry.name)
    return tuple(tools.values())


def with_source(tool: Tool, source: str) -> Tool:
    """Return the tool with the name of the package, pack or server that provides it."""
    return replace_spec(tool, replace(tool.spec, source=source))


def replace_spec(tool: Tool, spec: ToolSpec) -> Tool:
    """Return the tool under another spec; a dataclass keeps its type."""
    given: object = tool
    if is_dataclass(given) and not isinstance(given, type) and "spec" in given.__dataclass_fields__:
        return cast("Tool", replace(given, spec=spec))
    return _ToolWithSpec(tool, spec)


@dataclass(frozen=True, slots=True)
class _ToolWithSpec:
    tool: Tool
    spec: ToolSpec

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await self.tool.run(arguments, context)

    async def preview(self, arguments: JsonObject, context: ToolContext) -> Preview | None:
        return await self.tool.preview(arguments, context) if isinstance(self.tool, PreviewableTool) else None


def _load_or_log(entry: EntryPoint, settings: Settings) -> tuple[Tool, ...]:
    """Load the tools of one entry point in a thread of its own, so that any exception is only logged."""
    with ThreadPoolExecutor(1, thread_name_prefix="metier-tools") as apart:
        future = apart.submit(_load_entry, entry, settings)
    error = future.exception()
    if error is None:
        return future.result()
    reason = error.message if isinstance(error, MetierError) else f"{type(error).__name__}: {str(error)[:200]}"
    _log.warning("tools of %s (%s) cannot be used: %s", entry.name, entry.value, reason)
    return ()


def _load_entry(entry: EntryPoint, settings: Settings) -> tuple[Tool, ...]:
    found: object = entry.load()
    if callable(found) and not _is_tool(found):
        found = found(settings)
    listed = tuple(found) if isinstance(found, Iterable) else (found,)
    for tool in listed:
        if not _is_tool(tool):
            message = f"{entry.value!r} gives {type(tool).__name__}, which is no tool"
            raise InvalidTool(message, hint="give a tool, for example of `metier.tools.function_tool`")
    return listed


def _is_tool(value: object) -> bool:
    return isinstance(getattr(value, "spec", None), ToolSpec) and callable(getattr(value, "run", None))
