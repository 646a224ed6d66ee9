"""Messages as the store returns them and as the model receives them."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from metier.context._fences import fence, replace_control_chars
from metier.json_values import JsonObject, JsonValue, to_plain_json

USE_SKILL: Final = "use_skill"
Role = Literal["user", "assistant", "tool"]
# Overhead of the role and delimiters per message and per call, with the providers we know.
MESSAGE_TOKENS: Final = 4
_CALL_TOKENS: Final = 6
# Results are stored as JSON; what the executor stores of a failure begins with its code.
_FAILURE: Final = re.compile(r"[a-z][a-z0-9_]{2,40}: ")


class StoredCall(Protocol):
    """One tool call of a stored message."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def args(self) -> JsonObject: ...


class StoredMessage(Protocol):
    """One message of the stored history, oldest first; a tool result (`role="tool"`) names the call it answers."""

    @property
    def role(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def tool_calls(self) -> Sequence[StoredCall]: ...
    @property
    def tool_call_id(self) -> str | None: ...
    @property
    def name(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ContextCall:
    """A tool call as sent to the model."""

    id: str
    name: str
    args: JsonObject

    def to_json(self) -> dict[str, JsonValue]:
        return {"id": self.id, "name": self.name, "args": to_plain_json(self.args)}


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """A message as sent to the model; `failed` marks the result of a call that did not do what it should."""

    role: Role
    content: str
    tool_calls: tuple[ContextCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    failed: bool = False

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "role": self.role,
            "content": self.content,
            "tool_calls": [call.to_json() for call in self.tool_calls],
            "tool_call_id": self.tool_call_id,
            "name": self.name,
            **({"failed": True} if self.failed else {}),
        }


def dump_json(value: JsonValue) -> str:
    """Serialise to one line of JSON without escaping Chinese."""
    return json.dumps(to_plain_json(value), ensure_ascii=False)


def count_message_tokens(message: ContextMessage, count: Callable[[str], int]) -> int:
    """Count a message's tokens: text, calls, and the provider's overhead per message and call."""
    calls = sum(_CALL_TOKENS + count(f"{call.id} {call.name} {dump_json(call.args)}") for call in message.tool_calls)
    labels = count(f"{message.name or ''} {message.tool_call_id or ''}".strip())
    return MESSAGE_TOKENS + count(message.content) + labels + calls


def to_context_message(
    message: StoredMessage,
    calls: Sequence[StoredCall] = (),
    tool: str | None = None,
    *,
    digest: str | None = None,
    note: str = "",
) -> ContextMessage:
    """Convert a stored message for the model. Tool results are untrusted and fenced, except those of `use_skill`.

    A `digest` stands for the content of a result; `note` follows it outside the fence, as the runtime's own words.
    """
    content = replace_control_chars(message.content if digest is None else digest)
    if message.role == "tool":
        name = tool or message.name or "tool"
        fenced = content if name == USE_SKILL else fence(content, f"tool {name}")
        text = f"{fenced}\n{note}" if note else fenced
        failed = getattr(message, "failed", False) or _FAILURE.match(message.content) is not None
        return ContextMessage("tool", text, tool_call_id=message.tool_call_id, name=name, failed=failed)
    kept = tuple(ContextCall(call.id, call.name, call.args) for call in calls)
    role: Role = "assistant" if message.role == "assistant" else "user"
    return ContextMessage(role, content, kept, name=message.name)
