"""Benchmarks: measured beside the bare library in one run, printed, and saved as JSON."""

from metier.bench._corpus import write_corpus
from metier.bench._figures import COLUMNS, BenchRun, Figure, columns_of, p50_p95, pivot
from metier.bench._markdown import render_table
from metier.bench._model_errors import (
    ERROR_KINDS,
    CountedRate,
    ErrorKind,
    count_recorded_errors,
    list_error_weights,
)
from metier.bench._pack import BenchCase, CaseScore, PackScore, read_cases, run_cases
from metier.bench._run import SUITES, list_suites, run_suites, save, write_models_page

__all__ = [
    "COLUMNS",
    "ERROR_KINDS",
    "SUITES",
    "BenchCase",
    "BenchRun",
    "CaseScore",
    "CountedRate",
    "ErrorKind",
    "Figure",
    "PackScore",
    "columns_of",
    "count_recorded_errors",
    "list_error_weights",
    "list_suites",
    "p50_p95",
    "pivot",
    "read_cases",
    "render_table",
    "run_cases",
    "run_suites",
    "save",
    "write_corpus",
    "write_models_page",
]
