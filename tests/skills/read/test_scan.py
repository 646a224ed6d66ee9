"""A scan finds every candidate by names and stats alone, and says what it passed over."""

import os
from pathlib import Path

import pytest

from metier.skills import SkillRoot
from metier.skills.model import MAX_SCAN_DEPTH
from metier.skills.read import ScanResult, read_skill, scan_root
from tests.skills.support import codes, put, skill_md

FRONT = skill_md("x")


def scan(root: Path) -> ScanResult:
    return scan_root(SkillRoot(root))


def seen(root: Path) -> list[tuple[str, str, str]]:
    return [(found.path.relative_to(root).as_posix(), found.layout, found.main_file) for found in scan(root).candidates]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(["a/SKILL.md"], [("a", "agent-skill", "SKILL.md")], id="agent skill"),
        pytest.param(["a/skill.md"], [("a", "agent-skill", "skill.md")], id="in lower case"),
        pytest.param(["a/skill.json"], [("a", "manifest", "skill.json")], id="manifest"),
        pytest.param(["a/SYSTEM.txt"], [("a", "bare", "SYSTEM.txt")], id="bare"),
        pytest.param(["a/SYSTEM.md", "a/system.docx"], [("a", "bare", "system.docx")], id="a document first"),
        pytest.param(["a/SKILL.md", "a/skill.json"], [("a", "agent-skill", "SKILL.md")], id="two layouts"),
        pytest.param(["b.md", "A.MD"], [("A.MD", "flat", "A.MD"), ("b.md", "flat", "b.md")], id="flat, in order"),
        pytest.param(["g/h/a/SKILL.md"], [("g/h/a", "agent-skill", "SKILL.md")], id="in groups"),
        pytest.param(
            ["a/SKILL.md", "a/b/SKILL.md", "a/examples/c/SKILL.md"],
            [("a", "agent-skill", "SKILL.md"), ("a/b", "agent-skill", "SKILL.md")],
            id="a skill in a skill",
        ),
        pytest.param(
            [".claude/skills/a/SKILL.md", "skills/.curated/b/SKILL.md", ".github/workflows/c/SKILL.md"],
            [("skills/.curated/b", "agent-skill", "SKILL.md"), (".claude/skills/a", "agent-skill", "SKILL.md")],
            id="hidden by convention",
        ),
        pytest.param(["a/x.md"], [], id="flat files only at the top"),
        pytest.param(["a/SKILL.md/x.txt"], [], id="a folder called SKILL.md"),
        pytest.param(
            [".git/a/SKILL.md", "node_modules/a/SKILL.md", "__pycache__/a/SKILL.md"], [], id="skipped folders"
        ),
        pytest.param(["README.md", "changelog.md", "AGENTS.md"], [], id="documents about the folder"),
        pytest.param(["SKILL.md", "references/x.md"], [(".", "agent-skill", "SKILL.md")], id="the root is a skill"),
        pytest.param(
            ["SKILL.md", "assets/SKILL.md"], [(".", "agent-skill", "SKILL.md")], id="a template in the assets"
        ),
    ],
)
def test_what_is_a_candidate(files: list[str], expected: list[tuple[str, str, str]], tmp_path: Path) -> None:
    root = put(tmp_path / "skills", dict.fromkeys(files, FRONT))
    assert seen(root) == expected


def test_a_skill_file_saved_one_level_too_high_takes_nobody_down(tmp_path: Path) -> None:
    files = ("SKILL.md", "references/x.md", "a/SKILL.md", "b/SYSTEM.md", "c.md", "other/x.md")
    root = put(tmp_path, dict.fromkeys(files, FRONT))
    found = scan(root)
    assert [candidate.path.name for candidate in found.candidates] == [root.name, "c.md", "a", "b"]
    assert [one.name for one in found.candidates[0].files] == ["SKILL.md", "references/x.md"]
    noted = [(finding.code, finding.path, finding.severity) for finding in found.diagnostics]
    assert noted[0] == ("skill_in_root", root / "SKILL.md", "warning")


