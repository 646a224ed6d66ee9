"""Names of tools and their parameters for people, in each language: what forms, cards and approvals show."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText
from metier.tools._functions import FORM_HINTS, FunctionTool

if TYPE_CHECKING:
    from pydantic.config import JsonDict


def show_as(
    zh: str, en: str, *, hidden: bool = False, widget: str = "", labels: JsonObject | None = None
) -> "JsonDict":
    """Title of a parameter, for `json_schema_extra` of its field; a hidden one is never asked of a person.

    `labels` are the names of its values: a text, or one in each language (`{"zh": …, "en": …}`).
    """
    shown: dict[str, JsonValue] = {"title": {"zh": zh, "en": en}}
    options: dict[str, JsonValue] = {"labels": dict(labels or {}), "hidden": hidden, "widget": widget}
    return {FORM_HINTS: cast("JsonDict", shown | {name: value for name, value in options.items() if value})}


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
