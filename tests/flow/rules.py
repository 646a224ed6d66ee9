"""Rules of a small made-up domain: find the largest line of a signal; a wrong rate is noticed and planned anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from metier.flow import DagTracker, FlowForm, FlowRequest, FlowState, Goal, Reflection, Value
from metier.json_values import JsonObject
from tests.flow.operators import record

Judge = Callable[[FlowState, Mapping[str, DagTracker]], Reflection]


def find_best(state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
    """The first round is never enough: the peak has to be confirmed on a scaled signal."""
    peaks = {node.id: dag for dag in dags.values() for node in dag.nodes.values() if node.op_name == "peak"}
    keep = dict.fromkeys(list(peaks)[-1:], "the clearest peak")
    if state.round < 2:
        return Reflection(False, "one branch only", "replan", keep, {"factor": 3}, ("speed does not fit",))
    return Reflection(True, "branches agree", keep=keep)


@dataclass
class PeakRules:
    """`needs` is asked for by a form first; `moves` replace the default ones for a goal."""

    judge: Judge = find_best
    needs: str = ""
    moves: Sequence[JsonObject] = ()
    goals: int = 2
    taken: list[str] = field(default_factory=list)

    def roots(self, request: FlowRequest) -> Mapping[str, Value] | FlowForm:
        if self.needs and self.needs not in request.facts:
            schema: JsonObject = {
                "type": "object",
                "properties": {self.needs: {"type": "number", "title": "Rate in Hz"}},
                "required": [self.needs],
            }
            return FlowForm("What is the sampling rate?", schema)
        return {"ch1": record()}

    def plan(self, state: FlowState) -> Sequence[Goal]:
        factor = state.facts.get("factor", 2)
        goals = [Goal("look at the spectrum", {"scale": None}), Goal("scale first", {"scale": factor})]
        return goals[: self.goals]

    def act(self, goal: Goal, dag: DagTracker) -> JsonObject:
        if self.moves:
            place = len(self.taken)
            self.taken.append(dag.name)
            return self.moves[place] if place < len(self.moves) else {"op_name": "stop"}
        names = [node.op_name for node in dag.nodes.values()]
        last = list(dag.nodes)[-1]
        if goal.data.get("scale") is not None and "scale" not in names:
            return {"op_name": "scale", "params": {"factor": goal.data["scale"]}, "inputs": [last]}
        if "spectrum" not in names:
            return {"op_name": "spectrum", "params": {}, "inputs": [last]}
        if "peak" not in names:
            return {"op_name": "peak", "params": {}, "inputs": [last]}
        return {"op_name": "stop"}

    def reflect(self, state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        return self.judge(state, dags)

    def report(self, state: FlowState) -> str:
        kept = ", ".join(state.reflections[-1].keep) if state.reflections else ""
        return f"**Conclusion:** the largest line is at 8 Hz.\n\nEvidence: {kept or 'none'} after {state.round} rounds."
