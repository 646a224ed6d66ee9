"""An attached file is named by its stem where the router reads; what is done later names it in full."""

from pathlib import Path

import pytest
from docx import Document

from metier import Runtime, Settings, TurnRequest
from metier.agent.choice._attached_names import drop_endings
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.routing import Decision
from metier.routing._decision import SkillRequest
from metier.workspaces import WorkspaceQuota, workspace_folder


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ("审查采购合同.docx", "审查采购合同"),
        ("审查 @采购合同.DOCX，再看q3.xlsx", "审查 @采购合同，再看q3"),
        ("审查补充采购合同.docx.bak", "审查补充采购合同.docx.bak"),
        ("对比采购合同.docx和采购合同.pdf", "对比采购合同.docx和采购合同.pdf"),
        ("审查采购合同.docx，再写采购合同", "审查采购合同.docx，再写采购合同"),
        ("sort faq3.xlsx", "sort faq3.xlsx"),
        ("make a docx of it", "make a docx of it"),
        ("write report.pdf", "write report.pdf"),
    ],
)
def test_only_attached_files_lose_their_ending(message: str, read: str) -> None:
    assert drop_endings(message, ["采购合同.docx", "q3.xlsx", "README"]).message == read


def test_the_parts_of_a_message_name_their_files_in_full() -> None:
    named = drop_endings("审查采购合同.docx，然后make a chart of a1.csv", ["采购合同.docx", "a1.csv"])
    parts = (SkillRequest("a", "审查采购合同"), SkillRequest("b", "make a chart of a1"))
    found = named.put_back(Decision("suggest", "search", named.message, requests=parts))
    assert [one.text for one in found.requests] == ["审查采购合同.docx", "make a chart of a1.csv"]
    assert "采购合同.docx" in str(found.why[0])


async def test_the_ending_of_an_attached_contract_orders_no_new_document(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("第一条 定金为合同总价的30%。")
    document.save(str(tmp_path / "c.docx"))
    settings = Settings(storage_dir=tmp_path, skills_dir=(), packs=("office", "workspace"))
    async with Runtime.open(settings, packs=select_packs(settings).found) as runtime:
        place = await runtime.store.conversations.create("local")
        folder = workspace_folder(tmp_path, place.id)
        content = (tmp_path / "c.docx").read_bytes()
        add_attachment(folder, "采购合同.docx", content, max_bytes=10**6, quota=WorkspaceQuota())
        asked = TurnRequest(message="审查采购合同.docx", conversation=place.id)
        events = [event async for event in runtime.turn(asked)]
    assert [event.data["skill"] for event in events if event.kind == "skill.activated"] == ["contract-review"]
