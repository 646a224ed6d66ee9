"""Tools are counted in the form in which the model gets them, and its window is asked from its endpoint."""

import json
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from metier.agent.adapters import spec_from_langchain, to_langchain_messages
from metier.agent.models import ModelEntry, ModelPool, get_tool_format, load_model
from metier.agent.models._text_transcript import to_schema_transcript, to_text_transcript
from metier.context import JSON_TOOLS, ContextBuilder, ContextCall, ContextMessage, PromptOptions
from metier.langchain import SchemaToolModel, TextToolModel
from metier.language import Language
from metier.testing import FakeModel
from metier.tokens import count_tokens
from tests.agent.models.decoding_server import DecodingServer
from tests.providers.server import Ability, ModelServer
from tests.providers.support import APIS, config_of

TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Find a thing. 查找。",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    }
    for name in ("find", "search")
]
SPECS = [spec_from_langchain(tool) for tool in TOOLS]


def written(model: Any, language: Language) -> str:
    """What a prompt says about the tools, by the format that is counted."""
    found = get_tool_format(model, language)
    return found.heading + "".join(found.render(tool) for tool in TOOLS)


def test_calls_and_results_are_counted_as_they_are_sent() -> None:
    rows = json.dumps([{"id": number, "text": f"Sales were {number} units."} for number in range(40)])
    history = [
        ContextMessage("user", "Sales?"),
        ContextMessage("assistant", "", (ContextCall("c1", "find", {"query": "sales"}),)),
        ContextMessage("tool", f'<data from="tool find">\n{rows}\n</data>', tool_call_id="c1", name="find"),
    ]
    for model in (SchemaToolModel(model=FakeModel()), TextToolModel(model=FakeModel())):
        options = PromptOptions(tool_format=get_tool_format(model, "en"))
        built = ContextBuilder(language="en").build_converse_prompt(history, options)
        sent = model._to_prompt([SystemMessage(built.system), *to_langchain_messages(built.messages)], "en")
        assert built.tokens == pytest.approx(sum(4 + count_tokens(one.text) for one in sent), rel=0.01)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_lines_that_are_counted_are_those_that_are_sent(language: Language) -> None:
    said = [SystemMessage("-"), HumanMessage("?")]
    for model, transcript in ((SchemaToolModel, to_schema_transcript), (TextToolModel, to_text_transcript)):
        sent = transcript(said, SPECS, language=language)[0].text.removeprefix("-\n\n")
        assert written(model(model=FakeModel()), language) == sent


def test_a_model_with_tools_of_its_own_gets_json() -> None:
    assert get_tool_format(FakeModel(), "en") == JSON_TOOLS


async def test_the_endpoint_says_how_tools_are_sent_and_how_large_its_window_is() -> None:
    with DecodingServer(["shell"], owner="vllm") as server:
        entry = ModelEntry("mine", config_of(server, tools="auto"))
        pool = ModelPool([entry], "mine", load=lambda one: load_model(one.config))
        assert await pool.ask_window("mine") == 8192
        assert "find(" in written(await pool.load("mine"), "en")
        asked = len(server.asked)
        assert await pool.ask_window("mine") == 8192
        assert len(server.asked) == asked


async def test_the_window_of_the_settings_goes_before_that_of_the_endpoint() -> None:
    with DecodingServer(["shell"], owner="vllm") as server:
        entry = ModelEntry("mine", config_of(server, tools="auto"), window=2000)
        pool = ModelPool([entry], "mine", load=lambda one: load_model(one.config))
        assert await pool.ask_window("mine") == 2000


async def test_an_endpoint_that_refuses_to_be_asked_has_no_known_window() -> None:
    with ModelServer(APIS["openai"](), Ability(key="other")) as server:
        entry = ModelEntry("mine", config_of(server, tools="auto"))
        pool = ModelPool([entry], "mine", load=lambda one: load_model(one.config))
        assert await pool.ask_window("mine") == 0
