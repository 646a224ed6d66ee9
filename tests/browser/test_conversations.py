"""The list at the side: found, renamed, saved, deleted."""

import json
from pathlib import Path

from playwright.async_api import expect

from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.visit import Visit
from tests.browser.words import Language


async def _menu(visit: Visit, key: str) -> None:
    await visit.page.locator(".conversation-list li.current .icon-button").click()
    await visit.page.locator(".popmenu:popover-open").get_by_role("button", name=visit.says(key)).click()


async def test_a_conversation_is_renamed_found_saved_and_deleted(
    desk: House, visiting: Visiting, language: Language, tmp_path: Path
) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.gallery)
    await visit.done()
    title = "三月的图 🍵" if language == "zh" else "March charts 🍵"
    await _menu(visit, "rename")
    dialog = visit.page.get_by_role("dialog")
    await dialog.get_by_label(visit.says("title")).fill(title)
    await dialog.get_by_role("button", name=visit.says("save"), exact=True).click()
    row = visit.page.get_by_role("list", name=visit.says("conversations")).get_by_role("link", name=title)
    await expect(row).to_have_attribute("aria-current", "page")
    await expect(visit.page).to_have_title(f"{title} · Metier")
    await visit.page.get_by_role("searchbox").fill("🍵")
    await expect(visit.page.locator(".conversation-list li")).to_have_count(1)
    for key, ending in (("export_pdf", "pdf"), ("export_md", "md"), ("export_json", "json")):
        async with visit.page.expect_download() as waiting:
            await _menu(visit, key)
        await (await waiting.value).save_as(tmp_path / f"saved.{ending}")
    assert visit.trade.gallery in (tmp_path / "saved.md").read_text("utf-8")
    assert json.loads((tmp_path / "saved.json").read_text("utf-8"))
    await _menu(visit, "delete")
    await expect(dialog).to_contain_text(visit.says("deleteText", title=title))
    await dialog.get_by_role("button", name=visit.says("delete"), exact=True).click()
    await expect(visit.text(visit.says("nothingFound"))).to_be_visible()
    await expect(visit.page.get_by_role("heading", name=visit.says("welcome"))).to_be_visible()


async def test_a_conversation_that_is_not_there_says_so(desk: House, visiting: Visiting, language: Language) -> None:
    visit = await visiting(desk, language, "/chat/0123456789abcdef0123456789abcdef")
    visit.forgive("404")
    await expect(visit.page.get_by_role("heading", name=visit.says("lost"))).to_be_visible()
    await visit.page.get_by_role("link", name=visit.says("newChat")).last.click()
    await expect(visit.page.get_by_role("heading", name=visit.says("welcome"))).to_be_visible()
