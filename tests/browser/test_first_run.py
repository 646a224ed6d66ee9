"""Somebody opens the page for the first time, and somebody comes back to it."""

from playwright.async_api import expect

from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.words import Language


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
    await cards.get_by_role("button", name=visit.trade.gallery).click()
    await expect(visit.composer).to_have_value(visit.trade.gallery)
    await expect(visit.composer).to_be_focused()
    await visit.composer.press("Enter")
    await expect(visit.page.locator(".chart-card")).to_have_count(6)
    await visit.done()
