"""Lines that are copied, moved and deleted in documents as Word and LibreOffice save them."""

import copy
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from docx import Document
from lxml import etree

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office.plan import load_plan

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
TEXT_BOX = (
    '<w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:pict>'
    '<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent><w:p>'
    "<w:r><w:t>框里的话</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = Document()
    for text in ("总则", "甲方付款，甲方验收。", "乙方交货。", "附则"):
        made.add_paragraph(text)
    table = made.add_table(3, 2)
    for row in table.rows:
        for at, cell in enumerate(row.cells):
            paragraph = cell.paragraphs[0]
            paragraph.add_run(f"值{at}").font.bold = True
            paragraph._p.set(f"{W14}paraId", f"0000000{at}")
            mark = etree.SubElement(paragraph._p.get_or_add_pPr(), f"{W}rPr")
            mark.append(copy.deepcopy(paragraph.runs[0]._r.rPr[0]))
    made.paragraphs[2]._p.append(etree.fromstring(TEXT_BOX))
    made.save(str(tmp_path / "in.docx"))
    return tmp_path / "in.docx"


def _run(path: Path, step: JsonObject) -> tuple[Execution, etree._Element]:
    actions: list[Any] = [{"id": "a", "title": "改", **step}]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wps", "actions": actions}, host="wps").plan
    assert plan is not None
    target, again = path.with_name("out.docx"), path.with_name("again.docx")
    done = host_for("wps").execute(plan, path, target, request=WriteRequest())
    assert host_for("wps").execute(plan, target, again, request=WriteRequest()).unchanged
    assert again.read_bytes() == target.read_bytes()
    return done, etree.fromstring(ZipFile(target).read("word/document.xml"))


@pytest.mark.parametrize("change", ["insert_row", "insert_column"])
def test_a_new_line_of_a_table_has_each_property_once_and_ids_of_nobody_else(path: Path, change: str) -> None:
    _, root = _run(path, {"op": "edit_table", "change": change, "values": ["新", "行"], "table_index": 1})
    for look in root.iter(f"{W}rPr"):
        tags = [one.tag for one in look]
        assert len(set(tags)) == len(tags), tags
    ids = [one.get(f"{W14}paraId") for one in root.iter(f"{W}p") if one.get(f"{W14}paraId")]
    assert ids == ["00000000", "00000001"] * 3


ONCE = {
    "a paragraph by its number": {"op": "delete_paragraphs", "addresses": ["p2"]},
    "a paragraph that moves by its number": {"op": "move_paragraphs", "addresses": ["p2"], "before": "p1"},
    "a row by its number": {"op": "edit_table", "change": "delete_row", "index": 1, "table_index": 1},
    "the first of several matches": {
        "op": "replace_text",
        "find_text": "甲方",
        "replace_text": "买方",
        "occurrence": 1,
    },
    "as many matches as allowed": {
        "op": "replace_text",
        "find_text": "甲方",
        "replace_text": "买方",
        "max_matches": 1,
    },
}


@pytest.mark.parametrize("step", ONCE.values(), ids=ONCE)
def test_what_is_named_by_a_number_is_changed_once_and_again_after_an_edit(path: Path, step: JsonObject) -> None:
    done, _ = _run(path, step)
    assert len(done.changes) == 1
    edited = Document(str(path.with_name("out.docx")))
    edited.add_paragraph("后来写的")
    edited.save(str(path))
    assert _run(path, step)[0].changes


@pytest.mark.parametrize(
    ("step", "left"),
    [
        ({"op": "delete_paragraphs", "addresses": ["p3"], "expected": ["乙方交货。"]}, False),
        ({"op": "move_paragraphs", "addresses": ["p3"], "expected": ["乙方交货。"], "before": "p1"}, True),
    ],
    ids=["deleted", "moved"],
)
def test_a_paragraph_with_a_text_box_is_known_by_its_own_words(path: Path, step: JsonObject, left: bool) -> None:
    done, root = _run(path, step)
    assert ("框里的话" in "".join(root.itertext())) is left
    if not left:
        assert done.changes[0].before == "乙方交货。\n框里的话", "the preview says what goes with it"
