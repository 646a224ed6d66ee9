"""Transcript of a conversation with tool calls and results as text, for a model without tool calls."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from metier.context import unfence
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.language import Language
from metier.tools import (
    ToolResult,
    ToolSpec,
    escape_result_mark,
    format_call,
    format_error,
    format_result,
    schema_instructions,
    tool_instructions,
)

_RenderAssistant: TypeAlias = Callable[[AIMessage, Mapping[str, ToolMessage]], Iterator[BaseMessage]]


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
    told = tool_instructions(tools, language=language, document=document is not None, must=must) if tools else ""
    return _to_transcript(messages, told, partial(_render_assistant, document=document))


def to_schema_transcript(
    messages: Sequence[BaseMessage],
    tools: Sequence[ToolSpec],
    *,
    language: Language = "en",
    must: str | None = None,
    several: bool = False,
) -> list[BaseMessage]:
    """As `to_text_transcript`, for a model whose reply is decoded under a schema: its own messages have that form.

    Neighbours of the same role are joined, as some chat templates demand.
    """
    told = schema_instructions(tools, language=language, must=must, several=several) if tools else ""
    as_json = bool(tools) and must not in {
        tool.name for tool in tools
    }  # its own words had no form where one is demanded
    return _join_neighbours(_to_transcript(messages, told, partial(_render_decoded, as_json=as_json)))


def _to_transcript(messages: Sequence[BaseMessage], told: str, render: _RenderAssistant) -> list[BaseMessage]:
    system = [message for message in messages if isinstance(message, SystemMessage)]
    others = [message for message in messages if not isinstance(message, SystemMessage)]
    results = {message.tool_call_id: message for message in others if isinstance(message, ToolMessage)}
    rendered = [made for message in others for made in _render(message, results, render)]
    return [*([_join_system(system, told)] if told else system), *rendered]


def _join_system(system: Sequence[SystemMessage], told: str) -> SystemMessage:
    return SystemMessage("\n\n".join([*(message.text for message in system if message.text), told]))


def _render(
    message: BaseMessage, results: Mapping[str, ToolMessage], render: _RenderAssistant
) -> Iterator[BaseMessage]:
    if isinstance(message, ToolMessage):
        return  # rendered right after its call
    if isinstance(message, AIMessage):
        yield from render(message, results)
    elif isinstance(message.content, str):
        yield message.model_copy(update={"content": escape_result_mark(message.content)})
    else:
        yield message.model_copy(update={"content": [_defuse_block(block) for block in message.content]})


def _render_assistant(
    message: AIMessage, results: Mapping[str, ToolMessage], *, document: str | None
) -> Iterator[BaseMessage]:
    """The model's text, then each call followed by its result: the protocol has no parallel calls."""
    if message.text.strip() or not message.tool_calls:
        yield AIMessage(escape_result_mark(message.text))
    for call in message.tool_calls:
        yield AIMessage(format_call(call["name"], call["args"], document=document))
        yield _render_result(results.get(call["id"] or ""))


def _render_decoded(message: AIMessage, results: Mapping[str, ToolMessage], *, as_json: bool) -> Iterator[BaseMessage]:
    text = escape_result_mark(message.text)
    if text.strip() or not message.tool_calls:
        yield AIMessage(_dump({"answer": text}) if as_json and not message.tool_calls else text)
    for call in message.tool_calls:
        yield AIMessage(_dump({"tool": call["name"], "arguments": call["args"]}))
        yield _render_result(results.get(call["id"] or ""))


def _render_result(message: ToolMessage | None) -> HumanMessage:
    return HumanMessage(_result_line(message) if message else format_error("the call has no result"))


def _join_neighbours(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    joined: list[BaseMessage] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last is None or last.type != message.type or not (_is_text(last) and _is_text(message)):
            joined.append(message)
        else:
            joined[-1] = last.model_copy(update={"content": f"{last.content}\n{message.content}"})
    return joined


def _is_text(message: BaseMessage) -> bool:
    return isinstance(message.content, str)


def _dump(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _result_line(message: ToolMessage) -> str:
    """The protocol's line: the data without the fence of a prompt; a note of the runtime follows on its own line.

    JSON fences its strings by itself: no text of a tool can end the line or begin another.
    """
    text, note = unfence(message.text or str(message.content))
    line = format_error(text) if message.status == "error" else format_result(ToolResult(data=_result_data(text)))
    return f"{line}\n{escape_result_mark(note)}" if note else line


def _result_data(text: str) -> JsonObject:
    try:
        data = load_json(text)
    except JsonInvalid:
        return {"text": text}
    if isinstance(data, Mapping):
        return data
    return {"text": data} if isinstance(data, str) else {"value": data}


def _defuse_block(block: str | dict[str, object]) -> str | dict[str, object]:
    if isinstance(block, str):
        return escape_result_mark(block)
    text = block.get("text")
    return {**block, "text": escape_result_mark(text)} if isinstance(text, str) else block
