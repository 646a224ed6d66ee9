"""Connection to one MCP server, held open by its own task.

The task groups of the library must be exited by the task that entered them, but calls come from any task. So one task
holds the connection open, and the others use it.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

from metier.errors import MissingExtra
from metier.tools.mcp._config import McpServerConfig

if TYPE_CHECKING:
    import mcp_types
    from mcp import Client
    from mcp.client._transport import Transport

_MAX_PAGES: Final = 100
_MAX_TOOLS: Final = 2000
_TAIL_CHARS: Final = 500
# Variables that the library passes to a server by default.
_INHERITED: Final = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")


T = TypeVar("T")


class ServerDown(Exception):
    """The server cannot be started or reached, or has exited. Internal: callers get a failure instead."""


class Connection:
    """Connection to one server. Open it with `start`; after `ServerDown` it may be started again."""

    def __init__(self, config: McpServerConfig, on_list_changed: Callable[[], None]) -> None:
        self._config = config
        self._on_list_changed = on_list_changed
        self._client: Client | None = None
        self._owner: asyncio.Task[None] | None = None
        self._stop_requested = asyncio.Event()
        self._stderr_tail = ""

    @property
    def is_connected(self) -> bool:
        return self._client is not None

    async def start(self) -> None:
        """Connect within the time limit, or raise `ServerDown` with the end of the server's stderr."""
        require_mcp()
        await self.stop()
        self._stop_requested, self._stderr_tail = asyncio.Event(), ""
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._owner = asyncio.create_task(self._hold_open(ready, self._stop_requested), name=f"mcp {self._config.name}")
        limit_s = self._config.connect_timeout_s
        try:
            async with asyncio.timeout(limit_s):
                self._client = await ready
        except TimeoutError:
            raise self._down_error(f"it did not answer within {limit_s:g} s") from None
        except _connect_error_types() as error:
            raise self._down_error(describe_error(error)) from error
        finally:
            if self._client is None:  # also on cancellation: no server survives a failed start
                await self._abandon()

    async def stop(self) -> None:
        """Close the connection and, if this process started it, the server. May be called twice."""
        self._client = None
        self._stop_requested.set()
        if self._owner is not None:
            await asyncio.wait({self._owner})
            self._owner = None

    async def list_tools(self) -> "list[mcp_types.Tool]":
        """Return all tools of the server, page by page."""
        found: list[mcp_types.Tool] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            page = await self._request(partial(_fetch_page, cursor=cursor))
            found += page.tools
            cursor = page.next_cursor
            if cursor is None or len(found) > _MAX_TOOLS:
                break
        return found[:_MAX_TOOLS]

    async def call(self, tool: str, arguments: dict[str, Any], timeout_s: float) -> "mcp_types.CallToolResult":
        return await self._request(
            lambda client: client.call_tool(tool, arguments, read_timeout_seconds=timeout_s), timeout_s
        )

    async def _request(self, ask: Callable[["Client"], Awaitable[T]], timeout_s: float | None = None) -> T:
        """Send one request. A lost connection is closed at once, so that the next call reconnects."""
        import anyio
        from mcp import MCPError
        from mcp_types import CONNECTION_CLOSED

        client = self._client
        if client is None:
            raise self._down_error("it is not connected")
        try:
            async with asyncio.timeout(timeout_s or self._config.timeout_s):
                return await ask(client)
        except MCPError as error:
            if error.code != CONNECTION_CLOSED and not self._has_ended():
                raise
            await self.stop()
            raise self._down_error("it went away") from error
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            await self.stop()
            raise self._down_error("it went away") from error

    def _has_ended(self) -> bool:
        return self._owner is None or self._owner.done()

    async def _hold_open(self, ready: "asyncio.Future[Client]", leave: asyncio.Event) -> None:
        try:
            async with self._connect() as client:
                # By default the library checks results with `re`, in the event loop, against a pattern that the server
                # chose: `^(a+)+$` on forty letters stops every turn for hours. The model reads a result either way.
                client.session.validate_tool_result = _accept_result  # type: ignore[method-assign]  # see above
                ready.set_result(client)
                await leave.wait()
        except _connect_error_types() as error:
            if not ready.done():
                ready.set_exception(error)
        finally:
            if not ready.done():
                ready.cancel()

    @asynccontextmanager
    async def _connect(self) -> "AsyncIterator[Client]":
        from mcp import Client

        config = self._config
        if config.url:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client

            timeout = httpx2.Timeout(config.connect_timeout_s, read=max(300.0, config.timeout_s))
            async with httpx2.AsyncClient(headers=dict(config.headers), timeout=timeout) as http:
                transport = streamable_http_client(config.url, http_client=http)
                async with Client(transport, message_handler=self._on_message) as client:
                    yield client
        else:
            async with self._capture_stderr() as errors, self._create_stdio_client(errors) as client:
                yield client

    def _create_stdio_client(self, errors: TextIO) -> "Client":
        from mcp import Client

        return Client(_create_stdio_transport(self._config, errors), message_handler=self._on_message)

    async def _on_message(self, message: object) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self._on_list_changed()

    @asynccontextmanager
    async def _capture_stderr(self) -> AsyncIterator[TextIO]:
        """Open a pipe for the server's stderr and keep the end of it for error messages."""
        reading, writing = os.pipe()
        stream = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(reading, "rb", 0)
        )
        listener = asyncio.create_task(self._read_stderr(stream))
        with os.fdopen(writing, "w") as errors:
            try:
                yield errors
            finally:
                errors.close()
                await asyncio.wait({listener}, timeout=0.2)  # a grandchild may hold the pipe open
                transport.close()
                listener.cancel()
                await asyncio.wait({listener})

    async def _read_stderr(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(4096):
            self._stderr_tail = (self._stderr_tail + chunk.decode("utf-8", "replace"))[-_TAIL_CHARS:]

    async def _abandon(self) -> None:
        if self._owner is not None:
            self._owner.cancel()
            await asyncio.wait({self._owner})
            self._owner = None

    def _down_error(self, why: str) -> ServerDown:
        said = f"; it said: {self._stderr_tail.strip()}" if self._stderr_tail.strip() else ""
        return ServerDown(f"MCP server {self._config.name!r} is down: {why[:200]}{said}")


def require_mcp() -> None:
    """Raise `MissingExtra` if the optional package `mcp` is not installed."""
    try:
        import mcp  # noqa: F401 - whether it is there
    except ImportError as error:
        raise MissingExtra("MCP servers need the 'mcp' package", hint="pip install 'metier[mcp]'") from error


def _create_stdio_transport(config: McpServerConfig, errors: TextIO) -> "Transport":
    """Start the server with only the environment variables that the operator named.

    The library always passes six of our variables; `env -u` removes them. PATH is set to the command's folder and the
    system's default, because a script with `#!/usr/bin/env` needs one.
    """
    from mcp import StdioServerParameters, stdio_client

    command = shutil.which(config.command, path=config.env.get("PATH"))
    if command is None:
        raise FileNotFoundError(f"there is no command {config.command!r}")
    env = {"PATH": f"{Path(command).parent}:{os.defpath}", **config.env}
    unset = [part for name in _INHERITED if name not in env for part in ("-u", name)]
    return stdio_client(
        StdioServerParameters(command="/usr/bin/env", args=[*unset, command, *config.args], env=env, cwd=config.cwd),
        errlog=errors,
    )


def _connect_error_types() -> tuple[type[Exception], ...]:
    """Return the exceptions that connecting may raise: system, network, protocol, or invalid data."""
    import anyio
    import httpx2
    from mcp import MCPError
    from pydantic import ValidationError

    return (
        ExceptionGroup,
        OSError,
        MCPError,
        ValidationError,
        ValueError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        anyio.ClosedResourceError,
        anyio.BrokenResourceError,
    )


async def _accept_result(name: str, result: "mcp_types.CallToolResult") -> None:
    """Check of a result against the output schema that its server declares: none."""


async def _fetch_page(client: "Client", cursor: str | None) -> "mcp_types.ListToolsResult":
    return await client.list_tools(cursor=cursor, cache_mode="bypass")


def describe_error(error: BaseException) -> str:
    """Message of the innermost error; its type if it has none."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
