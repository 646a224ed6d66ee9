"""Tools as they are sent: every provider takes them, and the model still knows what is needed."""

from metier.agent.adapters import to_openai
from metier.agent.models.providers._wire_tools import to_wire_tools
from metier.tools import function_tool


def test_alternatives_at_the_top_of_a_schema_become_words() -> None:
    properties = {"text": {"type": "string"}, "glob": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    ways = [{"required": ["text"]}, {"required": ["glob", "path"]}]
    parameters = {"type": "object", "properties": properties, "anyOf": ways}
    tool = {"type": "function", "function": {"name": "find", "description": "Find files.", "parameters": parameters}}
    (sent,) = to_wire_tools([tool])
    assert isinstance(sent, dict)
    assert sent["function"]["parameters"] == {"type": "object", "properties": properties}
    assert sent["function"]["description"] == "Find files. Needed: text or glob and path."


def test_other_tools_are_left_as_they_are() -> None:
    def look(where: str) -> str:
        """Look."""
        return where

    tool = to_openai(function_tool(look).spec)
    assert to_wire_tools([tool, {"type": "web_search"}]) == [tool, {"type": "web_search"}]
