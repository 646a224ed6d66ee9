"""Choices that are closed in plain words or by the answer to a question, read by rules."""

from metier.packs.office.analysis.meetings.settled._chosen import is_chosen
from metier.packs.office.analysis.meetings.settled._plain import is_called_for_assent, is_settled

__all__ = ["is_called_for_assent", "is_chosen", "is_settled"]
