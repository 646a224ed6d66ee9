"""Whether the edits of a message leave alone what its remarks keep: a line, a place, the wording, the title."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import DocumentView
from metier.packs.office.orders.edits._names import (
    UNIT_EN,
    UNIT_ZH,
    find_lines,
    find_section,
    list_labels,
    plain,
)
from metier.packs.office.orders.edits._remarks import SideRemark
from metier.packs.office.orders.grounded import list_changed_lines

__all__ = ["is_place", "keeps_remarks"]

_LOOKS: Final = frozenset({"apply_paragraph_style", "apply_text_style_to_matches", "set_paragraph_format"})
_KEEP_WORDING: Final = _LOOKS | {"add_comment", "move_paragraphs"}
# What may be kept of a place beside the place itself: its words, whatever becomes of their look, or the other way.
_WORDING: Final = re.compile(
    r"(?:的)?(?:文字|内容|字句|措辞|原文|原话)$|^(?:text|wording|words|contents?) (?:of|in) (?:the )?|"
    r"(?:'s)? (?:text|wording|words|contents?)$"
)
_LOOK: Final = re.compile(
    r"(?:的)?(?:格式|样式|字体|字号|颜色|排版|大小)$|"
    r"^(?:format(?:ting)?|style|look|font|colou?r|size) (?:of|in) (?:the )?|(?:'s)? (?:format(?:ting)?|style|font)$"
)
_HEADING: Final = re.compile(r"(?:原来?的?|它的?|那个?|这个?|大|小|各?级)*标题|(?:its |that )?(?:heading|title)s?")

_UNIT: Final = rf"(?:{UNIT_EN}|section|clause|article|chapter|row|part)"
_NUMBERED: Final = re.compile(
    rf"第\s*{ORDINAL}(?:个|小)?(?:{UNIT_ZH}|[节章款项点句])|(?:最后|末|首)[一两]?(?:{UNIT_ZH}|[节章])|"
    rf"\b(?:{EN_ORDINAL}|last) {_UNIT}\b|\b{_UNIT} \d+$"
)


def keeps_remarks(steps: Sequence[JsonObject], remarks: Iterable[SideRemark], view: DocumentView) -> bool:
    """Whether the steps change nothing that a remark keeps as it is."""
    return all(_keeps(steps, one, view) for one in remarks)


def _keeps(steps: Sequence[JsonObject], remark: SideRemark, view: DocumentView) -> bool:
    match remark.kind:
        case "text":
            return all(one["op"] in _KEEP_WORDING for one in steps)
        case "title":
            first = view.filled[0].address if view.filled else None
            return any(one["op"] == "insert_before_text" and one.get("address") == first for one in steps)
        case "named":
            return _keeps_place(steps, plain(remark.words), view) and _keeps_words(steps, plain(remark.words), view)
        case _:
            return True


def _keeps_place(steps: Sequence[JsonObject], name: str, view: DocumentView) -> bool:
    """Whether no line changes that stands in the place the words name: the third paragraph, 付款这一节, the heading.

    A number of a place that is none, such as the fifth row of a text, keeps nobody knows what.
    """
    place = _LOOK.sub("", _WORDING.sub("", name))
    kept = _find_place(place, view)
    if not kept and _NUMBERED.search(place):
        return False
    rewritten = set() if _LOOK.search(name) else set(list_changed_lines(steps, view.all))
    restyled = set() if _WORDING.search(name) else set(_list_restyled(steps, view))
    return not (rewritten | restyled) & kept


def is_place(words: str, view: DocumentView) -> bool:
    """Whether words name a place of the document, or the label of one of its lines."""
    name = plain(words)
    if _NUMBERED.search(name) or any(plain(one.name) == name for one in list_labels(view)):
        return True
    return bool(_find_place(name, view))


def _find_place(name: str, view: DocumentView) -> set[str]:
    """Addresses of the lines in a place; none if the words name no place, or a part of a line."""
    if _HEADING.fullmatch(name):
        return {one.address for one in view.filled if view.is_heading(one) or one is view.title}
    try:
        section = find_section(name, view)
        spans = [section] if section is not None else find_lines(name, view)
    except OrderUnclear:  # several lines have the words: each is compared by its words
        return set()
    return {piece.address for one in spans or () if not one.sentence for piece in one.pieces}


def _list_restyled(steps: Sequence[JsonObject], view: DocumentView) -> Iterator[str]:
    """Addresses of the lines whose look or place changes; a look without a place is that of all of them."""
    for step in steps:
        words, addresses = step.get("find_text"), step.get("addresses")
        if step["op"] not in _LOOKS | {"move_paragraphs"}:
            continue
        if isinstance(addresses, list):
            yield from map(str, addresses)
        else:
            yield from (one.address for one in view.all if words is None or str(words) in one.text)


def _keeps_words(steps: Sequence[JsonObject], name: str, view: DocumentView) -> bool:
    """Whether no part of a line that has the words changes; words of no line bear single places only."""
    if not any(name in plain(one.text) for one in view.all):
        return all("address" in one or "addresses" in one or one["op"] != "replace_text" for one in steps)
    for old, new in list_changed_lines(steps, view.all).values():
        kept = {plain(one) for one in re.split(r"[,，;；。]", new)}
        if any(name in plain(part) and plain(part) not in kept for part in re.split(r"[,，;；。]", old)):
            return False
    return True
