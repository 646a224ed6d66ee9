"""Pages of a browser that are used again: a new one takes 0.8 s of processor time, an emptied one 0.2 s."""

from contextlib import suppress
from typing import Any
from urllib.parse import urljoin

from playwright.async_api import Browser, Error, Page

from metier.language import Language

_QUIET = "/favicon.svg"
_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Pages:
    """One page for each kind of visitor: a language and what else is said of the browser's context."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: dict[str, Page] = {}

    async def take(self, language: Language, more: dict[str, Any]) -> Page:
        """An empty page that remembers nothing."""
        page = self._idle.pop(_key(language, more), None)
        if page is None or page.is_closed():
            page = await (await self._browser.new_context(**_context(language, more))).new_page()
        return page

    async def give_back(self, page: Page, language: Language, more: dict[str, Any]) -> None:
        """Keep the page for the next test, without what this one stored; close it if that cannot be done."""
        try:
            await page.evaluate(_FORGET)
            await page.emulate_media(color_scheme=more.get("color_scheme", "light"))
            await page.goto(
                urljoin(page.url, _QUIET)
            )  # of the same site: for another, such as about:blank, the browser starts a process
            await page.context.clear_cookies()
        except Error:
            with suppress(Error):
                await page.context.close()
        else:
            self._idle[_key(language, more)] = page


def _key(language: Language, more: dict[str, Any]) -> str:
    return repr((language, sorted(more.items())))


def _context(language: Language, more: dict[str, Any]) -> dict[str, Any]:
    return {
        "locale": "zh-CN" if language == "zh" else "en-US",
        "timezone_id": "Asia/Shanghai",
        "viewport": {"width": 1280, "height": 800},
        "reduced_motion": "reduce",
        "color_scheme": "light",
        **more,
    }
