"""The one skill that may be meant is taken where the one attached file is of a kind that it reads."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from metier.agent.choice._attached_names import load_attached_names
from metier.agent.turn import TurnState
from metier.patterns import compile_later
from metier.skills import Skill
from metier.tools import NEVER

# Whoever asks what a thing is or why wants no work done.
_ASKS_MEANING: Final = compile_later(
    r"^\s*(?:what(?:'s| is| are| does)|why|explain|tell me about)\b|是什么|什么意思|什么叫|为什么|解释", re.IGNORECASE
)


async def find_one_reader(state: TurnState, meant: Sequence[Skill]) -> tuple[Skill, str] | None:
    """The skill to take without a question, and why; None where several may be meant or it may write unasked.

    Its steps find a document of named kinds, and each tool that they call only reads or waits for an approval.
    """
    if len(meant) != 1 or not state.uses_builtin_model("choose") or _ASKS_MEANING.search(state.request.message):
        return None
    attached = await load_attached_names(state)
    if len(attached) != 1:
        return None
    skill, ending = meant[0], PurePosixPath(attached[0]).suffix.lower().lstrip(".")
    if ending not in _list_kinds(skill) or not all(_is_harmless(state, tool) for tool in _list_calls(skill)):
        return None
    return skill, f"“{attached[0]}” is the only attached file, and this is the only skill for it that may be meant"


def _list_kinds(skill: Skill) -> set[str]:
    """Kinds of files that the steps of a skill look for."""
    given = [one.get("with") for one in skill.sop]
    kinds = [one.get("kinds") for one in given if isinstance(one, Mapping)]
    return {str(kind) for one in kinds if isinstance(one, list | tuple) for kind in one}


def _list_calls(skill: Skill) -> list[str]:
    return [str(one["call"]) for one in skill.sop if "call" in one]


def _is_harmless(state: TurnState, tool: str) -> bool:
    """Whether a tool changes nothing, or shows first what it would change."""
    spec = state.get_spec(tool)
    return spec is not None and (not spec.effects - {"reads"} or spec.approval != NEVER)
