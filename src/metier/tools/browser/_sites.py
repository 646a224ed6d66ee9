"""Sites that the proxy answers itself: demonstrations that need no network."""

import asyncio
import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

_TYPES: Final = (
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".svg", "image/svg+xml"),
    (".png", "image/png"),
    (".csv", "text/csv; charset=utf-8"),
)
_SENT_ROWS: Final = "<!-- sent -->"
_MAX_FIELDS: Final = 200


@dataclass(frozen=True, slots=True)
class SiteRequest:
    """Request to a site: method, path with its query, and body."""

    method: str
    target: str
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """Answer of a site."""

    status: int
    reason: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class LocalSite(Protocol):
    """Site that is answered without a network."""

    async def respond(self, request: SiteRequest) -> SiteAnswer: ...


@dataclass(frozen=True, slots=True)
class FolderSite:
    """Site of the files in a folder.

    `a/b` is answered by `a/b.html` or `a/b/index.html`; by `a/b.post.html` if a form was sent there, with a row of its
    table for each field in place of `<!-- sent -->`; `a/b.redirect` holds the address that is answered with a redirect;
    `a/b.hang` is never answered; `a/b.login` asks for a name and a password.
    """

    folder: Path

    async def respond(self, request: SiteRequest) -> SiteAnswer:
        """Answer one request."""
        address = urlsplit(request.target)
        names = [name for name in unquote(address.path).split("/") if name]
        if any(name.startswith(".") or "\\" in name or "\x00" in name for name in names):
            return SiteAnswer(404, "Not Found", b"")
        base = self.folder.joinpath(*names)
        if _beside(base, ".hang").is_file():
            await asyncio.Event().wait()
        if _beside(base, ".login").is_file():
            return SiteAnswer(401, "Unauthorized", b"", (("WWW-Authenticate", 'Basic realm="demo"'),))
        if (moved := _beside(base, ".redirect")).is_file():
            return SiteAnswer(302, "Found", b"", (("Location", moved.read_text("utf-8").strip()),))
        if (form := _beside(base, ".post.html")).is_file() and (request.method == "POST" or address.query):
            sent = request.body.decode("utf-8", "replace") if request.method == "POST" else address.query
            return _answer_form(form, parse_qsl(sent, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
        return _answer_file(base)


def _beside(base: Path, suffix: str) -> Path:
    return base.with_name(base.name + suffix)


def _answer_form(page: Path, fields: Sequence[tuple[str, str]]) -> SiteAnswer:
    rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(value)}</td></tr>" for name, value in fields)
    body = page.read_text("utf-8").replace(_SENT_ROWS, rows).encode()
    return SiteAnswer(200, "OK", body, (("Content-Type", _TYPES[0][1]),))


def _answer_file(base: Path) -> SiteAnswer:
    for file in (base, _beside(base, ".html"), base / "index.html"):
        kind = next((kind for suffix, kind in _TYPES if file.name.endswith(suffix)), "")
        if kind and file.is_file():
            return SiteAnswer(200, "OK", file.read_bytes(), (("Content-Type", kind),))
    return SiteAnswer(404, "Not Found", b"<h1>404</h1>", (("Content-Type", _TYPES[0][1]),))
