"""Data of the events of a plan: its steps and checks."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events._model import EventData, JsonModel


class PlanStep(JsonModel):
    """One step of a plan."""

    id: str
    title: str = Field(description="its name for people")
    tool: str | None = Field(None, description="the tool it calls")
    checks: list[str] = Field(default_factory=list, description="the names of the checks after it")
    conditional: bool = Field(False, description="whether it runs only if something turns out so")


class PlanCreated(EventData):
    """A plan is at work: a skill's steps, one that a model wrote, or one made by rule from the task types."""

    goal: str = Field(description="what it is for")
    source: Literal["sop", "model", "rule"]
    skill: str = Field(description="the skill it belongs to; empty without one")
    steps: list[PlanStep] = Field(description="in order")
    milestones: list[str] = Field(description="their names")
    notes: list[JsonValue] | None = Field(None, description="what was changed about a model's plan, in sentences")


class StepStarted(EventData):
    """A step that is fully determined begins; no model is called for it."""

    step: str = Field(description="the step's id")
    title: str = Field(description="its name for people")


class StepDone(EventData):
    """A step is over."""

    step: str = Field(description="the step's id")
    title: str = Field(description="its name for people")
    state: Literal["done", "skipped", "failed", "retried"] = Field(description="`retried`: it is tried again")
    why: str = Field(description="the reason, when it is not done")


class MilestonePassed(EventData):
    """A check after a step holds."""

    milestone: str = Field(description="its name")
    step: str = Field(description="the step it stands after")
    reason: str = Field(description="what was found")


class MilestoneFailed(EventData):
    """A check after a step does not hold."""

    milestone: str = Field(description="its name")
    step: str = Field(description="the step it stands after")
    reason: str = Field(description="what was found")
    suggestion: str = Field(description="what would make it pass")
    action: Literal["retry", "replan", "stop", "continue"] = Field(description="what happens now")
