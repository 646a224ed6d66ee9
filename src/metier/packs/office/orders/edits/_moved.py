"""Edits that let two lines change places or put a line elsewhere."""

import re
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import PieceSpan, move_span, swap_spans
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._names import UNIT_EN, UNIT_ZH, find_line, find_lines

__all__ = ["MOVE_RULES", "is_after"]

_UNITS_EN: Final = rf"(?:(?:two |both )?{UNIT_EN}s?)"
_CHANGE_PLACES: Final = r"(?:对调|互换|交换|调换|颠倒|掉个个儿?|换一?下|调个?|换个?|换过来)"
_SWAP: Final = (
    re.compile(
        r"(?:swap|switch|exchange|interchange)(?: round| around| over)? (?:the )?(?:(?:order|places?|"
        rf"positions?) of )?(?:the )?(?:these )?(?:{_UNITS_EN} )?"
        rf"(?P<one>{QUOTED}|.+?)(?: (?:and|with|&|for)(?: the)? )(?P<other>{QUOTED}|.+?)(?: (?:round|around|"
        rf"over|places|{_UNITS_EN}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:the )?(?:{_UNITS_EN} )?(?P<one>{QUOTED}) and (?P<other>{QUOTED}) (?:{_UNITS_EN} )?(?:are|stand|"
        r"come) (?:in the wrong order|the wrong way (?:round|around)),? "
        r"(?:so )?(?:please )?(?:swap|switch|exchange|turn) (?:them|these|both)(?: round| around| over)?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:把|将)?(?P<one>{QUOTED}|.+?)(?:和|与|跟|同)(?P<other>{QUOTED}|.+?)(?:这|那)?(?:[两2]|两个|2个)"
        rf"?个?{UNIT_ZH}?(?:文字|内容)?"
        rf"的?(?:位置|顺序|次序|先后)?(?:互相)?{_CHANGE_PLACES}(?:一下|下|过来)?(?:位置|顺序)?"
    ),
)
_BEFORE: Final = ("before", "above", "in front of", "ahead of", "前", "上", "之前", "以前")
_MOVE: Final = (
    re.compile(
        rf"(?:move|put|shift|bring|place) (?P<it>{QUOTED}|.+?) (?:(?:so|in such a way) that it (?:comes|is|"
        r"stands|goes|sits|follows) )?(?:to )?"
        r"(?:directly |right |straight |immediately |just )?(?P<side>after|below|under|underneath|behind|"
        r"before|above|in front of|ahead of) (?P<place>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<it>{QUOTED}|.+?) (?:should|must|has to|needs to|ought to|belongs) ?(?:come|go|stand|be)? "
        r"?(?:directly |right |straight |immediately |just )?"
        r"(?P<side>after|below|under|underneath|behind|before|above|in front of|ahead of) (?P<place>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:把|将)?(?P<it>.+?)(?:移动?|挪动?|搬|调整?|放|提前?|换|拖|排)(?:到|至|在)(?P<place>{QUOTED}|.+?)"
        r"的?(?:正|紧)?"
        rf"(?P<side>后面|后边|之后|以后|下面|下方|之下|前面|前边|之前|以前|上面|上方|之上|后|前)(?:去)?"
    ),
)
_TO_EDGE: Final = (
    re.compile(
        rf"(?:move|put|shift|bring) (?P<it>{QUOTED}|.+?) to the (?:very )?(?:(?P<end>end|bottom)|"
        r"(?P<start>top|start|beginning))"
        r"(?: of (?:the|this) (?:document|doc|page|file|letter|text|list))?",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:把|将)?(?P<it>.+?)(?:移动?|挪动?|搬|调整?|放|提前?|拖)(?:到|至|在)(?:全文|文档|整个文档|文章|文件)?的?"
        r"(?:(?P<end>最后面?|末尾|结尾|文末|最下面)|(?P<start>最前面?|开头|最上面))(?:去)?"
    ),
)


def swap_lines(call: EditCall, said: str) -> LineEdit | None:
    """Swap the paragraphs “A” and “B”; “A”和“B”两行互换."""
    text = RequestText(said)
    for form in _SWAP:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        spans = [_find_one(call, said[found.start(name) : found.end(name)]) for name in ("one", "other")]
        one, other = spans
        if one is None or other is None or one.pieces == other.pieces:
            continue
        return LineEdit(tuple(swap_spans(call.view, one, other)), (*one.pieces, *other.pieces))
    return None


def move_line(call: EditCall, said: str) -> LineEdit | None:
    """Move the sentence “A” directly after “B”; 把“A”挪到“B”后面; to the end."""
    text = RequestText(said)
    for form in (*_MOVE, *_TO_EDGE):
        if (found := form.fullmatch(text.mask)) is None:
            continue
        try:
            moved = _find_one(call, said[found.start("it") : found.end("it")])
        except OrderUnclear as unclear:
            if re.match(r"put|place|bring|放", said, re.IGNORECASE) or unclear.note.code != "no_text_here":
                raise
            continue
        where = _find_place(call, found, said) if moved is not None else None
        if moved is None or where is None or set(map(str, where.values())) & set(moved.addresses):
            continue
        return LineEdit(tuple(move_span(call.view, moved, where)), moved.pieces)
    return None


def _find_place(call: EditCall, found: re.Match[str], said: str) -> dict[str, JsonValue] | None:
    groups = found.groupdict()
    if groups.get("end"):
        return {"after": call.view.blocks[-1]}
    if groups.get("start"):
        return {"before": call.view.blocks[0]} if call.view.title is None else None
    place = _find_one(call, said[found.start("place") : found.end("place")])
    if place is None:
        return None
    return {"after" if is_after(found["side"]) else "before": place.pieces[0].address}


def is_after(side: str) -> bool:
    """Whether a word for a side says that something comes later."""
    return not side.lower().startswith(_BEFORE)


def _find_one(call: EditCall, name: str) -> PieceSpan | None:
    """One whole line; a part of one cannot be moved."""
    spans = [find_line(name, call.view)] if RequestText(name).quotes else find_lines(name, call.view)
    span = spans[0] if spans and len(spans) == 1 else None
    if span is None or len(span.pieces) != 1 or span.is_section or span.sentence:
        return None
    return None if call.view.is_heading(span.pieces[0]) else span


MOVE_RULES: Final[tuple[EditRule, ...]] = (swap_lines, move_line)
