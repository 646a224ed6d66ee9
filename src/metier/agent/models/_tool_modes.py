"""Chooses how tools reach a model: by setting, by what is known of its provider, or by asking its endpoint once."""

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from metier.agent.models._text_tools import TextToolModel
from metier.agent.models._wrapping import WrappingModel
from metier.agent.models.decoding import (
    Capabilities,
    CapabilityStore,
    Dialect,
    Endpoint,
    NativeToolModel,
    ReadingModel,
    SchemaToolModel,
    dialect_of,
    is_refusal,
    probe_endpoint,
)
from metier.clock import utc_now
from metier.errors import InvalidSettings
from metier.model_settings import ToolsMode

AnyTool = dict[str, Any] | type | Callable[..., Any] | BaseTool

_STRICT: Final[Mapping[str, Dialect]] = MappingProxyType({"openai": "strict", "anthropic": "claude"})
_ABOUT_TOOLS: Final = re.compile(r"tool|function", re.IGNORECASE)
_ABOUT_SCHEMAS: Final = re.compile(r"schema|response_format|grammar|structured|guided|format", re.IGNORECASE)


def wrap_by_mode(model: BaseChatModel, setting: ToolsMode, endpoint: Endpoint, store: CapabilityStore) -> BaseChatModel:
    """Wrap a provider's model so that `bind_tools` works in the mode of the setting.

    `auto` takes the strict tools of OpenAI and Anthropic, the native tools of other services, and asks an endpoint of
    the operator's own when it is first used.
    """
    if setting == "text":
        return TextToolModel(model=model)
    if setting == "native" or (setting == "auto" and not _is_asked(endpoint)):
        is_own = setting == "auto" and not endpoint.base_url
        return NativeToolModel(model=model, strict=_STRICT.get(endpoint.provider) if is_own else None)
    return AskedToolModel(model=model, setting=setting, endpoint=endpoint, store=store)


def _is_asked(endpoint: Endpoint) -> bool:
    return endpoint.provider == "ollama" or (endpoint.provider == "openai" and bool(endpoint.base_url))


class AskedToolModel(WrappingModel):
    """Model at an endpoint whose abilities are asked at the first call, never more than once at a time."""

    model: BaseChatModel
    setting: ToolsMode
    endpoint: Endpoint
    store: CapabilityStore
    _tools: tuple[AnyTool, ...] | None = PrivateAttr(default=None)
    _options: dict[str, Any] = PrivateAttr(default_factory=dict)

    def bind_tools(
        self, tools: Sequence[AnyTool], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model with these tools; how they are sent is decided at the first call."""
        bound = self.model_copy()
        bound._tools, bound._options = tuple(tools), {"tool_choice": tool_choice, **kwargs}
        return bound

    @property
    def wrapped(self) -> BaseChatModel:
        return self.model

    @property
    def capabilities(self) -> Capabilities | None:
        """What is known of the endpoint without asking it."""
        return self.store.get(self.endpoint)

    async def ask_capabilities(self) -> Capabilities:
        """What is known of the endpoint; it is asked if nothing is."""
        return await self.store.aask(self.endpoint, self._probe)

    @property
    def _llm_type(self) -> str:
        return f"metier-asked-{self.model._llm_type}"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        target = self._choose(self.store.ask(self.endpoint, self._probe))
        try:
            return target._generate(messages, stop, run_manager, **kwargs)
        except Exception as error:
            if (other := self._replace(target, error)) is not None:
                return other._generate(messages, stop, run_manager, **kwargs)
            raise

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        target = self._choose(await self.store.aask(self.endpoint, self._probe))
        try:
            return await target._agenerate(messages, stop, run_manager, **kwargs)
        except Exception as error:
            if (other := self._replace(target, error)) is not None:
                return await other._agenerate(messages, stop, run_manager, **kwargs)
            raise

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        target = self._choose(self.store.ask(self.endpoint, self._probe))
        sent = False
        try:
            for chunk in target._stream(messages, stop, run_manager, **kwargs):
                sent = True
                yield chunk
        except Exception as error:
            other = None if sent else self._replace(target, error)
            if other is not None:
                yield from other._stream(messages, stop, run_manager, **kwargs)
                return
            raise

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        target = self._choose(await self.store.aask(self.endpoint, self._probe))
        sent = False
        try:
            async for chunk in target._astream(messages, stop, run_manager, **kwargs):
                sent = True
                yield chunk
        except Exception as error:
            other = None if sent else self._replace(target, error)
            if other is not None:
                async for chunk in other._astream(messages, stop, run_manager, **kwargs):
                    yield chunk
                return
            raise

    def _probe(self) -> Capabilities:
        return probe_endpoint(self.model, self.endpoint)

    def _choose(self, found: Capabilities) -> ReadingModel:
        if self.setting == "schema" and found.schema is None:
            message = f"the endpoint of model {self.endpoint.model!r} does not hold replies to a JSON Schema"
            raise InvalidSettings(message, hint="set METIER_MODEL_TOOLS=auto, native or text")
        return self._bind(self._wrap(found))

    def _wrap(self, found: Capabilities) -> ReadingModel:
        if found.schema is not None:
            dialect = dialect_of(found.engine)
            return SchemaToolModel(model=self.model, method=found.schema, dialect=dialect, thinking=found.thinking)
        kind = TextToolModel if found.mode == "text" else NativeToolModel
        return kind(model=self.model, thinking=found.thinking)

    def _bind(self, target: ReadingModel) -> ReadingModel:
        if self._tools is None:
            return target
        bound = target.bind_tools(self._tools, **self._options)
        if not isinstance(bound, ReadingModel):
            raise TypeError(f"{type(target).__name__}.bind_tools took no part of {sorted(self._options)}")
        return bound

    def _replace(self, target: ReadingModel, error: Exception) -> ReadingModel | None:
        """Another way for the same call, if the endpoint refuses this one; what was learned is remembered."""
        if self._tools is None or not is_refusal(error):
            return None
        known = self.capabilities or Capabilities(asked_at=utc_now().isoformat())
        if isinstance(target, NativeToolModel) and _ABOUT_TOOLS.search(str(error)):
            known = replace(known, tools=False, schema=None)
        elif isinstance(target, SchemaToolModel) and self.setting == "auto" and _ABOUT_SCHEMAS.search(str(error)):
            known = replace(known, schema=None)
        else:
            return None
        self.store.put(self.endpoint, known)
        return self._bind(self._wrap(known))
