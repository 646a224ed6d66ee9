"""The exception report: which skill should list which tool, and the edit that does it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from metier.skills import SkillLibrary, SkillRoot
from metier.tools import build_exception_report

SKILL = """---
name: notes
description: Write notes.
allowed_tools:
  - read_file
  - memory
sop: []
---
Write notes.
"""
INLINE = "---\nname: lists\ndescription: Lists.\nallowed_tools: [read_file]\n---\nLists.\n"


@dataclass(frozen=True)
class _Asked:
    skill: str | None
    tool: str
    state: Literal["requested", "granted", "denied"]
    reason: str = "needed"


@dataclass(frozen=True)
class _Refused:
    skill: str | None
    tool: str
    code: str = "not_allowed_by_skill"


def test_a_tool_that_is_always_granted_is_proposed_with_an_edit_that_loads(tmp_path: Path) -> None:
    for name, text in (("notes", SKILL), ("lists", INLINE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(text, "utf-8")
    catalog = SkillLibrary((SkillRoot(tmp_path),)).catalog()
    asked = [
        _Asked("notes", "write_file", "granted"),
        _Asked("notes", "write_file", "granted", "the user wants a file"),
        _Asked("lists", "web_search", "granted"),
        _Asked("lists", "web_search", "denied"),
        _Asked("notes", "pdf", "requested"),
    ]
    refused = [_Refused("notes", "run_in_terminal")] * 3 + [_Refused("notes", "wrte_file", "unknown_tool")]
    report = build_exception_report(asked, refused, catalog)

    told = [(one.skill, one.tool, one.advice, one.granted, one.denied, one.refused) for one in report]
    assert told == [
        ("notes", "write_file", "list", 2, 0, 0),
        ("lists", "web_search", "review", 1, 1, 0),
        ("notes", "pdf", "wait", 0, 0, 0),
        ("notes", "run_in_terminal", "keep", 0, 0, 3),
    ]
    assert report[0].text("zh") == "write_file 已 2 次批准给 notes，从未拒绝：建议列入它的工具"
    assert report[0].reasons == ("needed", "the user wants a file")
    edits = [one.edit.diff.splitlines() for one in report if one.edit is not None]
    assert len(edits) == 2
    assert "+  - write_file" in edits[0]
    assert "+allowed_tools: [read_file, web_search]" in edits[1]


def test_a_skill_without_a_list_has_no_edit(tmp_path: Path) -> None:
    (tmp_path / "free").mkdir()
    (tmp_path / "free" / "SKILL.md").write_text("---\nname: free\ndescription: Free.\n---\nFree.\n", "utf-8")
    catalog = SkillLibrary((SkillRoot(tmp_path),)).catalog()
    (one,) = build_exception_report([_Asked("free", "pdf", "granted")], [], catalog)
    assert (one.advice, one.edit) == ("list", None)
    (gone,) = build_exception_report([_Asked("gone", "pdf", "granted")], [], catalog)
    assert gone.edit is None
