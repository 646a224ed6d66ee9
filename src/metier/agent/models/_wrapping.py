"""Shared by the models that wrap another model: run it apart, pass its text on, name who answered."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, TypeVar, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import RunnableBinding
from langchain_core.runnables.config import var_child_runnable_config
from pydantic import ConfigDict

T = TypeVar("T")


class WrappingModel(BaseChatModel):
    """Chat model that passes its questions on to another one."""

    model_config = ConfigDict(defer_build=True)  # most kinds are never made

    @property
    @abstractmethod
    def wrapped(self) -> BaseChatModel:
        """Model that is asked; the first one if there are several."""

    def find_answering_model(self, reply: AIMessage | None) -> BaseChatModel | str:
        """Model that gave this reply, or its name if that is known."""
        return self.wrapped


def iter_wrapped(model: Any) -> Iterator[Any]:
    """The model and those inside it, the outermost first."""
    while True:
        yield model
        if not isinstance(model, WrappingModel | RunnableBinding):
            return
        model = model.wrapped if isinstance(model, WrappingModel) else model.bound


def model_name(model: Any, reply: AIMessage | None = None) -> str:
    """`provider:name` from the settings or from the model itself; the fallback's name if it answered."""
    while isinstance(model, WrappingModel | RunnableBinding):
        model = model.find_answering_model(reply) if isinstance(model, WrappingModel) else model.bound
    if isinstance(model, str):
        return model
    known = model._get_ls_params()
    name, provider = known.get("ls_model_name"), known.get("ls_provider")
    if not name:
        return str(model._llm_type)
    return f"{provider}:{name}" if provider else str(name)


def run_apart(call: Callable[[], T]) -> T:
    """Call the wrapped model without anything of the run around it: no callbacks, tags or configuration.

    A call of the wrapper is one run, its tokens counted and streamed once. An empty list of callbacks is not enough:
    `bind_tools` makes a `RunnableBinding`, and that adds the callbacks of the run around it again.
    """
    token = var_child_runnable_config.set(None)
    try:
        return call()
    finally:
        var_child_runnable_config.reset(token)


async def arun_apart(call: Callable[[], Awaitable[T]]) -> T:
    """As `run_apart`, for a call that is awaited."""
    token = var_child_runnable_config.set(None)
    try:
        return await call()
    finally:
        var_child_runnable_config.reset(token)


def stream_apart(pieces: Iterator[T]) -> Iterator[T]:
    """As `run_apart`, for a stream. Between two pieces the code that reads them has its own run again."""
    end = object()
    while (piece := run_apart(lambda: next(pieces, end))) is not end:
        yield cast("T", piece)


async def astream_apart(pieces: AsyncIterator[T]) -> AsyncGenerator[T, None]:
    """As `stream_apart`, for an asynchronous stream. Closing it closes the stream of the wrapped model."""
    try:
        while True:
            try:
                piece = await arun_apart(lambda: anext(pieces))
            except StopAsyncIteration:
                return
            yield piece
    finally:
        close = getattr(pieces, "aclose", None)
        if close is not None:
            await close()


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
