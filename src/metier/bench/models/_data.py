"""Questions of the suite: messages for the choice of a skill, calls to fill in, calls that are not allowed."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from metier.json_values import JsonObject
from metier.language import Language
from metier.skills import Catalog, SkillLibrary

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ChoiceCase:
    """A message and the id of the skill it is for; empty if it is for none."""

    id: str
    lang: Language
    text: str
    skill: str


@dataclass(frozen=True, slots=True)
class ArgumentCase:
    """A request, the one tool that serves it, and the arguments that were asked for."""

    id: str
    lang: Language
    text: str
    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class RefusalCase:
    """A request for a tool that is not among those offered."""

    id: str
    lang: Language
    text: str
    forbidden: str


@cache
def read_choices() -> tuple[ChoiceCase, ...]:
    """Messages written for this suite; no router and no model was fitted to them."""
    return tuple(ChoiceCase(**row) for row in read_rows("data/messages.jsonl"))


@cache
def read_arguments() -> tuple[ArgumentCase, ...]:
    return tuple(ArgumentCase(**row) for row in read_rows("data/arguments.jsonl"))


@cache
def read_refusals() -> tuple[RefusalCase, ...]:
    return tuple(RefusalCase(**row) for row in read_rows("data/refusals.jsonl"))


@cache
def read_tools() -> dict[str, dict[str, Any]]:
    """The tools of arguments and refusals by name, in OpenAI's format."""
    listed = json.loads((_FOLDER / "data/tools.json").read_text("utf-8"))
    return {name: {"type": "function", "function": {"name": name, **tool}} for name, tool in listed.items()}


@cache
def read_catalog() -> Catalog:
    """Sixteen skills of five domains, in Chinese and English."""
    return SkillLibrary.from_folders(_FOLDER / "skills").catalog()


def read_rows(name: str) -> list[dict[str, Any]]:
    """Rows of a JSON Lines file of this folder."""
    return [json.loads(line) for line in (_FOLDER / name).read_text("utf-8").splitlines()]
