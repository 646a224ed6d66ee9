"""What a provider must get back with the results of its calls: signed thinking blocks, thought signatures.

Kept as data beside the reply, since the rest of a turn knows text and calls only, and given to the same provider alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage

from metier.json_values import JsonObject

PROVIDER_REPLY: Final = "metier_provider_reply"  # in `additional_kwargs`
_THINKING: Final = frozenset({"reasoning", "redacted_thinking", "thinking"})
_KEPT_BLOCKS: Final = _THINKING | {"text"}


def keep_provider_reply(reply: AIMessage, provider: str) -> JsonObject | None:
    """Blocks and signatures of a reply that its provider wants back; None if it has none."""
    listed = reply.content if isinstance(reply.content, list) else []
    blocks = [dict(block) for block in listed if isinstance(block, Mapping) and block.get("type") in _KEPT_BLOCKS]
    for block in blocks:
        block.pop("index", None)
    content = blocks if any(block["type"] in _THINKING for block in blocks) else []
    signatures = {key: value for key, value in reply.additional_kwargs.items() if key.startswith("__")}
    return {"provider": provider, "content": content, "more": signatures} if content or signatures else None


def restore_provider_replies(messages: Sequence[BaseMessage], provider: str) -> list[BaseMessage]:
    """Messages for this provider: what it said is given back as it said it; what others said, as text and calls."""
    return [_restore(message, provider) if isinstance(message, AIMessage) else message for message in messages]


def _restore(message: AIMessage, provider: str) -> AIMessage:
    more = dict(message.additional_kwargs)
    kept = more.pop(PROVIDER_REPLY, None)
    if not isinstance(kept, Mapping):
        return message
    changed: dict[str, Any] = {"additional_kwargs": more}
    if kept.get("provider") == provider:
        changed = {"additional_kwargs": {**more, **kept["more"]}, "content": kept["content"] or message.content}
    return message.model_copy(update=changed)
