"""Transcript of a conversation with tool calls and results as text, for a model without tool calls."""

from collections.abc import Iterator, Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from metier.jsons import JsonInvalid, load_json
from metier.tools import (
    Language,
    ToolResult,
    ToolSpec,
    call_text,
    defused,
    error_text,
    result_text,
    tool_instructions,
)


def with_protocol(
    messages: Sequence[BaseMessage],
    tools: Sequence[ToolSpec],
    *,
    language: Language = "en",
    document: str | None = None,
    must: str | None = None,
) -> list[BaseMessage]:
    """Messages for the wrapped model: tools described in the system message, calls and results as text.

    Text of users and of the model cannot pass for a result: only what the runtime adds starts with the marker.
    """
    system = [message for message in messages if isinstance(message, SystemMessage)]
    others = [message for message in messages if not isinstance(message, SystemMessage)]
    results = {message.tool_call_id: message for message in others if isinstance(message, ToolMessage)}
    rendered = [made for message in others for made in _rendered(message, results, document)]
    if tools:
        told = tool_instructions(tools, language=language, document=document is not None, must=must)
        system = [_joined(system, told)]
    return [*system, *rendered]


def _joined(system: Sequence[SystemMessage], told: str) -> SystemMessage:
    return SystemMessage("\n\n".join([*(message.text for message in system if message.text), told]))


def _rendered(message: BaseMessage, results: Mapping[str, ToolMessage], document: str | None) -> Iterator[BaseMessage]:
    if isinstance(message, ToolMessage):
        return  # rendered right after its call
    if isinstance(message, AIMessage):
        yield from _said(message, results, document)
    elif isinstance(message.content, str):
        yield message.model_copy(update={"content": defused(message.content)})
    else:
        yield message.model_copy(update={"content": [_defused_block(block) for block in message.content]})


def _said(message: AIMessage, results: Mapping[str, ToolMessage], document: str | None) -> Iterator[BaseMessage]:
    """The model's text, then each call followed by its result: the protocol has no parallel calls."""
    if message.text.strip() or not message.tool_calls:
        yield AIMessage(defused(message.text))
    for call in message.tool_calls:
        yield AIMessage(call_text(call["name"], call["args"], document=document))
        result = results.get(call["id"] or "")
        yield HumanMessage(_result_line(result) if result else error_text("the call has no result"))


def _result_line(message: ToolMessage) -> str:
    text = message.text or str(message.content)
    if message.status == "error":
        return error_text(text)
    try:
        data = load_json(text)
    except JsonInvalid:
        data = None
    return result_text(ToolResult(data=data if isinstance(data, Mapping) else {"text": text}))


def _defused_block(block: str | dict[str, object]) -> str | dict[str, object]:
    if isinstance(block, str):
        return defused(block)
    text = block.get("text")
    return {**block, "text": defused(text)} if isinstance(text, str) else block
