"""Lines of a document as an edit names them: in quotation marks, by all of their words, by their label."""

import re
from dataclasses import replace
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._about import find_about, list_sentences
from metier.packs.office.orders._leftovers import find_rest
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import DocumentView, PieceSpan, take_span

__all__ = [
    "EXTENT",
    "UNIT_EN",
    "UNIT_ZH",
    "NamedLine",
    "find_label",
    "find_line",
    "find_lines",
    "find_section",
    "list_labels",
    "plain",
]

UNIT_EN: Final = r"(?:paragraph|line|sentence|bullet|item|point|entry|bit|heading|title|remark|note)"
UNIT_ZH: Final = r"(?:自然段|段落|段话|段文字|段|句话|句|行字|行|条款|条|项|小标题|标题|栏)"
_WIDE: Final = str.maketrans("，。；：！？（）\u3000", ",.;:!?() ", '“”"「」')
_ENDS: Final = " .;:!?,，。；：！？"
_RELATION_EN: Final = (
    r"(?P<starts>(?:that |which )?(?:starts?|begins?|starting|beginning|opening) (?:with|by))|"
    r"(?P<has>(?:that |which )?(?:says|reads|saying|reading|contains?|containing|mentions?|mentioning|with))|"
    r"called|named|titled"
)
_BY_QUOTE: Final = (
    re.compile(
        rf"(?:the )?(?:whole |entire )?(?P<lead>{UNIT_EN})?\s*(?:{_RELATION_EN})?\s*(?P<it>{QUOTED})"
        rf"\s*(?P<unit>{UNIT_EN})?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:这个|那个|这|那)?(?:(?P<lead>{UNIT_ZH})|(?P<has>写着|写有|含有|包含|带有|有)|(?P<start>以)|"
        rf"开头(?:是|为))?(?P<it>{QUOTED})"
        rf"(?P<starts>开头|打头)?的?(?:这|那|整)?(?:整|一)?(?:个|条)?(?P<unit>{UNIT_ZH})?(?:文字|内容)?"
    ),
)
_BY_WORDS: Final = (
    re.compile(
        rf"(?:the )?(?P<unit>{UNIT_EN}) (?:about|on|concerning|regarding|"
        rf"{_RELATION_EN.replace('P<starts>', ':').replace('P<has>', ':')}) "
        r"(?P<about>.+)",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:the )?(?P<it>.+?) (?P<unit>{UNIT_EN})", re.IGNORECASE),
    re.compile(rf"(?:the )?{UNIT_EN}:? (?P<whole>.+)", re.IGNORECASE),
    re.compile(
        rf"(?:关于|说|讲|提到|提|写)?(?P<it>.+?)的?(?:这|那|整)(?:整|一)?(?:个|条)?(?P<unit>{UNIT_ZH})(?:文字|内容)?"
    ),
)
_ORDINAL: Final = re.compile(
    r"第.{1,3}[段行]|[首末][段行]|最后一?[段行]|标题|\b(?:first|second|third|fourth|fifth|last|title|paragraph \d+)\b",
    re.IGNORECASE,
)
_EDGE: Final = re.compile(
    r"(?:(?P<first>第一|首)|最后一?|末)行|(?:the )?(?:very )?(?:(?P<en>first)|last) line", re.IGNORECASE
)
_LABEL: Final = re.compile(r"\s*(?P<name>[^:：]{1,30}?)\s*[:：]\s*(?P<value>\S.*?)\s*$")
# What a value is, said behind the name that the line has: the phone number, 电话号码.
_GENERIC: Final = re.compile(
    r"(?:'s)? (?:number|no|date|time|name|person|figure|amount|address|line)$|的?(?:号码|名字|姓名|日期|"
    r"时间|金额|数量)$"
)
_SPLIT: Final = re.compile(
    r"\s*(?:[、,，;；]\s*(?:and |以及|还有|和)?|\s+(?:and|&|plus)\s+|以及|和|与|跟|及)\s*", re.IGNORECASE
)


def plain(text: str) -> str:
    """A text as it is compared: half-width signs, small letters, single spaces, no mark at its end."""
    return re.sub(r"\s+", " ", text.translate(_WIDE).lower()).strip(_ENDS)


class NamedLine:
    """A line that gives a value for a name: 负责人：邓超群."""

    __slots__ = ("name", "piece", "value")

    def __init__(self, name: str, value: str, piece: TextPiece) -> None:
        self.name, self.value, self.piece = name, value, piece


