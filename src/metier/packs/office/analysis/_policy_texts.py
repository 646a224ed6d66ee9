"""Words of official documents and rules: their own number, dates, closing words, references, when they take effect."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._dates import find_full_date
from metier.packs.office.analysis._model import DocumentFinding, Severity
from metier.packs.office.analysis._numbering import NumberedLine, list_numbered
from metier.packs.office.analysis._wording import bilingual
from metier.patterns import read_chinese_integer

__all__ = ["find_text_faults"]

_NORM: Final = BilingualText("GB/T 9704-2012", "GB/T 9704-2012")
# 临教发【2024】18号: the norm has 〔2024〕18号. Numbers of courts have round brackets and a place behind them.
_OWN_NUMBER: Final = re.compile(
    r"(?P<who>[\u4e00-\u9fff]{2,8}[发函字办令规通知])(?P<open>[【\[［(（〔])(?P<year>(?:19|20)\d{2})(?P<close>[】\]］)）〕])"
    r"(?P<ordinal>第?)(?P<zeros>0*)(?P<number>\d{1,4})号"
)
_DIGITS: Final = "〇○零O0Ｏ一二三四五六七八九"
_CHINESE_DATE: Final = re.compile(
    rf"(?P<year>[{_DIGITS}]{{4}})年(?P<month>[一二三四五六七八九十]{{1,2}})月(?P<day>[一二三四五六七八九十]{{1,3}})日"
)
_PADDED_DATE: Final = re.compile(
    r"(?P<year>\d{4})年(?:0(?P<month0>\d)|(?P<month>\d{1,2}))月(?:0(?P<day0>\d)|(?P<day>\d{1,2}))日"
)
_LABEL: Final = re.compile(
    r"^(?P<open>[(（\[【])(?P<n>[\dA-Za-z]{1,4}|[一二三四五六七八九十]{1,3})(?P<close>[)）\]】])"
)
_PAIRS: Final[Mapping[str, str]] = MappingProxyType({"(": ")", "（": "）", "[": "]", "【": "】"})
_KINDS: Final = ("请示", "报告", "批复", "函", "通知", "通报", "决定", "公告", "通告", "意见", "纪要")
_TITLE: Final = re.compile(rf"^.{{4,80}}的?(?P<kind>{'|'.join(_KINDS)})(?:[（(].{{1,10}}[）)])?$")
_CLOSINGS: Final = (
    (
        "请示",
        re.compile(
            r"^(?:以上请示|妥否|当否|可否|是否妥当|特此请示)?[，,、]?\s*(?:妥否|当否)?[，,]?\s*(?:请|望|恳请).{0,6}(?:批示|批复|审批|批准)[。！]?$|^特此请示[。！]?$"
        ),
    ),
    ("报告", re.compile(r"^(?:特此报告|以上报告)(?:[，,].{0,12})?[。！]?$")),
    ("批复", re.compile(r"^(?:此复|特此批复)[。！]?$")),
    ("函", re.compile(r"^(?:特此函[达复告商询]|(?:请|盼|望).{0,6}(?:函复|复函)|此函)[。！]?$")),
    ("通知", re.compile(r"^特此通知[。！]?$")),
    ("通报", re.compile(r"^特此通报[。！]?$")),
    ("公告", re.compile(r"^特此公告[。！]?$")),
    ("通告", re.compile(r"^特此通告[。！]?$")),
)
_RULES_TITLE: Final = re.compile(
    r"\b(?:policy|procedure|rules|regulations?|guidelines?|handbook|code of conduct|standard)\b", re.IGNORECASE
)
_LETTER: Final = re.compile(
    r"^(?:yours (?:faithfully|sincerely|truly)|(?:kind|best|warm) regards|sincerely(?: yours)?)[,.]?$", re.IGNORECASE
)
_EFFECT: Final = re.compile(
    r"(?:本(?:办法|制度|规定|通知|细则|规则|规范|标准|方案|意见|章程|规程|条例|决定)[^。；;]{0,6})?"
    r"自(?:发布|印发|公布|下发|颁布|通过|批准|\d{4}年\d{1,2}月\d{1,2}日)[^。；;，,]{0,14}(?:起|后)[^。；;，,]{0,8}(?:施行|实施|执行|生效)"
)
_OWN_ARTICLE: Final = re.compile(
    r"(?P<own>本(?:办法|制度|规定|通知|细则|规则|规范|标准|方案|意见|章程|规程|条例)(?:的)?)?第(?P<n>[一二三四五六七八九十百]{1,5}|\d{1,3})条"
)
_SECTION: Final = re.compile(
    r"\b(?:sections?|clauses?|articles?|paragraphs?)\s+(?P<n>\d{1,2}(?:\.\d{1,2}){0,3})(?![\d%])"
    r"(?!(?:\([a-z0-9]+\))*,?\s+of\s+(?!this\b))",
    re.IGNORECASE,
)
_ELSEWHERE: Final = re.compile(
    r"(?:》|法|条例|解释|民法典|附件\S{0,3}|规定|办法|\bact\b|\bgdpr\b)\s*(?:的)?\s*$", re.IGNORECASE
)
_DAY: Final = r"[:\s]*(?P<day>[^.;,]{6,24}\d{4}|\d{4}-\d{2}-\d{2})"
_EFFECTIVE: Final = re.compile(
    r"\b(?:effective|in force|takes? effect|valid)\b(?:\s+(?:date|from|on|as of|since))*" + _DAY,
    re.IGNORECASE,
)
_REVIEW: Final = re.compile(
    r"\b(?:next review|review (?:date|due)|to be reviewed|expires?|valid until)\b(?:\s+(?:date|on|by|due))*" + _DAY,
    re.IGNORECASE,
)
_HEAD_LINES: Final = 8
_WORDS: Final = Sentences(
    {
        "doc_number": (
            "“{wrong}” is written “{right}” by the norm.",
            "“{wrong}”不是标准的发文字号写法，应为“{right}”。",
        ),
        "date_form": (
            "“{wrong}” is written “{right}” by the norm.",
            "“{wrong}”不是标准的成文日期写法，应为“{right}”。",
        ),
        "bracket_pair": (
            "The brackets of “{wrong}” do not match; “{right}”.",
            "“{wrong}”的括号不配对，应为“{right}”。",
        ),
        "closing_form": (
            "“{wrong}” closes another kind of document ({kind}), not this one.",
            "“{wrong}”是{kind}的结语，与本文种不符。",
        ),
        "letter": ("letter", "书信"),
        "effective_twice": (
            "When it takes effect is said twice: “{other}” and “{wrong}”.",
            "生效时间写了两次：“{other}”和“{wrong}”，请核对是否一致。",
        ),
        "dead_reference": (
            "“{wrong}” is referred to but does not exist in this document.",
            "引用的“{wrong}”在本文中不存在。",
        ),
        "date_order": (
            "“{wrong}” lies before the day on which it takes effect ({other}).",
            "“{wrong}”早于生效日（{other}）。",
        ),
    }
)


def find_text_faults(pieces: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """All faults, rule by rule; what has one right form comes with it."""
    lines = [piece for piece in pieces if piece.kind in ("heading", "paragraph")]
    for piece in lines:
        yield from _check_forms(piece)
    yield from _check_closings(lines)
    yield from _check_effect(lines)
    yield from _check_articles(lines)
    yield from _check_sections(lines)
    yield from _check_review(lines)


def _build(
    rule: str, piece: TextPiece, wrong: str, right: str | None = None, severity: Severity = "medium", **values: str
) -> DocumentFinding:
    message = bilingual(_WORDS, rule, wrong=wrong, right=right or "", **values)
    quote = wrong if wrong in piece.text else ""
    is_norm = rule in ("doc_number", "date_form")
    return DocumentFinding(
        rule,
        piece.address,
        piece.line.strip(),
        message,
        severity,
        quote,
        replacement=right if quote else None,
        source=_NORM if is_norm else None,
    )


def _check_forms(piece: TextPiece) -> Iterator[DocumentFinding]:
    text = piece.line.strip()
    for match in _OWN_NUMBER.finditer(text):
        right = f"{match['who']}〔{match['year']}〕{match['number']}号"
        if match[0] != right:
            yield _build("doc_number", piece, match[0], right)
    if dated := _CHINESE_DATE.fullmatch(text):
        yield _build("date_form", piece, dated[0], _write_date(dated))
    padded = _PADDED_DATE.fullmatch(text)
    if padded is not None and (padded["month0"] or padded["day0"]):
        month, day = padded["month0"] or padded["month"], padded["day0"] or padded["day"]
        yield _build("date_form", piece, padded[0], f"{padded['year']}年{month}月{day}日")
    label = _LABEL.match(text)
    if label is not None and _PAIRS[label["open"]] != label["close"]:
        yield from _check_label(piece, label)


def _check_label(piece: TextPiece, match: re.Match[str]) -> Iterator[DocumentFinding]:
    """A label whose brackets are of two shapes; one of two widths is told with the forms of numbers."""
    if {match["open"], match["close"]} not in ({"(", "）"}, {"（", ")"}):
        yield _build("bracket_pair", piece, match[0], f"{match['open']}{match['n']}{_PAIRS[match['open']]}")


def _write_date(match: re.Match[str]) -> str:
    year = "".join(str(max(0, _DIGITS.index(char) - 5)) for char in match["year"])
    return f"{year}年{read_chinese_integer(match['month'])}月{read_chinese_integer(match['day'])}日"


def _check_closings(lines: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """Closing words of another kind of document than the title's; words of a letter below rules."""
    heads = [piece.line.strip() for piece in lines[:_HEAD_LINES]]
    kind = next((match["kind"] for text in heads if (match := _TITLE.match(text))), "")
    for piece in lines[1:]:
        text = piece.line.strip()
        if _LETTER.match(text) and any(map(_RULES_TITLE.search, heads[:2])):
            code = bilingual(_WORDS, "letter")
            message = BilingualText(
                _WORDS.render("closing_form", "zh", wrong=text, kind=code.zh),
                _WORDS.render("closing_form", "en", wrong=text, kind=code.en),
            )
            yield DocumentFinding("closing_form", piece.address, text, message, "medium", text)
        for other, form in _CLOSINGS if kind else ():
            if other != kind and form.match(text):
                yield _build("closing_form", piece, text, kind=other)
                break


