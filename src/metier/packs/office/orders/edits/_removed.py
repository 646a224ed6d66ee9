"""Edits that take lines and sections away, and the typed numbers of the headings behind them."""

import re
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import PieceSpan, strip_number
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._names import find_lines, find_section, plain

__all__ = ["REMOVE_RULES"]

_GO_ZH: Final = (
    r"(?:删除|删掉|删去|删了|删|去掉|去除|拿掉|划掉|移除|抹掉|撤掉|砍掉|清掉|干掉|取消|不要再?留了?|"
    r"别再?留了?|不用留了?|"
    r"不要了?|可以不要了?|就不要了?)"
)
_GO_EN: Final = (
    r"(?:delete|remove|drop|kill|strike(?: out)?|take out|cut(?: out)?|get rid of|scrap|erase|omit|bin|ditch|axe|lose|"
    r"leave out)"
)
_REMOVE: Final = (
    re.compile(rf"{_GO_EN} (?P<it>.+?)(?: out| off| altogether| completely| entirely)?", re.IGNORECASE),
    re.compile(
        r"(?P<it>.+?) (?:(?:can|could|should|must|may) (?:now )?(?:go|be (?:deleted|removed|dropped|cut|left out))|"
        r"(?:has|have|needs?) to (?:go|be (?:deleted|removed))|(?:is|are) to (?:go|be (?:deleted|removed)))"
        r"(?: now| completely| altogether)?",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:把|将)?(?P<it>.+?)(?:都|全部?|整个|给我|直接)*{_GO_ZH}(?:掉)?(?:吧|啊|就行|就好|即可|了)*"),
    re.compile(rf"{_GO_ZH}掉?[:：]?(?P<it>.+?)(?:吧|就行|就好|即可)*"),
)


def remove_lines(call: EditCall, said: str) -> LineEdit | None:
    """Kill the line “X”; “X”那段删掉; the whole section “X” can go."""
    text = RequestText(said)
    for form in _REMOVE:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        name = said[found.start("it") : found.end("it")]
        if (section := find_section(name, call.view)) is not None:
            addresses, texts = call.view.blocks_of(section)
            made = step("delete_paragraphs", addresses=list[JsonValue](addresses), expected=list[JsonValue](texts))
            return LineEdit((made,), section.pieces, is_section=True)
        if re.search(r"节|章|\bsection\b", found["it"]):
            continue
        if (spans := find_lines(name, call.view)) is not None:
            return _remove(call, spans)
    return None


def _remove(call: EditCall, spans: list[PieceSpan]) -> LineEdit | None:
    pieces = tuple(piece for one in spans for piece in one.pieces)
    if any(one.is_section for one in spans) or len(pieces) >= len(call.view.filled):
        return None
    steps = [
        step("replace_text", find_text=one.sentence, replace_text="", address=one.pieces[0].address)
        for one in spans
        if one.sentence
    ]
    whole: list[JsonValue] = [piece.address for one in spans if not one.sentence for piece in one.pieces]
    if any(spans[0].sentence and not re.search(r"[。.!！?？;；]$", one.sentence) for one in spans):
        return None  # some words of a line: the rules for words know more of them
    if whole:
        texts: list[JsonValue] = [piece.text for one in spans if not one.sentence for piece in one.pieces]
        steps.append(step("delete_paragraphs", addresses=whole, expected=texts))
    return LineEdit(tuple(steps), pieces)


_RENUMBER: Final = (
    re.compile(
        rf"renumber (?:the )?(?:\w+ ){{0,5}}?(?:so (?:that )?they (?:now )?(?:read|are|say|become)|to(?: "
        rf"read| be)?|as|:)\s*(?P<it>{QUOTED}.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:把|将)?(?:后面|其后|之后|下面|随后)的?(?:几?个?)?(?:标题|编号|序号|章节|各节|条款)?(?:的?编号)"
        rf"?(?:依次|顺次|相应|也|都)*(?:改|调整|变|顺延|重新编号)(?:成|为)\s*(?P<it>{QUOTED}.*)"
    ),
)


def renumber_headings(call: EditCall, said: str) -> LineEdit | None:
    """Renumber the sections behind it so that they read “2. Claims” and “3. Contact”."""
    text = RequestText(said)
    found = next((match for one in _RENUMBER if (match := one.fullmatch(text.mask)) is not None), None)
    if found is None or re.sub(rf"{QUOTED}|[\s,，、]|and|和|与|及|以及", "", found["it"], flags=re.IGNORECASE):
        return None
    steps, pieces = [], []
    for quote in text.quotes:
        name = plain(strip_number(quote.text))
        heads = [one for one in call.view.filled if call.view.is_heading(one) and plain(strip_number(one.line)) == name]
        if len(heads) != 1 or heads[0].number or not name:
            raise OrderUnclear("no_text_here", text=quote.text)
        steps.append(step("replace_text", find_text=heads[0].text, replace_text=quote.text, address=heads[0].address))
        pieces.append(heads[0])
    return LineEdit(tuple(steps), tuple(pieces))


REMOVE_RULES: Final[tuple[EditRule, ...]] = (remove_lines, renumber_headings)
