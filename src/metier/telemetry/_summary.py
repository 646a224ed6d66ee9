"""Summary of telemetry events: counts, durations, skills, tools and violations."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, cast

from metier.json_values import JsonValue
from metier.telemetry._file import from_micros

_HOUR_US: Final = 3_600_000_000
_MAX_HOURS: Final = 24 * 31
_MAX_LISTED: Final = 100

_COUNTS: Final = "SELECT count(*), count(DISTINCT session_id), count(DISTINCT turn_id), min(ts), max(ts) FROM fit"
_BY_EVENT: Final = "SELECT event_name, count(*) FROM fit GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100"
_BY_HOUR: Final = "SELECT ts / ? AS hour, event_name, count(*) FROM fit GROUP BY 1, 2 ORDER BY 1 DESC, 2"
_TURNS: Final = (
    "SELECT payload ->> 'outcome', payload ->> 'elapsed_ms', payload ->> 'first_token_ms' FROM fit "
    "WHERE event_name = 'chat.turn_done' AND source = 'server'"
)
_CALLS: Final = (
    "SELECT payload ->> 'model', payload ->> 'elapsed_ms', payload ->> 'input_tokens', payload ->> 'output_tokens' "
    "FROM fit WHERE event_name = 'chat.llm_call' AND source = 'server'"
)
_TOOLS: Final = (
    "SELECT payload ->> 'tool', payload ->> 'elapsed_ms', payload ->> 'ok' FROM fit "
    "WHERE event_name = 'tool.done' AND source = 'server' AND payload ->> 'state' IS NOT 'refused'"
)
_SKILLS: Final = (
    "SELECT payload ->> 'skill', sum(event_name = 'skills.selected'), sum(event_name = 'skills.applied'), "
    "avg(CASE event_name WHEN 'skills.selected' THEN payload ->> 'score' END) FROM fit WHERE source = 'server' "
    "AND event_name IN ('skills.selected', 'skills.applied') AND payload ->> 'skill' IS NOT NULL "
    "GROUP BY 1 ORDER BY 3 DESC, 2 DESC, 1 LIMIT 100"
)
_VERDICTS: Final = (
    "SELECT payload ->> 'verdict', count(*) FROM fit WHERE event_name = 'skills.selected' AND source = 'server' "
    "GROUP BY 1 ORDER BY 2 DESC"
)
_ROUTING: Final = "SELECT payload ->> 'elapsed_ms' FROM fit WHERE event_name = 'skills.selected' AND source = 'server'"
_VIOLATIONS: Final = (
    "SELECT payload ->> 'tool', payload ->> 'code', payload ->> 'layer', count(*) FROM fit "
    "WHERE event_name = 'tool.violation' AND source = 'server' GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1 LIMIT 100"
)
_ERRORS: Final = (
    "SELECT payload ->> 'code', count(*) FROM fit WHERE payload ->> 'code' IS NOT NULL AND source = 'server' "
    "AND event_name IN ('error', 'chat.turn_done', 'tool.done') GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100"
)
_LOST: Final = "SELECT coalesce(sum(payload ->> 'count'), 0) FROM fit WHERE event_name = 'telemetry.lost'"


@dataclass(frozen=True, slots=True)
class DurationStats:
    """Durations in milliseconds: how many were measured, the median and the 95th percentile."""

    count: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None


@dataclass(frozen=True, slots=True)
class TelemetrySummary:
    """The summary shown by `metier telemetry summary`, the API and the console."""

    events: int = 0
    sessions: int = 0
    turns: int = 0
    first: str | None = None
    last: str | None = None
    lost: int = 0
    by_event: Mapping[str, int] = field(default_factory=dict)
    by_hour: tuple[Mapping[str, JsonValue], ...] = ()
    outcomes: Mapping[str, int] = field(default_factory=dict)
    turn_ms: DurationStats = DurationStats()
    first_token_ms: DurationStats = DurationStats()
    routing_ms: DurationStats = DurationStats()
    verdicts: Mapping[str, int] = field(default_factory=dict)
    models: tuple[Mapping[str, JsonValue], ...] = ()
    tools: tuple[Mapping[str, JsonValue], ...] = ()
    skills: tuple[Mapping[str, JsonValue], ...] = ()
    violations: tuple[Mapping[str, JsonValue], ...] = ()
    errors: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, JsonValue]:
        return cast("dict[str, JsonValue]", asdict(self))


def summarise(connection: sqlite3.Connection, where: str, values: Sequence[str | int]) -> TelemetrySummary:
    """Summarise the events that match the SQL condition."""

    def query(sql: str, *more: int) -> list[tuple[object, ...]]:
        fit = f"WITH fit AS NOT MATERIALIZED (SELECT * FROM events WHERE {where}) {sql}"  # noqa: S608 - values are bound
        return connection.execute(fit, (*values, *more)).fetchall()

    connection.execute("BEGIN")  # one snapshot for all queries
    events, sessions, turns, first, last = (cast("int | None", item) for item in query(_COUNTS)[0])
    ended = query(_TURNS)
    return TelemetrySummary(
        events=events or 0,
        sessions=sessions or 0,
        turns=turns or 0,
        first=None if first is None else from_micros(first).isoformat(),
        last=None if last is None else from_micros(last).isoformat(),
        lost=int(str(query(_LOST)[0][0])),
        by_event=_to_counts(query(_BY_EVENT)),
        by_hour=_group_by_hour(query(_BY_HOUR, _HOUR_US)),
        outcomes=_tally(row[0] for row in ended),
        turn_ms=compute_duration_stats(row[1] for row in ended),
        first_token_ms=compute_duration_stats(row[2] for row in ended),
        routing_ms=compute_duration_stats(row[0] for row in query(_ROUTING)),
        verdicts=_to_counts(query(_VERDICTS)),
        models=_summarise_models(query(_CALLS)),
        tools=_summarise_tools(query(_TOOLS)),
        skills=tuple(_row_to_json(row, "skill", "selected", "applied", "score") for row in query(_SKILLS)),
        violations=tuple(_row_to_json(row, "tool", "code", "layer", "count") for row in query(_VIOLATIONS)),
        errors=_to_counts(query(_ERRORS)),
    )


def compute_duration_stats(values: Iterable[object]) -> DurationStats:
    """Compute count, median and 95th percentile, by nearest rank."""
    found = sorted(float(value) for value in values if isinstance(value, int | float))
    if not found:
        return DurationStats()
    p50, p95 = (found[max(0, -(-len(found) * percent // 100) - 1)] for percent in (50, 95))
    return DurationStats(len(found), round(p50, 3), round(p95, 3))


def _to_counts(rows: Sequence[tuple[object, ...]]) -> dict[str, int]:
    return {str(name): int(str(count)) for name, count in rows}


def _tally(names: Iterable[object]) -> dict[str, int]:
    return dict(Counter(str(name) for name in names).most_common())


def _group_by_hour(rows: Sequence[tuple[object, ...]]) -> tuple[Mapping[str, JsonValue], ...]:
    """Group counts by hour, newest first, a month at most."""
    hours: dict[int, dict[str, JsonValue]] = {}
    for hour, name, count in rows:
        hours.setdefault(int(str(hour)), {})[str(name)] = int(str(count))
    kept = list(hours.items())[:_MAX_HOURS]
    return tuple({"hour": from_micros(hour * _HOUR_US).isoformat(), "events": found} for hour, found in kept)


def _row_to_json(row: Sequence[object], *names: str) -> dict[str, JsonValue]:
    return {name: cast("JsonValue", value) for name, value in zip(names, row, strict=True)}


def _summarise_models(rows: Sequence[tuple[object, ...]]) -> tuple[Mapping[str, JsonValue], ...]:
    return tuple(
        {
            "model": name,
            "calls": len(found),
            "input_tokens": sum(row[2] for row in found if isinstance(row[2], int)),
            "output_tokens": sum(row[3] for row in found if isinstance(row[3], int)),
            **_stats_to_json(compute_duration_stats(row[1] for row in found)),
        }
        for name, found in _group_by_first_column(rows)
    )


def _summarise_tools(rows: Sequence[tuple[object, ...]]) -> tuple[Mapping[str, JsonValue], ...]:
    return tuple(
        {
            "tool": name,
            "calls": len(found),
            "failed": sum(not row[2] for row in found),
            **_stats_to_json(compute_duration_stats(row[1] for row in found)),
        }
        for name, found in _group_by_first_column(rows)
    )


def _group_by_first_column(rows: Sequence[tuple[object, ...]]) -> list[tuple[str, list[tuple[object, ...]]]]:
    """Group rows by the first column, most frequent first."""
    groups: dict[str, list[tuple[object, ...]]] = {}
    for row in rows:
        groups.setdefault(str(row[0]), []).append(row)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))[:_MAX_LISTED]


def _stats_to_json(taken: DurationStats) -> dict[str, JsonValue]:
    return {"p50_ms": taken.p50_ms, "p95_ms": taken.p95_ms}
