"""Who is on the bill."""

import pytest
from langchain_core.language_models.base import LangSmithParams
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage

from metier.agent import TextToolModel
from metier.agent.models import model_name
from metier.agent.models._resilient import ResilientModel
from metier.testing import FakeModel


class Named(FakeModel):
    """A model that knows its name, as those of providers do."""

    provider: str = ""

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: object) -> LangSmithParams:
        return LangSmithParams(ls_provider=self.provider, ls_model_name="qwen3")


STEADY = ResilientModel(models=(FakeModel(), FakeModel()), names=("openai:gpt-5", "ollama:qwen3"))
STOOD_IN = AIMessage("", response_metadata={"metier": {"attempts": 2, "fallback": True}})
AGAIN = AIMessage("", response_metadata={"metier": {"attempts": 2, "fallback": False}})


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
