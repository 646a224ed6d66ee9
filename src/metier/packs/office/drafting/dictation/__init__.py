"""Dictated messages written out: fillers go, pauses become the signs that one would have typed."""

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_written, strip_mark
from metier.packs.office.drafting.dictation._fillers import find_filler, strip_emphasis, strip_fillers
from metier.packs.office.drafting.dictation._pauses import find_lost_word, find_run_on, write_pauses
from metier.packs.office.drafting.dictation._retractions import take_back
from metier.packs.office.drafting.dictation._run_ons import write_run_ons

__all__ = ["find_misheard", "strip_emphasis", "strip_fillers", "take_back", "write_pauses", "write_run_ons"]


def find_misheard(request: str, plan: JsonObject) -> str:
    """What a plan has of the speech around its texts, or lacks of what stands between the pauses."""
    texts = [strip_mark(one) for one in list_written(plan)]
    return find_run_on(request, texts) or find_filler(request, texts) or find_lost_word(request, texts)
