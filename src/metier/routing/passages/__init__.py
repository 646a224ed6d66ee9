"""Passages of a long message in which its request may stand, and whose words they are."""

from metier.routing.passages._passages import Passage, find_passages, has_passages

__all__ = ["Passage", "find_passages", "has_passages"]
