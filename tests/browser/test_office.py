"""The office pack in the page: a document is attached, its changes are shown and ticked, written, looked at, undone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import FilePayload, expect

from metier.language import Language
from metier.pack import Packs, find_installed_packs
from metier.server import create_app
from metier.settings import Settings
from tests.browser.conftest import Visiting
from tests.browser.house import House, Listener
from tests.browser.visit import SHOTS, Visit
from tests.browser.words import sentence

SAMPLES = Path(__file__).resolve().parents[2] / "src" / "metier" / "packs" / "office" / "samples"
NAMES = {"zh": "合同.docx", "en": "contract.docx"}
ASKED = {"zh": "审查这份合同", "en": "Review this contract"}
UNDO = {"zh": "撤销写入", "en": "undo the write"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with the office pack alone."""
    folder = tmp_path_factory.mktemp("office")
    settings = Settings(skills_dir=(), storage_dir=folder, sandbox="off", rate_limit=0, embedder="none")
    listener = Listener(create_app(settings, packs=Packs(find_installed_packs().select(["office"]))))
    try:
        yield House(f"http://127.0.0.1:{listener.port}", folder)
    finally:
        listener.close()


@pytest.mark.parametrize("language", ["zh", "en"] if SHOTS else ["zh"])
async def test_a_contract_is_attached_reviewed_ticked_written_looked_at_and_undone(
    office: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(office, language)
    upload = (SAMPLES / "sample-contract.docx").read_bytes()
    await _attach(visit, NAMES[language], upload)
    await visit.say(ASKED[language])
    card = visit.page.locator("section.pause.approval")
    rows = card.locator(".preview tbody tr")
    await expect(rows.nth(1)).to_be_visible()
    count = await rows.count()
    await card.evaluate("card => card.scrollIntoView({block: 'start'})")
    await visit.shot("office-approval")
    await rows.first.get_by_role("checkbox").uncheck()
    await card.get_by_role("button", name=visit.says("approve"), exact=False).first.click()
    await visit.done(60_000)
    events = (await visit.json(f"/api/conversations/{visit.conversation}/events.json?limit=1000"))["events"]
    written = [
        one["data"] for one in events if one["kind"] == "tool.result" and one["data"]["tool"] == "write_document"
    ]
    assert written[-1]["data"]["written"] == count - 1
    folder = office.folder / "workspaces" / visit.conversation
    assert (folder / "attachments" / f"001-{NAMES[language]}").read_bytes() == upload
    await _look(visit, NAMES[language])
    await visit.say(UNDO[language])
    await visit.page.locator("section.pause.approval").get_by_role("button", name=visit.says("approve")).last.click()
    await visit.done(60_000)
    assert (folder / "documents" / NAMES[language]).read_bytes() == upload


PHONE = {"width": 390, "height": 844}


async def test_on_a_phone_text_stands_above_its_comment_and_no_word_of_a_cell_is_broken(
    office: House, visiting: Visiting
) -> None:
    visit = await visiting(office, "zh", viewport=PHONE, has_touch=True)
    await _attach(visit, NAMES["zh"], (SAMPLES / "sample-contract.docx").read_bytes())
    await visit.say(ASKED["zh"])
    approve = visit.page.locator("section.pause.approval").get_by_role("button", name=visit.says("approve"))
    await expect(approve.first).to_be_visible()
    assert await visit.list_broken_words() == []
    await visit.say("公章没动吧？")
    beside = visit.page.locator(".turn").last
    await expect(beside).to_contain_text("公章")
    await expect(beside).to_contain_text("还在等你的回答")
    await approve.first.click()
    await expect(visit.page.locator(".turn")).to_have_count(3)
    await expect(visit.page.locator(".turn").last).to_contain_text("已在")
    await expect(visit.page.locator(".turn").nth(1)).not_to_contain_text("还在等你的回答")
    assert await visit.list_broken_words() == []
    await visit.page.locator(".file-card").last.get_by_role("button", name=visit.says("look")).click()
    line = visit.page.locator(".document-line:has(.document-comment)").first
    text, comment = (
        await line.locator("> p").bounding_box(),
        await line.locator(".document-comment").first.bounding_box(),
    )
    assert text is not None
    assert comment is not None
    assert (text["width"] > 200, comment["y"] >= text["y"] + text["height"] - 1) == (True, True)


async def test_numbers_of_a_sheet_stand_at_their_end_and_a_text_that_looks_like_one_does_not(
    office: House, visiting: Visiting
) -> None:
    visit = await visiting(office, "zh")
    await _attach(visit, "台账.xlsx", (SAMPLES / "sample-ledger.zh.xlsx").read_bytes())
    await visit.page.get_by_role("button", name=visit.says("lookAt", name="台账.xlsx")).click()
    cells = visit.page.get_by_role("dialog").locator(".document-sheet td")
    await expect(cells.get_by_text("12,000.00", exact=True)).to_have_css("text-align", "end")
    await expect(cells.get_by_text("18600", exact=True)).to_have_css("text-align", "start")


async def _attach(visit: Visit, name: str, content: bytes) -> None:
    async with visit.page.expect_file_chooser() as choosing:
        await visit.page.get_by_role("button", name=visit.says("attach"), exact=True).click()
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    await (await choosing.value).set_files([FilePayload(name=name, mimeType=kind, buffer=content)])


async def _look(visit: Visit, name: str) -> None:
    """The preview shows changes and comments; a click puts the cursor there, `@` offers the document."""
    await visit.page.get_by_role("button", name=visit.says("lookAt", name=name)).click()
    dialog = visit.page.get_by_role("dialog")
    await expect(dialog.locator(".document-comment").first).to_be_visible()
    await expect(dialog.get_by_role("button", name=sentence("documents", "written", visit.language))).to_have_attribute(
        "aria-pressed", "true"
    )
    await visit.shot("office-view")
    await dialog.locator("[data-address=p6]").click()
    await expect(visit.composer).to_have_value(f"@{name}#p6 ")
    await visit.composer.fill("@")
    await visit.page.get_by_role("listbox").get_by_role("option").first.click()
    await expect(visit.composer).to_have_value(f"@{name} ")
    await visit.composer.fill("")
