from collections import Counter
from pathlib import Path

import pytest

from benchmarks.routing._own import OwnMessage, _build_row, measure_own, read_own_messages
from metier.errors import PathNotFound
from metier.routing import Candidate, Decision

SKILLS = Path(__file__).resolve().parents[3] / "src/metier/bench/models/skills"


def test_the_halves_are_as_large_as_each_other() -> None:
    assert Counter(message.half for message in read_own_messages()) == {"dev": 196, "test": 196}


def test_only_the_half_that_was_asked_for_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    rows = list(measure_own(SKILLS, "dev"))
    assert {row.half for row in rows} == {"dev"}
    assert {row.kind: row.messages for row in rows} == Counter(
        message.kind for message in read_own_messages() if message.half == "dev"
    )
    assert all(row.first <= row.among <= row.messages and row.right <= row.messages for row in rows)


def test_right_is_what_was_asked_for_and_nothing_else() -> None:
    both = OwnMessage("做PPT，再写周报", "multi", ("pptx", "weekly"), None, "dev")
    ranking = (Candidate("weekly", 0.7), Candidate("pptx", 0.6))
    decided = [
        (both, Decision("auto", "search", "", skill="weekly", skills=("weekly", "pptx"), candidates=ranking)),
        (both, Decision("auto", "search", "", skill="pptx", skills=("pptx",), candidates=ranking)),
        (both, Decision("none", "search", "", candidates=ranking)),
    ]
    row = _build_row("dev", "multi", decided)
    assert (row.messages, row.right, row.first, row.among) == (3, 1, 1, 3)
    assert row.to_json()["right_percent"] == 33.3


def test_where_no_skill_is_meant_only_none_is_right() -> None:
    asked = OwnMessage("今天真热", "none", (), None, "dev")
    offered = Decision("suggest", "search", "", skill="pdf", skills=("pdf",), candidates=(Candidate("pdf", 0.6),))
    row = _build_row("dev", "none", [(asked, Decision("none", "search", "")), (asked, offered)])
    assert (row.messages, row.right, row.first, row.among) == (2, 1, 0, 0)


@pytest.mark.parametrize("make", [False, True], ids=["no folder", "no skills in it"])
def test_a_folder_without_the_skills_is_an_error_of_ours(make: bool, tmp_path: Path) -> None:
    folder = tmp_path / "skills"
    if make:
        folder.mkdir()
    with pytest.raises(PathNotFound) as caught:
        list(measure_own(folder, "dev"))
    assert "tests/routing" in caught.value.hint
