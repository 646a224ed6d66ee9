"""Benchmarks: measured beside the bare library in one run, printed, and saved as JSON."""

from metier.bench._corpus import write_corpus
from metier.bench._figures import BenchRun, Figure
from metier.bench._pack import BenchCase, CaseScore, PackScore, read_cases, run_cases
from benchmarks.routing._compare import Comparison, ComparisonOptions, compare_routers
from training._corpora import load_corpora
from benchmarks.routing._page import save_comparison
from metier.bench._run import SUITES, run_suites, save

__all__ = [
    "SUITES",
    "BenchCase",
    "BenchRun",
    "CaseScore",
    "Comparison",
    "ComparisonOptions",
    "Figure",
    "PackScore",
    "compare_routers",
    "load_corpora",
    "read_cases",
    "run_cases",
    "run_suites",
    "save",
    "save_comparison",
    "write_corpus",
]
