"""Outputs of a refused call: ToolMessage, record for the state, ledger entry, event, and the closing sentence."""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, NotRequired, TypedDict

from langchain.agents.middleware.types import AgentState, OmitFromInput, PrivateStateAttr
from langchain_core.messages import ToolMessage

from metier.agent.adapters import list_names, not_run_message, render_sentence
from metier.language import Language
from metier.store import EventDraft
from metier.tools import (
    RefusedCall,
    ToolCall,
    ToolContext,
    Verdict,
    build_refused_call,
    digest_arguments,
    failure_from_verdict,
)

_MAX_NAMED_TOOLS: Final = 40


class ViolationRecord(TypedDict):
    """Refused call as kept in the agent's state."""

    call: str
    tool: str
    code: str
    layer: str
    source: str
    reason: str
    args_digest: str
    allowed: list[str]


class GateState(AgentState[object]):
    """Agent state of the gate. Lists have a reducer because two calls of one message may be refused."""

    violations: NotRequired[Annotated[list[ViolationRecord], OmitFromInput, operator.add]]
    violations_before: NotRequired[Annotated[int, PrivateStateAttr]]
    granted: NotRequired[Annotated[list[str], OmitFromInput, operator.add]]
    granted_before: NotRequired[Annotated[int, PrivateStateAttr]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refused call with everything that follows from it: ToolMessage, record for the state, ledger entry and event."""

    message: ToolMessage
    record: ViolationRecord
    entry: RefusedCall

    @property
    def event(self) -> EventDraft:
        return violation_event(self.record)


def build_refusal(
    call: ToolCall,
    verdict: Verdict,
    language: Language,
    *,
    conversation: str,
    turn: str,
    skills: Sequence[str],
    exceptions: bool = True,
    message: ToolMessage | None = None,
) -> Refusal:
    """Build all outputs of a refused call; `message` replaces the ToolMessage that the verdict gives."""
    told = message or refusal_message(call, verdict, language, exceptions=exceptions)
    return Refusal(told, violation_record(call, verdict), refused_call(call, verdict, conversation, turn, skills))


def violation_record(call: ToolCall, verdict: Verdict) -> ViolationRecord:
    """Record of a refused call for the agent's state."""
    return {
        "call": call.id,
        "tool": call.name[:200],
        "code": verdict.code,
        "layer": verdict.layer,
        "source": verdict.source,
        "reason": verdict.reason,
        "args_digest": digest_arguments(call.arguments),
        "allowed": list(verdict.allowed),
    }


def violation_event(record: ViolationRecord) -> EventDraft:
    """`tool.violation` event of a refused call."""
    told = {key: value for key, value in record.items() if isinstance(value, str)}
    return EventDraft("tool.violation", {"level": "warning", **told, "allowed": record["allowed"]})


def refused_call(
    call: ToolCall, verdict: Verdict, conversation: str, turn: str, skills: Sequence[str] = ()
) -> RefusedCall:
    """Ledger entry of a refused call."""
    return build_refused_call(call, verdict, ToolContext(Path(), conversation, turn), tuple(skills))


def refusal_message(call: ToolCall, verdict: Verdict, language: Language, *, exceptions: bool = True) -> ToolMessage:
    """ToolMessage of a refused call: why it did not run, which tool was probably meant, and what may run."""
    failure = failure_from_verdict(verdict, language, exceptions=exceptions)
    return not_run_message(call, f"{failure.message} {failure.hint}", verdict.code)


def unconfirmed_message(call: ToolCall, language: Language) -> ToolMessage:
    """ToolMessage of a call that needs approval in an agent that cannot pause."""
    return not_run_message(call, render_sentence("unconfirmed", language, tool=call.name), "approval_needed")


def rejected_message(call: ToolCall, note: str, language: Language) -> ToolMessage:
    """ToolMessage of a call that a person rejected."""
    key = "rejected_with_note" if note else "rejected"
    return not_run_message(call, render_sentence(key, language, tool=call.name, note=note), "rejected")


def too_many_refusals_text(count: int, allowed: Sequence[str], language: Language, tools: Iterable[str] = ()) -> str:
    """Sentence that ends a turn whose model kept calling tools it may not call; `tools` are those it tried."""
    tried, may = sorted({tool[:80] for tool in tools}), list(allowed[:_MAX_NAMED_TOOLS])
    return render_sentence(
        "too_many_refusals_of_tools" if tried else "too_many_refusals",
        language,
        count=count,
        tried=list_names(tried, language),
        allowed=list_names(may, language),
    )
