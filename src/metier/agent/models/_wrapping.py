"""Shared by the models that wrap another model: run it without callbacks, pass its text on, name who answered."""

from abc import abstractmethod
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import RunnableBinding, RunnableConfig


class WrappingModel(BaseChatModel):
    """Chat model that passes its questions on to another one."""

    @abstractmethod
    def answered_by(self, reply: AIMessage | None) -> BaseChatModel | str:
        """Model that gave this reply, or its name if that is known."""


def model_name(model: Any, reply: AIMessage | None = None) -> str:
    """`provider:name` from the settings or from the model itself; the fallback's name if it answered."""
    while isinstance(model, WrappingModel | RunnableBinding):
        model = model.answered_by(reply) if isinstance(model, WrappingModel) else model.bound
    if isinstance(model, str):
        return model
    known = model._get_ls_params()
    name, provider = known.get("ls_model_name"), known.get("ls_provider")
    if not name:
        return str(model._llm_type)
    return f"{provider}:{name}" if provider else str(name)


def no_callbacks() -> RunnableConfig:
    """Config without callbacks for the wrapped model: a call of the wrapper is one run, its tokens counted once."""
    return {"callbacks": []}


def notify(manager: CallbackManagerForLLMRun | None, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
    """Report a streamed chunk to the callbacks, and return it."""
    if manager:
        manager.on_llm_new_token(chunk.text, chunk=chunk)
    return chunk


async def anotify(manager: AsyncCallbackManagerForLLMRun | None, chunk: ChatGenerationChunk) -> ChatGenerationChunk:
    """Report a streamed chunk to the callbacks, and return it."""
    if manager:
        await manager.on_llm_new_token(chunk.text, chunk=chunk)
    return chunk
