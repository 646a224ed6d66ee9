"""Orders that replace words or whole paragraphs of a document."""

import re
from collections.abc import Callable
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import CHANGE, OrderContext, step, take_old_new
from metier.packs.office.orders._literal import match_case, settle_pair
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders._ordinals import ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_span
from metier.packs.office.orders.documents._values import ask_term, replace_party, replace_value
from metier.packs.office.orders.documents._view import DocumentView, PieceSpan
from metier.packs.office.orders.documents._words import MARKS, list_pairs, needs_whole_words, take_table_scope

__all__ = ["replace_words"]

_CLAUSE_HEAD: Final = re.compile(
    r"\s*(?:第[一二三四五六七八九十百\d]+[条章节编]|[（(]?[一二三四五六七八九十\d]+[)）、.．])"
)


def replace_words(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Words that become others: in all of the document, in a place, in tables or outside of them."""
    view = DocumentView(context.reading)
    whole = _replace_whole(text, view)
    if whole is not None:
        return whole
    occurrence = _take_occurrence(text)
    tables = take_table_scope(text)
    saved = text.mask
    span = _take_scope(text, view)
    pair = take_old_new(text, context.reading)
    if pair is None and span is not None:
        text.mask, span = saved, None
        pair = take_old_new(text, context.reading)
    if pair is None:
        return None
    old, new = pair
    old, inner = _split_scope(old, view)
    span = inner or span
    text.take_all(
        r"\b(?:replace|change|throughout|everywhere|in|the|document|all|words?|with)\b|全文|文中|文里|"
        r"通篇|文档里?|合同里?|所有的?|全部|都|统一|替换|里面?的?|中的?|字样|一词|这个词"
    )
    if (
        re.search(r"\bshould be\b", text.raw)
        and re.fullmatch(r"[a-z ]+", old)
        and len(new.split()) > len(old.split()) + 1
    ):
        raise OrderUnclear("name_of_value", text=old)  # what it is to be, not how it is spelled
    valued, old, new = _settle(text, view, old, new)
    if valued:
        return valued
    old, new = _name_words(view, old, new)

    def _is_meant(piece: TextPiece) -> bool:
        in_span = span is None or piece.address in span.addresses
        return in_span and (tables is None or piece.address.startswith("t") == tables)

    if not any(map(_is_meant, view.texts_with(old))):
        raise OrderUnclear("no_text_here", text=old)
    track = True if re.search(r"修订|痕迹|\btrack", text.raw) else None
    if occurrence:
        return [step("replace_text", find_text=old, replace_text=new, occurrence=occurrence, track=track)]
    meant = None if span is None and tables is None else _is_meant
    return _replace_steps(view, (old, new, text.raw), meant, track)


def _settle(text: RequestText, view: DocumentView, old: str, new: str) -> tuple[list[JsonObject] | None, str, str]:
    """Steps that change a value which the old words name; else the words to find and the words to write."""
    if not re.search(r"\bshould be\b", text.raw):  # the risks should be bullet points: not the heading Risks
        old, new = match_case(old, new, (one.text for one in view.all))
    is_there = bool(view.texts_with(old))
    try:
        found, made = settle_pair(text.raw, old, new, [one.text for one in view.all])
    except OrderUnclear:
        if valued := replace_value(text, view, old, new, is_there=is_there):
            return valued, old, new
        if is_there:
            raise ask_term(view, old, new) from None
        raise
    if party := replace_party(text, view, found, made):
        return party, found, made
    return replace_value(text, view, found, made, is_there=is_there), found, made


def _take_occurrence(text: RequestText) -> int:
    found = text.take(
        rf"第({ORDINAL})(?:处|个)(?!表|段|自然)(?:的)?|首次出现的|(?:只改|"
        rf"仅改)第({ORDINAL})[处个](?:[,，])?|\b(?:only )?the (first|second|third) (?:occurrence of|instance of)?"
    )
    if found is None:
        return 0
    return read_ordinal(next((one for one in found.groups() if one), "一")) or 1


def _take_scope(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """A place before the words: 第三条中, “付款”一节里, in clause 3."""
    zh = re.search(
        r"(?:把|将|在)?(?P<it>第[^,，。\"]{1,6}?[条段]|\"[^\"]+\"\s*(?:这|那)?一?(?:节|章|条|部分|段)|"
        r"标题)(?:款|落)?(?:里面?|中|内|的)",
        text.mask,
    )
    en = re.search(
        r"\bin (?P<it>(?:clause|article|section|paragraph) \d+|the (?:first|second|third|last) paragraph|"
        r"the title)\b",
        text.mask,
        re.IGNORECASE,
    )
    found = zh or en
    if found is None:
        return None
    part = RequestText(text.raw[found.start("it") : found.end("it")])
    span = take_span(part, view)
    if span is not None:
        text.consume(*found.span())
    return span


def _split_scope(old: str, view: DocumentView) -> tuple[str, PieceSpan | None]:
    """把第三条的30天改成…: the place may be part of the old words."""
    found = re.match(
        r"(?P<place>第[一二三四五六七八九十\d]+[条段]|标题|最后一段|全文|文中|合同|文档|文件|正文|通知|"
        r"报告|协议|文章)(?:里面?|中|内)?(?:的|所有的?|全部的?)?\s*(?:所有|全部)?\s*[“\"「]?(?P<old>.+?)[”\"」]?$",
        old,
    )
    if found is None or view.texts_with(old):
        return old, None
    if found["place"] in ("全文", "文中", "合同", "文档", "文件", "正文", "通知", "报告", "协议", "文章"):
        return found["old"], None
    return found["old"], take_span(RequestText(found["place"]), view)


def _replace_whole(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    """The whole text of one paragraph: 把标题改成“X”, 第二段改为：…"""
    zh = re.search(
        rf"(?:把|将)?(?P<place>[^,，。:]{{0,30}}?(?:标题|题目|段(?:落|话)?|第{ORDINAL}条|最后一句|那一?行|"
        rf"一行))(?:的?(?:内容|文字))?(?:整个|全部)?(?:{CHANGE})\s*(?P<new>:.+|{QUOTED}|[^,，。\"]+)$",
        text.mask,
        re.IGNORECASE | re.DOTALL,
    )
    en = re.search(
        rf"\b(?:change|set|rename|rewrite|replace)\s+(?:the\s+)?(?P<place>(?:document |main )?title|"
        rf"heading {QUOTED}|[A-Za-z][A-Za-z ]{{1,30}}? (?:section|heading|chapter)|(?:section|heading|chapter) "
        rf"[A-Za-z][A-Za-z ]{{1,30}}?|(?:first|second|third|last|\w+) paragraph|paragraph \d+|(?:clause|"
        rf"article) \d+)\s+(?:to|with|as|into)\s*(?::\s*)?(?P<new>{QUOTED}|.+)$",
        text.mask,
        re.IGNORECASE,
    )
    found = zh or en
    if found is None:
        return None
    place = RequestText(text.raw[found.start("place") : found.end("place")])
    span = take_span(place, view, is_text=True)
    if span is None or (len(span.pieces) != 1 and not span.is_section):
        return None
    from metier.packs.office.orders._leftovers import find_rest

    if find_rest(place):
        return None
    new = text.text_of(*found.span("new")).lstrip(":：").strip()
    if '"' not in found["new"] and is_look(new):
        return None
    text.consume(*found.span())
    head = span.pieces[0]
    if re.search(r"\b(?:section|heading|chapter)\b", found["place"], re.IGNORECASE) and en is not None:
        span = PieceSpan((head,))
    if span.is_section and len(span.pieces) == 2 and len(head.text) <= 20 and len(new) > 12:
        head = span.pieces[1]  # the text below a short heading
    elif span.is_section and len(span.pieces) > 1:
        raise OrderUnclear("many_places", text=span.name, count=len(span.pieces))
    old = head.text
    number = _CLAUSE_HEAD.match(old)
    if number and not _CLAUSE_HEAD.match(new) and not head.number:
        new = f"{number[0].strip()} {new}" if re.match(r"\s*第.+[条章节编]\s", old) else f"{number[0].strip()}{new}"
    return [step("replace_text", find_text=old, replace_text=new, address=head.address)]


def _name_words(view: DocumentView, old: str, new: str) -> tuple[str, str]:
    """The words without what they are called (the year 2019), and marks by their signs (逗号)."""
    bare = re.fullmatch(r"(?:date|year|word|name|number|phrase|text|title) (.+)", old, re.IGNORECASE)
    if bare and not view.texts_with(old):
        old = bare[1]
    return (MARKS[old], MARKS[new]) if old in MARKS and new in MARKS else (old, new)


def _replace_steps(
    view: DocumentView, said: tuple[str, str, str], meant: Callable[[TextPiece], bool] | None, track: JsonValue
) -> list[JsonObject]:
    """Steps for all of the document, or for each of some pieces."""
    old, new, raw = said
    whole = True if needs_whole_words(old, view) else None
    made = []
    for one, other in list_pairs(old, new, raw):
        pieces = view.texts_with(one)
        if meant is None and not pieces:
            continue
        for address in [None] if meant is None else [piece.address for piece in pieces if meant(piece)]:
            made.append(
                step(
                    "replace_text",
                    find_text=one,
                    replace_text=other,
                    max_matches=500,
                    address=address,
                    track=track,
                    whole_word=whole,
                )
            )
    return made
