"""One browser with one page, for one conversation: open, read, fill, click, take a picture."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from metier.tools.browser._content import Clickable, PageContent, add_frames, flatten, read_content
from metier.tools.browser._forms import FilledField, FormPlan
from metier.tools.browser._guard import PageGuard, SendPermit
from metier.tools.browser._problems import BrowserProblem, problem_from_failure, shorten_url
from metier.tools.browser._proxy import BrowserProxy
from metier.tools.builtin import check_url

if TYPE_CHECKING:
    from playwright.async_api import Browser, ElementHandle, Frame, Page, Request, Response

_log = logging.getLogger(__name__)
_SETTLE_MS: Final = 2_500
_ACTION_MS: Final = 5_000
_RETRY_S: Final = 0.2
_MAX_SHOT_PX: Final = 6_000
_MAX_FRAMES: Final = 10
_FRAMES_S: Final = 3.0
# Smaller frames count visitors and show nothing.
_MIN_FRAME_PX: Final = 40
_LIMITS: Final = (("chars", 3_000_000), ("elements", 40_000))
_CONTROL: Final = """([form, place]) =>
  Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements").get.call(document.forms[form])[place]"""
_RADIO: Final = """([form, name, value]) => Array.from(Object.getOwnPropertyDescriptor(HTMLFormElement.prototype,
  "elements").get.call(document.forms[form]))
  .find((one) => one.type === "radio" && one.name === name && one.value === value)"""
_VISIBLE: Final = """(one) => one.checkVisibility(
  { opacityProperty: true, visibilityProperty: true, checkOpacity: true, checkVisibilityCSS: true })"""
# Later, so that the call has ended before its page is left.
_SUBMIT: Final = (
    "(form) => { setTimeout(() => HTMLFormElement.prototype.requestSubmit.call(document.forms[form]), 0); }"
)
# What Chromium says, and the problem that it is.
_NETWORK_ERRORS: Final = (
    ("Download is starting", "is_download"),
    ("ERR_INVALID_AUTH_CREDENTIALS", "login_wanted"),
    ("ERR_TOO_MANY_REDIRECTS", "too_many_redirects"),
    ("ERR_CERT", "certificate_invalid"),
    ("ERR_SSL", "certificate_invalid"),
    ("ERR_UNSAFE_REDIRECT", "url_refused"),
    ("ERR_UNKNOWN_URL_SCHEME", "url_refused"),
    ("has been closed", "browser_crashed"),
    ("crashed", "browser_crashed"),
)


