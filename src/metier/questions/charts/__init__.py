"""Questions about charts: the same data drawn otherwise or as a table, and charts of what was changed."""

from metier.questions.charts._answers import ChartAnswers
from metier.questions.charts._changes import asks_to_draw_changes, draw_changes

__all__ = ["ChartAnswers", "asks_to_draw_changes", "draw_changes"]
