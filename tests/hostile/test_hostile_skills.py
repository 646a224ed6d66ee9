"""One bad skill among good ones: it is refused or mended and says so, and the others never notice."""

import shutil
import socket
import tomllib
from pathlib import Path
from typing import Any, NoReturn

import pytest

from metier.skills import CODES, Catalog, SkillLibrary
from metier.skills.lint import lint
from tests.hostile.materialise import HERE, materialise

Case = dict[str, Any]
CASES: tuple[Case, ...] = tuple(tomllib.loads((HERE / "cases.toml").read_text("utf-8"))["case"])
GOOD = {
    "a-good-folder": "First good text.",
    "b_good_file": "第二份好文本。",
    "z-good-manifest": "Third good text.",
}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        pytest.fail("something tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def copy_good_skills(folder: Path) -> Path:
    return Path(shutil.copytree(HERE / "good", folder / "skills"))


def load(case: Case, root: Path) -> Catalog:
    materialise(case["id"], case.get("make", []), root)
    return SkillLibrary.from_folders(root).catalog()


def expected_text(case: Case, skill_id: str) -> str:
    text = str(case["loads"][skill_id])
    whole = (HERE / "cases" / case["id"] / skill_id / "SKILL.md").read_text("utf-8") if text == "…" else ""
    return whole.split("---\n", 2)[2].strip() if whole else text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_bad_skill_is_refused_or_mended_and_says_so_and_the_others_load(case: Case, tmp_path: Path) -> None:
    root = copy_good_skills(tmp_path)
    catalog = load(case, root)
    loads = {skill_id: expected_text(case, skill_id) for skill_id in case.get("loads", {})}
    assert {skill.id: skill.instructions for skill in catalog} == {**GOOD, **loads}
    for name, value in case.get("fields", {}).items():
        assert [getattr(catalog[skill_id], name) for skill_id in loads] == [value]
    assert sorted(found.code for found in catalog.diagnostics) == sorted(case["codes"])
    for found in catalog.diagnostics:
        assert found.message
        assert found.hint
        assert found.effect in (CODES[found.code].effect, "repaired")  # a refusal may cost a tool or a file alone
    if case["codes"]:
        check_first_finding(case, catalog, root)


def check_first_finding(case: Case, catalog: Catalog, root: Path) -> None:
    found = next(found for found in catalog.diagnostics if found.code == case["codes"][0])
    assert found.effect == case["effect"]
    assert found.path == root / case["at"]
    assert case.get("line", found.line) == found.line
    assert case.get("says", "") in found.message
    assert case.get("hint", "") in found.hint


@pytest.mark.parametrize("case", [case for case in CASES if "lint" in case], ids=lambda case: case["id"])
def test_what_only_the_linter_says_it_says(case: Case, tmp_path: Path) -> None:
    root = copy_good_skills(tmp_path)
    materialise(case["id"], case.get("make", []), root)
    assert set(case["lint"]) <= {found.code for found in lint(root).findings if found.skill not in GOOD}


def test_good_skills_alone_have_nothing_to_say(tmp_path: Path) -> None:
    root = copy_good_skills(tmp_path)
    catalog = SkillLibrary.from_folders(root).catalog()
    assert {skill.id: skill.instructions for skill in catalog} == GOOD
    assert catalog.diagnostics == ()


def test_every_row_of_the_corpus_has_a_case() -> None:
    assert {case["row"] for case in CASES} == set(range(1, 53))


def test_every_case_has_its_own_name_and_files() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
    assert {path.name for path in (HERE / "cases").iterdir()} <= set(ids)
    made = {case["id"] for case in CASES if "make" in case}
    assert set(ids) - made <= {path.name for path in (HERE / "cases").iterdir()}


def test_all_bad_skills_together_leave_the_good_ones_alone(tmp_path: Path) -> None:
    root = copy_good_skills(tmp_path)
    for case in CASES:
        if case["effect"] == "refused" and "make" not in case:
            for path in (HERE / "cases" / case["id"]).iterdir():
                copy = shutil.copytree if path.is_dir() else shutil.copy
                copy(path, root / f"{case['id']}-{path.name}")
    catalog = SkillLibrary.from_folders(root).catalog()
    loaded = {skill.id: skill.instructions for skill in catalog}
    assert loaded == {**GOOD, "strasse": "Do the work."}
