"""LangChain's client for Ollama, which also reads the reasoning of models that think without being asked to."""

from typing import Any, Final

from langchain_core.messages import BaseMessage
from langchain_ollama import ChatOllama

_AS_THE_MODEL_DOES: Final = "default"


class OllamaClient(ChatOllama):
    """`ChatOllama` that keeps reasoning whether or not the operator has set `reasoning`.

    `ChatOllama` drops `thinking` unless `reasoning` is set, and setting it is an error for models that cannot think.
    """

    reasoning: bool | str | None = _AS_THE_MODEL_DOES

    def _chat_params(self, messages: list[BaseMessage], stop: list[str] | None = None, **kwargs: Any) -> dict[str, Any]:
        params = super()._chat_params(messages, stop, **kwargs)
        return {**params, "think": None} if params.get("think") == _AS_THE_MODEL_DOES else params
