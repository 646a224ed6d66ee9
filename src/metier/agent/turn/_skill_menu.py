"""Skill menu: when the model may choose a skill, from which, and the result of its choice."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import BaseMessage, HumanMessage

from metier.agent.turn._resources import MAX_MENU_TOKENS
from metier.agent.turn._state import TurnState
from metier.context import SkillChoice, SkillMenu, build_skill_menu
from metier.json_values import JsonObject
from metier.language import Language
from metier.skills import Catalog, Skill

MAX_SHORTLISTED: Final = 8


def can_choose_skill(messages: Sequence[BaseMessage], state: TurnState) -> bool:
    """Whether the last message is the user's and no work of the skill in use is open."""
    return is_last_from_user(messages) and not (state.skill.active is not None and state.has_open_work)


def is_last_from_user(messages: Sequence[BaseMessage]) -> bool:
    """Whether the last message is the user's."""
    return bool(messages) and isinstance(messages[-1], HumanMessage)


def make_shortlist(catalog: Catalog, ranked: Sequence[tuple[str, float]]) -> tuple[tuple[Skill, float], ...]:
    """The router's candidates, filled up with the first skills of the catalog."""
    scored = {skill: score for skill, score in ranked if skill in catalog}
    for skill in catalog:
        if len(scored) >= MAX_SHORTLISTED:
            break
        if skill.enabled and skill.invocation.by_model:
            scored.setdefault(skill.id, 0.0)
    return tuple((catalog[skill], score) for skill, score in list(scored.items())[:MAX_SHORTLISTED])


def make_menu(shortlist: Sequence[tuple[Skill, float]], language: Language) -> SkillMenu:
    """Skill menu for a shortlist, with its own token budget beside the prompt's."""
    return build_skill_menu(shortlist, MAX_MENU_TOKENS, language=language)


def make_menu_tool(name: str, menu: SkillMenu) -> dict[str, Any]:
    """The choose-a-skill tool in the OpenAI format, with the description and enum of this menu."""
    parameters = json.loads(json.dumps(menu.parameters, default=dict))
    return {
        "type": "function",
        "function": {"name": name, "description": menu.description, "parameters": parameters},
    }


def read_choice(arguments: Mapping[str, Any], catalog: Catalog, menu: SkillMenu) -> tuple[SkillChoice, Skill | None]:
    """Parse the model's choice. A skill of the catalog that was not on the menu is accepted too."""
    given = arguments.get("skill", arguments.get("skill_name", ""))
    name = given if isinstance(given, str) else ""
    choice = menu.read_choice(name)
    if choice.skill is not None:
        return choice, catalog.get(choice.skill)
    found = catalog.get(name.strip())
    if not choice.known and found is not None and found.enabled and found.invocation.by_model:
        return SkillChoice(found.id, True, choice.text), found
    return choice, None


def choice_result(choice: SkillChoice, skill: Skill | None, menu: SkillMenu) -> JsonObject:
    """Result of a choice, for the model."""
    if skill is not None:
        return {"status": "activated", "skill": skill.id, "title": skill.title, "message": choice.text}
    if choice.known:
        return {"status": "default", "skill": None, "message": choice.text}
    return {"status": "unknown", "available": list(menu.enum), "message": choice.text}
