"""Execution state of a plan: immutable; every transition returns a new run.

A returned run has already skipped the steps whose condition is false, so the next move depends only on the run. A run
serialises to JSON, and another process can resume it at any point.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from metier.errors import InvalidInput, UsageError
from metier.jsons import JsonObject, JsonValue
from metier.plans._expressions import is_true
from metier.plans._plain import plain, plain_object
from metier.plans._plan import DATA_ROOTS, Milestone, OnFail, Plan, Step
from metier.plans._reasons import Reason, reason
from metier.plans._schemas import misfit
from metier.plans._words import same_words

StepState = Literal["pending", "done", "skipped", "failed"]
MilestoneState = Literal["open", "passed", "failed", "skipped"]

MOST_REPLANS: Final = 2
_INPUT: Final = re.compile(r"\$\.inputs\.([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class StepProgress:
    """Progress of a step; `supplied` holds arguments the plan could not find and somebody provided."""

    state: StepState = "pending"
    failures: int = 0
    fills: int = 0
    supplied: JsonObject = field(default_factory=dict)
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class MilestoneProgress:
    """Progress of a milestone."""

    state: MilestoneState = "open"
    failures: int = 0
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """Outcome of a milestone check: passed or not, the reason, and a suggestion."""

    passed: bool
    reason: str
    suggestion: str
    why: Reason


@dataclass(frozen=True, slots=True)
class Stop:
    """Why and where the run ended early."""

    why: Reason
    step: str = ""
    milestone: str = ""


_FRESH: Final = StepProgress()
_UNCHECKED: Final = MilestoneProgress()


@dataclass(frozen=True, slots=True)
class Run:
    """A plan, its data so far, and the progress of each started step and checked milestone."""

    plan: Plan
    data: JsonObject = field(default_factory=dict)
    steps: Mapping[str, StepProgress] = field(default_factory=dict)
    milestones: Mapping[str, MilestoneProgress] = field(default_factory=dict)
    replans: int = 0
    replan: Stop | None = None
    stopped: Stop | None = None

    @classmethod
    def start(cls, plan: Plan, data: JsonObject | None = None) -> "Run":
        """Start a run with the initial data: `message`, `inputs`, `profile`."""
        known = plain_object(data or {}, "the run's data")
        for name in known:
            if name not in DATA_ROOTS and name not in plan.given:
                raise UsageError(f"a run does not start with {name!r}", hint=f"known: {', '.join(DATA_ROOTS)}")
        return cls(plan, known)._settled()

    @property
    def current(self) -> Step | None:
        """The step to run now, or None."""
        return next((step for step in self.plan.steps if self._of(step.id).state == "pending"), None)

    @property
    def due(self) -> Milestone | None:
        """The milestone to check before anything else: its step is done and it has not been checked."""
        return next((milestone for milestone in self.plan.milestones if self._is_due(milestone)), None)

    def progress(self, step_id: str) -> StepProgress:
        """Progress of a step."""
        self._known(step_id)
        return self._of(step_id)

    def judged(self, milestone: str) -> MilestoneProgress:
        """Progress of a milestone."""
        return self.milestones.get(milestone, _UNCHECKED)

    def succeeded(self, step_id: str, result: JsonValue) -> "Run":
        """Record the result of a tool call or of the model's work; it must match what the step expects."""
        step = self._turn_of(step_id)
        value = plain(result, f"the result of step {step_id!r}")
        if step.expects is not None and (detail := misfit(value, step.expects)):
            return self._failed(step, reason("unexpected_result", step=step_id, detail=detail))
        return self._saved(step, value)

    def failed(self, step_id: str, message: str) -> "Run":
        """Record that the step's call failed; `message` says why."""
        return self._failed(self._turn_of(step_id), reason("tool_failed", step=step_id, message=message))

    def answered(self, step_id: str, answer: JsonValue) -> "Run":
        """Record the user's answer: a value that matches the schema, or the text of a choice."""
        step = self._turn_of(step_id)
        if step.ask is None:
            raise UsageError(f"step {step_id!r} asks nothing", hint="answer a step with 'ask'")
        value = plain(answer, "the answer")
        if isinstance(value, str):
            value = next((choice.value for choice in step.choices if same_words(choice.text, value)), value)
        if problem := misfit(value, step.answer_schema):
            hint = f"one of {', '.join(choice.text for choice in step.choices)}" if step.choices else ""
            raise InvalidInput(f"the answer to step {step_id!r} does not fit: {problem}", hint=hint)
        return self._saved(step, value)

    def filled(self, step_id: str, arguments: JsonObject) -> "Run":
        """Add arguments that the plan could not find; nothing runs yet.

        Values looked up under `$.inputs` are stored there too, so nobody is asked for the same thing twice.
        """
        step = self._turn_of(step_id)
        if step.call is None:
            raise UsageError(f"step {step_id!r} calls nothing", hint="give arguments to a step with 'call'")
        was = self._of(step_id)
        given = {name: value for name, value in plain_object(arguments, "arguments").items() if value is not None}
        run = self._with_step(step_id, replace(was, fills=was.fills + 1, supplied={**was.supplied, **given}))
        known = self.data.get("inputs") or {}
        if not isinstance(known, Mapping):
            return run
        wanted = {name: _INPUT.fullmatch(str(step.arguments.get(name))) for name in given}
        new = {found[1]: given[name] for name, found in wanted.items() if found and known.get(found[1]) is None}
        return replace(run, data={**self.data, "inputs": {**known, **new}}) if new else run

    def checked(self, milestone: str, outcome: Checked) -> "Run":
        """Record a milestone check; on failure the milestone's `on_fail` applies."""
        judged = self.due
        if judged is None or judged.name != milestone:
            hint = f"due: {judged.name!r}" if judged else "no milestone is due"
            raise UsageError(f"milestone {milestone!r} is not due", hint=hint)
        if outcome.passed:
            return self._with_milestone(
                milestone, MilestoneProgress("passed", self.judged(milestone).failures)
            )._settled()
        failures = self.judged(milestone).failures + 1
        run = self._with_milestone(milestone, MilestoneProgress("failed", failures, outcome.why))
        return run._after_failure(judged.on_fail, failures, Stop(outcome.why, judged.after, milestone))

    def replanned(self, plan: Plan) -> "Run":
        """Continue with another plan; steps done and unchanged stay done, except the one that failed."""
        if self.replan is None:
            raise UsageError("no new plan was asked for", hint="replan when the next move says so")
        kept = {
            step.id: self._of(step.id)
            for step in plan.steps
            if self._of(step.id).state == "done" and self.plan.step(step.id) == step and step.id != self.replan.step
        }
        names = {*DATA_ROOTS, *plan.given, *(step.saved_as for step in plan.steps if step.id in kept)}
        data = {name: value for name, value in self.data.items() if name in names}
        return Run(plan, data, kept, {}, self.replans + 1)._settled()

    def stop(self, message: str) -> "Run":
        """End the run for an external reason: a limit, a person, a plan that could not be corrected."""
        if self.stopped is not None:
            return self
        step = self.current
        return replace(self, stopped=Stop(reason("stopped", message=message), step.id if step else ""), replan=None)

    def _of(self, step_id: str) -> StepProgress:
        return self.steps.get(step_id, _FRESH)

    def _known(self, step_id: str) -> Step:
        step = self.plan.step(step_id)
        if step is None:
            raise UsageError(f"the plan has no step {step_id!r}")
        return step

    def _turn_of(self, step_id: str) -> Step:
        """The step, if it is the current one: a late or duplicate result must not advance the plan."""
        step = self._known(step_id)
        if self.stopped is not None or self.replan is not None:
            raise UsageError(f"step {step_id!r} cannot go on: the run has stopped or waits for a new plan")
        current = self.current
        if self.due is not None or current is None or current.id != step_id:
            hint = f"due: milestone {self.due.name!r}" if self.due else f"current: {current.id if current else 'none'}"
            raise UsageError(f"it is not the turn of step {step_id!r}", hint=hint)
        return step

    def _is_due(self, milestone: Milestone) -> bool:
        return self._of(milestone.after).state == "done" and self.judged(milestone.name).state == "open"

    def _with_step(self, step_id: str, progress: StepProgress) -> "Run":
        return replace(self, steps={**self.steps, step_id: progress})

    def _with_milestone(self, name: str, progress: MilestoneProgress) -> "Run":
        return replace(self, milestones={**self.milestones, name: progress})

    def _saved(self, step: Step, value: JsonValue) -> "Run":
        done = self._with_step(step.id, replace(self._of(step.id), state="done", why=None))
        return replace(done, data={**self.data, step.saved_as: value})._settled()

    def _failed(self, step: Step, why: Reason) -> "Run":
        was = self._of(step.id)
        run = self._with_step(step.id, replace(was, state="failed", failures=was.failures + 1, why=why))
        return run._after_failure(step.on_fail, was.failures + 1, Stop(why, step.id))

    def _after_failure(self, on_fail: OnFail, failures: int, end: Stop) -> "Run":
        action = on_fail.next(failures)
        if action == "retry":
            return self._again(end.step)._settled()
        if action == "continue":
            return self._settled()
        if action == "replan":
            if self.replans < MOST_REPLANS:
                return replace(self, replan=end)
            why = reason("replans_used_up", times=str(self.replans), why=end.why.text())
            return replace(self, stopped=replace(end, why=why))
        return replace(self, stopped=end)

    def _again(self, step_id: str) -> "Run":
        """Reset a step: clear its result, its supplied arguments and its milestones' outcomes."""
        step = self._known(step_id)
        fresh = StepProgress(failures=self._of(step_id).failures)
        milestones = {
            name: MilestoneProgress(failures=was.failures) if after == step_id else was
            for name, was in self.milestones.items()
            for after in [next((each.after for each in self.plan.milestones if each.name == name), "")]
        }
        data = {name: value for name, value in self.data.items() if name != step.saved_as}
        return replace(self, data=data, steps={**self.steps, step_id: fresh}, milestones=milestones)

    def _settled(self) -> "Run":
        """Skip steps that need not run, up to the first that must or to the first due milestone."""
        run = self
        while run.due is None and (step := run.current) is not None:
            why = run._reason_to_skip(step)
            if why is None:
                break
            run = run._with_step(step.id, StepProgress("skipped", why=why))
        return run._with_milestones_skipped()

    def _reason_to_skip(self, step: Step) -> Reason | None:
        for need in step.needs:
            state = self._of(need).state
            if state != "done":
                return reason(f"need_{state}", need=need)
        if step.when is not None and not is_true(step.when, self.data):
            return reason("condition_false", when=step.when)
        return None

    def _with_milestones_skipped(self) -> "Run":
        run = self
        for milestone in self.plan.milestones:
            state = run._of(milestone.after).state
            if state in ("skipped", "failed") and run.judged(milestone.name).state == "open":
                why = reason(f"step_{state}", step=milestone.after)
                run = run._with_milestone(milestone.name, MilestoneProgress("skipped", why=why))
        return run
