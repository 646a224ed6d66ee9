"""Files by content: to which tool a file belongs, whatever it is called."""

import io
import zipfile
from pathlib import Path

import pytest

from metier.tools import Registry, function_tool, gate_for, judge_files
from metier.tools.gate import Rules, _files


def pack(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return held.getvalue()


DECK = pack(ppt__presentation_xml=b"<p/>")
KINDS = {
    "deck.pptx": (DECK, "pptx"),
    "deck.txt": (DECK, "pptx"),
    ".hidden": (DECK, "pptx"),
    "inside.zip": (pack(data=DECK), "pptx"),
    "behind.bin": (b"#" * 2_000 + DECK, "pptx"),
    "self-extracting": (b"#!/bin/sh\n" + DECK, "pptx"),
    "letter.bin": (pack(word__document_xml=b""), "docx"),
    "letter.rtf": (b"{\\rtf1 hello}", "docx"),
    "slides.odp": (pack(mimetype=b"application/vnd.oasis.opendocument.presentation"), "pptx"),
    "old.ppt": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "PowerPoint Document".encode("utf-16-le"), "pptx"),
    "paper": (b"\n%PDF-1.7\n", "pdf"),
    "table.xlsx": (pack(xl__workbook_xml=b""), None),  # its tool is allowed
    "data.csv": (b"a,b\n1,2\n", None),
    "broken.zip": (b"PK\x03\x04 broken", None),
    "empty": (b"", None),
}


def pdf() -> str:
    """Write a PDF."""
    return ""


def test_a_file_is_judged_by_its_content_and_by_the_tool_of_its_kind(tmp_path: Path) -> None:
    tools = Registry([function_tool(pdf, name=name) for name in ("pdf", "pptx", "docx", "xlsx")])
    gate = gate_for([], tools=tools, policy=Rules("operator", "policy", allowed=frozenset({"xlsx"})))
    for name, (content, _) in KINDS.items():
        (tmp_path / name).write_bytes(content)
    found = {one.path: one for one in judge_files(gate, tmp_path, (*KINDS, "gone.pdf"), "en")}
    assert {name: one.tool for name, one in found.items()} == {name: tool for name, (_, tool) in KINDS.items() if tool}
    assert found["deck.txt"].verdict.code == "file_not_kept"
    assert "deck.txt was not kept" in found["deck.txt"].verdict.reason
    none_known = gate_for([], tools=Registry([]))
    assert judge_files(none_known, tmp_path, KINDS, "en") == ()


def pack_many(last: dict[str, bytes], count: int = 1_001) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for at in range(count):
            archive.writestr(zipfile.ZipInfo(str(at)), b"")
        for name, content in last.items():
            archive.writestr(name, content)
    return held.getvalue()


def test_an_archive_that_is_too_large_to_look_into_is_refused_where_its_kinds_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_files, "_MAX_ENTRIES", 1_000)
    monkeypatch.setattr(_files, "_MAX_INNER_BYTES", 1_000)
    tools = Registry([function_tool(pdf, name=name) for name in ("pdf", "pptx", "docx", "xlsx")])
    cases = {
        "deck.pptx": (pack_many({"ppt/presentation.xml": b"<p/>"}), "its content is that of 'pptx'"),
        "many.zip": (pack_many({"deck": DECK}), "too large to look into"),
        "late.zip": (pack_many({"deck": DECK}, 600), "its content is that of 'pptx'"),
        "sized.zip": (pack(a=b"PK\x03\x04" + b"0" * 1_000), "too large to look into"),
    }
    for name, (content, _) in cases.items():
        (tmp_path / name).write_bytes(content)
    refusing = gate_for([], tools=tools, policy=Rules("operator", "policy", allowed=frozenset({"xlsx"})))
    told = {one.path: one.verdict.reason for one in judge_files(refusing, tmp_path, cases, "en")}
    assert [name for name, (_, words) in cases.items() if words not in told.get(name, "")] == []
    assert judge_files(gate_for([], tools=tools), tmp_path, cases, "en") == ()
