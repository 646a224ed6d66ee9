"""Answers questions that judge the newest result, from its sentences and tables; it judges nothing itself."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, join_names
from metier.patterns import compile_later
from metier.questions._drafts import list_values
from metier.questions._match import (
    find_numeric_columns,
    numeric_value,
)
from metier.questions._orders import is_ascending, sort_rows
from metier.questions._results import Answer, Remark, Results, ResultTable
from metier.questions.judgements._impact import tell_impact, tell_remedy, tell_severity, tell_short
from metier.questions.judgements._judgement_sentences import JUDGEMENT_SENTENCES
from metier.questions.judgements._quotable import are_in, list_quotable
from metier.questions.judgements._read import Judgement
from metier.questions.judgements._remaining import find_remaining, tell_remaining
from metier.questions.judgements._side_by_side import is_judged, set_side_by_side, tell_alone

# How bad a word of a column of states is.
_STATES: Final = MappingProxyType(
    {
        **dict.fromkeys(
            ("正常", "健康", "良好", "合格", "通过", "normal", "healthy", "good", "ok", "pass", "passed"), 0
        ),
        **dict.fromkeys(("可疑", "注意", "观察", "待定", "未定", "suspect", "watch", "warning", "undetermined"), 1),
        **dict.fromkeys(("有故障", "故障", "异常", "报警", "危险", "不合格", "未通过"), 2),
        **dict.fromkeys(("faulty", "fault", "alarm", "danger", "bad", "fail", "failed"), 2),
    }
)
_SEVERITY: Final = compile_later(r"(?i)严重|烈度|紧急|severity|urgency")
_TIMES: Final = compile_later(r"(?i)寿命|自第|以来|开始|失效|劣化|\b(?:since|until|life|remaining|failure|degrad\w*)\b")
_COUNT_IN_TITLE: Final = compile_later(r"\s*[（(][^（）()]*\d[^（）()]*[）)]$")
_MAX_TABLES: Final = 8
_MAX_REMARKS: Final = 5
_MAX_ROWS: Final = 3
_MAX_NAMES: Final = 20
_MAX_FIRST: Final = 3
_MIN_NAME: Final = 2
_QUOTED: Final = (
    "grounds",
    "impact",
    "severity",
    "short",
    "remaining",
    "pages",
    "remedy",
    "stated",
)  # from the report's words


def answer_judgement(asked: Judgement, results: Results, language: Language, affected: str = "") -> Answer | None:
    """The answer from the newest result; None if that has no grounds, no count, or no column of states.

    `affected` is whom or what a question about the impact names.
    """
    if asked == "remaining" and (left := find_remaining(results.tables)) is not None:
        return tell_remaining(left, language)
    if asked == "compare" and (both := set_side_by_side(results, language)) is not None:
        return both
    newest = [one for one in results.tables if one.said == results.said]
    if asked == "all":
        return _show_all(newest, language)
    if asked in _QUOTED:
        return _quote(asked, affected, newest, results, language)
    judged = ((one, at) for one in newest if (at := _find_states(one)) is not None)
    table, at = next(judged, (None, 0))
    if table is not None:
        ordered = asked in ("worst_first", "compare")
        return _sort_rows(table, at, language) if ordered else _keep_rows(table, at, asked, language)
    if asked == "compare":
        return tell_alone(language) if newest else None
    return _sort_by_measure(newest, language) if asked == "worst_first" else None


def _quote(
    asked: Judgement, affected: str, tables: Sequence[ResultTable], results: Results, language: Language
) -> Answer | None:
    """The answer from sentences of the report; None if they do not have it.

    What came after the last answer may only say that the work is done: then the whole report is read.
    """
    said = results.said
    for remarks in filter(None, map(list_quotable, (results.fresh, results.remarks))):
        if not are_in(remarks, language):
            return _tell_other_language(tables, language)
        if asked == "grounds":
            return _tell_grounds(tables, remarks, said, language)
        if asked in ("short", "pages"):
            told = tell_short(remarks, said, language, opening=asked)
        elif asked == "remedy":
            told = tell_remedy(remarks, said, language)
        elif asked == "stated":
            told = tell_severity(remarks, said, language, opening="said") if _states_times(remarks) else None
        elif asked == "remaining":
            told = tell_severity(remarks, said, language, opening="no_remaining")
        elif asked == "severity" or not affected:
            told = tell_severity(remarks, said, language)
        else:
            told = tell_impact(affected, tables, remarks, said, language)
        if told is not None:
            return told
    return None


def _states_times(remarks: Sequence[Remark]) -> bool:
    """Whether a report says since when, until when or for how long; others know nothing of a remaining life."""
    return any(one.is_verdict and _TIMES.search(one.line) for one in remarks)


def _show_all(tables: Sequence[ResultTable], language: Language) -> Answer | None:
    """The first table of the newest result, and the names of the others."""
    if not tables:
        return None
    first, others = tables[0], [_say("quoted", language, name=one.title) for one in tables[1:]]
    text = _say("all", language, title=first.title, count=first.total)
    if others:
        text += _say("all_others", language, tables=join_names(others[:_MAX_TABLES], language))
    return _show(text, first, first.rows, language)


def _say(code: str, language: Language, **values: object) -> str:
    return JUDGEMENT_SENTENCES.render(code, language, **values)


def _tell_grounds(tables: Sequence[ResultTable], remarks: Sequence[Remark], said: str, language: Language) -> Answer:
    """Sentences of the report, and the rows that the first of them names, with their figures."""
    told = [one.line for one in remarks][:_MAX_REMARKS]
    rows = [
        _say("row", language, name=str(row[0]), values=list_values(table, at, language, with_place=False))
        for table in tables
        for at, row in enumerate(table.rows)
        if row and isinstance(row[0], str) and len(row[0]) >= _MIN_NAME and _is_named(row[0], told[0])
    ][:_MAX_ROWS]
    lines = [told[0], *rows, *told[1:]]
    source = _say("source", language, said=said)
    listed = "\n".join(f"- {one}" for one in lines)
    return Answer(f"{_say('grounds', language)}\n\n{listed}\n\n{source}")


def _tell_other_language(tables: Sequence[ResultTable], language: Language) -> Answer:
    """That the report is in the other language, and the numbers of its states, else of its rows by the tables' names.

    No sentence of an answer is in another language than the question.
    """
    told = [_say("other_language", language)]
    for table in tables:
        at = _find_states(table)
        if at is not None and table.total == len(table.rows):
            rates = [_rate(row[at]) if at < len(row) else None for row in table.rows]
            told.append(_say("states", language, total=len(rates), bad=sum(bool(one) for one in rates)))
    counted = [(_COUNT_IN_TITLE.sub("", one.title), one.total) for one in tables if one.total][:_MAX_TABLES]
    named = [_say("rows_of", language, title=title, total=total) for title, total in counted]
    if named and len(told) == 1:
        told.append(_say("rows", language, tables=join_names(named, language)))
    return Answer(" ".join(told))


def _is_named(name: str, text: str) -> bool:
    """Whether a text has this name, and not only a longer one: 1号泵 is not named by 11号泵."""
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(name)}(?![0-9A-Za-z])", text) is not None


def _find_states(table: ResultTable) -> int | None:
    """The column whose values are all words of states."""
    for at in range(len(table.columns)):
        values = [row[at] for row in table.rows if at < len(row) and row[at] is not None]
        if values and all(_rate(one) is not None for one in values):
            return at
    return None


def _rate(value: JsonValue) -> int | None:
    return _STATES.get(value.strip().casefold()) if isinstance(value, str) else None


def _keep_rows(table: ResultTable, at: int, asked: Judgement, language: Language) -> Answer:
    """Rows that are in order, or those that are not; one whose state is not told is among neither."""
    rated = [(row, _rate(row[at]) if at < len(row) else None) for row in table.rows]
    wanted = [row for row, rate in rated if rate is not None and (rate == 0) == (asked == "good")]
    unrated = sum(rate is None for _, rate in rated)
    code = ("good" if wanted else "good_none") if asked == "good" else ("bad" if wanted else "bad_none")
    names = join_names([str(row[0]) for row in wanted[:_MAX_NAMES]], language)
    text = _say(code, language, count=len(wanted), total=len(table.rows), column=table.columns[at].title, names=names)
    parts = [text, *([_say("unrated", language, count=unrated)] if unrated else [])]
    return _show(" ".join(parts), table, wanted, language)


def _sort_rows(table: ResultTable, at: int, language: Language) -> Answer:
    severity = next((n for n, one in enumerate(table.columns) if _SEVERITY.search(one.title)), None)

    def weigh(row: Sequence[JsonValue]) -> tuple[int, float]:
        rate = _rate(row[at]) if at < len(row) else None
        measure = numeric_value(row[severity]) if severity is not None and severity < len(row) else None
        return -(rate if rate is not None else -1), -(measure if measure is not None else float("-inf"))

    ordered = sorted(table.rows, key=weigh)
    named = [table.columns[one].title for one in (at, severity) if one is not None]
    code = "worst_as_shown" if ordered == list(table.rows) else "worst_first"
    first = join_names([str(row[0]) for row in ordered[:_MAX_NAMES]], language)
    text = _say(code, language, columns=join_names(named, language), names=first)
    return _show(text, table, ordered, language)


def _sort_by_measure(tables: Sequence[ResultTable], language: Language) -> Answer | None:
    """All rows of the first table by its first measure, the worst first; None if it has none to be judged by."""
    table = next(iter(tables), None)
    columns = () if table is None else find_numeric_columns(table)
    at = next((one for one in columns if table and is_judged(table.columns[one].title)), None)
    if table is None or at is None:
        return None
    order = sort_rows(table, at, is_ascending=is_ascending("worst", table.columns[at].title))
    rows = [table.rows[number] for number in order]
    names = join_names([str(row[0]) for row in rows[:_MAX_FIRST]], language)
    return _show(_say("worst_by", language, column=table.columns[at].title, names=names), table, rows, language)


def _show(text: str, table: ResultTable, rows: Sequence[tuple[JsonValue, ...]], language: Language) -> Answer:
    source = _say("source", language, said=table.said)
    if table.total > len(table.rows):
        text = f"{text} {_say('kept', language, kept=len(table.rows), total=table.total)}"
    if not rows:
        return Answer(f"{text}\n\n{source}")
    kept = ResultTable(table.title, table.columns, tuple(rows), len(rows), table.said, table.call)
    return Answer(f"{text}\n\n{source}", tables=(kept,), shown=kept)
