"""Tables of a record: lists of work, lists of decisions, talk in columns, and forms with a label beside each answer."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.meetings.records._sections import RecordKind, find_heading, is_head_line

__all__ = ["RecordRow", "read_rows"]

_CELL: Final = re.compile(r"(?P<table>.*t\d+)\.r(?P<row>\d+)\.c\d+")
_COLUMNS: Final = MappingProxyType(
    {
        "what": r"(?:待办|行动|工作|任务|跟进|落实|具体)*(?:事项|内容|任务|工作|措施|行动项?|待办)|"
        r"action(?: item)?s?|tasks?|what|to-?do",
        "who": r"(?:主要)?(?:责任人|负责人|责任部门|责任单位|责任方|承办人?|经办人|执行人|谁)(?:员|/部门)?|"
        r"owner|who|responsible|assignee|assigned to|lead|by whom",
        "when": r"(?:完成|截止|计划完成|要求完成|到期)?(?:时间|日期|期限|时限|节点)|"
        r"due(?: date| by)?|when|deadline|by when|target date",
        "decision": r"(?:会议)?(?:决议|决定|结论)(?:事项|内容)?|decisions?|resolutions?",
        "speaker": r"发言人|说话人|speaker|姓名|name",
        "said": r"发言内容|发言|内容|原话|text|transcript|utterance|words",
        "at": r"时间|time|timestamp",
    }
)


class RecordRow(NamedTuple):
    """One row: `todo` with who, what and when, `decision` with what, `said` with who, what and the time."""

    part: RecordKind | Literal["said"]
    address: str
    line: str
    what: str
    who: str = ""
    when: str = ""


def read_rows(pieces: Sequence[TextPiece]) -> Iterator[TextPiece | RecordRow]:
    """The pieces in order, with the rows of a table that is read as a whole in place of its cells."""
    for table, group in groupby(pieces, _find_table):
        if not table:
            yield from group
            continue
        cells = list(group)
        rows = [list(row) for _, row in groupby(cells, lambda cell: cell.address.rpartition(".")[0])]
        yield from _read_table(rows)


def _find_table(piece: TextPiece) -> str:
    match = _CELL.fullmatch(piece.address) if piece.kind == "cell" else None
    return match["table"] if match else ""


def _read_table(rows: list[list[TextPiece]]) -> Iterator[TextPiece | RecordRow]:
    at, columns = next(((at, found) for at, row in enumerate(rows) if (found := _read_columns(row))), (0, {}))
    for row in rows[:at] if columns else rows:
        yield from _read_form(row)
    if not columns:
        return
    head = rows[at]
    yield RecordRow("head", head[0].address, _join(head), "")
    for row in rows[at + 1 :]:
        cells = {_find_column(cell): cell for cell in row}
        texts = {name: cells[column].text.strip() for name, column in columns.items() if column in cells}
        if what := texts.get("decision") or texts.get("said") or texts.get("what"):
            part: RecordKind = "decision" if "decision" in columns else "todo"
            who, when = (texts.get("speaker", ""), texts.get("at", "")) if "said" in columns else (
                texts.get("who", ""), texts.get("when", ""))  # fmt: skip
            yield RecordRow("said" if "said" in columns else part, row[0].address, _join(row), what, who, when)


def _read_columns(row: Sequence[TextPiece]) -> dict[str, str]:
    """Columns of a table of work, of decisions or of talk by their heads; empty for any other table."""
    found = {
        name: _find_column(cell)
        for name, form in _COLUMNS.items()
        for cell in row
        if re.fullmatch(form, cell.text.strip(" :：*"), re.IGNORECASE)
    }
    if "what" in found and "who" in found:
        return {name: found[name] for name in ("what", "who", "when") if name in found}
    if "decision" in found and len(row) > 1 and all(len(cell.text) <= _MAX_HEAD for cell in row) and _is_head(row):
        return {"decision": found["decision"]}
    if "speaker" in found and "said" in found:
        return {name: found[name] for name in ("speaker", "said", "at") if name in found}
    return {}


_MAX_HEAD: Final = 12
_COUNTER: Final = re.compile(r"序号|编号|号|no\.?|#|id|" + "|".join(_COLUMNS.values()), re.IGNORECASE)


def _is_head(row: Sequence[TextPiece]) -> bool:
    return all(_COUNTER.fullmatch(cell.text.strip(" :：*")) for cell in row)


def _find_column(cell: TextPiece) -> str:
    return cell.address.rpartition(".")[2]


def _join(row: Sequence[TextPiece]) -> str:
    return " | ".join(cell.text.strip().replace("\n", " ") for cell in row if cell.text.strip())


def _read_form(row: Sequence[TextPiece]) -> Iterator[TextPiece]:
    """A row of a form: `时间 | 5月12日` is one line, `会议决议 | 1. …` a heading and what stands under it."""
    at = 0
    while at < len(row):
        label = row[at]
        answer = row[at + 1] if at + 1 < len(row) else None
        name = label.text.strip(" :：")
        if answer is not None and find_heading(name) in ("", "head") and is_head_line(f"{name}："):
            yield TextPiece(answer.address, f"{name}：{answer.text.strip()}")
            at += 2
        elif answer is not None and find_heading(name):
            yield TextPiece(label.address, f"{name}：", "heading", 2)
            yield answer
            at += 2
        else:
            yield label
            at += 1
