"""Calls of a deep run that the turn answers for: operators pass the gate, model calls are counted."""

import time
from typing import TYPE_CHECKING

from langchain_core.messages import HumanMessage

from metier.agent.adapters import usage_event
from metier.agent.middleware import build_refusal
from metier.agent.models import has_stood_in, model_name
from metier.agent.turn import TurnState
from metier.errors import OperatorRefused
from metier.json_values import JsonObject
from metier.tokens import count_tokens
from metier.tools import Gate, ToolCall, ToolSpec, failure_from_verdict, rules_from_skills

if TYPE_CHECKING:
    from metier.flow import OperatorRegistry


class OperatorGate:
    """Gate for operators: the operator's policy and the skill's lists of tools count for them as for tools."""

    def __init__(self, state: TurnState, registry: "OperatorRegistry") -> None:
        self._state = state
        skill, policy = state.skill.active, state.resources.policy
        language = state.request.language
        specs = {
            str(one["op_name"]): ToolSpec(str(one["op_name"]), str(one["description"]), origin="pack")
            for one in registry.describe(language)
        }
        rules = [*((policy,) if policy else ()), *rules_from_skills((skill,) if skill else ())]
        self._gate = Gate(rules, specs, skills=(skill.id,) if skill else ())

    def is_allowed(self, op_name: str) -> bool:
        """Whether the gate allows the operator; a model is offered no others. Each call is checked again."""
        return self._gate.check(ToolCall("", op_name, {})).answer == "allow"

    async def check(self, op_name: str, params: JsonObject) -> None:
        """Raise `OperatorRefused` unless the operator may run now; the refusal is recorded and emitted."""
        call = ToolCall(self._state.resources.new_id(), op_name, params)
        verdict = self._gate.check(call)
        if verdict.answer == "allow":
            return
        state = self._state
        refusal = build_refusal(
            call,
            verdict,
            state.request.language,
            conversation=state.conversation,
            turn=state.turn,
            skills=self._gate.skills,
        )
        await state.resources.ledger.record_violation(refusal.entry)
        state.calls.usage.refusals += 1
        await state.emit(refusal.event)
        told = failure_from_verdict(verdict, state.request.language).message
        raise OperatorRefused(told, hint=f"allowed: {', '.join(verdict.allowed) or 'none'}")


class ModelVoice:
    """Asks the model that the turn chose; tokens and cost are reported like those of any call."""

    def __init__(self, state: TurnState) -> None:
        self._state = state

    async def __call__(self, role: str, prompt: str) -> str:
        state = self._state
        choice = state.choose_model("report" if role == "reporter" else "act")
        model = await state.resources.models.load(choice.name)
        began = time.perf_counter()
        try:
            message = await model.ainvoke([HumanMessage(prompt)])
        except Exception as error:
            state.calls.model_error = error  # tells a failure of the model from one of an operator
            raise
        used = message.usage_metadata
        inside = used["input_tokens"] if used else count_tokens(prompt)
        outside = used["output_tokens"] if used else count_tokens(message.text)
        name, elapsed_s = model_name(model, message), time.perf_counter() - began
        stood_in = has_stood_in(message)
        price = state.find_price(choice, name, stood_in=stood_in)
        state.calls.usage.model_calls += 1
        state.calls.usage.add_tokens(inside, outside, price)
        event = usage_event(
            inside,
            outside,
            estimated=used is None,
            price=price,
            model=name,
            elapsed_s=elapsed_s,
            stood_in=stood_in,
        )
        state.journal.queue(event)
        return message.text
