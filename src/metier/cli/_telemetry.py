"""`metier telemetry`: query, summarise and prune telemetry events."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import (
    JSON_OPTION,
    format_time,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
    translate_value,
)
from metier.clock import local_now, utc_now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metier.json_values import JsonValue
    from metier.telemetry import DurationStats, EventFilter, TelemetryEvent, TelemetryQueries, TelemetrySummary

app = typer.Typer(help="Look at telemetry, and clean it up.", no_args_is_help=True)

_SINCE = typer.Option(None, "--since", help="Not before: 2h, 7d, or 2026-01-31T08:00.")
_UNTIL = typer.Option(None, "--until", help="Before: 2h, 7d, or 2026-01-31T08:00.")
_SESSION = typer.Option(None, "--session", "-s", help="Only of this conversation.")


@app.command("query")
def query_command(
    event: str | None = typer.Option(None, "--event", "-e", help="Only this event, or 'chat.*' for all of a kind."),
    session: str | None = _SESSION,
    turn: str | None = typer.Option(None, "--turn", "-t", help="Only of this turn."),
    text: str | None = typer.Option(None, "--text", help="Only with these words in it."),
    since: str | None = _SINCE,
    until: str | None = _UNTIL,
    limit: int = typer.Option(50, "--limit", "-n", min=1, max=10_000, help="At most so many."),
    cursor: str | None = typer.Option(None, "--cursor", help="Go on from here: the 'next' of the page before."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List events, the newest first."""
    page = _open_queries().events(
        _build_filter(event=event, session=session, turn=turn, text=text, since=since, until=until),
        limit=limit,
        cursor=cursor,
    )
    if as_json:
        print_json(page.to_json())
        return
    if not page.events:
        print_note(say("no_events"))
        return
    print_table(("at", "event", "session", "payload"), [_format_row(one) for one in page.events])
    if page.next:
        print_note(say("older_events", cursor=page.next))


@app.command("summary")
def summary_command(
    session: str | None = _SESSION,
    since: str | None = _SINCE,
    until: str | None = _UNTIL,
    as_json: bool = JSON_OPTION,
) -> None:
    """Count events, turns, skills and refused calls. Says how long things took too."""
    found = _open_queries().summary(_build_filter(session=session, since=since, until=until))
    if as_json:
        print_json(found.to_json())
    elif not found.events:
        print_note(say("no_events"))
    else:
        _print_summary(found)


@app.command("prune")
def prune_command(
    days: int | None = typer.Option(None, "--days", min=0, max=3650, help="Keep so many days; default: the settings'."),
    max_bytes: int | None = typer.Option(None, "--max-bytes", min=0, help="Keep so much; default: the settings'."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Drop old events now, instead of when the next ones are written."""
    from metier.settings import load_settings
    from metier.telemetry import prune_file, telemetry_path

    settings = load_settings()
    done = prune_file(
        telemetry_path(settings),
        now=utc_now(),
        days=settings.telemetry_retention_days if days is None else days,
        max_bytes=settings.telemetry_max_bytes if max_bytes is None else max_bytes,
    )
    if as_json:
        print_json({"rows": done.rows, "bytes_before": done.bytes_before, "bytes_after": done.bytes_after})
    else:
        print_line(say("events_dropped", rows=done.rows, before=done.bytes_before, after=done.bytes_after))


def _open_queries() -> "TelemetryQueries":
    from metier.settings import load_settings
    from metier.telemetry import TelemetryQueries, telemetry_path

    return TelemetryQueries(telemetry_path(load_settings()))


def _build_filter(*, since: str | None, until: str | None, **names: str | None) -> "EventFilter":
    from metier.telemetry import EventFilter, parse_time

    now = local_now()
    return EventFilter(
        since=None if since is None else parse_time(since, now),
        until=None if until is None else parse_time(until, now),
        **names,
    )


def _format_row(one: "TelemetryEvent") -> tuple[str, ...]:
    at = one.ts.astimezone().strftime("%m-%d %H:%M:%S.%f")[:-3]
    return at, one.event_name, (one.session_id or "–")[:8], json.dumps(one.payload, ensure_ascii=False)[:400]


def _print_summary(found: "TelemetrySummary") -> None:
    print_line(
        say("telemetry_counts", events=found.events, sessions=found.sessions, turns=found.turns, lost=found.lost)
    )
    print_line(say("telemetry_span", first=_format_iso(found.first), last=_format_iso(found.last)))
    _print_times((("turn", found.turn_ms), ("first token", found.first_token_ms), ("routing", found.routing_ms)))
    for title, counts in (
        ("outcomes", found.outcomes),
        ("verdicts", found.verdicts),
        ("events", found.by_event),
        ("errors", found.errors),
    ):
        if counts:
            print_line(f"{title}: {', '.join(f'{translate_value(name)} {count}' for name, count in counts.items())}")
    for rows in (found.models, found.tools, found.skills, found.violations):
        _print_rows(rows)


def _print_times(named: "Sequence[tuple[str, DurationStats]]") -> None:
    for name, taken in named:
        if taken.count:
            print_line(f"{name}: p50 {taken.p50_ms:.1f} ms, p95 {taken.p95_ms:.1f} ms ({taken.count} measured)")


def _print_rows(rows: "Sequence[Mapping[str, JsonValue]]") -> None:
    if rows:
        print_line("")
        print_table(
            [name.removesuffix("_ms").replace("_", " ") + " (ms)" * name.endswith("_ms") for name in rows[0]],
            [["–" if cell is None else _format_cell(cell) for cell in row.values()] for row in rows],
        )


def _format_iso(at: str | None) -> str:
    return "–" if at is None else format_time(datetime.fromisoformat(at))


def _format_cell(value: object) -> str:
    return str(round(value, 3)) if isinstance(value, float) else str(value)
