"""Answers with the rows that a question names, as the report has them; it decides nothing itself."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, choose, join_names
from metier.patterns import compile_later
from metier.questions._drafts import with_unit
from metier.questions._match import is_coordinate
from metier.questions._results import Answer, Results, ResultTable
from metier.questions.named_rows._read import AskedColumn, NamedRows, read_named_rows
from metier.questions.named_rows._row_sentences import ROW_SENTENCES
from metier.visible_text import write_markdown_table

_MAX_ROWS: Final = 4
_MAX_TASKS: Final = 30
_MAX_SAID: Final = 40
_COLUMNS: Final[Mapping[AskedColumn, re.Pattern[str]]] = MappingProxyType(
    {
        "who": compile_later(r"(?i)^(?:责任人|负责人|承办人|经办人|人员|who|owner|assignee|responsible|person)$"),
        "what": compile_later(r"(?i)^(?:事项|任务|待办|工作|内容|what|task|action(?: item)?|item)$"),
        "when": compile_later(r"(?i)^(?:期限|截止(?:日期|时间)?|完成时间|日期|时间|when|due(?: date)?|deadline|date)$"),
    }
)
# Columns that judge or advise; a receipt of what was written has none.
JUDGES: Final = compile_later(
    r"(?i)问题|建议|依据|状态|程度|结论|风险|原因|finding|suggest|advice|basis|condition|severity|state|verdict|risk"
    r"|reason"
)

_CHINESE: Final = compile_later("[\u4e00-\u9fff]")
QUOTED: Final = compile_later(r"(?i)原文(?:全文)?|source(?: line)?|quote|line")


def asks_for_rows(message: str) -> bool:
    """Whether a message is such a question, before any result is loaded."""
    return read_named_rows(message) is not None


def answer_named_rows(message: str, results: Results, language: Language) -> Answer | None:
    """The rows that a question names, or who does what until when; None if no row has what it names."""
    asked = read_named_rows(message)
    if asked is None or not results.tables:
        return None
    tables = [one for one in results.tables if is_written_in(one, language)]
    return _list_tasks(asked, tables, language) if asked.asked else _tell_rows(asked, tables, language)


def is_written_in(table: ResultTable, language: Language) -> bool:
    """Whether a table has headings in the language of the question: sentences of another one are not quoted."""
    has_chinese = _CHINESE.search("".join(one.title for one in table.columns)) is not None
    return choose(language, zh=has_chinese, en=not has_chinese)


def _tell_rows(asked: NamedRows, tables: Sequence[ResultTable], language: Language) -> Answer | None:
    judging = [one for one in tables if any(JUDGES.search(head.title) for head in one.columns)]
    named = join_names([_say("quoted", language, word=one) for one in asked.names], language)
    for table in judging:
        rows = _find_rows(table, asked.names)
        if 0 < len(rows) <= _MAX_ROWS:
            lines = [_say("grounds" if asked.asks_why else "advice", language, names=named), ""]
            lines += [f"- {write_row(table, row, language)}" for row in rows]
            return Answer("\n".join([*lines, "", say_source(table, language)]))
        if rows:
            return None
    others = [one for one in tables if one not in judging and any(one.said == table.said for table in judging)]
    if asked.asks_why or not any(0 < len(_find_rows(one, asked.names)) <= _MAX_ROWS for one in others):
        return None
    return Answer("\n\n".join([_say("not_judged", language, names=named), say_source(judging[0], language)]))


def _find_rows(table: ResultTable, names: Sequence[str]) -> list[tuple[JsonValue, ...]]:
    """Rows that have all the names; those that have them beside a quoted line come first."""
    quoted = {at for at, one in enumerate(table.columns) if QUOTED.fullmatch(one.title.strip())}
    own = [[value for at, value in enumerate(row) if at not in quoted] for row in table.rows]
    told = [row for row, cells in zip(table.rows, own, strict=True) if all(_has_name(cells, one) for one in names)]
    return told or [row for row in table.rows if all(_has_name(row, one) for one in names)]


def _list_tasks(asked: NamedRows, tables: Sequence[ResultTable], language: Language) -> Answer | None:
    """The columns that are asked for, of all rows or of those that have the name."""
    for table in tables:
        known = {name: at for name in _COLUMNS if (at := _find_column(table, name)) is not None}
        if "who" not in known or len(known) < 2 or not set(asked.asked) <= known.keys():
            continue
        rows = [row for row in table.rows if all(_has_name((row[known["who"]],), name) for name in asked.names)]
        if not rows or len(rows) > _MAX_TASKS:
            continue
        columns = [known[name] for name in ("who", "what", "when") if name in known]
        code = "all_tasks" if len(rows) == len(table.rows) else "tasks"
        head = _say(code, language, count=len(rows), total=len(table.rows))
        values = ([row[at] for at in columns] for row in rows)
        listed = write_markdown_table((table.columns[at].title for at in columns), values)
        return Answer(f"{head}\n\n{listed}\n\n{say_source(table, language)}")
    return None


def _find_column(table: ResultTable, name: AskedColumn) -> int | None:
    return next((at for at, one in enumerate(table.columns) if _COLUMNS[name].search(one.title.strip())), None)


def _has_name(cells: Sequence[JsonValue], name: str) -> bool:
    """Whether cells have a name: as it stands, or, of a name without a number, all of its words."""
    text = "\n".join(str(one) for one in cells if one is not None).casefold()
    wanted = name.casefold()
    parts = [wanted] if any(one.isdigit() for one in wanted) else wanted.split()
    return all(re.search(rf"(?<![a-z0-9.]){re.escape(one)}(?![a-z0-9])", text) for one in parts)


def write_row(table: ResultTable, row: Sequence[JsonValue], language: Language) -> str:
    pairs = zip(table.columns[1:], row[1:], strict=False)
    told = [
        _say("value", language, column=head.title, value=with_unit(value, head.unit).rstrip("。."))
        for head, value in pairs
        if value is not None and not is_coordinate(head.title)
    ]
    values = choose(language, zh="；", en="; ").join(told)
    return _say("row", language, name=row[0], values=values)


def say_source(table: ResultTable, language: Language) -> str:
    said = table.said if len(table.said) <= _MAX_SAID else table.said[: _MAX_SAID - 1] + "…"
    return _say("source", language, title=table.title, total=table.total, said=said)


def _say(code: str, language: Language, **values: object) -> str:
    return ROW_SENTENCES.render(code, language, **values)
