"""One browser and two servers per process, an emptied page per test, and a look at what went wrong after each."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal
from zlib import crc32

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from metier.language import Language
from scripts.find_browser import find_browser
from tests.browser.house import House, Talker, running
from tests.browser.pages import Pages
from tests.browser.visit import SHOTS, Visit
from tests.packs.conftest import _shipped_scenarios_once
from tests.packs.telecom.support import storage_with_small

__all__ = ["_shipped_scenarios_once"]

_HERE = Path(__file__).parent
_NAMED = os.environ.get("METIER_BROWSER")  # read now: tests see no METIER_ variable
# Each window of a headless Chromium renders its address bar as pages of their own, and each tab keeps a second renderer
# ready: half of the processor time of these tests. A browser obeys the last such list, so Playwright's own is repeated.
_FEATURES_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    "PreconnectToSearch",
)
_ARGUMENTS = (
    f"--disable-features={','.join(_FEATURES_OFF)}",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
)
LANGUAGES: Final[tuple[Language, ...]] = ("zh", "en")
PATIENCE_MS = 60_000  # for a busy machine; a page that works needs a few thousandths of it
Visiting = Callable[..., Awaitable[Visit]]
expect.set_options(timeout=PATIENCE_MS)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "both_languages: the test runs in Chinese and in English")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser belongs to the loop in which it was started: all tests here share one."""
    for item in items:
        if item.path.parent == _HERE:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def browser_path() -> str:
    path = _NAMED or find_browser()
    if path is None:
        pytest.skip("no Chrome or Chromium: `python scripts/find_browser.py` gets one, METIER_BROWSER names one")
    return path


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(browser_path: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=browser_path, args=list(_ARGUMENTS), headless=True)
        yield opened
        await opened.close()


def _as_long(fixture_name: str, config: pytest.Config) -> Literal["function", "session"]:
    """A server lasts as long as the process, but in a picture nothing of another test is to be seen."""
    return "function" if SHOTS else "session"


@pytest.fixture(scope=_as_long)
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server without a model: skills run by their steps."""
    folder = tmp_path_factory.mktemp("desk")
    storage_with_small(folder / "storage" / "packs" / "telecom")
    with _no_settings(), running(folder, telecom=True) as house:
        yield house


@pytest.fixture(scope=_as_long)
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose model says what the test tells it to."""
    with _no_settings(), running(tmp_path_factory.mktemp("talk"), Talker()) as house:
        yield house


@pytest.fixture
def model(talk: House) -> Iterator[Talker]:
    """The model of `talk`, which no turn of another test still asks."""
    assert talk.model is not None
    talk.settle()
    yield talk.model
    talk.settle()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test its `language`: one of the two, or both where the texts matter, for pictures and with `--each-case`.

    Which one follows from the test's name, so that half of the page is read in each language.
    """
    if "language" not in metafunc.fixturenames or "language" in _given_names(metafunc):
        return
    both = SHOTS or metafunc.config.getoption("each_case") or "both_languages" in _mark_names(metafunc)
    one = LANGUAGES[crc32(metafunc.function.__name__.encode()) % len(LANGUAGES)]
    metafunc.parametrize("language", LANGUAGES if both else (one,))


def _mark_names(metafunc: pytest.Metafunc) -> set[str]:
    return {mark.name for mark in metafunc.definition.iter_markers()}


def _given_names(metafunc: pytest.Metafunc) -> set[str]:
    """Names that tables of the test give values to."""
    tables = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    return {name.strip() for names in tables for name in (names.split(",") if isinstance(names, str) else names)}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pages(browser: Browser) -> Pages:
    return Pages(browser)


@pytest_asyncio.fixture(loop_scope="session")
async def visiting(pages: Pages) -> AsyncIterator[Visiting]:
    """Open a page at a server; what went wrong on any of them fails the test."""
    visits: list[tuple[Visit, dict[str, Any]]] = []

    async def visit(house: House, language: Language = "en", path: str | None = "/", **more: Any) -> Visit:
        made = Visit(await pages.take(language, more), house.address, language)
        made.page.set_default_timeout(PATIENCE_MS)
        made.watch()
        visits.append((made, more))
        if path is not None:
            await made.open(path)
        return made

    yield visit
    for one, more in visits:
        one.leave()
        await pages.give_back(one.page, one.language, more)
    assert [problem for one, _ in visits for problem in one.left()] == []


@contextmanager
def _no_settings() -> Iterator[None]:
    """The servers are made before a test's own clean place: what is set on this machine is none of their business."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("METIER_")]:
            patch.delenv(name)
        yield
