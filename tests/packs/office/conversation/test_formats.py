"""Documents in the form of GB/T 9704-2012 or of a sample: what is written is read back from the file."""

from pathlib import Path
from typing import Any

import pytest
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from metier.packs.office.conversation._patterns import find_pattern
from metier.packs.office.writer import read_looks
from tests.packs.office.conversation.test_patterns import _save
from tests.packs.office.conversation.test_tools import Desk

NOTICE = (
    "关于开展安全检查的通知",
    "各县区局：",
    "为落实责任，现就有关事项通知如下。",
    "一、总体要求",
    "（一）提高认识",
    "1.明确分工",
    "（1）压实责任",
    "各单位要逐级落实，不得推诿。",
    "青山市数据局",
    "2026年3月2日",
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def make_notice(*lines: str) -> bytes:
    made = Document()
    for line in lines or NOTICE:
        made.add_paragraph(line)
    return _save(made)


async def write(desk: Desk, document: str, **asked: Any) -> tuple[Path, dict[str, Any]]:
    kept = await desk.data("propose_changes", document=document, **asked)
    done = await desk.data("write_document", document=document, plan=kept["plan"])
    return desk.workspace / done["file"], dict(kept)


def look_at(file: Path) -> dict[str, dict[str, Any]]:
    """The look of each paragraph by its text."""
    looks = read_looks(file)
    texts = [one.text for one in Document(str(file)).paragraphs]
    return {text: dict(looks[f"p{at}"]) for at, text in enumerate(texts, 1) if text}


async def test_an_official_document_gets_the_look_of_each_of_its_parts(desk: Desk) -> None:
    file, _ = await write(desk, desk.attach("通知.docx", make_notice()), task="policy-format")
    looks = look_at(file)
    fonts = {text: (one["font"], one["size"], one["alignment"]) for text, one in looks.items()}
    assert fonts["关于开展安全检查的通知"] == ("方正小标宋简体", 22.0, "center")
    assert fonts["各县区局："] == ("仿宋_GB2312", 16.0, "left")
    assert fonts["一、总体要求"] == ("黑体", 16.0, "justify")
    assert fonts["（一）提高认识"] == ("楷体_GB2312", 16.0, "justify")
    assert {fonts[one] for one in NOTICE[5:8]} == {("仿宋_GB2312", 16.0, "justify")}
    assert {fonts[one] for one in NOTICE[8:]} == {("仿宋_GB2312", 16.0, "right")}
    assert {one["line_points"] for one in looks.values()} == {28.95}
    assert [looks[one]["first_line_chars"] for one in NOTICE] == [0, 0, 2, 2, 2, 2, 2, 2, 0, 0]
    assert [looks[one]["right_chars"] for one in NOTICE[8:]] == [2, 4]


async def test_headings_by_style_lose_their_colour(desk: Desk) -> None:
    made = Document()
    made.add_heading("关于检查的通知", 0)
    made.add_heading("一、要求", 1)
    made.add_paragraph("各单位落实。")
    file, _ = await write(desk, desk.attach("通知.docx", _save(made)), task="policy-format")
    assert {one["color"] for one in look_at(file).values()} == {"000000"}
    colors = {one.get(qn("w:val")) for one in Document(str(file)).paragraphs[1]._p.iter(qn("w:color"))}
    assert colors == {"000000"}


@pytest.mark.parametrize(
    ("line", "label", "expected"),
    [
        ("一.总体要求", "一.", "一、"),
        ("1、明确分工", "1、", "1."),
        ("⑴压实责任", "⑴", "（1）"),
        ("(一)提高认识", "(一)", "（一）"),
        ("(1)压实责任", "(1)", "（1）"),
    ],
)
async def test_a_number_that_the_norm_writes_otherwise_is_a_finding(
    desk: Desk, line: str, label: str, expected: str
) -> None:
    document = desk.attach("通知.docx", make_notice("关于检查的通知", "各单位：", "一、总体要求", line, "请落实。"))
    kept = await desk.data("propose_changes", document=document, task="policy-format")
    found = [(one["quote"], one["replacement"]) for one in kept["findings"] if one["rule"] == "label_form"]
    assert found == [(label, expected)]


async def test_an_official_document_that_is_right_needs_no_second_change(desk: Desk) -> None:
    document = desk.attach("通知.docx", make_notice())
    await write(desk, document, task="policy-format")
    again = await desk.data("propose_changes", document=document, task="policy-format")
    assert again["plan"] == ""
