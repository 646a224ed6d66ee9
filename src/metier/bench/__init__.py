"""Figures: measured in one run beside the raw library, printed, and saved as JSON."""

from metier.bench._corpus import write_corpus
from metier.bench._figures import Figure, Run
from metier.bench._run import SUITES, run_suites, save

__all__ = ["SUITES", "Figure", "Run", "run_suites", "save", "write_corpus"]
