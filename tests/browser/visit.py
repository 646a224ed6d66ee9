"""A page in the hands of one reader: the words to find things by, the few ways to use it, and what went wrong on it."""

import os
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.async_api import ConsoleMessage, Error, Locator, Page, Request, Response, expect

from metier.language import Language
from tests.browser.shop import TRADES, Trade
from tests.browser.words import sentence

SHOTS = os.environ.get("METIER_SCREENSHOTS") == "1"
_IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
_AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
HAS_AXE = _AXE.exists()
_MOST_BYTES = 250_000
_COLOURS = 128  # of a picture for the documents: half the bytes, and nobody sees it
PAGES = (
    *("timeline", "context", "skills", "playground", "violations"),
    *("feedback", "dashboard", "models", "bench", "telemetry"),
)
LIGHT, DARK = "rgb(251, 251, 250)", "rgb(20, 21, 25)"
_SETTLED = """async () => {
  for (let all = document.getAnimations(); all.length > 0; all = document.getAnimations()) {
    await Promise.all(all.map((one) => one.finished.catch(() => null)));
  }
}"""
# As a link of the page does, which tells its router.
_WALK = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
# Words and numbers of ordinary length that stand on two lines; code and paths may be broken anywhere.
_BROKEN = r"""() => {
  const broken = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const above = node.parentElement;
    if (!above?.checkVisibility() || above.closest("pre, code, .mono, script, style")) continue;
    for (const word of node.data.matchAll(/[A-Za-z]{2,18}|\d[\d.,]{1,14}/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter((one) => one.width > 0).map((one) => Math.round(one.top));
      if (new Set(lines).size > 1) broken.add(word[0]);
    }
  }
  return [...broken];
}"""
# Rules whose findings are minor or moderate are not run: what they find would be left out.
_SCAN = """async ([within, rules]) => {
  const light = axe._audit.rules.filter((one) => one.impact === "minor" || one.impact === "moderate");
  const off = Object.fromEntries(light.map((one) => [one.id, {enabled: false}]));
  const what = {resultTypes: ["violations"], preload: false, ...(rules ? {runOnly: rules} : {rules: off})};
  const found = await axe.run(within, what);
  return found.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}"""


