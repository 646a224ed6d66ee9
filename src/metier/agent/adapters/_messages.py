"""Converts messages between the store, the context builder and LangChain."""

from collections.abc import Iterable, Sequence
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage

from metier.context import ContextCall, ContextMessage, StoredMessage


def to_langchain_messages(messages: Iterable[StoredMessage | ContextMessage]) -> list[BaseMessage]:
    """Convert stored or context messages for the agent."""
    return [_to_langchain_message(message) for message in messages]


def to_context_messages(messages: Sequence[BaseMessage]) -> list[ContextMessage]:
    """Convert the agent's messages for the context builder; system messages are dropped."""
    return [made for message in messages if (made := _to_context_message(message)) is not None]


def _to_langchain_message(message: StoredMessage | ContextMessage) -> BaseMessage:
    if message.role == "tool":
        status: Literal["success", "error"] = "error" if getattr(message, "failed", False) else "success"
        return ToolMessage(message.content, tool_call_id=message.tool_call_id or "", name=message.name, status=status)
    if message.role == "assistant":
        calls = [
            ToolCall(name=call.name, args=dict(call.args), id=call.id, type="tool_call") for call in message.tool_calls
        ]
        return AIMessage(message.content, tool_calls=calls)
    return HumanMessage(message.content, name=message.name)


def _to_context_message(message: BaseMessage) -> ContextMessage | None:
    if isinstance(message, ToolMessage):
        failed = message.status == "error"
        return ContextMessage("tool", message.text, tool_call_id=message.tool_call_id, name=message.name, failed=failed)
    if isinstance(message, AIMessage):
        calls = tuple(ContextCall(call["id"] or "", call["name"], call["args"]) for call in message.tool_calls)
        return ContextMessage("assistant", message.text, calls)
    if isinstance(message, HumanMessage):
        return ContextMessage("user", message.text, name=message.name)
    return None
