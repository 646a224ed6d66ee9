"""A document as orders name it: paragraphs, headings, clauses, sections, tables with rows and columns."""

import re
from dataclasses import dataclass, replace
from typing import Final

from metier.packs.office._counts import read_count
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._table_view import DocTable, read_tables

__all__ = ["DocTable", "DocumentView", "PieceSpan", "name_number", "take_span", "take_table"]

_CLAUSE: Final = re.compile(r"\s*第([一二三四五六七八九十百零〇\d]+)条")
_LEVEL: Final = re.compile(
    r"\s*(?:第[一二三四五六七八九十百\d]+[章编部分]|[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|"
    r"\d+(?:\.\d+)*[.、．\s])"
)
_MAX_TITLE: Final = 40


@dataclass(frozen=True, slots=True)
class PieceSpan:
    """Pieces that an order is about; `is_section` if they are a heading with what belongs to it.

    `is_bare`: the order names the heading's words only, which may mean the heading alone.
    """

    pieces: tuple[TextPiece, ...]
    is_section: bool = False
    name: str = ""
    is_bare: bool = False

    @property
    def addresses(self) -> list[str]:
        return [one.address for one in self.pieces]


class DocumentView:
    """The body of a document."""

    def __init__(self, reading: Reading) -> None:
        self.pieces = [one for one in reading.pieces if re.fullmatch(r"p\d+", one.address)]
        self.filled = [one for one in self.pieces if one.line.strip()]
        self.comments = [one for one in reading.pieces if one.kind == "comment"]
        self.tables = read_tables(reading)
        self.all = [one for one in reading.pieces if one.kind != "comment"]

    @property
    def title(self) -> TextPiece | None:
        """The title of the document: its first line, if that looks like one."""
        first = self.filled[0] if self.filled else None
        if first is None or len(first.text) > _MAX_TITLE or first.text.rstrip()[-1:] in "。；;，,：:.!！？":
            return None
        return first

    @property
    def headings(self) -> list[TextPiece]:
        return [one for one in self.filled if one.level or one.kind == "heading"]

    @property
    def paragraphs(self) -> list[TextPiece]:
        """Paragraphs of running text: no headings, and not the title."""
        title = self.title
        is_styled = title is not None and (title.level or "title" in title.style.lower())
        return [
            one for one in self.filled if not one.level and one.kind != "heading" and not (is_styled and one is title)
        ]

    def texts_with(self, words: str) -> list[TextPiece]:
        return [one for one in self.all if words in one.text or words in one.line]

    def clause(self, number: int) -> PieceSpan | None:
        """第N条 with what follows it up to the next clause or heading."""
        for at, piece in enumerate(self.filled):
            if (found := _CLAUSE.match(piece.line)) and _clause_number(found[1]) == number:
                end = next(
                    (later for later in range(at + 1, len(self.filled)) if _ends_clause(self.filled[later], piece)),
                    len(self.filled),
                )
                return PieceSpan(tuple(self.filled[at:end]), True, f"第{found[1]}条")
        return None

    def clauses(self) -> list[tuple[int, TextPiece]]:
        return [(_clause_number(found[1]), one) for one in self.filled if (found := _CLAUSE.match(one.line))]

    def section(self, name: str) -> PieceSpan | None:
        """A heading that has these words, with its section; the only one, or None."""
        plain = re.sub(r"\s", "", name)
        found = [one for one in self.filled if plain in re.sub(r"\s", "", one.line) and self.is_heading(one)]
        exact = [
            one for one in found if re.sub(r"\s", "", _LEVEL.sub("", _CLAUSE.sub("", one.line))).strip("：:") == plain
        ]
        found = exact or found
        if len(found) != 1:
            return None
        return self.section_of(found[0])

    def section_of(self, head: TextPiece) -> PieceSpan:
        """A heading and the pieces up to the next of its level."""
        at = self.filled.index(head)
        end = len(self.filled)
        for later in range(at + 1, len(self.filled)):
            piece = self.filled[later]
            if self.is_heading(piece) and _rank(piece) <= _rank(head):
                end = later
                break
        return PieceSpan(tuple(self.filled[at:end]), True, head.line.strip())

    def is_heading(self, piece: TextPiece) -> bool:
        """Whether a piece is a heading by its style, or by its typed number."""
        if piece.level or piece.kind == "heading" or _CLAUSE.match(piece.line):
            return True
        return (
            bool(_LEVEL.match(piece.line)) and len(piece.line) <= _MAX_TITLE and piece.text.rstrip()[-1:] not in "。；;"
        )


def _rank(piece: TextPiece) -> int:
    if piece.level:
        return piece.level
    line = piece.line.strip()
    forms = (r"第.+?[章编]", r"第.+?条|[一二三四五六七八九十]+、", r"（.+?）", r"\d+[.、．](?!\d)", r"\d+\.\d+")
    return next((at for at, form in enumerate(forms, 1) if re.match(form, line)), 9)


def _ends_clause(piece: TextPiece, head: TextPiece) -> bool:
    line = piece.line.strip()
    if _CLAUSE.match(line) or re.match(r"第[一二三四五六七八九十\d]+[章编]", line):
        return True
    if (
        re.match(
            r"(?:[甲乙丙丁]方\s*(?:[：:（(]|签|盖|代表)|签字|签章|盖章|（以下无正文|\(以下无正文|日期\s*[：:]|附件)",
            line,
        )
        and len(line) < 40
    ):
        return True
    return bool(piece.level) and (not head.level or piece.level <= head.level)


