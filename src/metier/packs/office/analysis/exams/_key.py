"""Answers of a key, each with its section and number: from lines, ranges (`1-5 CABAB`) and tables."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.exams._sections import ExamSection, read_section_head

__all__ = ["KeyEntry", "read_answer_key"]

_LETTERS: Final = "A-Ha-hＡ-Ｈ√✓✔×✗✘对错TFtf"
_LABEL: Final = re.compile(
    r"(?:第\s*)?(?:[（(]\s*(?P<paren>\d{1,3})\s*[）)]\s*[.．、:：]?|"
    r"(?P<plain>\d{1,3})\s*(?:题\s*[.．、:：]?|[.．、:：)）]))"
)
_RANGE: Final = re.compile(
    rf"(?:第\s*)?(?P<first>\d{{1,3}})\s*(?:题)?\s*[-–—~～至到]\s*(?:第\s*)?(?P<last>\d{{1,3}})\s*题?\s*[:：.．、]?\s*"
    rf"(?P<answers>[{_LETTERS}]+(?:[\s　、，,;；]+[{_LETTERS}]+)*)(?=[\s　，,;；。]|\d|$)"
)
# `1C 2A 3B` and `1 C`: only letters and marks, all along the line.
_COMPACT: Final = re.compile(rf"(?:\d{{1,3}}\s*(?:[.．、:：]\s*)?[{_LETTERS}]+[\s　,，;；、]*)+")
_COMPACT_ONE: Final = re.compile(rf"(\d{{1,3}})\s*[.．、:：]?\s*([{_LETTERS}]+)")
_SEPARATORS: Final = re.compile(r"[\s　,，;；。、]*")
_LEAD: Final = re.compile(
    r"^(?:[【\[](?:参考|标准|正确)?答案[】\]]\s*[:：]?|[^\d。；;:：]{0,12}?答案\s*[:：]|"
    r"(?:answer )?(?:key|answers)\s*:)\s*",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(r"[【\[（(]?\s*(?:解析|分析|详解|点评|考点|解答过程)\s*[】\]）)]?\s*[:：]?")
_POINTS: Final = re.compile(
    r"[（(【\[]\s*(?:每[空题小]题?|共)?\s*\d+(?:\.\d)?\s*(?:分|points?|marks?)\s*[）)】\]]", re.IGNORECASE
)
# Words on both sides of `（2分）` may be two answers or an answer and a remark.
_POINTS_INSIDE: Final = re.compile(rf"[^\s；;，,、。]\s*{_POINTS.pattern}\s*[^\s；;，,、。]", re.IGNORECASE)
_MORE_ENTRIES: Final = re.compile(r"(?:^|[\s　，,;；])\d{1,3}\s*[.．、:：](?!\d)")
_NUMBERS: Final = re.compile(r"^(?:题号|序号)[\s:：]+(?P<all>\d{1,3}(?:\s+\d{1,3})*)$")
_ANSWERS: Final = re.compile(r"^答案[\s:：]+(?P<all>\S.*)$")
_CELL: Final = re.compile(r"^t(\d+)\.r(\d+)\.c(\d+)$")


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One answer as the key gives it; `is_doubtful` where its beginning or end is not certain.

    `is_cut` says that its label and its answer might be one figure: `2.365` behind the answer of question 1.
    """

    section: ExamSection | None
    number: str
    answer: str
    line: str
    address: str
    is_doubtful: bool = False
    is_cut: bool = False


def read_answer_key(pieces: Iterable[TextPiece]) -> tuple[KeyEntry, ...]:
    """Every answer of a key in its order."""
    found: list[KeyEntry] = []
    section: ExamSection | None = None
    is_remark = False
    numbers: re.Match[str] | None = None
    for is_table, group in groupby(pieces, key=lambda piece: bool(_CELL.match(piece.address))):
        if is_table:
            found += _read_tables(list(group), section)
            continue
        for piece in group:
            line = piece.line.strip()
            head = read_section_head(line)
            rest = head[1] if head else _LEAD.sub("", line)
            section = head[0] if head else section
            entries = list(_read_line(rest, section, piece)) or list(_read_beside(numbers, line, section, piece))
            numbers = _NUMBERS.match(line)
            if entries:
                found += entries
                is_remark = bool(_REMARK.search(line))
            elif found and not head and found[-1].section == section:
                is_remark = is_remark or bool(_REMARK.match(line))
                if not is_remark:
                    found[-1] = replace(found[-1], answer=f"{found[-1].answer}\n{line}")
    return tuple(_doubt_figures(found))


def _doubt_figures(found: Sequence[KeyEntry]) -> Iterator[KeyEntry]:
    """Entries with doubt where a figure in an answer may be the next number, or a next number a figure."""
    places: dict[tuple[ExamSection | None, str], int] = Counter((one.section, one.number) for one in found)
    for at, entry in enumerate(found):
        following = str(int(entry.number) + 1)
        is_known = places[entry.section, following] > 0
        beside = found[at + 1] if at + 1 < len(found) else None
        is_swallowed = not is_known and re.search(rf"(?<![\d.．]){following}[.．]\d", entry.answer) is not None
        # The next number comes again in a line of its own: what was cut off here may be a figure.
        is_repeated = beside is not None and beside.is_cut and places[beside.section, beside.number] > 1
        is_doubtful = is_swallowed or is_repeated or _skips_number(entry, places)
        yield replace(entry, is_doubtful=True) if is_doubtful else entry


