"""Several lines of a document as an edit names them: one by one, from one to another, so many below one."""

import re
from typing import Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import DocumentView
from metier.packs.office.orders.edits._names import find_label, find_line, find_lines, plain

__all__ = ["find_run"]

_LINES_EN: Final = r"(?:lines?|items?|points?|paragraphs?|entries|rows?|steps?|bullets?|ones)"
_LINES_ZH: Final = r"(?:行|项|条|段|句|个|点|步)(?:文字|内容|话)?"
_NUMBER_ZH: Final = r"[一两二三四五六七八九十\d]+"
_FROM_TO: Final = (
    re.compile(
        rf"(?:the )?(?:(?P<count>{COUNT}) )?(?:{_LINES_EN} )?(?:from )(?P<first>{QUOTED}|.+?) (?:down |up )"
        rf"?(?:to|through|till|until) (?P<last>{QUOTED}|.+)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:从)?(?P<first>{QUOTED}|.+?)(?:开始)?(?:到|至|一直到)(?P<last>{QUOTED}|.+?)(?:为止)?的?(?:这|那)"
        rf"?(?:(?P<count>{_NUMBER_ZH})|几)?{_LINES_ZH}?"
    ),
)
_BETWEEN: Final = (
    re.compile(
        rf"(?:the )?(?:(?P<count>{COUNT}) )?(?:{_LINES_EN} )?between (?P<first>{QUOTED}|.+?) and (?P<last>{QUOTED}|.+)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<first>{QUOTED}|.+?)(?:和|与|到)(?P<last>{QUOTED}|.+?)(?:之间|中间)的?(?:这|那)"
        rf"?(?:(?P<count>{_NUMBER_ZH})|几)?{_LINES_ZH}?"
    ),
)
_BELOW: Final = (
    re.compile(
        rf"(?:the )?(?P<count>{COUNT}) {_LINES_EN} (?:directly |right )?(?:below|under|underneath|after|"
        rf"following|beneath) (?P<first>{QUOTED}|.+)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:这个|那个)?(?P<first>{QUOTED}|.+?)(?:的)?(?:下面|底下|后面|之后|以下|下边|后边)的?(?:这|那)"
        rf"?(?P<count>{_NUMBER_ZH}){_LINES_ZH}"
    ),
)
_COUNTED: Final = re.compile(
    rf"(?:the )?(?P<en>{COUNT}) (?:{_LINES_EN})(?: called)?:? (?P<a>.+)|(?P<b>.+?)(?:,)? (?:these|those|the|"
    rf"all) (?P<after>{COUNT}) {_LINES_EN}|"
    rf"(?P<c>.+?)(?:这|那)(?:(?P<zh>{_NUMBER_ZH})|几){_LINES_ZH}|(?:the )?(?:{_LINES_EN}) (?P<d>.+)|"
    rf"(?P<e>.+?) {_LINES_EN}",
    re.IGNORECASE,
)


def find_run(said: str, view: DocumentView) -> list[TextPiece] | None:
    """The lines that are named, in the order of the document; asked if there are not as many as said."""
    text = RequestText(said.strip())
    for forms, has_ends in ((_BETWEEN, False), (_FROM_TO, True)):
        for form in forms:
            if (found := form.fullmatch(text.mask)) is None:
                continue
            ends = [_find_index(text.raw[found.start(one) : found.end(one)], view) for one in ("first", "last")]
            if ends[0] is not None and ends[1] is not None:
                low, high = (ends[0], ends[1] + 1) if has_ends else (ends[0] + 1, ends[1])
                return _check(view.filled[low:high], found["count"], said)
    for form in _BELOW:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        at = _find_index(text.raw[found.start("first") : found.end("first")], view)
        if at is not None:
            number = read_count(found["count"]) or 0
            return _check(view.filled[at + 1 : at + 1 + number], found["count"], said)
    return _find_listed(text, view)


def _find_listed(text: RequestText, view: DocumentView) -> list[TextPiece] | None:
    named, count = text.raw, ""
    if (found := _COUNTED.fullmatch(text.mask)) is not None:
        name = next(one for one in "abcde" if found[one])
        spans = _find_all(text.raw[found.start(name) : found.end(name)], view)
        if spans is not None:
            return _check(spans, found["en"] or found["after"] or found["zh"] or "", text.raw)
    return None if (listed := _find_all(named, view)) is None else _check(listed, count, text.raw)


def _find_all(named: str, view: DocumentView) -> list[TextPiece] | None:
    spans = find_lines(named, view)
    if spans is None or any(one.sentence or one.is_section for one in spans):
        return None
    return [piece for one in spans for piece in one.pieces]


def _find_index(name: str, view: DocumentView) -> int | None:
    span, label = find_line(name, view), find_label(name, view)
    if span is None or len(span.pieces) != 1:
        return view.filled.index(label.piece) if label is not None else None
    begins = plain(span.pieces[0].line).startswith(plain(span.sentence))
    return view.filled.index(span.pieces[0]) if begins else None


def _check(pieces: list[TextPiece], count: str | None, said: str) -> list[TextPiece]:
    """The lines if they are as many as said and no two are the same."""
    number = read_count(count) if count else None
    if (
        not pieces
        or (number is not None and number != len(pieces))
        or len({one.address for one in pieces}) < len(pieces)
    ):
        raise OrderUnclear("part", part=said.strip()[:60])
    return pieces
