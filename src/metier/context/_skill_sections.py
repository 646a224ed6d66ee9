"""Turns a skill and its material into prompt sections: instructions, rules, cases and user data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from metier.context._cases import CaseMatch, coverage, read_label_terms, read_message_terms
from metier.context._data import UserData
from metier.context._fences import fence, replace_control_chars
from metier.context._messages import dump_json
from metier.context._prompt_texts import PROMPT_TEXTS
from metier.context._sections import Piece, Section
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, join_names
from metier.skills import Case, OutputContract, Rule, Skill

INSTRUCTIONS: Final = "instructions"
# Reading order: what changes least comes first, so that a cached prefix stays valid longest.
SECTION_ORDER: Final = (INSTRUCTIONS, "output", "sop", "rule_index", "rules", "profile", "cases", "documents")
# What is kept longest when the budget is short: user data and steps before rules, rules before old messages, those
# before cases and documents.
SECTION_PRIORITIES: Mapping[str, int] = MappingProxyType(
    {"output": 90, "sop": 80, "profile": 75, "rule_index": 70, "rules": 60, "history": 50, "cases": 40, "documents": 30}
)
_IMPACT_WORTH: Mapping[str, float] = MappingProxyType({"critical": 0.8, "high": 0.6, "medium": 0.4, "low": 0.2})
_ACTIVE_RULE_WORTH: Final = 10.0
_MENTIONED_WORTH: Final = 2.0


@dataclass(frozen=True, slots=True)
class ContextDocument:
    """A text from outside (an open document, a web page, search results) and its source."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """Inputs of the work phase besides the skill and the history.

    `profile` and `skill_data` hold the data asked for by `build_data_request`. `rule` is the rule being followed.
    `plan` replaces the skill's own steps. `cases` come from outside the skill's files. `together` are skills in use
    beside the first.
    """

    profile: JsonObject = field(default_factory=lambda: MappingProxyType({}))
    skill_data: Mapping[str, JsonObject] = field(default_factory=lambda: MappingProxyType({}))
    rule: str | None = None
    documents: tuple[ContextDocument, ...] = ()
    plan: str = ""
    cases: tuple[Case, ...] = ()
    together: tuple[Skill, ...] = ()


def build_skill_sections(skill: Skill, material: Material, message: str, *, language: Language) -> list[Section]:
    """Sections of the skill's own content; the instructions are required and never cut."""
    words = PROMPT_TEXTS[language]
    about = "\n\n".join(map(_render_instructions, (skill, *material.together)))
    active = material.rule or skill.default_scenario or None
    steps = replace_control_chars(material.plan).strip() or _render_steps(skill.sop)
    return [
        Section(INSTRUCTIONS, about, 100, required=True),
        _text_section("output", words["output"], render_contract(skill.output, words)),
        _text_section("sop", words["sop"], steps),
        _text_section("rule_index", words["rule_index"], _render_rule_index(skill.rules)),
        _rules_section(skill.rules, active, message, words),
    ]


def _render_instructions(skill: Skill) -> str:
    name = f"# {skill.title} ({skill.id})" if skill.title != skill.id else f"# {skill.id}"
    return "\n\n".join(part for part in (name, skill.description.strip(), skill.instructions.strip()) if part)


def build_data_sections(
    data: UserData, cases: Sequence[CaseMatch], documents: Sequence[ContextDocument], *, language: Language
) -> list[Section]:
    """Sections of untrusted data: each piece is fenced separately, so that any of them can be dropped."""
    words = PROMPT_TEXTS[language]
    fields = [Piece(one.path, fence(dump_json(one.value), f"profile {one.path}")) for one in data.fields]
    if data.missing:
        missing = words["data_missing"].format(paths=join_names(data.missing, language))
        fields.append(Piece("missing", missing, worth=1, required=True))
    matched = [_case_piece(match) for match in cases]
    texts = [
        Piece(f"{number} {document.source}", fence(document.text, document.source), worth=-number)
        for number, document in enumerate(documents, 1)
    ]
    return [
        _pieces_section("profile", words["profile"], fields),
        _pieces_section("cases", words["cases"], matched),
        _pieces_section("documents", words["documents"], texts),
    ]


def apply_limits(sections: Sequence[Section], limits: Mapping[str, int]) -> list[Section]:
    """Apply the operator's token limits; a required section has none."""
    return [one if one.required else replace(one, limit_tokens=limits.get(one.name)) for one in sections]


def _text_section(name: str, heading: str, text: str) -> Section:
    return Section(name, f"{heading}\n\n{text}" if text else "", SECTION_PRIORITIES[name])


def _pieces_section(name: str, heading: str, pieces: Sequence[Piece]) -> Section:
    return Section(name, heading if pieces else "", SECTION_PRIORITIES[name], pieces=tuple(pieces))


def _case_piece(match: CaseMatch) -> Piece:
    case = match.case
    return Piece(case.id, fence(f"{case.title}\n\n{str(case.text).strip()}", f"case {case.id}"), worth=match.score)


def _rules_section(rules: Mapping[str, Rule], active: str | None, message: str, words: Mapping[str, str]) -> Section:
    said = read_message_terms(message)
    pieces = [
        Piece(
            rule.id,
            f"### {rule.title}{words['active'] if rule.id == active else ''}\n\n{str(rule.text).strip()}",
            worth=_rule_worth(rule, active, said),
        )
        for rule in rules.values()
    ]
    return _pieces_section("rules", words["rules"], pieces)


def _rule_worth(rule: Rule, active: str | None, said: frozenset[str]) -> float:
    """The rule being followed ranks first, then rules the message mentions, then those marked as important."""
    named = max(
        (coverage(read_label_terms(word), said) for word in (*rule.triggers, *rule.tags, rule.title)), default=0.0
    )
    return (
        _ACTIVE_RULE_WORTH * (rule.id == active)
        + _MENTIONED_WORTH * named
        + _IMPACT_WORTH.get(rule.impact.lower(), 0.0)
    )


def _render_rule_index(rules: Mapping[str, Rule]) -> str:
    """List all rules by name when there are several, so that the model can ask for one that did not fit."""
    if len(rules) < 2:
        return ""
    return "\n".join(f"- {rule.id}: {rule.title}" for rule in rules.values())


def _render_steps(sop: Sequence[JsonObject]) -> str:
    return "\n".join(f"{number}. {_render_step(step)}" for number, step in enumerate(sop, 1))


def _render_step(step: JsonObject) -> str:
    title = _to_text(step.get("title")) or _to_text(step.get("id"))
    parts = [f"{key}: {_to_text(step.get(key))}" for key in ("call", "ask", "when") if step.get(key)]
    return f"{title} ({'; '.join(parts)})" if title and parts else title or "; ".join(parts) or dump_json(step)


def _to_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else "" if value is None else dump_json(value)


def render_contract(output: OutputContract, words: Mapping[str, str]) -> str:
    """The skill's requirements for the answer, as sentences; empty if it has none."""
    said = [words["output_schema"].format(output.schema)] if output.schema else []
    said += [words["output_json"].format(dump_json(output.json_schema))] if output.json_schema else []
    said += [words["output_markers"].format(", ".join(output.markers))] if output.markers else []
    said += [words["output_chars"].format(output.max_chars)] if output.max_chars else []
    return " ".join(said)
