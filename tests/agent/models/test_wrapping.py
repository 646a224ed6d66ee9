"""Models that wrap another one: who is on the bill, and whose callbacks are told."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models.base import LangSmithParams
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from metier.agent import TextToolModel
from metier.agent.models import model_name
from metier.agent.models.providers import ResilientModel
from metier.testing import FakeModel
from tests.agent.support import Toolbox


class Named(FakeModel):
    """A model that knows its name, as those of providers do."""

    provider: str = ""

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: object) -> LangSmithParams:
        return LangSmithParams(ls_provider=self.provider, ls_model_name="qwen3")


STEADY = ResilientModel(models=(FakeModel(), FakeModel()), names=("openai:gpt-5", "ollama:qwen3"))
STOOD_IN = AIMessage("", response_metadata={"metier": {"attempts": 2, "fallback": True, "model": 1}})
AGAIN = AIMessage("", response_metadata={"metier": {"attempts": 2, "fallback": False, "model": 0}})


@pytest.mark.parametrize(
    ("model", "reply", "name"),
    [
        pytest.param(FakeModel(), None, "metier-fake", id="one without a name"),
        pytest.param(Named(provider="ollama"), None, "ollama:qwen3", id="by itself"),
        pytest.param(Named(), None, "qwen3", id="without a provider"),
        pytest.param(STEADY, AIMessage(""), "openai:gpt-5", id="by the settings"),
        pytest.param(STEADY, AGAIN, "openai:gpt-5", id="at the second attempt"),
        pytest.param(STEADY, STOOD_IN, "ollama:qwen3", id="the stand-in"),
        pytest.param(
            ResilientModel(models=(Named(provider="ollama"),)), None, "ollama:qwen3", id="steady without names"
        ),
        pytest.param(TextToolModel(model=STEADY), None, "openai:gpt-5", id="by the text protocol"),
    ],
)
def test_the_bill_names_the_model_that_answered(model: BaseChatModel, reply: AIMessage | None, name: str) -> None:
    assert model_name(model, reply) == name
    assert model_name(model.bind(stop=["x"]), reply) == name


class Tokens(AsyncCallbackHandler):
    """Counts the runs and joins the tokens that a caller's callback is told."""

    def __init__(self) -> None:
        self.text, self.runs = "", 0

    async def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
        self.runs += 1

    async def on_llm_new_token(self, token: Any, **kwargs: Any) -> None:
        self.text += str(token)


@pytest.mark.parametrize("wrap", [lambda fake: ResilientModel(models=(fake,)), lambda fake: TextToolModel(model=fake)])
async def test_a_call_of_the_wrapper_is_one_run_also_with_tools(wrap: Callable[[FakeModel], BaseChatModel]) -> None:
    model, seen = wrap(FakeModel().say("one ", "two")).bind_tools(Toolbox().tools()), Tokens()

    async def ask(_: object) -> str:  # inside another run, whose callbacks are inherited
        return "".join([piece.text async for piece in model.astream("hi")])

    assert await RunnableLambda(ask).ainvoke("", {"callbacks": [seen]}) == "one two"
    assert (seen.text, seen.runs) == ("one two", 1)
