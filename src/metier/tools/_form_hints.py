"""Names of tools and their parameters for people, in each language: what forms, cards and approvals show."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from metier.json_values import JsonValue
from metier.language import BilingualText
from metier.tools._functions import FORM_HINTS, FunctionTool


def show_as(zh: str, en: str, *, hidden: bool = False, widget: str = "") -> dict[str, JsonValue]:
    """Title of a parameter, for `json_schema_extra` of its field; a hidden one is never asked of a person."""
    shown: dict[str, JsonValue] = {"title": {"zh": zh, "en": en}}
    return {FORM_HINTS: shown | ({"hidden": True} if hidden else {}) | ({"widget": widget} if widget else {})}


def add_title(tool: FunctionTool, title: BilingualText) -> FunctionTool:
    """Tool with its name for people, and its description in each language if the docstring is `中文。English.`"""
    zh, stop, en = tool.spec.description.partition("。")
    shown: dict[str, JsonValue] = {"title": title.to_json()}
    if stop and en:
        shown["description"] = {"zh": f"{zh}{stop}", "en": en.strip()}
    return replace(tool, spec=replace(tool.spec, parameters={**tool.spec.parameters, FORM_HINTS: shown}))


def add_titles(tools: Iterable[FunctionTool], titles: Mapping[str, BilingualText]) -> tuple[FunctionTool, ...]:
    """Tools with their names for people, by the name that a model calls them by."""
    return tuple(add_title(tool, titles[tool.spec.name]) for tool in tools)
