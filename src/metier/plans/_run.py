"""Execution state of a plan: immutable; every transition returns a new run.

A returned run has already skipped the steps whose condition is false, so the next move depends only on the run. A run
serialises to JSON, and another process can resume it at any point.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from metier.errors import InvalidInput, TooManySteps, UsageError
from metier.facts import Fact
from metier.json_values import JsonObject, JsonValue
from metier.plans._arguments import evaluate_facts, facts_from_arguments
from metier.plans._expressions import is_true
from metier.plans._plan import DATA_ROOTS, Milestone, OnFail, Plan, Step
from metier.plans._reasons import PlanReason
from metier.plans._schemas import find_misfit
from metier.plans._values import fold_text, read_json, read_json_object

StepState = Literal["pending", "done", "skipped", "failed"]
MilestoneState = Literal["open", "passed", "failed", "skipped"]

MAX_REPLANS: Final = 2
_INPUT_PATH: Final = re.compile(r"\$\.inputs\.([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class StepProgress:
    """Progress of a step; `supplied` holds arguments the plan could not find and somebody provided."""

    state: StepState = "pending"
    failures: int = 0
    fills: int = 0
    supplied: JsonObject = field(default_factory=dict)
    why: PlanReason | None = None


@dataclass(frozen=True, slots=True)
class MilestoneProgress:
    """Progress of a milestone."""

    state: MilestoneState = "open"
    failures: int = 0
    why: PlanReason | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Outcome of a milestone check: passed or not, the reason, and a suggestion."""

    passed: bool
    reason: str
    suggestion: str
    why: PlanReason


@dataclass(frozen=True, slots=True)
class Stop:
    """Why and where the run ended early."""

    why: PlanReason
    step: str = ""
    milestone: str = ""


_NOT_STARTED: Final = StepProgress()
_UNCHECKED: Final = MilestoneProgress()


