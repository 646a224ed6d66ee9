"""Terms looked up beside an open question: the question stays open, and the skill in use stays."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from metier.agent.choice._reminders import remind_of_pause
from metier.agent.turn import CallBatch, TurnPlan, TurnSkill, TurnState
from metier.json_values import JsonObject, JsonValue
from metier.skills import Skill
from metier.tools import ToolCall

_QUESTION: Final = re.compile(
    r"[?？吗呢]$|多久|多少|什么|怎么|为何|是否|会不会"
    r"|^(?:what|how|why|when|does|do|is|are|will|can|could|which|who)\b",
    re.IGNORECASE,
)
_REPORT: Final = re.compile(r"\s*\{\$\.(\w+)\.(\w+)\}\s*")


class _Lookup(NamedTuple):
    """Call of a skill's only step, and the field of its result that is the report."""

    tool: str
    arguments: JsonObject
    field: str


async def look_up_beside(state: TurnState, wanted: Sequence[str | None]) -> bool:
    """Answer from a skill that only looks something up, and repeat the question that waits; False for other skills.

    Such a skill has one step, whose tool changes nothing and takes the message; its report is a field of the result.
    Of several skills that may be meant it is taken only for a question: to look something up puts nothing aside.
    """
    if state.calls.pending_pause is None or not state.uses_builtin_model("converse"):
        return False
    if len(wanted) > 1 and not _QUESTION.search(state.request.message.strip()):
        return False
    for skill in filter(None, (state.request.catalog.get(one) for one in wanted if one)):
        lookup = _find_lookup(state, skill)
        if lookup is None:
            continue
        if (answer := await _run_lookup(state, skill, lookup, is_guess=len(wanted) > 1)) is not None:
            state.queue_reply("\n\n".join(one for one in (answer, remind_of_pause(state)) if one))
            return True
    return False


def is_lookup(state: TurnState, skill: str | None) -> bool:
    """Whether a skill only looks something up."""
    found = state.request.catalog.get(skill) if skill else None
    return found is not None and _find_lookup(state, found) is not None


async def _run_lookup(state: TurnState, skill: Skill, lookup: _Lookup, *, is_guess: bool) -> str | None:
    """Run the call as one of its skill, apart from the plan that waits; None if it failed or has no text.

    Of a skill that is only guessed, a result that says itself that nothing was found is none.
    """
    call, run_calls = ToolCall(state.resources.new_id(), lookup.tool, lookup.arguments), state.resources.run_calls
    calls = replace(state.calls, batch=CallBatch("", (call,)))
    beside = replace(state, skill=TurnSkill(skill), plan=TurnPlan(), calls=calls)
    spec = beside.get_spec(lookup.tool)
    if spec is None or spec.effects - {"reads"} or not spec.idempotent or run_calls is None:
        return None
    if beside.gate.check(call).answer != "allow":
        return None
    data = (await run_calls(beside)).get(call.id)
    answer = data.get(lookup.field) if isinstance(data, Mapping) else None
    if is_guess and isinstance(data, Mapping) and data.get("found") is False:
        return None
    return answer if isinstance(answer, str) else None


def _find_lookup(state: TurnState, skill: Skill) -> _Lookup | None:
    """The call of a skill that has one step, only calls a tool in it, and reports a field of its result."""
    step = skill.sop[0] if len(skill.sop) == 1 else {}
    found = _REPORT.fullmatch(str(skill.metadata.get("report", "")))
    if not step or not set(step) <= {"id", "title", "call", "with"} or found is None or found[1] != step.get("id"):
        return None
    known: Mapping[str, JsonValue] = {"$.message": state.request.message, "$.language": state.request.language}
    given = step.get("with")
    fields = {name: str(one) for name, one in given.items()} if isinstance(given, Mapping) else {}
    if not all(one in known for one in fields.values()):
        return None
    return _Lookup(str(step.get("call")), {name: known[one] for name, one in fields.items()}, found[2])
