"""What people read of a skill: its description without the words for a model that chooses."""

import pytest

from metier.pack import find_installed_packs
from metier.skills import SkillLibrary
from metier.skills.model._summary import summarize_description


@pytest.mark.parametrize(
    ("description", "shown"),
    [
        ("Use to research a topic: passages with sources.", "Research a topic: passages with sources."),
        ("Use this skill when the user wants to merge PDF files.", "Merge PDF files."),
        ("Use when users ask for a weekly report. Do not use for diaries.", "A weekly report."),
        ("Computes a chart with sources. Use when the user says chart.", "Computes a chart with sources."),
        ("用于分析周报数据。不用于日记。", "分析周报数据。"),
        ("当用户需要合并 PDF 时使用本技能。", "合并 PDF。"),
        ("Useful tables of a network.", "Useful tables of a network."),
        ("", ""),
    ],
)
def test_people_read_what_they_get_and_not_when_to_choose_it(description: str, shown: str) -> None:
    assert summarize_description(description) == shown


def test_no_skill_of_a_pack_speaks_to_a_model_in_the_picker() -> None:
    homes = [pack.skills for pack in find_installed_packs().found if pack.skills is not None]
    for skill in SkillLibrary.from_folders(trusted=homes).catalog():
        english, chinese = skill.summary_in("en"), skill.summary_in("zh")
        assert not english.lower().startswith(("use ", "do not use")), skill.id
        assert "不用于" not in chinese, skill.id
        assert "" not in (english, chinese), skill.id
