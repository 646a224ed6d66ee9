"""Heads of HTTP requests and answers as the proxy reads them: strict, limited, one request for each connection."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

MAX_HEAD_BYTES: Final = 64 * 1024
MAX_UPLOAD_BYTES: Final = 8 << 20
_MAX_HEADERS: Final = 200
_REQUEST_LINE: Final = re.compile(r"([A-Z]{3,20}) ([!-~]{1,8192}) HTTP/1\.[01]")
_STATUS_LINE: Final = re.compile(r"HTTP/1\.[01] ([1-9][0-9]{2})(?: [\t -~\x80-\xff]*)?")
_HEADER: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}):[ \t]*([\t -~\x80-\xff]*)")
_AUTHORITY: Final = re.compile(r"(\[[0-9A-Fa-f:.]{2,60}\]|[0-9A-Za-z._-]{1,253}):([0-9]{1,5})")
# Meant for the next hop only, or for a proxy.
_HOP_HEADERS: Final = frozenset(
    (
        *("connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate"),
        *("te", "trailer", "upgrade", "expect", "host"),
    )
)


class BadRequest(Exception):
    """A head that cannot be read, or asks for what the proxy does not do; `status` is the answer."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


@dataclass(frozen=True, slots=True)
class RequestHead:
    """First line and headers of a request."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]

    def find(self, name: str) -> tuple[str, ...]:
        """Values of all headers of this name."""
        return tuple(value for key, value in self.headers if key.lower() == name)

    @property
    def body_bytes(self) -> int:
        """How many bytes of body follow."""
        if self.find("transfer-encoding"):
            raise BadRequest(411, "the length of the body must be given")
        lengths = set(self.find("content-length"))
        if not lengths:
            return 0
        length = lengths.pop()
        if lengths or not re.fullmatch(r"[0-9]{1,12}", length):
            raise BadRequest(400, "the length of the body cannot be read")
        if int(length) > MAX_UPLOAD_BYTES:
            raise BadRequest(413, "the body is too large")
        return int(length)


def parse_request(head: bytes) -> RequestHead:
    """Read the head of a request; `BadRequest` if a single byte of it is out of order."""
    lines = _split_lines(head)
    found = _REQUEST_LINE.fullmatch(lines[0])
    if found is None:
        raise BadRequest(400, "the request cannot be read")
    return RequestHead(found[1], found[2], tuple(_read_headers(lines[1:])))


def parse_authority(target: str) -> tuple[str, int]:
    """Read `host:port` of a CONNECT request."""
    found = _AUTHORITY.fullmatch(target)
    if found is None or not 0 < int(found[2]) < 65_536:
        raise BadRequest(400, "the address of the tunnel cannot be read")
    return found[1], int(found[2])


def format_request(head: RequestHead, path: str, host: str) -> bytes:
    """Write the request as its server gets it: the path alone, its own name, and no second request after it."""
    kept = _strip_hop_headers(head.headers)
    lines = [f"{head.method} {path} HTTP/1.1", f"Host: {host}", *kept, "Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1")


def parse_status(head: bytes) -> int:
    """Status of an answer."""
    found = _STATUS_LINE.fullmatch(_split_lines(head)[0])
    if found is None:
        raise BadRequest(502, "the answer cannot be read")
    return int(found[1])


def format_answer(head: bytes) -> bytes:
    """Write the head of a server's answer as the browser gets it: the connection is closed after its body."""
    lines = _split_lines(head)
    kept = _strip_hop_headers(tuple(_read_headers(lines[1:])))
    return "\r\n".join([lines[0], *kept, "Connection: close", "", ""]).encode("latin-1")


def format_response(status: int, reason: str, body: bytes, headers: Iterable[tuple[str, str]] = ()) -> bytes:
    """Write an answer of the proxy itself."""
    lines = [
        f"HTTP/1.1 {status} {reason}",
        *(f"{name}: {value}" for name, value in headers),
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
        "",
        "",
    ]
    return "\r\n".join(lines).encode("latin-1") + body


def _split_lines(head: bytes) -> list[str]:
    lines = head.removesuffix(b"\r\n\r\n").decode("latin-1").split("\r\n")
    if len(lines) > _MAX_HEADERS:
        raise BadRequest(431, "there are too many headers")
    return lines


def _read_headers(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise BadRequest(400, "a header cannot be read")
        yield found[1], found[2].strip()


def _strip_hop_headers(headers: tuple[tuple[str, str], ...]) -> list[str]:
    named = {
        name.strip().lower() for key, value in headers if key.lower() == "connection" for name in value.split(",")
    } - {"content-length"}
    return [f"{key}: {value}" for key, value in headers if key.lower() not in _HOP_HEADERS | named]
