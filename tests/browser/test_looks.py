"""On a phone, in the dark, with a screen reader: the same page, and nothing that axe calls serious."""

import re

import pytest
from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.visit import DARK, HAS_AXE, LIGHT, PAGES, Visit
from tests.browser.words import sentence

PHONE = {"width": 390, "height": 844}


_EMPTY_PAGES = frozenset({"context", "playground"})  # looked at by axe with something in them


def _tell_of_axe() -> None:
    if not HAS_AXE:
        pytest.skip("axe is not installed: `make web` does it")


async def _no_overflow(visit: Visit) -> None:
    wide: int = await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} pixels too wide"


@pytest.mark.both_languages
async def test_on_a_phone_the_side_is_a_drawer_and_nothing_is_too_wide(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language, viewport=PHONE, has_touch=True)
    await _no_overflow(visit)
    await visit.page.locator(".topbar").get_by_role("button").nth(1).tap()  # the model status, which comes second
    dialog = visit.page.get_by_role("dialog")
    await expect(dialog.locator("pre").first).to_be_visible()
    assert await dialog.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    await visit.page.keyboard.press("Escape")
    await visit.say(visit.trade.gallery)
    await visit.done()
    await expect(visit.page.locator(".chart-card")).to_have_count(6)
    await expect(visit.page.locator(".chart-card .loading")).to_have_count(0)
    await _no_overflow(visit)
    assert await visit.list_broken_words() == []
    await visit.page.locator(".chart-card").first.scroll_into_view_if_needed()
    await visit.shot("phone")
    side = visit.page.locator("#side")
    await expect(side).not_to_be_in_viewport()
    await visit.page.get_by_role("button", name=sentence("app", "menu", language)).tap()
    await expect(side).to_be_in_viewport()
    await side.get_by_role("link", name=sentence("app", "console", language)).tap()
    await expect(visit.page.get_by_role("heading", name=visit.console("timeline"))).to_be_visible()
    await expect(side).not_to_be_in_viewport()
    for page in PAGES:
        await visit.walk(f"/console/{page}")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text(visit.console(page))
        await _no_overflow(visit)
        assert await visit.list_broken_words() == [], page


async def test_the_theme_and_the_language_are_chosen_and_remembered(desk: House, visiting: Visiting) -> None:
    visit = await visiting(desk, "en")
    body = visit.page.locator("body")
    await expect(body).to_have_css("background-color", LIGHT)
    await visit.page.get_by_label(sentence("app", "theme", "en")).select_option("dark")
    await expect(body).to_have_css("background-color", DARK)
    await visit.page.get_by_role("button", name="中文").click()
    await expect(visit.page.locator("html")).to_have_attribute("lang", "zh-CN")
    await visit.page.reload()
    await expect(visit.page.get_by_role("heading", name=sentence("chat", "welcome", "zh"))).to_be_visible()
    await expect(body).to_have_css("background-color", DARK)


async def test_axe_finds_nothing_serious_in_the_chat(desk: House, visiting: Visiting) -> None:
    visit = await visiting(desk, "zh")
    await expect(visit.page.locator(".example").first).to_be_visible()
    assert await visit.scan() == []
    await visit.composer.fill("/")
    await expect(visit.page.get_by_role("listbox")).to_be_visible()
    assert await visit.scan("main") == []
    await visit.say(visit.trade.check)
    await expect(visit.page.locator("section.pause form")).to_be_visible()
    await visit.page.locator("section.pause form button.primary").click()
    assert await visit.scan("main") == []
    await visit.walk()
    await visit.say(visit.trade.notice)
    await (
        visit.page.locator("section.pause.approval").get_by_role("button", name=visit.says("edit"), exact=True).click()
    )
    assert await visit.scan("main") == []
    await visit.walk()
    await visit.say(visit.trade.gallery)
    await visit.done()
    await expect(visit.page.locator(".chart-over")).to_have_count(0)
    await visit.page.locator(".skill-bar .badge").click()
    assert await visit.scan() == []
    _tell_of_axe()


async def test_every_page_of_the_console_has_a_twin_in_json_and_axe_finds_nothing_serious(
    desk: House, visiting: Visiting
) -> None:
    visit = await visiting(desk, "en")
    await visit.say(visit.trade.gallery)
    await visit.done()
    turns = await visit.json(f"/api/conversations/{visit.conversation}/turns")
    turn = turns["turns"][0]["id"]
    for place in (*PAGES, f"timeline/{turn}", f"context/{turn}", "skills/check-en", "playground?q=inspection"):
        await visit.walk(f"/console/{place}")
        link = visit.page.get_by_role("link", name=".json")
        await expect(link).to_have_attribute("href", re.compile(rf"^/console/{re.escape(place.split('?')[0])}\.json"))
        await expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
        await expect(visit.text(visit.console("loading"))).to_have_count(0)
        assert await visit.list_open_values() == [], place
        assert await visit.json(str(await link.get_attribute("href"))), place
        assert place in _EMPTY_PAGES or await visit.scan("html" if place == PAGES[0] else "main") == [], place
    _tell_of_axe()
