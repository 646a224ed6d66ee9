"""The `use_skill` tool: the skills the model may choose from, described as fully as the budget allows."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.context._fences import disarm
from metier.context._messages import USE_SKILL, ContextMessage
from metier.context._prompt_texts import PROMPT_TEXTS
from metier.context._sections import DroppedPiece
from metier.context._tools import tool_to_json
from metier.json_values import JsonObject
from metier.language import Language, language_of, split_sentences
from metier.skills import Skill
from metier.textsearch import fold
from metier.tokens import count_tokens

NO_SKILL_ID: Final = "none"
_MENU: Final = "menu"
MAX_OFFERED: Final = 24
_ESTIMATE_TOKENS: Final = 100
_MAX_EXAMPLE_CHARS: Final = 40
_MAX_EXAMPLES: Final = 3
_BLANK = re.compile(r"\s+")
_NO_SKILL_NAMES: Final = frozenset({"", NO_SKILL_ID, "null", "无", "没有"})


@dataclass(frozen=True, slots=True)
class SkillChoice:
    """Parsed `use_skill` call: a skill, no skill (`skill` is None), or an unknown name (`known` is False)."""

    skill: str | None
    known: bool
    text: str


@dataclass(frozen=True, slots=True)
class SkillMenu:
    """Description of `use_skill` and the ids it accepts. An empty menu means the tool is not offered.

    `tokens` counts the tool's definition as it is sent. `has_rules` tells whether a skill has rules to choose from:
    without any, the tool does not ask for one, which costs a small model more than half of its reply.
    """

    description: str
    enum: tuple[str, ...]
    tokens: int
    dropped: tuple[DroppedPiece, ...] = ()
    language: Language = "en"
    has_rules: bool = False

    @property
    def parameters(self) -> JsonObject:
        """JSON Schema of the tool's arguments."""
        return _build_parameters(self.enum, self.language, has_rules=self.has_rules)

    def to_tool(self, name: str = USE_SKILL) -> JsonObject:
        """Definition of the choose-a-skill tool in OpenAI's format."""
        function: JsonObject = {"name": name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

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
    demanded: bool = False,
    max_offered: int = MAX_OFFERED,
) -> SkillMenu:
    """Build the menu of a shortlist, best first, in at most `budget` tokens as sent.

    With `demanded`, the reply will be the choice and nothing else. Only the best `max_offered` are offered.

    Descriptions are whole if they fit. Otherwise the longest loses its last sentence, again and again: a long
    description cannot crowd out the others, and none is cut within a sentence. Ids that do not fit are dropped from
    the end.
    """
    skills = _select_offered(shortlist)
    dropped = [_drop_excess(len(skills) - max_offered, max_offered)] if len(skills) > max_offered else []
    heading = PROMPT_TEXTS[language]["menu_demanded" if demanded else "menu"]
    if not demanded and (shown := next((skill for skill in skills if skill.examples), None)) is not None:
        said = _to_line(shown.examples[0])[:_MAX_EXAMPLE_CHARS]
        heading = PROMPT_TEXTS[language]["menu_example"].format(said=said, skill=shown.id) + "\n" + heading
    draft = _MenuDraft.from_skills(skills[:max_offered], count, language, heading)
    if draft.skills and (whole := draft.describe_whole().build(tuple(dropped))).tokens <= budget:
        return whole
    draft.levels = [0] * len(draft.skills)
    while draft.skills and draft.build().tokens > budget:
        gone = draft.skills.pop()
        text = f"not even its id fitted in {budget} tokens"
        dropped.append(DroppedPiece(_MENU, gone.id, count(draft.details.pop()[0]), "section_limit", text))
        draft.levels.pop()
    if not draft.skills:
        return SkillMenu("", (), 0, tuple(dropped), language)
    draft.describe_within(budget)
    return draft.build((*dropped, *draft.iter_shortened()))


def build_choice_examples(
    shortlist: Sequence[tuple[Skill, float]], menu: SkillMenu, message: str, language: Language
) -> tuple[ContextMessage, ...]:
    """Exchanges that show how to choose: a message for each of the best skills, and messages for none among them.

    A skill's message is the one of its own examples that is nearest to the user's. Without such exchanges a model of
    1.5B parameters names a skill for four of five messages that are for none, whatever the instruction says; what it
    saw last weighs most, so the best skill comes last.
    """
    offered = [skill for skill in _select_offered(shortlist) if skill.id in menu.enum][:_MAX_EXAMPLES]
    shown = [(_find_nearest(skill.examples, message), skill.id) for skill in reversed(offered)]
    for at, said in enumerate(reversed(PROMPT_TEXTS[language]["menu_none_examples"].splitlines()), 1):
        shown.insert(max(0, len(offered) - at), (said, NO_SKILL_ID))
    return tuple(
        one
        for said, skill in shown
        if said
        for one in (ContextMessage("user", said), ContextMessage("assistant", json.dumps({"skill": skill})))
    )