def list_labels(view: DocumentView) -> list[NamedLine]:
    """All lines with a name and a value."""
    found = ((one, _LABEL.fullmatch(one.text)) for one in view.filled)
    return [NamedLine(match["name"], match["value"], one) for one, match in found if match is not None]


def find_label(said: str, view: DocumentView) -> NamedLine | None:
    """The only line whose name is said; asked with all of them if there are several."""
    name = re.sub(r"^the ", "", plain(said))
    found = [one for one in list_labels(view) if plain(one.name) == name] if name else []
    if not found and (short := _GENERIC.sub("", name)) and short != name:
        found = [one for one in list_labels(view) if plain(one.name) == short]
    if len(found) > 1:
        raise OrderUnclear("which_line", text=said.strip(), known=tuple(one.piece.text[:60] for one in found))
    return found[0] if found else None


def _only(pieces: list[TextPiece], said: str) -> TextPiece | None:
    if len(pieces) > 1:
        raise OrderUnclear("which_line", text=said, known=tuple(one.line[:60] for one in pieces))
    return pieces[0] if pieces else None


def find_line(said: str, view: DocumentView) -> PieceSpan | None:
    """The line, or the sentence of a line, that all of the words name; None if they are no name of one."""
    text = RequestText(_without_title(said.strip(), view))
    if text.quotes:
        return _find_quoted(text, view)
    words = text.raw.strip(" ,，。.;；:：")
    if not words:
        return None
    if (exact := _only([one for one in view.filled if plain(one.line) == plain(words)], words)) is not None:
        return PieceSpan((exact,))
    for form in _BY_WORDS:
        if (found := form.fullmatch(words)) and (span := _find_named(found, view)) is not None:
            return span
    return _find_ordinal(text, view)


def _without_title(said: str, view: DocumentView) -> str:
    """A name without the document that it stands in: 讲座通知里“…”这一句."""
    found = re.match(r"(?P<it>[^“\"「]{1,12}?)(?:里面?|中|上面?)的?(?=[“\"「])", said)
    title = plain(view.filled[0].line) if view.filled else ""
    if found is None or (found["it"] not in ("文", "全文", "文档", "文件") and plain(found["it"]) not in title):
        return said
    return said[found.end() :]


def _find_quoted(text: RequestText, view: DocumentView) -> PieceSpan | None:
    found = next((match for form in _BY_QUOTE if (match := form.fullmatch(text.mask)) is not None), None)
    if found is None:
        return None
    words, groups = text.text_of(*found.span("it")), found.groupdict()
    unit = found["lead"] or found["unit"] or ""
    exact = _only([one for one in view.filled if plain(one.line) == plain(words)], words)
    if exact is not None:
        return PieceSpan((exact,))
    begins = bool(found["starts"] or groups.get("start"))
    pieces = [
        one
        for one in view.filled
        if (plain(one.line).startswith(plain(words)) if begins else plain(words) in plain(one.line))
    ]
    if not pieces:
        raise OrderUnclear("no_text_here", text=words)
    piece = _only(pieces, words)
    if piece is None:
        return None
    is_sentence = re.search(r"sentence|句", unit) is not None
    is_whole = bool(unit) and not is_sentence
    if is_sentence:
        sentences = [one for one in list_sentences(piece.text) if plain(words) in plain(one)]
        return PieceSpan((piece,), sentence="" if sentences == [piece.text.strip()] else words)
    return PieceSpan((piece,), sentence="" if is_whole or begins else words)


def _find_named(found: re.Match[str], view: DocumentView) -> PieceSpan | None:
    """A line by all of its words, by its label, by words only it has, or by what it is about."""
    groups = found.groupdict()
    words = next((groups[name] for name in ("it", "about", "whole") if groups.get(name)), "").strip()
    unit = groups.get("unit") or ""
    if (exact := _only([one for one in view.filled if plain(one.line) == plain(words)], words)) is not None:
        return PieceSpan((exact,))
    if (label := find_label(words, view)) is not None:
        return PieceSpan((label.piece,))
    if groups.get("whole"):
        return None
    is_sentence = re.search(r"sentence|bit|句", unit, re.IGNORECASE) is not None
    form = re.compile(rf"(?<![a-z0-9]){re.escape(plain(words))}(?![a-z0-9])")
    pieces = [one for one in view.filled if len(plain(words)) > 1 and form.search(plain(one.line))]
    if len(pieces) > 1:
        heads = [one for one in pieces if plain(one.line).startswith(plain(words))]
        _only(heads if len(heads) > 1 else pieces, words)
    if not pieces and (about := find_about(words, view.filled, is_sentence=is_sentence)) is not None:
        pieces = [about[0]]
    if not pieces:
        return None
    sentences = list_sentences(pieces[0].text)
    if not is_sentence or len(sentences) < 2:
        return PieceSpan((pieces[0],))
    about = find_about(words, pieces, is_sentence=True)
    return PieceSpan((pieces[0],), sentence=about[1]) if about else None


