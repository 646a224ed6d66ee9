"""Router comparison on public labelled sets: accuracy, calibration, time and memory of Metier and its peers."""

from benchmarks.routing._compare import OWN_SKILLS, Comparison, ComparisonOptions, compare_routers
from benchmarks.routing._data import LabelledSet, is_for_learning, load_sets, name_to_words, read_metatool_rows
from benchmarks.routing._measures import calibration_error, calibration_error_by_chance
from benchmarks.routing._page import save_comparison

__all__ = [
    "OWN_SKILLS",
    "Comparison",
    "ComparisonOptions",
    "LabelledSet",
    "calibration_error",
    "calibration_error_by_chance",
    "compare_routers",
    "is_for_learning",
    "load_sets",
    "name_to_words",
    "read_metatool_rows",
    "save_comparison",
]