def _find_nearest(examples: Sequence[str], message: str) -> str:
    """The example with the largest share of common character pairs, in the message's language if there is one."""
    language, wanted = language_of(message), _list_pairs(message)

    def measure(example: str) -> tuple[bool, float]:
        pairs = _list_pairs(example)
        return language_of(example) == language, len(pairs & wanted) / max(1, len(pairs | wanted))

    return _to_line(max(examples, key=measure))[: 2 * _MAX_EXAMPLE_CHARS] if examples else ""


def _list_pairs(text: str) -> set[str]:
    folded = fold(text)
    return {folded[at : at + 2] for at in range(len(folded) - 1)}


def _select_offered(shortlist: Iterable[tuple[Skill, float]]) -> list[Skill]:
    ranked = sorted(shortlist, key=lambda pair: -pair[1])
    usable = (skill for skill, _ in ranked if skill.enabled and skill.invocation.by_model)
    return list({skill.id: skill for skill in usable}.values())


def _list_details(skill: Skill) -> tuple[str, ...]:
    """A skill in growing detail: id; plus title; plus one sentence of its description after the other."""
    title, about, when = (_to_line(text) for text in (skill.title, skill.description, skill.when_to_use))
    named = f"- {skill.id}: {title}" if title and title != skill.id else f"- {skill.id}"
    sentences = split_sentences(" ".join(part for part in (about, when) if part))
    described = ("".join(sentences[:number]).strip() for number in range(1, len(sentences) + 1))
    return tuple(dict.fromkeys([f"- {skill.id}", named, *(f"{named} — {text}" for text in described if text)]))


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
    heading: str

    @classmethod
    def from_skills(
        cls, skills: list[Skill], count: Callable[[str], int], language: Language, heading: str
    ) -> "_MenuDraft":
        return cls(skills, [_list_details(skill) for skill in skills], [0] * len(skills), count, language, heading)

    def build(self, dropped: tuple[DroppedPiece, ...] = ()) -> SkillMenu:
        lines = (form[level] for form, level in zip(self.details, self.levels, strict=True))
        description = "\n".join([self.heading, *lines, PROMPT_TEXTS[self.language]["menu_none"]])
        has_rules = any(skill.rules for skill in self.skills)
        menu = SkillMenu(description, tuple(skill.id for skill in self.skills), 0, dropped, self.language, has_rules)
        return replace(menu, tokens=self.count(tool_to_json(menu.to_tool())))

    def describe_whole(self) -> "_MenuDraft":
        """Describe every skill in full."""
        self.levels = [len(form) - 1 for form in self.details]
        return self

    def describe_within(self, budget: int) -> None:
        """Describe every skill in full, then shorten the longest line until the menu fits."""
        costs = [[self.count(line) for line in form] for form in self.details]
        self.describe_whole()
        while (over := self.build().tokens - budget) > 0 and any(self.levels):
            saved = self._shorten_longest(costs)
            while saved < over - _ESTIMATE_TOKENS and any(self.levels):  # counting the whole menu each time is slow
                saved += self._shorten_longest(costs)

    def _shorten_longest(self, costs: Sequence[Sequence[int]]) -> int:
        """Take a sentence from the longest line; the later of equals, which is less likely to be meant."""
        described = [at for at, level in enumerate(self.levels) if level]
        longest = max(described, key=lambda at: (costs[at][self.levels[at]], at))
        self.levels[longest] -= 1
        return max(1, costs[longest][self.levels[longest] + 1] - costs[longest][self.levels[longest]])

    def iter_shortened(self) -> Iterator[DroppedPiece]:
        for skill, form, level in zip(self.skills, self.details, self.levels, strict=True):
            if level < len(form) - 1:
                tokens = self.count(form[-1]) - self.count(form[level])
                yield DroppedPiece(_MENU, skill.id, tokens, "section_limit", "its description is not shown whole")


def _drop_excess(more: int, offered: int) -> DroppedPiece:
    return DroppedPiece(_MENU, f"{more} more skills", 0, "section_limit", f"the best {offered} are offered")


def _build_parameters(enum: Sequence[str], language: Language, *, has_rules: bool) -> JsonObject:
    words = PROMPT_TEXTS[language]
    scenario = {"scenario": {"type": "string", "description": words["menu_scenario"]}} if has_rules else {}
    skill: JsonObject = {"type": "string", "enum": [*enum, NO_SKILL_ID], "description": words["menu_skill"]}
    return {"type": "object", "properties": {"skill": skill, **scenario}, "required": ["skill"]}
