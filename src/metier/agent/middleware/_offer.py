"""What a user is offered when no skill fits a message: skills, or a line for each pack if there are many. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from metier.agent.middleware._skill_menu import list_for_user
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of
from metier.pack import Pack
from metier.skills import Catalog, Skill, find_template_fields


@dataclass(frozen=True, slots=True)
class SkillOffer:
    """Skills and packs to name, and how many skills there are in all."""

    skills: tuple[Skill, ...]
    packs: tuple[Pack, ...]
    total: int

    def to_json(self, language: Language) -> JsonObject:
        """Titles, descriptions and examples in one language, for the sentence that offers them."""
        skills: list[JsonValue] = [
            {"id": one.id, "title": one.title_in(language), "description": one.summary_in(language)}
            for one in self.skills
        ]
        packs: list[JsonValue] = [
            {
                "title": one.title.text(language),
                "description": one.description.text(language),
                "example": one.examples[0].text(language) if one.examples else "",
            }
            for one in self.packs
        ]
        return {"skills": skills, "packs": packs, "skill_count": self.total}

    def list_examples(self, language: Language) -> Iterator[tuple[str, ...]]:
        """Examples of each pack and skill in one language."""
        for pack in self.packs:
            yield tuple(one.text(language) for one in pack.examples)
        for skill in self.skills:
            yield tuple(one for one in skill.examples if language_of(one) == language)


def make_offer(
    catalog: Catalog, packs: Sequence[Pack], shortlist: Sequence[tuple[Skill, float]] = (), *, max_skills: int
) -> SkillOffer:
    """The skills a user may name, nearest first; if they are too many to read, those of no pack, and the packs."""
    listed = list_for_user(catalog, shortlist)
    homes = [(pack, pack.skills) for pack in packs if pack.skills is not None]
    if len(listed) <= max_skills or not homes:
        return SkillOffer(_take_written(listed, max_skills) or listed[:max_skills], (), len(listed))
    own = [one for one in listed if not any(one.source.path.is_relative_to(home) for _, home in homes)]
    used = [pack for pack, home in homes if any(one.source.path.is_relative_to(home) for one in listed)]
    return SkillOffer(_take_written(own, max_skills), tuple(used), len(listed))


def _take_written(skills: Sequence[Skill], most: int) -> tuple[Skill, ...]:
    """The first skills that say what they do; a new skill with the description of the template does not yet."""
    written = (one for one in skills if "description" not in find_template_fields(one))
    return tuple(islice(written, most))
