"""Headed lists of a written record: what stands under `决议`, `待办`, `Decisions` or `Action items` is kept whole."""

import re
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from metier.patterns import read_chinese_integer

__all__ = ["RecordKind", "SectionReader", "cut_mark", "cut_symbols", "find_heading", "is_head_line", "split_numbered"]

# `head`: date, place, people, signatures and titles; `note`: any other part of a record under a heading of its own.
RecordKind = Literal["", "decision", "todo", "topic", "open", "note", "head"]

_CHINESE_NUMBER: Final = r"[一二三四五六七八九十]{1,3}"
_STYLE: Final = (
    rf"{_CHINESE_NUMBER}[、.．]|第{_CHINESE_NUMBER}(?:部分|项|条)[、：:]?|[（(](?:{_CHINESE_NUMBER}|\d{{1,2}})[)）]|"
    r"\d{1,2}[.．、)）](?!\d)|[①-⑳]|[a-zA-Z][.)](?=\s)"
)
_MARK: Final = re.compile(
    rf"^\s*(?:(?P<style>{_STYLE})|"
    r"(?P<bullet>[-*•·●○■□◆▶►–—☐☑✓✔✅](?:\s*\[[ xX]?\])?|\[[ xX]?\])(?=\s|[^\s\w])|"
    r"(?P<tight>[•●■◆▶►☐☑✓✔✅]))\s*"
)
_DRESS: Final = re.compile(r"^[#*_【\[《\s]+|[#*_】\]》\s]+$")
_DRESSED: Final = re.compile(r"【[^】]{1,24}】|#{1,4}\s+\S.{0,24}|\*\*[^*]{1,24}\*\*[:：]?")
_SYMBOLS: Final = re.compile(r"^[\W_]+")  # what stands before a heading: a pin, a tick, stars
_TAIL: Final = r"(?:事项|内容|情况|清单|列表|一览|汇总|安排|计划|分工|如下)*"
_HEADINGS: Final[tuple[tuple[RecordKind, str], ...]] = (
    (
        "decision",
        rf"(?:本次)?(?:会议|会上|主要|最终|形成的?|达成的?|讨论)*(?:决议|决定|结论|议定|商定|共识)的?{_TAIL}|"
        r"(?:通过|批准)的?(?:事项|决议|议案)|议决{_TAIL}|"
        r"(?:key |main |final )?(?:decisions?|resolutions?|outcomes?|conclusions?)(?: (?:made|taken|reached|log))?|"
        r"agreed(?: (?:points|items))?|what (?:we|was) (?:decided|agreed)|(?:we )?(?:decided|agreed)",
    ),
    (
        "todo",
        rf"(?:会后|后续|下一?步|近期|下阶段|重点|主要|本周|下周)*(?:的)?(?:待办|行动项?|行动计划|工作任务|任务|跟进|落实|责任分工|任务分工|需办|todo){_TAIL}|"
        r"(?:会后|后续|下一?步|下阶段)(?:的)?工作?(?:事项|安排|计划|分工|任务)?|(?:工作|任务|责任)(?:分工|安排)|"
        r"(?:key |open )?action(?:s| items?| points?| list| register| plan)?|to-?do(?:s| list| items)?|next steps?|"
        r"follow[- ]?ups?(?: items| actions)?|tasks?|assignments?|who does what",
    ),
    (
        "open",
        rf"(?:待决|待定|待议|待确认|待讨论|遗留|未决|未尽|未定|悬而未决|存疑)的?(?:问题|议题)?{_TAIL}|"
        r"(?:open|outstanding|unresolved|parked)(?: (?:points?|questions?|issues?|items?|topics?))?|parking lot|"
        r"(?:still )?to be (?:confirmed|decided|discussed)|undecided|not decided",
    ),
    ("topic", r"(?:会议|主要|讨论)*(?:议题|议程)(?:安排|如下)?|agenda|topics?(?: discussed)?"),
    (
        "head",
        r"签到(?:表|簿|单)?|签字(?:确认|栏|页)?|签名|会签|(?:出席|参会|与会|列席|缺席|参加|请假)(?:人员?)?(?:名单|签字|签到|情况)?|"
        r"会议(?:信息|基本信息|基本情况|概况)|attendance(?: list)?|signatures?|"
        r"sign[- ]?in(?: sheet)?|attendees|participants|present|apologies|absent",
    ),
    (
        "note",
        r"(?:会议|主要)?(?:内容|讨论内容|讨论情况|背景|摘要|概要|概述|总结|讨论|记录)|其他(?:事项|内容)?|散会|备注|说明|附件|"
        r"discussion(?: points| notes)?|notes?|summary|background|any other business|aob|"
        r"other(?: business| matters)?",
    ),
)
# Labels whose words stand behind them on the same line; in speech only rules read them.
_LABELLED: Final = re.compile(r"^(?P<label>[^:：]{1,12})[:：]\s*(?P<text>\S.*)$")
# `会议明确：`, `We agreed as follows:` open a list whose items have marks of their own.
_OPENS: Final[tuple[tuple[RecordKind, re.Pattern[str]], ...]] = (
    (
        "decision",
        re.compile(
            r"(?:会议|会上|大会|双方|与会[^，。：:]{0,6}|讨论|研究)[^，。：:]{0,8}(?:决定|明确|议定|商定|通过|确定|同意|形成)[^，。：:]{0,12}[:：]$|"
            r"\b(?:decided|agreed|resolved|approved)(?: (?:as follows|the following|that|on|to))?:$",
            re.IGNORECASE,
        ),
    ),
    ("todo", re.compile(r"(?:会议|会上)[^，。：:]{0,6}(?:要求|部署|安排|布置)[^，。：:]{0,8}[:：]$")),
)
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATED: Final = (
    rf"(?:{_MONTH}|{_WEEKDAY}|\d{{1,4}}(?:st|nd|rd|th)?|[ap]\.?m\.?|at|\d{{1,2}}[:.]\d{{2}}(?:\s?[ap]\.?m\.?)?)"
)
_HEAD_LINE: Final = re.compile(
    r"^(?:会议|开会)?的?(?:时间|日期|地点|地址|主持人?|记录人?|记录|整理人?|参会人?员?|出席人?员?|参加人?员?|"
    r"与会人?员?|到会|到场|在场|列席人?员?|缺席人?员?|请假人?员?|召集人|审核人?|签发人?|抄送|抄报|报送|发送|主送|编号|密级|附件|主题|名称|签字|签名)"
    r"[^:：]{0,4}\s*[:：]|^散会[。！!]?$|"
    r"^(?:date|time|place|venue|location|attendees|participants|present|apologies|absent|chair|host|moderator|"
    r"minutes by|note taker|minute taker|secretary|recorder|subject|cc|distribution|"
    r"meeting (?:closed|ended|date|time))\b[^:]{0,16}"
    r"(?::|$)|^\d{4}\s*[年/.-]\s*\d{1,2}\s*[月/.-]\s*\d{1,2}\s*日?[^，。]{0,16}$|"
    rf"^{_DATED}(?:(?:[ ,]|\. ){{1,2}}{_DATED}){{1,6}}\.?$",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(r"^(?:下次|下一次)(?:会议|例会|会)|^next (?:meeting|session|call)\b", re.IGNORECASE)
_LISTS: Final = ("decision", "todo", "open")
_MAX_HEADING: Final = 24
# Headings that nobody says as a whole line, and such that may be a reply.
_RECORDS: Final = re.compile(r"(?:会议)?(?:决议|议定)(?:事项|内容)?|待办(?:事项)?|行动项")  # labels that name nobody
_CLEAR: Final = re.compile(
    r"(?:会议|会后|本次)(?:决议|决定|结论|待办|行动)\S{0,4}|待办(?:事项|清单)|行动(?:项|计划)|签到[表簿单]|action items"
)
_SAID: Final = re.compile(
    r"agreed|decided|present|absent|notes?|tasks?|决定|结论|共识|议定|签名|讨论|总结|记录|备注|说明|附件", re.IGNORECASE
)
_NOTHING: Final = re.compile(r"(?:暂?无|没有|待定|暂缺|none|n/?a|nil|tbd|-+|/)[。.]?", re.IGNORECASE)
_ENDS_SENTENCE: Final = ("。", "；", "！", ".", ";", "!")
_PART: Final = re.compile(
    rf"(?:(?<=^)|(?<=[；;。.，,：:\s]))(?:[（(](?:{_CHINESE_NUMBER}|\d{{1,2}})[)）]|{_CHINESE_NUMBER}、|(?<!\d)\d{{1,2}}[.．、)）](?![\d])|[①-⑳])\s*"
)


class _OpenPart(NamedTuple):
    kind: RecordKind
    style: str  # how the heading itself is numbered, as `一、` or `1.` without the number
    number: int
    needs_marks: bool  # a list that a sentence opened ends where a line has no mark


_NONE: Final = _OpenPart("", "", 0, needs_marks=False)


class SectionReader:
    """Reads the lines of a record one by one and says to which part of it each belongs."""

    def __init__(self) -> None:
        self._section = _NONE
        self._styles: set[str] = set()

    @property
    def kind(self) -> RecordKind:
        """Part that the last line stood in."""
        return self._section.kind

    def leave(self) -> None:
        """Somebody speaks: the list before it is over."""
        self._section, self._styles = _NONE, set()

    def read(self, text: str, *, is_heading: bool, is_spoken: bool = False) -> RecordKind:
        """The part of the record that a line stands in; a heading itself belongs to `head`.

        Below words of a speaker only a line that looks like a heading is one.
        """
        style, number, rest = _read_mark(text)
        plain = _undress(rest)
        is_heading = is_heading or _DRESSED.fullmatch(text.strip()) is not None
        is_clear = is_heading or bool(style) or text.strip().endswith((":", "：", "】", "*")) or _CLEAR.fullmatch(plain)
        labelled = _LABELLED.match(plain)
        if is_spoken and not is_clear and not (labelled and _RECORDS.fullmatch(labelled["label"])):
            return ""
        if (found := find_heading(plain)) and (is_clear or not _SAID.fullmatch(plain)):
            self._enter(_OpenPart(found, style, number, needs_marks=False))
            return "head"
        if opened := _find_opening(plain):
            self._enter(_OpenPart(opened, style, number, needs_marks=True))
            return "note" if re.search(r"[。；;.]", plain) else "head"
        if (match := labelled) and (kind := find_heading(match["label"])) in _LISTS:
            kind = "todo" if self.kind == "todo" and kind == "open" else kind  # `待定：找供应商`: nobody has it yet
            return kind if not _NOTHING.fullmatch(match["text"].strip()) else "head"
        if is_head_line(rest):
            self.leave()
            return "head"
        if _NEXT.match(rest):
            self.leave()
            return ""
        if self._ends(style, number, plain, is_heading=is_heading):
            is_part = bool(style or is_heading) and self._section.kind != ""
            self._enter(_OpenPart("note" if is_part else "", style, number, needs_marks=False))
            return "head" if is_part else ""
        if self._section.kind and style:
            self._styles.add(style)
        return self._section.kind if not _NOTHING.fullmatch(plain) else "head"

    def _enter(self, section: _OpenPart) -> None:
        self._section, self._styles = section, set()

    def _ends(self, style: str, number: int, plain: str, *, is_heading: bool) -> bool:
        section = self._section
        if not section.kind:
            return False
        if is_heading:
            return True
        if style and style == section.style and style not in self._styles and style not in ("-",):
            return number == section.number + 1
        is_bare = not style and (section.needs_marks or bool(self._styles))
        return is_bare and not (plain.endswith(_ENDS_SENTENCE) and not section.needs_marks)


def is_head_line(text: str) -> bool:
    """Whether a line names the date, place or people of a meeting, or closes its record."""
    return _HEAD_LINE.match(_SYMBOLS.sub("", _read_mark(text)[2])) is not None


def cut_symbols(text: str) -> str:
    """A line without its number, its bullet and the pins and stars before its words."""
    return _SYMBOLS.sub("", _read_mark(text)[2])


def cut_mark(text: str) -> str:
    """An item without its number, its bullet and the label before it: `决定：不再续租` is 不再续租."""
    plain = _undress(_read_mark(text)[2])
    match = _LABELLED.match(plain)
    return match["text"].strip() if match and find_heading(match["label"]) in _LISTS else plain


def split_numbered(text: str) -> list[str]:
    """Items that stand in one line with their numbers: `1. …；2. …`; the line itself if it has no two."""
    starts = [match.start() for match in _PART.finditer(text)]
    if len(starts) <= 1:
        return [text]
    return [cut_mark(text[start:end]).rstrip("；;，, ") for start, end in pairwise([*starts, len(text)])]


def _read_mark(text: str) -> tuple[str, int, str]:
    """Style of a line's number or bullet, its number, and the rest."""
    match = _MARK.match(text)
    if match is None:
        return "", 0, text
    mark = match["style"]
    rest = text[match.end() :]
    if mark is None:
        return "-", 0, rest
    number = re.sub(r"\D", "", mark)
    counted = int(number) if number else _count_chinese(mark)
    return re.sub(rf"\d+|{_CHINESE_NUMBER}|[a-zA-Z①-⑳]", "N" if number else "中", mark), counted, rest


def _count_chinese(mark: str) -> int:
    if "①" <= mark[0] <= "⑳":
        return ord(mark[0]) - ord("①") + 1
    found = re.search(_CHINESE_NUMBER, mark)
    return (read_chinese_integer(found[0]) or 0) if found else 0


def _undress(text: str) -> str:
    return _DRESS.sub("", text).strip()


def _find_opening(plain: str) -> RecordKind:
    return next((kind for kind, form in _OPENS if form.search(plain)), "")


def find_heading(plain: str) -> RecordKind:
    """The part of a record that a heading opens, empty for any other line."""
    bare = _SYMBOLS.sub("", _undress(plain.rstrip(":： ")))
    if len(bare) > _MAX_HEADING:
        return ""
    return next((kind for kind, form in _HEADINGS if re.fullmatch(form, bare, re.IGNORECASE)), "")