def _skips_number(entry: KeyEntry, places: Mapping[tuple[ExamSection | None, str], int]) -> bool:
    """`1.北京 3.8848` in a key without spaces behind its numbers: 3 may be a number that comes nowhere else."""
    if re.search(rf"(?<!\d){entry.number}[.．]\S", entry.line) is None:
        return False
    numbers = re.findall(r"[\s　,，;；](\d{1,3})[.．]\d", entry.answer)
    return any(int(one) > int(entry.number) and not places[entry.section, one] for one in numbers)


def _read_beside(
    numbers: re.Match[str] | None, line: str, section: ExamSection | None, piece: TextPiece
) -> Iterator[KeyEntry]:
    """A line of answers below a line of numbers, as many as these."""
    match = _ANSWERS.match(line)
    if numbers is None or match is None:
        return
    asked, given = numbers["all"].split(), match["all"].split()
    if len(asked) == len(given):
        yield from (_make_entry(section, number, answer, piece) for number, answer in zip(asked, given, strict=True))


def _read_line(line: str, section: ExamSection | None, piece: TextPiece) -> Iterator[KeyEntry]:
    at, is_cut, is_unsure = 0, False, False
    if _COMPACT.fullmatch(line) and not _RANGE.match(line):
        for one in _COMPACT_ONE.finditer(line):
            yield _make_entry(section, one[1], one[2], piece)
        return
    while at < len(line):
        at = _skip_separators(line, at)
        if match := _RANGE.match(line, at):
            yield from _read_range(match, section, piece)
            at = match.end()
        elif match := _LABEL.match(line, at):
            end, cuts_next = _find_end(line, match)
            entry = _make_entry(section, match["paren"] or match["plain"], line[match.end() : end], piece)
            # `1. 北京 2.365`: the numbers have a blank behind the point, the figure has none.
            mixes = cuts_next and line[match.end() : match.end() + 1].isspace()
            yield replace(entry, is_cut=is_cut, is_doubtful=entry.is_doubtful or is_unsure or mixes)
            at, is_cut, is_unsure = end, cuts_next, mixes
        else:
            return


def _skip_separators(line: str, at: int) -> int:
    match = _SEPARATORS.match(line, at)
    return match.end() if match else at


def _find_end(line: str, label: re.Match[str]) -> tuple[int, bool]:
    """Where the answer of a label ends: at the next number in the same style, or at a range.

    The second value says that the next number could also begin a decimal figure (`2.365`).
    """
    figure = 0
    style = "paren" if label["paren"] else "plain"
    number = int(label[style])
    for match in _LABEL.finditer(line, label.end() + 1):
        before = line[match.start() - 1]
        is_parted = before in " 　，,;；。\t" or style == "paren" or re.match(rf"[{_LETTERS}]", before)
        if not (match[style] and int(match[style]) == number + 1 and is_parted):
            continue
        if not (match[0][-1] in ".．" and line[match.end() : match.end() + 1].isdigit()):
            return match.start(), False
        if line[label.end() : match.start()].strip(" 　,，;；。\t"):
            figure = figure or match.start()
    if figure:
        return figure, True
    found = next((one for one in _RANGE.finditer(line, label.end() + 1) if int(one["first"]) > number), None)
    return (found.start() if found else len(line)), False


def _make_entry(section: ExamSection | None, number: str, words: str, piece: TextPiece) -> KeyEntry:
    said = _REMARK.split(words, maxsplit=1)[0]
    answer = _POINTS.sub("", said).strip(" 　,，;；。\t") or words.strip()
    is_doubtful = not answer or bool(_MORE_ENTRIES.search(answer) or _POINTS_INSIDE.search(said))
    return KeyEntry(section, str(int(number)), answer, piece.line.strip(), piece.address, is_doubtful)


def _read_range(match: re.Match[str], section: ExamSection | None, piece: TextPiece) -> Iterator[KeyEntry]:
    first, last = int(match["first"]), int(match["last"])
    count = last - first + 1
    groups = re.split(r"[\s　、，,;；]+", match["answers"].strip())
    parts: Sequence[str] = groups if len(groups) == count else "".join(groups)
    if count < 1 or len(parts) != count:
        yield KeyEntry(section, str(first), match[0], piece.line.strip(), piece.address, is_doubtful=True)
        return
    for number, answer in enumerate(parts, first):
        yield KeyEntry(section, str(number), answer, piece.line.strip(), piece.address)


def _read_tables(cells: Sequence[TextPiece], section: ExamSection | None) -> Iterator[KeyEntry]:
    """A row (or column) of numbers with a row (or column) of answers beside it."""
    tables: dict[str, dict[tuple[int, int], TextPiece]] = {}
    for piece in cells:
        if match := _CELL.match(piece.address):
            tables.setdefault(match[1], {})[int(match[2]), int(match[3])] = piece
    for table in tables.values():
        for (row, column), piece in table.items():
            if not re.fullmatch(r"(?:题号|序号|题目|No\.?)", piece.text.strip(), re.IGNORECASE):
                continue
            for step in ((1, 0), (0, 1)):
                beside = table.get((row + step[0], column + step[1]))
                if beside is not None and re.fullmatch(r"(?:参考|正确|标准)?答案|answers?", beside.text.strip(), re.I):
                    yield from _read_along(table, (row, column), step, section)


def _read_along(
    table: dict[tuple[int, int], TextPiece], corner: tuple[int, int], step: tuple[int, int], section: ExamSection | None
) -> Iterator[KeyEntry]:
    row, column = corner
    while True:
        row, column = row + step[1], column + step[0]
        number, answer = table.get((row, column)), table.get((row + step[0], column + step[1]))
        if number is None or not number.text.strip().isdecimal():
            return
        if answer is not None and answer.text.strip():
            yield _make_entry(section, number.text.strip(), answer.text.strip(), answer)
