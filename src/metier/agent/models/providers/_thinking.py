"""What a model must get back with the results of its calls: reasoning, signed thinking blocks, thought signatures.

Kept as data beside the reply, since the rest of a turn knows text and calls only. Only the model that gave it gets it
back, and only within the turn: to another model, and in a later turn, it would be plain text that nobody said.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage

from metier.agent.models.providers._reply_end import REASONING
from metier.json_values import JsonObject

PROVIDER_REPLY: Final = "metier_provider_reply"  # in `additional_kwargs`
_THINKING: Final = frozenset({"reasoning", "redacted_thinking", "thinking"})
_KEPT_BLOCKS: Final = _THINKING | {"text"}


def keep_provider_reply(reply: AIMessage, model: str, reasoning: str = "") -> JsonObject | None:
    """Blocks, signatures and reasoning of a reply that its model wants back; None if it has none."""
    listed = reply.content if isinstance(reply.content, list) else []
    blocks = [dict(block) for block in listed if isinstance(block, Mapping) and block.get("type") in _KEPT_BLOCKS]
    for block in blocks:
        block.pop("index", None)
    content = blocks if any(block["type"] in _THINKING for block in blocks) else []
    more = {key: value for key, value in reply.additional_kwargs.items() if key.startswith("__")}
    if reasoning and not content:
        more[REASONING] = reasoning
    return {"model": model, "content": content, "more": more} if content or more else None


def restore_provider_replies(
    messages: Sequence[BaseMessage], model: str, *, reasoning: bool = True
) -> list[BaseMessage]:
    """Messages for this model: what it said is given back as it said it; what others said, as text and calls.

    Without `reasoning`, the endpoint takes no reasoning back.
    """
    return [_restore(one, model, reasoning) if isinstance(one, AIMessage) else one for one in messages]


def attach_provider_reply(message: AIMessage, kept: JsonObject) -> AIMessage:
    """The message with what its model must get back; `restore_provider_replies` puts it into its place."""
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, PROVIDER_REPLY: kept}})


def kept_reasoning(kept: JsonObject) -> str:
    """Text of the reasoning in what `keep_provider_reply` returned, to count its tokens."""
    content, more = kept.get("content"), kept.get("more")
    blocks = content if isinstance(content, list) else []
    told = more.get(REASONING) if isinstance(more, Mapping) else None
    return "".join([*map(reasoning_of_block, blocks), told if isinstance(told, str) else ""])


def reasoning_of_block(block: object) -> str:
    """Text of a block of reasoning; empty for any other block."""
    if not isinstance(block, Mapping) or block.get("type") not in ("thinking", "reasoning"):
        return ""
    found = block.get("thinking") or block.get("reasoning")
    if isinstance(found, str):
        return found
    parts = block.get("summary")  # OpenAI's newer API
    texts = (part.get("text") for part in parts if isinstance(part, Mapping)) if isinstance(parts, list) else ()
    return "".join(text for text in texts if isinstance(text, str))


def _restore(message: AIMessage, model: str, reasoning: bool) -> AIMessage:
    more = {key: value for key, value in message.additional_kwargs.items() if key not in (PROVIDER_REPLY, REASONING)}
    kept = message.additional_kwargs.get(PROVIDER_REPLY)
    changed: dict[str, Any] = {"additional_kwargs": more}
    if isinstance(kept, Mapping) and kept.get("model") == model:
        more |= {key: value for key, value in kept["more"].items() if reasoning or key != REASONING}
        # A batch that was answered in two parts is two messages: its text stands in the first only.
        blocks = [block for block in kept["content"] if message.text or block["type"] != "text"]
        changed["content"] = blocks or message.content
    return message.model_copy(update=changed)
