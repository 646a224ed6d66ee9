"""Same-origin policy: known host names, no requests from foreign pages, JSON bodies only, and security headers."""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metier.errors import MetierError, Refused, TooLarge, UsageError
from metier.server.http._errors import build_error_response
from metier.server.http._limits import FILE_PATH
from metier.store import share_wait

_MAX_HEADER_BYTES: Final = 32_768
_LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_CSP: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_SEND_JSON: Final = "send JSON with 'Content-Type: application/json'"


class Guard:
    """ASGI middleware that refuses foreign origins and unknown host names and adds security headers."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = _LOOPBACK_HOSTS | {_strip_port(host) for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope)
        except MetierError as error:
            await build_error_response(error, _status_for(error))(scope, receive, send_with_headers)
            return
        with share_wait():
            await self._app(scope, receive, send_with_headers)

    def _check(self, scope: Scope) -> None:
        headers: dict[str, str] = {}
        size = 0
        for name, value in scope["headers"]:
            size += len(name) + len(value)
            if name == b"host" and "host" in headers:
                raise Refused("the request names two hosts", hint="send one Host header")
            headers[name.decode("latin-1")] = value.decode("latin-1")
        if size > _MAX_HEADER_BYTES:
            raise TooLarge(f"the headers have {size} bytes; the most is {_MAX_HEADER_BYTES}", hint="send fewer")
        host = headers.get("host", "")
        if _strip_port(host) not in self._hosts:
            hint = "use localhost, or name it in METIER_ALLOWED_HOSTS"
            raise Refused(f"the server is not called {host[:100]!r}", hint=hint)
        origin = headers.get("origin")
        if origin is not None and parse_origin_host(origin) != host.casefold():
            raise Refused(f"pages of {origin[:100]!r} may not use this server", hint="open the server's own page")
        if scope["method"] not in _SAFE_METHODS:
            _check_content_type(headers, takes_files=str(scope["path"]).endswith(FILE_PATH))


def _check_content_type(headers: Mapping[str, str], *, takes_files: bool) -> None:
    """Require JSON, or bytes for a file: a foreign page can post forms without a CORS preflight, but not these."""
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
    is_file = takes_files and kind == "application/octet-stream"
    if kind != "application/json" and not is_file and not (empty and not kind):
        hint = "send a file with 'Content-Type: application/octet-stream'" if takes_files else _SEND_JSON
        raise UsageError(f"the body is {kind[:60] or 'of no kind'!r}", hint=hint)
    if empty and not kind and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refused("a page elsewhere sent this", hint="open the server's own page")


def _status_for(error: MetierError) -> int | None:
    if isinstance(error, UsageError):
        return 415
    return 431 if isinstance(error, TooLarge) else None


def parse_origin_host(origin: str) -> str:
    """Parse the host and port of an origin in the form of a Host header; empty if it is not an HTTP origin."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.casefold() if parts.scheme in ("http", "https") else ""


def _strip_port(host: str) -> str:
    """Strip the port from a host, and the brackets from an IPv6 address."""
    text = host.strip().casefold()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    name, colon, port = text.rpartition(":")
    return name if colon and port.isdigit() and ":" not in name else text
