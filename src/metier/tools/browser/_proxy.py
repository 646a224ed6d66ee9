"""The proxy of one browser: every connection goes through it, under the rules of `fetch_web_content`.

A name is resolved once, its addresses are checked, and the connection goes to a checked address. The browser resolves
no names and opens no connection of its own.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from metier.tools._calls import ToolError, ToolFailure
from metier.tools.browser._requests import (
    MAX_HEAD_BYTES,
    BadRequest,
    RequestHead,
    format_answer,
    format_request,
    format_response,
    parse_authority,
    parse_request,
    parse_status,
)
from metier.tools.browser._sites import LocalSite, SiteRequest
from metier.tools.builtin import FetchRules, Resolver, check_url, get_port, resolve_allowed_addresses

READING_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
TUNNEL_PORTS: Final = frozenset({443, 8443})
_CHUNK_BYTES: Final = 64 * 1024
_MAX_ATTEMPTS: Final = 3
_MAX_REFUSALS: Final = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Limits of a proxy. `named_wait_s`: how long a connection waits until the page is known to have asked for it."""

    connections: int = 64
    head_s: float = 10.0
    connect_s: float = 5.0
    idle_s: float = 60.0
    named_wait_s: float = 2.0
    download_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class RefusedRequest:
    """Request that was not let through: a URL, or `host:port` of a tunnel, and why."""

    target: str
    failure: ToolFailure


