import json
from typing import Any

import pytest

from metier.context import JSON_TOOLS, ToolFormat, ToolOffer, fit_tools, shorten_tool
from metier.json_values import JsonObject
from metier.tokens import count_tokens


def tool(name: str, about: str = "Does one thing. Then says it again at length.", **properties: Any) -> JsonObject:
    parameters: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


TEXT = {"type": "string", "description": "what to look for", "minLength": 1, "maxLength": 500}
OFFERS = (
    ToolOffer(tool("step", query=TEXT), required=True),
    ToolOffer(tool("skill_tool", query=TEXT), 80),
    ToolOffer(tool("chart", query=TEXT), 40),
)
ALL_TOKENS = sum(count_tokens(JSON_TOOLS.render(one.definition)) for one in OFFERS)


def test_tools_that_fit_are_offered_as_they_are() -> None:
    fitted = fit_tools(OFFERS, ALL_TOKENS, count_tokens)
    assert fitted.definitions == tuple(one.definition for one in OFFERS)
    assert (fitted.tokens, fitted.dropped) == (ALL_TOKENS, ())


def test_the_least_important_tool_is_shortened_first_and_dropped_first() -> None:
    shortened = fit_tools(OFFERS, ALL_TOKENS - 1, count_tokens)
    assert [(one.piece, one.code) for one in shortened.dropped] == [("chart", "shortened")]
    tight = fit_tools(OFFERS, ALL_TOKENS * 2 // 3 - 5, count_tokens)
    assert tight.names == ("step", "skill_tool")
    assert [(one.piece, one.code) for one in tight.dropped] == [("skill_tool", "shortened"), ("chart", "section_limit")]
    assert tight.tokens <= ALL_TOKENS * 2 // 3 - 5


def test_a_tool_of_the_present_step_is_neither_shortened_nor_dropped() -> None:
    fitted = fit_tools(OFFERS, 0, count_tokens)
    assert fitted.definitions == (OFFERS[0].definition,)


def test_a_tool_is_shortened_to_one_sentence_without_bounds() -> None:
    short: Any = shorten_tool(tool("one", query=TEXT, title={"enum": ["a", "title"], "type": "string"}))
    assert short["function"]["description"] == "Does one thing."
    assert short["function"]["parameters"] == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "what to look for"},
            "title": {"enum": ["a", "title"], "type": "string"},
        },
    }


def test_a_tool_that_brings_its_own_short_form_is_shortened_to_it() -> None:
    short = tool("menu", "Short.")
    tokens = count_tokens(JSON_TOOLS.render(short))
    assert fit_tools([ToolOffer(tool("menu"), short=short)], tokens, count_tokens).definitions == (short,)


@pytest.mark.parametrize("heading", ["", "How to call tools."])
def test_tools_are_counted_in_the_form_in_which_they_are_sent(heading: str) -> None:
    form = ToolFormat(lambda definition: "one two three", heading)
    fitted = fit_tools(OFFERS, 1000, lambda text: len(text.split()), form)
    assert fitted.tokens == 9 + len(heading.split())
    assert fit_tools((), 1000, count_tokens, form).tokens == 0


def test_a_definition_is_counted_as_templates_write_it() -> None:
    assert JSON_TOOLS.render(tool("one")) == json.dumps(tool("one"), ensure_ascii=False)
