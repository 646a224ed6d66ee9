"""Runs a plan within a turn: its progress, its statistics and the event for each change."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from metier.agent._todos import todos_event, todos_of
from metier.errors import InvalidInput, UsageError
from metier.jsons import JsonObject, JsonValue
from metier.plans import (
    Ask,
    Call,
    Check,
    CheckContext,
    Model,
    Move,
    PlanRecord,
    Run,
    check_milestone,
    next_move,
    run_from_json,
    run_to_json,
)
from metier.store import EventDraft
from metier.tools import Language, ToolSpec


class PlanDesk:
    """Tracks one plan run. Every change returns its events; the caller stores them."""

    def __init__(
        self,
        run: Run,
        *,
        skill: str,
        language: Language = "en",
        workspace: Path | None = None,
        record: PlanRecord | None = None,
    ) -> None:
        self.run = run
        self.skill = skill
        self.record = record or PlanRecord()
        self.move: Move | None = None
        self._language: Language = language
        self._workspace = workspace
        self._steps: dict[str, str] = {}
        self._outputs: dict[str, JsonValue] = {}
        self._counted: tuple[object, ...] = ()

    @classmethod
    def restored(cls, saved: JsonObject, *, language: Language, workspace: Path) -> "PlanDesk":
        """Read what `to_json` wrote; raises `InvalidInput` if it is unreadable."""
        record = _record(saved.get("record"))
        run = run_from_json(saved.get("run"))
        desk = cls(run, skill=str(saved.get("skill", "")), language=language, workspace=workspace, record=record)
        held = saved.get("calls")
        desk._steps = {str(call): str(step) for call, step in held.items()} if isinstance(held, Mapping) else {}
        return desk

    def to_json(self) -> JsonObject:
        record: dict[str, JsonValue] = {**asdict(self.record), "off_plan": list(self.record.off_plan)}
        return {"skill": self.skill, "run": run_to_json(self.run), "record": record, "calls": dict(self._steps)}

    @property
    def over(self) -> bool:
        """Whether the plan has ended, completed or stopped."""
        return self.run.stopped is not None or (
            self.run.replan is None and self.run.due is None and self.run.current is None
        )

    @property
    def state(self) -> Literal["running", "done", "failed"]:
        if not self.over:
            return "running"
        return "failed" if self.run.stopped is not None else "done"

    def next(self, tools: Mapping[str, ToolSpec]) -> tuple[Move, list[EventDraft]]:
        """Judge every due milestone, then return the next move and the events of the milestones."""
        drafts: list[EventDraft] = []
        while isinstance(move := next_move(self.run, tools), Check):
            drafts += self._judge(move)
        self.move = move
        self._count(move)
        return move, drafts

    def created(self, dropped: Sequence[str] = ()) -> EventDraft:
        plan = self.run.plan
        steps: list[JsonValue] = [{"id": step.id, "title": step.title or step.id} for step in plan.steps]
        milestones: list[JsonValue] = [one.name for one in plan.milestones]
        told = {"goal": plan.goal, "source": plan.source, "skill": self.skill, "steps": steps}
        notes = {"notes": [f"step {one!r} leads to nothing and was dropped" for one in dropped]} if dropped else {}
        return EventDraft("plan.created", {**told, "milestones": milestones, **notes})

    def took(self, move: Call, call_id: str) -> EventDraft:
        """Register the plan's own call under this id; returns `step.started`."""
        self._steps[call_id] = move.step.id
        return _started(move.step.id, move.step.title)

    def claim(self, call_id: str, step: str) -> None:
        """Assign a call of an earlier process to its step, so that its result completes the step."""
        current = self.run.current
        if current is not None and current.id == step:
            self._steps[call_id] = step

    def step_of(self, call_id: str) -> str | None:
        """Step that made this call; None for calls of the model."""
        return self._steps.get(call_id)

    def called(self, tool: str) -> None:
        """Count a tool call, made by the plan or by the model."""
        self.record = self.record.tool_called(tool, None if self.over else self.move)

    def heard(self, call_id: str, tool: str, *, ok: bool, data: JsonValue, why: str) -> list[EventDraft]:
        """Record the result of a call; if the plan made it, its step succeeds or fails."""
        if ok:
            self._outputs[tool] = data
        step = self._steps.pop(call_id, None)
        if step is None:
            return []
        return self._turned(self.run.succeeded(step, data) if ok else self.run.failed(step, why))

    def acted(self, step: str, text: str) -> list[EventDraft]:
        """Complete a step that the model did in text."""
        return self._turned(self.run.succeeded(step, text))

    def answered(self, step: str, answer: JsonValue) -> list[EventDraft]:
        return self._turned(self.run.answered(step, answer))

    def filled(self, step: str, arguments: JsonObject) -> list[EventDraft]:
        return self._turned(self.run.filled(step, arguments))

    def replanned(self, run: Run) -> list[EventDraft]:
        self.run = run
        return [self.created()]

    def stop(self, why: str) -> list[EventDraft]:
        return self._turned(self.run.stop(why))

    def _judge(self, check: Check) -> list[EventDraft]:
        milestone = check.milestone
        context = CheckContext(self._workspace, outputs=self._outputs, language=self._language)
        outcome = check_milestone(milestone, self.run, context)
        told: dict[str, JsonValue] = {"milestone": milestone.name, "step": milestone.after, "reason": outcome.reason}
        before = self.run
        changes = self._turned(self.run.checked(milestone.name, outcome))
        if outcome.passed:
            return [EventDraft("milestone.passed", told), *changes]
        action = milestone.on_fail.next(before.judged(milestone.name).failures + 1)
        told |= {"suggestion": outcome.suggestion, "action": action}
        return [EventDraft("milestone.failed", told), *changes]

    def _turned(self, run: Run) -> list[EventDraft]:
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
        return [*drafts, todos_event(todos_of(run), "plan")] if drafts else []

    def _count(self, move: Move) -> None:
        """Count each move once, however often it is requested."""
        step = move.step if isinstance(move, Call | Ask | Model) else None
        progress = self.run.progress(step.id) if step else None
        seen = (type(move), step.id if step else "", progress.failures if progress else 0, _purpose(move))
        if seen != self._counted:
            self._counted = seen
            self.record = self.record.moved(move)

    def outline(self) -> str:
        """Steps with their state as text for the model."""
        marks = {"done": "[x]", "failed": "[!]", "skipped": "[-]"}
        lines = []
        for number, step in enumerate(self.run.plan.steps, 1):
            progress = self.run.progress(step.id)
            said = step.title or step.ask or step.call or step.id
            lines.append(f"{number}. {marks.get(progress.state, '[ ]')} {said}")
        return "\n".join(lines)


def _record(value: JsonValue) -> PlanRecord:
    known: dict[str, Any] = dict(value) if isinstance(value, Mapping) else {}
    try:
        return PlanRecord(**{**known, "off_plan": tuple(known.get("off_plan", ()))})
    except TypeError as error:
        raise InvalidInput("the record of the plan cannot be read", hint="start the work again") from error


def _purpose(move: Move) -> str:
    return move.purpose if isinstance(move, Model) else ""


def _started(step: str, title: str) -> EventDraft:
    return EventDraft("step.started", {"step": step, "title": title or step})


def require_run(desk: "PlanDesk | None") -> PlanDesk:
    """Return the plan runner; raises `UsageError` if the turn has none."""
    if desk is None:
        raise UsageError("no plan is at work", hint="activate a skill with steps first")
    return desk
