"""Carries out a plan: determined steps run without the model, questions pause, only the rest goes to the model."""

import json
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolCall

from metier.agent.adapters import AsyncModelHandler, get_last_message, localize_failure, render_sentence
from metier.agent.choice import answer_rows_asked
from metier.agent.loop._form import describe_invented_name
from metier.agent.loop._model_choice import find_stage
from metier.agent.loop._report import check_report, make_brief, make_report_note, report_data, use_template
from metier.agent.middleware import make_offer
from metier.agent.results import find_finding
from metier.agent.turn import (
    MAX_PLANS,
    PLAN_CALL_PREFIX,
    WRITE_PLAN,
    ModelNote,
    PlanRunner,
    TurnState,
    ask_arguments,
    ask_step_question,
    get_turn_state,
    load_facts_document,
    make_plan_tool,
    validate_plan,
)
from metier.errors import MetierError
from metier.faults import fault_point
from metier.json_values import JsonObject
from metier.language import Language
from metier.plans import DATA_ROOTS, AskUser, CallModel, CallTool, Done, Move, Stop
from metier.routing import read_small_talk
from metier.store import EventDraft
from metier.textsearch import fold

_MAX_MOVES: Final = 200
_MAX_OFFERED: Final = 8
_MAX_SHORT: Final = 40


class PlanMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Consults the plan before the model. A determined call is returned as if the model had made it."""

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        state = get_turn_state(request.runtime)
        if state.plan.runner is None or state.plan.runner.skill != (
            state.skill.active.id if state.skill.active else ""
        ):
            state.calls.model_note = await _chat_note(state, request)
            return await handler(request)
        return await _PlanMoves(state, state.plan.runner, request, handler).run()


class _PlanMoves:
    """Moves of one pass: as many as possible before a tool has to run or a person has to answer."""

    def __init__(
        self, state: TurnState, runner: PlanRunner, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> None:
        self._state = state
        self._runner = runner
        self._request = request
        self._handler = handler
        self._pending_text = ""

    async def run(self) -> ModelResponse[Any] | AIMessage:
        for _ in range(_MAX_MOVES):
            self._runner.current_move = None  # lift the last step's restriction: the plan may use all its tools again
            move = await self._take_next_move()
            if isinstance(move, Done | Stop):
                return await self._end(move)
            if self._pending_text:  # text of a step done by the model, said before the plan continues
                self._state.queue_reply(self._pending_text)
                self._pending_text = ""
            if isinstance(move, CallTool):
                return await self._make_call(move)
            if isinstance(move, AskUser):
                await answer_rows_asked(self._state)
                return AIMessage(await ask_step_question(self._state, move))
            answer = await self._run_model_move(move) if isinstance(move, CallModel) else None
            if answer is not None:
                return answer
        await self._record(self._runner.stop(f"more than {_MAX_MOVES} moves"))
        return await self._end(self._runner.run.stopped)

    async def _take_next_move(self) -> Move:
        gate = self._state.open_gate
        move, drafts = await self._runner.limit_steps(lambda: self._runner.take_next_move(gate.specs, gate.denied))
        fault_point("plan_judged")
        await self._record(drafts)
        return move

    async def _record(self, drafts: list[EventDraft]) -> None:
        if drafts:
            await self._state.journal.record(*drafts, plan=self._state.plan_snapshot())

    async def _make_call(self, move: CallTool) -> AIMessage:
        call_id = f"{PLAN_CALL_PREFIX}{self._state.resources.new_id()[:12]}"
        await self._state.journal.emit(self._runner.start_call(move, call_id))
        arguments: dict[str, Any] = json.loads(json.dumps(move.arguments, default=dict))
        return AIMessage("", tool_calls=[ToolCall(name=move.tool, args=arguments, id=call_id, type="tool_call")])

    async def _fill_arguments(self, step: str, given: JsonObject) -> None:
        await self._record(
            await self._runner.limit_steps(lambda: self._runner.fill_arguments(step, given, "assumption"))
        )

    async def _run_model_move(self, move: CallModel) -> ModelResponse[Any] | AIMessage | None:
        """Carry out a move that needs the model; None if the plan can continue by itself afterwards."""
        if move.purpose == "replan":
            return await self._replan(move)
        if move.purpose == "fill":
            return await self._fill(move)
        return await self._act(move)

    async def _fill(self, move: CallModel) -> AIMessage | None:
        step = move.step
        if self._state.uses_builtin_model("fill") or step is None:
            return AIMessage(await ask_arguments(self._state, move))
        names = ", ".join(gap.argument for gap in move.missing)
        known = json.dumps(move.known, ensure_ascii=False, default=dict)
        title, tool = step.title or step.id, move.tools[0]
        note = render_sentence(
            "note_fill", self._state.request.language, tool=tool, title=title, missing=names, known=known
        )
        known_facts = await load_facts_document(self._state)
        brief = make_brief(self._state, self._request.messages, results=known_facts, earlier=True)
        message = get_last_message(await self._call_model(ModelNote("fill", note, brief=brief)))
        given = _read_filled(message, move)
        if given and (why := describe_invented_name(self._state, tool, given, self._request.messages)):
            message = get_last_message(await self._call_model(ModelNote("fill", f"{note}\n\n{why}", brief=brief)))
            given = _read_filled(message, move)
        if given:
            await self._fill_arguments(step.id, given)
            return None
        return AIMessage(await ask_arguments(self._state, move, _find_question(message)))

    async def _act(self, move: CallModel) -> ModelResponse[Any] | AIMessage | None:
        step = move.step
        if step is None:
            return None
        title = step.title or step.id
        if self._state.uses_builtin_model("act") and (move.tools or self._runner.run.plan.steps[-1].id != step.id):
            await self._record(
                self._runner.stop(render_sentence("step_needs_model", self._state.request.language, title=title))
            )
            return None
        note = ModelNote(
            "act", render_sentence("note_act", self._state.request.language, title=title), report_data(self._runner)
        )
        response = await self._call_model(note)
        message = get_last_message(response)
        if message.tool_calls:
            return response
        self._pending_text = "" if self._state.reports_by_template else message.text
        await self._record(await self._runner.limit_steps(lambda: self._runner.complete_step(step.id, message.text)))
        return None

    async def _replan(self, move: CallModel) -> AIMessage | None:
        why = move.why.text(self._state.request.language) if move.why else ""
        if self._state.uses_builtin_model("act"):
            await self._record(self._runner.stop(why))
            return None
        note = render_sentence("note_replan", self._state.request.language, why=why)
        for _ in range(MAX_PLANS):
            message = get_last_message(await self._call_model(ModelNote("replan", note), plan_tools=move.tools))
            written = next((call["args"] for call in message.tool_calls if call["name"] == WRITE_PLAN), None)
            problem = await self._apply_new_plan(written, move)
            if not problem:
                return None
            note = render_sentence("note_plan_wrong", self._state.request.language, problems=problem)
        await self._record(self._runner.stop(f"{why} ({note})"))
        return None

    async def _apply_new_plan(self, written: JsonObject | None, move: CallModel) -> str:
        """Continue with the plan that the model wrote; returns its problems as text, empty if it was accepted."""
        specs = {name: spec for name, spec in self._state.open_gate.specs.items() if name in move.tools}
        run = self._runner.run
        given = tuple(name for name in run.data if name not in DATA_ROOTS)
        made = validate_plan(self._state, written or {}, specs, given)
        if made.plan is None:
            return "; ".join(f"{one.path}: {one.message}" for one in made.problems[:5])
        fault_point("plan_rewritten")
        await self._record(self._runner.replace_run(run.replace_plan(made.plan)))
        return ""

    async def _call_model(self, note: ModelNote, *, plan_tools: tuple[str, ...] | None = None) -> ModelResponse[Any]:
        self._state.calls.model_note = note
        try:
            if plan_tools is None:
                return await self._handler(self._request)
            return await self._handler(self._plan_request(plan_tools))
        finally:
            self._state.calls.model_note = None

    def _plan_request(self, tools: tuple[str, ...]) -> ModelRequest[Any]:
        offered: list[Any] = [make_plan_tool(tools, self._state.request.language, is_changed=True)]
        return self._request.override(tools=offered, tool_choice=WRITE_PLAN)

    async def _end(self, move: Done | Stop | None) -> ModelResponse[Any] | AIMessage:
        stop = move if isinstance(move, Stop) else None
        if stop is None and self._pending_text:
            return AIMessage(self._pending_text)
        note = make_report_note(self._state, self._runner, self._request.messages, stop)
        if note.brief is None:
            return await self._call_model(note)
        if stop is None and self._state.reports_by_template and note.brief.report:
            return AIMessage(note.brief.report)
        try:
            reply = get_last_message(await self._call_model(note))
        except Exception as error:
            if error is self._state.calls.model_error:  # the results are there: the report needs no model
                self._state.journal.queue(_failed_report_event(error, self._state.request.language))
                return use_template(self._state, note.brief, "report_unwritten")
            raise
        return check_report(self._state, reply, note.brief, self._runner.run.data)


def _read_filled(message: AIMessage, move: CallModel) -> JsonObject:
    """Values that the model gave for the missing arguments; empty if it did not call the tool."""
    wanted, tool = {gap.argument for gap in move.missing}, move.tools[0]
    given = ({k: v for k, v in one["args"].items() if k in wanted} for one in message.tool_calls if one["name"] == tool)
    return {name: value for name, value in next(given, {}).items() if value is not None}


def _failed_report_event(error: Exception, language: Language) -> EventDraft:
    told: JsonObject = (
        error.to_json() if isinstance(error, MetierError) else {"code": "model_failed", "message": str(error)[:500]}
    )
    return EventDraft("error", localize_failure(told, language))


def _find_question(message: AIMessage) -> str:
    """The question that the model wants to ask the user, from its text or from a call of `ask_user`."""
    asked = (call["args"].get("question") for call in message.tool_calls if call["name"] == "ask_user")
    return message.text.strip() or next((str(one) for one in asked if one), "")


async def _chat_note(state: TurnState, request: ModelRequest[Any]) -> ModelNote | None:
    """Note that tells the built-in model which skills it may offer; a language model needs none."""
    if not state.uses_builtin_model(find_stage(state, request.messages)):
        return None
    language = state.request.language
    offer = make_offer(state.request.catalog, state.resources.packs, state.skill.shortlist, max_skills=_MAX_OFFERED)
    title = state.skill.active.title_in(language) if state.skill.active and not state.skill.active.sop else ""
    talk = read_small_talk(fold(state.request.message))
    declined = render_sentence("no_model", language)
    said = (one.content for one in state.request.earlier_messages if one.role == "assistant")
    told = {**offer.to_json(language), "title": title, "talk": talk, "last": await _describe_last_finding(state)}
    told["is_repeated"] = any(one.startswith(declined) for one in said)
    return ModelNote("chat", "", told)


async def _describe_last_finding(state: TurnState) -> JsonObject | None:
    """The title of the skill in use and its last finding; None if the message does not seem to be about that."""
    skill, message = state.skill.active, state.request.message
    if skill is None or len(message) > _MAX_SHORT:
        return None
    earlier = state.request.earlier_messages
    worked = next((one.turn for one in reversed(earlier) if one.role == "tool" and one.turn), None)
    if worked is None:
        return None
    events = await state.resources.store.events.read(state.conversation, turn=worked)
    by = next((one.data.get("skill") for one in reversed(events) if one.kind == "turn.done"), skill.id)
    finding = find_finding(events, message) if by == skill.id else ""
    return {"title": skill.title_in(state.request.language), "finding": finding} if finding else None
