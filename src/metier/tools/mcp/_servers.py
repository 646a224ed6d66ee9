"""Combine several MCP servers into one set of tools."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from metier.clock import utc_now
from metier.errors import Conflict, InvalidTool, MetierError, ToolNotFound
from metier.json_values import JsonObject
from metier.tools._calls import ToolContext, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.mcp._config import McpServerConfig, read_mcp_config
from metier.tools.mcp._connection import Connection, ServerDown, describe_error, require_mcp
from metier.tools.mcp._mapping import McpProblem, definition_from_mcp, result_from_mcp, spec_from_mcp
from metier.tools.mcp._pins import FIRST_USE, MemoryPins, PendingTool, PinnedTool, ToolDefinition, ToolPins, Trust

if TYPE_CHECKING:
    import mcp_types

_log = logging.getLogger(__name__)
_DOWN: Final = "mcp_server_down"
_NEW_HINT: Final = "the next message uses the new version"
_RETRY_HINT: Final = "it is tried again at the next call"


@dataclass(frozen=True, slots=True)
class _OfferedTool:
    """Tool of a server as it is now, under its local name."""

    name: str
    spec: ToolSpec
    definition: ToolDefinition
    tool: "mcp_types.Tool"


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
    digest: str
    _servers: "McpServers" = field(repr=False, compare=False)

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        """Call the tool in the version that the gate and the model have seen."""
        return await self._servers.call(
            self.server, self.remote, arguments, timeout_s=self.spec.timeout_s, digest=self.digest
        )


class McpServers:
    """Tools of all configured servers: `async with McpServers(config) as servers: servers.tools`.

    A server that cannot be reached becomes a problem and does not hide the tools of others. A tool that two servers
    have is called `server__tool` (with `prefix`, all are). `pins` are the approved definitions: a tool whose
    description, parameters or annotations differ from its pin is withheld, listed in `pending`, until `approve`. A tool
    without a pin is pinned at first use, or withheld too if `trust` is `approved`.
    """

    def __init__(
        self,
        config: JsonObject | Sequence[McpServerConfig],
        *,
        prefix: bool = False,
        pins: ToolPins | None = None,
        trust: Trust = "first_use",
    ) -> None:
        configs = read_mcp_config(config) if isinstance(config, Mapping) else tuple(config)
        self._servers = {one.name: _ServerState(one) for one in configs}
        self._prefix = prefix
        self._trust = trust
        self._pins = MemoryPins() if pins is None else pins
        self._pins_revision = self._pins.revision  # before `load`: what is saved between the two is loaded again
        self._pinned = self._pins.load()
        self._pins_error: MetierError | None = None
        self._version = 0

    async def __aenter__(self) -> Self:
        require_mcp()
        await self.refresh()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(server.connection.stop() for server in self._servers.values()))

    @property
    def version(self) -> int:
        """Number that grows whenever `tools` may have changed, also by an approval in another process."""
        self._reload_pins()
        return self._version

    @property
    def tools(self) -> tuple[McpTool, ...]:
        """All approved tools, sorted by name."""
        self._reload_pins()
        found = [
            McpTool(offer.spec, server.config.name, remote, offer.definition.digest, self)
            for server in self._servers.values()
            for remote, offer in server.offers.items()
            if self._pins_error is None and self._find_pending(server, offer) is None
        ]
        return tuple(sorted(found, key=lambda tool: tool.spec.name))

    @property
    def pending(self) -> tuple[PendingTool, ...]:
        """Tools that wait for `approve`, sorted by name; `InvalidSettings` if the approvals cannot be read."""
        self._reload_pins()
        if self._pins_error is not None:
            raise self._pins_error
        offers = [(server, offer) for server in self._servers.values() for offer in server.offers.values()]
        found = [one for server, offer in offers if (one := self._find_pending(server, offer))]
        return tuple(sorted(found, key=lambda one: one.name))

    @property
    def problems(self) -> tuple[McpProblem, ...]:
        """Servers that are down, tools that cannot be used, tools that wait for approval, approvals that are lost."""
        found = [problem for server in self._servers.values() for problem in server.problems]
        self._reload_pins()
        if (lost := self._pins_error) is not None:
            found += [McpProblem(name, "", lost.code, f"{lost.message}; {lost.hint}") for name in self._servers]
        else:
            found += [McpProblem(one.server, one.tool, one.code, f"{one.message}; {one.hint}") for one in self.pending]
        return tuple(found)

    def approve(self, server: str, tool: str, *, by: str, digest: str | None = None) -> PendingTool:
        """Approve the current version of a tool and save it; errors as `find_pending`."""
        found = self.find_pending(server, tool, digest=digest)
        self._save_pins({f"{server}/{tool}": found.current}, by)
        return found

    def find_pending(self, server: str, tool: str, *, digest: str | None = None) -> PendingTool:
        """Return the tool of this server that waits for approval; `ToolNotFound` lists those that do.

        `digest` is the version the person saw: if the server has changed the tool since, `Conflict` is raised.
        """
        for one in self.pending:
            if (one.server, one.tool) == (server, tool):
                if digest not in (None, one.current.digest):
                    raise Conflict(f"{one.name} has changed again", hint="look at it again before approving")
                return one
        waiting = ", ".join(f"{one.server} {one.tool}" for one in self.pending) or "none"
        raise ToolNotFound(
            f"no tool {tool[:80]!r} of server {server[:80]!r} waits for approval", hint=f"waiting: {waiting}"
        )

    async def refresh(self) -> None:
        """Connect servers that are not connected and list all tools again."""
        listed = await asyncio.gather(*(self._list(server, anew=True) for server in self._servers.values()))
        found = {server.config.name: tools for server, tools in zip(self._servers.values(), listed, strict=True)}
        counts = Counter(tool.name for tools in found.values() for tool in tools or ())
        for name, tools in found.items():
            if tools is not None:
                self._update_offers(self._servers[name], tools, {tool for tool, count in counts.items() if count > 1})

    async def call(
        self, server: str, tool: str, arguments: JsonObject, *, timeout_s: float, digest: str | None = None
    ) -> ToolResult:
        """Call a tool by its name on the server. Server and protocol errors are returned as failures.

        `digest` is the version that the caller has seen; another one does not run, even if it is approved by now.
        """
        from mcp import MCPError
        from mcp_types import REQUEST_TIMEOUT
        from pydantic import ValidationError

        one = self._servers[server]
        try:
            if refusal := await self._check_tool(one, tool, digest):
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

    async def _check_tool(self, server: _ServerState, tool: str, digest: str | None) -> ToolResult | None:
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
        self._reload_pins()
        if self._pins_error is not None:
            return ToolResult.fail(self._pins_error.code, self._pins_error.message, hint=self._pins_error.hint)
        if pending := self._find_pending(server, offer):
            return ToolResult.fail(pending.code, pending.message, hint=pending.hint)
        if digest is not None and digest != offer.definition.digest:
            return ToolResult.fail("tool_changed", f"{offer.name} was changed and approved meanwhile", hint=_NEW_HINT)
        return None

    def _find_pending(self, server: _ServerState, offer: _OfferedTool) -> PendingTool | None:
        remote = offer.tool.name
        pin = self._pinned.get(f"{server.config.name}/{remote}")
        if pin is not None and pin.definition.digest == offer.definition.digest:
            return None
        return PendingTool(server.config.name, remote, offer.name, offer.definition, pin)

    def _reload_pins(self) -> None:
        """Read the pins again if another process has saved some. If they cannot be read, all tools are withheld."""
        if (revision := self._pins.revision) == self._pins_revision:
            return
        self._pins_revision = revision
        self._version += 1
        try:
            self._pinned, self._pins_error = self._pins.load(), None
        except MetierError as error:
            _log.warning("the tools of MCP servers are withheld: %s", error)
            self._pins_error = error

    def _save_pins(self, definitions: Mapping[str, ToolDefinition], by: str) -> None:
        now = utc_now().isoformat(timespec="seconds")
        self._pins.save(
            {key: PinnedTool(definition, by, now) for key, definition in definitions.items()}, replace=by != FIRST_USE
        )
        self._reload_pins()

    async def _list(self, server: _ServerState, *, anew: bool = False) -> "list[mcp_types.Tool] | None":
        from mcp import MCPError
        from pydantic import ValidationError

        async with server.lock:
            if server.connection.is_connected and not server.stale and not anew:
                return [offer.tool for offer in server.offers.values()]
            server.problems = []
            try:
                if not server.connection.is_connected:
                    await server.connection.start()
                server.stale = False
                return await server.connection.list_tools()
            except ServerDown as error:
                problem = McpProblem(server.config.name, "", _DOWN, str(error))
            except (MCPError, ValidationError, TimeoutError) as error:
                message = f"MCP server {server.config.name!r} does not list its tools: {describe_error(error)[:300]}"
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
                self._refuse_borrowed_prefix(server, tool.name)
                spec = spec_from_mcp(tool, name=name, server=server.config.name, timeout_s=server.config.timeout_s)
                offers[tool.name] = _OfferedTool(name, spec, definition_from_mcp(tool), tool)
            except InvalidTool as error:
                told = f"{error.message}; {error.hint}"
                server.problems.append(McpProblem(server.config.name, tool.name[:80], error.code, told))
        server.offers = offers
        self._version += 1
        if self._trust == "first_use":
            self._pin_new_tools(server)

    def _refuse_borrowed_prefix(self, server: _ServerState, tool: str) -> None:
        """Raise `InvalidTool` if the name would read as a tool of another server: rules and people go by names."""
        for name in self._servers:
            if name != server.config.name and tool.startswith(f"{name}__"):
                message = f"{tool[:80]!r} begins as the tools of server {name!r} do"
                raise InvalidTool(message, hint="rename the tool on its server, or the server in the settings")

    def _pin_new_tools(self, server: _ServerState) -> None:
        keys = {f"{server.config.name}/{remote}": offer.definition for remote, offer in server.offers.items()}
        self._reload_pins()
        if self._pins_error is not None:
            return
        if new := {key: definition for key, definition in keys.items() if key not in self._pinned}:
            self._save_pins(new, FIRST_USE)


def _timeout_failure(server: str, tool: str, timeout_s: float) -> ToolResult:
    return ToolResult.fail("timed_out", f"{server}/{tool} did not answer within {timeout_s:g} s")
