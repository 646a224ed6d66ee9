"""The `use_skill` tool: the skills the model may choose from, described as fully as the budget allows."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from metier.context._fences import disarm
from metier.context._messages import USE_SKILL, dump_json
from metier.context._prompt_texts import PROMPT_TEXTS
from metier.context._sections import DroppedPiece
from metier.json_values import JsonObject
from metier.language import Language
from metier.skills import Skill
from metier.tokens import count_tokens

NO_SKILL_ID: Final = "none"
_MENU: Final = "menu"
_MAX_OFFERED: Final = 24
_BLANK = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[。！？!?])|(?<=[.;；])\s")
_NO_SKILL_NAMES: Final = frozenset({"", NO_SKILL_ID, "null", "无", "没有"})


@dataclass(frozen=True, slots=True)
class SkillChoice:
    """Parsed `use_skill` call: a skill, no skill (`skill` is None), or an unknown name (`known` is False)."""

    skill: str | None
    known: bool
    text: str


@dataclass(frozen=True, slots=True)
class SkillMenu:
    """Description of `use_skill` and the ids it accepts. An empty menu means the tool is not offered."""

    description: str
    enum: tuple[str, ...]
    tokens: int
    dropped: tuple[DroppedPiece, ...] = ()
    language: Language = "en"

    @property
    def parameters(self) -> JsonObject:
        """JSON Schema of the tool's arguments."""
        return _build_parameters(self.enum, self.language)

    def read_choice(self, name: str) -> SkillChoice:
        """Parse the model's choice; for an unknown name the text lists the valid ids."""
        words = PROMPT_TEXTS[self.language]
        wanted = name.strip().strip("\"'`/").casefold()
        if wanted in _NO_SKILL_NAMES:
            return SkillChoice(None, True, words["none"])
        found = next((skill for skill in self.enum if skill.casefold() == wanted), None)
        if found is None:
            return SkillChoice(None, False, words["unknown"].format(name[:80], ", ".join(self.enum) or "-"))
        return SkillChoice(found, True, words["chosen"].format(found))


def build_skill_menu(
    shortlist: Sequence[tuple[Skill, float]],
    budget: int,
    *,
    count: Callable[[str], int] = count_tokens,
    language: Language = "en",
) -> SkillMenu:
    """Build the menu of a shortlist, best first, in at most `budget` tokens.

    Every skill is named before any is described, and every skill gets its first sentence before any gets its full
    description: a long description cannot crowd out the others. Ids that do not fit are dropped from the end.
    """
    skills = _select_offered(shortlist)
    dropped = [_drop_excess(len(skills) - _MAX_OFFERED)] if len(skills) > _MAX_OFFERED else []
    draft = _MenuDraft.from_skills(skills[:_MAX_OFFERED], count, language)
    while draft.skills and draft.build().tokens > budget:
        gone = draft.skills.pop()
        text = f"not even its id fitted in {budget} tokens"
        dropped.append(DroppedPiece(_MENU, gone.id, count(draft.details.pop()[0]), "section_limit", text))
        draft.levels.pop()
    if not draft.skills:
        return SkillMenu("", (), 0, tuple(dropped), language)
    draft.add_details(budget)
    return draft.build((*dropped, *draft.iter_shortened()))


def _select_offered(shortlist: Iterable[tuple[Skill, float]]) -> list[Skill]:
    ranked = sorted(shortlist, key=lambda pair: -pair[1])
    usable = (skill for skill, _ in ranked if skill.enabled and skill.invocation.by_model)
    return list({skill.id: skill for skill in usable}.values())


def _list_details(skill: Skill) -> tuple[str, ...]:
    """A skill in growing detail: id; plus title; plus first sentence; plus full description."""
    title, about = (_to_line(text) for text in (skill.title, skill.description))
    named = f"- {skill.id}: {title}" if title and title != skill.id else f"- {skill.id}"
    first = _SENTENCE.split(about, maxsplit=1)[0].strip()
    when = _to_line(skill.when_to_use)
    whole = " ".join(part for part in (about, when) if part)
    grown = [f"- {skill.id}", named]
    grown += [f"{named} — {text}" for text in dict.fromkeys((first, whole)) if text]
    return tuple(dict.fromkeys(grown))


def _to_line(text: str) -> str:
    return _BLANK.sub(" ", disarm(text)).strip()


@dataclass(slots=True)
class _MenuDraft:
    """Menu under construction: each skill's detail levels, and the level chosen for each."""

    skills: list[Skill]
    details: list[tuple[str, ...]]
    levels: list[int]
    count: Callable[[str], int]
    language: Language

    @classmethod
    def from_skills(cls, skills: list[Skill], count: Callable[[str], int], language: Language) -> "_MenuDraft":
        return cls(skills, [_list_details(skill) for skill in skills], [0] * len(skills), count, language)

    def build(self, dropped: tuple[DroppedPiece, ...] = ()) -> SkillMenu:
        lines = (form[level] for form, level in zip(self.details, self.levels, strict=True))
        description = "\n".join([PROMPT_TEXTS[self.language]["menu"], *lines])
        enum = tuple(skill.id for skill in self.skills)
        schema = f"{USE_SKILL} {dump_json(_build_parameters(enum, self.language))}"
        return SkillMenu(description, enum, self.count(description) + self.count(schema), dropped, self.language)

    def add_details(self, budget: int) -> None:
        """Raise the detail level by level through all skills, best first, as long as it fits."""
        left = budget - self.build().tokens
        for level in range(1, max(map(len, self.details))):
            for at, form in enumerate(self.details):
                if level < len(form):
                    cost = self.count(form[level]) - self.count(form[self.levels[at]])
                    if cost <= left:
                        self.levels[at] = level
                        left -= cost
        while self.build().tokens > budget and any(self.levels):  # joined lines may cost more than the single ones
            last = max(at for at, level in enumerate(self.levels) if level)
            self.levels[last] -= 1

    def iter_shortened(self) -> Iterator[DroppedPiece]:
        for skill, form, level in zip(self.skills, self.details, self.levels, strict=True):
            if level < len(form) - 1:
                tokens = self.count(form[-1]) - self.count(form[level])
                yield DroppedPiece(_MENU, skill.id, tokens, "section_limit", "its description is not shown whole")


def _drop_excess(more: int) -> DroppedPiece:
    return DroppedPiece(_MENU, f"{more} more skills", 0, "section_limit", f"the best {_MAX_OFFERED} are offered")


def _build_parameters(enum: Sequence[str], language: Language) -> JsonObject:
    words = PROMPT_TEXTS[language]
    return {
        "type": "object",
        "properties": {
            "skill": {"type": "string", "enum": [*enum, NO_SKILL_ID], "description": words["menu_skill"]},
            "scenario": {"type": "string", "description": words["menu_scenario"]},
        },
        "required": ["skill"],
    }
