"""Counts what a model utters when tools are offered, to compare decoding with and without a schema."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel


@dataclass(frozen=True, slots=True)
class UtteredCalls:
    """Replies of one model: how many there were, how many called a tool, how many one that was not offered."""

    replies: int
    calls: int
    forbidden: int
    unusable: int


async def count_uttered_calls(
    model: BaseChatModel, tools: Sequence[dict[str, Any]], questions: Sequence[str]
) -> UtteredCalls:
    """Ask each question with these tools. `model` is, for example, a `SchemaToolModel` or a `TextToolModel`."""
    bound = model.bind_tools(list(tools))
    offered = {str(tool["function"]["name"]) for tool in tools}
    calls = forbidden = unusable = 0
    for question in questions:
        reply = await bound.ainvoke(question)
        names = [call["name"] for call in reply.tool_calls]
        calls += bool(names)
        forbidden += any(name not in offered for name in names)
        unusable += "problem" in (reply.response_metadata.get("metier") or {})
    return UtteredCalls(len(questions), calls, forbidden, unusable)