@pytest.mark.parametrize(
    ("files", "code", "at"),
    [
        pytest.param({"a/notes.txt": "x"}, "folder_not_a_skill", "a", id="no skill inside"),
        pytest.param({"pack.zip": "x"}, "archive_not_unpacked", "pack.zip", id="an archive"),
        pytest.param(
            {"/".join("abcdefghi") + "/j/SKILL.md": "x"}, "scan_truncated", "a/b/c/d/e/f/g/h", id="too far down"
        ),
    ],
)
def test_what_is_passed_over_is_said(files: dict[str, str], code: str, at: str, tmp_path: Path) -> None:
    root = put(tmp_path, files)
    (finding,) = scan(root).diagnostics
    assert (finding.code, finding.path, finding.effect) == (code, root / at, "noted")
    assert finding.hint


def test_a_skill_as_far_down_as_may_be_is_found(tmp_path: Path) -> None:
    root = put(tmp_path, {"/".join("abcdefgh"[:MAX_SCAN_DEPTH]) + "/SKILL.md": FRONT})
    assert len(seen(root)) == 1


def test_links_are_told_and_not_followed(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside", {"SKILL.md": FRONT})
    root = put(tmp_path / "skills", {"a/SKILL.md": FRONT})
    (root / "linked").symlink_to(outside)
    (root / "broken.md").symlink_to("nowhere")
    found = scan(root)
    assert [candidate.path.name for candidate in found.candidates] == ["a"]
    assert codes(found.diagnostics) == ["symlink", "symlink"]


def test_a_root_may_itself_be_a_link(tmp_path: Path) -> None:
    put(tmp_path / "real", {"a/SKILL.md": FRONT})
    (tmp_path / "root").symlink_to("real")
    assert seen(tmp_path / "root") == [("a", "agent-skill", "SKILL.md")]


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_a_root_that_is_no_folder_is_told(name: str, tmp_path: Path) -> None:
    put(tmp_path, {"file.txt": "x"})
    (finding,) = scan(tmp_path / name).diagnostics
    assert (finding.code, finding.path) == ("folder_missing", tmp_path / name)


def test_a_root_that_nobody_named_may_be_missing_but_is_no_file(tmp_path: Path) -> None:
    put(tmp_path, {"file.txt": "x"})
    assert scan_root(SkillRoot(tmp_path / "skills", optional=True)).diagnostics == []
    (finding,) = scan_root(SkillRoot(tmp_path / "file.txt", optional=True)).diagnostics
    assert finding.code == "folder_missing"


def far_down(root: Path) -> Path:
    """A path of 3,900 characters, where the most that can be opened is 4,095."""
    while len(str(root)) < 3700:
        root /= "d" * 150
    return root / ("e" * (3899 - len(str(root))))


def with_a_folder_out_of_reach(root: Path) -> str:
    """Make a folder in `root` whose path is too long to be listed, by root too, which `chmod` would not stop."""
    handle = os.open(root, os.O_RDONLY)
    os.mkdir("x" * 255, dir_fd=handle)
    os.close(handle)
    return "x" * 255


def test_a_folder_that_cannot_be_listed_is_left_out(tmp_path: Path) -> None:
    root = put(far_down(tmp_path), {"a/SKILL.md": FRONT, "b/SKILL.md": FRONT})
    name = with_a_folder_out_of_reach(root / "a")
    bad, good = scan(root).candidates
    assert (bad.unreadable_folders, good.unreadable_folders) == ((name,), ())
    reading = read_skill(bad)
    assert reading.skill is not None
    assert codes(reading.diagnostics) == ["file_unreadable", "name_not_folder"]
    assert read_skill(good).skill is not None


def test_a_group_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    root = put(far_down(tmp_path), {"b/SKILL.md": FRONT})
    name = with_a_folder_out_of_reach(root)
    found = scan(root)
    assert [candidate.path.name for candidate in found.candidates] == ["b"]
    assert [(finding.code, finding.path) for finding in found.diagnostics] == [("file_unreadable", root / name)]


def test_equal_candidates_have_not_changed(tmp_path: Path) -> None:
    root = put(tmp_path, {"a/SKILL.md": FRONT, "a/references/x.md": "1"})
    before = scan(root).candidates
    assert scan(root).candidates == before
    put(root, {"a/references/x.md": "22"})
    assert scan(root).candidates != before
