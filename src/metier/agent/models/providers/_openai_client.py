"""LangChain's client for OpenAI's protocol, with the parts of other servers that it leaves out."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final, Self, cast

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import PrivateAttr, model_validator

from metier.agent.models.providers._plain_stream import PlainCompletions
from metier.agent.models.providers._reply_variants import needs_normalising, normalise_reply
from metier.agent.models.providers._usage import UsageSoFar

_REASONING: Final = ("reasoning_content", "reasoning")  # DeepSeek, vLLM, Qwen, llama.cpp; OpenRouter, newer vLLM


class OpenAIClient(ChatOpenAI):
    """`ChatOpenAI` that keeps reasoning, reads one choice, and counts every token once.

    `ChatOpenAI` drops `reasoning_content`, which OpenAI itself does not send, and joins the texts of several streamed
    choices. Reasoning is put where LangChain's clients of other providers put it, in `additional_kwargs`. From there it
    is sent back in the field that the server uses itself: models that think between tool calls need it.
    """

    _reasoning_field: str = PrivateAttr(default=_REASONING[0])

    @model_validator(mode="after")
    def _read_plain_streams(self) -> Self:
        if not isinstance(self.async_client, PlainCompletions):
            self.async_client = PlainCompletions(self.async_client)
        return self

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        sent, messages = payload.get("messages"), self._convert_input(input_).to_messages()
        for message, wire in zip(messages, sent, strict=True) if isinstance(sent, list) else ():
            if isinstance(message, AIMessage) and (text := message.additional_kwargs.get("reasoning_content")):
                wire[self._reasoning_field] = text
        return payload

    @classmethod
    def with_chunk_timeout(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Options with the operator's timeout also between two chunks.

        LangChain gives up after two minutes without one, also where a small machine is still reading the prompt.
        """
        if "stream_chunk_timeout" not in cls.model_fields or options.get("timeout") is None:
            return options
        return {"stream_chunk_timeout": options["timeout"], **options}

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        usage = UsageSoFar()
        for chunk in super()._stream(*args, **kwargs):
            yield usage.to_added(chunk)

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        usage = UsageSoFar()
        async with aclosing(cast("AsyncGenerator[ChatGenerationChunk]", super()._astream(*args, **kwargs))) as chunks:
            async for chunk in chunks:
                yield usage.to_added(chunk)

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        choices = _choices(chunk) or _choices(chunk.get("chunk"))
        if choices and not any(_is_first(choice) for choice in choices):
            return None
        if choices and needs_normalising(choices[0].get("delta")) and _choices(chunk):
            chunk = normalise_reply(chunk, "delta")
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        if made is not None and choices and (text := self._read_reasoning(choices[0].get("delta"))):
            made.message.additional_kwargs["reasoning_content"] = text
        return made

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        told = response if isinstance(response, dict) else response.model_dump(warnings=False)
        choices = _choices(told)
        if choices and needs_normalising(choices[0].get("message")):
            response = normalise_reply(told, "message")
        result = super()._create_chat_result(response, generation_info)
        del result.generations[1:]
        if choices and result.generations and (text := self._read_reasoning(choices[0].get("message"))):
            message = result.generations[0].message
            if isinstance(message, AIMessage):
                message.additional_kwargs["reasoning_content"] = text
        return result

    def _read_reasoning(self, message: object) -> str:
        told = message if isinstance(message, Mapping) else {}
        for name in _REASONING:
            if isinstance(text := told.get(name), str) and text:
                self._reasoning_field = name
                return text
        return ""


def _choices(chunk: object) -> Sequence[Mapping[str, Any]]:
    found = chunk.get("choices") if isinstance(chunk, Mapping) else None
    return found if isinstance(found, list) else ()


def _is_first(choice: Mapping[str, Any]) -> bool:
    return not choice.get("index")
