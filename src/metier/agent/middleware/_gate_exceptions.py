"""`request_exception` in any LangChain agent: decided by a policy, or by a person through an interrupt."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from langgraph.types import Command

from metier.agent.adapters import control_message, to_openai
from metier.json_values import JsonObject
from metier.tools import (
    REQUEST_EXCEPTION,
    ExceptionPolicy,
    ExceptionRuling,
    Gate,
    Ledger,
    ToolCall,
    ToolContext,
    ToolExceptionRequest,
    argument_problems,
    handle_exception_request,
)

NO_PERSON_RULING: Final = ExceptionRuling("denied", "policy", "nobody can be asked here")


@dataclass(frozen=True, slots=True)
class FixedPolicy:
    """Policy whose decision was already made."""

    ruling: ExceptionRuling

    def decide(self, ask: ToolExceptionRequest) -> ExceptionRuling | None:
        return self.ruling


def exception_tool_schema() -> dict[str, Any]:
    """The `request_exception` tool as a model is offered it."""
    return to_openai(REQUEST_EXCEPTION)


def is_exception_request(name: str) -> bool:
    return name == REQUEST_EXCEPTION.name


def needs_person(arguments: JsonObject, gate: Gate, policy: ExceptionPolicy) -> bool:
    """Whether only a person can decide: the request is valid, needed, and not decided by a rule."""
    if argument_problems(REQUEST_EXCEPTION.parameters, arguments):
        return False
    tool = str(arguments["tool"])
    verdict = gate.check(ToolCall("", tool, {}))
    if verdict.answer != "deny" or verdict.is_final:
        return False
    return policy.decide(ToolExceptionRequest("", None, tool, str(arguments["reason"]))) is None


def exception_question(call: ToolCall) -> dict[str, object]:
    """Interrupt payload that a person sees."""
    return {"kind": "exception", "call": call.id, **dict(call.arguments), "decisions": ["approve", "reject"]}


async def decide_exception(
    call: ToolCall, gate: Gate, policy: ExceptionPolicy, ledger: Ledger, where: tuple[str, str]
) -> Command[Any]:
    """Record the request and the ruling, and answer the call; a grant is added to the agent's state."""
    context = ToolContext(Path(), *where)
    outcome = await handle_exception_request(call.arguments, gate=gate, policy=policy, ledger=ledger, context=context)
    failure = outcome.result.failure
    data = outcome.result.data or {"state": outcome.state, "message": failure.message if failure else ""}
    message = control_message(call, data, ok=outcome.result.ok)
    granted = [str(call.arguments["tool"])] if outcome.state == "granted" else []
    return Command(update={"messages": [message], "granted": granted})


def add_grants(gate: Gate, state: Mapping[str, Any]) -> Gate:
    """Return the gate with the exceptions granted in this turn."""
    for tool in state.get("granted", [])[state.get("granted_before", 0) :]:
        gate = gate.with_grant(tool)
    return gate
