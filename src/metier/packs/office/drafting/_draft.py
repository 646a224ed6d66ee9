"""From a request in words to a plan, by rules; where the request is not clear, to one question."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.office.drafting._blocks import DraftBlock, build_plan
from metier.packs.office.drafting._leftovers import check_leftovers
from metier.packs.office.drafting._orders import draft_order
from metier.packs.office.drafting._request_text import RequestText
from metier.packs.office.drafting._sheets import draft_sheet
from metier.packs.office.drafting._slides import draft_slides
from metier.packs.office.drafting._slots import DraftPlace, TableSize, take_place, take_size
from metier.packs.office.drafting._unclear import DraftNote, Unclear
from metier.packs.office.drafting._writer import draft_writer
from metier.packs.office.plan import HostApp, load_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.packs.office._hosts import Selection
    from metier.packs.office._pieces import TextPiece

__all__ = ["Draft", "draft_plan"]

_MAX_REQUEST_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan, or the question that must be answered before there can be one."""

    plan: JsonObject | None
    question: str = ""
    reasons: tuple[DraftNote, ...] = ()
    code: str = ""


def draft_plan(
    request: str,
    *,
    host: HostApp,
    language: Language,
    outline: "Sequence[TextPiece] | None" = None,
    selection: "Selection | None" = None,
) -> Draft:
    """Draft a plan for a request. Nothing is guessed: what is not understood becomes a question.

    `outline` are pieces of the document, to find a place that the request names; without them the place is not checked.
    """
    try:
        return _draft(request, host, language, outline, selection)
    except Unclear as unclear:
        return Draft(None, unclear.note.text(language), (), unclear.note.code)


def _draft(
    request: str,
    host: HostApp,
    language: Language,
    outline: "Sequence[TextPiece] | None",
    selection: "Selection | None",
) -> Draft:
    if not request.strip() or len(request) > _MAX_REQUEST_CHARS:
        raise Unclear("no_object")
    if (plan := draft_order(request, host, language)) is not None and not load_plan(plan, host=host).problems:
        return Draft(plan)
    text = RequestText(request.strip())
    place = take_place(text)
    _check_anchor(place, outline)
    size = take_size(text)
    blocks = _draft_blocks(text, size, host, language, has_selection=selection is not None)
    check_leftovers(text)
    if place.kind == "cursor" and selection is None:
        place = DraftPlace("end")
    plan = build_plan(_distinct(blocks), host, place, language)
    loaded = load_plan(plan, host=host)
    if loaded.problems:
        raise Unclear("not_understood", part=request.strip()[:80])
    return Draft(plan, "", tuple(reason for block in blocks for reason in block.reasons))


def _draft_blocks(
    text: RequestText, size: TableSize, host: HostApp, language: Language, *, has_selection: bool
) -> list[DraftBlock]:
    match host:
        case "wps":
            return draft_writer(text, size, language, has_selection=has_selection)
        case "et":
            return draft_sheet(text, size, language)
        case "wpp":
            return draft_slides(text, language)


def _check_anchor(place: DraftPlace, outline: "Sequence[TextPiece] | None") -> None:
    if place.kind != "anchor" or outline is None:
        return
    count = sum(place.anchor in piece.line for piece in outline)
    if count != 1:
        raise Unclear("many_anchors" if count else "no_anchor", anchor=place.anchor, count=count)


def _distinct(blocks: list[DraftBlock]) -> list[DraftBlock]:
    """Two blocks of one request must not share a name."""
    seen: dict[str, int] = {}
    for block in blocks:
        seen[block.id] = seen.get(block.id, 0) + 1
        if seen[block.id] > 1:
            block.name = f"{block.name} {seen[block.id]}"
    return blocks
