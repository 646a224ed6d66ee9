"""The browsers that are open: one for each conversation, closed when they are not used."""

import asyncio
import atexit
import os
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from metier.background import make_loop
from metier.tools.browser._find import probe_browser
from metier.tools.browser._guard import PageGuard
from metier.tools.browser._problems import BrowserProblem
from metier.tools.browser._processes import end_processes, list_tree, measure_memory
from metier.tools.browser._proxy import BrowserProxy, ProxyLimits
from metier.tools.browser._session import PageSession
from metier.tools.browser._sites import LocalSite
from metier.tools.builtin import FetchRules, Resolver, resolve_by_system

if TYPE_CHECKING:
    from concurrent.futures import Future

    from playwright.async_api import Playwright

_T = TypeVar("_T")
_WATCH_S: Final = 1.0
_CLOSE_S: Final = 5.0
_MARKER: Final = "--metier-browser="
_ARGUMENTS: Final = (
    "--proxy-bypass-list=<-loopback>",  # this machine's own addresses go through the proxy as well
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # names are resolved by the proxy alone
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-sync",
    "--disable-domain-reliability",
    "--js-flags=--max-old-space-size=512",
    "--renderer-process-limit=4",
)


@dataclass(frozen=True, slots=True)
class BrowserConfig:
    """What a browser may use. `sites` are answered without a network."""

    browser: str = ""
    rules: FetchRules = field(default_factory=FetchRules)
    resolve: Resolver = resolve_by_system
    sites: Mapping[str, LocalSite] = field(default_factory=dict)
    limits: ProxyLimits = field(default_factory=ProxyLimits)
    timeout_s: float = 30.0
    idle_s: float = 40.0
    memory_max_bytes: int = 1_610_612_736
    browsers_max: int = 4


class BrowserPool:
    """Browsers by conversation. They live in a thread with an event loop of its own, whoever calls."""

    def __init__(self, config: BrowserConfig) -> None:
        self.config = config
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._opening: asyncio.Lock | None = None
        self._playwright: Playwright | None = None
        self._sessions: dict[str, PageSession] = {}
        self._watcher: asyncio.Task[None] | None = None

    async def run(self, key: str, action: Callable[[PageSession], Awaitable[_T]]) -> _T:
        """Run an action on the browser of a conversation, which is started if it has none."""
        return await asyncio.wrap_future(self._submit(self._run(key, action)))

    def list_processes(self) -> list[int]:
        """Process ids of all open browsers, with their children."""
        return [one.pid for session in list(self._sessions.values()) for one in list_tree(session.marker)]

    def close(self) -> None:
        """Close all browsers and end the thread; a later call starts anew."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        atexit.unregister(self.close)
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._close_all(), loop).result(_CLOSE_S * 2)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_CLOSE_S)

    def _submit(self, work: Coroutine[Any, Any, _T]) -> "Future[_T]":
        with self._lock:
            if self._loop is None:
                self._loop = make_loop()
                self._opening = asyncio.Lock()
                self._thread = threading.Thread(target=_run_loop, args=(self._loop,), name="browser", daemon=True)
                self._thread.start()
                atexit.register(self.close)
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _run(self, key: str, action: Callable[[PageSession], Awaitable[_T]]) -> _T:
        try:
            async with asyncio.timeout(self.config.timeout_s):
                session = await self._get(key)
            async with asyncio.timeout(self.config.timeout_s), session.lock:  # the start is not the page's time
                session.used_at = time.monotonic()
                return await action(session)
        except TimeoutError as error:
            await self._drop(key)
            raise BrowserProblem("call_timeout", seconds=f"{self.config.timeout_s:g}") from error
        except asyncio.CancelledError:
            await self._drop(key)  # nobody knows in which state the page is
            raise
        finally:
            session_now = self._sessions.get(key)
            if session_now is not None:
                session_now.used_at = time.monotonic()
                if session_now.is_broken:
                    await self._drop(key)

    async def _get(self, key: str) -> PageSession:
        assert self._opening is not None
        async with self._opening:
            session = self._sessions.get(key)
            if session is not None and session.browser.is_connected() and not session.is_broken:
                return session
            await self._drop(key)
            await self._make_room()
            session = self._sessions[key] = await self._open()
            if self._watcher is None:
                self._watcher = asyncio.create_task(self._watch())
            return session

    async def _make_room(self) -> None:
        while len(self._sessions) >= self.config.browsers_max:
            idle = [(one.used_at, key) for key, one in self._sessions.items() if not one.lock.locked()]
            if not idle:
                raise BrowserProblem("browser_busy", count=self.config.browsers_max)
            await self._drop(min(idle)[1])

    async def _open(self) -> PageSession:
        from playwright.async_api import Error, async_playwright

        found = probe_browser(self.config.browser)
        if not found.is_usable:
            raise BrowserProblem("browser_needed", why=found.message)
        config, marker = self.config, f"{_MARKER}{os.getpid()}-{secrets.token_hex(8)}"
        proxy = BrowserProxy(config.rules, config.resolve, config.sites, config.limits)
        port = await proxy.start()
        try:
            if self._playwright is None:
                self._playwright = await async_playwright().start()
            browser = await self._playwright.chromium.launch(
                executable_path=found.path,
                headless=True,
                chromium_sandbox=found.sandboxed,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                args=[f"--proxy-server=http://127.0.0.1:{port}", marker, *_ARGUMENTS],
            )
            context = await browser.new_context(
                accept_downloads=False, service_workers="block", viewport={"width": 1280, "height": 800}, locale="zh-CN"
            )
            guard = PageGuard(proxy)
            page = await guard.install(context)
        except Error as error:
            await proxy.close()
            end_processes(list_tree(marker))
            raise BrowserProblem("browser_needed", why=error.message.partition("\n")[0][:200]) from error
        except asyncio.CancelledError:
            await proxy.close()
            end_processes(list_tree(marker))
            raise
        return PageSession(browser, proxy, guard, page, marker, max(2.0, config.timeout_s * 0.6))

    async def _watch(self) -> None:
        """Close what is not used any more or uses too much memory; ends with the last browser."""
        while self._sessions or not await self._stop_driver():
            await asyncio.sleep(_WATCH_S)
            now = time.monotonic()
            for key, session in list(self._sessions.items()):
                if measure_memory(list_tree(session.marker)) > self.config.memory_max_bytes:
                    session.over_memory = session.is_broken = True
                    end_processes(list_tree(session.marker))
                idle = now - session.used_at > self.config.idle_s and not session.lock.locked()
                if idle or not session.browser.is_connected():
                    await self._drop(key, session)

    async def _drop(self, key: str, session: PageSession | None = None) -> None:
        found = self._sessions.get(key)
        if found is None or (session is not None and found is not session):
            return
        del self._sessions[key]
        await _close_session(found)

    async def _stop_driver(self) -> bool:
        """End Playwright and the watch if no browser is open."""
        assert self._opening is not None
        async with self._opening:
            if self._sessions:
                return False
            playwright, self._playwright, self._watcher = self._playwright, None, None
            if playwright is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_CLOSE_S):
                        await playwright.stop()
            return True

    async def _close_all(self) -> None:
        watcher = self._watcher
        for key in list(self._sessions):
            await self._drop(key)
        await self._stop_driver()
        if watcher is not None:
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)


async def _close_session(session: PageSession) -> None:
    """Close a browser; what is left of its processes after a moment is ended."""
    from playwright.async_api import Error

    processes = list_tree(session.marker)
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(_CLOSE_S):
            await session.browser.close()
    end_processes(processes)
    await session.proxy.close()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