@dataclass
class Visit:
    """One reader at one address, in one language."""

    page: Page
    address: str
    language: Language
    problems: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Write down errors, failed requests and requests to anywhere else."""
        for event, note in self._notes().items():
            self.page.on(event, note)

    def leave(self) -> None:
        """Write down nothing more: the page goes to another reader."""
        for event, note in self._notes().items():
            self.page.remove_listener(event, note)

    @property
    def trade(self) -> Trade:
        return TRADES[self.language]

    def forgive(self, *words: str) -> None:
        """Problems with one of these words are what the test is about."""
        self.forgiven.extend(words)

    def left(self) -> list[str]:
        """The problems that nobody expected."""
        return [one for one in self.problems if not any(word in one for word in self.forgiven)]

    def says(self, key: str, **values: object) -> str:
        return self._say(("chat", "skill-reasons"), key, values)

    def console(self, key: str, **values: object) -> str:
        return self._say(("console", "console-decisions"), key, values)

    def _say(self, rooms: Sequence[str], key: str, values: Mapping[str, object]) -> str:
        """The sentence of the first of these files of words that has it."""
        for room in rooms:
            try:
                return sentence(room, key, self.language, **values)
            except KeyError:
                continue
        raise KeyError(key)

    def picture(self, key: str, **values: object) -> str:
        return sentence("pictures", key, self.language, **values)

    async def open(self, path: str = "/") -> None:
        await self.page.goto(self.address + path)

    async def walk(self, path: str = "/") -> None:
        """Go to a place of the page that is open, without loading the page anew."""
        await self.page.evaluate(_WALK, path)

    @property
    def composer(self) -> Locator:
        return self.page.locator("#composer")

    def button(self, key: str, **values: object) -> Locator:
        return self.page.get_by_role("button", name=self.says(key, **values), exact=True)

    def text(self, text: str) -> Locator:
        return self.page.get_by_text(text, exact=True)

    async def say(self, message: str) -> None:
        """Write a message and send it with the keyboard."""
        await self.composer.fill(message)
        await self.composer.press("Enter")

    async def done(self, patience_ms: float | None = None) -> None:
        """Wait until the last turn is over."""
        foot = self.page.locator(".turn").last.locator(".turn-foot")
        await expect(foot).to_be_visible(timeout=patience_ms)

    @property
    def conversation(self) -> str:
        return self.page.url.rsplit("/", 1)[-1]

    async def json(self, path: str) -> Any:
        """What the server says at this address."""
        answer = await self.page.request.get(self.address + path)
        assert answer.ok, f"{path}: {answer.status} {await answer.text()}"
        return await answer.json()

    async def scan(self, within: str = "html") -> list[str]:
        """Serious and critical findings of axe on what is shown; none without axe. In the dark only colours differ.

        `within` leaves out the frame of a page, where another look has it.
        """
        if not HAS_AXE:
            return []
        if not await self.page.evaluate("() => 'axe' in window"):
            await self.page.evaluate(_AXE.read_text("utf-8"))
        found: list[str] = await self.page.evaluate(_SCAN, [within, None])
        async with self._dark():
            found += await self.page.evaluate(_SCAN, [within, ["color-contrast"]])
        return found

    async def list_broken_words(self) -> list[str]:
        """Words and numbers on the screen that are broken in two."""
        found: list[str] = await self.page.evaluate(_BROKEN)
        return found

    async def list_open_values(self) -> list[str]:
        """Values that a sentence on the screen still waits for, as `{count}`."""
        shown = await self.page.locator("main").inner_text()
        return re.findall(r"\{[a-z_]+\}", shown)

    async def shot(self, name: str, *, dark: bool = False, max_bytes: int = _MOST_BYTES) -> None:
        """Keep a picture for the documents, when the tests were asked for pictures; English ones in the dark too."""
        if not SHOTS:
            return
        await self._photograph(f"{name}-{self.language}", max_bytes)
        if dark and self.language == "en":
            async with self._dark():
                await self._photograph(f"{name}-{self.language}-dark")

    async def _photograph(self, name: str, max_bytes: int = _MOST_BYTES) -> None:
        _IMAGES.mkdir(exist_ok=True)
        made = _IMAGES / f"{name}.png"
        await self.page.mouse.move(0, 0)
        await self.page.screenshot(path=made, animations="disabled", caret="hide", scale="css")
        with Image.open(made) as drawn:
            drawn.convert("RGB").quantize(_COLOURS).save(made, optimize=True)
        assert made.stat().st_size <= max_bytes, f"{made.name} has {made.stat().st_size} bytes"

    @asynccontextmanager
    async def _dark(self) -> AsyncIterator[None]:
        await self._coloured("dark", DARK)
        yield
        await self._coloured("light", LIGHT)

    async def _coloured(self, scheme: Literal["dark", "light"], ground: str) -> None:
        await self.page.emulate_media(color_scheme=scheme)
        await expect(self.page.locator("body")).to_have_css("background-color", ground)
        await self.page.evaluate(_SETTLED)

    def _notes(self) -> dict[Any, Callable[[Any], None]]:
        return {
            "console": self._console,
            "pageerror": self._thrown,
            "requestfailed": self._failed,
            "request": self._asked,
            "response": self._answered,
        }

    def _thrown(self, error: Error) -> None:
        self.problems.append(f"thrown: {error}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page itself lets go of a stream
            self.problems.append(f"failed: {request.url} {request.failure}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.address}/", "data:", "blob:")):
            self.problems.append(f"left the house: {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"answered {response.status}: {response.url}")
