"""How far a turn strayed from its plan: counted as it happens, judged at the end."""

from collections import Counter
from dataclasses import dataclass, replace

from metier.jsons import JsonObject
from metier.plans._moves import Ask, Call, Check, Done, Model, Move
from metier.plans._run import Stop


@dataclass(frozen=True, slots=True)
class Deviation:
    """What strayed: the share of tool calls that the plan did not ask for, and what the turn cost."""

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
    """A turn's counts so far; every method gives the record that follows.

    A tool call is on the plan when it is the call of a `Call` move, or one of the tools that a `Model` move offers.
    Calls that the gate refused count too: the model tried.
    """

    iterations: int = 0
    model_calls: int = 0
    planned_calls: int = 0
    off_plan: tuple[str, ...] = ()
    asks: int = 0
    replans: int = 0

    def moved(self, move: Move) -> "PlanRecord":
        """A move was taken up: one iteration, unless the run is at its end or only checks itself."""
        if isinstance(move, Done | Stop | Check):
            return self
        return replace(
            self,
            iterations=self.iterations + 1,
            asks=self.asks + isinstance(move, Ask),
            replans=self.replans + (isinstance(move, Model) and move.purpose == "replan"),
        )

    def model_called(self) -> "PlanRecord":
        """The model was called once."""
        return replace(self, model_calls=self.model_calls + 1)

    def tool_called(self, tool: str, move: Move | None) -> "PlanRecord":
        """A tool was called while this was the plan's move; None when there was no plan to stray from."""
        if move is None or on_plan(tool, move):
            return replace(self, planned_calls=self.planned_calls + 1)
        return replace(self, off_plan=(*self.off_plan, tool))

    @property
    def deviation(self) -> Deviation:
        calls = self.planned_calls + len(self.off_plan)
        share = len(self.off_plan) / calls if calls else 0.0
        return Deviation(share, calls, len(self.off_plan), self.iterations, self.model_calls)

    def to_json(self) -> JsonObject:
        """The counts and the judgement, for the turn's record."""
        return {
            **self.deviation.to_json(),
            "asks": self.asks,
            "replans": self.replans,
            "strayed_to": dict(sorted(Counter(self.off_plan).items())),
        }


def on_plan(tool: str, move: Move) -> bool:
    """Whether calling this tool is what the move asks for or allows."""
    if isinstance(move, Call):
        return tool == move.tool
    return isinstance(move, Model) and tool in move.tools
