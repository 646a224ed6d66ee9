"""What a page may do by itself: read over http and https. It sends nothing, opens nothing and asks nobody."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

from metier.tools.browser._proxy import READING_METHODS, BrowserProxy

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Download, Frame, Page, Request, Route

_SCHEMES: Final = ("http", "https")
_MAX_NOTED: Final = 20
_NOT_LOADED: Final = frozenset({"media"})
# Ways out that a page does not need to be read. What a page could still find is held back by the proxy.
INIT_SCRIPT: Final = """
(() => {
const names = ["SharedWorker", "WebTransport", "RTCPeerConnection", "webkitRTCPeerConnection", "WebSocket"];
for (const name of names) {
  try { Object.defineProperty(window, name, { value: undefined }); } catch (error) {}
} })();
"""


@dataclass(slots=True)
class SendPermit:
    """What a person approved: the hosts that may get data, and for a form exactly what is sent.

    `frame` is the one that the form is in, None for the page itself. `mismatch` says what the page wanted to send
    instead; `sent` are the requests that were made.
    """

    hosts: frozenset[str]
    method: str = ""
    address: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    known_names: frozenset[str] = frozenset()
    frame: "Frame | None" = None
    mismatch: str = ""
    sent: list[str] = field(default_factory=list)
    decided: asyncio.Event = field(default_factory=asyncio.Event)

    def allows(self, request: "Request") -> bool:
        """Whether this request is what was approved; `mismatch` is set if it is not."""
        url = urlsplit(request.url)
        if url.netloc not in self.hosts:
            self.mismatch = f"{request.method} {url.netloc}"
        elif request.is_navigation_request() and self.address:
            self.mismatch = self._compare(request)
        self.decided.set()
        if self.mismatch:
            return False
        self.sent.append(f"{request.method} {url.scheme}://{url.netloc}{url.path}")
        return True

    def _compare(self, request: "Request") -> str:
        url = urlsplit(request.url)
        if request.method != self.method:
            return request.method
        if f"{url.scheme}://{url.netloc}{url.path}" != self.address:
            return f"{url.netloc}{url.path}"
        if self.method == "GET":
            sent = parse_qsl(url.query, keep_blank_values=True)
        elif "urlencoded" in request.headers.get("content-type", "urlencoded"):
            sent = parse_qsl(request.post_data or "", keep_blank_values=True)
        else:
            return ""  # multipart and plain text: the host, the path and the method are bound
        found = {(name, value.replace("\r\n", "\n")) for name, value in sent}
        changed = [name for name, value in self.pairs if value and (name, value.replace("\r\n", "\n")) not in found]
        added = [name for name, _ in sent if name not in self.known_names]
        return ", ".join(dict.fromkeys((*changed, *added)))


@dataclass  # no slots: Playwright keeps a mark on the object of each handler
class PageGuard:
    """Watches one page, and keeps what it was refused for the notes of a call."""

    proxy: BrowserProxy
    page: "Page | None" = None
    permit: SendPermit | None = None
    dialogs: list[str] = field(default_factory=list)
    popups: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    downloads: list[str] = field(default_factory=list)
    left_for: str = ""
    navigated: asyncio.Event = field(default_factory=asyncio.Event)
    is_leaving: bool = False
    left: asyncio.Event = field(default_factory=asyncio.Event)
    clicked: "Frame | None" = None
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def install(self, context: "BrowserContext") -> "Page":
        """Open the one page of a browser, under guard before its first request."""
        await context.add_init_script(INIT_SCRIPT)
        await context.route("**/*", self._decide)
        context.on("request", lambda request: self.proxy.name_host(request.url))
        page = await context.new_page()
        self.page = page
        context.on("page", self._close_popup)
        page.on("dialog", self._dismiss)
        page.on("download", self._see_download)
        page.on("requestfailed", self._see_failure)
        page.on("framenavigated", self._see_navigation)
        return page

    def begin(self, permit: SendPermit | None = None) -> None:
        """A call begins: it may send what the permit says, by default nothing."""
        self.permit = permit
        self.proxy.may_send = permit is not None
        self.left_for = ""
        self.navigated.clear()
        self.is_leaving = False
        self.left.clear()
        self.clicked = None
        for noted in (self.dialogs, self.popups, self.held, self.downloads, self.proxy.refusals):
            noted.clear()

    async def _decide(self, route: "Route") -> None:
        from playwright.async_api import Error

        request = route.request
        with suppress(Error):  # the page was closed meanwhile
            if self._may_pass(request):
                self.is_leaving = self.is_leaving or self._is_main(request)
                self.proxy.name_host(request.url)
                await route.continue_()
            else:
                await route.abort("blockedbyclient")

    def _may_pass(self, request: "Request") -> bool:
        if urlsplit(request.url).scheme not in _SCHEMES or request.resource_type in _NOT_LOADED:
            return False
        if self.page is not None and request.is_navigation_request() and not self._is_own(request):
            return False
        sends = request.method not in READING_METHODS
        is_form = (
            self.permit is not None and bool(self.permit.address) and self._is_main(request) and not self.permit.sent
        )
        if self.permit is not None and (sends or is_form):
            return self.permit.allows(request)
        if sends:
            _note(self.held, f"{request.method} {urlsplit(request.url).netloc}")
        return not sends

    def _is_own(self, request: "Request") -> bool:
        """Whether a navigation belongs to our page; those of windows that it opens are not made."""
        from playwright.async_api import Error

        try:
            return request.frame.page == self.page
        except Error:  # a window that has no page yet
            return False

    def _is_main(self, request: "Request") -> bool:
        """Whether a navigation is that of the page, of the frame that was clicked in, or whose form was approved."""
        return request.is_navigation_request() and self._is_watched(request.frame)

    def _is_watched(self, frame: "Frame") -> bool:
        inside = self.permit.frame if self.permit is not None else None
        return self.page is not None and frame in (self.page.main_frame, *filter(None, (inside, self.clicked)))

    def _close_popup(self, page: "Page") -> None:
        _note(self.popups, page.url)
        self._spawn(_ignore_errors(page.close()))

    def _dismiss(self, dialog: "Dialog") -> None:
        if dialog.type == "beforeunload":
            self._spawn(_ignore_errors(dialog.accept()))
            return
        _note(self.dialogs, dialog.message[:200])
        self._spawn(_ignore_errors(dialog.dismiss()))

    def _see_navigation(self, frame: "Frame") -> None:
        """A page that reached another scheme after all is left at once."""
        url = frame.url
        if self._is_watched(frame):
            self.navigated.set()
            self.left.set()
        if self.page is None or frame != self.page.main_frame:
            return
        if urlsplit(url).scheme not in (*_SCHEMES, "about", "chrome-error"):
            self.left_for = url[:100]
            self._spawn(_ignore_errors(self.page.goto("about:blank")))

    def _see_download(self, download: "Download") -> None:
        _note(self.downloads, download.url[:200])
        self.left.set()

    def _see_failure(self, request: "Request") -> None:
        """A page that does not come; one that is aborted may be a file, of which the download tells."""
        if self._is_main(request) and request.failure != "net::ERR_ABORTED":
            self.left.set()

    async def wait_left(self, limit_s: float) -> None:
        """Wait until the page was left, or a file was refused, or neither will happen."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self.left.wait()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _note(noted: list[str], text: str) -> None:
    if len(noted) < _MAX_NOTED:
        noted.append(text)


async def _ignore_errors(work: Coroutine[Any, Any, Any]) -> None:
    from playwright.async_api import Error

    with suppress(Error):
        await work