@dataclass(frozen=True, slots=True)
class PlanRun:
    """A plan, its data so far, and the progress of each started step and checked milestone."""

    plan: Plan
    data: JsonObject = field(default_factory=dict)
    steps: Mapping[str, StepProgress] = field(default_factory=dict)
    milestones: Mapping[str, MilestoneProgress] = field(default_factory=dict)
    replans: int = 0
    replan: Stop | None = None
    stopped: Stop | None = None

    @classmethod
    def start(cls, plan: Plan, data: JsonObject | None = None) -> "PlanRun":
        """Start a run with the initial data: `message`, `inputs`, `profile`, `facts`."""
        known = read_json_object(data or {}, "the run's data")
        for name in known:
            if name not in DATA_ROOTS and name not in plan.given:
                raise UsageError(f"a run does not start with {name!r}", hint=f"known: {', '.join(DATA_ROOTS)}")
        return cls(plan, known)._skip_ahead()

    @property
    def current_step(self) -> Step | None:
        """The step to run now, or None."""
        return next((step for step in self.plan.steps if self._get_progress(step.id).state == "pending"), None)

    @property
    def due_milestone(self) -> Milestone | None:
        """The milestone to check before anything else: its step is done and it has not been checked."""
        return next((milestone for milestone in self.plan.milestones if self._is_due(milestone)), None)

    def get_step_progress(self, step_id: str) -> StepProgress:
        """Progress of a step."""
        self._get_step(step_id)
        return self._get_progress(step_id)

    def get_milestone_progress(self, milestone: str) -> MilestoneProgress:
        """Progress of a milestone."""
        return self.milestones.get(milestone, _UNCHECKED)

    def record_result(self, step_id: str, result: JsonValue) -> "PlanRun":
        """Record the result of a tool call or of the model's work; it must match what the step expects."""
        step = self._require_current(step_id)
        value = read_json(result, f"the result of step {step_id!r}")
        if step.expects is not None and (detail := find_misfit(value, step.expects)):
            return self._fail_step(step, PlanReason.of("unexpected_result", step=step_id, detail=detail))
        return self._save_result(step, value)

    def record_failure(self, step_id: str, message: str) -> "PlanRun":
        """Record that the step's call failed; `message` says why."""
        return self._fail_step(
            self._require_current(step_id), PlanReason.of("tool_failed", step=step_id, message=message)
        )

    def record_answer(self, step_id: str, answer: JsonValue) -> "PlanRun":
        """Record the user's answer: a value that matches the schema, or the text of a choice."""
        step = self._require_current(step_id)
        if step.ask is None:
            raise UsageError(f"step {step_id!r} asks nothing", hint="answer a step with 'ask'")
        value = read_json(answer, "the answer")
        if isinstance(value, str):
            value = next((choice.value for choice in step.choices if fold_text(choice.text) == fold_text(value)), value)
        if problem := find_misfit(value, step.answer_schema):
            hint = f"one of {', '.join(choice.text for choice in step.choices)}" if step.choices else ""
            raise InvalidInput(f"the answer to step {step_id!r} does not fit: {problem}", hint=hint)
        return self._save_result(step, value)

    def supply_arguments(self, step_id: str, arguments: JsonObject) -> "PlanRun":
        """Add arguments that the plan could not find; nothing runs yet.

        Values looked up under `$.inputs` are stored there too, so nobody is asked for the same thing twice.
        """
        step = self._require_current(step_id)
        if step.call is None:
            raise UsageError(f"step {step_id!r} calls nothing", hint="give arguments to a step with 'call'")
        was = self._get_progress(step_id)
        given = {name: value for name, value in read_json_object(arguments, "arguments").items() if value is not None}
        run = self._with_step(step_id, replace(was, fills=was.fills + 1, supplied={**was.supplied, **given}))
        run = run.with_facts(facts_from_arguments(self.plan, step, given, self.data))
        known = self.data.get("inputs") or {}
        if not isinstance(known, Mapping):
            return run
        wanted = {name: _INPUT_PATH.fullmatch(str(step.arguments.get(name))) for name in given}
        new = {found[1]: given[name] for name, found in wanted.items() if found and known.get(found[1]) is None}
        return replace(run, data={**run.data, "inputs": {**known, **new}}) if new else run

    def with_facts(self, facts: Sequence[Fact]) -> "PlanRun":
        """The run with these facts in its data; facts of other names stay."""
        if not facts:
            return self
        known = self.data.get("facts")
        held = dict(known) if isinstance(known, Mapping) else {}
        return replace(self, data={**self.data, "facts": {**held, **{one.name: one.value for one in facts}}})

    def record_check(self, milestone: str, outcome: CheckResult) -> "PlanRun":
        """Record a milestone check; on failure the milestone's `on_fail` applies."""
        judged = self.due_milestone
        if judged is None or judged.name != milestone:
            hint = f"due: {judged.name!r}" if judged else "no milestone is due"
            raise UsageError(f"milestone {milestone!r} is not due", hint=hint)
        if outcome.passed:
            return self._with_milestone(
                milestone, MilestoneProgress("passed", self.get_milestone_progress(milestone).failures)
            )._skip_ahead()
        failures = self.get_milestone_progress(milestone).failures + 1
        run = self._with_milestone(milestone, MilestoneProgress("failed", failures, outcome.why))
        return run._after_failure(judged.on_fail, failures, Stop(outcome.why, judged.after, milestone))

    def replace_plan(self, plan: Plan) -> "PlanRun":
        """Continue with another plan; steps done and unchanged stay done, except the one that failed."""
        if self.replan is None:
            raise UsageError("no new plan was asked for", hint="replan when the next move says so")
        kept = {
            step.id: self._get_progress(step.id)
            for step in plan.steps
            if self._get_progress(step.id).state == "done"
            and self.plan.find_step(step.id) == step
            and step.id != self.replan.step
        }
        names = {*DATA_ROOTS, *plan.given, *(step.saved_as for step in plan.steps if step.id in kept)}
        data = {name: value for name, value in self.data.items() if name in names}
        return PlanRun(plan, data, kept, {}, self.replans + 1)._skip_ahead()

    def stop(self, message: str) -> "PlanRun":
        """End the run for an external reason: a limit, a person, a plan that could not be corrected."""
        if self.stopped is not None:
            return self
        step = self.current_step
        return replace(
            self, stopped=Stop(PlanReason.of("stopped", message=message), step.id if step else ""), replan=None
        )

    def _get_progress(self, step_id: str) -> StepProgress:
        return self.steps.get(step_id, _NOT_STARTED)

    def _get_step(self, step_id: str) -> Step:
        step = self.plan.find_step(step_id)
        if step is None:
            hint = f"steps: {', '.join(one.id for one in self.plan.steps) or 'none'}"
            raise UsageError(f"the plan has no step {step_id!r}", hint=hint)
        return step

    def _require_current(self, step_id: str) -> Step:
        """The step, if it is the current one: a late or duplicate result must not advance the plan."""
        step = self._get_step(step_id)
        if self.stopped is not None or self.replan is not None:
            message = f"step {step_id!r} cannot go on: the run has stopped or waits for a new plan"
            raise UsageError(message, hint="drop the result; start a run with a new plan")
        current = self.current_step
        if self.due_milestone is not None or current is None or current.id != step_id:
            hint = (
                f"due: milestone {self.due_milestone.name!r}"
                if self.due_milestone
                else f"current: {current.id if current else 'none'}"
            )
            raise UsageError(f"it is not the turn of step {step_id!r}", hint=hint)
        return step

    def _is_due(self, milestone: Milestone) -> bool:
        return (
            self._get_progress(milestone.after).state == "done"
            and self.get_milestone_progress(milestone.name).state == "open"
        )

    def _with_step(self, step_id: str, progress: StepProgress) -> "PlanRun":
        return replace(self, steps={**self.steps, step_id: progress})

    def _with_milestone(self, name: str, progress: MilestoneProgress) -> "PlanRun":
        return replace(self, milestones={**self.milestones, name: progress})

    def _save_result(self, step: Step, value: JsonValue) -> "PlanRun":
        done = self._with_step(step.id, replace(self._get_progress(step.id), state="done", why=None))
        saved = replace(done, data={**self.data, step.saved_as: value})
        return saved.with_facts(evaluate_facts(step, saved.data))._skip_ahead()

    def _fail_step(self, step: Step, why: PlanReason) -> "PlanRun":
        was = self._get_progress(step.id)
        run = self._with_step(step.id, replace(was, state="failed", failures=was.failures + 1, why=why))
        return run._after_failure(step.on_fail, was.failures + 1, Stop(why, step.id))

    def _after_failure(self, on_fail: OnFail, failures: int, end: Stop) -> "PlanRun":
        action = on_fail.next_action(failures)
        if action == "retry":
            return self._reset_step(end.step)._skip_ahead()
        if action == "continue":
            return self._skip_ahead()
        if action == "replan":
            if self.replans < MAX_REPLANS:
                return replace(self, replan=end)
            why = PlanReason.of("replans_used_up", times=str(self.replans), why=end.why)
            return replace(self, stopped=replace(end, why=why))
        return replace(self, stopped=end)

    def _reset_step(self, step_id: str) -> "PlanRun":
        """Reset a step: clear its result, its supplied arguments and its milestones' outcomes."""
        step = self._get_step(step_id)
        fresh = StepProgress(failures=self._get_progress(step_id).failures)
        milestones = {
            name: MilestoneProgress(failures=was.failures) if after == step_id else was
            for name, was in self.milestones.items()
            for after in [next((each.after for each in self.plan.milestones if each.name == name), "")]
        }
        data = {name: value for name, value in self.data.items() if name != step.saved_as}
        return replace(self, data=data, steps={**self.steps, step_id: fresh}, milestones=milestones)

    def _skip_ahead(self) -> "PlanRun":
        """Skip steps that need not run, up to the first that must or to the first due milestone."""
        run = self
        while run.due_milestone is None and (step := run.current_step) is not None:
            try:
                why = run._reason_to_skip(step)
            except TooManySteps:
                return replace(run, stopped=Stop(PlanReason.of("too_many_steps", step=step.id), step.id))
            if why is None:
                break
            run = run._with_step(step.id, StepProgress("skipped", why=why))
        return run._skip_milestones()

    def _reason_to_skip(self, step: Step) -> PlanReason | None:
        for need in step.needs:
            state = self._get_progress(need).state
            if state != "done":
                return PlanReason.of(f"need_{state}", need=need)
        if step.when is not None and not is_true(step.when, self.data):
            return PlanReason.of("condition_false", when=step.when)
        return None

    def _skip_milestones(self) -> "PlanRun":
        run = self
        for milestone in self.plan.milestones:
            state = run._get_progress(milestone.after).state
            if state in ("skipped", "failed") and run.get_milestone_progress(milestone.name).state == "open":
                why = PlanReason.of(f"step_{state}", step=milestone.after)
                run = run._with_milestone(milestone.name, MilestoneProgress("skipped", why=why))
        return run
