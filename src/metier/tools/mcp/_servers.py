"""Combine several MCP servers into one set of tools."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Final, Self

from metier.errors import InvalidTool, ToolNotFound
from metier.json_values import JsonObject
from metier.tools._calls import ToolContext, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.mcp._config import McpServerConfig, read_mcp_config
from metier.tools.mcp._connection import Connection, ServerDown, require_mcp
from metier.tools.mcp._mapping import McpProblem, digest_tool, result_from_mcp, spec_from_mcp

if TYPE_CHECKING:
    import mcp_types

_NO_DIGESTS: Final[Mapping[str, str]] = MappingProxyType({})
_DOWN: Final = "mcp_server_down"
_RETRY_HINT: Final = "it is tried again at the next call"
_PENDING_DESCRIPTION: Final = "This tool was changed by its server and waits for approval."


@dataclass(slots=True)
class _OfferedTool:
    """Tool of a server: its local name, the approved digest, and what the server offers now."""

    name: str
    spec: ToolSpec
    approved_digest: str
    current_digest: str
    current_tool: "mcp_types.Tool"


@dataclass(slots=True)
class _ServerState:
    config: McpServerConfig
    connection: Connection = field(init=False)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    offers: dict[str, _OfferedTool] = field(default_factory=dict)
    problems: list[McpProblem] = field(default_factory=list)
    stale: bool = True

    def __post_init__(self) -> None:
        self.connection = Connection(self.config, self._mark_stale)

    def _mark_stale(self) -> None:
        self.stale = True


@dataclass(frozen=True, slots=True)
class McpTool:
    """Tool of an MCP server."""

    spec: ToolSpec
    server: str
    remote: str
    _servers: "McpServers" = field(repr=False, compare=False)

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        return await self._servers.call(self.server, self.remote, arguments, timeout_s=self.spec.timeout_s)


class McpServers:
    """Tools of all configured servers: `async with McpServers(config) as servers: servers.tools`.

    A server that cannot be reached becomes a problem and does not hide the tools of others. A tool that two servers
    have is called `server__tool` (with `prefix`, all are). `known` are the `digests` saved from an earlier run: a tool
    whose description, parameters or annotations differ from them is listed in `changed_tools` and does not run until
    `approve`.
    """

    def __init__(
        self,
        config: JsonObject | Sequence[McpServerConfig],
        *,
        prefix: bool = False,
        known: Mapping[str, str] = _NO_DIGESTS,
    ) -> None:
        configs = read_mcp_config(config) if isinstance(config, Mapping) else tuple(config)
        self._servers = {one.name: _ServerState(one) for one in configs}
        self._prefix = prefix
        self._known = dict(known)

    async def __aenter__(self) -> Self:
        require_mcp()
        await self.refresh()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(server.connection.stop() for server in self._servers.values()))

    @property
    def tools(self) -> tuple[McpTool, ...]:
        """All tools that can be called, sorted by name; a changed one keeps its approved description."""
        found = [
            McpTool(offer.spec, server.config.name, remote, self)
            for server in self._servers.values()
            for remote, offer in server.offers.items()
        ]
        return tuple(sorted(found, key=lambda tool: tool.spec.name))

    @property
    def problems(self) -> tuple[McpProblem, ...]:
        """Servers that are down and tools that cannot be used."""
        return tuple(problem for server in self._servers.values() for problem in server.problems)

    @property
    def changed_tools(self) -> tuple[str, ...]:
        """Tools that differ from their approved version, sorted; each waits for `approve`."""
        offers = (offer for server in self._servers.values() for offer in server.offers.values())
        return tuple(sorted(offer.name for offer in offers if offer.approved_digest != offer.current_digest))

    @property
    def digests(self) -> Mapping[str, str]:
        """Approved digests by `server/tool`: save them and pass them as `known` next time."""
        return MappingProxyType(dict(self._known))

    def approve(self, name: str) -> None:
        """Approve the current version of a changed tool."""
        for server in self._servers.values():
            for remote, offer in server.offers.items():
                if offer.name == name:
                    spec = spec_from_mcp(offer.current_tool, name=name, timeout_s=server.config.timeout_s)
                    server.offers[remote] = replace(offer, approved_digest=offer.current_digest, spec=spec)
                    self._known[f"{server.config.name}/{remote}"] = offer.current_digest
                    return
        raise ToolNotFound(f"no MCP server has a tool {name[:80]!r}", hint="look at `tools`")

    async def refresh(self) -> None:
        """Connect servers that are not connected and list all tools again."""
        listed = await asyncio.gather(*(self._list(server, anew=True) for server in self._servers.values()))
        found = {server.config.name: tools for server, tools in zip(self._servers.values(), listed, strict=True)}
        counts = Counter(tool.name for tools in found.values() for tool in tools or ())
        for name, tools in found.items():
            if tools is not None:
                self._update_offers(self._servers[name], tools, {tool for tool, count in counts.items() if count > 1})

    async def call(self, server: str, tool: str, arguments: JsonObject, *, timeout_s: float) -> ToolResult:
        """Call a tool by its name on the server. Server and protocol errors are returned as failures."""
        from mcp import MCPError
        from mcp_types import REQUEST_TIMEOUT
        from pydantic import ValidationError

        one = self._servers[server]
        try:
            if refusal := await self._check_tool(one, tool):
                return refusal
            return result_from_mcp(await one.connection.call(tool, dict(arguments), timeout_s))
        except ServerDown as error:
            return ToolResult.fail(_DOWN, str(error), hint=_RETRY_HINT)
        except TimeoutError:
            return _timeout_failure(server, tool, timeout_s)
        except MCPError as error:
            if error.code == REQUEST_TIMEOUT:
                return _timeout_failure(server, tool, timeout_s)
            return ToolResult.fail("tool_failed", f"{server}/{tool}: {error.message[:500]}")
        except (ValidationError, ValueError, RuntimeError) as error:
            return ToolResult.fail("mcp_bad_answer", f"{server}/{tool} answered nonsense: {str(error)[:300]}")

    async def _check_tool(self, server: _ServerState, tool: str) -> ToolResult | None:
        """Return a failure if the tool is gone or differs from its approved version; lists again after a reconnect."""
        if server.stale or not server.connection.is_connected:
            tools = await self._list(server)
            if tools is None:
                problem = server.problems[-1]
                return ToolResult.fail(problem.code, problem.message, hint=_RETRY_HINT)
            self._update_offers(server, tools, set())
        offer = server.offers.get(tool)
        if offer is None:
            return ToolResult.fail("tool_gone", f"MCP server {server.config.name!r} has no tool {tool!r} any more")
        if offer.approved_digest != offer.current_digest:
            message = f"{offer.name} was changed by its server after it was agreed to"
            return ToolResult.fail("tool_changed", message, hint="a person has to look at it and approve it")
        return None

    async def _list(self, server: _ServerState, *, anew: bool = False) -> "list[mcp_types.Tool] | None":
        from mcp import MCPError
        from pydantic import ValidationError

        async with server.lock:
            if server.connection.is_connected and not server.stale and not anew:
                return [offer.current_tool for offer in server.offers.values()]
            server.problems = []
            try:
                if not server.connection.is_connected:
                    await server.connection.start()
                server.stale = False
                return await server.connection.list_tools()
            except ServerDown as error:
                problem = McpProblem(server.config.name, "", _DOWN, str(error))
            except (MCPError, ValidationError, TimeoutError) as error:
                message = f"MCP server {server.config.name!r} does not list its tools: {str(error)[:300]}"
                problem = McpProblem(server.config.name, "", _DOWN, message)
                await server.connection.stop()
            server.problems.append(problem)
            return None

    def _update_offers(self, server: _ServerState, tools: "Sequence[mcp_types.Tool]", shared: set[str]) -> None:
        """Replace the tools of a server; local names, once assigned, do not change."""
        offers: dict[str, _OfferedTool] = {}
        taken = {offer.name for one in self._servers.values() if one is not server for offer in one.offers.values()}
        for tool in tools:
            before = server.offers.get(tool.name)
            name = before.name if before else tool.name
            if before is None and (self._prefix or tool.name in shared or tool.name in taken):
                name = f"{server.config.name}__{tool.name}"
            try:
                offers[tool.name] = self._build_offer(server, tool, name, before)
            except InvalidTool as error:
                server.problems.append(McpProblem(server.config.name, tool.name[:80], error.code, error.message))
        server.offers = offers

    def _build_offer(
        self, server: _ServerState, tool: "mcp_types.Tool", name: str, before: _OfferedTool | None
    ) -> _OfferedTool:
        spec = spec_from_mcp(tool, name=name, timeout_s=server.config.timeout_s)
        now = digest_tool(tool)
        agreed = self._known.setdefault(f"{server.config.name}/{tool.name}", now)
        if agreed != now:  # an unapproved description must not reach the model (prompt injection)
            spec = (
                before.spec
                if before
                else replace(spec, description=_PENDING_DESCRIPTION, parameters={"type": "object"})
            )
        return _OfferedTool(name, spec, agreed, now, tool)


def _timeout_failure(server: str, tool: str, timeout_s: float) -> ToolResult:
    return ToolResult.fail("timed_out", f"{server}/{tool} did not answer within {timeout_s:g} s")
