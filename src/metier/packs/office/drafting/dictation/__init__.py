"""Dictated messages written out: fillers go, pauses become the signs that one would have typed."""

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_written, strip_mark
from metier.packs.office.drafting.dictation._fillers import find_filler, strip_fillers
from metier.packs.office.drafting.dictation._pauses import find_lost_word, find_run_on, write_pauses

__all__ = ["find_misheard", "strip_fillers", "write_pauses"]


def find_misheard(request: str, plan: JsonObject) -> str:
    """What a plan has of the speech around its texts, or lacks of what stands between the pauses."""
    texts = [strip_mark(one) for one in list_written(plan)]
    return find_run_on(request, texts) or find_filler(request, texts) or find_lost_word(request, texts)
