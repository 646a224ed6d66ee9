"""Dictated messages written out: fillers go, pauses become the signs that one would have typed."""

from metier.packs.office.drafting.dictation._fillers import strip_fillers
from metier.packs.office.drafting.dictation._pauses import find_run_on, write_pauses

__all__ = ["find_run_on", "strip_fillers", "write_pauses"]
