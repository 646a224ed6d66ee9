"""Which skill works, why, and how to choose another one."""

from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.words import sentence


async def test_the_menu_finds_a_skill_by_a_few_letters_with_the_keyboard_alone(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await expect(visit.composer).to_be_focused()
    await visit.page.keyboard.type("/图库" if language == "zh" else "/slsglry")
    options = visit.page.get_by_role("listbox", name=visit.says("skills")).get_by_role("option")
    await expect(options.first).to_contain_text(visit.trade.gallery_title)
    await visit.page.keyboard.press("ArrowDown")
    await visit.page.keyboard.press("ArrowUp")
    await expect(options.first).to_have_attribute("aria-selected", "true")
    await visit.page.keyboard.press("Enter")
    await expect(visit.page.locator(".picked")).to_contain_text(visit.trade.gallery_title)
    await visit.page.keyboard.type("Q1")
    await visit.page.keyboard.press("Enter")
    await expect(visit.page.locator(".skill-line")).to_contain_text(visit.trade.gallery_title)
    await visit.page.locator(".skill-line summary").click()
    await expect(visit.page.locator(".skill-line .why")).to_contain_text(visit.says("whyCaller"))


async def test_the_badge_says_why_and_the_skill_can_be_left(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.gallery)
    await visit.done()
    bar = visit.page.get_by_role("region", name=visit.says("activeSkill"))
    await bar.get_by_role("button", name=visit.says("activated", title=visit.trade.gallery_title)).click()
    await expect(bar.locator(".why")).to_contain_text(visit.says("whySure"))
    await expect(bar.locator(".why")).to_contain_text(sentence("routing", "words_alone", language))
    await expect(bar.locator(".why ul li").first).to_be_visible()
    await expect(bar.locator(".candidates .mine")).to_contain_text(visit.trade.gallery_title)
    await expect(bar.get_by_role("group", name=visit.says("allowedTools"))).to_contain_text("sales_gallery")
    await bar.get_by_role("button", name=visit.says("leave"), exact=True).click()
    await expect(bar).to_have_count(0)
    await expect(visit.page.get_by_role("status")).to_contain_text(visit.says("left", title=visit.trade.gallery_title))
    await visit.page.reload()
    await expect(visit.page.locator(".turn")).to_have_count(1)
    await expect(bar).to_have_count(0)
