"""The choose-a-skill tool: from which skills the model may choose, and the result of its choice. Pure functions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from metier.agent.adapters import control_message
from metier.context import CHOOSE_MENU_TOKENS, SkillChoice, SkillMenu, build_skill_menu
from metier.json_values import JsonObject
from metier.language import Language
from metier.skills import Catalog, Skill
from metier.tools import ToolCall

MAX_SHORTLISTED: Final = 8
_MAX_MENU_TOKENS: Final = 600
_MAX_FULL_MENU_TOKENS: Final = 1500
_MAX_FULL_MENU_SKILLS: Final = 100


def is_last_from_user(messages: Sequence[BaseMessage]) -> bool:
    """Whether the last message is the user's."""
    return bool(messages) and isinstance(messages[-1], HumanMessage)


def make_shortlist(
    catalog: Catalog, ranked: Sequence[tuple[str, float]], max_count: int = MAX_SHORTLISTED
) -> tuple[tuple[Skill, float], ...]:
    """The router's candidates, filled up with the first skills of the catalog."""
    scored = {skill: score for skill, score in ranked if skill in catalog}
    for skill in catalog:
        if len(scored) >= max_count:
            break
        if skill.enabled and skill.invocation.by_model:
            scored.setdefault(skill.id, 0.0)
    return tuple((catalog[skill], score) for skill, score in list(scored.items())[:max_count])


def fits_menu(catalog: Catalog, language: Language) -> bool:
    """Whether all skills fit on the menu of one prompt, each with its whole description."""
    choices = list_choices(catalog)
    if len(choices) > _MAX_FULL_MENU_SKILLS:
        return False
    menu = build_skill_menu(choices, CHOOSE_MENU_TOKENS, language=language, max_offered=len(choices))
    return not menu.dropped


def list_choices(catalog: Catalog) -> tuple[tuple[Skill, float], ...]:
    """All skills that a model may choose, in the catalog's order."""
    return tuple((skill, 0.0) for skill in catalog if skill.enabled and skill.invocation.by_model)


def list_for_user(catalog: Catalog, shortlist: Sequence[tuple[Skill, float]] = ()) -> tuple[Skill, ...]:
    """Skills that a user may name: those nearest to the message first, then one of each group in turn."""
    near = [skill for skill, score in shortlist if score > 0 and skill.enabled and skill.invocation.by_user]
    groups: dict[str, list[Skill]] = {}
    for skill in catalog:
        if skill.enabled and skill.invocation.by_user and skill not in near:
            groups.setdefault(skill.group, []).append(skill)
    in_turn = (skill for row in zip_longest(*groups.values()) for skill in row if skill is not None)
    return (*near, *in_turn)


def make_menu(shortlist: Sequence[tuple[Skill, float]], language: Language) -> SkillMenu:
    """Skill menu for a shortlist, with its own token budget beside the prompt's."""
    return build_skill_menu(shortlist, _MAX_MENU_TOKENS, language=language)


def make_full_menu(catalog: Catalog, language: Language) -> SkillMenu:
    """Menu of all skills that a model may choose; those that do not fit are dropped from the end."""
    choices = list_choices(catalog)
    return build_skill_menu(choices, _MAX_FULL_MENU_TOKENS, language=language, max_offered=len(choices))


def make_menu_tool(name: str, menu: SkillMenu) -> dict[str, Any]:
    """The choose-a-skill tool in the OpenAI format, with the description and enum of this menu."""
    tool: dict[str, Any] = json.loads(json.dumps(menu.to_tool(name), default=dict))
    return tool


@dataclass(frozen=True, slots=True)
class ChosenSkill:
    """The model's choice: the skill and its rule (`scenario`), or none; `message` answers the call."""

    is_known: bool
    skill: Skill | None
    scenario: str | None
    message: ToolMessage


def choose_from_menu(call: ToolCall, catalog: Catalog, menu: SkillMenu) -> ChosenSkill:
    """Read the model's choice and answer it. A skill of the catalog that was not on the menu is accepted too."""
    choice, skill = _read_choice(call.arguments, catalog, menu)
    given = call.arguments.get("scenario")
    scenario = given.strip() or None if isinstance(given, str) else None
    message = control_message(call, _choice_result(choice, skill, menu), ok=choice.known)
    return ChosenSkill(choice.known, skill, scenario, message)


def _read_choice(arguments: JsonObject, catalog: Catalog, menu: SkillMenu) -> tuple[SkillChoice, Skill | None]:
    given = arguments.get("skill", arguments.get("skill_name", ""))
    name = given if isinstance(given, str) else ""
    choice = menu.read_choice(name)
    if choice.skill is not None:
        return choice, catalog.get(choice.skill)
    found = catalog.get(name.strip())
    if not choice.known and found is not None and found.enabled and found.invocation.by_model:
        return SkillChoice(found.id, True, choice.text), found
    return choice, None


def _choice_result(choice: SkillChoice, skill: Skill | None, menu: SkillMenu) -> JsonObject:
    if skill is not None:
        return {"status": "activated", "skill": skill.id, "title": skill.title, "message": choice.text}
    if choice.known:
        return {"status": "default", "skill": None, "message": choice.text}
    return {"status": "unknown", "available": list(menu.enum), "message": choice.text}
