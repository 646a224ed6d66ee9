"""`request_exception`: the model asks for a denied tool; a person or a policy decides, for the current turn."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, Protocol

from metier.json_values import JsonObject
from metier.tools._calls import ToolCall, ToolContext, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.gate._gate import Gate
from metier.tools.gate._violations import ExceptionRuling, Ledger, ToolExceptionRequest
from metier.tools.schema import argument_problems

REQUEST_EXCEPTION: Final = ToolSpec(
    name="request_exception",
    description="Ask to use a tool that was refused, for this turn only. Say why nothing allowed will do.",
    parameters=MappingProxyType(
        {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "minLength": 1, "maxLength": 200, "description": "the refused tool"},
                "reason": {"type": "string", "minLength": 4, "maxLength": 2000, "description": "why it is needed"},
            },
            "required": ["tool", "reason"],
            "additionalProperties": False,
        }
    ),
)
_POLICY: Final = "policy"


class ExceptionPolicy(Protocol):
    """Decides exception requests. A ruling is final; None leaves the decision to a person."""

    def decide(self, ask: ToolExceptionRequest) -> ExceptionRuling | None: ...


@dataclass(frozen=True, slots=True)
class AskPerson:
    """Policy that leaves every decision to a person."""

    def decide(self, ask: ToolExceptionRequest) -> ExceptionRuling | None:
        return None


@dataclass(frozen=True, slots=True)
class DenyAll:
    """Policy that denies every exception, for use where no person can be asked."""

    def decide(self, ask: ToolExceptionRequest) -> ExceptionRuling | None:
        return ExceptionRuling("denied", _POLICY, "exceptions are switched off here")


@dataclass(frozen=True, slots=True)
class ExceptionOutcome:
    """Outcome of an exception request.

    `gate` is the gate to continue with; `request` is the id of the recorded request, empty if none was recorded.
    """

    state: Literal["granted", "denied", "asked", "not_needed", "invalid"]
    gate: Gate
    result: ToolResult
    ask: ToolExceptionRequest | None = None
    request: str = ""


async def handle_exception_request(
    arguments: JsonObject, *, gate: Gate, policy: ExceptionPolicy, ledger: Ledger, context: ToolContext
) -> ExceptionOutcome:
    """Handle a call of `request_exception`. Every valid request is recorded, denied ones included."""
    problems = argument_problems(REQUEST_EXCEPTION.parameters, arguments)
    if problems:
        return ExceptionOutcome("invalid", gate, ToolResult.fail("invalid_arguments", "; ".join(map(str, problems))))
    tool, reason = str(arguments["tool"]), str(arguments["reason"])
    verdict = gate.check(ToolCall("", tool, {}))
    if verdict.answer != "deny":
        return ExceptionOutcome("not_needed", gate, _build_result("not_needed", tool, "it may run already: call it"))
    ask = ToolExceptionRequest(context.conversation, context.turn or None, tool, reason, ", ".join(gate.skills) or None)
    request = await ledger.record_exception_request(ask)
    ruling = ExceptionRuling("denied", _POLICY, verdict.reason) if verdict.is_final else policy.decide(ask)
    if ruling is None:
        return ExceptionOutcome("asked", gate, _build_result("asked", tool, "a person is being asked"), ask, request)
    return await settle_exception(request, ruling, ask=ask, gate=gate, ledger=ledger)


async def settle_exception(
    request: str, ruling: ExceptionRuling, *, ask: ToolExceptionRequest, gate: Gate, ledger: Ledger
) -> ExceptionOutcome:
    """Record the ruling and, if granted, return a gate that allows the tool. Operator denials still apply."""
    await ledger.record_exception_ruling(request, ruling)
    if ruling.state == "denied":
        failed = ToolResult.fail("exception_denied", f"no exception for {ask.tool!r}", hint=ruling.note)
        return ExceptionOutcome("denied", gate, failed, ask, request)
    said = _build_result("granted", ask.tool, "it may run for the rest of this turn")
    return ExceptionOutcome("granted", gate.with_grant(ask.tool), said, ask, request)


def _build_result(state: str, tool: str, message: str) -> ToolResult:
    return ToolResult(data={"state": state, "tool": tool, "message": message})
