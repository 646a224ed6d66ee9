"""Places of a document that an order names: paragraphs, clauses, sections, headings, tables."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from metier.packs.office._counts import read_count
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._about import find_about, name_about
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._view import MAX_TITLE, DocTable, DocumentView, PieceSpan, strip_number

__all__ = ["WHOLE", "take_span", "take_table"]


# Name of a place that is all of the document.
WHOLE: Final = "whole"


def take_table(text: RequestText, view: DocumentView) -> DocTable:
    """The table that the order means: by number, the last, or the only one."""
    if found := text.take(rf"第({ORDINAL})(?:个|张)?表格?|表\s*(\d+)|\btable\s+(\d+)\b|\b({EN_ORDINAL})\s+table\b"):
        number = read_ordinal(next(one for one in found.groups() if one)) or 0
        if not 1 <= number <= len(view.tables):
            raise OrderUnclear("which_table", count=len(view.tables))
        return view.tables[number - 1]
    is_last = bool(text.take(r"最后(?:一)?(?:个|张)?表格?(?<=[表格])|\blast table\b"))
    text.take(r"(?:这个|这张|那个)?[\u4e00-\u9fff]{0,2}表格?(?:里|中)?|\b(?:the|this)(?: \w+)? table\b|\btable\b")
    if not view.tables:
        raise OrderUnclear("no_table")
    if len(view.tables) > 1 and not is_last:
        raise OrderUnclear("which_table", count=len(view.tables))
    return view.tables[-1]


def take_span(text: RequestText, view: DocumentView, *, is_text: bool = False) -> PieceSpan | None:
    """Paragraphs that the order names; None if it names none. With `is_text` a quote may be part of a paragraph."""
    span = (
        _take_inner(text, view)
        or _take_clause(text, view)
        or _take_closing(text, view)
        or _take_ordinal(text, view)
        or _take_headings(text, view)
        or _take_section(text, view)
        or _take_title(text, view)
        or _take_quote(text, view, is_text=is_text)
        or _take_label(text, view)
        or _take_about(text, view)
        or _take_whole(text, view)
    )
    return span if span is not None and span.pieces else None  # an empty document has no paragraphs to name


def _take_inner(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """A paragraph within a section: 第二条的第二段, 参赛要求里面的两条."""
    inner = (
        rf"(?<=\ufffc)\s*(?:里面?|中|下面|部分)?的?(?:第({ORDINAL})(?:个)?(?:自然)?(?:段|款|点|项)(?:落|话|文字)?|"
        rf"(?:这|那|下面的?)?({ORDINAL}|几)(?:条|点|段|项|句|个要点)(?:话|内容|要求)?|(最后)一?(?:段|款|点|"
        rf"项)(?:话|落)?)"
    )
    if not text.has(
        rf"第{ORDINAL}(?:个)?(?:自然)?(?:段|款|点|项)|{ORDINAL}(?:条|点|段|项|句)|几(?:条|点|段|项)|最后一?(?:段|款)"
    ):
        return None
    saved = text.mask
    span = _take_clause(text, view) or _take_section(text, view)
    found = text.take(inner) if span is not None and len(span.pieces) > 1 else None
    if span is None or found is None:
        text.mask = saved
        return None
    body = span.pieces[1:]
    if found[2]:
        if found[2] != "几" and (read_ordinal(found[2]) or 0) != len(body):
            raise OrderUnclear("no_such", text=found[0].strip("\ufffc"), known=tuple(one.line[:30] for one in body))
        return PieceSpan(body)
    number = len(body) if found[3] else read_ordinal(found[1]) or 0
    if not 1 <= number <= len(body):
        raise OrderUnclear("no_such", text=found[0].strip("\ufffc"), known=tuple(one.line[:30] for one in body))
    return PieceSpan((body[number - 1],))


def _take_closing(text: RequestText, view: DocumentView) -> PieceSpan | None:
    found = text.take(
        r"(?:落款|署名)(?:和日期|及日期)?(?:的?(?:那|这)?(?:两|几|三|一)?[行段]?)?|(?:最后|末尾)(?:的)?(?:两|二|"
        r"2)(?:行|段)|"
        r"\bthe (?:signature|closing)(?: lines?| block)?\b|\b(?:the )?last two (?:lines|paragraphs)\b"
    )
    if found is None:
        return None
    if re.search(r"最后|末尾|last two", found[0]):
        return PieceSpan(tuple(view.filled[-2:]))
    if not view.closing:
        raise OrderUnclear("no_place")
    return PieceSpan(view.closing)


def _take_about(text: RequestText, view: DocumentView) -> PieceSpan | None:
    named = name_about(text.mask)
    if named is None:
        return None
    (start, end), subject, unit = named
    if re.search(r"条|节|章|部分|块|section|clause|part", unit):
        heads = [one for one in view.filled if view.is_heading(one) and one is not view.title]
        if (found := find_about(subject, heads, is_sentence=False)) is not None:
            text.consume(start, end)
            return view.section_of(found[0])
    is_sentence = bool(re.search(r"句|sentence|bit", unit))
    pieces = [one for one in view.filled if not view.is_heading(one) or len(one.text) > MAX_TITLE]
    found = find_about(subject, pieces, is_sentence=is_sentence)
    if found is None:
        return None
    text.consume(start, end)
    piece, words = found
    return PieceSpan((piece,), sentence=words if is_sentence and words != piece.text.strip() else "")


def _take_clause(text: RequestText, view: DocumentView) -> PieceSpan | None:
    found = text.take(rf"第({ORDINAL})条(?:款)?(?:条款)?|\b(?:clause|article|section)\s+(\d+)\b")
    if found is None:
        return None
    number = read_ordinal(found[1] or found[2]) or 0
    span = view.clause(number) or view.find_numbered(number)
    if span is None:
        known = tuple(f"第{one}条" for one, _ in view.clauses()) or tuple(one.line for one in view.headings)
        raise OrderUnclear("no_such", text=found[0], known=known or ("—",))
    return span


def _take_ordinal(text: RequestText, view: DocumentView) -> PieceSpan | None:
    listed = view.paragraphs
    if found := text.take(
        rf"第({ORDINAL})段?\s*(?:到|至|-|~)\s*第?({ORDINAL})(?:个)?(?:自然)?段(?:落|文字)?|"
        rf"\bparagraphs\s+(\d+)\s*(?:to|-|through|and)\s*(\d+)\b"
    ):
        low, high = read_ordinal(found[1] or found[3]) or 0, read_ordinal(found[2] or found[4]) or 0
        return _select_pieces(listed, range(low, high + 1), found[0])
    if found := text.take(rf"前({ORDINAL})段(?:落)?|\bfirst (two|three|four|five|\d+) paragraphs\b"):
        return _select_pieces(
            listed, range(1, (read_ordinal(found[1] or "") or (read_count(found[2] or "") or 0)) + 1), found[0]
        )
    if found := text.take(rf"倒数第({ORDINAL})段(?:落)?|\b(second|third)[- ]to[- ]last paragraph\b"):
        number = read_ordinal(found[1] or found[2]) or 0
        return _select_pieces(listed, [len(listed) - number + 1], found[0])
    if found := text.take(r"最后(?:的)?一(?:个)?(?:自然)?段(?:落|话|文字)?|末段|最后那段|\blast paragraph\b"):
        return _select_pieces(listed, [len(listed)], found[0])
    numbers = []
    if found := text.take(rf"\b({EN_ORDINAL}) (?:and|&|with) (?:the )?({EN_ORDINAL}) paragraphs\b"):
        return _select_pieces(listed, [read_ordinal(found[1]) or 0, read_ordinal(found[2]) or 0], found[0])
    for found in text.take_each(
        rf"第({ORDINAL})(?:个)?(?:自然)?段(?:落|话|文字)?|第({ORDINAL})(?:、|和|，|,)(?=第?{ORDINAL}段)|"
        rf"首段|\bparagraph\s+(\d+)\b|\b({EN_ORDINAL})\s+paragraph\b"
    ):
        numbers.append(read_ordinal(next((one for one in found.groups() if one), "一")) or 0)
    return _select_pieces(listed, numbers, "段") if numbers else None


def _select_pieces(listed: list[TextPiece], numbers: Iterable[object], said: str) -> PieceSpan:
    wanted = [one for one in numbers if isinstance(one, int)]
    if not wanted or any(not 1 <= one <= len(listed) for one in wanted):
        raise OrderUnclear("no_such", text=said, known=(f"{len(listed)} 段 / paragraphs",))
    return PieceSpan(tuple(listed[one - 1] for one in wanted))


def _take_headings(text: RequestText, view: DocumentView) -> PieceSpan | None:
    if text.take(r"(?:所有|全部|各个?|每个)?(?:的)?(?:条款|章节)的?标题"):
        listed = [
            one for one in view.filled if view.is_heading(one) and one is not view.title and len(one.line) <= MAX_TITLE
        ]
        return PieceSpan(tuple(listed)) if listed else None
    if (
        found := text.take(rf"第({ORDINAL})(?:个)?(?:章|节|部分)(?:的?标题)?|\b({EN_ORDINAL}) (?:section|chapter)\b")
    ) is not None:
        return _numbered_section(view, read_ordinal(found[1] or found[2]) or 0, found[0])
    if (
        found := text.take(
            r"最后(?:的)?一?(?:个)?(?:章|节|部分|条)(?!款?目)|\b(?:the )?last (?:section|chapter|clause)\b"
        )
    ) is not None:
        return _numbered_section(view, -1, found[0])
    found = text.take(
        r"(?:所有|全部|各个?|每个|各级|文中)(?:的)?(?:([一二三四五1-5])级)?(?:小|子|大)?标题|"
        r"([一二三四五1-5])级标题|小标题|\b(?:all|every|each) (?:(?:the )?(?:level[- ](\d) )?)headings?\b|"
        r"\bheadings? (?:of )?level (\d)\b|\blevel[- ](\d) headings?\b|\b(?:the )?(?:section )?headings\b"
    )
    if found is None:
        return None
    word = next((one for one in found.groups() if one), "")
    level = read_ordinal(word) if word else None
    listed = [
        one for one in view.headings if (level is None or one.level == level) and "title" not in one.style.lower()
    ]
    if not listed:
        raise OrderUnclear("no_such", text=found[0], known=tuple(one.line for one in view.headings[:8]) or ("—",))
    return PieceSpan(tuple(listed))


def _numbered_section(view: DocumentView, number: int, said: str) -> PieceSpan:
    """第二节: the second heading of the highest level."""
    listed = [one for one in view.headings if one is not view.title]
    top = [one for one in listed if one.level == min(other.level for other in listed)]
    number = len(top) if number < 0 else number
    if not 1 <= number <= len(top):
        raise OrderUnclear("no_such", text=said, known=tuple(one.line for one in top) or ("—",))
    span = view.section_of(top[number - 1])
    return replace(span, pieces=span.pieces[:1], is_section=False) if "标题" in said else span


def _take_title(text: RequestText, view: DocumentView) -> PieceSpan | None:
    saved = text.mask
    if not text.take(
        r"(?:文档|文章|全文|合同|通知|报告|文件|大|主|总)(?:的)?标题|"
        r"(?<!条款)(?<!章节)(?<!小)(?<!节)(?<!段落)标题(?!行|页|栏|样式|[一二三四五1-5]|改成|级)|题目|"
        r"\b(?:the |document |main )?title\b"
    ):
        return None
    quote = re.search(rf"{QUOTED}\s*\ufffc|\ufffc\s*{QUOTED}", text.mask)
    if quote and (span := _heading_by_quote(text, view)):
        return span
    if view.title is None:
        text.mask = saved
        raise OrderUnclear("no_title")
    return PieceSpan((view.title,))


def _heading_by_quote(text: RequestText, view: DocumentView) -> PieceSpan | None:
    for one in text.left_quotes():
        found = [piece for piece in view.headings if one.text in piece.line]
        if len(found) == 1:
            text.consume(one.start - 1, one.end + 1)
            return PieceSpan((found[0],))
    return None


_SECTION_WORD: Final = (
    r"\s*(?:这|那)?一?(?:个)?(?:节|章节?|部分|条款?|小节|一节|一章|章|\s*(?:section|clause|chapter|part))(?:的?内容)?"
)
_SECTION_LEAD: Final = r"(?:章节|小节|标题|条款|\b(?:the )?(?:section|chapter|clause|heading|part)\s+)?"
_HEAD_NUMBER: Final = (
    r"(?:第[一二三四五六七八九十百\d]+[章节条]\s*|[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|"
    r"\d+(?:\.\d+)*[.、．]?\s*)?"
)


def _take_section(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """A section by the words of its heading, in quotes or not: “付款方式”这一节, 违约责任部分."""
    for one in list(text.left_quotes()):
        after = re.match(rf"[”\"」』]?{_SECTION_WORD}", text.raw[one.end :])
        before = re.search(rf"{_SECTION_LEAD[:-1]}[“\"「『]?$", text.raw[: one.start], re.IGNORECASE)
        if (after or before) and (span := view.section(one.text)):
            text.consume(before.start() if before else one.start - 1, one.end + (after.end() if after else 1))
            return (
                span
                if after or before is None or ("标题" not in before[0] and "head" not in before[0])
                else replace(span, is_bare=True)
            )
    names = [
        (strip_number(piece.line), piece) for piece in view.filled if view.is_heading(piece) and piece is not view.title
    ]
    for name, piece in sorted(names, key=lambda pair: -len(pair[0])):
        short = re.split(r"[。；;，,：:\s]", name)[0]
        for label in (name, short):
            if not 2 <= len(label) <= 30 or len([one for one, _ in names if label in one]) != 1:
                continue
            form = rf"{_SECTION_LEAD}{_HEAD_NUMBER}{re.escape(label)}(?P<word>{_SECTION_WORD})?(?:\s+(?:heading))?"
            if found := re.search(form, text.mask, re.IGNORECASE):
                text.consume(*found.span())
                return replace(view.section_of(piece), is_bare=found["word"] is None)
    return None


def _take_quote(text: RequestText, view: DocumentView, *, is_text: bool) -> PieceSpan | None:
    """A paragraph by words in quotes: 包含“X”的段落, “X”那一段."""
    for one in list(text.left_quotes()):
        pieces = [piece for piece in view.filled if one.text in piece.line]
        before = re.search(
            r"(?:包含|含有|含|带有?|写着|开头(?:是|为)|以|有|\b(?:containing|with|that (?:contains|says|"
            r"starts with)|starting with))\s*[“\"「『]?$",
            text.raw[: one.start],
            re.IGNORECASE,
        )
        after = re.match(
            r"[”\"」』]?\s*(?:开头)?(?:的)?(?:那|这)?一?(?:个)?(?:段(?:落|话)?|行|句(?:话)?|"
            r"\s*(?:paragraph|line|sentence))",
            text.raw[one.end :],
        )
        if not after and not is_text:
            continue
        if not pieces:
            raise OrderUnclear("no_text_here", text=one.text)
        if len(pieces) > 1:
            raise OrderUnclear("many_places", text=one.text, count=len(pieces))
        start = before.start() if before else one.start - 1
        text.consume(start, one.end + (after.end() if after else 1))
        text.take(r"\b(?:the )?(?:paragraph|line|sentence)\b")
        is_part = after is not None and re.search(r"句|sentence", after[0]) and one.text != pieces[0].text.strip()
        return PieceSpan((pieces[0],), sentence=one.text if is_part else "")
    return None


def _take_label(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """A line by the label it begins with: 乙方下面, after Party A."""
    labels = [
        (found[1].strip(), one)
        for one in view.filled
        if (found := re.match(r"\s*([^：:，。\s]{2,12})\s*[：:]", one.text))
    ]
    for label, piece in labels:
        found = re.search(rf"{re.escape(label)}(?:那|这)?一?行?", text.mask)
        if found and [one for one, _ in labels].count(label) == 1:
            text.consume(*found.span())
            return PieceSpan((piece,))
    return None


def _take_whole(text: RequestText, view: DocumentView) -> PieceSpan | None:
    if text.take(
        r"(?:所有|全部)?正文(?:部分|段落|文字|内容)?|\bbody(?: text| paragraphs)?\b|\brunning text\b|"
        r"\b(?:for |in |of )?the (?:main )?text\b(?! (?:box|file))"
    ):
        return PieceSpan(tuple(one for one in view.paragraphs if one is not view.title))
    if text.take(
        r"全文|整篇(?:文档|文章)?|整个(?:文档|文件|文章)|通篇|所有(?:的)?(?:段落|文字|内容)|"
        r"全部(?:的)?(?:段落|文字|内容)|整份(?:文档|文件|合同)|\b(?:the )?(?:whole|entire) (?:document|"
        r"text|file)\b|\b(?:all|every|each) (?:of )?(?:the )?(?:text|paragraphs?)\b|\beverything\b|\bthroughout\b"
    ):
        return PieceSpan(tuple(view.filled), name=WHOLE)
    return None
