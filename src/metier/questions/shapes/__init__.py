"""Questions of a known shape about all rows or all findings: outliers, bands, shares of rows, causes in short."""

from metier.questions.shapes._shape import answer_shape, has_shape
from metier.questions.shapes._weights import answer_weights

__all__ = ["answer_shape", "answer_weights", "has_shape"]
