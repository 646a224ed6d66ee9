"""Plain talk beside a document is no order about it."""

from pathlib import Path
from typing import Any

import pytest
from docx import Document

from metier.packs.office.conversation import _reading, speaks_of_document


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = Document()
    made.add_heading("Notes", 1)
    made.add_paragraph("The project team meets in Berlin on Friday and checks the quality of 20 boxes.")
    made.add_paragraph("今天的项目会议讨论了预算，市场部负责推广。")
    made.save(str(tmp_path / "notes.docx"))
    folder = tmp_path / "attachments"
    folder.mkdir()
    (tmp_path / "notes.docx").rename(folder / "001-notes.docx")
    return tmp_path


@pytest.mark.parametrize(
    "message",
    [
        "I moved to Berlin with my project team",
        "今天项目会议取消了",
        "the team checks quality",
        "My project team meets tomorrow, write me a poem",
    ],
)
def test_talk_that_shares_words_with_a_document_is_not_about_it(message: str, workspace: Path) -> None:
    assert not speaks_of_document(message, workspace)


def test_a_value_for_what_stands_there_is_about_it(workspace: Path) -> None:
    assert speaks_of_document("the project team checks 30 boxes", workspace)


def test_a_greeting_reads_no_document_and_a_known_one_is_not_read_again(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    known = _reading._read_path

    def read_path(*given: Any) -> Any:
        read.append("file")
        return known(*given)

    monkeypatch.setattr(_reading, "_read_path", read_path)
    assert not speaks_of_document("你好", workspace)
    assert read == []
    for _ in range(2):
        speaks_of_document("the project team checks 30 boxes", workspace)
    assert len(read) == 1
