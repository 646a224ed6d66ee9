"""A plan under way: what is done, what was found, what comes next. Never changed, only followed by another.

Every transition returns a new run that is settled: steps whose condition is false are already skipped, so the next
move depends on nothing but the run. A run is plain JSON: another process may take it up at any point.
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
    """How far a step is; `supplied` are arguments that the plan did not have and somebody gave."""

    state: StepState = "pending"
    failures: int = 0
    fills: int = 0
    supplied: JsonObject = field(default_factory=dict)
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class MilestoneProgress:
    """How a milestone fared."""

    state: MilestoneState = "open"
    failures: int = 0
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check: passed or not, why, and what to do about it."""

    passed: bool
    reason: str
    suggestion: str
    why: Reason


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the run is over before its end, and where."""

    why: Reason
    step: str = ""
    milestone: str = ""


_FRESH: Final = StepProgress()
_UNCHECKED: Final = MilestoneProgress()


@dataclass(frozen=True, slots=True)
class Run:
    """A plan, the data found so far, and the progress of each step and milestone that has any."""

    plan: Plan
    data: JsonObject = field(default_factory=dict)
    steps: Mapping[str, StepProgress] = field(default_factory=dict)
    milestones: Mapping[str, MilestoneProgress] = field(default_factory=dict)
    replans: int = 0
    replan: Stop | None = None
    stopped: Stop | None = None

    @classmethod
    def start(cls, plan: Plan, data: JsonObject | None = None) -> "Run":
        """Begin with what is known: `message`, `inputs`, `profile`."""
        known = plain_object(data or {}, "the run's data")
        for name in known:
            if name not in DATA_ROOTS and name not in plan.given:
                raise UsageError(f"a run does not start with {name!r}", hint=f"known: {', '.join(DATA_ROOTS)}")
        return cls(plan, known)._settled()

    @property
    def current(self) -> Step | None:
        """The step whose turn it is."""
        return next((step for step in self.plan.steps if self._of(step.id).state == "pending"), None)

    @property
    def due(self) -> Milestone | None:
        """The milestone to check before anything else: its step is done, it is not judged yet."""
        return next((milestone for milestone in self.plan.milestones if self._is_due(milestone)), None)

    def progress(self, step_id: str) -> StepProgress:
        """How far a step is."""
        self._known(step_id)
        return self._of(step_id)

    def judged(self, milestone: str) -> MilestoneProgress:
        """How a milestone fared."""
        return self.milestones.get(milestone, _UNCHECKED)

    def succeeded(self, step_id: str, result: JsonValue) -> "Run":
        """The step's call or the model's work gave this result; it must be what the step expects."""
        step = self._turn_of(step_id)
        value = plain(result, f"the result of step {step_id!r}")
        if step.expects is not None and (detail := misfit(value, step.expects)):
            return self._failed(step, reason("unexpected_result", step=step_id, detail=detail))
        return self._saved(step, value)

    def failed(self, step_id: str, message: str) -> "Run":
        """The step's call gave no result; `message` says why."""
        return self._failed(self._turn_of(step_id), reason("tool_failed", step=step_id, message=message))

    def answered(self, step_id: str, answer: JsonValue) -> "Run":
        """The user answered the step's question: with a value that fits, or with the words of a choice."""
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
        """Somebody gave arguments that the plan could not find; nothing runs yet.

        What was looked for under `$.inputs` is kept there too: nobody is asked for the same thing twice.
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
        """The milestone was checked; a failure does what its `on_fail` says."""
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
        """Go on with another plan; a step that is done and the same in both stays done, unless it is what failed."""
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
        """End here, for a reason from outside: a limit, a person, a plan that could not be mended."""
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
        """The step, if it is its turn: a late or doubled result must not move the plan."""
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
        """Put a step back: its result, its supplied arguments and its milestones' verdicts are gone."""
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
        """Skip what need not run, up to the first step that must or the first milestone that is due."""
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
