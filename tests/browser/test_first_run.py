"""Somebody opens the page for the first time, and somebody comes back to it."""

import pytest
from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.words import sentence


@pytest.mark.both_languages
async def test_the_first_page_shows_examples_of_every_pack_and_one_of_them_works(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await expect(visit.page.get_by_role("heading", name=visit.says("welcome"))).to_be_visible()
    cards = visit.page.locator(".welcome-card")
    await expect(cards).to_have_count(2)
    for card in await cards.all():
        await expect(card.locator(".example")).to_have_count(3)
    await visit.shot("welcome", dark=True)
    await expect(visit.page.locator(".welcome-model")).to_contain_text(visit.says("withoutModel"))
    await visit.page.get_by_role("button", name=visit.says("aboutModel")).click()
    dialog = visit.page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading", name=sentence("model", "works", language))).to_be_visible()
    assert await visit.scan() == []
    await visit.page.keyboard.press("Escape")
    await cards.get_by_role("button", name=visit.trade.gallery).click()
    await expect(visit.page.locator(".said")).to_have_text(visit.trade.gallery)
    await expect(visit.composer).to_be_focused()
    await expect(visit.page.locator(".chart-card")).to_have_count(6)
    await visit.done()


async def test_what_the_product_offers_can_be_sent_and_an_unknown_skill_is_told(
    desk: House, visiting: Visiting
) -> None:
    visit = await visiting(desk, "en")
    await visit.composer.fill("/gallery")
    await visit.composer.press("Enter")
    await expect(visit.page.locator(".picked")).to_be_visible()
    send = visit.page.get_by_role("button", name=visit.says("send"), exact=True)
    await expect(send).to_be_enabled()
    await visit.page.locator(".picked .chip-x").click()
    await expect(send).to_be_disabled()
    await visit.composer.fill("/galery-en of spring")
    await visit.composer.press("Enter")
    told = visit.page.locator(".unknown-skill")
    await expect(told).to_contain_text("galery-en")
    await told.get_by_role("button").first.click()
    await send.click()
    await expect(visit.page.locator(".chart-card")).to_have_count(6)
    await visit.done()
