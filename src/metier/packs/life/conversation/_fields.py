"""Parameters that several tools share, named for people in both languages."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from metier.language import BilingualText, Language
from metier.tools import FunctionTool


def make_hints(zh: str, en: str, *, hidden: bool = False) -> dict[str, object]:
    """Hints for forms and cards: the title of a parameter in both languages."""
    return {"x-ui": {"title": {"zh": zh, "en": en}, **({"hidden": True} if hidden else {})}}


Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="用户的话 · user's words",
        json_schema_extra=make_hints("你的话", "Your words"),
    ),
]
SummaryLanguage = Annotated[
    Language,
    Field(description="语言 · language", json_schema_extra=make_hints("语言", "Language", hidden=True)),
]


def add_titles(tool: FunctionTool, titles: Mapping[str, BilingualText]) -> FunctionTool:
    """Tool with its name and description for people, in each language, as cards and forms show them."""
    spec = tool.spec
    zh, _, en = spec.description.partition("。")
    hints = {"title": titles[spec.name].to_json(), "description": {"zh": f"{zh}。", "en": en.strip()}}
    return replace(tool, spec=replace(spec, parameters={**spec.parameters, "x-ui": hints}))
