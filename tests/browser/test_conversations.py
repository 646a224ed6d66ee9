"""The list at the side: found, renamed, saved, deleted."""

import json
import re
from pathlib import Path

from playwright.async_api import FilePayload, expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.visit import Visit
from tests.browser.words import sentence


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
    row = visit.page.get_by_role("group", name=visit.says("conversations")).get_by_role("link", name=title)
    await expect(row).to_have_attribute("aria-current", "page")
    await expect(visit.page).to_have_title(re.compile(re.escape(f"{title} · Metier")))  # others may wait for answers
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


async def test_a_conversation_is_pinned_shared_and_revoked(desk: House, visiting: Visiting, language: Language) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.gallery)
    await visit.done()
    await _menu(visit, "pin")
    group = visit.page.get_by_role("list", name=visit.says("pinned"), exact=True)
    await expect(group.get_by_role("listitem")).to_have_count(1)
    await _menu(visit, "unpin")
    await expect(group).to_have_count(0)
    await _menu(visit, "share")
    await visit.page.get_by_role("button", name=sentence("share", "makeLink", language)).click()
    link = await visit.page.get_by_label(sentence("share", "link", language), exact=True).input_value()
    assert await visit.scan() == []
    reader = await visiting(desk, language, link.removeprefix(desk.address))
    await expect(reader.page.locator(".chart-card")).to_have_count(6)
    await expect(reader.composer).to_have_count(0)
    for gone in ("#side", "a[href^='/console']", ".suggestion", ".icon-button[aria-pressed]"):
        await expect(reader.page.locator(gone)).to_have_count(0)
    assert await reader.scan() == []
    await visit.page.get_by_role("button", name=sentence("share", "revoke", language)).click()
    await expect(visit.text(sentence("share", "revoked", language))).to_be_visible()
    reader.forgive("404")
    await reader.page.reload()
    await expect(reader.page.get_by_role("heading", name=sentence("share", "sharedGone", language))).to_be_visible()


async def test_a_message_is_edited_in_a_branch_a_paste_is_folded_and_an_answer_is_rated(
    desk: House, visiting: Visiting
) -> None:
    visit = await visiting(desk, "en")
    await visit.say(visit.trade.gallery)
    await visit.done()
    await visit.say("\n".join(f"{number} a line of a log" for number in range(40)))
    await expect(visit.page.get_by_role("button", name="Show all (")).to_be_visible()
    await visit.done()
    first, second = visit.page.locator(".turn").first, visit.page.locator(".turn").last
    await first.get_by_role("button", name=visit.says("bad")).click()
    dialog = visit.page.get_by_role("dialog")
    await dialog.get_by_label(sentence("share", "reason_wrong_skill", "en")).check()
    assert await visit.scan() == []
    await dialog.get_by_role("button", name=sentence("share", "sendReason", "en"), exact=True).click()
    await expect(dialog).to_have_count(0)
    await visit.page.reload()
    await expect(first.get_by_role("button", name=visit.says("bad"))).to_have_attribute("aria-pressed", "true")
    before = visit.conversation
    await second.hover()
    await second.get_by_role("button", name=visit.says("editBranch")).click()
    await expect(visit.page.get_by_role("link", name=visit.says("branchOf"))).to_be_visible()
    await expect(visit.page.locator(".turn")).to_have_count(1)
    await expect(visit.page.locator(".chart-card")).to_have_count(6)
    assert visit.conversation != before
    assert (await visit.composer.input_value()).startswith("0 a line of a log")
    await visit.open("/console/feedback?verdict=down")
    async with visit.page.expect_download() as waiting:
        await visit.page.get_by_role("button", name=sentence("figures", "makeCase", "en")).first.click()
    assert (await waiting.value).suggested_filename == "gallery-en.json"


async def test_files_come_by_button_and_by_drop_another_tab_sees_them_and_a_wrong_one_says_why(
    desk: House, visiting: Visiting
) -> None:
    visit = await visiting(desk, "en")
    async with visit.page.expect_file_chooser() as choosing:
        await visit.page.get_by_role("button", name=visit.says("attach"), exact=True).click()
    first = FilePayload(name="notes.txt", mimeType="text/plain", buffer=b"hello")
    await (await choosing.value).set_files([first])
    chips = visit.page.get_by_role("list", name=visit.says("attachments")).get_by_role("listitem")
    await expect(chips).to_have_text(["notes.txt"])
    await expect(chips.first).to_have_attribute("title", visit.says("fileText", chars="5"))
    other = await visiting(desk, "en", f"/chat/{visit.conversation}")
    seen = other.page.get_by_role("list", name=visit.says("attachments")).get_by_role("listitem")
    await expect(seen).to_have_text(["notes.txt"])
    visit.forgive("400")
    dropped = await visit.page.evaluate_handle("""() => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array([80, 75, 3, 4, 0, 1])], "broken.xlsx"));
        data.items.add(new File(["a,b\\n1,2\\n"], "table.csv"));
        return data;
    }""")
    await visit.page.locator(".composer").dispatch_event("drop", {"dataTransfer": dropped})
    await expect(chips).to_have_text(["notes.txt", "table.csv"])
    await expect(seen).to_have_text(["notes.txt", "table.csv"])
    await expect(visit.page.get_by_text(sentence("errors", "file_damaged", "en"))).to_be_visible()
    assert await visit.scan() == []
    await chips.first.get_by_role("button").click()
    await expect(seen).to_have_text(["table.csv"])


async def test_a_question_marks_its_conversation_and_the_title(desk: House, visiting: Visiting) -> None:
    visit = await visiting(desk, "en")
    await visit.say(visit.trade.check)
    await expect(visit.page.locator("section.pause form")).to_be_visible()
    await expect(visit.page.locator(".conversation-list li.current .waits")).to_be_visible()
    title = await visit.page.title()
    assert title.startswith("(")
