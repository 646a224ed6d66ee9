"""Figures over time from turns: counts, errors, latency percentiles, tokens, cost and skills per hour or day."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from metier.json_values import JsonObject, JsonValue
from metier.store import TurnFigure

Step = Literal["hour", "day"]
_MAX_SKILLS = 12


def summarize_turns(turns: Sequence[TurnFigure], until: datetime, *, days: int, step: Step) -> JsonObject:
    """Summarize turns per step, with a line also for steps in which nothing happened, and in all."""
    width = timedelta(hours=1) if step == "hour" else timedelta(days=1)
    last = _floor(until, step)
    count = days * 24 if step == "hour" else days
    starts = [last - width * back for back in range(count - 1, -1, -1)]
    by_start: dict[datetime, list[TurnFigure]] = {start: [] for start in starts}
    for turn in turns:
        by_start.setdefault(_floor(turn.at, step), []).append(turn)
    lines: list[JsonValue] = [{"at": start.isoformat(), **_summarize(by_start[start])} for start in starts]
    shown = [turn for start in starts for turn in by_start[start]]
    skills = Counter(turn.skill for turn in shown)
    codes = Counter(turn.code for turn in shown if turn.failed)
    return {
        "step": step,
        "steps": lines,
        "total": _summarize(shown),
        "skills": [_describe_skill(skill, shown) for skill, _ in skills.most_common(_MAX_SKILLS)],
        "errors": [{"code": code, "count": number} for code, number in codes.most_common()],
    }


def _describe_skill(skill: str | None, turns: Sequence[TurnFigure]) -> JsonObject:
    return {"skill": skill, **_summarize([turn for turn in turns if turn.skill == skill])}


def _summarize(turns: Sequence[TurnFigure]) -> JsonObject:
    times = sorted(turn.elapsed_ms for turn in turns if turn.elapsed_ms is not None)
    costs = [turn.cost for turn in turns if turn.cost is not None]
    return {
        "turns": len(turns),
        "failed": sum(turn.failed for turn in turns),
        "p50_ms": _percentile(times, 50),
        "p95_ms": _percentile(times, 95),
        "model_calls": sum(turn.model_calls for turn in turns),
        "input_tokens": sum(turn.input_tokens for turn in turns),
        "output_tokens": sum(turn.output_tokens for turn in turns),
        "cost": round(sum(costs), 6) if costs else None,
    }


def _percentile(times: Sequence[int], percent: int) -> int | None:
    """Nearest-rank percentile of sorted values; None of nothing."""
    if not times:
        return None
    return times[max(0, -(-len(times) * percent // 100) - 1)]


def _floor(moment: datetime, step: Step) -> datetime:
    whole = moment.replace(minute=0, second=0, microsecond=0)
    return whole if step == "hour" else whole.replace(hour=0)