@dataclass(slots=True)
class PageSession:
    """Browser of one conversation. All calls are made in the loop that opened it, one after the other."""

    browser: "Browser"
    proxy: BrowserProxy
    guard: PageGuard
    page: "Page"
    marker: str
    open_s: float
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    used_at: float = field(default_factory=time.monotonic)
    is_broken: bool = False
    has_sent: bool = False
    over_memory: bool = False

    @property
    def url(self) -> str:
        """Address of the page that is shown; empty if none is."""
        url = self.page.url
        return url if urlsplit(url).scheme in ("http", "https") else ""

    async def open(self, address: str) -> int:
        """Open a page and return the status of its answer."""
        url = str(check_url(address, self.proxy.rules))
        self.guard.begin()
        self.has_sent = False
        self.proxy.received_bytes = 0
        async with self._translate_errors(url):
            with self._note_answers() as answers:
                response = await self._go(url) or next(reversed(answers), None)
            self._check_refused(url, None if response is None else response.request)
            if response is not None and response.status == 401 and await response.header_value("www-authenticate"):
                raise BrowserProblem("login_wanted", url=shorten_url(url))  # a headless shell shows an empty page
            await self._settle()
        return 200 if response is None else response.status

    @contextmanager
    def _note_answers(self) -> Iterator["list[Response]"]:
        """Answers for the page itself meanwhile: a navigation that another one interrupts returns none."""
        answers: list[Response] = []

        def note(response: "Response") -> None:
            if response.request.is_navigation_request() and response.frame == self.page.main_frame:
                answers.append(response)

        self.page.on("response", note)
        try:
            yield answers
        finally:
            self.page.remove_listener("response", note)

    async def _go(self, url: str) -> "Response | None":
        """Navigate. A page that leaves for another one while it loads is followed there.

        The error page of an earlier attempt may arrive late and interrupt the next one.
        """
        from playwright.async_api import Error

        timeout_ms = self.open_s * 1000
        for last in (False, False, True):
            try:
                return await self.page.goto(url, wait_until="domcontentloaded", timeout=timeout_ms)
            except Error as error:
                if "interrupted by another navigation" not in error.message:
                    raise
                if last or 'to "chrome-error:' not in error.message:
                    await self.page.wait_for_load_state("domcontentloaded", timeout=timeout_ms)
                    return None
                await asyncio.sleep(_RETRY_S)
        return None

    async def read(self) -> PageContent:
        """What the page holds now, as a person sees it."""
        self._check_shown()
        async with self._translate_errors(self.url):
            found = await self._evaluate(_read_snapshot_script())
            inside = await self._read_frames()
        self._check_size()
        whole, *frames = await asyncio.to_thread(lambda: [_read_snapshot(one) for one in (found, *inside.values())])
        return add_frames(whole, dict(zip(inside, frames, strict=True)))

    async def _evaluate(self, script: str) -> dict[str, Any]:
        """Take a snapshot, once more if the page was left meanwhile."""
        from playwright.async_api import Error

        try:
            return dict(await self.page.evaluate(script, dict(_LIMITS)))
        except Error as error:
            if "context was destroyed" not in error.message:
                raise
        await self._settle()
        return dict(await self.page.evaluate(script, dict(_LIMITS)))

    async def _read_frames(self) -> dict[int, dict[str, Any]]:
        """Snapshots of the frames by their numbers; one that cannot be read in time or is not seen is left out."""
        from playwright.async_api import Error

        found: dict[int, dict[str, Any]] = {}
        seen = [self.page.main_frame]
        with suppress(TimeoutError):
            async with asyncio.timeout(_FRAMES_S):
                for number, frame in enumerate(self.page.frames[: _MAX_FRAMES + 1]):
                    with suppress(Error):
                        if number and frame.parent_frame in seen and await _is_seen(await frame.frame_element()):
                            seen.append(frame)
                            limits = {**dict(_LIMITS), "inside": True}
                            found[number] = dict(await frame.evaluate(_read_snapshot_script(), limits))
        return found

    def _find_frame(self, number: int, url: str) -> "Frame":
        """The frame of a number, as long as it shows what was read."""
        frames = self.page.frames
        if not number:
            return self.page.main_frame
        if number >= len(frames) or (url and frames[number].url != url):
            raise BrowserProblem("send_changed", what=url[:100])
        return frames[number]

    async def take_picture(self) -> bytes:
        """The page as PNG, as long as it is up to a limit."""
        self._check_shown()
        async with self._translate_errors(self.url):
            height = await self.page.evaluate("() => document.documentElement.scrollHeight")
            size = self.page.viewport_size or {"width": 1280, "height": 800}
            tall = min(max(int(height or 0), size["height"]), _MAX_SHOT_PX)
            clip: Any = {"x": 0, "y": 0, "width": size["width"], "height": tall}
            return await self.page.screenshot(full_page=True, clip=clip, timeout=_ACTION_MS * 2, animations="disabled")

    async def click(self, target: Clickable, permit: SendPermit | None) -> None:
        """Click one element; without a permit nothing can be sent by it."""
        self.guard.begin(permit)
        async with self._translate_errors(self.url):
            frame = self.guard.clicked = self._find_frame(target.frame, "")
            found = await frame.evaluate_handle(_read_snapshot_script(), {**dict(_LIMITS), "find": target.place})
            element = found.as_element()
            if element is None:
                raise BrowserProblem("no_element", which=target.text[:100])
            if target.href and await element.get_attribute("target") not in (None, "", "_self"):
                await self._go(target.href)  # a link to a new window is followed in this one
            else:
                is_file = await element.get_attribute("download") is not None
                # A click on a link waits for the page behind it, which may take as long as any page.
                await element.click(timeout=self.open_s * 1000 if target.href else _ACTION_MS)
                if is_file or self.guard.is_leaving:  # the new page or the file is announced some time after the click
                    await self.guard.wait_left(_ACTION_MS / 1000)
            await self._settle(frame)
        if permit is not None and permit.mismatch:
            raise BrowserProblem("send_changed", what=permit.mismatch)

    async def fill(self, plan: FormPlan) -> SendPermit:
        """Type the approved values into a form, and submit it if the plan says so."""
        form = plan.form
        frame = self._find_frame(form.frame, form.url)
        permit = SendPermit(
            frozenset({plan.recipient, plan.page_host}),
            form.method if plan.submits else "",
            form.action.partition("?")[0].partition("#")[0] if plan.submits else "",
            plan.to_pairs(),
            frozenset(one.name for one in form.fields) | frozenset({""}),
            frame if form.frame else None,
        )
        self.guard.begin(permit)
        async with self._translate_errors(self.url):
            for one in plan.filled:
                await self._type(frame, form.place, one)
            if plan.submits:
                await self._submit(frame, form.place, permit)
        self.has_sent = bool(permit.sent)
        if permit.mismatch:
            raise BrowserProblem("send_changed", what=permit.mismatch)
        if plan.submits and not permit.sent:
            raise BrowserProblem("not_sent")
        return permit

    async def _type(self, frame: "Frame", form: int, filled: FilledField) -> None:
        kind, name, value = filled.field.kind, filled.field.name, filled.value
        radio = kind == "radio"
        found = await frame.evaluate_handle(
            _RADIO if radio else _CONTROL, [form, *((name, value) if radio else (filled.field.place,))]
        )
        control: ElementHandle | None = found.as_element()
        if control is None:
            raise BrowserProblem("send_changed", what=name)
        if kind in ("checkbox", "radio"):
            await control.set_checked(radio or bool(value), timeout=_ACTION_MS)
        elif kind == "select":
            await control.select_option(value=value, timeout=_ACTION_MS)
        else:
            await control.fill(value, timeout=_ACTION_MS)

    async def _submit(self, frame: "Frame", form: int, permit: SendPermit) -> None:
        await frame.evaluate(_SUBMIT, form)
        with suppress(TimeoutError):
            async with asyncio.timeout(_ACTION_MS / 1000):
                await permit.decided.wait()
        if permit.sent:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.open_s):
                    await self.guard.navigated.wait()
            shown = self.page.main_frame if frame.is_detached() else frame
            await shown.wait_for_load_state("domcontentloaded", timeout=self.open_s * 1000)
            self._check_refused(shown.url, None)
            failure = self.proxy.find_refusal([shown.url])
            if failure is not None:
                raise problem_from_failure(failure, shown.url)
        await self._settle(frame)

    async def _settle(self, frame: "Frame | None" = None) -> None:
        """Wait a moment for scripts that fill the page or the frame; one that never rests is read as it is."""
        from playwright.async_api import TimeoutError as PageTimeout

        shown = self.page.main_frame if frame is None or frame.is_detached() else frame
        for state in ("domcontentloaded", "networkidle"):
            try:
                await shown.wait_for_load_state(state, timeout=_SETTLE_MS)
            except PageTimeout:
                return

    def _check_shown(self) -> None:
        """Raise if no page is shown, or an answer of the proxy in its place."""
        if not self.url:
            left = self.guard.left_for
            raise BrowserProblem("url_refused", url=left) if left else BrowserProblem("no_page")
        self._check_refused(self.url, None)

    def _check_refused(self, url: str, request: "Request | None") -> None:
        """Raise if the page that is shown is an answer of the proxy."""
        chain = [self.page.url]
        while request is not None:
            chain.append(request.url)
            request = request.redirected_from
        failure = self.proxy.find_refusal(chain)
        if failure is not None:
            raise problem_from_failure(failure, chain[0] if chain[0].startswith("http") else url)
        self._check_size()

    def _check_size(self) -> None:
        if self.proxy.is_exhausted:
            self.is_broken = True  # the page may keep its browser busy for long
            raise BrowserProblem("page_too_large", megabytes=self.proxy.limits.download_bytes >> 20)

    @asynccontextmanager
    async def _translate_errors(self, url: str) -> AsyncIterator[None]:
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as PageTimeout

        try:
            yield
        except PageTimeout as error:
            self.is_broken = True
            raise self._limit_problem(
                BrowserProblem("page_timeout", url=shorten_url(url), seconds=f"{self.open_s:g}")
            ) from error
        except Error as error:
            raise self._read_error(error.message, url) from error

    def _read_error(self, message: str, url: str) -> BrowserProblem:
        _log.debug("browser: %s", message)
        refused = [one for one in self.proxy.refusals if one.failure.code != "not_requested"]
        if "ERR_TUNNEL" in message or "ERR_PROXY" in message or "ERR_EMPTY" in message:
            own = self.proxy.find_refusal([url]) or (refused[-1].failure if refused else None)
            if own is not None:
                return self._limit_problem(problem_from_failure(own, url))
        code = next((code for words, code in _NETWORK_ERRORS if words in message), "fetch_failed")
        self.is_broken = self.is_broken or code == "browser_crashed"
        return self._limit_problem(BrowserProblem(code, url=shorten_url(url)))

    def _limit_problem(self, problem: BrowserProblem) -> BrowserProblem:
        """The limit that was reached, if one explains the problem."""
        if self.over_memory:
            return BrowserProblem("browser_memory")
        if self.proxy.is_exhausted:
            self.is_broken = True
            return BrowserProblem("page_too_large", megabytes=self.proxy.limits.download_bytes >> 20)
        return problem


async def _is_seen(element: "ElementHandle") -> bool:
    """Whether a person sees a frame: large enough, and not hidden by style."""
    box = await element.bounding_box()
    if box is None or min(box["width"], box["height"]) < _MIN_FRAME_PX:
        return False
    return bool(await element.evaluate(_VISIBLE))


@cache
def _read_snapshot_script() -> str:
    return files("metier.tools.browser").joinpath("snapshot.js").read_text("utf-8")


def _read_snapshot(found: dict[str, Any]) -> PageContent:
    html, url, base, title = (str(found[name]) for name in ("html", "url", "base", "title"))
    return read_content(html, url, base=base, title=title, cut=bool(found["cut"]))


def find_clickable(content: PageContent, which: str) -> Clickable:
    """What a person means by this text: as written, else the first that contains it, or a link's address."""
    wanted = flatten(which).casefold()
    for matches in (
        lambda one: flatten(one.text).casefold() == wanted,
        lambda one: one.href == which,
        lambda one: bool(wanted) and wanted in flatten(one.text).casefold(),
    ):
        found = [one for one in content.clickables if matches(one)]
        if found:
            return found[0]
    raise BrowserProblem("no_element", which=which[:100])
