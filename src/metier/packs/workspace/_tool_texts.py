"""Texts that forms and cards show for the pack's tools, in both languages."""

from collections.abc import Mapping
from dataclasses import replace

from metier.json_values import JsonValue
from metier.language import BilingualText
from metier.tools import FunctionTool


def form_hint(zh: str, en: str, *, hidden: bool = False) -> dict[str, JsonValue]:
    """Title of an argument for forms; a hidden one is never asked of a person."""
    return {"x-ui": {"title": {"zh": zh, "en": en}, **({"hidden": True} if hidden else {})}}


def add_titles(tool: FunctionTool, titles: Mapping[str, BilingualText]) -> FunctionTool:
    """Tool with its name and description for people; the docstring is `中文。English.`"""
    spec = tool.spec
    zh, _, en = spec.description.partition("。")
    hints = {"title": titles[spec.name].to_json(), "description": {"zh": f"{zh}。", "en": en.strip()}}
    return replace(tool, spec=replace(spec, parameters={**spec.parameters, "x-ui": hints}))
