"""What must be remembered of a no: refused calls, wishes for an exception, and how many refusals a turn has had."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from metier.jsons import JsonObject
from metier.tools._calls import ToolCall, ToolContext
from metier.tools._layers import Layer
from metier.tools._verdict import Verdict, VerdictCode

MOST_REFUSALS: Final = 3
_NAME_CHARS: Final = 200
_TEXT_CHARS: Final = 2_000
_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A call the gate refused; the arguments are kept as a digest, because they may hold what nobody should read.

    The name is the model's and may be anything; it is made fit for a database.
    """

    conversation: str
    turn: str | None
    tool: str
    args_digest: str
    layer: Layer
    code: VerdictCode
    reason: str
    skill: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tool", _storable(self.tool, _NAME_CHARS))
        object.__setattr__(self, "reason", _storable(self.reason, _TEXT_CHARS))


@dataclass(frozen=True, slots=True)
class ExceptionAsk:
    """A wish to use a tool in this turn that the gate refuses, with the reason the model gives."""

    conversation: str
    turn: str | None
    tool: str
    reason: str
    skill: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "tool", _storable(self.tool, _NAME_CHARS))
        object.__setattr__(self, "reason", _storable(self.reason, _TEXT_CHARS))


@dataclass(frozen=True, slots=True)
class ExceptionRuling:
    """Granted or denied, by whom, and what they said to it."""

    state: Literal["granted", "denied"]
    by: str
    note: str = ""


class Ledger(Protocol):
    """Where refusals and exceptions are kept. A call that cannot be recorded raises: a silent no is no record."""

    async def violation(self, refused: RefusedCall) -> None: ...

    async def exception_requested(self, ask: ExceptionAsk) -> str:
        """Keep the wish; the answer is its id."""
        ...

    async def exception_decided(self, request: str, ruling: ExceptionRuling) -> None: ...


@dataclass(slots=True)
class MemoryLedger:
    """A ledger that forgets when the process ends, for agents without a store and for tests."""

    violations: list[RefusedCall] = field(default_factory=list)
    asks: dict[str, ExceptionAsk] = field(default_factory=dict)
    rulings: dict[str, ExceptionRuling] = field(default_factory=dict)

    async def violation(self, refused: RefusedCall) -> None:
        self.violations.append(refused)

    async def exception_requested(self, ask: ExceptionAsk) -> str:
        request = f"exception-{len(self.asks) + 1}"
        self.asks[request] = ask
        return request

    async def exception_decided(self, request: str, ruling: ExceptionRuling) -> None:
        self.rulings.setdefault(request, ruling)


@dataclass(slots=True)
class RefusalCount:
    """Refusals of one turn. At the limit the step ends: a model that keeps knocking is not working."""

    limit: int = MOST_REFUSALS
    tools: list[str] = field(default_factory=list)

    def add(self, tool: str) -> bool:
        """Count one more; true when that was one too many."""
        self.tools.append(tool)
        return self.exhausted

    @property
    def exhausted(self) -> bool:
        return len(self.tools) >= self.limit


def args_digest(arguments: JsonObject) -> str:
    """The sha256 of the canonical JSON: the same arguments in another order have the same digest."""
    text = json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def refused_call(call: ToolCall, verdict: Verdict, context: ToolContext, skills: tuple[str, ...]) -> RefusedCall:
    """What the ledger is told."""
    return RefusedCall(
        conversation=context.conversation,
        turn=context.turn or None,
        tool=call.name,
        args_digest=args_digest(call.arguments),
        layer=verdict.layer,
        code=verdict.code,
        reason=verdict.reason,
        skill=", ".join(skills) or None,
    )


def _storable(text: str, most: int) -> str:
    """No database keeps a NUL or half a character, and a name is not empty."""
    return _UNSTORABLE.sub("\ufffd", text[:most]).strip() or "(empty)"


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
