"""Sections that PowerPoint groups slides in: they list each slide once, in the order of the show."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from metier.packs.office.files import XmlElement

__all__ = ["number_section_slides", "settle_sections"]

_LIST: Final = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"


def settle_sections(presentation: XmlElement, ids: Sequence[str]) -> None:
    """List the slides anew: one that is gone leaves its section, one that is new or moved joins the slide before it."""
    lists = [one.find(f"{_LIST}sldIdLst") for one in presentation.iter(f"{_LIST}section")]
    holders = [one for one in lists if one is not None]
    if not holders:
        return
    entries = {str(entry.get("id")): (at, entry) for at, one in enumerate(holders) for entry in one}
    known = [entries[one][0] if one in entries else None for one in ids]
    kept = _longest_rise([(at, number) for at, number in enumerate(known) if number is not None])
    for one in holders:
        for entry in list(one):
            one.remove(entry)
    section = known[min(kept)] if kept else 0
    for at, slide in enumerate(ids):
        section = known[at] if at in kept else section
        holder = holders[section or 0]
        holder.append(entries[slide][1] if slide in entries else holder.makeelement(f"{_LIST}sldId", {"id": slide}))


def _longest_rise(places: Sequence[tuple[int, int]]) -> set[int]:
    """Places of slides whose sections already stand in order; the fewest others have moved."""
    ends: list[int] = []
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for at, number in places:
        length = bisect_right(ends, number)
        before[at] = tails[length - 1] if length else None
        ends[length : length + 1] = [number]
        tails[length : length + 1] = [at]
    kept: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept


def number_section_slides(presentation: XmlElement, ids: Sequence[str]) -> None:
    """Places of slides for their ids, which are others after a second run of the same plan."""
    numbers = {one: str(at) for at, one in enumerate(ids)}
    for entry in presentation.iter(f"{_LIST}sldId"):
        entry.set("id", numbers.get(str(entry.get("id")), ""))
