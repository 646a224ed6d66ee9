"""`metier office apply`: what is refused leaves nothing behind, and says why in the reader's language."""

import json
from pathlib import Path

import pytest
from docx import Document

from metier.cli import run
from metier.json_values import JsonObject

PLAN: JsonObject = {
    "schema_version": "ah32.plan.v1",
    "host_app": "wps",
    "meta": {},
    "actions": [{"id": "a", "title": "t", "op": "replace_text", "find_text": "甲方", "replace_text": "买方"}],
}
OLD = bytes.fromhex("D0CF11E0A1B11AE1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METIER_LANGUAGE", "zh")
    made = Document()
    made.add_paragraph("甲方付款。")
    made.save("合同.docx")
    Path("plan.json").write_text(json.dumps(PLAN), "utf-8")
    return tmp_path


def _apply(name: str) -> int:
    return run(["office", "apply", name, "plan.json", "--in-place"])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("坏.docx", b"PK\x03\x04 cut", "已损坏"),
        ("密.docx", OLD + "EncryptedPackage".encode("utf-16-le"), "打开密码"),
        ("文.wps", OLD + b"\x00" * 600, "另存为 docx"),
        ("表.et", OLD + b"\x00" * 600, "另存为 xlsx"),
        ("空.docx", b"", "空文件"),
    ],
)
def test_a_refused_file_has_no_backup_and_its_reason_is_chinese(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, words: str
) -> None:
    (folder / name).write_bytes(content)
    assert _apply(name) != 0
    assert words in capsys.readouterr().err
    assert (folder / name).read_bytes() == content
    assert list(folder.glob("*.bak*")) == []


def test_a_read_only_file_stays_as_it_was_whoever_asks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "合同.docx"
    before = file.read_bytes()
    file.chmod(0o444)
    assert _apply(file.name) != 0
    assert "只读" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert list(folder.glob("*.bak*")) == []
    file.chmod(0o644)
    assert _apply(file.name) == 0
    assert [one.read_bytes() for one in folder.glob("*.bak*")] == [before]
    assert _apply(file.name) == 0
    assert len(list(folder.glob("*.bak*"))) == 1, "a plan that changes nothing needs no backup"
