"""Limits of a turn, over everything that it uses."""

from metier.agent.adapters import ReachedLimit, UsageTotals, limit_reached
from metier.agent.turn import TurnState


def find_reached_limit(state: TurnState) -> ReachedLimit | None:
    """Limit of the turn that is used up, sub-agents included; None if there is none."""
    counts = state.calls.usage
    steps = counts.model_calls + counts.tool_calls
    used = UsageTotals(
        steps, counts.model_calls, counts.input_tokens, counts.output_tokens, state.elapsed_s, counts.cost
    )
    return limit_reached(used, state.resources.limits)
