"""Dictated messages written out: fillers go, pauses become the signs that one would have typed."""

from collections.abc import Sequence

from metier.packs.office.drafting.dictation._fillers import find_filler, strip_fillers
from metier.packs.office.drafting.dictation._pauses import find_lost_word, find_run_on, write_pauses

__all__ = ["find_misheard", "strip_fillers", "write_pauses"]


def find_misheard(request: str, texts: Sequence[str]) -> str:
    """What the texts of a plan have of the speech around them, or lack of what stands between its pauses."""
    return find_run_on(request, texts) or find_filler(request, texts) or find_lost_word(request, texts)
