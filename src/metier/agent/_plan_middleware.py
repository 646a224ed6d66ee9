"""Carries out a plan: determined steps run without the model, questions pause, only the rest goes to the model."""

import json
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolCall

from metier.agent._event_middleware import ModelHandler, last_message, work_of
from metier.agent._pauses import ask, ask_arguments
from metier.agent._plan_desk import PlanDesk
from metier.agent._planning import MOST_PLANS, WRITE_PLAN, judged, plan_tool
from metier.agent._wording import say
from metier.agent._work import Note, Work
from metier.jsons import JsonObject, JsonValue
from metier.plans import Ask, Call, Done, Model, Stop
from metier.store import EventDraft

_MOST_MOVES: Final = 200


class PlanMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Consults the plan before the model. A determined call is returned as if the model had made it."""

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        work = work_of(request.runtime)
        if work.plan is None or work.plan.skill != (work.skill.id if work.skill else ""):
            work.note = _free_note(work)
            return await handler(request)
        return await _Moves(work, work.plan, request, handler).taken()


class _Moves:
    """Moves of one pass: as many as possible before a tool has to run or a person has to answer."""

    def __init__(self, work: Work, desk: PlanDesk, request: ModelRequest[Any], handler: ModelHandler) -> None:
        self._work = work
        self._desk = desk
        self._request = request
        self._handler = handler
        self._said = ""

    async def taken(self) -> ModelResponse[Any] | AIMessage:
        for _ in range(_MOST_MOVES):
            self._desk.move = None  # lift the last step's restriction: the plan may use all its tools again
            move, drafts = self._desk.next(self._work.opened.specs)
            await self._changed(drafts)
            if isinstance(move, Done | Stop):
                return await self._end(move)
            if self._said:  # text of a step done by the model, said before the plan continues
                self._work.say(self._said)
                self._said = ""
            if isinstance(move, Call):
                return await self._call(move)
            if isinstance(move, Ask):
                return AIMessage(await ask(self._work, move))
            answer = await self._model(move) if isinstance(move, Model) else None
            if answer is not None:
                return answer
        await self._changed(self._desk.stop(f"more than {_MOST_MOVES} moves"))
        return await self._end(self._desk.run.stopped)

    async def _changed(self, drafts: list[EventDraft]) -> None:
        if drafts:
            await self._work.journal.record(*drafts, saved=self._work.saved())

    async def _call(self, move: Call) -> AIMessage:
        call_id = f"plan-{self._work.kit.new_id()[:12]}"
        await self._work.journal.emit(self._desk.took(move, call_id))
        arguments: dict[str, Any] = json.loads(json.dumps(move.arguments, default=dict))
        return AIMessage("", tool_calls=[ToolCall(name=move.tool, args=arguments, id=call_id, type="tool_call")])

    async def _model(self, move: Model) -> ModelResponse[Any] | AIMessage | None:
        """Carry out a move that needs the model; None if the plan can continue by itself afterwards."""
        if move.purpose == "replan":
            return await self._replan(move)
        if move.purpose == "fill":
            return await self._fill(move)
        return await self._act(move)

    async def _fill(self, move: Model) -> AIMessage | None:
        step = move.step
        if self._work.kit.builtin or step is None:
            return AIMessage(await ask_arguments(self._work, move))
        names = ", ".join(gap.argument for gap in move.missing)
        known = json.dumps(move.known, ensure_ascii=False, default=dict)
        title, tool = step.title or step.id, move.tools[0]
        note = say("note_fill", self._work.language, tool=tool, title=title, missing=names, known=known)
        message = last_message(await self._asked(Note("fill", note)))
        wanted = {gap.argument for gap in move.missing}
        for call in message.tool_calls:
            given = {name: value for name, value in call["args"].items() if name in wanted and value is not None}
            if call["name"] == tool and given:
                await self._changed(self._desk.filled(step.id, given))
                return None
        return AIMessage(await ask_arguments(self._work, move, _question_in(message)))

    async def _act(self, move: Model) -> ModelResponse[Any] | AIMessage | None:
        step = move.step
        if step is None:
            return None
        title = step.title or step.id
        if self._work.kit.builtin and (move.tools or self._desk.run.plan.steps[-1].id != step.id):
            await self._changed(self._desk.stop(say("step_needs_model", self._work.language, title=title)))
            return None
        note = Note("act", say("note_act", self._work.language, title=title), _run_data(self._desk))
        response = await self._asked(note)
        message = last_message(response)
        if message.tool_calls:
            return response
        self._said = message.text
        await self._changed(self._desk.acted(step.id, message.text))
        return None

    async def _replan(self, move: Model) -> AIMessage | None:
        why = move.why.text(self._work.language) if move.why else ""
        if self._work.kit.builtin:
            await self._changed(self._desk.stop(why))
            return None
        note = say("note_replan", self._work.language, why=why)
        for _ in range(MOST_PLANS):
            message = last_message(await self._asked(Note("replan", note), plan_tools=move.tools))
            written = next((call["args"] for call in message.tool_calls if call["name"] == WRITE_PLAN), None)
            problem = await self._new_plan(written, move)
            if not problem:
                return None
            note = say("note_plan_wrong", self._work.language, problems=problem)
        await self._changed(self._desk.stop(f"{why} ({note})"))
        return None

    async def _new_plan(self, written: JsonObject | None, move: Model) -> str:
        """Continue with the plan that the model wrote; returns its problems as text, empty if it was accepted."""
        specs = {name: spec for name, spec in self._work.opened.specs.items() if name in move.tools}
        run = self._desk.run
        given = tuple(name for name in run.data if name not in ("inputs", "message", "profile"))
        made = judged(self._work, written or {}, specs, given)
        if made.plan is None:
            return "; ".join(f"{one.path}: {one.message}" for one in made.problems[:5])
        await self._changed(self._desk.replanned(run.replanned(made.plan)))
        return ""

    async def _asked(self, note: Note, *, plan_tools: tuple[str, ...] | None = None) -> ModelResponse[Any]:
        self._work.note = note
        try:
            if plan_tools is None:
                return await self._handler(self._request)
            return await self._handler(self._planning(plan_tools))
        finally:
            self._work.note = None

    def _planning(self, tools: tuple[str, ...]) -> ModelRequest[Any]:
        offered: list[Any] = [plan_tool(tools, "Write the new plan.")]
        return self._request.override(tools=offered, tool_choice=WRITE_PLAN)

    async def _end(self, move: Done | Stop | None) -> ModelResponse[Any] | AIMessage:
        work = self._work
        if isinstance(move, Stop):
            why = move.why.text(work.language)
            data = {**_run_data(self._desk), "why": why, "stopped": True}
            return await self._asked(Note("stopped", say("note_stopped", work.language, why=why), data))
        if self._said:
            return AIMessage(self._said)
        return await self._asked(Note("report", say("note_report", work.language), _run_data(self._desk)))


def _question_in(message: AIMessage) -> str:
    """The question that the model wants to ask the user, from its text or from a call of `ask_user`."""
    asked = (call["args"].get("question") for call in message.tool_calls if call["name"] == "ask_user")
    return message.text.strip() or next((str(one) for one in asked if one), "")


def _run_data(desk: PlanDesk) -> JsonObject:
    """Data from which a report can be written without a language model."""
    run = desk.run
    done: list[JsonValue] = [
        {"id": step.id, "title": step.title or step.id, "saved": step.saved_as, "ask": step.ask or ""}
        for step in run.plan.steps
        if run.progress(step.id).state == "done"
    ]
    return {"goal": run.plan.goal, "skill": desk.skill, "steps": done, "data": run.data}


def _free_note(work: Work) -> Note | None:
    """Note that tells the built-in model which skills it may offer; a language model needs none."""
    if not work.kit.builtin:
        return None
    listed: list[JsonValue] = [
        {"id": skill.id, "title": skill.title, "description": skill.description}
        for skill in work.catalog
        if skill.enabled and skill.invocation.by_user
    ]
    title = work.skill.title if work.skill and not work.skill.sop else ""
    return Note("chat", "", {"skills": listed[:12], "title": title})
