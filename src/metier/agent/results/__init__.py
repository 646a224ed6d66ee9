"""A tool's result: tables, charts and files for the user, a digest for the model. Pure functions."""

from metier.agent.results._chart_spec import CHART_KINDS, ChartSpec, read_chart
from metier.agent.results._charts import CHART_KEYS, SHOW_CHART, draw_chart, extract_charts
from metier.agent.results._digest import Extraction, extract
from metier.agent.results._last_finding import find_finding, find_first_line
from metier.agent.results._maps import MAP_KEYS, extract_maps, read_map
from metier.agent.results._number_check import find_unknown_numbers
from metier.agent.results._output_contract import find_contract_problem
from metier.agent.results._stored_results import PAGE_SCHEMA, READ_RESULT, read_page, read_stored_result
from metier.agent.results._tables import TABLE_KEYS, Table, extract_tables
from metier.agent.results._workspace_files import FileWatch, file_event, is_hidden, resolve_within

__all__ = [
    "CHART_KEYS",
    "CHART_KINDS",
    "MAP_KEYS",
    "PAGE_SCHEMA",
    "READ_RESULT",
    "SHOW_CHART",
    "TABLE_KEYS",
    "ChartSpec",
    "Extraction",
    "FileWatch",
    "Table",
    "draw_chart",
    "extract",
    "extract_charts",
    "extract_maps",
    "extract_tables",
    "file_event",
    "find_contract_problem",
    "find_finding",
    "find_first_line",
    "find_unknown_numbers",
    "is_hidden",
    "read_chart",
    "read_map",
    "read_page",
    "read_stored_result",
    "resolve_within",
]
