"""Terms looked up beside an open question: the question stays open, and the skill in use stays."""

import re
from collections.abc import Mapping
from typing import Final

from metier.agent.turn import TurnState
from metier.json_values import JsonObject, JsonValue
from metier.questions import remind_of_question
from metier.skills import Skill
from metier.store import EventDraft
from metier.tools import ToolCall, ToolContext

_REPORT: Final = re.compile(r"\s*\{\$\.(\w+)\.(\w+)\}\s*")


async def look_up_beside(state: TurnState, wanted: str | None) -> bool:
    """Answer from a skill that only looks something up, and repeat the question that waits; False for other skills.

    Such a skill has one step, whose tool changes nothing and takes the message; its report is a field of the result.
    """
    pause, skill = state.calls.pending_pause, state.request.catalog.get(wanted) if wanted else None
    step = _find_only_step(skill)
    if pause is None or skill is None or step is None or not state.uses_builtin_model("converse"):
        return False
    resources, catalog, language = state.resources, state.request.catalog, state.request.language
    known: Mapping[str, JsonValue] = {"$.message": state.request.message, "$.language": language}
    given = step.get("with")
    fields = dict(given) if isinstance(given, Mapping) else {}
    found, tool = _REPORT.fullmatch(str(skill.metadata.get("report", ""))), str(step.get("call"))
    opened = resources.open_gate_for(catalog, skill, None, None, frozenset())
    spec = opened.specs.get(tool)
    if found is None or found[1] != step.get("id") or not all(one in known for one in fields.values()):
        return False
    if spec is None or spec.effects - {"reads"} or not spec.idempotent:
        return False
    arguments: JsonObject = {name: known[str(one)] for name, one in fields.items()}
    call = ToolCall(resources.new_id(), tool, arguments)
    context = ToolContext(resources.workspace(state.conversation), state.conversation, language=language)
    outcome = await resources.toolset(catalog).executor.run(call, gate=opened.gate, context=context, language=language)
    data = outcome.result.data
    answer = data.get(found[2]) if isinstance(data, Mapping) else None
    if not outcome.result.ok or not isinstance(answer, str):
        return False
    told: JsonObject = {"call": call.id, "tool": tool, "arguments": arguments, "title": spec.title(language)}
    await state.journal.record(
        EventDraft("tool.called", told),
        EventDraft("tool.result", {"call": call.id, "tool": tool, "ok": True, "state": "done", "data": data}),
    )
    waiting = str(pause.payload.get("text", ""))
    state.queue_reply(f"{answer}\n\n{remind_of_question(waiting, language)}" if waiting else answer)
    return True


def _find_only_step(skill: Skill | None) -> JsonObject | None:
    """The step of a skill that has only one, and only calls a tool in it."""
    step = skill.sop[0] if skill is not None and len(skill.sop) == 1 else None
    return step if step is not None and set(step) <= {"id", "title", "call", "with"} else None
