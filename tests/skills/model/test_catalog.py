"""A catalog is a snapshot: ordered, frozen, with one digest for all of it."""

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from metier.errors import SkillNotFound
from metier.skills import Catalog, Diagnostic, Skill, Source, WaitingSkill

SOURCE = Source(Path("a/SKILL.md"), Path("a"), "agent-skill")


def skill(skill_id: str, priority: int = 0, digest: str = "d") -> Skill:
    return Skill(skill_id, skill_id, "What.", SOURCE, digest, priority=priority)


def test_skills_come_by_priority_and_then_by_name() -> None:
    catalog = Catalog.from_skills([skill("b"), skill("a"), skill("z", 9)])
    assert [found.id for found in catalog] == ["z", "a", "b"]
    assert len(catalog) == 3
    assert "a" in catalog
    assert catalog.get("none") is None


def test_the_digest_does_not_depend_on_the_order_of_reading() -> None:
    one, other = skill("a"), skill("b")
    assert Catalog.from_skills([one, other]).digest == Catalog.from_skills([other, one]).digest
    assert Catalog.from_skills([one]).digest != Catalog.from_skills([one, other]).digest
    assert Catalog.from_skills([one]).digest != Catalog.from_skills([replace(one, digest="e")]).digest


@pytest.mark.parametrize(("asked", "hint"), [("coverag", "'coverage'"), ("zzz", "metier skills list")])
def test_an_unknown_skill_is_an_error_with_the_nearest(asked: str, hint: str) -> None:
    with pytest.raises(SkillNotFound) as caught:
        Catalog.from_skills([skill("coverage")])[asked]
    assert hint in caught.value.hint


def test_a_snapshot_cannot_be_changed() -> None:
    catalog = Catalog.from_skills([skill("a")])
    with pytest.raises(TypeError):
        catalog.skills["b"] = skill("b")  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        catalog.digest = "x"  # type: ignore[misc]


def test_an_empty_catalog_is_a_catalog() -> None:
    assert len(Catalog()) == 0
    assert [*Catalog.from_skills([])] == []


def owned(skill_id: str, owner: str) -> Skill:
    folder = Path("skills") / skill_id
    return replace(skill(skill_id), source=Source(folder / "SKILL.md", folder, "agent-skill"), owner=owner)


def finding(skill_id: str | None, path: str, message: str = "something") -> Diagnostic:
    return Diagnostic("skill_unapproved", "warning", "noted", message, "", Path(path), skill=skill_id)


def test_a_user_sees_neither_skills_nor_findings_nor_waiting_versions_of_others() -> None:
    shared, anns, bens, new = owned("shared", ""), owned("anns", "ann"), owned("bens", "ben"), owned("new", "")
    found = [
        finding("shared", "skills/shared/SKILL.md"),
        finding("anns", "skills/anns/SKILL.md"),
        finding(None, "skills/anns/scripts/run.py"),
        finding("bens", "skills/bens/SKILL.md"),
        finding("bens", "skills/bens/SKILL.md", "'bens' is also in 'skills/anns/SKILL.md'"),
        finding("new", "skills/new/SKILL.md"),
    ]
    waiting = [WaitingSkill(anns, anns), WaitingSkill(bens, bens), WaitingSkill(new)]
    whole = Catalog.from_skills([shared, anns, bens], found, waiting)
    ben, other = whole.narrow_to("ben"), whole.narrow_to("cleo")
    assert ([one.id for one in ben], [one.id for one in ben.waiting]) == (["bens", "shared"], ["bens"])
    assert ben.diagnostics == (found[0], found[3])
    assert ([one.id for one in other], other.waiting, other.diagnostics) == (["shared"], (), (found[0],))
    assert whole.narrow_to("dora") is other  # one routing index for all who own nothing
