"""Tables that the user was shown in another form: in the text of an answer, or as the preview of a call to approve."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from metier.json_values import JsonObject, JsonValue, list_items
from metier.language import Language, Sentences
from metier.patterns import compile_later
from metier.questions._numbers import FIGURE
from metier.questions._results import Results, ResultTable, TableColumn, results_from_events
from metier.questions.remarks import find_remarks

_RULE: Final = compile_later(r"\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)*\|?\s*")
_MIN_COLUMNS: Final = 2
_TITLE: Final = Sentences({"proposed": ("{title} (shown for approval)", "{title}（批准前展示）")})


def collect_results(turns: Iterable[tuple[str, Iterable[tuple[str, JsonObject]]]], language: Language) -> Results:
    """Results of turns, the newest first, with the tables in the texts of their answers and in their approvals."""

    def find_others(kind: str, said: str, data: JsonObject) -> Iterable[ResultTable]:
        if kind == "text.done":
            return tables_in_text(str(data.get("text", "")), said)
        return tables_in_preview(data, said, language) if kind == "pause.opened" else ()

    listed = [(said, list(events)) for said, events in turns]
    newest = listed[0][1] if listed else []
    texts = [(at, str(data.get("text", ""))) for at, (kind, data) in enumerate(newest) if kind == "text.done"]
    remarks = tuple(one for _, text in texts for one in find_remarks(text))
    answered = max((at for at, (kind, _) in enumerate(newest) if kind == "pause.answered"), default=-1)
    fresh = tuple(one for at, text in texts if at > answered for one in find_remarks(text))
    is_change = any(kind == "pause.opened" and data.get("purpose") == "approve" for kind, data in newest)
    said = listed[0][0] if listed else ""
    verdicts = tuple((asked, line) for asked, events in listed if (line := _find_verdict(events)))
    found = results_from_events(listed, find_others)
    return replace(found, remarks=remarks, fresh=fresh, is_change=is_change, said=said, verdicts=verdicts)


def _find_verdict(events: Sequence[tuple[str, JsonObject]]) -> str:
    """The verdict of a turn's newest report that has one."""
    texts = [str(data.get("text", "")) for kind, data in events if kind == "text.done"]
    found = (one.line for text in reversed(texts) for one in find_remarks(text) if one.is_verdict and one.line)
    return next(found, "")


def tables_in_text(text: str, said: str) -> Iterator[ResultTable]:
    """Markdown tables of a text; each is called by its first heading."""
    lines = text.splitlines()
    for at in range(1, len(lines)):
        if not (_RULE.fullmatch(lines[at]) and "|" in lines[at] and "|" in lines[at - 1]):
            continue
        heads, rows = _split(lines[at - 1]), []
        for line in lines[at + 1 :]:
            if "|" not in line:
                break
            rows.append(_split(line))
        rows = [row for row in rows if len(row) == len(heads)]
        if len(heads) >= _MIN_COLUMNS and rows and heads[0]:
            columns, cells = _read_columns(heads, rows)
            yield ResultTable(heads[0], columns, cells, len(cells), said)


def tables_in_preview(
    payload: JsonObject, said: str, language: Language, *, names_first: bool = True
) -> Iterator[ResultTable]:
    """Rows of the calls that an approval is about, the column with the most different names first, or as shown."""
    calls = payload.get("calls")
    for call in calls if isinstance(calls, list) else ():
        preview = call.get("preview") if isinstance(call, Mapping) else None
        if not isinstance(call, Mapping) or not isinstance(preview, Mapping):
            continue
        heads = [one for one in list_items(preview.get("columns")) if isinstance(one, Mapping)]
        rows = [one.get("values") for one in list_items(preview.get("rows")) if isinstance(one, Mapping)]
        columns = [
            TableColumn(str(one.get("key")), str(_localise(one.get("title"), language)), str(one.get("unit") or ""))
            for one in heads
        ]
        cells = [
            tuple(_localise(row.get(one.key), language) for one in columns) for row in rows if isinstance(row, Mapping)
        ]
        if columns and cells:
            title = _TITLE.render("proposed", language, title=str(call.get("title") or call.get("name") or ""))
            table = ResultTable(title, tuple(columns), tuple(cells), len(cells), said)
            yield _put_names_first(table) if names_first else table


def _put_names_first(table: ResultTable) -> ResultTable:
    """The table with the column that tells its rows best apart in front; texts before the first number count."""
    leading = 0
    while leading < len(table.columns) and all(isinstance(row[leading], str) for row in table.rows):
        leading += 1
    names = [len({row[at] for row in table.rows}) for at in range(leading)]
    first = names.index(max(names)) if names else 0
    order = [first, *(at for at in range(len(table.columns)) if at != first)]
    columns = tuple(table.columns[at] for at in order)
    rows = tuple(tuple(row[at] for at in order) for row in table.rows)
    return ResultTable(table.title, columns, rows, table.total, table.said, table.call)


def _read_columns(
    heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[tuple[TableColumn, ...], tuple[tuple[JsonValue, ...], ...]]:
    """Columns of one unit become numbers; in the others each cell keeps its own."""
    columns, cells = [], list[list[JsonValue]]()
    for at, head in enumerate(heads):
        found = [FIGURE.fullmatch(row[at]) for row in rows]
        units = {(one[2] or "").strip() for one in found if one is not None}
        is_one = at > 0 and all(found) and len(units) == 1
        columns.append(TableColumn(f"c{at}", head, units.pop() if is_one else ""))
        cells.append(
            [
                float(one[1].replace("−", "-")) if is_one and one else row[at]
                for one, row in zip(found, rows, strict=True)
            ]
        )
    return tuple(columns), tuple(zip(*cells, strict=True))


def _split(line: str) -> list[str]:
    return [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _localise(value: JsonValue, language: Language) -> JsonValue:
    return value.get(language) if isinstance(value, Mapping) else value
