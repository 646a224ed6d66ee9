"""Checks of what work leaves behind: files that open, sources that hold, runs after the last write."""

from metier.plans.results._exit_codes import MAX_RECORDED, CallRecord, call_from_json, find_exit_problem, record_call
from metier.plans.results._files import FileMeasure, measure_file
from metier.plans.results._sources import SourceCount, count_sources

__all__ = [
    "MAX_RECORDED",
    "CallRecord",
    "FileMeasure",
    "SourceCount",
    "call_from_json",
    "count_sources",
    "find_exit_problem",
    "measure_file",
    "record_call",
]
