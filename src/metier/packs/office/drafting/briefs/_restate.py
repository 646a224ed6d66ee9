"""A laid-out message as one sentence, or the line of it that is not understood."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metier.packs.office.drafting.briefs._reader import read_lines
from metier.packs.office.drafting.briefs._slots import UnreadLine
from metier.packs.office.drafting.briefs._write import write_brief

__all__ = ["RestatedBrief", "restate_brief"]


@dataclass(frozen=True, slots=True)
class RestatedBrief:
    """The sentence with names that stand in it under other characters; or the line that could not be read."""

    text: str
    names: Mapping[str, str] = field(default_factory=dict)
    unread: str = ""
    written: tuple[str, ...] = ()  # names and texts that the plan must have
    demands: tuple[str, ...] = ()  # clauses of fields and points, of which none is talk


def restate_brief(request: str) -> RestatedBrief:
    """The sentence of a laid-out message; another message stays as it is."""
    try:
        brief = read_lines(request)
        if brief is None:
            return RestatedBrief(request)
        text, names = write_brief(brief, request)
    except UnreadLine as unread:
        return RestatedBrief(request, unread=unread.line)
    return RestatedBrief(text, names, written=brief.written, demands=tuple(brief.demands))
