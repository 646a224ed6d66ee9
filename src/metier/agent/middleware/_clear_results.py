"""Clears old tool results from the prompt, by LangChain's own middleware with Metier's policy and token counter."""

from collections.abc import Sequence
from typing import Any, Final

from langchain.agents.middleware.context_editing import ClearToolUsesEdit, ContextEditingMiddleware
from langchain_core.messages import AIMessage, BaseMessage

from metier.context import DigestPolicy
from metier.tokens import count_tokens

_PLACEHOLDER: Final = "[an earlier result was cleared; call the tool again if it is needed]"


def clear_results_middleware(policy: DigestPolicy | None = None) -> ContextEditingMiddleware[Any, Any]:
    """Clear the oldest results of a prompt beyond `policy.trigger_tokens`; the state keeps them."""
    policy = DigestPolicy() if policy is None else policy
    edit = ClearToolUsesEdit(
        trigger=policy.trigger_tokens,
        keep=policy.keep,
        exclude_tools=sorted(policy.keep_tools),
        placeholder=_PLACEHOLDER,
    )
    return ContextEditingMiddleware(edits=[edit], token_counter=count_message_tokens)


def count_message_tokens(messages: Sequence[BaseMessage]) -> int:
    """Tokens of messages and their tool calls; LangChain's own estimate is far too low for Chinese text."""
    return sum(count_tokens(one.text + _calls_text(one)) for one in messages)


def _calls_text(message: BaseMessage) -> str:
    return "".join(str(call["args"]) for call in message.tool_calls) if isinstance(message, AIMessage) else ""
