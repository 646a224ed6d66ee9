"""A tool's result: tables, charts and files for the user, a digest for the model."""

from metier.agent.results._chart_spec import CHART_KINDS, CHART_SCHEMA, ChartSpec, read_chart
from metier.agent.results._charts import CHART_DESCRIPTION, CHART_KEYS, ChartMiddleware, draw_chart, extract_charts
from metier.agent.results._digest import (
    EventSink,
    LanguageOption,
    PerRun,
    aemit_events,
    emit_events,
    extract,
    resolve_language,
    resolve_per_run,
    run_sync,
)
from metier.agent.results._tables import TABLE_KEYS, Table, TableMiddleware, extract_tables
from metier.agent.results._workspace_files import FileWatch, file_event, resolve_within

__all__ = [
    "CHART_DESCRIPTION",
    "CHART_KEYS",
    "CHART_KINDS",
    "CHART_SCHEMA",
    "TABLE_KEYS",
    "ChartMiddleware",
    "ChartSpec",
    "EventSink",
    "FileWatch",
    "LanguageOption",
    "PerRun",
    "Table",
    "TableMiddleware",
    "aemit_events",
    "draw_chart",
    "emit_events",
    "extract",
    "extract_charts",
    "extract_tables",
    "file_event",
    "read_chart",
    "resolve_language",
    "resolve_per_run",
    "resolve_within",
    "run_sync",
]
