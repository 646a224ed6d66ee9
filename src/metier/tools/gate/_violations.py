"""Records of refused calls and exception requests, and the refusal count of a turn."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from metier.json_values import JsonObject, clean_text
from metier.tools._calls import ToolCall, ToolContext
from metier.tools.gate._rules import Layer
from metier.tools.gate._verdict import Verdict, VerdictCode

MAX_REFUSALS: Final = 3
_MAX_NAME_CHARS: Final = 200
_MAX_TEXT_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """Call refused by the gate. Arguments are stored only as a digest, because they may be confidential.

    `tool` and `reason` come from the model and are cleaned for the database.
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
        _clean_words_of_model(self)


@dataclass(frozen=True, slots=True)
class ToolExceptionRequest:
    """Request to use a denied tool in this turn, with the reason given by the model."""

    conversation: str
    turn: str | None
    tool: str
    reason: str
    skill: str | None = None

    def __post_init__(self) -> None:
        _clean_words_of_model(self)


@dataclass(frozen=True, slots=True)
class ExceptionRuling:
    """Ruling on an exception request: granted or denied, by whom, with a note."""

    state: Literal["granted", "denied"]
    by: str
    note: str = ""


class Ledger(Protocol):
    """Stores refusals and exceptions. Methods raise if they cannot record: a refusal must not go unrecorded."""

    async def record_violation(self, refused: RefusedCall) -> None: ...

    async def record_exception_request(self, ask: ToolExceptionRequest) -> str:
        """Record the request and return its id."""
        ...

    async def record_exception_ruling(self, request: str, ruling: ExceptionRuling) -> None: ...


@dataclass(slots=True)
class MemoryLedger:
    """In-memory ledger, for agents without a store and for tests."""

    violations: list[RefusedCall] = field(default_factory=list)
    asks: dict[str, ToolExceptionRequest] = field(default_factory=dict)
    rulings: dict[str, ExceptionRuling] = field(default_factory=dict)

    async def record_violation(self, refused: RefusedCall) -> None:
        self.violations.append(refused)

    async def record_exception_request(self, ask: ToolExceptionRequest) -> str:
        request = f"exception-{len(self.asks) + 1}"
        self.asks[request] = ask
        return request

    async def record_exception_ruling(self, request: str, ruling: ExceptionRuling) -> None:
        self.rulings.setdefault(request, ruling)


def digest_arguments(arguments: JsonObject) -> str:
    """Return the sha256 of the canonical JSON; the order of keys does not matter."""
    text = json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_json_default)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_call(call: ToolCall) -> str:
    """Return the sha256 of the tool's name and the canonical JSON of the arguments; the call's id does not matter."""
    return digest_arguments({"tool": call.name, "arguments": call.arguments})


def build_refused_call(call: ToolCall, verdict: Verdict, context: ToolContext, skills: tuple[str, ...]) -> RefusedCall:
    """Build the record of a refused call for the ledger."""
    return RefusedCall(
        conversation=context.conversation,
        turn=context.turn or None,
        tool=call.name,
        args_digest=digest_arguments(call.arguments),
        layer=verdict.layer,
        code=verdict.code,
        reason=verdict.reason,
        skill=", ".join(skills) or None,
    )


def _clean_words_of_model(call: "RefusedCall | ToolExceptionRequest") -> None:
    object.__setattr__(call, "tool", _clean_text(call.tool, _MAX_NAME_CHARS))
    object.__setattr__(call, "reason", _clean_text(call.reason, _MAX_TEXT_CHARS))


def _clean_text(text: str, most: int) -> str:
    """Replace NUL and lone surrogates, which no database stores; never return an empty text."""
    return clean_text(text[:most]).strip() or "(empty)"


def _json_default(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
