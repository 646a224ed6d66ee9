"""Enumerations said in running text: 先是甲，然后是乙、丙，最后是丁; “first A, then B, C and finally D”."""

from metier.packs.office.drafting.sequences._lost import find_lost_step
from metier.packs.office.drafting.sequences._plain import PlainSequence, list_sequence

__all__ = ["PlainSequence", "find_lost_step", "list_sequence"]