def _clause_number(text: str) -> int:
    return int(text) if text.isdigit() else read_ordinal(text) or 0


def name_number(head: TextPiece, number: int) -> str:
    """A number as the clause writes its own: 12 or 十二."""
    if re.search(r"第\d+条", head.line):
        return str(number)
    signs = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    return ("" if not tens else "十" if tens == 1 else f"{signs[tens]}十") + (signs[ones] if ones or not tens else "")


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
    return (
        _take_clause(text, view)
        or _take_ordinal(text, view)
        or _take_headings(text, view)
        or _take_section(text, view)
        or _take_title(text, view)
        or _take_quote(text, view, is_text=is_text)
        or _take_label(text, view)
        or _take_whole(text, view)
    )


def _take_clause(text: RequestText, view: DocumentView) -> PieceSpan | None:
    found = text.take(rf"第({ORDINAL})条(?:款)?(?:条款)?|\b(?:clause|article|section)\s+(\d+)\b")
    if found is None:
        return None
    number = read_ordinal(found[1] or found[2]) or 0
    span = view.clause(number)
    if span is None:
        raise OrderUnclear("no_such", text=found[0], known=tuple(f"第{one}条" for one, _ in view.clauses()) or ("—",))
    return span


def _take_ordinal(text: RequestText, view: DocumentView) -> PieceSpan | None:
    listed = view.paragraphs
    if found := text.take(
        rf"第({ORDINAL})段?\s*(?:到|至|-|~)\s*第?({ORDINAL})(?:个)?(?:自然)?段(?:落|文字)?|"
        rf"\bparagraphs\s+(\d+)\s*(?:to|-|through|and)\s*(\d+)\b"
    ):
        low, high = read_ordinal(found[1] or found[3]) or 0, read_ordinal(found[2] or found[4]) or 0
        return _chosen(listed, range(low, high + 1), found[0])
    if found := text.take(rf"前({ORDINAL})段(?:落)?|\bfirst (two|three|four|five|\d+) paragraphs\b"):
        return _chosen(
            listed, range(1, (read_ordinal(found[1] or "") or (read_count(found[2] or "") or 0)) + 1), found[0]
        )
    if found := text.take(rf"倒数第({ORDINAL})段(?:落)?|\b(second|third)[- ]to[- ]last paragraph\b"):
        number = read_ordinal(found[1] or found[2]) or 0
        return _chosen(listed, [len(listed) - number + 1], found[0])
    if found := text.take(r"最后(?:的)?一(?:个)?(?:自然)?段(?:落|话|文字)?|末段|最后那段|\blast paragraph\b"):
        return _chosen(listed, [len(listed)], found[0])
    numbers = []
    while found := text.take(
        rf"第({ORDINAL})(?:个)?(?:自然)?段(?:落|话|文字)?|第({ORDINAL})(?:、|和|，|,)(?=第?{ORDINAL}段)|"
        rf"首段|\bparagraph\s+(\d+)\b|\b({EN_ORDINAL})\s+paragraph\b"
    ):
        numbers.append(read_ordinal(next((one for one in found.groups() if one), "一")) or 0)
    return _chosen(listed, numbers, "段") if numbers else None


def _chosen(listed: list[TextPiece], numbers: object, said: str) -> PieceSpan:
    wanted = [one for one in numbers if isinstance(one, int)]  # type: ignore[attr-defined]
    if not wanted or any(not 1 <= one <= len(listed) for one in wanted):
        raise OrderUnclear("no_such", text=said, known=(f"{len(listed)} 段 / paragraphs",))
    return PieceSpan(tuple(listed[one - 1] for one in wanted))


def _take_headings(text: RequestText, view: DocumentView) -> PieceSpan | None:
    if text.take(r"(?:所有|全部|各个?|每个)?(?:的)?(?:条款|章节)的?标题"):
        listed = [
            one for one in view.filled if view.is_heading(one) and one is not view.title and len(one.line) <= _MAX_TITLE
        ]
        return PieceSpan(tuple(listed)) if listed else None
    if (found := text.take(rf"第({ORDINAL})(?:章|节|部分)(?:的?标题)?")) is not None:
        return _numbered_section(view, read_ordinal(found[1]) or 0, found[0])
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
        (_LEVEL.sub("", _CLAUSE.sub("", piece.line)).strip(" ：:　"), piece)
        for piece in view.filled
        if view.is_heading(piece) and piece is not view.title
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
        return PieceSpan((pieces[0],))
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
    if text.take(r"(?:所有|全部)?正文(?:部分|段落|文字|内容)?|\bbody(?: text| paragraphs)?\b|\brunning text\b"):
        return PieceSpan(tuple(one for one in view.paragraphs if one is not view.title))
    if text.take(
        r"全文|整篇(?:文档|文章)?|整个(?:文档|文件|文章)|通篇|所有(?:的)?(?:段落|文字|内容)|"
        r"全部(?:的)?(?:段落|文字|内容)|整份(?:文档|文件|合同)|\b(?:the )?(?:whole|entire) (?:document|"
        r"text|file)\b|\b(?:all|every|each) (?:of )?(?:the )?(?:text|paragraphs?)\b|\beverything\b"
    ):
        return PieceSpan(tuple(view.filled))
    return None
