"""A catalog is a snapshot: ordered, frozen, with one digest for all of it."""

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from metier.errors import SkillNotFound
from metier.skills import Catalog, Skill, Source

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
