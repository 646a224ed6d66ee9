"""Passages of a long message in which its request may stand, and whose words they are."""

from metier.routing.passages._asking import objects_to_others
from metier.routing.passages._passages import Passage, find_passages, has_passages
from metier.routing.passages._pasted import leave_out_put_off

__all__ = ["Passage", "find_passages", "has_passages", "leave_out_put_off", "objects_to_others"]