@dataclass(slots=True)
class BrowserProxy:
    """HTTP proxy on this machine for one browser.

    With `only_named`, it connects only to hosts that `name_host` was told of: what the browser wants for itself is
    refused. `may_send` says whether requests may carry data (any method but GET, HEAD and OPTIONS) over plain HTTP.
    """

    rules: FetchRules
    resolve: Resolver
    sites: Mapping[str, LocalSite] = field(default_factory=dict)
    limits: ProxyLimits = field(default_factory=ProxyLimits)
    only_named: bool = True
    may_send: bool = False
    refusals: list[RefusedRequest] = field(default_factory=list)
    received_bytes: int = 0
    _named: set[tuple[str, int]] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _server: asyncio.Server | None = None
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def start(self) -> int:
        """Listen on a free port of this machine, and return it."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MAX_HEAD_BYTES)
        port = self._server.sockets[0].getsockname()[1]
        assert isinstance(port, int)
        return port

    async def close(self) -> None:
        """Stop listening and cut every connection."""
        if self._server is not None:
            self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def name_host(self, url: str) -> None:
        """The page asks for this URL: its host may be connected to, if the rules allow it."""
        with suppress(ToolError):
            checked = check_url(url, self.rules)
            self._named.add((checked.raw_host.decode("ascii"), get_port(checked)))
            self._changed.set()

    def find_refusal(self, urls: Iterable[str]) -> ToolFailure | None:
        """Why one of these URLs was not let through, the last refusal first."""
        wanted = {target for url in urls for target in (url, _to_authority(url)) if target}
        return next((one.failure for one in reversed(self.refusals) if one.target in wanted), None)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._tasks) >= self.limits.connections:
            writer.write(format_response(503, "Service Unavailable", b""))
            await _close(writer)
            return
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            _log.debug("browser proxy: %s", error)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            self._tasks.discard(task)
            await _close(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = ""
        try:
            head = await self._read_head(reader)
            target = head.target
            if head.method == "CONNECT":
                await self._tunnel(head, reader, writer)
            else:
                await self._forward(head, reader, writer)
        except BadRequest as error:
            await _answer(writer, error.status, error.why)
        except ToolError as error:
            if len(self.refusals) < _MAX_REFUSALS:
                self.refusals.append(RefusedRequest(target, error.failure))
            await _answer(writer, 403, error.failure.message)

    async def _read_head(self, reader: asyncio.StreamReader) -> RequestHead:
        try:
            async with asyncio.timeout(self.limits.head_s):
                return parse_request(await reader.readuntil(b"\r\n\r\n"))
        except TimeoutError as error:
            raise BadRequest(408, "the request came too slowly") from error
        except asyncio.LimitOverrunError as error:
            raise BadRequest(431, "the head of the request is too large") from error

    async def _tunnel(self, head: RequestHead, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = parse_authority(head.target)
        if port not in TUNNEL_PORTS:
            # A browser tunnels plain HTTP for web sockets only.
            raise ToolError(f"a tunnel to port {port} is not opened", code="url_refused", hint="web sockets are not")
        url = check_url(f"https://{host}:{port}/", self.rules)
        there, back = await self._connect(url.raw_host.decode("ascii"), port)
        try:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            up = asyncio.create_task(self._pump(reader, back))
            down = asyncio.create_task(self._pump(there, writer, counted=True))
            try:
                await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in (up, down):
                    one.cancel()
                await asyncio.gather(up, down, return_exceptions=True)
        finally:
            await _close(back)

    async def _forward(self, head: RequestHead, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not head.target.startswith("http://"):
            raise BadRequest(400, "only http addresses are forwarded")
        url = check_url(head.target, self.rules)
        length = head.body_bytes
        if head.method not in READING_METHODS and not self.may_send:
            raise ToolError(
                f"a {head.method} request sends data, which nobody approved", code="send_not_approved", hint=""
            )
        async with asyncio.timeout(self.limits.idle_s):
            body = await reader.readexactly(length)
        host, path = url.raw_host.decode("ascii"), url.raw_path.decode("ascii")
        site = self.sites.get(host.lower())
        if site is not None:
            await self._check_named(host, get_port(url))
            answer = await site.respond(SiteRequest(head.method, path, body))
            self.received_bytes += len(answer.body)
            writer.write(format_response(answer.status, answer.reason, answer.body, answer.headers))
            await writer.drain()
            return
        there, back = await self._connect(host, get_port(url))
        try:
            back.write(format_request(head, path, url.netloc.decode("ascii")) + body)
            writer.write(await self._read_answer(there))
            await self._pump(there, writer, counted=True)
        finally:
            await _close(back)

    async def _read_answer(self, there: asyncio.StreamReader) -> bytes:
        """Head of the answer, without interim ones."""
        for _ in range(8):
            try:
                async with asyncio.timeout(self.limits.idle_s):
                    head = await there.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError as error:
                raise BadRequest(502, "the head of the answer is too large") from error
            if parse_status(head) >= 200:
                return format_answer(head)
        raise BadRequest(502, "the answer does not begin")

    async def _check_named(self, host: str, port: int) -> None:
        """Wait until the page is known to have asked for this host; the browser may be faster than the news of it."""
        if not self.only_named:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.named_wait_s):
                while (host, port) not in self._named:
                    self._changed.clear()
                    await self._changed.wait()
        if (host, port) not in self._named:
            raise ToolError(f"the page did not ask for {host!r}", code="not_requested")

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        await self._check_named(host, port)
        try:
            async with asyncio.timeout(self.limits.head_s):
                addresses = await resolve_allowed_addresses(host.strip("[]"), port, self.resolve, self.rules)
        except TimeoutError as error:
            raise ToolError(f"the name {host!r} cannot be resolved in time", code="host_not_found") from error
        for address in addresses[:_MAX_ATTEMPTS]:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(self.limits.connect_s):
                    return await asyncio.open_connection(address, port, limit=MAX_HEAD_BYTES)
        raise ToolError(f"{host!r} does not answer", code="fetch_failed", hint="check the address")

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, counted: bool = False) -> None:
        while True:
            async with asyncio.timeout(self.limits.idle_s):
                chunk = await reader.read(_CHUNK_BYTES)
                if not chunk:
                    return
                if counted:
                    self.received_bytes += len(chunk)
                    if self.received_bytes > self.limits.download_bytes:
                        return
                writer.write(chunk)
                await writer.drain()

    @property
    def is_exhausted(self) -> bool:
        """Whether the browser has received as much as it may."""
        return self.received_bytes > self.limits.download_bytes


def _to_authority(url: str) -> str:
    """`host:port` as a tunnel for this URL names it; empty if there is none."""
    try:
        checked = check_url(url, FetchRules(ports=frozenset(range(1, 65_536))))
    except ToolError:
        return ""
    host = checked.raw_host.decode("ascii")
    return f"[{host}]:{get_port(checked)}" if ":" in host else f"{host}:{get_port(checked)}"


async def _answer(writer: asyncio.StreamWriter, status: int, why: str) -> None:
    text = why.encode("utf-8", "replace")
    writer.write(format_response(status, "Refused", text, (("Content-Type", "text/plain; charset=utf-8"),)))
    with suppress(OSError):
        await writer.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError, asyncio.CancelledError, TimeoutError):
        async with asyncio.timeout(1):
            await writer.wait_closed()
