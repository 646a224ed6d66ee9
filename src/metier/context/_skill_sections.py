"""Turns a skill and its material into prompt sections: instructions, rules, cases and user data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from metier.context._cases import CaseMatch, coverage, said_terms, sought_terms
from metier.context._data import UserData
from metier.context._fences import fence, readable
from metier.context._messages import json_text
from metier.context._sections import Piece, Section
from metier.context._wording import WORDS, Language
from metier.jsons import JsonObject, JsonValue
from metier.skills import Case, OutputContract, Rule, Skill

INSTRUCTIONS: Final = "instructions"
# Reading order: what changes least comes first, so that a cached prefix stays valid longest.
ORDER: Final = (INSTRUCTIONS, "output", "sop", "rule_index", "rules", "profile", "cases", "documents")
# What is kept longest when the budget is short: user data and steps before rules, rules before old messages, those
# before cases and documents.
PRIORITIES: Mapping[str, int] = MappingProxyType(
    {"output": 90, "sop": 80, "profile": 75, "rule_index": 70, "rules": 60, "history": 50, "cases": 40, "documents": 30}
)
_IMPACTS: Mapping[str, float] = MappingProxyType({"critical": 0.8, "high": 0.6, "medium": 0.4, "low": 0.2})
_ACTIVE: Final = 10.0
_SAID: Final = 2.0


@dataclass(frozen=True, slots=True)
class Document:
    """A text from outside (an open document, a web page, search results) and its source."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """Inputs of the work phase besides the skill and the history.

    `profile` and `skill_data` hold the data asked for by `build_data_request`. `rule` is the rule being followed.
    `plan` replaces the skill's own steps. `cases` come from outside the skill's files.
    """

    profile: JsonObject = field(default_factory=lambda: MappingProxyType({}))
    skill_data: Mapping[str, JsonObject] = field(default_factory=lambda: MappingProxyType({}))
    rule: str | None = None
    documents: tuple[Document, ...] = ()
    plan: str = ""
    cases: tuple[Case, ...] = ()


def skill_sections(skill: Skill, material: Material, message: str, *, language: Language) -> list[Section]:
    """Sections of the skill's own content; the instructions are required and never cut."""
    words = WORDS[language]
    name = f"# {skill.title} ({skill.id})" if skill.title != skill.id else f"# {skill.id}"
    about = "\n\n".join(part for part in (name, skill.description.strip(), skill.instructions.strip()) if part)
    active = material.rule or skill.default_scenario or None
    steps = readable(material.plan).strip() or _steps(skill.sop)
    return [
        Section(INSTRUCTIONS, about, 100, required=True),
        _titled("output", words["output"], _contract(skill.output, words)),
        _titled("sop", words["sop"], steps),
        _titled("rule_index", words["rule_index"], _index(skill.rules)),
        _rules(skill.rules, active, message, words),
    ]


def data_sections(
    data: UserData, cases: Sequence[CaseMatch], documents: Sequence[Document], *, language: Language
) -> list[Section]:
    """Sections of untrusted data: each piece is fenced separately, so that any of them can be dropped."""
    words = WORDS[language]
    fields = [Piece(one.path, fence(json_text(one.value), f"profile {one.path}")) for one in data.fields]
    matched = [_case(match) for match in cases]
    texts = [
        Piece(f"{number} {document.source}", fence(document.text, document.source), worth=-number)
        for number, document in enumerate(documents, 1)
    ]
    return [
        _pieces("profile", words["profile"], fields),
        _pieces("cases", words["cases"], matched),
        _pieces("documents", words["documents"], texts),
    ]


def limited(sections: Sequence[Section], limits: Mapping[str, int]) -> list[Section]:
    """Apply the operator's token limits; a required section has none."""
    return [one if one.required else replace(one, limit_tokens=limits.get(one.name)) for one in sections]


def _titled(name: str, heading: str, text: str) -> Section:
    return Section(name, f"{heading}\n\n{text}" if text else "", PRIORITIES[name])


def _pieces(name: str, heading: str, pieces: Sequence[Piece]) -> Section:
    return Section(name, heading if pieces else "", PRIORITIES[name], pieces=tuple(pieces))


def _case(match: CaseMatch) -> Piece:
    case = match.case
    return Piece(case.id, fence(f"{case.title}\n\n{str(case.text).strip()}", f"case {case.id}"), worth=match.score)


def _rules(rules: Mapping[str, Rule], active: str | None, message: str, words: Mapping[str, str]) -> Section:
    said = said_terms(message)
    pieces = [
        Piece(
            rule.id,
            f"### {rule.title}{words['active'] if rule.id == active else ''}\n\n{str(rule.text).strip()}",
            worth=_rule_worth(rule, active, said),
        )
        for rule in rules.values()
    ]
    return _pieces("rules", words["rules"], pieces)


def _rule_worth(rule: Rule, active: str | None, said: frozenset[str]) -> float:
    """The rule being followed ranks first, then rules the message mentions, then those marked as important."""
    named = max((coverage(sought_terms(word), said) for word in (*rule.triggers, *rule.tags, rule.title)), default=0.0)
    return _ACTIVE * (rule.id == active) + _SAID * named + _IMPACTS.get(rule.impact.lower(), 0.0)


def _index(rules: Mapping[str, Rule]) -> str:
    """List all rules by name when there are several, so that the model can ask for one that did not fit."""
    if len(rules) < 2:
        return ""
    return "\n".join(f"- {rule.id}: {rule.title}" for rule in rules.values())


def _steps(sop: Sequence[JsonObject]) -> str:
    return "\n".join(f"{number}. {_step(step)}" for number, step in enumerate(sop, 1))


def _step(step: JsonObject) -> str:
    title = _word(step.get("title")) or _word(step.get("id"))
    parts = [f"{key}: {_word(step.get(key))}" for key in ("call", "ask", "when") if step.get(key)]
    return f"{title} ({'; '.join(parts)})" if title and parts else title or "; ".join(parts) or json_text(step)


def _word(value: JsonValue) -> str:
    return value if isinstance(value, str) else "" if value is None else json_text(value)


def _contract(output: OutputContract, words: Mapping[str, str]) -> str:
    said = [words["output_schema"].format(output.schema)] if output.schema else []
    said += [words["output_markers"].format(", ".join(output.markers))] if output.markers else []
    said += [words["output_chars"].format(output.max_chars)] if output.max_chars else []
    return " ".join(said)
