"""Runs a plan within a turn: its progress, its statistics and the event for each change."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from metier.agent.middleware import todos_event, todos_from_run
from metier.errors import InvalidInput, UsageError
from metier.facts import Fact, FactSource
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.limits import run_limited
from metier.plans import (
    MAX_RECORDED,
    AskUser,
    CallModel,
    CallRecord,
    CallTool,
    CheckContext,
    CheckMilestone,
    Move,
    PlanRecord,
    PlanRun,
    Step,
    call_from_json,
    check_milestone,
    evaluate_facts,
    facts_from_arguments,
    next_move,
    record_call,
    run_from_json,
    run_to_json,
)
from metier.store import EventDraft
from metier.tools import ToolSpec

T = TypeVar("T")
_RunnerState: TypeAlias = tuple[
    PlanRun, PlanRecord, Move | None, dict[str, str], dict[str, JsonValue], tuple[object, ...]
]

PLAN_CALL_PREFIX: Final = "plan-"  # of the ids of calls that a plan makes itself


class PlanRunner:
    """Tracks one plan run. Every change returns its events; the caller stores them."""

    def __init__(
        self,
        run: PlanRun,
        *,
        skill: str,
        language: Language = "en",
        workspace: Path | None = None,
        record: PlanRecord | None = None,
    ) -> None:
        self.run = run
        self.skill = skill
        self.record = record or PlanRecord()
        self.current_move: Move | None = None
        self._language: Language = language
        self._workspace = workspace
        self._step_by_call: dict[str, str] = {}
        self._outputs: dict[str, JsonValue] = {}
        self._last_counted: tuple[object, ...] = ()
        self._finished: tuple[CallRecord, ...] = ()
        self._made_in_step: tuple[tuple[str, int], dict[str, JsonValue]] = (("", 0), {})

    @classmethod
    def from_json(cls, saved: JsonObject, *, language: Language, workspace: Path) -> "PlanRunner":
        """Read what `to_json` wrote; raises `InvalidInput` if it is unreadable."""
        record = _record_from_json(saved.get("record"))
        run = run_from_json(saved.get("run"))
        runner = cls(run, skill=str(saved.get("skill", "")), language=language, workspace=workspace, record=record)
        held = saved.get("calls")
        runner._step_by_call = (
            {str(call): str(step) for call, step in held.items()} if isinstance(held, Mapping) else {}
        )
        finished = saved.get("finished")
        listed = finished if isinstance(finished, list | tuple) else ()
        runner._finished = tuple(one for value in listed if (one := call_from_json(value)) is not None)
        return runner

    def to_json(self) -> JsonObject:
        record: dict[str, JsonValue] = {**asdict(self.record), "off_plan": list(self.record.off_plan)}
        told: JsonObject = {"skill": self.skill, "run": run_to_json(self.run), "record": record}
        finished: list[JsonValue] = [one.to_json() for one in self._finished]
        return {**told, "calls": dict(self._step_by_call), **({"finished": finished} if finished else {})}

    @property
    def is_over(self) -> bool:
        """Whether the plan has ended, completed or stopped."""
        return self.run.stopped is not None or (
            self.run.replan is None and self.run.due_milestone is None and self.run.current_step is None
        )

    @property
    def waiting_tools(self) -> frozenset[str]:
        """Tools that only steps call which are still to come."""
        steps = {True: set[str](), False: set[str]()}
        for step in self.run.plan.steps:
            is_pending = self.run.get_step_progress(step.id).state == "pending"
            steps[is_pending] |= {step.call} if step.call else set()
        return frozenset(steps[True] - steps[False])

    @property
    def state(self) -> Literal["running", "done", "failed"]:
        if not self.is_over:
            return "running"
        return "failed" if self.run.stopped is not None else "done"

    def take_next_move(
        self, tools: Mapping[str, ToolSpec], denied: Collection[str] = frozenset()
    ) -> tuple[Move, list[EventDraft]]:
        """Judge every due milestone, then return the next move and the events of the milestones."""
        drafts: list[EventDraft] = []
        while isinstance(move := next_move(self.run, tools, denied), CheckMilestone):
            drafts += self._judge_milestone(move)
        if isinstance(move, CallModel) and move.purpose == "act":
            move = self._withdraw_tools(move)
        self.current_move = move
        self._count_move(move)
        return move, drafts

    async def limit_steps(self, work: Callable[[], T]) -> T:
        """Make changes with a step budget, in a thread if they take long; `work` may be started twice."""
        before = self._copy_state()

        def attempt() -> T:
            self.run, self.record, self.current_move, step_by_call, outputs, self._last_counted = before
            self._step_by_call, self._outputs = dict(step_by_call), dict(outputs)
            return work()

        return await run_limited(attempt)

    def _copy_state(self) -> _RunnerState:
        calls, outputs = dict(self._step_by_call), dict(self._outputs)
        return self.run, self.record, self.current_move, calls, outputs, self._last_counted

    def created_event(self, dropped: Sequence[str] = ()) -> EventDraft:
        plan = self.run.plan
        steps: list[JsonValue] = [
            _step_to_json(step, [one.name for one in plan.milestones if one.after == step.id]) for step in plan.steps
        ]
        milestones: list[JsonValue] = [one.name for one in plan.milestones]
        told = {"goal": plan.goal, "source": plan.source, "skill": self.skill, "steps": steps}
        notes = {"notes": [f"step {one!r} leads to nothing and was dropped" for one in dropped]} if dropped else {}
        return EventDraft("plan.created", {**told, "milestones": milestones, **notes})

    def start_call(self, move: CallTool, call_id: str) -> EventDraft:
        """Register the plan's own call under this id; returns `step.started`."""
        self._step_by_call[call_id] = move.step.id
        return _step_started_event(move.step.id, move.step.title)

    def claim_call(self, call_id: str, step: str) -> None:
        """Assign a call of an earlier process to its step, so that its result completes the step."""
        current = self.run.current_step
        if current is not None and current.id == step:
            self._step_by_call[call_id] = step

    def find_step(self, call_id: str) -> str | None:
        """Step that made this call; None for calls of the model."""
        return self._step_by_call.get(call_id)

    def get_step_of_call(self, call_id: str) -> Step | None:
        """Step of the plan that made this call; None for calls of the model."""
        id = self.find_step(call_id)
        return next((step for step in self.run.plan.steps if step.id == id), None)

    def count_call(self, tool: str) -> None:
        """Count a tool call, made by the plan or by the model."""
        self.record = self.record.record_tool_call(tool, None if self.is_over else self.current_move)

    def note_work(self, tool: str, arguments: JsonObject, data: JsonValue, *, writes: bool) -> None:
        """Remember a run or a write, in order, for the check `exit_code`."""
        if (done := record_call(tool, arguments, data, writes=writes)) is not None:
            self._finished = (*self._finished, done)[-MAX_RECORDED:]

    def finish_call(self, call_id: str, tool: str, *, ok: bool, data: JsonValue, why: str) -> list[EventDraft]:
        """Record the result of a call; if the plan made it, its step succeeds or fails."""
        if ok:
            self._outputs[tool] = data
        step = self._step_by_call.pop(call_id, None)
        if step is None:
            if ok and (current := self.run.current_step) is not None:
                self._note_made(current, tool, data)
            return []
        return self._finish_step(step, self.run.record_result(step, data) if ok else self.run.record_failure(step, why))

    def complete_step(self, step: str, text: str) -> list[EventDraft]:
        """Complete a step that the model did in text."""
        return self._finish_step(step, self.run.record_result(step, text))

    def answer_step(self, step: str, answer: JsonValue) -> list[EventDraft]:
        return self._finish_step(step, self.run.record_answer(step, answer))

    def fill_arguments(self, step: str, arguments: JsonObject, source: FactSource = "form") -> list[EventDraft]:
        """Add arguments that the plan could not find; `source` says where facts among them come from."""
        run, found = self.run, self.run.plan.find_step(step)
        drafts = self._advance(run.supply_arguments(step, arguments))
        facts = () if found is None else facts_from_arguments(run.plan, found, arguments, run.data)
        return [*self._fact_events(run, [replace(one, source=source) for one in facts]), *drafts]

    def replace_run(self, run: PlanRun) -> list[EventDraft]:
        self.run = run
        return [self.created_event()]

    def stop(self, why: str) -> list[EventDraft]:
        return self._advance(self.run.stop(why))

    def _finish_step(self, step_id: str, run: PlanRun) -> list[EventDraft]:
        """Advance, with the events of the facts that the step has settled."""
        before, step = self.run, run.plan.find_step(step_id)
        drafts = self._advance(run)
        if step is None or run.get_step_progress(step_id).state != "done":
            return drafts
        return [*self._fact_events(before, evaluate_facts(step, run.data)), *drafts]

    def _fact_events(self, before: PlanRun, facts: Sequence[Fact]) -> list[EventDraft]:
        """Events of the facts whose values have changed."""
        known = before.data.get("facts")
        held = known if isinstance(known, Mapping) else {}
        changed = [one for one in facts if held.get(one.name) != one.value]
        return [EventDraft("fact.saved", replace(one, skill=self.skill).to_json()) for one in changed]

    def restate_facts(self, known: Mapping[str, JsonValue]) -> list[EventDraft]:
        """Events of the facts that finished steps settled and that are otherwise by now: the plan is taken up again."""
        done = [one for one in self.run.plan.steps if self.run.get_step_progress(one.id).state == "done"]
        facts = [fact for step in done for fact in evaluate_facts(step, self.run.data)]
        changed = [one for one in facts if one.name in known and known[one.name] != one.value]
        return [EventDraft("fact.saved", replace(one, skill=self.skill).to_json()) for one in changed]

    def _note_made(self, step: Step, tool: str, data: JsonValue) -> None:
        """Remember what the model's calls gave in this attempt at the step."""
        attempt = (step.id, self._count_failures(step))
        made = self._made_in_step[1] if self._made_in_step[0] == attempt else {}
        self._made_in_step = (attempt, {**made, tool: data})

    def _count_failures(self, step: Step) -> int:
        failed = [self.run.get_milestone_progress(one.name).failures for one in self.run.plan.milestones]
        return self.run.get_step_progress(step.id).failures + sum(failed)

    def _withdraw_tools(self, move: CallModel) -> CallModel:
        """The move without the tools whose output the step was for and has: what is left is to say so.

        A tool that stays on offer after its work is called again, or for something that a page asks for.
        """
        step = move.step
        if step is None or step.tools is None or self._made_in_step[0] != (step.id, self._count_failures(step)):
            return move
        made = self._made_in_step[1]
        context = CheckContext(self._workspace, outputs=made, language=self._language, calls=self._finished)
        done = {
            str(one.check.options.get("tool"))
            for one in self.run.plan.milestones
            if one.after == step.id and one.check.kind == "tool_output" and one.check.options.get("tool") in made
            if check_milestone(one, self.run, context).passed
        }
        return replace(move, tools=tuple(name for name in move.tools if name not in done))

    def _judge_milestone(self, check: CheckMilestone) -> list[EventDraft]:
        milestone = check.milestone
        context = CheckContext(self._workspace, outputs=self._outputs, language=self._language, calls=self._finished)
        outcome = check_milestone(milestone, self.run, context)
        told: dict[str, JsonValue] = {"milestone": milestone.name, "step": milestone.after, "reason": outcome.reason}
        before = self.run
        changes = self._advance(self.run.record_check(milestone.name, outcome))
        if outcome.passed:
            return [EventDraft("milestone.passed", told), *changes]
        action = milestone.on_fail.next_action(before.get_milestone_progress(milestone.name).failures + 1)
        told |= {"suggestion": outcome.suggestion, "action": action}
        return [EventDraft("milestone.failed", told), *changes]

    def _advance(self, run: PlanRun) -> list[EventDraft]:
        """Replace the run by its successor and return the events of the steps that changed."""
        before, self.run = self.run, run
        drafts = []
        for step in run.plan.steps:
            was, now = before.steps.get(step.id), run.steps.get(step.id)
            if now is None or (was is not None and (was.state, was.failures) == (now.state, now.failures)):
                continue
            if now.state == "pending" and not now.failures:
                continue
            state = "retried" if now.state == "pending" else now.state
            why = now.why.text(self._language) if now.why else ""
            drafts.append(EventDraft("step.done", {"step": step.id, "title": step.title, "state": state, "why": why}))
        return [*drafts, todos_event(todos_from_run(run), "plan")] if drafts else []

    def _count_move(self, move: Move) -> None:
        """Count each move once, however often it is requested."""
        step = move.step if isinstance(move, CallTool | AskUser | CallModel) else None
        progress = self.run.get_step_progress(step.id) if step else None
        seen = (type(move), step.id if step else "", progress.failures if progress else 0, _model_purpose(move))
        if seen != self._last_counted:
            self._last_counted = seen
            self.record = self.record.record_move(move)

    def outline(self) -> str:
        """Steps with their state as text for the model."""
        marks = {"done": "[x]", "failed": "[!]", "skipped": "[-]"}
        lines = []
        for number, step in enumerate(self.run.plan.steps, 1):
            progress = self.run.get_step_progress(step.id)
            said = step.title or step.ask or step.call or step.id
            lines.append(f"{number}. {marks.get(progress.state, '[ ]')} {said}")
        return "\n".join(lines)


def _record_from_json(value: JsonValue) -> PlanRecord:
    known: dict[str, Any] = dict(value) if isinstance(value, Mapping) else {}
    try:
        return PlanRecord(**{**known, "off_plan": tuple(known.get("off_plan", ()))})
    except TypeError as error:
        raise InvalidInput("the record of the plan cannot be read", hint="start the work again") from error


def _model_purpose(move: Move) -> str:
    return move.purpose if isinstance(move, CallModel) else ""


def _step_to_json(step: Step, checks: Sequence[str]) -> JsonObject:
    tool = {"tool": step.call} if step.call and not step.call.startswith("$") else {}
    checked = {"checks": [*checks]} if checks else {}
    may_not_run = {"conditional": True} if step.when else {}
    return {"id": step.id, "title": step.title or step.id, **tool, **checked, **may_not_run}


def _step_started_event(step: str, title: str) -> EventDraft:
    return EventDraft("step.started", {"step": step, "title": title or step})


def require_plan(runner: "PlanRunner | None") -> PlanRunner:
    """Return the plan runner; raises `UsageError` if the turn has none."""
    if runner is None:
        raise UsageError("no plan is at work", hint="activate a skill with steps first")
    return runner
