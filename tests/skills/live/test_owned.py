"""Skills of one user: only what is theirs is found and deleted, whoever took their place or their id since."""

import shutil
from pathlib import Path

import pytest

from metier.settings import Settings
from metier.skills import SkillLibrary, delete_owned_skills, find_owned_skills, open_skill_approvals, open_skill_library


def _write(folder: Path, name: str, says: str = "Compares a quote with the price list.") -> Path:
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {says}\n---\nDo it step by step.\n")
    return folder / name


@pytest.fixture(params=["off", "require"])
def settings(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    """An installation in which ann has the skill `quote`."""
    made = Settings(
        storage_dir=tmp_path / "storage",
        skills_dir=(tmp_path / "skills",),
        trusted_skills_dir=(tmp_path / "company",),
        skill_lock=tmp_path / "skills.lock",
        skill_trust=request.param,
        embedder="none",
    )
    (tmp_path / "company").mkdir()
    _write(tmp_path / "skills", "quote")
    quote = SkillLibrary.from_folders(tmp_path / "skills").catalog()["quote"]
    open_skill_approvals(made).pin([quote], "ann", owner="ann")
    return made


def _list_left(tmp_path: Path) -> set[str]:
    files = [*(tmp_path / "skills").rglob("*.md"), *(tmp_path / "company").rglob("*.md")]
    return {str(path.parent.relative_to(tmp_path)) for path in files}


def test_the_own_skill_goes_and_those_of_others_stay(settings: Settings, tmp_path: Path) -> None:
    _write(tmp_path / "skills", "other")
    assert find_owned_skills(settings, "bob") == {}
    assert delete_owned_skills(settings, "ann") == ("quote",)
    assert _list_left(tmp_path) == {"skills/other"}


@pytest.mark.parametrize("damaged", [b"", b"\xff\xfe", b"---\nname: [\n---\nx"], ids=["empty", "no text", "no YAML"])
def test_an_own_skill_that_cannot_be_read_any_more_goes_too(settings: Settings, tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "skills" / "quote" / "SKILL.md").write_bytes(damaged)
    _write(tmp_path / "skills", "other")
    assert delete_owned_skills(settings, "ann") == ("quote",)
    assert _list_left(tmp_path) == {"skills/other"}


def test_a_folder_that_was_taken_over_under_another_id_stays(settings: Settings, tmp_path: Path) -> None:
    main = tmp_path / "skills" / "quote" / "SKILL.md"
    main.write_text(main.read_text().replace("name: quote", "name: company-quote"))
    taken = SkillLibrary.from_folders(tmp_path / "skills").catalog()["company-quote"]
    open_skill_approvals(settings).pin([taken], "admin")
    assert delete_owned_skills(settings, "ann") == ()
    assert _list_left(tmp_path) == {"skills/quote"}


@pytest.mark.parametrize("has_own", [True, False])
def test_a_skill_of_that_id_in_a_trusted_folder_is_everybodys_and_stays(
    settings: Settings, tmp_path: Path, has_own: bool
) -> None:
    _write(tmp_path / "company", "quote", "The company's own skill for quotes.")
    if not has_own:
        shutil.rmtree(tmp_path / "skills" / "quote")
    seen = open_skill_library(settings, trust="off").catalog().narrow_to("ben")["quote"]
    assert (seen.owner, seen.source.trusted) == ("", True)
    assert delete_owned_skills(settings, "ann") == (("quote",) if has_own else ())
    assert _list_left(tmp_path) == {"company/quote"}


def test_a_copy_of_a_private_skill_in_a_trusted_folder_still_needs_approval_for_all(
    settings: Settings, tmp_path: Path
) -> None:
    shutil.copytree(tmp_path / "skills" / "quote", tmp_path / "company" / "quote")
    assert "quote" not in open_skill_library(settings, trust="require").catalog().narrow_to("ben")


def test_another_skill_in_the_place_of_the_own_one_stays(settings: Settings, tmp_path: Path) -> None:
    _write(tmp_path / "skills", "quote", "Written by somebody else since.")
    assert delete_owned_skills(settings, "ann") == ()
    assert _list_left(tmp_path) == {"skills/quote"}


def test_a_skill_of_somebody_else_inside_the_own_folder_stays(settings: Settings, tmp_path: Path) -> None:
    _write(tmp_path / "skills" / "quote", "inner")
    delete_owned_skills(settings, "ann")
    assert "skills/quote/inner" in _list_left(tmp_path)
