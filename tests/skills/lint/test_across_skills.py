"""Rules that need more than one skill."""

from pathlib import Path

import pytest

from metier.skills.lint import lint
from tests.skills.lint.support import codes, flat_md, found, put

OVERLAPS = {
    "the same trigger": ("triggers: [周报]", "triggers: [周报]", True),
    "case and width": ("triggers: [ＰＰＴ]", "triggers: [ppt]", True),
    "another trigger": ("triggers: [周报]", "triggers: [月报]", False),
    "one is switched off": ("triggers: [周报]", "triggers: [周报]\nenabled: false", False),
    "one group": ("triggers: [周报]\ngroup: reports", "triggers: [周报]\ngroup: reports", False),
    "two groups": ("triggers: [周报]\ngroup: reports", "triggers: [周报]\ngroup: letters", True),
    "no host in common": ("triggers: [周报]\nhosts: word", "triggers: [周报]\nhosts: excel", False),
    "a host in common": ("triggers: [周报]\nhosts: word ppt", "triggers: [周报]\nhosts: PPT", True),
    "one of them is for every host": ("triggers: [周报]\nhosts: word", "triggers: [周报]", True),
}


@pytest.mark.parametrize(("one", "other", "overlap"), OVERLAPS.values(), ids=OVERLAPS)
def test_two_skills_that_a_message_could_start_may_not_share_a_trigger(
    tmp_path: Path, one: str, other: str, overlap: bool
) -> None:
    put(tmp_path, {"a.md": flat_md(one, name="a"), "b.md": flat_md(other, name="b")})
    assert codes(lint(tmp_path)) == ({"trigger_overlap"} if overlap else set())


def test_a_pair_is_told_once_with_all_that_it_shares(tmp_path: Path) -> None:
    fronts = {"a": "triggers: [one, two, three]", "b": "triggers: [two, one]", "c": "triggers: [three]"}
    report = lint(put(tmp_path, {f"{name}.md": flat_md(front, name=name) for name, front in fronts.items()}))
    findings = found(report, "trigger_overlap")
    assert [(finding.path.name, finding.skill, finding.line) for finding in findings] == [
        ("b.md", "b", 10),
        ("c.md", "c", 10),
    ]
    assert findings[0].message == "'b' and 'a' share 2 trigger(s): 'one', 'two'"


def test_the_same_trigger_twice_in_one_skill_is_no_overlap(tmp_path: Path) -> None:
    assert codes(lint(put(tmp_path, {"a.md": flat_md("triggers: [PPT, ppt]", name="a")}))) == set()


GRAPHS = {
    "unknown": ({"a": "next: nobody"}, "graph_unknown_skill", "a"),
    "cycle": ({"a": "next: b", "b": "next: a"}, "graph_cycle", "a"),
    "types": (
        {
            "a": "next: b\noutputs:\n  type: object\n  properties:\n    n:\n      type: string",
            "b": "inputs:\n  type: object\n  properties:\n    n:\n      type: integer",
        },
        "graph_type_mismatch",
        "b",
    ),
}


@pytest.mark.parametrize(("fronts", "code", "skill"), GRAPHS.values(), ids=GRAPHS)
def test_the_graph_of_the_folder_must_hold(tmp_path: Path, fronts: dict[str, str], code: str, skill: str) -> None:
    report = lint(put(tmp_path, {f"{name}.md": flat_md(front, name=name) for name, front in fronts.items()}))
    (finding,) = report.findings
    assert (finding.code, finding.skill, finding.path.stem) == (code, skill, skill)


def test_a_skill_looked_at_alone_may_name_others(tmp_path: Path) -> None:
    put(tmp_path, {"flat/a.md": flat_md("next: b", name="a"), "folder/a/SKILL.md": flat_md("next: b", name="a")})
    for one, together in (("flat/a.md", "flat"), ("folder/a", "folder")):
        assert "graph_unknown_skill" not in codes(lint(tmp_path / one))
        assert "graph_unknown_skill" in codes(lint(tmp_path / together))