def _find_ordinal(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """第一段, the title, the last paragraph: only if nothing else is said."""
    if not _ORDINAL.search(text.raw) or len(text.raw) > 30:
        return None
    if (edge := _EDGE.fullmatch(text.raw.strip())) is not None:
        at = view.filled[0 if (edge["first"] or edge["en"]) else -1]
        return PieceSpan((at,)) if view.blocks[0 if (edge["first"] or edge["en"]) else -1] == at.address else None
    span = take_span(text, view)
    return span if span is not None and not find_rest(text) else None


def find_lines(said: str, view: DocumentView) -> list[PieceSpan] | None:
    """One name, or several: “A”和“B”; None if one of them names no line."""
    try:
        whole = find_line(said, view)
    except OrderUnclear:
        if len(_divide(said)) < 2:
            raise
        whole = None
    if whole is not None:
        return [whole]
    said = re.sub(r"^(?:both|all of)\s+", "", said.strip(), flags=re.IGNORECASE)
    parts = _divide(re.sub(rf"(?:这|那)?(?:[两二三四五六七八九十几\d]+)(?:个)?{UNIT_ZH}$", "", said.strip()))
    if len(parts) < 2:
        return None
    found = [find_line(one, view) for one in parts]
    spans = [one for one in found if one is not None]
    return spans if len(spans) == len(found) else None


def _divide(said: str) -> list[str]:
    """Names between the signs of a list that stand outside of quotations."""
    mask = RequestText(said).mask
    parts, start = [], 0
    for found in _SPLIT.finditer(mask):
        parts.append(said[start : found.start()])
        start = found.end()
    return [one for one in (*parts, said[start:]) if one.strip()]


_EXTENT_ZH: Final = (
    r"(?:连同?|包括)?(?:它的?)?标题(?:和|连|带|及|以及|连同|与)(?:它|其)?(?:下面|底下|以下|后面|下边)"
    r"?的?(?:正文|内容|文字|段落)(?:一起|都|全部?)*"
)
_EXTENT_EN: Final = (
    r"(?:with )?(?:its |the )?(?:heading|title)(?: and| \+| &| plus) (?:the |its )?(?:text|body|all|content|"
    r"contents|everything)(?: under(?:neath)? it)?"
)
EXTENT: Final = re.compile(rf"{_EXTENT_ZH}|{_EXTENT_EN}|(?:连|带)标题(?:一起|都)?", re.IGNORECASE)
_SECTION: Final = (
    re.compile(
        r"(?:the )?(?:whole |entire |complete )?section (?:called |named |titled |on |about )"
        rf"?(?P<it>{QUOTED}|[^\"]+?)(?:,? (?:{_EXTENT_EN}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:the )?(?:whole |entire |complete )?(?P<it>{QUOTED}|[^\"]+?) section(?:,? (?:{_EXTENT_EN}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:the )?heading (?P<it>{QUOTED}) and (?:everything|all|the text|what(?:'s| is)|the paragraphs?) "
        r"(?:under|below|beneath|after) it",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:整个|整)?(?P<it>{QUOTED}|[^\"]+?)(?:这|那)?(?:一|整)*个?(?:小节|章节|节|章|部分)(?:都|全部)"
        rf"?(?:{_EXTENT_ZH})?"
    ),
    re.compile(rf"(?P<it>{QUOTED}|[^\"]+?)(?:这|那)?一?个?{_EXTENT_ZH}"),
)


def find_section(said: str, view: DocumentView) -> PieceSpan | None:
    """A heading with all that stands under it, where an edit says that all of it is meant."""
    text = RequestText(said.strip())
    for form in _SECTION:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        words = plain(text.text_of(*found.span("it")))
        heads = [one for one in view.filled if view.is_heading(one) and plain(one.line) == words]
        span = view.section_of(heads[0]) if len(heads) == 1 else view.section(text.text_of(*found.span("it")))
        if span is not None and span.pieces[0] is not view.title and len(span.pieces) > 1:
            return replace(span, is_section=True)
    return None
