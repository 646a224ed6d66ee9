"""HTTP client for untrusted URLs: every redirect is checked and every body has a size limit."""

import asyncio
import zlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.tools._calls import ToolError
from metier.tools._certificates import read_certificates
from metier.tools.builtin._ssrf import FetchRules, Resolver, check_url, get_port, resolve_allowed_addresses

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_CONNECT_TIMEOUT_S = 5.0
_MAX_ATTEMPTS = 3
_STEP_BYTES = 64 * 1024
_HEADERS: Final = (
    ("User-Agent", "Mozilla/5.0 (compatible; Metier)"),
    ("Accept", "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.9,*/*;q=0.1"),
    ("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8"),
    ("Accept-Encoding", "gzip, deflate"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """Response after redirects; `cut` is true if the body was truncated at the limit."""

    url: str
    status: int
    reason: str
    content_type: str
    charset: str | None
    body: bytes
    cut: bool
    hops: tuple[str, ...] = ()


class Fetcher:
    """Fetches public web pages. `inner` is the transport; it gets URLs whose host is a checked IP address."""

    def __init__(self, rules: FetchRules, resolve: Resolver, inner: "httpx.AsyncBaseTransport | None" = None) -> None:
        self._rules = rules
        self._resolve = resolve
        self._inner = inner

    async def get(self, address: str) -> Page:
        """Fetch a page within the limits of the rules."""
        import httpx

        try:
            async with asyncio.timeout(self._rules.timeout_s):
                return await self._follow(address)
        except TimeoutError as error:
            raise ToolError(
                f"the page took longer than {self._rules.timeout_s:g} seconds", code="fetch_timeout"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL, zlib.error) as error:
            told = str(error) or type(error).__name__
            raise ToolError(
                f"the page cannot be fetched: {told}", code="fetch_failed", hint="check the address"
            ) from error

    async def _follow(self, address: str) -> Page:
        url = check_url(address, self._rules)
        hops: list[str] = []
        async with self._open_client() as client:
            while True:
                async with self._send(client, url) as response:
                    target = response.headers.get("location") if response.status_code in _REDIRECTS else None
                    if target is None:
                        return await self._read_page(response, url, tuple(hops))
                hops.append(str(url))
                if len(hops) > self._rules.max_redirects:
                    raise ToolError(f"{address!r} redirects more than {len(hops) - 1} times", code="too_many_redirects")
                url = check_url(str(url.join(target)), self._rules)

    @asynccontextmanager
    async def _open_client(self) -> "AsyncIterator[httpx.AsyncClient]":
        import httpx

        # No keep-alive: two names at one address must not share a TLS session. No proxies, no .netrc.
        limits = httpx.Limits(max_keepalive_connections=0)
        transport = self._inner or httpx.AsyncHTTPTransport(
            verify=read_certificates(trust_env=False), trust_env=False, limits=limits
        )
        timeout = httpx.Timeout(self._rules.timeout_s, connect=_CONNECT_TIMEOUT_S)
        async with httpx.AsyncClient(
            transport=transport, timeout=timeout, trust_env=False, headers=list(_HEADERS)
        ) as client:
            yield client

    @asynccontextmanager
    async def _send(self, client: "httpx.AsyncClient", url: "httpx.URL") -> "AsyncIterator[httpx.Response]":
        """Send the request to one of the checked addresses; Host, SNI and certificate use the host name."""
        import httpx

        host = url.raw_host.decode("ascii")
        addresses = (await resolve_allowed_addresses(host, get_port(url), self._resolve, self._rules))[:_MAX_ATTEMPTS]
        for last, address in enumerate(addresses, 1 - len(addresses)):
            request = client.build_request("GET", url.copy_with(host=address), headers={"Host": _host_header(url)})
            if not _is_address(host):
                request.extensions["sni_hostname"] = host
            try:
                response = await client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if last == 0:
                    raise
                continue
            try:
                yield response
            finally:
                await response.aclose()
            return

    async def _read_page(self, response: "httpx.Response", url: "httpx.URL", hops: tuple[str, ...]) -> Page:
        body, cut = await self._read_body(response)
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return Page(
            str(url),
            response.status_code,
            response.reason_phrase,
            content_type,
            response.charset_encoding,
            body,
            cut,
            hops,
        )

    async def _read_body(self, response: "httpx.Response") -> tuple[bytes, bool]:
        """Read and decompress the body; httpx would decompress a whole chunk, whatever its size."""
        unpack = _create_decompressor(response.headers.get("content-encoding", ""))
        limit = self._rules.max_body_bytes
        body = bytearray()
        async for chunk in response.aiter_raw(_STEP_BYTES):
            body += unpack.decompress(chunk, limit + 1 - len(body)) if unpack else chunk
            if len(body) > limit:
                return bytes(body[:limit]), True
        return bytes(body), False


def _host_header(url: "httpx.URL") -> str:
    return url.netloc.decode("ascii")


def _is_address(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def _create_decompressor(encoding: str) -> "zlib._Decompress | None":
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name in ("gzip", "x-gzip", "deflate"):
        return zlib.decompressobj(zlib.MAX_WBITS | 32)  # 32: detect gzip or zlib by the first bytes
    raise ToolError(f"the page is packed as {name[:40]!r}, which nobody asked for", code="fetch_failed")
