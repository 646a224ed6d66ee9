"""What may be linted: a folder of skills, one skill by folder or file, a flat file, an archive."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from metier.errors import PathNotFound, UsageError
from metier.skills.lint import lint
from tests.skills.lint.support import codes, flat_md, found, put, skill_md

MANIFEST = '{"schema_version": "ah32.skill.v1", "meta": {"id": "sheet"}}'


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    return put(
        tmp_path / "skills",
        {
            "demo/SKILL.md": skill_md("triggers: [a]\n"),
            "sheet/skill.json": MANIFEST,
            "sheet/SYSTEM.md": "x",
            "bare/SYSTEM.txt": "x",
            "flat.md": flat_md("triggers: [a]\n", name="flat"),
        },
    )


PATHS = {
    "the folder of all": (".", ("bare", "demo", "flat", "sheet")),
    "one skill's folder": ("demo", ("demo",)),
    "SKILL.md": ("demo/SKILL.md", ("demo",)),
    "skill.json": ("sheet/skill.json", ("sheet",)),
    "SYSTEM.txt": ("bare/SYSTEM.txt", ("bare",)),
    "a flat file": ("flat.md", ("flat",)),
}


@pytest.mark.parametrize(("name", "expected"), PATHS.values(), ids=PATHS)
def test_a_path_means_the_skills_that_it_holds(skills: Path, name: str, expected: tuple[str, ...]) -> None:
    report = lint(skills / name)
    assert report.skills == expected
    assert ("trigger_overlap" in codes(report)) is (name == ".")


@pytest.mark.parametrize("name", [".", "../demo"])
def test_a_path_without_a_name_of_its_own_has_one(skills: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(skills / "demo")
    report = lint(Path(name))
    assert (report.path, report.skills) == (skills / "demo", ("demo",))
    assert not {"name_not_folder", "standard_name"} & codes(report)


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound) as caught:
        lint(tmp_path / "nowhere")
    assert "nowhere" in caught.value.message


def test_a_file_that_is_no_skill_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no skill"):
        lint(put(tmp_path, {"notes.txt": "x"}) / "notes.txt")


def test_an_empty_folder_has_nothing_wrong(tmp_path: Path) -> None:
    report = lint(tmp_path)
    assert (report.skills, report.findings, report.ok) == ((), (), True)


def test_a_flat_file_that_is_a_link_is_refused(skills: Path) -> None:
    link = skills / "link.md"
    link.symlink_to(skills / "flat.md")
    report = lint(link)
    assert (report.skills, codes(report)) == ((), {"symlink"})


def test_a_pipe_does_not_hang(skills: Path) -> None:
    os.mkfifo(skills / "pipe.md")
    os.mkfifo(skills / "pipe.zip")
    assert codes(lint(skills / "pipe.md")) == {"not_regular_file"}
    assert codes(lint(skills / "pipe.zip")) == {"archive_unreadable"}


# Archives -------------------------------------------------------------------------------------------------------------


def zipped(name: str, content: str = "x") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return made.getvalue()


def tarred(member: tarfile.TarInfo) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        archive.addfile(member)
    return made.getvalue()


def link_member() -> tarfile.TarInfo:
    member = tarfile.TarInfo("demo/SKILL.md")
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return member


ARCHIVES = {
    "good zip": ("a.zip", zipped("demo/SKILL.md"), set()),
    "good skill": ("a.skill", zipped("demo/SKILL.md"), set()),
    "good tar": ("a.tar.gz", tarred(tarfile.TarInfo("demo/SKILL.md")), set()),
    "zip that escapes": ("a.zip", zipped("../evil.md"), {"archive_path_escape"}),
    "skill that escapes": ("a.skill", zipped("/evil.md"), {"archive_path_escape"}),
    "zip bomb": ("a.zip", zipped("a.txt", "0" * 20_000_000), {"archive_bomb"}),
    "tar with a link": ("a.tgz", tarred(link_member()), {"archive_link"}),
    "no zip": ("a.zip", b"x", {"archive_unreadable"}),
}


@pytest.mark.parametrize(("name", "raw", "expected"), ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_is_inspected_and_never_unpacked(tmp_path: Path, name: str, raw: bytes, expected: set[str]) -> None:
    report = lint(put(tmp_path, {name: raw}) / name)
    assert (codes(report), report.skills, report.ok) == (expected, (), not expected)
    assert [path.name for path in tmp_path.iterdir()] == [name]


# Order ----------------------------------------------------------------------------------------------------------------


def test_findings_are_sorted_by_file_line_and_code(skills: Path) -> None:
    put(skills, {"demo/SKILL.md": skill_md("title: no\nzzz: 1\ntriggers: [a]\n", "Call `no_tool`.\n[x](y.md)")})
    places = [(str(one.path), one.line or 0, one.code) for one in lint(skills).findings]
    assert places == sorted(places)
    assert len(places) > 10


def test_every_finding_names_its_skill_and_says_what_to_do(skills: Path) -> None:
    put(skills, {"demo/SKILL.md": skill_md("title: no\nzzz: 1\ntriggers: [a]\n", "Call `no_tool`.\n[x](y.md)")})
    findings = lint(skills).findings
    assert {one.skill for one in findings} == {"bare", "demo", "flat", "sheet"}
    assert all(one.hint for one in findings if one.severity != "info")


def test_counts_are_by_severity(skills: Path) -> None:
    report = lint(skills)
    counted = [sum(one.severity == severity for one in report.findings) for severity in ("error", "warning", "info")]
    assert [report.errors, report.warnings, report.infos] == counted
    assert report.ok is (report.errors == 0)
    assert min(counted) > 0


def test_a_skill_that_was_refused_does_not_hide_the_others(skills: Path) -> None:
    put(skills, {"broken/SKILL.md": "---\nname: [\n---\n"})
    report = lint(skills)
    assert report.skills == ("bare", "demo", "flat", "sheet")
    assert report.standard == {"demo": False, "broken": False}
    assert found(report, "yaml_invalid")
