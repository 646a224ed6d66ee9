"""Outputs of a refused call: ToolMessage for the model, record in the state, event, and ledger entry."""

import operator
from collections.abc import Sequence
from typing import Annotated, Final, NotRequired, TypedDict

from langchain.agents.middleware.types import AgentState, OmitFromInput, PrivateStateAttr
from langchain_core.messages import AIMessage, ToolMessage

from metier.store import EventDraft
from metier.tools import Language, RefusedCall, ToolCall, Verdict, digest_arguments, failure_from_verdict

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


def violation_record(call: ToolCall, verdict: Verdict) -> ViolationRecord:
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


def refused_call(
    record: ViolationRecord, verdict: Verdict, where: tuple[str, str], skills: Sequence[str]
) -> RefusedCall:
    conversation, turn = where
    return RefusedCall(
        conversation=conversation,
        turn=turn or None,
        tool=record["tool"],
        args_digest=record["args_digest"],
        layer=verdict.layer,
        code=verdict.code,
        reason=verdict.reason,
        skill=", ".join(skills) or None,
    )


def violation_event(record: ViolationRecord) -> EventDraft:
    told = {key: value for key, value in record.items() if isinstance(value, str)}
    return EventDraft("tool.violation", {"level": "warning", **told, "allowed": record["allowed"]})


def refusal_message(call: ToolCall, verdict: Verdict, language: Language, *, exceptions: bool = True) -> ToolMessage:
    """ToolMessage of a refused call: why it did not run, which tool was probably meant, and what may run."""
    failure = failure_from_verdict(verdict, language, exceptions=exceptions)
    return answer_message(call, f"{failure.message} {failure.hint}", verdict.code)


def unconfirmed_message(call: ToolCall, language: Language) -> ToolMessage:
    """ToolMessage of a call that needs approval in an agent that cannot pause."""
    if language == "zh":
        text = f"工具 {call.name!r} 没有执行：需要先得到人的同意，而这里没有人可以询问。"
    else:
        text = f"Tool {call.name!r} was not run: a person must agree first, and nobody can be asked here."
    return answer_message(call, text, "approval_needed")


def rejected_message(call: ToolCall, note: str, language: Language) -> ToolMessage:
    said = f"：{note}" if language == "zh" and note else f": {note}" if note else ""
    text = f"有人拒绝了工具 {call.name!r}{said}" if language == "zh" else f"A person refused tool {call.name!r}{said}"
    return answer_message(call, text, "rejected")


def answer_message(call: ToolCall, text: str, code: str) -> ToolMessage:
    return ToolMessage(
        text, tool_call_id=call.id, name=call.name, status="error", artifact={"metier": {"refused": code}}
    )


def ending_message(violations: Sequence[ViolationRecord], language: Language) -> AIMessage:
    """Last message of a run that ended because the model kept calling tools it may not call."""
    tried = sorted({one["tool"][:80] for one in violations})
    allowed = violations[-1]["allowed"][:_MAX_NAMED_TOOLS]
    if language == "zh":
        text = (
            f"本轮已停止：{len(violations)} 次工具调用被拒绝（{'、'.join(tried)}）。"
            f"可以使用的工具：{'、'.join(allowed) or '无'}。"
        )
    else:
        text = (
            f"I stopped: {len(violations)} tool calls of this turn were refused ({', '.join(tried)}). "
            f"Allowed tools: {', '.join(allowed) or 'none'}."
        )
    return AIMessage(text, response_metadata={"metier": {"ended": "too_many_refusals", "tools": tried}})
