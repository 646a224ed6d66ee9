"""Counts tool calls on and off the plan during a turn, and the resulting deviation."""

from collections import Counter
from dataclasses import dataclass, replace

from metier.json_values import JsonObject
from metier.plans._moves import AskUser, CallModel, CallTool, CheckMilestone, Done, Move
from metier.plans._run import Stop


@dataclass(frozen=True, slots=True)
class Deviation:
    """Share of tool calls that the plan did not ask for, and the turn's call counts."""

    share: float
    tool_calls: int
    off_plan: int
    iterations: int
    model_calls: int

    def to_json(self) -> JsonObject:
        return {
            "share": round(self.share, 4),
            "tool_calls": self.tool_calls,
            "off_plan": self.off_plan,
            "iterations": self.iterations,
            "model_calls": self.model_calls,
        }


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """Counts of a turn so far; every method returns a new record.

    A tool call is on the plan if it is the tool of a `CallTool` move or among the tools a `CallModel` move offers.
    Calls refused by the gate count too, because the model attempted them.
    """

    iterations: int = 0
    model_calls: int = 0
    planned_calls: int = 0
    off_plan: tuple[str, ...] = ()
    asks: int = 0
    replans: int = 0

    def record_move(self, move: Move) -> "PlanRecord":
        """Count a move: one iteration, unless it ends the run or only checks a milestone."""
        if isinstance(move, Done | Stop | CheckMilestone):
            return self
        return replace(
            self,
            iterations=self.iterations + 1,
            asks=self.asks + isinstance(move, AskUser),
            replans=self.replans + (isinstance(move, CallModel) and move.purpose == "replan"),
        )

    def record_model_call(self) -> "PlanRecord":
        """Count one model call."""
        return replace(self, model_calls=self.model_calls + 1)

    def record_tool_call(self, tool: str, move: Move | None) -> "PlanRecord":
        """Count a tool call made during `move`; with None there was no plan, so the call counts as planned."""
        if move is None or is_on_plan(tool, move):
            return replace(self, planned_calls=self.planned_calls + 1)
        return replace(self, off_plan=(*self.off_plan, tool))

    @property
    def deviation(self) -> Deviation:
        calls = self.planned_calls + len(self.off_plan)
        share = len(self.off_plan) / calls if calls else 0.0
        return Deviation(share, calls, len(self.off_plan), self.iterations, self.model_calls)

    def to_json(self) -> JsonObject:
        """Counts and deviation for the turn's record."""
        return {
            **self.deviation.to_json(),
            "asks": self.asks,
            "replans": self.replans,
            "strayed_to": dict(sorted(Counter(self.off_plan).items())),
        }


def is_on_plan(tool: str, move: Move) -> bool:
    """Whether the move asks for this tool or allows it."""
    if isinstance(move, CallTool):
        return tool == move.tool
    return isinstance(move, CallModel) and tool in move.tools
