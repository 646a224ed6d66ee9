"""Transcript of a conversation with tool calls and results as text, for a model without tool calls."""

from collections.abc import Iterator, Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from metier.json_values import JsonInvalid, load_json
from metier.language import Language
from metier.tools import (
    ToolResult,
    ToolSpec,
    escape_result_mark,
    format_call,
    format_error,
    format_result,
    tool_instructions,
)


def to_text_transcript(
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
    rendered = [made for message in others for made in _render(message, results, document)]
    if tools:
        told = tool_instructions(tools, language=language, document=document is not None, must=must)
        system = [_join_system(system, told)]
    return [*system, *rendered]


def _join_system(system: Sequence[SystemMessage], told: str) -> SystemMessage:
    return SystemMessage("\n\n".join([*(message.text for message in system if message.text), told]))


def _render(message: BaseMessage, results: Mapping[str, ToolMessage], document: str | None) -> Iterator[BaseMessage]:
    if isinstance(message, ToolMessage):
        return  # rendered right after its call
    if isinstance(message, AIMessage):
        yield from _render_assistant(message, results, document)
    elif isinstance(message.content, str):
        yield message.model_copy(update={"content": escape_result_mark(message.content)})
    else:
        yield message.model_copy(update={"content": [_defuse_block(block) for block in message.content]})


def _render_assistant(
    message: AIMessage, results: Mapping[str, ToolMessage], document: str | None
) -> Iterator[BaseMessage]:
    """The model's text, then each call followed by its result: the protocol has no parallel calls."""
    if message.text.strip() or not message.tool_calls:
        yield AIMessage(escape_result_mark(message.text))
    for call in message.tool_calls:
        yield AIMessage(format_call(call["name"], call["args"], document=document))
        result = results.get(call["id"] or "")
        yield HumanMessage(_result_line(result) if result else format_error("the call has no result"))


def _result_line(message: ToolMessage) -> str:
    text = message.text or str(message.content)
    if message.status == "error":
        return format_error(text)
    try:
        data = load_json(text)
    except JsonInvalid:
        data = None
    return format_result(ToolResult(data=data if isinstance(data, Mapping) else {"text": text}))


def _defuse_block(block: str | dict[str, object]) -> str | dict[str, object]:
    if isinstance(block, str):
        return escape_result_mark(block)
    text = block.get("text")
    return {**block, "text": escape_result_mark(text)} if isinstance(text, str) else block
