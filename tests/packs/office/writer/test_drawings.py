"""Text boxes of newer programs have a copy for others: both say the same after a change."""

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office.plan import load_plan

_NAMES = (
    nsdecls("w", "wp", "a")
    + ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    + ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)


def _box(text: str, copied: str) -> str:
    inner = "<w:txbxContent><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent>"
    return (
        f"<w:p {_NAMES}><w:r><mc:AlternateContent>"
        '<mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData uri="x">'
        f"<wps:wsp><wps:txbx>{inner.format(text)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor>"
        f"</w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{inner.format(copied)}</v:textbox>"
        "</v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )


@pytest.mark.parametrize("mode", ["direct", "tracked"])
def test_both_copies_of_a_text_box_are_changed_and_others_stay(tmp_path: Path, mode: str) -> None:
    document = Document()
    for text, copied in (
        ("报名截止3月1日", "报名截止3月1日"),
        ("地点：礼堂", "地点：礼堂"),
        ("截止3月1日", "别的文字"),
    ):
        document.element.body.insert(0, parse_xml(_box(text, copied)))
    source, target = tmp_path / "a.docx", tmp_path / "b.docx"
    document.save(str(source))
    action = {"id": "a", "title": "t", "op": "replace_text", "find_text": "3月1日", "replace_text": "4月9日"}
    plan = load_plan(
        {"schema_version": "ah32.plan.v1", "host_app": "wps", "meta": {}, "actions": [{**action, "max_matches": 9}]},
        host="wps",
    ).plan
    assert plan is not None
    request = WriteRequest("tracked" if mode == "tracked" else "direct")
    done = host_for("wps").execute(plan, source, target, request=request)
    assert len(done.changes) == 2, "a copy is no further change"
    xml = ZipFile(target).read("word/document.xml").decode()
    copies = re.findall(r"<mc:Fallback>.*?</mc:Fallback>", xml, re.DOTALL)
    shown = ["".join(re.findall(r"<w:t(?: [^>]*)?>([^<]*)</w:t>", one)) for one in copies]
    assert shown == ["别的文字", "地点：礼堂", "报名截止4月9日"]
