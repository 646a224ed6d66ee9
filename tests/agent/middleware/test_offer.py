"""What a user is offered when no skill fits."""

from pathlib import Path

from metier.agent.middleware import make_offer
from metier.pack import pack_skill_roots, select_packs
from metier.settings import Settings
from metier.skills import SkillLibrary, SkillRoot
from metier.skills.write import scaffold


def test_many_skills_are_offered_as_a_line_for_each_pack_with_its_own_example() -> None:
    packs = select_packs(Settings(), ("telecom", "office")).found
    catalog = SkillLibrary(pack_skill_roots(packs)).catalog()
    few = make_offer(catalog, packs, max_skills=len(catalog))
    many = make_offer(catalog, packs, max_skills=8)
    assert not few.packs
    assert len(few.skills) == few.total
    assert not many.skills
    assert {pack.id for pack in many.packs} == {"telecom", "office"}
    assert [group[0] for group in many.list_examples("zh")] == [pack.examples[0].zh for pack in many.packs]


def test_a_new_skill_is_not_offered_with_the_description_of_its_template(tmp_path: Path) -> None:
    packs = select_packs(Settings(), ("telecom", "office")).found
    scaffold(tmp_path, "quote-checker")
    catalog = SkillLibrary((SkillRoot(tmp_path), *pack_skill_roots(packs))).catalog()
    assert "quote-checker" in catalog
    assert not make_offer(catalog, packs, max_skills=8).skills
    assert "quote-checker" not in [one.id for one in make_offer(catalog, (), max_skills=len(catalog)).skills]
    alone = SkillLibrary((SkillRoot(tmp_path),)).catalog()
    assert [one.id for one in make_offer(alone, (), max_skills=8).skills] == ["quote-checker"]