def _check_effect(lines: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    found = [(piece, match[0]) for piece in lines for match in _EFFECT.finditer(piece.line)]
    for piece, words in found[1:]:
        yield _build("effective_twice", piece, words, other=found[0][1])


def _check_articles(lines: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """第七条 of this very document, which has no such article."""
    numbers = {one.number for one in list_numbered(lines) if isinstance(one, NumberedLine) and one.level == "article"}
    for piece in lines:
        for match in _OWN_ARTICLE.finditer(piece.line):
            number = int(match["n"]) if match["n"].isdigit() else read_chinese_integer(match["n"]) or 0
            before = piece.line[: match.start()]
            is_own = bool(match["own"]) or (numbers and match.start() and not _ELSEWHERE.search(before))
            if is_own and number not in numbers:
                yield _build("dead_reference", piece, match[0])


def _check_sections(lines: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """Section 9.4 of a document in English whose numbers end at 8."""
    entries = [one for one in list_numbered(lines) if isinstance(one, NumberedLine)]
    dotted = {f"{one.above}.{one.number}" for one in entries if one.level == "dotted"}
    whole = {str(one.number) for one in entries if one.level == "3"} | {one.partition(".")[0] for one in dotted}
    for piece in lines if whole else ():
        for match in _SECTION.finditer(piece.line):
            number = match["n"]
            known = dotted if "." in number else whole
            if match.start() and known and number not in known and not _ELSEWHERE.search(piece.line[: match.start()]):
                yield _build("dead_reference", piece, match[0])


def _check_review(lines: Sequence[TextPiece]) -> Iterator[DocumentFinding]:
    """A review or an end that lies before the beginning."""
    begin = next((day for piece in lines if (day := _find_day(_EFFECTIVE, piece)) is not None), None)
    for piece in lines if begin is not None else ():
        match, day = _REVIEW.search(piece.line), _find_day(_REVIEW, piece)
        if match is not None and day is not None and begin is not None and day < begin:
            yield _build("date_order", piece, match[0], other=begin.isoformat())


def _find_day(words: re.Pattern[str], piece: TextPiece) -> date | None:
    match = words.search(piece.line)
    return find_full_date(match["day"]) if match is not None else None
