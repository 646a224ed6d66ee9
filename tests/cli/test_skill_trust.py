"""`metier skills pin`, `approve` and `verify`, and a skill with the id of a pack's."""

import io
import json
from pathlib import Path

import pytest

from metier.cli import run

HEAD = "---\nname: rf-check\ndescription: Answers questions about cells when asked.\n---\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Path:
    """A skill that is pinned, in a working folder of its own."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "skills" / "rf-check" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + "Old text.\n")
    assert run(["skills", "pin"]) == 0
    assert capsys.readouterr().out == "pinned 1 skill in skills.lock\n"
    return path


def test_what_was_pinned_is_verified(skill: Path, capsys: Capture) -> None:
    assert run(["skills", "verify"]) == 0
    assert capsys.readouterr().out == "unchanged since approval: 1 skill\n"


def test_verify_names_what_changed_and_exits_with_one(skill: Path, capsys: Capture) -> None:
    skill.write_text(HEAD + "New text.\n")
    assert run(["skills", "verify"]) == 1
    assert capsys.readouterr().out == "changed: rf-check\n"
    assert run(["skills", "verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"changed": ["rf-check"], "unknown": [], "missing": []}


def test_verify_names_what_is_new_and_what_is_gone(skill: Path, capsys: Capture) -> None:
    other = skill.parent.parent / "new-check" / "SKILL.md"
    other.parent.mkdir()
    other.write_text(HEAD.replace("rf-check", "new-check") + "Text.\n")
    skill.unlink()
    assert run(["skills", "verify"]) == 1
    assert capsys.readouterr().out == "new: new-check\nmissing: rf-check\n"


def test_a_change_waits_until_it_is_approved(skill: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("METIER_SKILL_TRUST", "require")
    skill.write_text(HEAD + "New text.\n")
    assert run(["skills", "show", "rf-check"]) == 0
    assert "Old text." in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert run(["skills", "approve", "rf-check"]) == 0
    assert "-Old text.\n+New text.\n" in capsys.readouterr().out
    assert run(["skills", "show", "rf-check"]) == 0
    assert "New text." in capsys.readouterr().out


def test_what_cannot_be_written_to_the_audit_log_is_not_approved(
    skill: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    skill.write_text(HEAD + "New text.\n")
    lock = Path("skills.lock").read_text("utf-8")
    with monkeypatch.context() as broken:
        broken.setenv("METIER_DATABASE_URL", "sqlite:///no/such/folder/metier.sqlite3")
        Path("no").write_text("a file, so that no folder can be made", "utf-8")
        assert run(["skills", "approve", "rf-check", "--yes"]) != 0
        assert run(["skills", "pin"]) != 0
    assert Path("skills.lock").read_text("utf-8") == lock
    assert run(["skills", "approve", "rf-check", "--yes"]) == 0
    capsys.readouterr()
    assert run(["audit", "export"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["action"], one["target"], one["key"]) for one in lines] == [
        ("skills.pinned", "rf-check", "terminal"),
        ("skill.approved", "rf-check", "terminal"),
    ]


def test_a_person_may_say_no(skill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill.write_text(HEAD + "New text.\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(["skills", "approve", "rf-check"]) == 4
    assert run(["skills", "verify"]) == 1


def test_another_version_than_the_named_one_is_not_approved(skill: Path, capsys: Capture) -> None:
    skill.write_text(HEAD + "New text.\n")
    assert run(["skills", "approve", "rf-check", "--yes", "--digest", "0" * 12]) == 1
    assert "is not version" in capsys.readouterr().err
    assert run(["skills", "verify"]) == 1


def test_lint_tells_that_an_id_belongs_to_a_pack(skill: Path, capsys: Capture) -> None:
    skill.write_text(HEAD.replace("rf-check", "network_optimization") + "Do it.\n")
    run(["lint", "skills", "--json"])
    found = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["code"] == "skill_shadowed"]
    assert [one["severity"] for one in found] == ["warning"]
    assert "METIER_SKILL_OVERRIDES=network_optimization" in found[0]["hint"]


def test_with_the_pack_its_own_skill_stays(skill: Path, capsys: Capture) -> None:
    skill.write_text(HEAD.replace("rf-check", "network_optimization") + "Do something else.\n")
    assert run(["skills", "show", "network_optimization", "--pack", "telecom"]) == 0
    said = capsys.readouterr()
    assert "Do something else." not in said.out
    assert "skill_shadowed" in said.err + said.out


def test_an_administrator_removes_a_skill_with_its_approval(
    skill: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(["skills", "remove", "rf-check"]) != 0
    assert skill.exists()
    assert run(["skills", "remove", "rf-check", "--yes"]) == 0
    assert not skill.parent.exists()
    assert "rf-check" not in Path("skills.lock").read_text("utf-8")
    capsys.readouterr()
    assert run(["audit", "export"]) == 0
    assert "skill.removed" in capsys.readouterr().out
