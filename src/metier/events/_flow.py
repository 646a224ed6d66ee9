"""Data of the events of deep runs: goals, nodes of the graph, judgements and the report."""

from typing import Literal

from pydantic import Field

from metier.events._model import EventData, JsonMap, JsonModel


class GoalInfo(JsonModel):
    """One goal of a round."""

    dag: str = Field(description="name of the graph that pursues it; ids of its nodes begin with it")
    text: str = Field(description="the goal in words")


class FlowPlanned(EventData):
    """A round of a deep run begins: its goals, which are pursued in parallel."""

    round: int = Field(description="from 1")
    goals: list[GoalInfo]


class FlowNode(EventData):
    """A node of a deep run's graph: data that was given, or the result of one operator."""

    round: int
    dag: str = Field(description="the graph it belongs to")
    node: str = Field(description="its id, unique in the run")
    title: str = Field(description="name of the data, or of the operator")
    line: str = Field("", description="what came out, in one line for people: verdict, number, level or peak, failure")
    category: Literal["input", "expand", "transform", "aggregate", "multi", "decision"]
    params: JsonMap
    inputs: list[str] = Field(description="ids of the nodes it was made of")
    state: Literal["done", "failed"]
    error: str = Field(description="why it failed; may be empty")
    shape: list[int]
    kind: str = Field(description="what the values are, in the words of the pack")
    unit: str
    domain: str = Field(description="what the axis counts: time, frequency …; `none` without an axis")
    axis_unit: str
    axis_start: float
    axis_end: float
    key_values: JsonMap = Field(description="a short result in full, otherwise range, mean, RMS and place of the peak")
    notes: JsonMap
    points: list[float] = Field(description="a few values to draw; empty for a single number")
    elapsed_ms: float
    cached: bool = Field(description="whether it was computed before and is only used again")


class KeptNode(JsonModel):
    """A node that is kept, and why."""

    node: str
    why: str


class Reflection(EventData):
    """A round of a deep run was judged: enough for a report, or patch, plan again or halt; and what is kept."""

    round: int
    is_sufficient: bool
    decision: Literal["report", "patch", "replan", "halt"]
    reason: str
    keep: list[KeptNode]
    findings: list[str] = Field(description="what was noticed about the data")


class DeepReport(EventData):
    """A deep run has ended with its report, which is the turn's text; files hold it with the picture of the graph."""

    rounds: int
    nodes: int
    failed: int = Field(description="nodes that failed")
    files: list[str] = Field(description="paths within the conversation's folder")
