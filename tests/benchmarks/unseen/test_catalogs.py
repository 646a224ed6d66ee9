"""Catalogs of the left-out comparison."""

import json
from pathlib import Path

import pytest

from benchmarks.unseen import load_catalogs
from metier.errors import PathNotFound


def test_described_catalogs_are_drawn_the_same_way_each_time_and_some_skills_are_taken_out(tmp_path: Path) -> None:
    skills = [{"name": f"skill-{at}", "description": f"Does thing {at}."} for at in range(20)]
    messages = [{"text": f"do thing {at}", "expect": [f"skill-{at}"]} for at in range(20)]
    several = [{"text": "do 1 and 2", "expect": ["skill-1", "skill-2"]}]
    folder = tmp_path / "described"
    folder.mkdir()
    (folder / "few.json").write_text(json.dumps({"skills": skills, "messages": messages + several}), "utf-8")
    (found,) = load_catalogs(tmp_path)
    assert load_catalogs(tmp_path) == (found,)
    assert (len(found.skills), len(found.asked), len(found.removed)) == (17, 17, 3)
    there = {skill.id for skill in found.skills}
    assert all(one.meant <= there for one in (*found.asked, *found.several))


def test_a_folder_without_described_catalogs_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound, match="no described catalogs"):
        load_catalogs(tmp_path)
